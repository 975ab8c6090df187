"""The ways in which a number of a sentence is tied to the drawing: the handle, a mark, a control, a text in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ridgeline.boards.board import Mode
from ridgeline.boards.tie import Tie
from ridgeline.boards.walk import Seen, Step, height, mark_named, placed, read_place

__all__ = [
    "as_said",
    "control",
    "handle",
    "in_picture",
    "mark_x",
    "mark_y",
    "not_drawn",
    "on_mark",
    "read_from",
    "whole",
]

Value = float | Callable[[Seen], float]
"""Number, or a function that takes it from the step's state."""


def handle() -> Tie:
    """Position of the handle as the step opens."""
    return Tie(value=_handle, x=_handle)


def read_from(line: str) -> Tie:
    """Height of a line where the handle stands as the step opens."""
    return Tie(value=lambda seen, step: height(seen, line, _handle(seen, step)), x=_handle)


def mark_x(name: str, mode: Mode | None = None) -> Tie:
    """Position of a mark along the axis."""

    def place(seen: Seen, _: Step) -> float:
        return mark_named(seen, name, mode).x

    return Tie(value=place, mark=name)


def mark_y(name: str) -> Tie:
    """Height of a mark."""
    return Tie(value=lambda seen, _: mark_named(seen, name).y, mark=name)


def on_mark(name: str, value: Value) -> Tie:
    """Number that a mark's text says."""
    return Tie(value=_valued(value), mark=name)


def control(name: str) -> Tie:
    """Value of a control."""
    return Tie(value=lambda seen, _: seen.values[seen.mode][name], control=name)


def in_picture(value: Value, why: str) -> Tie:
    """Number that stands in the picture itself: in a text of a scene, or as the height of a bar, a dot or a line."""
    return Tie(value=_valued(value), why=why)


def not_drawn(value: Value, why: str) -> Tie:
    """Number that is not drawn: of history, of a list, of another picture."""
    return Tie(value=_valued(value), is_drawn=False, why=why)


def as_said(tie: Tie) -> Tie:
    """Number that somebody says, or that is a fact: no control changes it."""
    return replace(tie, is_said=True)


def whole(tie: Tie) -> Tie:
    """Number of things that cannot be divided."""
    return replace(tie, is_whole=True)


def _handle(seen: Seen, step: Step) -> float:
    place = read_place(step)
    if place is None:
        raise ValueError(f"no handle of {step.board!r} at {step.time_stamp} is placed; give the step's read_at")
    return placed(place, seen)


def _valued(value: Value) -> Callable[[Seen, Step], float]:
    return lambda seen, _: float(value(seen) if callable(value) else value)
