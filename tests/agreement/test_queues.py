"""The simulator against the theory of queues, with steps made by hand; and laws that hold of every run."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ridgeline.equations.departures import extra_wait_s, mean_latency_s
from ridgeline.serving.step_tables import StepTables, nodes_above
from ridgeline.serving.surface import StepSurface
from ridgeline.serving.tabulate import step_surface
from ridgeline.simulator.limits import ReplicaLimits
from ridgeline.simulator.orders import shortest_first
from ridgeline.simulator.policies import CONTINUOUS, PROMPTS_FIRST, STATIC, departures
from ridgeline.simulator.replica import Finished, Replica
from ridgeline.simulator.stretches import stretches_of
from ridgeline.traces.requests import Requests
from ridgeline.verbs import deploy

Array = NDArray[np.float64]

SIGMAS = 4.0
"""Standard errors that a mean may lie off: one of 16,000 does."""

BATCHES = 25
"""Parts of a run whose means are taken as independent: each is many times as long as a queue remembers."""


def by_hand(step_s: Callable[[int], float], most: int) -> StepSurface:
    """Steps whose time hangs on the number of their rows alone, whether these decode or read a token of a prompt."""
    like = step_surface(deploy("llama-3.1-8b", "h100-sxm", "tp1"), most_sequences=1, most_prompt_tokens=2)
    rows, none = [step_s(count) for count in range(2 * most + 1)], [0.0] * (2 * most + 1)
    flat = [[(0.0, 0.0)] * len(like.tables.prompt_cores_s[0])] * (2 * most + 1)
    nodes = [1.0, most + 1.0]
    return dataclasses.replace(
        like,
        tables=StepTables(
            decode_s=rows,
            rows_s=rows,
            alone_s=rows,
            beside_s=none,
            prompt_s=none,
            experts_s=none,
            alone_experts_s=none,
            least_s=none,
            cores_s=(flat,),
            mixed_cores_s=(flat,),
            prompt_nodes=nodes,
            node_of=nodes_above(nodes),
            prompt_cores_s=flat[:2],
        ),
    )


def bounds(sequences: int) -> ReplicaLimits:
    return ReplicaLimits(
        groups=1,
        pass_tokens=sequences,
        sequences=sequences,
        blocks=1 << 40,
        block_tokens=1 << 20,
        is_reserved=False,
        gap_steps=0,
        swap_token_s=0.0,
        policy=CONTINUOUS,
    )


def served(surface: StepSurface, limits: ReplicaLimits, requests: Requests) -> tuple[Finished, Replica]:
    replica = Replica(surface, stretches_of(surface, 1 << 12), limits)
    replica.give(requests)
    replica.run(math.inf)
    return replica.take_finished(), replica


def poisson(rate: float, outputs: NDArray[np.int64], seed: int) -> Requests:
    gaps = np.random.default_rng(seed).exponential(1 / rate, len(outputs))
    return Requests(arrivals_s=np.cumsum(gaps), prompt_tokens=np.ones_like(outputs), output_tokens=outputs)


def mean_and_error(values: Array) -> tuple[float, float]:
    """Mean of what depends on its neighbours, and its standard error by means of batches."""
    means = [float(part.mean()) for part in np.array_split(values, BATCHES)]
    return float(np.mean(means)), float(np.std(means, ddof=1)) / math.sqrt(BATCHES)


@pytest.mark.parametrize("busy", [0.3, 0.6, 0.8])
def test_one_at_a_time_with_steps_alike_is_m_d_1(busy: float) -> None:
    found, _ = served(by_hand(lambda _: 1.0, 1), bounds(1), poisson(busy, np.ones(40_000, dtype=np.int64), 5))
    wait, error = mean_and_error(found.done_s - found.arrivals_s - 1.0)
    assert error < 0.05 * wait
    assert wait == pytest.approx(busy / (2 * (1 - busy)), abs=SIGMAS * error)


def test_each_waits_for_those_before_it() -> None:
    """Lindley's recursion, request by request: the sum of a thousand steps is exact to the last digits."""
    requests = poisson(0.9, np.random.default_rng(1).integers(1, 9, 3000), 2)
    service = requests.output_tokens.astype(float)
    found, _ = served(
        by_hand(lambda _: 1.0, 1), bounds(1), dataclasses.replace(requests, arrivals_s=5 * requests.arrivals_s)
    )
    free_s = 0.0
    for arrival_s, taken_s, done_s in zip(5 * requests.arrivals_s, service, found.done_s, strict=True):
        free_s = max(free_s, arrival_s) + taken_s
        assert done_s == pytest.approx(free_s, rel=1e-12)


@pytest.mark.parametrize("law", ["exponential", "two lengths"])
def test_a_chip_that_is_shared_is_processor_sharing(law: str) -> None:
    """Steps as long as there are sequences share the chip; by theory only the mean length counts (M/G/1-PS).

    Lengths are whole steps and shares change between them, which is off by about a step, of 300 that a mean length has.
    """
    step_s, mean, busy, count = 1.0, 300.0, 0.6, 12_000
    rng = np.random.default_rng(11)
    lengths = {
        "exponential": np.ceil(rng.exponential(mean, count)),
        "two lengths": np.where(rng.random(count) < 0.9, mean / 2, 5.5 * mean),
    }[law].astype(np.int64)
    surface, limits = by_hand(lambda rows: rows * step_s, 512), bounds(512)
    found, replica = served(surface, limits, poisson(busy / mean, lengths, 13))
    sojourn_s, error = mean_and_error(found.done_s - found.arrivals_s)
    true_busy = busy * float(lengths.mean()) / mean
    assert error < 0.1 * sojourn_s
    assert sojourn_s == pytest.approx(lengths.mean() / (1 - true_busy), abs=SIGMAS * error + 2 * step_s / (1 - busy))
    # A work-conserving chip is busy for all the work that comes, whoever has it first.
    assert replica.clocks.busy_s == pytest.approx(step_s * float(lengths.sum()), rel=1e-9)


def test_departures_leave_behind_whom_the_recursion_does() -> None:
    """Bulk service, train by train: who waits is ``max(Q + A - b, 0)``."""
    seats, period_s = 8, 1.0
    requests = poisson(0.97 * seats, np.ones(8_000, dtype=np.int64), 3)
    limits = dataclasses.replace(bounds(seats), policy=departures(period_s))
    found, _ = served(by_hand(lambda _: 0.5, seats), limits, requests)
    latest = int(np.max(np.ceil(requests.arrivals_s)))
    came = np.bincount(np.ceil(requests.arrivals_s).astype(int), minlength=latest + 1)
    left, first = 0, 0
    for train, more in enumerate(came.tolist()):
        left += more
        gone = min(left, seats)
        assert found.done_s[first : first + gone] == pytest.approx(train + period_s, rel=1e-12)
        left, first = left - gone, first + gone


@pytest.mark.slow
def test_departures_wait_as_long_as_bailey_says() -> None:
    """M/D^b/1: the equation takes arrivals as normal, which it says is within 3 % of a wait of this size."""
    seats, filled, period_s = 256, 0.97, 1.0
    requests = poisson(filled * seats, np.ones(900_000, dtype=np.int64), 4)
    limits = dataclasses.replace(bounds(seats), policy=departures(period_s))
    found, _ = served(by_hand(lambda _: 0.5, seats), limits, requests)
    mean_s, error = mean_and_error(found.done_s - found.arrivals_s)
    extra_s = float(extra_wait_s(arrivals=filled * seats, seats=seats, period_s=period_s))
    assert mean_s == pytest.approx(
        float(mean_latency_s(period_s=period_s, extra_wait_s=extra_s)), abs=SIGMAS * error + 0.03 * extra_s
    )
    assert extra_s > SIGMAS * error


@given(data=st.data())
def test_requests_in_the_system_are_their_rate_times_their_time_in_it(data: st.DataObject) -> None:
    """Little's law, exactly: who waits, is read and decodes, summed over time, is everybody's time in the system."""
    count = data.draw(st.integers(1, 40))
    lengths = st.lists(st.integers(1, 60), min_size=count, max_size=count).map(np.array)
    requests = dataclasses.replace(
        poisson(data.draw(st.floats(0.02, 2.0)), data.draw(lengths), 8), prompt_tokens=data.draw(lengths)
    )
    policy = data.draw(st.sampled_from([CONTINUOUS, PROMPTS_FIRST, STATIC]))
    limits = dataclasses.replace(
        bounds(data.draw(st.sampled_from([1, 4, 16]))),
        policy=dataclasses.replace(policy, order=data.draw(st.sampled_from([policy.order, shortest_first]))),
        blocks=data.draw(st.integers(15, 60)),
        block_tokens=8,
    )
    found, replica = served(by_hand(lambda rows: 1.0 + rows / 8, 16), limits, requests)
    clocks = replica.clocks
    in_system_s = clocks.waiting_s + clocks.read_s + clocks.sequence_s
    assert in_system_s == pytest.approx(float(np.sum(found.done_s - found.arrivals_s)), rel=1e-9)
