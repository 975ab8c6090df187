"""Sources of the numbers behind a prediction: measured on this chip, on its family, or assumed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ridgeline.quantity_text import counted

__all__ = ["Carrier", "Grade", "Source", "heaviest_first", "least_sure", "main_grade", "summary"]


class Grade(StrEnum):
    """Distance between what a number was measured on and what it is used for; the worst comes first."""

    ASSUMED = "assumed"
    FAMILY = "family"
    MEASURED = "measured"


WORST_FIRST = tuple(Grade)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Source of a number.

    Attributes:
        grade: measured on this chip, taken from its family, or assumed.
        machine: catalog id of the machine that it was measured on; empty for none, or for several.
        rows: measured rows that move it; 0 where none do.
        log_sd: standard deviation of its logarithm over the data that it was fitted on; None where unknown.
        note: further remark in one clause, such as what stands in for a missing measurement.
    """

    grade: Grade
    machine: str = ""
    rows: int = 0
    log_sd: float | None = None
    note: str = ""

    @property
    def text(self) -> str:
        """The source in words."""
        said = [GRADE_TEXTS[self.grade]] if self.grade is not Grade.FAMILY else [f"taken from {self.machine}"]
        if self.grade is Grade.ASSUMED and self.machine:
            said.append(f"as on {self.machine}")
        if self.note:
            said.append(self.note)
        if self.rows:
            said.append(counted(self.rows, "row"))
        return ", ".join(said)


GRADE_TEXTS = {Grade.ASSUMED: "assumed", Grade.FAMILY: "of its family", Grade.MEASURED: "measured on this chip"}


def least_sure(sources: Iterable[Source]) -> Source:
    """Least reliable of the sources that a time rests on.

    >>> least_sure([Source(grade=Grade.MEASURED, machine="h100-sxm", rows=210), Source(grade=Grade.ASSUMED)]).grade
    <Grade.ASSUMED: 'assumed'>
    """
    return min(sources, key=lambda one: (WORST_FIRST.index(one.grade), one.rows))


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrier:
    """A part of a predicted time with the fitted numbers of one kind that it rests on, and their source.

    Attributes:
        part: kernels, messages or overhead whose time it is.
        source: least reliable of the sources that the part rests on.
        time_s: time that rests on it, s.
        time_fraction: ``time_s`` over the whole time.
    """

    part: str
    source: Source
    time_s: float
    time_fraction: float

    def to_row(self) -> dict[str, Any]:
        """The carrier as a row of a table, its source in words and in fields."""
        source = self.source
        return {
            "part": self.part,
            "source": source.text,
            "grade": source.grade.value,
            "machine": source.machine or None,
            "rows": source.rows,
            "time_s": self.time_s,
            "time_fraction": self.time_fraction,
        }


def heaviest_first(times: Iterable[tuple[str, Source, float]]) -> tuple[Carrier, ...]:
    """Carriers of times, equal ones combined: the worst grade first, and within a grade the most time.

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


def main_grade(carriers: Sequence[Carrier]) -> Grade:
    """Grade of the numbers that most of a time rests on; of equal parts the worst.

    >>> here = Source(grade=Grade.MEASURED, machine="h200-sxm", rows=14)
    >>> main_grade(heaviest_first([("collectives", here, 0.003), ("GEMMs", Source(grade=Grade.ASSUMED), 0.007)]))
    <Grade.ASSUMED: 'assumed'>
    """
    return max(WORST_FIRST, key=lambda grade: sum(one.time_fraction for one in carriers if one.source.grade is grade))


def summary(carriers: Sequence[Carrier]) -> str:
    """One-line summary of how much of a time was measured, taken from a family, and assumed.

    >>> here = Source(grade=Grade.MEASURED, machine="h200-sxm", rows=14)
    >>> near = Source(grade=Grade.FAMILY, machine="h100-sxm", rows=210)
    >>> summary(heaviest_first([("collectives", here, 0.003), ("GEMMs", near, 0.007)]))
    '30 % measured on h200-sxm, 70 % on its family (h100-sxm)'
    """
    said = []
    for grade in reversed(WORST_FIRST):
        alike = [one for one in carriers if one.source.grade is grade]
        if alike:
            percent = f"{100 * sum(one.time_fraction for one in alike):.0f} %"
            share = "under 1 %" if percent == "0 %" else percent
            machines = " and ".join(dict.fromkeys(one.source.machine for one in alike))
            notes = {one.source.note for one in alike}
            # Where everything is assumed in the same way, such as by the spec sheet, one clause says so.
            note = f" ({notes.pop()})" if len(notes) == 1 and notes != {""} else ""
            texts = {
                Grade.MEASURED: f"{share} measured on {machines}",
                Grade.FAMILY: f"{share} on its family ({machines})",
                Grade.ASSUMED: f"{share} assumed{note}",
            }
            said.append(texts[grade])
    return ", ".join(said)
