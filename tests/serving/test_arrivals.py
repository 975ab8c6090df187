"""First tokens of requests that arrive at random, by the parts that they wait for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.equations.serving import queue_wait_s, step_end_wait_s
from ridgeline.serving import arrivals
from ridgeline.serving.load import closed_loop, rules_of
from ridgeline.serving.passes import pool_times
from ridgeline.specs.workload import Workload
from ridgeline.verbs import deploy


@given(
    step_s=st.floats(1e-3, 0.1),
    longer=st.floats(1.0, 50.0),
    part=st.floats(0.0, 1.0),
    quantile=st.floats(0.001, 0.999),
)
def test_the_wait_for_a_steps_end_is_the_quantile_of_its_law(
    step_s: float, longer: float, part: float, quantile: float
) -> None:
    """Put into the law that it inverts, it gives the quantile back, to rounding."""
    prompt_step_s = step_s * longer
    wait_s = float(step_end_wait_s(step_s=step_s, prompt_step_s=prompt_step_s, in_prompt_steps=part, quantile=quantile))
    assert 0 <= wait_s <= prompt_step_s * (1 + 1e-9)
    law = (1 - part) * min(wait_s / step_s, 1) + part * min(wait_s / prompt_step_s, 1)
    assert law == pytest.approx(quantile, abs=1e-9)


def test_a_queue_is_that_of_pollaczek_and_khinchine() -> None:
    """Of exponential services, whose variation is one, the mean wait is the textbook's ``rho / (mu - lambda)``."""
    assert queue_wait_s(busy=0.8, service_s=0.5, variation=1.0) == pytest.approx(0.8 / (1 / 0.5 - 0.8 / 0.5))


def within(quantile: float, users: float = 64.0) -> tuple[float, float]:
    """Time to the first token at a quantile, and that of a lone prompt with its host's time, s."""
    deployment, workload = deploy("llama-3.1-8b", "h100-sxm", "tp1"), Workload(prompt_tokens=1000, output_tokens=200)
    times = pool_times([deployment], workload, users)
    rules = rules_of(deployment.engine, equal_lengths=False, is_benchmark=False)
    found = closed_loop(times, rules, np.array([users]), burst_share=0.0)
    (first_s,) = arrivals.first_token_within_s(times, rules, found, np.zeros((1, 1)), quantile=quantile)
    return float(first_s), float(times.lone_s[0] + rules.first_token_s[0])


def test_whoever_comes_to_an_idle_pool_waits_for_the_prompt_alone() -> None:
    """And for what is left of a lone request's step, which lasts a tenth of a prompt here."""
    first_s, lone_s = within(0.5, users=1.0)
    assert lone_s < first_s < 1.2 * lone_s


def test_waits_grow_with_quantile_and_load() -> None:
    times = [within(quantile)[0] for quantile in (0.5, 0.9, 0.99)]
    assert times == sorted(times)
    assert times[0] < times[-1]
    assert within(0.9, users=16.0)[0] < within(0.9, users=128.0)[0]


def test_sixteen_waits_for_a_steps_end_are_as_good_as_many(monkeypatch: pytest.MonkeyPatch) -> None:
    few = [within(quantile)[0] for quantile in (0.5, 0.9, 0.99)]
    monkeypatch.setattr(arrivals, "STEP_POINTS", (np.arange(512) + 0.5) / 512)
    assert few == pytest.approx([within(quantile)[0] for quantile in (0.5, 0.9, 0.99)], rel=0.01)
