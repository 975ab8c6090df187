"""The loop of inference: B9, and the proof by picture that as many batches as stages fill it."""

from __future__ import annotations

import itertools

import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture.pipelines.inference_loop import BOARD
from ridgeline.boards.picture import Block, Curves, Timeline


def loop(view: int = 1, **turned: float) -> Timeline:
    picture = BOARD.views[view].compute(BOARD.values(Mode.LECTURE, turned))
    assert isinstance(picture, Timeline)
    return picture


def rows(picture: Timeline) -> list[list[Block]]:
    return [
        sorted((one for one in picture.blocks if one.row == row), key=lambda one: one.start)
        for row in range(len(picture.rows))
    ]


@pytest.mark.parametrize(("stages", "micro_batches"), [(4, 4), (4, 1), (4, 3), (3, 5), (8, 8)])
def test_a_stage_idles_as_the_drawing_shows(stages: int, micro_batches: int) -> None:
    drawn = rows(loop(stages=stages, micro_batches=micro_batches))
    for row in drawn:
        assert all(one.end <= other.start for one, other in itertools.pairwise(row))
        # From the first batch to its return for the third token: two whole rounds.
        busy = sum(one.end - one.start for one in row[: 2 * micro_batches])
        idle = 1 - busy / (row[2 * micro_batches].start - row[0].start)
        assert idle == pytest.approx(max(0.0, 1 - micro_batches / stages))


def test_a_batch_starts_again_when_it_comes_round() -> None:
    first, *_, last = rows(loop(micro_batches=4))
    assert [one.start for one in first[4:8]] == [one.end for one in last[:4]]
    assert [one.text for one in first[:8]] == list("01230123")


def test_one_batch_at_a_time_leaves_three_quarters_idle() -> None:
    assert "75 % idle" in loop(view=0).text
    assert "once full, 0 % idle" in loop().text


def test_no_stage_idles_from_as_many_batches_as_stages_on() -> None:
    picture = BOARD.views[2].compute(BOARD.values(Mode.LECTURE, {"micro_batches": 10}))
    assert isinstance(picture, Curves)
    assert picture.is_whole
    (line,) = picture.lines
    assert line.y[:5] == pytest.approx([0.75, 0.5, 0.25, 0.0, 0.0])
    assert picture.x[-1] == 10
