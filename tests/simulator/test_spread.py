"""Values counted in bins lie where they lay one by one, in memory that does not grow with them."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ridgeline.simulator.spread import BIN_RATIO, Spread

PARTS = (0.0, 0.01, 0.5, 0.9, 0.99, 1.0)


def spread_of(values: NDArray[np.float64], most_kept: int, block: int = 100) -> Spread:
    found = Spread(most_kept)
    for begin in range(0, len(values), block):
        found.add(values[begin : begin + block])
    return found


@given(st.lists(st.floats(1e-6, 1e6), min_size=1, max_size=300), st.floats(1e-6, 1e6))
def test_bins_and_values_agree(values: list[float], limit: float) -> None:
    whole = np.array(values)
    exact, counted = spread_of(whole, len(whole), 7), spread_of(whole, 0, 7)
    assert exact.quantiles(PARTS) == pytest.approx(np.quantile(whole, PARTS))
    # Bins tell the value at or below a rank, which is between two where a quantile lies between them.
    lower = np.quantile(whole, PARTS, method="lower")
    assert counted.quantiles(PARTS) == pytest.approx(lower, rel=BIN_RATIO - 1)
    assert exact.mean == counted.mean == pytest.approx(whole.mean())
    assert exact.min() == counted.min() == whole.min()
    assert exact.part_within(limit) == np.mean(whole <= limit)
    # Values that share the limit's bin are not told from it.
    assert np.mean(whole <= limit / BIN_RATIO) <= counted.part_within(limit) + 1e-12
    assert counted.part_within(limit) <= np.mean(whole <= limit) + 1e-12


def test_what_is_no_number_is_left_out() -> None:
    found = spread_of(np.array([math.nan, 2.0, math.nan, 4.0]), 10, 1)
    assert (found.count, found.mean, found.min()) == (2, 3.0, 2.0)
    assert np.isnan(spread_of(np.array([math.nan]), 10).quantiles([0.5])).all()


def test_a_time_of_nothing_and_one_of_ages_are_counted() -> None:
    found = spread_of(np.array([0.0, 1e12]), 0)
    assert found.count == 2
    assert found.quantiles([0.0])[0] < 1.1e-9
    assert found.quantiles([1.0])[0] > 0.9e9


def test_memory_does_not_grow_with_the_values() -> None:
    found, rng = Spread(10_000), np.random.default_rng(0)
    found.add(rng.exponential(size=20_000))
    tracemalloc.start()
    for _ in range(100):
        found.add(rng.exponential(size=20_000))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.count == 101 * 20_000
    assert held < 1e6  # the values themselves would take 16 MB
    assert found.quantiles([0.99])[0] == pytest.approx(math.log(100), rel=0.02)  # of an exponential; drawn
