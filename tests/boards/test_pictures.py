"""Curves from one call: marks lie on their lines because the line is asked there."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.boards.picture import Colour
from ridgeline.boards.pictures import at, curve, curves, linear, whole


@given(x=st.floats(0.0, 10.0), slope=st.floats(0.1, 10.0))
def test_a_mark_lies_on_its_line_and_among_the_points(x: float, slope: float) -> None:
    found = curves(
        linear(0.0, 10.0),
        curve("line", lambda each: slope * each, Colour.BOUND, is_bold=True),
        curve("level", 3.0, Colour.ASIDE),
        marks=[at("here", x, on="line", text=lambda y: f"{y:.3f}")],
    )
    (mark,) = found.marks
    assert (mark.y, mark.text) == (slope * x, f"{slope * x:.3f}")
    assert x in found.x
    assert np.array_equal(found.lines[1].y, np.full_like(found.x, 3.0))


def test_a_mark_outside_is_left_out_as_is_one_nowhere() -> None:
    line = curve("line", lambda x: x, Colour.BOUND)
    marks = [at(name, x, on="line", text="") for name, x in (("far", 11.0), ("none", np.inf), ("nowhere", np.nan))]
    assert curves(linear(0.0, 10.0), line, marks=marks).marks == ()


def test_what_jumps_is_met_where_it_does() -> None:
    found = curves(linear(0.0, 1.0), curve("step", lambda x: x > 1 / 3, Colour.BOUND), also=[1 / 3])
    assert 1 / 3 in found.x


def test_a_mark_on_no_line_and_one_between_whole_numbers_are_refused() -> None:
    line = curve("line", lambda x: x, Colour.BOUND)
    with pytest.raises(ValueError, match=r"marks lie on \['other'\], which are not among the lines \['line'\]"):
        curves(linear(0.0, 1.0), line, marks=[at("a", 0.5, on="other", text="")])
    with pytest.raises(ValueError, match=r"lie between the whole numbers of this picture; round them"):
        curves(whole(1, 8), line, marks=[at("a", 2.5, on="line", text="")])


def test_whole_numbers_are_all_there_and_no_others() -> None:
    found = curves(whole(1, 8), curve("line", lambda x: 1 / x, Colour.BOUND))
    assert found.is_whole
    assert found.x.tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
