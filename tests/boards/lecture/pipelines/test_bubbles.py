"""Training's bubble: B10, B33, seen in the schedules that are drawn."""

from __future__ import annotations

import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture import CLAIMS
from ridgeline.boards.lecture.pipelines.bubbles import BOARD
from ridgeline.boards.picture import Block, Colour, Curves, Timeline

GPIPE, IN_TURN = 0, 1


def schedule(view: int, **turned: float) -> Timeline:
    picture = BOARD.views[view].compute(BOARD.values(Mode.LECTURE, turned))
    assert isinstance(picture, Timeline)
    return picture


def passes(picture: Timeline) -> list[Block]:
    return [one for one in picture.blocks if one.colour is not Colour.OTHER]


@pytest.mark.parametrize("view", [GPIPE, IN_TURN])
@pytest.mark.parametrize(("stages", "micro_batches", "ratio"), [(4, 4, 1), (4, 4, 2), (3, 7, 1.5), (5, 2, 2)])
def test_bubbles_are_seen_in_the_schedule(view: int, stages: int, micro_batches: int, ratio: float) -> None:
    picture = schedule(view, stages=stages, micro_batches=micro_batches, backward_ratio=ratio)
    drawn = passes(picture)
    assert len(picture.rows) == stages
    assert len(drawn) == 2 * stages * micro_batches
    whole = stages * max(block.end for block in drawn)
    idle = 1 - sum(block.end - block.start for block in drawn) / whole
    bubble = (stages - 1) / (micro_batches + stages - 1)
    assert idle == pytest.approx(bubble)
    assert f"{100 * bubble:.3g} % idle" in picture.text


@pytest.mark.parametrize("view", [GPIPE, IN_TURN])
def test_the_optimiser_waits_for_every_gradient(view: int) -> None:
    picture = schedule(view)
    updates = [one for one in picture.blocks if one.colour is Colour.OTHER]
    assert len(updates) == 4
    assert {one.start for one in updates} == {max(one.end for one in passes(picture))}


def test_the_drawn_step_stops_between_forward_and_backward() -> None:
    for row in range(4):
        kinds = [one.colour for one in passes(schedule(GPIPE)) if one.row == row]
        assert kinds == [Colour.COMPUTE] * 4 + [Colour.BOUND] * 4


def test_in_turn_keeps_as_many_as_stages_and_gpipe_all() -> None:
    assert "keeps 10 at once" in schedule(GPIPE, micro_batches=10).text
    assert "keeps 4 at once" in schedule(IN_TURN, micro_batches=10).text


def test_bubbles_are_the_closed_forms() -> None:
    picture = BOARD.views[2].compute(BOARD.values(Mode.LECTURE, {"micro_batches": 29}))
    assert isinstance(picture, Curves)
    assert picture.is_whole
    (training,) = picture.marks
    assert (training.x, training.y) == pytest.approx((29, 3 / 32))
    (claim,) = (one for one in CLAIMS if one.id == "B10")
    assert claim.lecture_mode() == pytest.approx(3 / 7)
