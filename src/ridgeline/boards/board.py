"""What a board is: its formula, what can be turned, what is drawn for it, which claims and exercises it shows.

Declarations alone: the command line, the figures and the page read the same ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ridgeline.catalog import load_machine, load_model
from ridgeline.quantity_text import format_quantity
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model

__all__ = [
    "Axis",
    "Block",
    "Board",
    "Colour",
    "Control",
    "ControlError",
    "Curves",
    "Facts",
    "Line",
    "Mark",
    "Mode",
    "Picture",
    "Table",
    "Term",
    "Timeline",
    "Values",
    "View",
]

Values = Mapping[str, float]
"""Of controls, by name, in base units."""


DIGITS = 4
"""Of a range's ends."""


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


class Colour(StrEnum):
    """What a line is about; each theme has a colour for it."""

    BOUND = "ink"
    COMPUTE = "compute"
    KV = "kv"
    WEIGHTS = "weights"
    OTHER = "estimate"
    ASIDE = "muted"


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
        lecture: where it starts with the lecture's own constants.
        careful: where it starts with the catalog's facts: a number, or what takes it from a model and a machine; None
            where they do not have it.
        is_whole: whether it counts what cannot be divided.
    """

    name: str
    meaning: str
    dimension: str
    low: float
    high: float
    lecture: float
    careful: float | Callable[[Facts], float | None]
    is_whole: bool = False

    def start(self, mode: Mode, facts: Facts) -> float | None:
        """Its default, where there is one."""
        if mode is Mode.LECTURE:
            return self.lecture
        return self.careful(facts) if callable(self.careful) else self.careful


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One axis of the picture.

    Attributes:
        caption: in words, with its unit where the numbers do not carry one.
        dimension: in which its numbers are written.
        is_logarithmic: whether equal steps are equal ratios.
    """

    caption: str
    dimension: str
    is_logarithmic: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line over the drawing's x.

    Attributes:
        name: written where it ends.
        y: its values.
        colour: what it is about.
        high: up to where they may lie, if that is more: a band above the line.
        is_bold: whether it is what the board is about.
        is_floor: whether it is a bound that is not crossed, or a level to compare with: dashed.
    """

    name: str
    y: NDArray[np.float64]
    colour: Colour
    high: NDArray[np.float64] | None = None
    is_bold: bool = False
    is_floor: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A point on a line, and what is written beside it.

    Attributes:
        name: of what lies there.
        x: where.
        y: how high.
        line: name of the line that it lies on.
        text: in a few words, with its number.
        colour: what it is about.
    """

    name: str
    x: float
    y: float
    line: str
    text: str
    colour: Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class Curves:
    """Lines over one x.

    Attributes:
        x: rising; of all lines.
        lines: from the back to the front.
        marks: on them.
        top: where the upright axis ends; beyond the bold line, where it is not given.
        bottom: where it begins, if it is logarithmic; below the lines' right ends, where it is not given.
    """

    x: NDArray[np.float64]
    lines: tuple[Line, ...]
    marks: tuple[Mark, ...]
    top: float | None = None
    bottom: float | None = None

    def ends(self, upright: Axis) -> tuple[float, float]:
        """Of the upright axis: from zero if it is linear; on a logarithmic one the right ends of all lines are seen."""
        top = 1.5 * max(float(line.y.max()) for line in self.lines if line.is_bold) if self.top is None else self.top
        if not upright.is_logarithmic:
            return 0.0, top
        return (0.5 * min(float(line.y[-1]) for line in self.lines) if self.bottom is None else self.bottom), top


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Numbers by row and column, the darker the larger.

    Attributes:
        values: row after row, none below zero.
        is_written: whether each number is written into its cell; else the darkness alone shows it.
        text: what the table says, in a few words.
        first: number of the first row and of the first column.
    """

    values: NDArray[np.float64]
    is_written: bool
    text: str
    first: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """What one row of a timeline does for a while.

    Attributes:
        row: which, from 0 at the top.
        start: on the axis along.
        end: the same.
        text: written into it.
        colour: what it is about.
    """

    row: int
    start: float
    end: float
    text: str
    colour: Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """Who does what when; what is empty idles.

    Attributes:
        rows: names, from the top.
        blocks: none of a row over another.
        text: what it says, in a few words.
    """

    rows: tuple[str, ...]
    blocks: tuple[Block, ...]
    text: str


Picture = Curves | Table | Timeline


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One picture of a board.

    Attributes:
        heading: what is drawn against what; empty where the board's title says it.
        x: what runs along.
        y: what runs up, or down in tables and timelines.
        compute: the picture for values of all of the board's controls.
    """

    x: Axis
    y: Axis
    compute: Callable[[Values], Picture]
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
            if not control.low <= value <= control.high:
                met, low, high = (
                    format_quantity(number, control.dimension, DIGITS) for number in (value, control.low, control.high)
                )
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
