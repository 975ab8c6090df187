"""Departures, held to the exact walk and to trains that leave one after the other."""

from __future__ import annotations

import csv
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import pdtrc
from tests.each import of_each

from ridgeline.equations import departures


@pytest.fixture
def reference_traces() -> Path:
    """Request traces beside the project."""
    folder = Path(__file__).parents[3] / "shared" / "reference" / "traces"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    return folder


def steps_that_count(arrivals: float, seats: int) -> NDArray[np.int64]:
    """Periods after which more have come than seats have left, until that is eight deviations off, or 100,000."""
    return np.arange(1, min(round(64 * arrivals / (seats - arrivals) ** 2), 100_000))


def exact_left_behind(arrivals: float, seats: int) -> float:
    """Spitzer's identity for Poisson arrivals: the sum over l of ``E[(S_l - l b)+] / l``."""
    step = steps_that_count(arrivals, seats)
    mean, taken = step * arrivals, step * seats
    excess = mean * pdtrc(taken - 1, mean) - taken * pdtrc(taken, mean)
    return float(np.sum(excess / step))


@of_each("seats", [32, 256, 2400])
@of_each("load", [0.9, 0.95, 0.97, 0.98, 0.99, 0.995])
def test_those_left_behind_are_those_of_the_exact_walk(seats: int, load: float) -> None:
    """Arrivals are skewed, which matters where few stay behind: 5 % where they wait a hundredth of a period, else 10 %.

    Where they wait less than a thousandth, a ten-thousandth of a period.
    """
    found = departures.left_behind(arrivals=load * seats, seats=seats) / (load * seats)
    exact = exact_left_behind(load * seats, seats) / (load * seats)
    assert found == pytest.approx(exact, rel=0.05 if exact > 0.01 else 0.1, abs=0 if exact > 1e-3 else 1e-4)


@pytest.mark.parametrize(("seats", "load"), [(32, 0.95), (256, 0.98), (2400, 0.99)])
def test_the_wait_is_that_of_simulated_trains(seats: int, load: float) -> None:
    """Each request is followed from its arrival to its train, first come first served.

    4 %: what two million periods leave to chance for a wait that hangs together over some hundreds of them.
    """
    random, periods = np.random.default_rng(7), 2_000_000
    arrived = np.cumsum(random.poisson(load * seats, periods))
    # Trains that leave with all seats taken: the k-th has brought at most the fewest that any earlier count allows.
    offset = np.arange(1, periods + 1) * seats
    left = arrived - offset
    waiting = left - np.minimum(np.minimum.accumulate(left), 0)
    simulated = waiting[1000:].mean() / (load * seats)
    found = departures.extra_wait_s(arrivals=load * seats, seats=seats, period_s=1.0)
    assert found == pytest.approx(simulated, rel=0.04)


@pytest.mark.parametrize(("load", "dispersion"), [(0.95, 4), (0.97, 4), (0.97, 9)])
def test_bursty_periods_wait_as_simulated(load: float, dispersion: float) -> None:
    """Negative binomial arrivals; 10 %: they are more skewed than Poisson's."""
    random, periods, seats = np.random.default_rng(9), 1_000_000, 1000
    mean = load * seats
    arrived = random.negative_binomial(mean / (dispersion - 1), 1 / dispersion, periods)
    left = np.cumsum(arrived - seats)
    waiting = left - np.minimum(np.minimum.accumulate(left), 0)
    found = departures.extra_wait_s(arrivals=mean, seats=seats, period_s=1.0, dispersion=dispersion)
    assert found == pytest.approx(waiting[1000:].mean() / mean, rel=0.1)


@pytest.mark.parametrize("trace", ["conv", "code"])
def test_requests_as_recorded_wait_longer_than_poissons(reference_traces: Path, trace: str) -> None:
    """Azure's hour of 2023, trains every 10 s with a fifth of the seats free: bursts outlast a period."""
    with (reference_traces / f"AzureLLMInferenceTrace_{trace}.csv").open() as file:
        stamps = [datetime.fromisoformat(row["TIMESTAMP"][:26]) for row in csv.DictReader(file)]
    begin = min(stamps)
    places = [int((stamp - begin).total_seconds() // 10) for stamp in stamps]
    arrived = np.bincount(places)
    mean = float(arrived.mean())
    dispersion = float(arrived.var()) / mean
    assert dispersion > 4
    seats = round(mean / 0.8)
    left = np.cumsum(arrived - seats)
    waiting = left - np.minimum(np.minimum.accumulate(left), 0)
    poisson_s, bursty_s = (
        departures.extra_wait_s(arrivals=mean, seats=seats, period_s=10.0, dispersion=how) for how in (1.0, dispersion)
    )
    assert poisson_s < bursty_s < 10 * waiting.mean() / mean


def test_each_requests_latency_on_simulated_trains() -> None:
    """The lecture's 20 ms and 2,400 seats at 97 %: 30 ms on the mean, and at most 40 ms unless left behind."""
    random, period_s, seats, periods = np.random.default_rng(8), 0.020, 2400, 400
    arrival_s = np.sort(random.uniform(0, periods * period_s, random.poisson(0.97 * seats * periods)))
    done, latencies_s = 0, []
    for number in range(1, periods + 1):
        leaving_s = number * period_s
        ready = int(np.searchsorted(arrival_s, leaving_s))
        riders = min(seats, ready - done)
        latencies_s.append(leaving_s + period_s - arrival_s[done : done + riders])
        done += riders
    latency_s = np.concatenate(latencies_s)
    extra_s = departures.extra_wait_s(arrivals=0.97 * seats, seats=seats, period_s=period_s)
    # 0.2 %: the mean of 900,000 times spread evenly over 20 ms.
    assert departures.mean_latency_s(period_s=period_s, extra_wait_s=extra_s) == pytest.approx(
        latency_s.mean(), rel=2e-3
    )
    assert np.mean(latency_s <= departures.worst_latency_s(period_s=period_s)) > 0.99


@given(st.floats(0.5, 0.995), st.floats(0.5, 0.995))
def test_fuller_trains_leave_more_behind(first: float, second: float) -> None:
    less, more = sorted((first, second))
    waits = [departures.extra_wait_s(arrivals=load * 2400, seats=2400, period_s=1.0) for load in (less, more)]
    # Where the two forms meet, at a drift of two, the upper lies 0.2 % below.
    assert waits[0] <= waits[1] * (1 + 3e-3)


def test_trains_that_are_too_small_leave_ever_more_behind() -> None:
    loads = np.array([2300.0, 2400.0, 2500.0])
    found = departures.left_behind(arrivals=loads, seats=2400)
    assert isinstance(found, np.ndarray)
    assert np.isfinite(found).tolist() == [True, False, False]
    assert found[0] == pytest.approx(departures.left_behind(arrivals=2300.0, seats=2400))


@given(st.integers(32, 100_000), st.floats(0.5, 1.5))
def test_overfull_periods_are_poissons_tail(seats: int, load: float) -> None:
    """Four parts in a hundred thousand, as its docstring says, down to what a float holds."""
    found = departures.overfull_fraction(arrivals=load * seats, seats=float(seats))
    assert found == pytest.approx(pdtrc(seats, load * seats), rel=4e-5, abs=1e-290)


def test_overfull_periods_where_the_series_takes_over() -> None:
    """No seam where the mean comes near to the bound; a float and a grid agree."""
    arrivals = 2401 * (1 + np.array([-1.01e-3, -0.99e-3, 0.0, 0.99e-3, 1.01e-3]))
    found = departures.overfull_fraction(arrivals=arrivals, seats=2400.0)
    assert found == pytest.approx(pdtrc(2400, arrivals), rel=1e-6)
    alone = [departures.overfull_fraction(arrivals=float(one), seats=2400.0) for one in arrivals]
    assert found == pytest.approx(alone, rel=1e-12)


def exact_leaving_behind(arrivals: float, seats: int) -> float:
    """Spitzer's identity for Poisson arrivals."""
    step = steps_that_count(arrivals, seats)
    return float(-np.expm1(-np.sum(pdtrc(step * seats, step * arrivals) / step)))


@of_each(("seats", "tolerance"), [(32, 0.02), (256, 0.005), (2400, 0.005)])
@of_each("load", [0.9, 0.95, 0.97, 0.98, 0.99, 0.998])
def test_trains_leave_behind_as_often_as_the_exact_walk(seats: int, load: float, tolerance: float) -> None:
    found = departures.leaving_behind_fraction(arrivals=load * seats, seats=float(seats))
    assert found == pytest.approx(exact_leaving_behind(load * seats, seats), rel=tolerance)


@pytest.mark.parametrize(
    ("seats", "load", "bunch"), [(2400, 0.97, 1), (2400, 0.99, 1), (256, 0.95, 1), (2400, 0.97, 4)]
)
def test_trains_leave_behind_as_often_as_simulated_ones(seats: int, load: float, bunch: int) -> None:
    """4 %: chance in two million periods, of which neighbours hang together, and the equation's own half percent."""
    random, periods = np.random.default_rng(11), 2_000_000
    left = np.cumsum(bunch * random.poisson(load * seats / bunch, periods) - seats)
    waiting = left - np.minimum(np.minimum.accumulate(left), 0)
    found = departures.leaving_behind_fraction(arrivals=load * seats, seats=float(seats), dispersion=float(bunch))
    assert found == pytest.approx(np.mean(waiting[1000:] > 0), rel=0.04)


@given(st.floats(0.5, 0.999), st.sampled_from([256.0, 2400.0, 1e5]), st.floats(1, 16))
def test_more_trains_leave_some_behind_than_periods_are_overfull(load: float, seats: float, dispersion: float) -> None:
    overfull = departures.overfull_fraction(arrivals=load * seats, seats=seats)
    behind = departures.leaving_behind_fraction(arrivals=load * seats, seats=seats)
    # A part in a thousand for what is taken as normal, and a float's last digit for what is subtracted from one.
    assert behind >= overfull * (1 - 1e-3) - 1e-15
    bursty = departures.leaving_behind_fraction(arrivals=load * seats, seats=seats, dispersion=dispersion)
    assert bursty >= behind * (1 - 1e-2) - 1e-15


def test_too_many_arrivals_leave_some_behind_always() -> None:
    found = departures.leaving_behind_fraction(arrivals=np.array([2399.999, 2400.0, 2500.0]), seats=2400.0)
    assert found == pytest.approx([1.0, 1.0, 1.0], abs=1e-4)
