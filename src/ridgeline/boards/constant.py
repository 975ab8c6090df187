"""Constants of the lecture: a number, and whether it was said, implied, or filled in here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypedDict, Unpack

__all__ = ["Constant", "Origin", "filled_in", "implied", "said", "values_of"]


INTERVIEWERS = "the interviewer's"
"""Beginning of the hedge of a number that the interviewer gave."""


class Origin(StrEnum):
    """Source of a number."""

    SAID = "said"
    IMPLIED = "implied"
    FILLED_IN = "filled in"


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant:
    """One number and its source.

    Attributes:
        value: value in base units; for other things (a scaling law, a machine's id) the thing itself.
        origin: whether it was said, follows from what was said, or was filled in where nothing was.
        time_stamp: time stamp such as "0:19:22"; empty for a number that was filled in.
        why: reason for a number that was filled in, in a few words: "DeepSeek-V3's"; empty where the speaker gave one.
        of: thing that the number is of, where it is not the usual one: "his next chip, Rubin".
        hedge: how the speaker limited it, in a few words: "could be off by an order of magnitude".
        low: lower end of what the hedge leaves open; None where it was not hedged in numbers.
        high: upper end of the same.
        claim: id of the claim whose number it is, perhaps rounded, and with which it moves; empty where there is none.
        beside: id of a claim that states it beside its own number, with which it does not move; empty where none does.
        name: name by which it can be changed everywhere at once; empty for a number that is used in one place.
    """

    value: Any
    origin: Origin
    time_stamp: str = ""
    why: str = ""
    of: str = ""
    hedge: str = ""
    low: float | None = None
    high: float | None = None
    claim: str = ""
    beside: str = ""
    name: str = ""

    def __float__(self) -> float:
        return float(self.value)

    @property
    def speaker(self) -> str:
        """Speaker of the number, as a sentence begins."""
        return "the interviewer" if self.hedge.startswith(INTERVIEWERS) else "he"


class Limits(TypedDict, total=False):
    """Optional properties of a number that somebody gave.

    Attributes:
        of: thing that the number is of, where it is not the usual one.
        hedge: how the speaker limited it.
        between: the range that the hedge leaves open.
        claim: id of the claim whose number it is.
        beside: id of a claim that states it beside its own number.
        name: name by which it can be changed.
    """

    of: str
    hedge: str
    between: tuple[float, float]
    claim: str
    beside: str
    name: str


def said(value: Any, time_stamp: str, **limits: Unpack[Limits]) -> Constant:  # noqa: ANN401  a number, or what stands for one
    """A number that was spoken or written on the board, with the range that the speaker's hedge leaves open."""
    return _given(Origin.SAID, value, time_stamp, limits)


def implied(value: Any, time_stamp: str, **limits: Unpack[Limits]) -> Constant:  # noqa: ANN401  a number, or what stands for one
    """A number that follows from what was said then."""
    return _given(Origin.IMPLIED, value, time_stamp, limits)


def _given(origin: Origin, value: Any, time_stamp: str, limits: Limits) -> Constant:  # noqa: ANN401  a number, or what stands for one
    low, high = limits.get("between", (None, None))
    return Constant(
        value=value,
        origin=origin,
        time_stamp=time_stamp,
        of=limits.get("of", ""),
        hedge=limits.get("hedge", ""),
        low=low,
        high=high,
        claim=limits.get("claim", ""),
        beside=limits.get("beside", ""),
        name=limits.get("name", ""),
    )


def filled_in(
    value: Any,  # noqa: ANN401  a number, or what stands for one
    *,
    why: str = "",
    claim: str = "",
    name: str = "",
) -> Constant:
    """A number that the speaker left open, with the reason for it where a board starts from it."""
    return Constant(value=value, origin=Origin.FILLED_IN, why=why, claim=claim, name=name)


def values_of(inputs: Mapping[str, Constant]) -> dict[str, Any]:
    """Values without their sources, as an equation takes them."""
    return {name: constant.value for name, constant in inputs.items()}
