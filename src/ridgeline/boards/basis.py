"""Basis of a number that is not the lecture's: facts of a model and a machine, other sources, how it follows."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

__all__ = ["Basis", "Cited"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """A source of one number that no model's and no machine's file has.

    Attributes:
        title: title of the source, with its author.
        address: address of the source; empty where it has none.
        date: day of the source, or of its reading.
    """

    title: str
    address: str
    date: dt.date


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """Basis of a control's careful number.

    Attributes:
        how: how the number follows, in a sentence or two; empty where a fact is taken as it stands.
        facts: names of facts of the model and the machine that it rests on, as ``documents.sources`` has them.
        cites: further sources of the number.
    """

    how: str = ""
    facts: tuple[str, ...] = ()
    cites: tuple[Cited, ...] = ()
