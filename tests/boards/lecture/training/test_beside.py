"""The rack beside steps of a model's life has the numbers of their boards: lines, marks and schedules."""

from __future__ import annotations

import pytest
from tests.boards.lecture.racks import STEPS, asked_at, known_at, painted, rack_of, said, seen_at

from ridgeline.boards.board import Mode
from ridgeline.boards.colour import Colour
from ridgeline.boards.lecture import board
from ridgeline.boards.walk import height, mark_named


def test_chips_are_shared_between_two_costs_as_at_their_least_sum() -> None:
    seen, rack = seen_at("budget-1:21:00")
    least = mark_named(seen, "least").x
    falls, rises = (height(seen, name, least) for name in ("falls", "rises"))
    # To a whole chip.
    assert painted(rack, Colour.ASIDE) == pytest.approx(falls / (falls + rises), abs=0.5 / rack.cabinets[0].chips)
    assert painted(rack, Colour.ASIDE) + painted(rack, Colour.ALSO) == 1


def test_a_smaller_model_takes_as_many_more_chips_as_its_budget_is_larger() -> None:
    seen, rack = seen_at("budget-1:22:15")
    x = asked_at("budget-1:22:15")
    here = mark_named(seen, "board").x
    small, large = rack.cabinets[1], rack.cabinets[0]
    # One view draws both lines, and how many chips are drawn is a whole number.
    assert small.chips / large.chips == pytest.approx(height(seen, "all", x), abs=1 / large.chips)
    share = height(seen, "pre-training", x) / height(seen, "all", x)
    assert painted(rack, Colour.COMPUTE, 1) == pytest.approx(share, abs=1 / small.chips)
    _, known = known_at("budget-1:22:15")
    own = height(seen, "pre-training", here) / height(seen, "all", here)
    assert painted(known, Colour.COMPUTE) == pytest.approx(own, abs=0.5 / large.chips)
    assert not painted(known, Colour.ASIDE)


def test_a_smaller_model_that_no_text_makes_as_good_is_told_so() -> None:
    step, one = STEPS["budget-1:22:15"], board("budget")
    values = one.values(Mode.LECTURE, {"active_params": 1e13})
    rack = rack_of(step, Mode.LECTURE, values)
    assert len(rack.cabinets) == 1
    assert "No text makes a model of 80B as good" in said(rack)


def test_the_best_pretraining_takes_as_few_chips_as_marks_say() -> None:
    seen, rack = seen_at("over-training-1:31:56")
    _, known = known_at("over-training-1:31:56")
    for one, mark in ((rack, "by fit of Hoffmann"), (known, "by 20 a parameter")):
        (cabinet,) = one.cabinets
        assert painted(one, Colour.COMPUTE) == pytest.approx(1 / mark_named(seen, mark).y, abs=0.5 / cabinet.chips)


def test_chips_are_shared_as_the_budget_is() -> None:
    seen, rack = seen_at("budget-1:24:40")
    board_params = mark_named(seen, "board").x
    (cabinet,) = rack.cabinets
    shares = {one.colour: len(one.chips) / cabinet.chips for one in cabinet.painted}
    drawn = {Colour.COMPUTE: "pre-training", Colour.ALSO: "RL = serving", Colour.ASIDE: "RL = serving"}
    for colour, line in drawn.items():
        # To a whole chip at either end.
        assert shares[colour] == pytest.approx(height(seen, line, board_params), abs=1 / cabinet.chips)
