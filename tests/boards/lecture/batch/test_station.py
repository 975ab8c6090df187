"""Who rides which train: every request once, whoever came first rides first."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture.batch.departures import BOARD
from ridgeline.boards.lecture.batch.station import MOST_DOTS, TRAINS, station
from ridgeline.boards.scene import Trains
from ridgeline.equations import departures


def drawn(**turned: float) -> Trains:
    return station(BOARD.values(Mode.LECTURE, turned))


@given(seats=st.integers(32, 100_000), load=st.floats(0.9, 0.998))
def test_every_request_rides_once_or_still_waits(seats: int, load: float) -> None:
    found = drawn(seats=seats, load_fraction=load)
    before = 0
    for one in found.departures:
        assert before + one.came == one.aboard + one.left
        assert one.aboard <= seats
        assert one.left == 0 or one.aboard == seats
        before = one.left
    assert sum(one.came for one in found.departures) == sum(one.aboard for one in found.departures) + before


@given(seats=st.integers(32, 100_000), load=st.floats(0.9, 0.998))
def test_the_drawn_ones_are_as_many_as_they_stand_for_and_ride_in_their_order(seats: int, load: float) -> None:
    found = drawn(seats=seats, load_fraction=load)
    assert seats <= MOST_DOTS * found.requests_per_dot
    came = found.requests.came_periods
    assert all(earlier <= later for earlier, later in pairwise(came))
    trains = [TRAINS if train < 0 else train for train in found.requests.train]
    assert all(earlier <= later for earlier, later in pairwise(trains))
    for number, one in enumerate(found.departures):
        # The middle one of each so many: off by one at each end of a train.
        assert abs(trains.count(number) - one.aboard / found.requests_per_dot) <= 1
        in_period = sum(number <= time <= number + 1 for time in came)
        assert abs(in_period - one.came / found.requests_per_dot) <= 1
    for time, train, passed in zip(came, trains, found.requests.passed, strict=True):
        # It rides from the end of its period on, or is passed by each train that has gone since.
        assert train == pytest.approx(np.floor(time) + passed) or time in {
            float(number) for number in range(TRAINS + 1)
        }


def test_a_rider_waits_for_the_train_and_rides_a_period_and_those_left_behind_ride_later() -> None:
    requests = drawn(load_fraction=0.998).requests
    first, late = requests.latencies_periods
    assert len(first) + len(late) == sum(train >= 0 for train in requests.train)
    assert len(late) == sum(
        train >= 0 and passed > 0 for train, passed in zip(requests.train, requests.passed, strict=True)
    )
    assert 1 <= min(first) <= max(first) <= 2 <= min(late)


def test_nobody_is_passed_where_no_train_is_full() -> None:
    found = drawn(load_fraction=0.9)
    assert not any(one.left for one in found.departures)
    assert set(found.requests.passed) == {0}
    assert found.text == "no train leaves anybody behind"


def test_there_is_one_draw() -> None:
    assert drawn() == drawn()
    assert drawn().departures != drawn(load_fraction=0.98).departures


def test_arrivals_are_spread_evenly_over_a_period() -> None:
    """Half a period of waiting on the mean (A17), within four standard errors of as many as there are."""
    came = np.array(drawn(load_fraction=0.9).requests.came_periods)
    waits = np.ceil(came) - came
    assert waits.mean() == pytest.approx(0.5, abs=4 / np.sqrt(12 * waits.size))
    assert waits.std() == pytest.approx(np.sqrt(1 / 12), rel=0.1)


def test_the_mean_is_the_equations_and_the_clock_counts_periods() -> None:
    found = drawn()
    extra = departures.extra_wait_s(arrivals=0.99 * 2000, seats=2000, period_s=1.0)
    assert found.mean_periods == pytest.approx(float(departures.mean_latency_s(period_s=1.0, extra_wait_s=extra)))
    assert found.mean_text.startswith("mean 30.")
    # Longer than who has a seat ever waits: nine trains from an empty platform on do not show it.
    assert drawn(seats=32).mean_text == "mean over many more trains: 59.2 ms"
    assert found.clock[:4] == ("0", "20 ms", "40 ms", "60 ms")
    assert (found.clock_per_period, found.clock_unit) == (20, "ms")
    assert (drawn(period_s=1).clock_per_period, drawn(period_s=1).clock_unit) == (1, "s")
