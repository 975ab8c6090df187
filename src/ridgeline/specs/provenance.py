"""Where the numbers behind a prediction come from: measured on this chip, on its family, or assumed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Carrier", "Grade", "Source", "heaviest_first", "least_sure"]


class Grade(StrEnum):
    """How close what a number was measured on lies to what it is used for; the worst comes first."""

    ASSUMED = "assumed"
    FAMILY = "family"
    MEASURED = "measured"


WORST_FIRST = tuple(Grade)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a number comes from.

    Attributes:
        grade: measured on this chip, taken from its family, or assumed.
        machine: catalog id of the machine that it was measured on; empty where that is none, or many together.
        rows: measured rows that move it; 0 where none do.
        log_sd: standard deviation of its logarithm, on what it was fitted on; None where no row tells.
        note: what else is to be said of it, in one clause, such as what stands in for what was not measured.
    """

    grade: Grade
    machine: str = ""
    rows: int = 0
    log_sd: float | None = None
    note: str = ""

    @property
    def text(self) -> str:
        """All of it in words."""
        said = [GRADE_TEXTS[self.grade]] if self.grade is not Grade.FAMILY else [f"taken from {self.machine}"]
        if self.grade is Grade.ASSUMED and self.machine:
            said.append(f"as on {self.machine}")
        if self.note:
            said.append(self.note)
        if self.rows:
            said.append(f"{self.rows:,} rows")
        return ", ".join(said)


GRADE_TEXTS = {Grade.ASSUMED: "assumed", Grade.FAMILY: "of its family", Grade.MEASURED: "measured on this chip"}


def least_sure(sources: Iterable[Source]) -> Source:
    """Of the sources of numbers that a time rests on together, the one that says least of this chip.

    >>> least_sure([Source(grade=Grade.MEASURED, machine="h100-sxm", rows=210), Source(grade=Grade.ASSUMED)]).grade
    <Grade.ASSUMED: 'assumed'>
    """
    return min(sources, key=lambda one: (WORST_FIRST.index(one.grade), one.rows))


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrier:
    """What carries a part of a predicted time: fitted numbers of one kind and where they come from.

    Attributes:
        part: kernels, messages or overhead whose time it is.
        source: where the number comes from that says least of this chip, of those which the part rests on.
        time_s: time that rests on it, s.
        time_fraction: the same over all of the time.
    """

    part: str
    source: Source
    time_s: float
    time_fraction: float


def heaviest_first(times: Iterable[tuple[str, Source, float]]) -> tuple[Carrier, ...]:
    """Carriers of times, those alike together: the worst grade first, and within a grade the most time.

    Args:
        times: part, source and time of each, s.
    """
    together: dict[tuple[str, Source], float] = {}
    for part, source, time_s in times:
        together[part, source] = together.get((part, source), 0.0) + time_s
    whole_s = sum(together.values()) or 1.0
    carriers = [
        Carrier(part=part, source=source, time_s=time_s, time_fraction=time_s / whole_s)
        for (part, source), time_s in together.items()
        if time_s
    ]
    return tuple(sorted(carriers, key=lambda one: (WORST_FIRST.index(one.source.grade), -one.time_s)))
