"""The loop of inference: B9, and the proof by picture that as many batches as stages fill it."""

from __future__ import annotations

import itertools

import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.journeys import Loop
from ridgeline.boards.lecture.pipelines.inference_loop import BOARD
from ridgeline.boards.loops import ROUNDS
from ridgeline.boards.picture import Curves


def loop(view: int = 1, **turned: float) -> Loop:
    picture = BOARD.views[view].compute(BOARD.values(Mode.LECTURE, turned))
    assert isinstance(picture, Loop)
    return picture


def rows(picture: Loop) -> list[list[tuple[float, float, int]]]:
    """What each stage does: from when, until when, and for which batch."""
    return [
        sorted(
            (start, end, number)
            for cells in picture.gantt.played[0].cells
            for row, start, end, number in zip(cells.rows, cells.starts, cells.ends, cells.numbers, strict=True)
            if row == stage
        )
        for stage in range(picture.gantt.stages)
    ]


@pytest.mark.parametrize(("stages", "micro_batches"), [(4, 4), (4, 1), (4, 3), (3, 5), (8, 8)])
def test_a_stage_idles_as_the_drawing_shows(stages: int, micro_batches: int) -> None:
    drawn = rows(loop(stages=stages, micro_batches=micro_batches))
    for row in drawn:
        assert all(end <= start for (_, end, _), (start, _, _) in itertools.pairwise(row))
        # From the first batch to its return for the third token: two whole rounds.
        busy = sum(end - start for start, end, _ in row[: 2 * micro_batches])
        idle = 1 - busy / (row[2 * micro_batches][0] - row[0][0])
        assert idle == pytest.approx(max(0.0, 1 - micro_batches / stages))


def test_a_batch_starts_again_when_it_comes_round() -> None:
    first, *_, last = rows(loop(micro_batches=4))
    assert [start for start, _, _ in first[4:8]] == [end for _, end, _ in last[:4]]
    assert [number for _, _, number in first[:8]] == [0, 1, 2, 3, 0, 1, 2, 3]


def test_the_ring_and_the_time_line_tell_the_same() -> None:
    picture = loop(stages=3, micro_batches=5)
    visits = sorted(
        (start, end, number)
        for number, batch in enumerate(picture.batches)
        for start, end in zip(batch.starts, batch.ends, strict=True)
    )
    assert visits == sorted(visit for row in rows(picture) for visit in row)
    # The last batch waits four turns before its first token, and two of five wait at any time.
    assert picture.batches[4].starts[0] == 4
    assert picture.batches[0].starts[3] == 5


@pytest.mark.parametrize("micro_batches", [4, 9])
def test_the_drawing_ends_while_the_loop_is_full(micro_batches: int) -> None:
    picture = loop(stages=4, micro_batches=micro_batches)
    assert picture.gantt.end == ROUNDS * micro_batches
    # Nothing but the first batch's way to each stage.
    idle = picture.gantt.played[0].bubble_fraction * 4 * picture.gantt.end
    assert idle == pytest.approx(0 + 1 + 2 + 3)


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
