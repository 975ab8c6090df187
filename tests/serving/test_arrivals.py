"""Requests that arrive at random at a pool: steps, requests in flight, and first tokens."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ridgeline.equations.serving import queue_wait_s
from ridgeline.serving.open_curves import OpenPools, open_pools
from ridgeline.serving.open_loop import opened
from ridgeline.serving.passes import pool_times
from ridgeline.serving.prompt_numbers import NUMBERS, arrival_weights, number_weights, numbers_around
from ridgeline.serving.step_chain import steps_at
from ridgeline.specs.workload import Workload
from ridgeline.verbs import deploy

MOST = 64.0


@pytest.fixture(scope="module")
def pools() -> OpenPools:
    deployment, workload = deploy("llama-3.1-8b", "h100-sxm", "tp1"), Workload(prompt_tokens=1000, output_tokens=200)
    return open_pools(pool_times([deployment], workload, MOST), [deployment], workload)


def test_a_queue_is_that_of_pollaczek_and_khinchine() -> None:
    """Of exponential services, whose variation is one, the mean wait is the textbook's ``rho / (mu - lambda)``."""
    assert queue_wait_s(busy=0.8, service_s=0.5, variation=1.0) == pytest.approx(0.8 / (1 / 0.5 - 0.8 / 0.5))


@settings(max_examples=25)
@given(mean=st.floats(0.01, 400.0), excess=st.floats(0.0, 2.0))
def test_numbers_have_the_mean_and_the_variance_that_are_asked_for(mean: float, excess: float) -> None:
    """To 5 % of a deviation, and 15 % of the variance: sixteen numbers leave out what is beyond four deviations."""
    means, variances = np.array([mean]), np.array([mean * (1 + excess)])
    counts = numbers_around(means, variances)
    assert counts.shape == (1, NUMBERS)
    weights = number_weights(counts, means, variances)
    found = float((weights * counts).sum())
    assert found == pytest.approx(mean, abs=0.05 * math.sqrt(float(variances[0])))
    assert float((weights * (counts - found) ** 2).sum()) == pytest.approx(float(variances[0]), rel=0.15)


@settings(max_examples=25)
@given(mean=st.floats(0.01, 3.0))
def test_arrivals_in_a_time_are_poissons(mean: float) -> None:
    counts = np.arange(float(NUMBERS))[None]
    (chances,) = arrival_weights(counts, np.array([[mean]]), np.ones(1))[0]
    poisson = [math.exp(-mean) * mean**count / math.factorial(count) for count in range(NUMBERS)]
    assert chances == pytest.approx(poisson, abs=1e-6)  # what lies beyond the fifteenth is shared out


def test_as_many_prompts_are_read_as_come(pools: OpenPools) -> None:
    """In every step of the chain, whatever the load: to 1 %, for what its last number cuts off."""
    for part in (0.1, 0.5, 0.9):
        rate = part * pools.most_per_s
        found = steps_at(pools.pool, np.array([20.0]), rate)
        assert found.weights.sum() == pytest.approx(1.0)
        assert found.prompts == pytest.approx(rate * found.mean_s, rel=0.01)


@pytest.mark.parametrize("part", [0.02, 0.3, 0.7, 0.9, 1.0])
def test_in_flight_are_as_many_as_come_while_one_is(pools: OpenPools, part: float) -> None:
    """Little's law, to rounding."""
    rate = part * pools.most_per_s
    found = opened(pools.pool, pools.most_per_s / 0.95, rate, pools.most)
    assert found.in_flight == pytest.approx(rate * 199 * found.tpot_s, rel=1e-9)
    ((curve, _),) = pools.curves([rate], 0.9)
    assert curve.in_flight / curve.requests_per_s == pytest.approx(199 * curve.tpot_s, rel=1e-9)


def test_whoever_comes_to_an_idle_pool_waits_for_the_prompt_alone(pools: OpenPools) -> None:
    """And, where there is another one, for what is left of its step, which lasts a fifth of a prompt here."""
    ((curve, first_s),) = pools.curves([np.array([0.001 * float(pools.most_per_s[0])])], 0.5)
    assert curve.first_token_s < first_s[0] < 1.2 * curve.first_token_s
    assert curve.tpot_s[0] == pytest.approx(float(pools.pool.times.step_s[0, 0]), rel=0.02)


def test_waits_grow_with_quantile_and_load(pools: OpenPools) -> None:
    rates = np.array([0.3, 0.6, 0.8, 0.95]) * float(pools.most_per_s[0])
    found = [pools.curves([rates], quantile)[0][1] for quantile in (0.5, 0.9, 0.99)]
    for times_s in (*found, *np.transpose(found)):
        assert np.all(np.diff(times_s) > 0)


def test_loads_between_those_looked_at_lie_on_the_same_curve(pools: OpenPools) -> None:
    """To 8 %: it has edges, where another tile of a product or another prompt in a step is met; it was 6 % at most."""
    rates = np.linspace(0.3, 1.0, 29) * float(pools.most_per_s[0])
    ((_, all_s),) = pools.curves([rates], 0.9)
    ((_, some_s),) = pools.curves([rates[::4]], 0.9)
    assert all_s[::4] == pytest.approx(some_s, rel=0.08)
