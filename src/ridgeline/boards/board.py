"""What a board is: what can be turned, what is drawn for it, and which claims it shows.

Declarations alone: the command line, the figures and the page read the same ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ridgeline.quantity_text import format_quantity

__all__ = ["Axis", "Board", "Colour", "Control", "ControlError", "Drawing", "Line", "Mark", "Mode"]

Values = Mapping[str, float]
"""Of controls, by name, in base units."""


DIGITS = 4
"""Of a range's ends."""


class ControlError(ValueError):
    """A control that a board does not have, or a value outside its range."""


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
class Control:
    """One number that can be turned.

    Attributes:
        name: the glossary's, where it has one.
        meaning: a few words.
        dimension: in which it is written: "s", "bytes_per_s", "count", ...
        low: end of its range, in base units as all here.
        high: the other end.
        lecture: where it starts with the lecture's own constants.
        careful: where it starts with the catalog's facts.
    """

    name: str
    meaning: str
    dimension: str
    low: float
    high: float
    lecture: float
    careful: float

    def start(self, mode: Mode) -> float:
        """Its default."""
        return self.lecture if mode is Mode.LECTURE else self.careful


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
        is_bold: whether it is what the board is about.
        is_floor: whether it is a bound that is not crossed, or a level to compare with: dashed.
    """

    name: str
    y: NDArray[np.float64]
    colour: Colour
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
class Drawing:
    """What a board shows at some values of its controls.

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """One of the lecture's pictures.

    Attributes:
        name: as on the command line.
        title: what is drawn against what.
        question: that it answers.
        caption: what the lines are.
        controls: that can be turned.
        x: what runs along.
        y: what is drawn.
        compute: the drawing for values of all controls.
        claims: ids of the ledger's rows that it shows.
    """

    name: str
    title: str
    question: str
    caption: str
    controls: tuple[Control, ...]
    x: Axis
    y: Axis
    compute: Callable[[Values], Drawing]
    claims: tuple[str, ...]

    def values(self, mode: Mode, turned: Values | None = None) -> dict[str, float]:
        """Of all controls: those of ``mode``, but for the ones that were turned.

        Raises:
            ControlError: names the control, what was met and what is allowed.
        """
        found = {control.name: control.start(mode) for control in self.controls}
        for name, value in (turned or {}).items():
            control = self.control(name)
            if not control.low <= value <= control.high:
                met, low, high = (
                    format_quantity(number, control.dimension, DIGITS) for number in (value, control.low, control.high)
                )
                raise ControlError(
                    f"board {self.name!r}: {name}={met} is outside {low} to {high} ({control.meaning}); set it inside"
                )
            found[name] = value
        return found

    def control(self, name: str) -> Control:
        """The control of that name.

        Raises:
            ControlError: there is none; lists those that there are.
        """
        found = next((control for control in self.controls if control.name == name), None)
        if found is None:
            known = ", ".join(control.name for control in self.controls)
            raise ControlError(f"board {self.name!r} has no control {name!r}; it has {known}")
        return found
