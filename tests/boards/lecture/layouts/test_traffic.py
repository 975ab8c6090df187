"""Racks under traffic: loads are the placement's, and tokens visit as the router's chances say."""

from __future__ import annotations

import numpy as np
import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture.layouts.experts import BOARD
from ridgeline.boards.lecture.layouts.traffic import MOST_CHIPS, traffic
from ridgeline.boards.picture import Curves
from ridgeline.boards.scene import Racks


def drawn(mode: Mode = Mode.LECTURE, **turned: float) -> Racks:
    return traffic(BOARD.values(mode, turned))


def loads(found: Racks) -> np.ndarray:
    return np.array([chip.load for rack in found.racks for chip in rack.chips])


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("racks", [1, 2, 5])
def test_all_visits_arrive_somewhere(mode: Mode, racks: int) -> None:
    found = drawn(mode, racks=racks)
    assert len(found.racks) == racks
    assert loads(found).mean() == pytest.approx(1)
    held = [expert for rack in found.racks for chip in rack.chips for expert in chip.experts]
    assert sorted(held) == sorted(expert for expert, count in enumerate(found.copies) for _ in range(count))
    assert np.dot(found.heat, found.copies) == pytest.approx(sum(found.copies))


def test_chips_are_lit_by_what_their_experts_draw() -> None:
    """Held once each, a chip's load is that of its experts."""
    found = drawn()
    for rack in found.racks:
        for chip in rack.chips:
            assert chip.load == pytest.approx(sum(found.heat[expert] for expert in chip.experts) / found.slots)
    assert loads(found).max() == next(
        chip.load for rack in found.racks for chip in rack.chips if chip.number == found.busiest
    )


def test_copies_even_the_heat() -> None:
    busiest = [loads(drawn(Mode.CAREFUL, redundant_experts=copies)).max() for copies in (0, 8, 32, 96)]
    assert busiest == sorted(busiest, reverse=True)
    assert busiest[-1] < busiest[0] / 2
    assert max(drawn(skew=0).heat) == pytest.approx(1)


@pytest.mark.parametrize("mode", list(Mode))
def test_a_token_visits_as_many_experts_as_it_has_none_twice(mode: Mode) -> None:
    found = drawn(mode)
    holds = {chip.number: chip.experts for rack in found.racks for chip in rack.chips}
    for token in found.tokens:
        assert len({visit.expert for visit in token.visits}) == len(token.visits) == 8
        assert token.near == sum(visit.rack == token.rack for visit in token.visits)
        assert token.near + token.beyond == 8
        for visit in token.visits:
            assert visit.expert in holds[visit.chip]
            in_rack = {chip.number for chip in found.racks[visit.rack].chips}
            assert visit.chip in in_rack
            # A copy in the token's own rack goes first.
            if visit.rack != token.rack:
                assert not any(visit.expert in chip.experts for chip in found.racks[token.rack].chips)


@pytest.mark.parametrize("racks", [1, 2, 8])
def test_what_leaves_is_as_much_as_the_curve_says(racks: int) -> None:
    """B4."""
    curve = BOARD.views[2].compute(BOARD.values(Mode.LECTURE, {"racks": racks}))
    assert isinstance(curve, Curves)
    found = drawn(racks=racks)
    assert found.leaving_fraction == pytest.approx(curve.marks[0].y)
    assert bool(found.leaving_text) == (racks > 1)


def test_of_many_chips_the_busiest_are_drawn() -> None:
    found = drawn(chips=1000)
    assert [len(rack.chips) for rack in found.racks] == [MOST_CHIPS] * 2
    assert found.busiest in {chip.number for rack in found.racks for chip in rack.chips}
    assert f"the busiest {MOST_CHIPS} of a rack are drawn" in found.text


def test_there_is_one_draw_of_tokens() -> None:
    assert drawn() == drawn()


@pytest.mark.parametrize("turned", [{}, {"racks": 1}, {"racks": 5, "skew": 1.2, "redundant_experts": 40}])
def test_visits_of_a_racks_tokens_add_up_and_those_that_leave_are_the_others(turned: dict[str, float]) -> None:
    found = drawn(Mode.LECTURE, **turned)
    for number, rack in enumerate(found.racks):
        parts = [[chip.part_of_rack[number] for chip in one.chips] for one in found.racks]
        assert sum(map(sum, parts)) == pytest.approx(1)
        leaving = 1 - sum(parts[number])
        if len(found.racks) > 1:
            assert float(rack.leaving_text.split(" %")[0]) == pytest.approx(100 * leaving, abs=0.51)  # as it is written
        else:
            assert rack.leaving_text == ""


def test_a_chips_visits_come_from_the_racks_by_their_parts() -> None:
    """All racks have as many tokens, so their parts of a chip's visits are in proportion."""
    for number, rack in enumerate(drawn(skew=1.0).racks):
        for chip in rack.chips:
            assert chip.near_fraction == pytest.approx(chip.part_of_rack[number] / sum(chip.part_of_rack))
