"""Experts and their copies: B1 and B4."""

from __future__ import annotations

import numpy as np
import pytest
from tests.boards.reading import line

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture.layouts.experts import BOARD, ONCE, TWICE
from ridgeline.boards.picture import Curves
from ridgeline.equations import collectives
from ridgeline.estimator import expert_placement


def drawn(mode: Mode = Mode.LECTURE, *, view: int = 1, **turned: float) -> Curves:
    picture = BOARD.views[view].compute(BOARD.values(mode, turned))
    assert isinstance(picture, Curves)
    return picture


def test_four_lie_on_a_chip() -> None:
    """B1, in the lecture and with DeepSeek's copies."""
    assert drawn().marks[0].text.endswith("4 experts a chip")
    assert drawn(Mode.CAREFUL).marks[0].text.endswith("4 experts a chip")


def test_experts_that_are_sought_alike_load_all_chips_alike() -> None:
    assert line(drawn(), "all equally") == pytest.approx(np.ones_like(drawn().x))
    assert line(drawn(skew=0), "greedy")[0] == pytest.approx(1)


def test_more_room_never_leaves_the_busiest_chip_with_more() -> None:
    for skew in (0.25, 0.5, 1.0):
        found = drawn(Mode.CAREFUL, skew=skew)
        assert np.all(np.diff(line(found, "greedy")) <= 1e-12)
        assert np.all(line(found, "lower bound") <= line(found, "greedy") * (1 + 1e-12))


def test_copies_that_do_harm_are_left_out() -> None:
    """Beyond 32 copies every chip of 72 needs room for a fifth expert, and the greedy placement is worse."""
    visits = expert_placement.visit_fractions(experts=256, active_experts=8, skew=0.5)
    copies = expert_placement.copies_of_experts(visits=visits, redundant_experts=34)
    holders = expert_placement.holders_of_experts(visits=visits, copies=copies, chips=72)
    (all_held,) = expert_placement.arriving_visits(visits=visits, holders=holders, chips=72)
    found = drawn(Mode.CAREFUL, redundant_experts=34)
    mark = next(one for one in found.marks if one.name == "copies")
    assert mark.y < expert_placement.load_over_mean(loads=all_held)
    assert "of 34" in mark.text


@pytest.mark.parametrize("racks", [1, 2, 4, 8])
def test_of_visits_to_experts_that_are_held_once_all_but_one_in_racks_leave(racks: int) -> None:
    """B4: half for two."""
    found = drawn(view=2, racks=racks)
    (mark,) = found.marks
    assert mark.y == pytest.approx(float(collectives.others_fraction(ranks=racks)))
    assert line(found, ONCE)[racks - 1] == mark.y


def test_copies_in_the_own_rack_keep_visits_there() -> None:
    found = drawn(Mode.CAREFUL, view=2)
    assert line(found, TWICE)[:2] == pytest.approx([0, 0])  # of two racks each has one
    copied, once = line(found, "32 copies"), line(found, ONCE)
    assert np.all(copied[1:] < once[1:])
    visits = expert_placement.visit_fractions(experts=256, active_experts=8, skew=0.5)
    copies = expert_placement.copies_of_experts(visits=visits, redundant_experts=32)
    single = sum(visited for visited, held in zip(visits, copies, strict=True) if held == 1) / 8
    # Half of the visits to what only one rack holds leave, at the least.
    assert copied[1] >= single / 2 * (1 - 1e-12)


def test_racks_are_whole_domains() -> None:
    assert drawn(view=2).is_whole
    holders = expert_placement.holders_of_experts(
        visits=(visits := expert_placement.visit_fractions(experts=256, active_experts=8, skew=0.5)),
        copies=(copies := expert_placement.copies_of_experts(visits=visits, redundant_experts=32)),
        chips=144,
    )
    assert len(copies) == 256
    arriving = expert_placement.arriving_visits(visits=visits, holders=holders, chips=144, racks=2)
    between = np.array(expert_placement.visits_between_racks(arriving=arriving))
    assert line(drawn(Mode.CAREFUL, view=2), "32 copies")[1] == pytest.approx(between.sum() - np.trace(between))
