"""Queues and waits, over all of what may be asked of them."""

from __future__ import annotations

import heapq
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.equations.serving import closed_loop_wait, pooled_time_per_token_s, queue_wait_s
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


def waited(users: int, apart: float, service: float, *, spread: float, rounds: int) -> tuple[float, float]:
    """Mean wait and mean round of a loop that is played: one server, who asks first is served first.

    Times apart and services are even over ``1 - spread`` to ``1 + spread`` of their means.
    """
    random = np.random.default_rng(1)
    asked = [(place, user) for user, place in enumerate(random.uniform(0, apart + service, users).tolist())]
    heapq.heapify(asked)
    free, waits = 0.0, []
    for away, served in random.uniform(1 - spread, 1 + spread, (rounds, 2)) * (apart, service):
        when, user = heapq.heappop(asked)
        waits.append(max(free - when, 0.0))
        free = max(free, when) + served
        heapq.heappush(asked, (free + away, user))
    mean = float(np.mean(waits[rounds // 10 :]))
    return mean, apart + service + mean


@pytest.mark.parametrize("users", [2, 3, 4, 8, 32])
@pytest.mark.parametrize("asked_for", [0.2, 0.5, 0.8, 1.0, 1.2, 2.0, 5.0])
def test_users_of_a_loop_wait_as_in_one_that_is_played(users: int, asked_for: float) -> None:
    """From a server that is asked for a fifth of its time, to one asked for five times as much as it has.

    The mean value analysis is no more than 3 % off a round, most of it where it is asked for all of its time.
    """
    service, spread = 12.0, 0.5
    apart = max(users * service / asked_for - service, 0.0)
    wait, round_ = waited(users, apart, service, spread=spread, rounds=20_000)
    found = closed_loop_wait(users=users, apart=apart + service, service=service, variation=spread**2 / 3)
    assert apart + service + found == pytest.approx(round_, rel=0.03)
    if asked_for <= 0.5:
        # What is left of a service that one comes upon: from 2 % too long for many users to 8 % for two.
        assert found == pytest.approx(wait, rel=0.1)


@given(
    users=st.floats(0.1, 1e6),
    apart=st.floats(1, 1e5),
    service=st.floats(0, 1e3),
    variation=st.floats(0, 10),
    more=st.floats(1, 10),
)
def test_a_loops_wait_grows_with_users_and_services_and_has_its_limits(
    users: float, apart: float, service: float, variation: float, more: float
) -> None:
    def wait(users: float, apart: float, service: float) -> float:
        return float(closed_loop_wait(users=users, apart=apart + service, service=service, variation=variation))

    found, exact = wait(users, apart, service), 1 - 1e-9
    assert found >= 0
    assert wait(1.0, apart, service) == 0 == wait(users, apart, 0.0)
    assert apart + service + found >= users * service * exact  # a server that is always busy
    assert wait(users * more, apart, service) >= found * exact
    assert wait(users, apart, service * more) >= found * exact
    assert wait(users, apart * more, service) * exact <= found
