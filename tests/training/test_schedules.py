from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.training.schedules import (
    Order,
    Pass,
    Schedule,
    ScheduleError,
    Task,
    forward_then_backward,
    one_forward_one_backward,
    play,
    span_s,
)

SCHEDULES = [forward_then_backward, one_forward_one_backward]


@pytest.mark.parametrize("schedule", SCHEDULES)
@given(stages=st.integers(1, 8), micro_batches=st.integers(1, 12))
def test_each_stage_takes_each_micro_batch_both_ways_once(schedule: Schedule, stages: int, micro_batches: int) -> None:
    order = schedule(stages=stages, micro_batches=micro_batches)
    wanted = {Task(kind=kind, micro_batch=number) for kind in Pass for number in range(micro_batches)}
    assert len(order) == stages
    for tasks in order:
        assert len(tasks) == len(wanted)
        assert set(tasks) == wanted


@pytest.mark.parametrize("schedule", SCHEDULES)
@given(
    stages=st.integers(1, 8),
    micro_batches=st.integers(1, 12),
    backward_s=st.floats(0.1, 10),
    hop_s=st.floats(0, 3),
)
def test_nothing_starts_before_what_it_needs_nor_while_its_stage_works(
    schedule: Schedule, stages: int, micro_batches: int, backward_s: float, hop_s: float
) -> None:
    order = schedule(stages=stages, micro_batches=micro_batches)
    runs = play(order, forward_s=1.0, backward_s=backward_s, hop_s=hop_s)
    assert len(runs) == 2 * stages * micro_batches
    ends = {(run.stage, run.task): run.end_s for run in runs}
    for run in runs:
        forward = Task(kind=Pass.FORWARD, micro_batch=run.task.micro_batch)
        if run.task.kind is Pass.BACKWARD:
            assert run.start_s >= ends[run.stage, forward]
        before = run.stage - 1 if run.task.kind is Pass.FORWARD else run.stage + 1
        if 0 <= before < stages:
            assert run.start_s >= ends[before, run.task] + hop_s
    for stage in range(stages):
        mine = [run for run in runs if run.stage == stage]
        assert [run.task for run in mine] == list(order[stage])
        assert all(after.start_s >= run.end_s for run, after in itertools.pairwise(mine))


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_one_micro_batch_takes_the_way_there_and_back_with_all_hops(schedule: Schedule) -> None:
    runs = play(schedule(stages=4, micro_batches=1), forward_s=1.0, backward_s=2.0, hop_s=0.25)
    assert span_s(runs) == pytest.approx(4 * 3 + 2 * 3 * 0.25)


def test_stages_that_wait_for_each_other_are_named() -> None:
    first, second = (Task(kind=Pass.FORWARD, micro_batch=number) for number in range(2))
    back = Task(kind=Pass.BACKWARD, micro_batch=0)
    crossed: Order = ((first, back, second), (first, second, back))
    with pytest.raises(ScheduleError, match="stage 0 waits for ever to take micro-batch 0 backward"):
        play(crossed, forward_s=1, backward_s=1)
    with pytest.raises(ScheduleError, match="stage 1 waits for ever to take micro-batch 1 forward"):
        play(((first,), (second,)), forward_s=1, backward_s=1)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_no_stages_and_no_micro_batches_are_refused(schedule: Schedule) -> None:
    for counts in ({"stages": 0, "micro_batches": 1}, {"stages": 1, "micro_batches": 0}):
        with pytest.raises(ScheduleError, match="give at least one of each"):
            schedule(**counts)
