"""Bubbles and what is kept, in closed form and as schedules are played."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ridgeline.training.pipeline import CLOSED_FORMS, StageParts, _played_s, micro_batches_kept, pipeline_bubble_s
from ridgeline.training.schedules import SCHEDULES, ScheduleError, peaks

TIMES = st.floats(0.5, 2.0)


@pytest.mark.parametrize("name", CLOSED_FORMS)
@given(st.integers(2, 6), st.integers(2, 5), TIMES, TIMES, TIMES)
@settings(max_examples=25)
def test_alike_stages_wait_as_they_are_played(
    name: str, stages: int, rounds: int, f: float, b: float, w: float
) -> None:
    schedule = SCHEDULES[name]
    parts, virtual = StageParts(f, b, w), schedule.virtual_stages
    micro_batches = rounds * stages
    bubble_s = pipeline_bubble_s(schedule, [parts] * stages, micro_batches=micro_batches, virtual_stages=virtual)
    played_s = _played_s(schedule, [parts] * stages, micro_batches, virtual) - micro_batches * parts.all_s
    assert bubble_s == pytest.approx(played_s, abs=1e-6)


@given(st.lists(TIMES, min_size=2, max_size=6), st.integers(8, 24))
def test_uneven_stages_of_1f1b_wait_at_most_for_all_others_once(each: list[float], micro_batches: int) -> None:
    """Just so where the last is the busiest, as the one with the head; an earlier one has work while others fill."""
    stages = [StageParts(one, one, one) for one in each]
    schedule = SCHEDULES["1f1b"]
    busiest = max(stages, key=lambda parts: parts.all_s)
    played_s = _played_s(schedule, stages, micro_batches, 1) - micro_batches * busiest.all_s
    bubble_s = pipeline_bubble_s(schedule, stages, micro_batches=micro_batches, virtual_stages=1)
    assert played_s <= bubble_s + 1e-9
    if stages[-1] == busiest:
        assert played_s == pytest.approx(bubble_s)


@pytest.mark.parametrize("name", ["1f1b", "interleaved"])
@given(st.integers(2, 8), st.integers(1, 6), st.integers(2, 4))
def test_what_is_kept_in_closed_form_is_what_is_played(name: str, stages: int, rounds: int, virtual: int) -> None:
    schedule = SCHEDULES[name]
    held = virtual if schedule.chooses_virtual_stages else 1
    shape = {"stages": stages, "micro_batches": rounds * stages, "virtual_stages": held}
    assert micro_batches_kept(schedule, **shape) == pytest.approx(peaks(schedule, **shape))


def test_one_stage_neither_waits_nor_keeps_more() -> None:
    schedule = SCHEDULES["1f1b"]
    assert pipeline_bubble_s(schedule, [StageParts(1, 1, 1)], micro_batches=4, virtual_stages=1) == 0
    assert micro_batches_kept(schedule, stages=1, micro_batches=4, virtual_stages=1) == (1.0,)


def test_a_shape_that_a_schedule_cannot_have_is_refused() -> None:
    with pytest.raises(ScheduleError, match="zb-v"):
        pipeline_bubble_s(SCHEDULES["zb-v"], [StageParts(1, 1, 1)] * 4, micro_batches=8, virtual_stages=3)
