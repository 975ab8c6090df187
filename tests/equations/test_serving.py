"""Queues and waits, over all of what may be asked of them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ridgeline.equations.caching import link_wait_s
from ridgeline.equations.serving import queue_wait_s, step_end_wait_s
from ridgeline.equations.speculation import accepted_tokens


@given(busy=st.floats(0, 3), service_s=st.floats(1e-6, 10), variation=st.floats(0, 100))
def test_a_queue_never_has_less_than_no_wait_and_no_end_once_it_is_asked_for_all(
    busy: float, service_s: float, variation: float
) -> None:
    found = queue_wait_s(busy=busy, service_s=service_s, variation=variation)
    assert found >= 0
    assert math.isinf(found) == (busy >= 1)
    assert link_wait_s(transfer_s=service_s, busy=busy) == queue_wait_s(busy=busy, service_s=service_s)


def test_a_grid_of_queues_gives_what_each_gives_alone() -> None:
    busy = np.array([0.0, 0.5, 0.999, 1.0, 1.2])
    alone = [queue_wait_s(busy=one, service_s=0.2) for one in busy.tolist()]
    assert queue_wait_s(busy=busy, service_s=0.2) == pytest.approx(alone)


@given(
    step_s=st.floats(1e-3, 1),
    prompt_step_s=st.floats(1e-3, 1),
    in_prompt_steps=st.floats(0, 1),
    quantile=st.floats(0.01, 0.99),
)
def test_so_many_wait_no_longer_for_the_end_of_a_step(
    step_s: float, prompt_step_s: float, in_prompt_steps: float, quantile: float
) -> None:
    """The part of the requests that its docstring counts, whichever step is the longer."""
    found = step_end_wait_s(
        step_s=step_s, prompt_step_s=prompt_step_s, in_prompt_steps=in_prompt_steps, quantile=quantile
    )
    assert 0 <= found <= max(step_s, prompt_step_s)
    # A step that takes next to none of the time is hardly ever the one that is waited for.
    assume(1e-6 < in_prompt_steps < 1 - 1e-6)
    part = (1 - in_prompt_steps) * min(found / step_s, 1) + in_prompt_steps * min(found / prompt_step_s, 1)
    assert part == pytest.approx(quantile, rel=1e-9)


@given(drafted=st.integers(0, 64), chance=st.floats(0, 1))
def test_a_step_adds_its_own_token_and_each_draft_that_follows_right_ones(drafted: int, chance: float) -> None:
    """Token by token, up to a draft that is always right."""
    found = accepted_tokens(drafted_tokens=drafted, acceptance_fraction=chance)
    # Near 1 the quotient of two small differences has fewer digits.
    assert found == pytest.approx(math.fsum(chance**place for place in range(drafted + 1)), rel=1e-6)
    assert accepted_tokens(drafted_tokens=drafted, acceptance_fraction=1) == drafted + 1
