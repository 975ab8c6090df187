"""A claim of the lecture, and what the equations say of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Claim", "Verdict"]


class Verdict(StrEnum):
    """What became of a claim when it was computed."""

    REPRODUCES = "reproduces"
    ROUNDED = "rounded"
    DOES_NOT_REPRODUCE = "does not reproduce"
    DEPENDS = "depends on an unstated assumption"
    NOT_DERIVABLE = "not derivable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One row of the ledger.

    Attributes:
        id: as "A11".
        time_stamp: in the recording, hours and minutes; empty where it has none.
        chapter: of the lecture, as its equations are named: roofline, departures, sparsity, racks, pipelines, memory,
            training, prices, tiers or ciphers. Which boards show it, they say.
        claim: in our own words, with its unit.
        lecture: its number in base units; None where it gives none.
        inputs: what both computations start from, by the glossary's names or in words; numbers in base units.
        equation: name of the function behind it, from ``ridgeline.equations`` on; empty where there is none.
        lecture_mode: computes it with the lecture's constants and efficiencies of one; None where nothing is computed.
        careful: computes it with facts of the catalog and real units; None where the catalog adds nothing.
        verdict: of the comparison.
        why: one line.
        tolerance: part by which ``lecture_mode`` may differ from ``lecture`` under this verdict; checked by a test.
    """

    id: str
    time_stamp: str
    chapter: str
    claim: str
    lecture: float | None
    inputs: Mapping[str, float | str]
    equation: str
    lecture_mode: Callable[[], float] | None
    careful: Callable[[], float] | None
    verdict: Verdict
    why: str
    tolerance: float = 0.0
