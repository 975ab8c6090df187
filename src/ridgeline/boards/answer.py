"""The sentence of a claim's verdict line, written with places for numbers that are computed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from string import Formatter
from typing import Any

from ridgeline.boards.in_a_sentence import count_text, time_text
from ridgeline.boards.note import DIGITS, Measure
from ridgeline.quantity_text import format_quantity

__all__ = ["Told", "factor", "numbers_of", "pieces"]

FEW_DIGITS = 2
"""Significant digits of a number in a sentence that asks for no more."""
OURS = frozenset({"ours", "careful", "published"})
"""Places of computed and published numbers; the first of them in a sentence stands out."""
PLAIN, TIME = "number", "duration"
"""Kinds in which a number is written without its claim's noun: as a count, and as a time in words."""
SPEC = re.compile(rf"(?P<digits>[1-{DIGITS}]?)(?P<kind>[a-z_]*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A number that a sentence asks for by ``{name:3bytes}``: digits, and a dimension where it is not the claim's.

    >>> f"{Told(value=5440.5, measure=Measure(unit='', what='sequences')):3}"
    '5,440'
    >>> f"{Told(value=2e12, measure=Measure(unit='', what='')):bytes}"
    '2 TB'

    Attributes:
        value: value in base units.
        measure: form of the claim's numbers.
        beside: the lecture's number, whose unit it takes where that reads well; None where there is none.
    """

    value: float
    measure: Measure
    beside: float | None = None

    def __format__(self, spec: str) -> str:
        asked = SPEC.fullmatch(spec)
        if asked is None:
            raise ValueError(f"{spec!r} asks for no number; write digits, a dimension or both, as 3bytes")
        digits = int(asked["digits"] or FEW_DIGITS)
        if not asked["kind"]:
            return self.measure.words(self.value) or self.measure.number(self.value, digits=digits, beside=self.beside)
        if asked["kind"] == PLAIN:
            return Measure(unit="", what="").number(self.value, digits=digits)
        if asked["kind"] == TIME:
            return time_text(self.value, digits)
        return format_quantity(self.value, asked["kind"], digits)


def numbers_of(
    measure: Measure,
    *,
    his: float | None,
    ours: float | None,
    careful: Callable[[], float | None],
    bridge: Callable[[], Iterable[tuple[str, float]]],
    inputs: Mapping[str, Any],
) -> dict[str, Callable[[], object]]:
    """Numbers that a verdict line may ask for, by name; each is computed only where it is asked for.

    ``ours``, ``careful`` (``published`` in a claim without an equation) and ``his``; ``factor``, the larger of his and
    ours over the smaller; ``noun``, that of all of them; ``at[1]``, ours after the first step of the bridge; and each
    input by its own name.
    """
    plain = Measure(unit="", what="")

    def told(value: float | None) -> Told:
        if value is None:
            raise ValueError("the claim has no such number for its verdict line")
        return Told(value=value, measure=measure, beside=his)

    def given(value: float) -> Told:
        return Told(value=float(value), measure=plain)

    return {name: partial(given, value) for name, value in inputs.items()} | {
        "his": partial(told, his),
        "ours": partial(told, ours),
        "careful": lambda: told(careful()),
        "published": lambda: told(careful()),
        "factor": lambda: count_text(factor(his or 0.0, ours or 0.0), FEW_DIGITS),
        "noun": measure.noun,
        "at": lambda: tuple(told(value) for _, value in bridge()),
    }


def factor(one: float, other: float) -> float:
    """The larger of two numbers over the smaller."""
    return max(one, other) / min(one, other)


def pieces(sentence: str, numbers: Mapping[str, Callable[[], object]]) -> tuple[str, ...]:
    """Words and numbers of a sentence in turn, words first; the number that stands out is the only one between words.

    >>> pieces("{ours}, not {his}.", {"ours": lambda: 5440, "his": lambda: 2400})
    ('', '5440', ', not 2400.')
    """
    found = [""]
    for words, place, spec, _ in Formatter().parse(sentence):
        found[-1] += words
        if place is None:
            continue
        name, _, index = place.removesuffix("]").partition("[")
        number = numbers[name]()
        text = format(number[int(index)] if index and isinstance(number, tuple) else number, spec or "")
        if name in OURS and len(found) == 1:
            found += [text, ""]
        else:
            found[-1] += text
    return tuple(found)
