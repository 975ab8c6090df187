"""Pipeline schedules as played, held to their closed forms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.equations import pipelines
from ridgeline.training.schedules import (
    Schedule,
    forward_then_backward,
    idle_fraction,
    one_forward_one_backward,
    peak_micro_batches,
    play,
)

STAGES, MICRO_BATCHES = st.integers(1, 16), st.integers(1, 40)
BACKWARD_S = st.floats(0.1, 10)


@pytest.mark.parametrize("schedule", [forward_then_backward, one_forward_one_backward])
@given(stages=STAGES, micro_batches=MICRO_BATCHES, backward_s=BACKWARD_S)
def test_both_idle_for_the_closed_forms_part_however_long_backward_takes(
    schedule: Schedule, stages: int, micro_batches: int, backward_s: float
) -> None:
    runs = play(schedule(stages=stages, micro_batches=micro_batches), forward_s=1.0, backward_s=backward_s)
    expected = pipelines.training_bubble_fraction(stages=stages, micro_batches=micro_batches)
    assert idle_fraction(runs) == pytest.approx(expected, abs=1e-9)  # sums of floats


@given(stages=STAGES, micro_batches=MICRO_BATCHES, backward_s=BACKWARD_S)
def test_gpipe_keeps_all_micro_batches_and_1f1b_no_more_than_stages_are_left(
    stages: int, micro_batches: int, backward_s: float
) -> None:
    counts = {"stages": stages, "micro_batches": micro_batches}
    times = {"forward_s": 1.0, "backward_s": backward_s}
    gpipe = play(forward_then_backward(**counts), **times)
    alternating = play(one_forward_one_backward(**counts), **times)
    for stage in range(stages):
        assert peak_micro_batches(gpipe, stage=stage) == micro_batches
        expected = pipelines.peak_micro_batches(stages=stages, micro_batches=micro_batches, stage=stage)
        assert peak_micro_batches(alternating, stage=stage) == expected
