"""Schedules as they are played: what is kept comes and goes, and what idles is the rest."""

from __future__ import annotations

import pytest

from ridgeline.boards.scene import Played
from ridgeline.boards.schedules import gantt
from ridgeline.training.schedules import SCHEDULES, Times, peaks, play

TIMES = Times(forward_s=1.0, input_gradient_s=0.75, weight_gradient_s=1.5)
TRAINING = [name for name, one in SCHEDULES.items() if not one.is_forward_only]


def drawn(name: str, *, stages: int = 4, micro_batches: int = 8) -> Played:
    (found,) = gantt([play(SCHEDULES[name], TIMES, stages=stages, micro_batches=micro_batches)]).played
    return found


@pytest.mark.parametrize("name", TRAINING)
def test_what_is_kept_ends_at_nothing_and_its_peak_is_the_schedules(name: str) -> None:
    found = drawn(name)
    assert [one.peak for one in found.kept] == list(peaks(SCHEDULES[name], stages=4, micro_batches=8))
    for one in found.kept:
        assert one.at[0] == 0
        assert list(one.at) == sorted(set(one.at))
        assert one.level[-1] == 0
        assert min(one.level) >= 0
        assert max(one.level) <= one.peak


@pytest.mark.parametrize("name", TRAINING)
def test_what_the_passes_leave_of_the_time_is_the_bubble(name: str) -> None:
    found = drawn(name)
    worked = sum(
        end - start
        for cells in found.cells
        if cells.part != "optimiser"
        for start, end in zip(cells.starts, cells.ends, strict=True)
    )
    assert 1 - worked / (4 * found.span) == pytest.approx(found.bubble_fraction)


def test_the_axis_is_common_and_reaches_beyond_the_longest() -> None:
    steps = [play(SCHEDULES[name], TIMES, stages=4, micro_batches=8) for name in ("gpipe", "zb-h1")]
    found = gantt(steps)
    assert found.end > max(one.span for one in found.played) == steps[0].span_s
    assert max(end for one in found.played for cells in one.cells for end in cells.ends) == found.end
    assert found.text.startswith("idle: GPipe ")


def test_every_pass_says_its_micro_batch_by_which_it_is_followed_through_the_stages() -> None:
    found = drawn("1f1b", micro_batches=64)
    for cells in found.cells:
        assert len(cells.numbers) == (0 if cells.part == "optimiser" else len(cells.rows))
    first = [cells.numbers.count(0) for cells in found.cells if cells.numbers]
    assert first == [4] * len(first)
