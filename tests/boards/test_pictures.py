"""Curves from one call: marks lie on their lines because the line is asked there."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.boards.picture import Axis, Colour
from ridgeline.boards.pictures import MOST_WHOLE, Span, at, curve, curves, linear, logarithmic, whole


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


def test_lines_are_drawn_over_another_frame_too() -> None:
    line = curve("line", lambda x: 2 * x, Colour.BOUND)
    marks = [at(name, x, on="line", text="") for name, x in (("inside", 5.0), ("beyond", 30.0))]
    found = curves(linear(0.0, 10.0), line, marks=marks, also=[7.0])
    wide, near = found.over(0.0, 40.0), found.over(6.0, 8.0)
    assert (wide.x[0], wide.x[-1]) == (0, 40)
    assert wide.lines[0].y.tolist() == (2 * wide.x).tolist()
    assert [mark.name for mark in wide.marks] == ["inside", "beyond"]
    assert near.marks == ()
    assert 7 in near.x
    assert near.over(0.0, 10.0).x.tolist() == found.x.tolist()
    assert found.over(0.0, 10.0) is found


def test_ratios_stay_ratios_and_whole_numbers_whole() -> None:
    line = curve("line", lambda x: x, Colour.BOUND)
    steps = np.diff(np.log(curves(logarithmic(1.0, 10.0), line).over(10.0, 1e6).x))
    assert steps == pytest.approx(np.full_like(steps, steps[0]))
    counted = curves(whole(1, 8), line)
    assert counted.over(0.5, 12.7).x.tolist() == list(range(1, 13))
    assert counted.over(1.0, 1e12).x.size == MOST_WHOLE + 1


@pytest.mark.parametrize("span", [linear(2.0, 8.0, is_closed=True), Span(x=np.linspace(2.0, 8.0, 7))])
def test_a_closed_span_is_not_left(span: Span) -> None:
    found = curves(span, curve("line", lambda x: 1 / (9 - x), Colour.BOUND))
    assert (found.over(0.0, 10.0).x[0], found.over(0.0, 10.0).x[-1]) == (2, 8)
    beyond = found.over(20.0, 30.0)
    assert beyond.x.size == beyond.lines[0].y.size == 0


def test_where_an_equation_has_no_number_lines_end() -> None:
    found = curves(
        logarithmic(10.0, 100.0),
        curve("line", lambda x: np.log(x - 5), Colour.BOUND, high=lambda x: x),
        marks=[at("never", 2.0, on="line", text=""), at("mark", 20.0, on="line", text="")],
    ).over(1.0, 100.0)
    assert found.x[0] > 5
    assert found.lines[0].y.size == found.x.size
    assert found.lines[0].high is not None
    assert np.isfinite(found.lines[0].y).all()
    assert [mark.name for mark in found.marks] == ["mark"]


UPRIGHT = Axis(caption="height", dimension="count", is_logarithmic=True)


def test_other_lines_do_not_pull_a_logarithmic_axis_far_below_the_bold_one() -> None:
    bold = curve("bold", lambda x: x, Colour.BOUND, is_bold=True)
    floors = (curve("near", 0.5, Colour.ASIDE), curve("far", 1e-9, Colour.ASIDE))
    span = logarithmic(1.0, 100.0)
    assert curves(span, floors[0], bold).ends(UPRIGHT) == pytest.approx((0.25, 150.0))
    # As many decades below it as it spans.
    assert curves(span, *floors, bold).ends(UPRIGHT) == pytest.approx((0.01, 150.0))
    # A flat one has a decade and a half.
    flat = curve("bold", 1.0, Colour.BOUND, is_bold=True)
    assert curves(span, *floors, flat).ends(UPRIGHT) == pytest.approx((10**-1.5, 1.5))


def test_a_line_that_is_drawn_on_beside_another_modes_is_seen_where_it_ends_there() -> None:
    own = curves(
        logarithmic(1.0, 100.0),
        curve("bold", 1.0, Colour.BOUND, is_bold=True),
        curve("rises", lambda x: 1e-3 * x, Colour.ASIDE),
    )
    assert own.ends(UPRIGHT)[0] == pytest.approx(0.05)
    assert own.ends(UPRIGHT, own.over(1.0, 500.0))[0] == pytest.approx(0.25)
