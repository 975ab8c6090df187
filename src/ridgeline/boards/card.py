"""Cards: questions answered in words or by a drawing, on a concept, a derivation or the shape of a curve."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Card", "Kind", "Level"]


class Kind(StrEnum):
    """Form of answer that a card asks for."""

    CONCEPT = "concept"
    DERIVATION = "derivation"
    SKETCH = "sketch"
    NUMBER = "number"


class Level(StrEnum):
    """How far a question goes beyond what was said."""

    RECALL = "recall"
    APPLY = "apply"
    COMBINE = "combine"


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One question that readers judge themselves on.

    Attributes:
        id: a chapter's name and a word, as "batch-why-a-floor".
        kind: form of answer that it asks for.
        level: step beyond what was said.
        time_stamp: time stamp of the lecture's passage, such as "0:09:54".
        question: question in our own words.
        answer: answer in one to three sentences; its numbers are computed.
        board: name of the board that shows it.
    """

    id: str
    kind: Kind
    level: Level
    time_stamp: str
    question: str
    answer: str
    board: str
