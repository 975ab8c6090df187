"""Queues and waits, over all of what may be asked of them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.equations.serving import pooled_time_per_token_s, queue_wait_s
from ridgeline.equations.speculation import accepted_tokens


@given(busy=st.floats(0, 3), service_s=st.floats(1e-6, 10), variation=st.floats(0, 100))
def test_a_queue_never_has_less_than_no_wait_and_no_end_once_it_is_asked_for_all(
    busy: float, service_s: float, variation: float
) -> None:
    found = queue_wait_s(busy=busy, service_s=service_s, variation=variation)
    assert found >= 0
    assert math.isinf(found) == (busy >= 1)


def test_a_grid_of_queues_gives_what_each_gives_alone() -> None:
    busy = np.array([0.0, 0.5, 0.999, 1.0, 1.2])
    alone = [queue_wait_s(busy=one, service_s=0.2) for one in busy.tolist()]
    assert queue_wait_s(busy=busy, service_s=0.2) == pytest.approx(alone)


@given(drafted=st.integers(0, 64), chance=st.floats(0, 1))
def test_a_step_adds_its_own_token_and_each_draft_that_follows_right_ones(drafted: int, chance: float) -> None:
    """Token by token, up to a draft that is always right."""
    found = accepted_tokens(drafted_tokens=drafted, acceptance_fraction=chance)
    # Near 1 the quotient of two small differences has fewer digits.
    assert found == pytest.approx(math.fsum(chance**place for place in range(drafted + 1)), rel=1e-6)
    assert accepted_tokens(drafted_tokens=drafted, acceptance_fraction=1) == drafted + 1


def test_requests_are_conserved_in_a_pool() -> None:
    """A pool that spends the pooled time on a token finishes as many requests as it reads prompts."""
    batch, steps, step_s, prompt_s = 100, 50, 0.02, 0.03
    token_s = pooled_time_per_token_s(
        decode_step_time_s=step_s, prefill_time_per_prompt_s=prompt_s, batch=batch, decode_steps=steps
    )
    requests_per_s = batch / (steps * token_s)
    assert requests_per_s * (steps * step_s / batch + prompt_s) == pytest.approx(1)
