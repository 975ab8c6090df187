"""A claim of the lecture, and what the equations say of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from ridgeline.quantity_text import format_quantity

__all__ = ["UNITS", "Claim", "Verdict", "number_text"]

UNITS = {
    "": None,
    "s": "s",
    "bytes": "bytes",
    "FLOP": "flop",
    "tokens": "count",
    "params": "count",
    "tokens/s": "tokens_per_s",
    "$/s": "usd_per_s",
    "$/token": "usd_per_token",
    "points": None,
}
"""Units of claims' numbers, each with the dimension that ``format_quantity`` writes it in; None where it has none."""

DIGITS = 4
PLAIN_FROM, PLAIN_TO = 1e-3, 1e7
"""Numbers without a dimension that are read more easily without an exponent."""


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
        equation: name of the function behind it, from ``ridgeline.equations`` on, or from ``ridgeline`` on where it is
            an algorithm; empty where there is none.
        lecture_mode: computes it with the lecture's constants and efficiencies of one; None where nothing is computed.
        careful: computes it with facts of the catalog and real units; None where the catalog adds nothing.
        verdict: of the comparison.
        why: one line.
        unit: of its numbers, one of ``UNITS``; empty for ratios and for what is counted.
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
    unit: str = ""
    tolerance: float = 0.0


def number_text(value: float | None, unit: str) -> str:
    """A number of a claim to four digits, as people read it; one of no dimension without prefixes.

    >>> number_text(0.0011687, "s"), number_text(200e3, "tokens"), number_text(5448.2, ""), number_text(None, "s")
    ('1.169 ms', '200k tokens', '5,448', '-')
    """
    if value is None:
        return "-"
    dimension = UNITS[unit]
    if dimension is not None:
        text = format_quantity(value, dimension, DIGITS)
    elif PLAIN_FROM <= abs(value) < PLAIN_TO or not value:
        text = f"{float(f'{value:.{DIGITS}g}'):,.10g}"
    else:
        text = f"{value:.{DIGITS}g}".replace("e+", "e")
    return f"{text} {unit}" if unit and dimension in (None, "count") else text
