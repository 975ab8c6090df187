"""Boards: formula, controls and views of a picture of the lecture, with the claims and exercises that it shows.

Declarations alone: the command line, the figures and the page read the same ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from ridgeline.boards.constant import Constant, Origin
from ridgeline.boards.first_move import FirstMove
from ridgeline.boards.opened_chip import OpenedChip
from ridgeline.boards.picture import Axis, Colour, Picture
from ridgeline.catalog import load_machine, load_model
from ridgeline.quantity_text import format_apart, format_quantity
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model

__all__ = [
    "MACHINE",
    "MODEL",
    "NEXT",
    "Board",
    "Control",
    "ControlError",
    "Facts",
    "LetterNumber",
    "Mode",
    "Term",
    "Values",
    "View",
]

SOURCES = {
    Origin.SAID: "His numbers",
    Origin.IMPLIED: "Implied",
    Origin.FILLED_IN: "Filled in here",
}
"""Headings of lists of numbers, by origin."""

MODEL, MACHINE = "deepseek-v3", "gb200-nvl72"
"""Model and machine that careful numbers are of unless a board is about others."""

NO_AXIS = Axis(caption="", dimension="count")

Values = Mapping[str, float]
"""Values of controls by name, in base units."""


DIGITS = 4
"""Significant digits of a range's ends."""
ROUNDED = 1e-12
"""Relative distance from an end of a range within which a number read from text is that end."""

KINDS = {
    "bytes": "bytes",
    "bytes_per_param": "bytes",
    "bytes_per_s": "bandwidth",
    "flop": "FLOP",
    "flop_per_s": "FLOP/s",
    "fraction": "share",
    "s": "time",
    "usd_per_s": "price",
}
"""Kind of number by dimension, for labels of numbers whose unit says it where one is written."""
JOINING = ("as", "between", "of", "per")
"""First words of a meaning that is read after a number."""

SINGLE_ENDS = (("axes", "axis"), ("caches", "cache"), ("ches", "ch"), ("ies", "y"), ("s", ""))
"""Plural endings of nouns and their singular."""
NO_PLURALS = ("times", "as")


class ControlError(ValueError):
    """Error for a control that a board does not have, or a value outside its range.

    Attributes:
        control: name of the control, as met.
    """

    def __init__(self, message: str, *, control: str) -> None:
        super().__init__(message)
        self.control = control


class Mode(StrEnum):
    """Source of the numbers that a board starts from."""

    LECTURE = "lecture"
    CAREFUL = "careful"


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Facts that careful numbers are taken from.

    Attributes:
        model: model of the catalog, or a user's own.
        machine: machine of the catalog, or a user's own.
    """

    model: Model
    machine: Machine


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """One number that can be turned.

    Attributes:
        name: the glossary's, where it has one.
        meaning: words that follow a number of it.
        dimension: dimension of the number: "s", "bytes_per_s", "count", ...
        low: low end of its range, in base units as all numbers here.
        high: high end of its range.
        lecture: start with the lecture's own constants, and whether he said, implied or left open the number.
        careful: start with the catalog's facts: a number, or a function of a model and a machine; None where they do
            not have it.
        is_whole: whether it counts what cannot be divided: a hand sets whole numbers, though a start may be a mean.
        called: name by itself, where the meaning reads only after a number.
        short: short name that fits beside a slider's value; empty where the label does.
        lettered: name of its letter where that counts more than on other boards; empty for the usual one.
        careful_is: source of the careful number, in a few words, by the facts it is for; None where it is plain.
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
    lettered: str = ""
    careful_is: Callable[[Facts], str] | None = None

    @property
    def label(self) -> str:
        """Label beside a slider and a field: the meaning, after the kind of number where that is left out.

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
        """Origin of the lecture's start."""
        return self.lecture.origin if isinstance(self.lecture, Constant) else Origin.FILLED_IN

    def gives(self, mode: Mode) -> bool:
        """Whether the lecture, or the catalog, gives a mode's number, so that it was not chosen here."""
        return self.origin is not Origin.FILLED_IN if mode is Mode.LECTURE else callable(self.careful)

    def said(self, value: float) -> str:
        """Value with its meaning, as a caption has it: "4 stages", "1 stage"."""
        number = format_quantity(value, self.dimension)
        return f"{number} {_single(self.meaning) if number == '1' else self.meaning}"

    def start(self, mode: Mode, facts: Facts) -> float | None:
        """Start in a mode; None where the facts do not have it."""
        if mode is Mode.LECTURE:
            return float(self.lecture)
        return self.careful(facts) if callable(self.careful) else self.careful


def _single(meaning: str) -> str:
    """Singular of a plural meaning; meanings that count nothing stay as they are.

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
        x: horizontal axis; no axis in sheets and schematics.
        y: upright axis, downwards in tables and timelines.
        heading: quantity that is drawn, and what it is drawn against; empty where the board's title says it.
        equations: numbers of the board's equations that it draws, from 0.
        moved_by: names of the controls that move it, first those that move it farthest, where trying them takes longer
            than who asks for the board should wait; empty where they are tried.
        read_mark: name of the mark where the picture's bill is first read, which it follows; empty for the page's own
            place.
    """

    compute: Callable[[Values], Picture]
    x: Axis = NO_AXIS
    y: Axis = NO_AXIS
    heading: str = ""
    equations: tuple[int, ...] = (0,)
    moved_by: tuple[str, ...] = ()
    read_mark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A part of a board's formula.

    Attributes:
        tex: source in LaTeX's math mode, in commands that KaTeX and Matplotlib both know.
        colour: colour of the lines that the term makes; None for signs that join terms.
    """

    tex: str
    colour: Colour | None = None


NEXT = Term(tex=r",\qquad")
"""Sign between two equations of a formula."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterNumber:
    """Number of a formula's letter that no control turns.

    Attributes:
        tex: letter as it stands in the formula.
        value: number for values of all of the board's controls.
        dimension: dimension of the number.
        of: control whose basis it shares; empty where it has none of its own.
        factors: controls whose product it is, which stand beside it where the lecture gives them and not the product.
        example: name of the thing whose number it is, where formula and picture have several; empty for the only one.
    """

    tex: str
    value: Callable[[Values], float]
    dimension: str = "count"
    of: str = ""
    factors: tuple[str, ...] = ()
    example: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """One of the lecture's pictures, or a few that belong together.

    Attributes:
        name: name on the command line.
        title: quantity that is drawn, and what it is drawn against.
        question: question that the board answers.
        caption: explanation of the lines.
        formula: formula of the drawn quantity, term by term.
        controls: controls that can be turned.
        views: views, each a picture of its own.
        claims: ids of the ledger's rows that it shows.
        exercises: ids of the questions on it.
        first_move: one thing to try on its first picture.
        opens: mode whose numbers are drawn before anybody chooses; None for both.
        time_stamp: time stamp in the lecture, such as "0:09:10"; empty for a board that the lecture does not draw.
        letter_numbers: numbers of the formula's letters that no control turns, where they have one.
        model: id of the model that careful numbers are of unless another is chosen.
        machine: id of the machine that careful numbers are of unless another is chosen.
        has_model: whether a careful number is of the model; else all are of the machine alone.
        why_model: reason for another model than the other boards', in a few words; empty for theirs.
        opened: function that opens a chip of the board's machine, by the values of the controls; None where the board
            is not about one.
        fewest_chips: fewest chips of a machine, in numbers in which it is rented, that hold what is asked; None on
            boards whose chips have no memory to fill.
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
    first_move: FirstMove
    opens: Mode | None = Mode.LECTURE
    time_stamp: str = ""
    letter_numbers: tuple[LetterNumber, ...] = ()
    model: str = MODEL
    machine: str = MACHINE
    has_model: bool = True
    why_model: str = ""
    fewest_chips: Callable[[Values, Machine], int | None] | None = None
    opened: Callable[[Values], OpenedChip] | None = None

    @property
    def takes_facts(self) -> bool:
        """Whether any careful number is of a model or a machine."""
        return any(callable(control.careful) for control in self.controls)

    def facts(self) -> Facts:
        """Facts of the board's own model and machine."""
        return Facts(model=load_model(self.model), machine=load_machine(self.machine))

    def values(self, mode: Mode, turned: Values | None = None, facts: Facts | None = None) -> dict[str, float]:
        """Values of all controls: the starts of ``mode``, except for the turned ones.

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
            if control.is_whole and control.name in turned and value != round(value):
                raise ControlError(
                    f"board {self.name!r}: {control.name}={value:g} is not whole ({control.meaning});"
                    f" write {round(value)}",
                    control=control.name,
                )
            found[control.name] = float(value)
        return found

    def sources(self, mode: Mode, values: Values, facts: Facts) -> dict[str, tuple[Control, ...]]:
        """Controls by the source of their values, under the heading of their list."""
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
        """Values of all controls, by the modes whose facts are complete."""
        found = {}
        for mode in Mode:
            with suppress(ControlError):
                found[mode] = self.values(mode, facts=facts)
        return found

    def pictures(self, values: Values) -> tuple[Picture, ...]:
        """Pictures of all views, for values of all controls."""
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
