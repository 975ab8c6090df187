"""A question of the walk with a few answers to choose from, which is asked before the picture is seen."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ridgeline.boards.picture import Colour

if TYPE_CHECKING:
    from ridgeline.boards.walk import Seen, Text

__all__ = ["Choice", "Option", "Sketch", "longest", "nearest", "right_of", "told_before"]

END = re.compile(r"[.?!](?= )")
"""End of a sentence that another one follows."""

Value = Callable[["Seen"], float]
"""Function that takes a number from the step's state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One of several answers.

    Attributes:
        name: answer in a few words, as the drawing names it.
        holds: function that says whether it is true of the step's state.
        size: number for which it stands, drawn as a bar beside the others' bars; None for an answer without one.
        colour: colour of what it names in the drawing; None for an answer that names nothing drawn.
    """

    name: str
    holds: Callable[[Seen], bool]
    size: float | None = None
    colour: Colour | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sketch:
    """Part of a chart that is drawn before the answer, to reason from.

    Attributes:
        asked: name of the line that the answer is about, as the picture has it.
        lines: names of the lines that are drawn.
        marks: names of the marks that are drawn.
        dots: names of the dots that are drawn besides those that belong to the lines.
        until: function that gives the position along up to which the lines are drawn; None for their whole length.
        asked_at: function that gives the position along of what is asked; None where it lies at none.
    """

    asked: str
    lines: tuple[Text, ...]
    marks: tuple[str, ...] = ()
    dots: tuple[str, ...] = ()
    until: Value | None = None
    asked_at: Value | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A question that one of a few answers is chosen for.

    Attributes:
        prompt: question in a sentence or two.
        options: answers, of which one holds in any state.
        why: reason for the right one, in a clause.
        sentences: how many sentences of the step are told before the answer; the others give it away.
        terms: how many terms of the step's equation are shown until the answer, where a later one would tell it; None
            for all that the step has come to.
        sketch: part of the chart that is drawn before the answer; None for its axes alone, and for another picture.
    """

    prompt: Text
    options: tuple[Option, ...]
    why: Text
    sentences: int
    terms: int | None = None
    sketch: Sketch | None = None


def nearest(value: Value, named: Mapping[str, float]) -> tuple[Option, ...]:
    """Answers that stand for numbers: the one that is nearest to a computed number holds.

    Args:
        value: function that computes the number.
        named: number of each answer.
    """

    def holds(number: float) -> Callable[[Seen], bool]:
        return lambda seen: min(named.values(), key=lambda one: abs(one - value(seen))) == number

    return tuple(Option(name=name, holds=holds(number), size=number) for name, number in named.items())


def longest(named: Mapping[str, tuple[Value, Colour]]) -> tuple[Option, ...]:
    """Answers that name what is drawn: the one with the largest computed number holds.

    Args:
        named: function that computes the number of each, and its colour in the drawing.
    """

    def holds(name: str) -> Callable[[Seen], bool]:
        return lambda seen: max(named, key=lambda one: named[one][0](seen)) == name

    return tuple(Option(name=name, holds=holds(name), colour=colour) for name, (_, colour) in named.items())


def right_of(choice: Choice, seen: Seen) -> int:
    """Place of the option that holds, from 0.

    Raises:
        ValueError: none or several hold; lists them.
    """
    found = [place for place, option in enumerate(choice.options) if option.holds(seen)]
    if len(found) != 1:
        names = [choice.options[place].name for place in found]
        raise ValueError(f"of the answers to {choice.prompt!r} exactly one has to hold; these do: {names}")
    return found[0]


def told_before(choice: Choice, sentence: str) -> int:
    """Index of the first character of a step's sentences that waits for the answer.

    Raises:
        ValueError: no sentence waits; says how many there are.
    """
    ends = [end.end() for end in END.finditer(sentence)]
    if not 0 < choice.sentences <= len(ends):
        raise ValueError(
            f"{choice.sentences} sentences are told before an answer, and there are {len(ends) + 1}; let one wait"
        )
    return ends[choice.sentences - 1]
