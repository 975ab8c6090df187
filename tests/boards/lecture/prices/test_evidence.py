"""What boards on prices as evidence draw, and say in words."""

from __future__ import annotations

import numpy as np
import pytest

from ridgeline.boards.beliefs import Beliefs, Row
from ridgeline.boards.board import Mode
from ridgeline.boards.lecture import board
from ridgeline.boards.lecture.prices.believed import decades
from ridgeline.inversion.intervals import Interval

NAMES = ("step-evidence", "output-evidence", "tier-evidence")
NOTHING = "next to nothing"


def drawn(name: str, mode: Mode = Mode.LECTURE, **turned: float) -> Beliefs:
    one = board(name)
    picture = one.views[0].compute(one.values(mode, turned))
    assert isinstance(picture, Beliefs)
    return picture


def row(picture: Beliefs, name: str) -> Row:
    return next(one for one in picture.rows if one.name.startswith(name))


def middle(picture: Beliefs, name: str) -> float:
    found = row(picture, name).middle
    assert found is not None
    return found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mode", list(Mode))
def test_rows_are_chances_over_one_axis(name: str, mode: Mode) -> None:
    picture = drawn(name, mode)
    for one in picture.rows:
        assert len(one.heights) == len(picture.x), one.name
        if picture.is_whole:
            assert sum(one.heights) == pytest.approx(1, abs=1e-4), one.name  # the recorded ones are written to 1e-5
            assert len(one.labels) == len(picture.x)
        elif not one.points:
            # The highest lies between two points of the axis.
            assert 0.95 < max(one.heights) <= 1, one.name
            peak = picture.x[int(np.argmax(one.heights))]
            assert one.low is not None
            assert one.high is not None
            assert picture.x[0] <= one.low < peak < one.high <= picture.x[-1], one.name


def test_his_number_is_marked_and_moves_with_what_he_assumes() -> None:
    at = drawn("step-evidence").marks[0]
    assert at.at == pytest.approx(5000 / 3)  # D3
    assert "1.67" in at.text
    assert drawn("step-evidence", active_params=200e9).marks[0].at == pytest.approx(2 * at.at)
    moved = drawn("step-evidence", active_params=1e12)
    assert middle(moved, "his reading") > 5 * middle(drawn("step-evidence"), "his reading")
    assert middle(moved, "the step alone") == middle(drawn("step-evidence"), "the step alone")


def test_the_step_says_nothing_of_the_bytes_and_the_board_says_so() -> None:
    for mode in Mode:
        picture = drawn("step-evidence", mode)
        assert NOTHING in picture.text
        assert "he assumes" in picture.text
        # By his step 4.9 % less, by the careful one 0.01 %: "his reading" beside them moves it several times over.
        assert middle(picture, "the step alone") == pytest.approx(middle(picture, "before"), rel=0.05)


def test_models_that_share_a_step_make_it_policy() -> None:
    alone, shared = (row(drawn("step-evidence", models_alike=models), "the step alone").text for models in (1, 3))
    assert "crossover: 2.9" in alone
    assert "crossover: below" in shared


def test_models_are_dots_where_the_axis_has_them() -> None:
    points = row(drawn("step-evidence"), "models of known shape").points
    assert len(points) > 50
    # D4: of all of them two or three read as little as that.
    assert sum(point < 2e3 for point in points) < 5
    assert np.median(points) > 40 * 1667


def test_his_two_readings_do_not_meet_and_the_board_says_so() -> None:
    """D7."""
    picture = drawn("output-evidence")
    output, step = (row(picture, f"his reading of {what}") for what in ("output", "the step"))
    assert output.high is not None
    assert step.low is not None
    assert output.high < 0.3
    assert step.low > 1
    assert not np.any(np.minimum(output.heights, step.heights) > 1e-3)
    assert "exclude each other" in picture.text
    assert NOTHING in picture.text
    marked = {mark.text: mark.at for mark in picture.marks}
    assert next(at for text, at in marked.items() if "5 times" in text) == pytest.approx(1 / 4.9)
    assert "can both be true" in drawn("output-evidence", price_ratio=1).text


def test_where_caches_alone_cost_more_no_batch_is_marked() -> None:
    picture = drawn("output-evidence", context_tokens=1e6, crossover_tokens=1e4)
    assert not [mark for mark in picture.marks if "times" in mark.text]
    assert picture.text.startswith("No batch explains the ratio: reading caches alone takes 100 times")


def test_how_long_a_cache_is_sold_moves_his_row_alone() -> None:
    short, long = (drawn("tier-evidence", held_s=held) for held in (300.0, 3600.0))
    at = [row(one, "his reading").heights.index(1.0) for one in (short, long)]
    assert [short.x_ticks[place].text for place in at] == ["flash", "disk"]  # D15, by his drain times
    for one, other in zip(short.rows, long.rows, strict=True):
        assert (one.heights == other.heights) is not one.name.startswith("his")
    careful = drawn("tier-evidence", Mode.CAREFUL, held_s=3600)
    assert row(careful, "his reading").heights.index(1.0) == 2  # an hour is flash, too


def test_prices_rule_out_disk_and_are_no_costs() -> None:
    picture = drawn("tier-evidence")
    assert "against disk" in picture.text
    assert "times its cost in HBM" in picture.text
    assert row(picture, "if prices").labels[0].startswith("100")
    assert row(picture, "both").heights[3] < 0.01
    dear = drawn("tier-evidence", usd_per_held_token_s=1e-6)
    assert row(dear, "both").heights[0] > row(picture, "both").heights[0]


def test_an_axis_grows_by_whole_powers_of_ten() -> None:
    near = Interval(p05=2.0, p25=3.0, p50=4.0, p75=5.0, p95=6.0)
    assert decades(1.0, 10.0, near) == (1.0, 10.0)
    far = Interval(p05=0.3, p25=3.0, p50=4.0, p75=5.0, p95=250.0)
    assert decades(1.0, 10.0, far) == pytest.approx((0.1, 1000.0))
