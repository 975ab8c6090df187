"""What a board is: its formula, what can be turned, what is drawn for it, which claims and exercises it shows.

Declarations alone: the command line, the figures and the page read the same ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from ridgeline.boards.constant import Constant, Origin
from ridgeline.boards.picture import Axis, Colour, Picture
from ridgeline.catalog import load_machine, load_model
from ridgeline.quantity_text import format_apart, format_quantity
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model

__all__ = [
    "Board",
    "Control",
    "ControlError",
    "Facts",
    "Mode",
    "Symbol",
    "Term",
    "Values",
    "View",
]

SOURCES = {
    Origin.SAID: "His numbers",
    Origin.IMPLIED: "Implied",
    Origin.FILLED_IN: "Filled in here",
}
"""Whose a number is, as it heads a list."""

NO_AXIS = Axis(caption="", dimension="count")

Values = Mapping[str, float]
"""Of controls, by name, in base units."""


DIGITS = 4
"""Of a range's ends."""
ROUNDED = 1e-12
"""Relative: so far from an end a number is that end, read from text."""

KINDS = {
    "bytes": "bytes",
    "bytes_per_s": "bandwidth",
    "flop": "FLOP",
    "flop_per_s": "FLOP/s",
    "fraction": "share",
    "s": "time",
    "usd_per_s": "price",
}
"""What numbers of a dimension are called, whose unit says it where one is written."""
JOINING = ("as", "between", "of", "per")
"""Words with which what is said after a number begins."""

SINGLE_ENDS = (("axes", "axis"), ("caches", "cache"), ("ches", "ch"), ("ies", "y"), ("s", ""))
"""Of nouns for several things and for one."""
NO_PLURALS = ("times", "as")


class ControlError(ValueError):
    """A control that a board does not have, or a value outside its range.

    Attributes:
        control: its name, as met.
    """

    def __init__(self, message: str, *, control: str) -> None:
        super().__init__(message)
        self.control = control


class Mode(StrEnum):
    """Whose numbers a board starts from."""

    LECTURE = "lecture"
    CAREFUL = "careful"


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What careful numbers are taken from.

    Attributes:
        model: of the catalog, or a user's own.
        machine: the same.
    """

    model: Model
    machine: Machine


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """One number that can be turned.

    Attributes:
        name: the glossary's, where it has one.
        meaning: a few words.
        dimension: in which it is written: "s", "bytes_per_s", "count", ...
        low: end of its range, in base units as all here.
        high: the other end.
        lecture: where it starts with the lecture's own constants, and whether he said, implied or left open the number.
        careful: where it starts with the catalog's facts: a number, or what takes it from a model and a machine; None
            where they do not have it.
        is_whole: whether it counts what cannot be divided.
        called: what it is called by itself, where its meaning reads only after a number.
        short: the same in so few letters that they stand beside a slider's value; empty where its label does.
        careful_is: what the careful number is, in a few words, where that is not plain.
    """

    name: str
    meaning: str
    dimension: str
    low: float
    high: float
    lecture: Constant | float
    careful: float | Callable[[Facts], float | None]
    is_whole: bool = False
    called: str = ""
    short: str = ""
    careful_is: str = ""

    @property
    def label(self) -> str:
        """What it is called beside a slider and a field: its meaning, after the kind of number where that is left out.

        >>> Control(name="x", meaning="of weights", dimension="bytes", low=1, high=2, lecture=1, careful=1).label
        'bytes of weights'
        """
        first, *others = self.meaning.split(" ")
        if self.called or first not in JOINING:
            return self.called or self.meaning
        if first == "as":
            return " ".join(others).removeprefix("the ")
        return f"{KINDS[self.dimension]} {self.meaning}"

    @property
    def origin(self) -> Origin:
        """Whose number the lecture's start is."""
        return self.lecture.origin if isinstance(self.lecture, Constant) else Origin.FILLED_IN

    def said(self, value: float) -> str:
        """A value of it and what that is, as a caption has it: "4 stages", "1 stage"."""
        number = format_quantity(value, self.dimension)
        return f"{number} {_single(self.meaning) if number == '1' else self.meaning}"

    def start(self, mode: Mode, facts: Facts) -> float | None:
        """Its default, where there is one."""
        if mode is Mode.LECTURE:
            return float(self.lecture)
        return self.careful(facts) if callable(self.careful) else self.careful


def _single(meaning: str) -> str:
    """Of one thing what is said of several; what counts nothing stays.

    >>> _single("micro-batches trained on"), _single("drafted tokens per step"), _single("times as long")
    ('micro-batch trained on', 'drafted token per step', 'times as long')
    """
    first, *others = meaning.split(" ")
    noun, after = (first, others) if first.endswith("s") or not others else (others[0], others[1:])
    before = "" if noun is first else f"{first} "
    if not noun.endswith("s") or noun in NO_PLURALS:
        return meaning
    single = next(noun.removesuffix(end) + one for end, one in SINGLE_ENDS if noun.endswith(end))
    return f"{before}{' '.join((single, *after))}"


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One picture of a board.

    Attributes:
        compute: the picture for values of all of the board's controls.
        x: what runs along; nothing in sheets and schematics.
        y: what runs up, or down in tables and timelines.
        heading: what is drawn against what; empty where the board's title says it.
    """

    compute: Callable[[Values], Picture]
    x: Axis = NO_AXIS
    y: Axis = NO_AXIS
    heading: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A part of a board's formula.

    Attributes:
        tex: as in LaTeX's math mode, of the commands that KaTeX and Matplotlib both know.
        colour: of the lines that it makes; None for what joins the terms.
    """

    tex: str
    colour: Colour | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """A letter of a board's formula, explained.

    Attributes:
        tex: as it stands in the formula.
        meaning: a noun phrase, with its unit where it has one.
    """

    tex: str
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """One of the lecture's pictures, or a few that belong together.

    Attributes:
        name: as on the command line.
        title: what is drawn against what.
        question: that it answers.
        caption: what the lines are.
        formula: what is drawn, its terms one after another.
        controls: that can be turned.
        views: what is drawn, each for itself.
        claims: ids of the ledger's rows that it shows.
        exercises: ids of the questions on it.
        time_stamp: where the lecture draws it, as "0:09:10"; empty for what it does not draw.
        symbols: the formula's letters that no control explains.
        model: of the catalog, whose facts careful numbers start from unless another is chosen.
        machine: the same.
    """

    name: str
    title: str
    question: str
    caption: str
    formula: tuple[Term, ...]
    controls: tuple[Control, ...]
    views: tuple[View, ...]
    claims: tuple[str, ...]
    exercises: tuple[str, ...]
    time_stamp: str = ""
    symbols: tuple[Symbol, ...] = ()
    model: str = "deepseek-v3"
    machine: str = "gb200-nvl72"

    @property
    def takes_facts(self) -> bool:
        """Whether any careful number is of a model or a machine."""
        return any(callable(control.careful) for control in self.controls)

    def facts(self) -> Facts:
        """Of its own model and machine."""
        return Facts(model=load_model(self.model), machine=load_machine(self.machine))

    def values(self, mode: Mode, turned: Values | None = None, facts: Facts | None = None) -> dict[str, float]:
        """Of all controls: those of ``mode``, but for the ones that were turned.

        Raises:
            ControlError: names the control, what was met and what is allowed.
        """
        chosen, turned = facts or self.facts(), turned or {}
        for name in turned:
            self.control(name)
        found = {}
        for control in self.controls:
            value = turned[control.name] if control.name in turned else control.start(mode, chosen)
            if value is None:
                raise ControlError(
                    f"board {self.name!r}: {chosen.model.id} on {chosen.machine.id} has no {control.name}"
                    f" ({control.meaning}); set it, or choose others",
                    control=control.name,
                )
            # "95 %" is read as 0.9500000000000001.
            ends = (end for end in (control.low, control.high) if math.isclose(value, end, rel_tol=ROUNDED))
            value = next(ends, value)
            if not control.low <= value <= control.high:
                met, (low, high) = format_apart(value, (control.low, control.high), control.dimension, DIGITS)
                raise ControlError(
                    f"board {self.name!r}: {control.name}={met} is outside {low} to {high} ({control.meaning});"
                    " set it inside",
                    control=control.name,
                )
            if control.is_whole and value != round(value):
                raise ControlError(
                    f"board {self.name!r}: {control.name}={value:g} is not whole ({control.meaning});"
                    f" write {round(value)}",
                    control=control.name,
                )
            found[control.name] = float(value)
        return found

    def sources(self, mode: Mode, values: Values, facts: Facts) -> dict[str, tuple[Control, ...]]:
        """Controls by whose numbers their values are, in words that head a list of them."""
        found: dict[str, list[Control]] = {}
        for control in self.controls:
            found.setdefault(self._source(control, mode, values[control.name], facts), []).append(control)
        return {heading: tuple(controls) for heading, controls in found.items()}

    def _source(self, control: Control, mode: Mode, value: float, facts: Facts) -> str:
        if value != control.start(mode, facts):
            return "Turned"
        if mode is Mode.LECTURE:
            return SOURCES[control.origin]
        if callable(control.careful):
            return f"The catalog's numbers of {facts.model.id} on {facts.machine.id}"
        return "Chosen here"

    def starts(self, facts: Facts) -> dict[Mode, dict[str, float]]:
        """Of the modes whose facts are all there, the values of all controls."""
        found = {}
        for mode in Mode:
            with suppress(ControlError):
                found[mode] = self.values(mode, facts=facts)
        return found

    def pictures(self, values: Values) -> tuple[Picture, ...]:
        """Of all views, for values of all controls."""
        return tuple(view.compute(values) for view in self.views)

    def control(self, name: str) -> Control:
        """The control of that name.

        Raises:
            ControlError: there is none; lists those that there are.
        """
        found = next((control for control in self.controls if control.name == name), None)
        if found is None:
            known = ", ".join(control.name for control in self.controls)
            raise ControlError(f"board {self.name!r} has no control {name!r}; it has {known}", control=name)
        return found
