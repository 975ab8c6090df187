"""Batches of a training step, held to the sums that they come from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.equations.batches import (
    critical_batch_tokens,
    fastest_micro_batches,
    token_ratio,
    training_time_ratio,
)
from ridgeline.equations.pipelines import training_bubble_fraction

STAGES, COUNTS = st.integers(2, 64), st.floats(1, 1e4)


@given(stages=STAGES, critical=COUNTS, factor=st.floats(0.1, 10))
def test_no_other_number_of_micro_batches_is_faster(stages: int, critical: float, factor: float) -> None:
    best = fastest_micro_batches(stages=stages, critical_micro_batches=critical)
    at_best, other = (
        training_time_ratio(micro_batches=count, stages=stages, critical_micro_batches=critical)
        for count in (best, best * factor)
    )
    assert at_best <= other * (1 + 1e-12)  # what floating point leaves where the factor is 1


@given(stages=STAGES, micro_batches=st.integers(1, 500), critical=COUNTS)
def test_time_is_tokens_over_the_part_of_it_that_is_no_bubble(stages: int, micro_batches: int, critical: float) -> None:
    bubble = training_bubble_fraction(stages=stages, micro_batches=micro_batches)
    tokens = token_ratio(batch_over_critical=micro_batches / critical)
    found = training_time_ratio(micro_batches=micro_batches, stages=stages, critical_micro_batches=critical)
    assert found == pytest.approx(tokens / (1 - bubble), rel=1e-12)


def test_a_lower_loss_has_a_larger_critical_batch() -> None:
    assert critical_batch_tokens(loss=1.8) > critical_batch_tokens(loss=2.5)
    # Kaplan et al. 2020, section 1.1: one to two million tokens for their largest models at convergence.
    assert 1e6 < critical_batch_tokens(loss=2.7) < 2e6
