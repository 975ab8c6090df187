"""Controls of the walk: each step offers those that move what it shows."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.boards.walked import SEEN, STEPS, name
from tests.each import of_each

from ridgeline.boards.board import Control, Mode, Values
from ridgeline.boards.lecture.live_numbers import live
from ridgeline.boards.lecture.walk import step_id
from ridgeline.boards.live_controls import height_on, live_controls, place_at, places
from ridgeline.boards.picture import Curves
from ridgeline.boards.walk import Seen, Step, drawn, line_named

Numbers = NDArray[np.float64]


def over_the_steps(seen: Seen, values: Values) -> Curves:
    """Lines of a step's view at other values, over its own axis: a control that moves the ends alone moves no line."""
    found, own = seen.view.compute(values), drawn(seen).x
    assert isinstance(found, Curves)
    return found.over(float(own[0]), float(own[-1]))


def lines_and_marks(step: Step, seen: Seen, values: Values, across: Numbers) -> tuple[Numbers, list[float]]:
    """Heights of the lines that a step shows, and where the marks on them lie, over the axis that a hand holds."""
    found = over_the_steps(seen, values)
    lines = [line_named(found, one) for one in step.lines]
    named = {line.name for line in lines}
    marks = [mark.x for mark in found.marks if mark.line in named and (not mark.crosses or mark.crosses in named)]
    return np.array([np.interp(across, found.x, line.y) for line in lines]), marks


@pytest.mark.slow
@of_each(
    ("step", "seen"),
    [both for both in zip(STEPS, SEEN, strict=True) if both[0].controls and both[0].lines],
    ids=lambda both: name(both[0]),
)
def test_a_step_offers_the_controls_that_move_its_lines(step: Step, seen: Seen) -> None:
    values = seen.values[seen.mode]

    def turned(control: Control) -> list[Values]:
        return [{**values, control.name: place} for place in places(control)]

    # That part of the axis which every value of a control has: beyond its end a line is not computed.
    ends = [over_the_steps(seen, each) for control in seen.board.controls for each in turned(control)]
    least = min(float(one.x[-1]) for one in ends)
    across = drawn(seen).x[drawn(seen).x <= least]
    heights, marks = lines_and_marks(step, seen, values, across)
    for control in seen.board.controls:
        others = [lines_and_marks(step, seen, each, across) for each in turned(control)]
        moves = any(not np.allclose(there, heights, rtol=1e-3) or at != marks for there, at in others)
        # What the axis along counts has its handle there: a slider beside it would be a second one.
        is_offered = moves and not is_along(step, seen, control)
        assert is_offered == (control.name in (step.controls or ())), control.name


def is_along(step: Step, seen: Seen, control: Control) -> bool:
    """Whether the mark at which a step is read lies where a control stands, wherever that is."""
    if step.read_mark is None:
        return False
    states = [{**seen.values[seen.mode], control.name: place_at(control, part)} for part in (0.4, 0.5, 0.6)]
    found = [seen.view.compute(each) for each in states]
    return all(
        isinstance(one, Curves) and step.read_mark in {m.name: m for m in one.marks if m.x == each[control.name]}
        for one, each in zip(found, states, strict=True)
    )


ON_AXIS = [both for both in zip(STEPS, SEEN, strict=True) if both[0].controls and both[0].read_mark]


@of_each(("step", "seen"), ON_AXIS, ids=lambda both: name(both[0]))
def test_no_slider_turns_what_the_axis_handle_is_at(step: Step, seen: Seen) -> None:
    assert not [one for one in step.controls or () if is_along(step, seen, seen.board.control(one))]


@of_each(
    ("step", "seen"),
    [both for both in zip(STEPS, SEEN, strict=True) if both[0].controls and not both[0].lines],
    ids=lambda both: name(both[0]),
)
def test_each_control_of_a_step_without_lines_moves_its_picture_and_its_sentence(step: Step, seen: Seen) -> None:
    assert set(step.controls or ()) < set(live_controls(seen.board, seen.view))
    for control in (seen.board.control(one) for one in step.controls or ()):
        ends = [{**seen.values[seen.mode], control.name: end} for end in (control.low, control.high)]
        told = [live(step_id(step), {seen.mode: values}) for values in ends]
        assert any(one["numbers"] or one["overturned"] for one in told), control.name


PIXEL = 0.003
"""Least move that is seen, as a part of a plot's height."""


@of_each(
    ("step", "seen"),
    [both for both in zip(STEPS, SEEN, strict=True) if both[0].controls is None and both[0].lines],
    ids=lambda both: name(both[0]),
)
def test_each_control_of_a_step_moves_what_it_shows_of_a_view(step: Step, seen: Seen) -> None:
    """From end to end, in its own numbers or the others; a whole view is moved by all that are beside it."""
    modes = step.modes if step.question else tuple(Mode)
    for control in live_controls(seen.board, seen.view):
        ends = [place_at(seen.board.control(control), part) for part in (0.0, 1.0)]
        assert any(is_moved(step, seen, seen.values[mode], {control: end}) for mode in modes for end in ends), control


def is_moved(step: Step, seen: Seen, before: Values, turned: Values) -> bool:
    (there, marks), (other, other_marks) = (shown_at(step, seen, {**before, **one}) for one in ({}, turned))
    return marks != other_marks or not np.allclose(there, other, rtol=0, atol=PIXEL)


def shown_at(step: Step, seen: Seen, values: Values) -> tuple[Numbers, list[object]]:
    """Heights of a step's lines as parts of the plot, over its own axis, and where what is marked on them lies.

    Where no line is drawn over that axis, none has a height.
    """
    found = over_the_steps(seen, values)
    low, high = drawn(seen).ends(seen.view.y)
    axis = {"ends": (low, high), "is_logarithmic": seen.view.y.is_logarithmic}
    lines = [line_named(found, one) for one in step.lines]
    named = {line.name for line in lines}
    across = np.linspace(0.1, 0.9, 9)
    places = drawn(seen).x[(across * (len(drawn(seen).x) - 1)).astype(int)]
    if not found.x.size:
        return np.full((len(lines), len(across)), -1.0), []
    heights = [[height_on(axis, float(np.interp(x, found.x, line.y))) for x in places] for line in lines]
    marks: list[object] = [(mark.x, mark.text) for mark in found.marks if mark.line in named]
    return np.array(heights), [*marks, found.fits_to]
