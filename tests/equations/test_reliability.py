from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from scipy.special import log_ndtr, ndtri
from tests.published.closed_forms import daly_interval_s

from ridgeline.equations import reliability
from ridgeline.equations.reliability import _mean_over_slowest

PAUSES = st.floats(1e-4, 0.3)
"""Of a checkpoint, over the time between failures."""


class Run(NamedTuple):
    """A way to save a run; the time between failures is 1."""

    interval: float
    pause: float
    restart: float
    memory_pause: float = 0.0
    per_storage: int = 1
    back: float = 1.0

    def period(self) -> float:
        return float(
            reliability.period_s(
                interval_s=self.interval,
                checkpoint_s=self.pause,
                mtbf_s=1.0,
                memory_checkpoint_s=self.memory_pause,
                per_storage=self.per_storage,
                storage_failure_fraction=self.back,
            )
        )

    def shares(self) -> dict[str, float]:
        """Parts of all time, by the equations."""
        period = self.period()
        useful = reliability.useful_fraction(interval_s=self.interval, period_s=period, per_storage=self.per_storage)
        pauses = reliability.checkpoint_fraction(
            checkpoint_s=self.pause,
            period_s=period,
            memory_checkpoint_s=self.memory_pause,
            per_storage=self.per_storage,
        )
        away = reliability.restart_fraction(restart_s=self.restart, mtbf_s=1.0)
        return {"useful": float((1 - away) * useful), "pauses": float((1 - away) * pauses), "restarts": float(away)}


def played(run: Run, periods: int, seed: int) -> dict[str, float]:
    """The same by a run that is played: failures at random, and after each the last checkpoint that it left."""
    drawn, now, in_restarts = np.random.default_rng(seed), 0.0, 0.0
    fails_at = drawn.exponential()
    for _ in range(periods):
        segment = 0
        while segment < run.per_storage:
            ends = now + run.interval + run.memory_pause + (run.pause if segment == run.per_storage - 1 else 0.0)
            if ends <= fails_at:
                now, segment = ends, segment + 1
                continue
            while True:
                segment = 0 if drawn.random() < run.back else segment
                began, fails_at = fails_at, fails_at + drawn.exponential()
                now = began + run.restart
                in_restarts += min(now, fails_at) - began
                if now <= fails_at:
                    break
    pauses = run.per_storage * run.memory_pause + run.pause
    return {
        "useful": periods * run.per_storage * run.interval / now,
        "pauses": periods * pauses / now,
        "restarts": in_restarts / now,
    }


@pytest.mark.parametrize(
    "run",
    [
        Run(interval=0.15, pause=0.01, restart=0.1),
        Run(interval=1.0, pause=0.3, restart=0.5),
        Run(interval=0.05, pause=0.02, restart=0.05, memory_pause=0.001, per_storage=10, back=0.1),
        Run(interval=0.3, pause=0.2, restart=0.02, memory_pause=0.05, per_storage=4, back=0.5),
    ],
    ids=["young", "rough", "memory", "rough memory"],
)
def test_shares_are_those_of_a_run_that_is_played(run: Run) -> None:
    """2 %: some 20,000 failures, whose number alone spreads by 0.7 %."""
    periods = round(20_000 / run.period())
    assert played(run, periods, seed=19) == pytest.approx(run.shares(), rel=0.02)


@given(PAUSES, st.floats(1e-3, 2))
def test_one_tier_is_the_same_with_failures_of_either_kind(pause: float, interval: float) -> None:
    """Where memory survives nothing, or where each checkpoint goes on to storage, its part does not matter."""
    alone = Run(interval=interval, pause=pause, restart=0.0).period()
    assert Run(interval=interval, pause=pause, restart=0.0, back=0.3).period() == pytest.approx(alone, rel=1e-9)
    row = Run(interval=interval, pause=0.0, restart=0.0, memory_pause=pause, per_storage=3)
    assert row.period() == pytest.approx(math.expm1(3 * (interval + pause)), rel=1e-9)


@given(PAUSES)
def test_the_best_interval_is_and_daly_and_young_come_near_it(pause: float) -> None:
    best = float(reliability.best_interval_s(checkpoint_s=pause, mtbf_s=1.0))
    found = minimize_scalar(
        lambda interval: Run(interval=interval, pause=pause, restart=0.0).period() / interval,
        bounds=(1e-6, 1),
        method="bounded",
        options={"xatol": 1e-9},
    )
    assert best == pytest.approx(found.x, rel=1e-4)  # a minimum is found to the root of a float's last digit
    # The series go on with x^2 and x^(1/2), x = sqrt(pause / 2).
    x = math.sqrt(pause / 2)
    assert daly_interval_s(checkpoint_s=pause, mtbf_s=1.0) == pytest.approx(best, rel=x**3)
    assert reliability.young_interval_s(checkpoint_s=pause, mtbf_s=1.0) == pytest.approx(best, rel=2 * x)


def test_dalys_interval_is_the_time_between_failures_from_twice_it_on() -> None:
    assert daly_interval_s(checkpoint_s=2.0, mtbf_s=1.0) == 1.0
    near = daly_interval_s(checkpoint_s=np.array([1.999999, 3.0]), mtbf_s=1.0)
    assert near == pytest.approx([8 / 9, 1.0], rel=1e-5)  # 2 (1 + 1/3 + 1/9) - 2: his series ends below it


@given(st.floats(1e-5, 1e-3), st.floats(2, 500), st.floats(0.01, 0.9))
def test_no_nested_intervals_lose_less_than_the_best(memory_pause: float, times: float, back: float) -> None:
    pause = memory_pause * times

    def lost(per_storage: int, factor: float = 1.0) -> float:
        interval = float(
            reliability.best_interval_s(
                checkpoint_s=pause,
                mtbf_s=1.0,
                memory_checkpoint_s=memory_pause,
                per_storage=per_storage,
                storage_failure_fraction=back,
            )
        )
        run = Run(factor * interval, pause, 0.0, memory_pause, per_storage, back)
        return 1 - run.shares()["useful"]

    alone = reliability.young_interval_s(checkpoint_s=memory_pause, mtbf_s=1 / (1 - back))
    best = round(
        float(reliability.checkpoints_per_storage(interval_s=alone, checkpoint_s=pause, storage_mtbf_s=1 / back))
    )
    assert lost(best) <= min(lost(best, 0.9), lost(best, 1.1))
    # The number is the best to first order: the next ones gain at most what the second order may.
    assert lost(best) <= min(lost(other) for other in (max(best - 1, 1), best + 1, 2 * best)) * (1 + lost(best))


@given(PAUSES, st.floats(0.01, 2))
def test_the_number_to_one_on_storage_is_the_best_whole_one_to_first_order(pause: float, interval: float) -> None:
    costs = {count: pause / (count * interval) + count * interval / 2 for count in range(1, 200)}
    found = reliability.checkpoints_per_storage(interval_s=interval, checkpoint_s=pause, storage_mtbf_s=1.0)
    assert costs[round(float(found))] == pytest.approx(min(costs.values()), rel=1e-12)


@given(PAUSES, st.floats(1e-3, 1), st.floats(0, 1), st.floats(1.01, 3))
def test_slower_checkpoints_restarts_and_more_failures_leave_less(
    pause: float, interval: float, restart: float, more: float
) -> None:
    run = Run(interval=interval, pause=pause, restart=restart)
    useful = run.shares()["useful"]
    assert 0 < useful < 1
    assert run._replace(pause=more * pause).shares()["useful"] < useful
    assert run._replace(restart=more * restart + 0.01).shares()["useful"] < useful
    # As many failures more as all times are longer.
    scaled = Run(interval=more * interval, pause=more * pause, restart=more * restart)
    assert scaled.shares()["useful"] < useful


def test_few_failures_lose_what_the_lecture_says() -> None:
    """Goodput is one less delta / tau + (tau / 2 + r) / M; to second order, which is a square of those losses."""
    run = Run(interval=0.01, pause=2e-4, restart=0.003)
    lost = 2e-4 / 0.01 + 0.005 + 0.003
    assert 1 - run.shares()["useful"] == pytest.approx(lost, abs=lost**2)


@pytest.mark.parametrize("chips", [1, 2, 3, 64, 16_384, 10_000_000])
def test_the_slowest_of_many_is_that_of_its_integral(chips: int) -> None:
    def density(z: float) -> float:
        return float(chips * np.exp(-(z**2) / 2 + (chips - 1) * log_ndtr(z)) / math.sqrt(2 * math.pi))

    middle = -ndtri(0.5 / chips)
    ends = {"points": [middle], "epsabs": 1e-13, "epsrel": 1e-11, "limit": 500}
    mean, _ = quad(lambda z: z * density(z), middle - 6, middle + 8, **ends)
    found = _mean_over_slowest(value=lambda z: 1 + 0.1 * z, chips=chips)
    assert found == pytest.approx(1 + 0.1 * mean, rel=1e-8)
    power, _ = quad(lambda z: np.exp(0.3 * z) * density(z), middle - 6, middle + 8, **ends)
    found = reliability.slowest_lognormal_ratio(chips=chips, log_sd=0.3)
    assert found == pytest.approx(power / np.exp(0.3**2 / 2), rel=1e-8)


def test_the_slowest_of_two_and_three_are_the_textbooks() -> None:
    for chips, deviations in ((2, 1 / math.sqrt(math.pi)), (3, 1.5 / math.sqrt(math.pi))):
        assert _mean_over_slowest(value=lambda z: z, chips=chips) == pytest.approx(deviations, rel=1e-10)


def test_the_slowest_of_many_is_that_of_draws() -> None:
    """Four standard errors of 4,000 draws."""
    drawn = np.exp(0.05 * np.random.default_rng(19).standard_normal((4000, 512))).max(axis=1)
    error = float(drawn.std() / math.sqrt(len(drawn)))
    found = reliability.slowest_lognormal_ratio(chips=512, log_sd=0.05) * math.exp(0.05**2 / 2)
    assert found == pytest.approx(float(drawn.mean()), abs=4 * error)
