"""One fit for all numbers: it follows most rows, keeps to bounds and priors, and leaves alone what no row moves."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray

from ridgeline.calibration.fit.robust import robust_fit

Array = NDArray[np.float64]

TRUE = np.log([3.0])


def off_by(logs: Array, *, slips: int = 0, rows: int = 40) -> Array:
    """Rows that one number scales, some of them wrong by a factor."""
    rng = np.random.default_rng(3)
    noise = 0.01 * rng.standard_normal(rows)
    noise[:slips] += np.log(10.0)
    return np.asarray(logs[0] - TRUE[0] + noise)


def test_rows_that_lie_far_off_pull_no_harder() -> None:
    plain, slipped = (
        robust_fit(partial(off_by, slips=slips), centre=np.zeros(1), spread=1.0, soft=0.05) for slips in (0, 4)
    )
    assert plain.logs == pytest.approx(TRUE, abs=0.01)
    # A mean would be off by a tenth of ln 10.
    assert slipped.logs == pytest.approx(TRUE, abs=0.02)


def test_more_rows_are_surer_and_weights_count_as_rows_do() -> None:
    few, many, weighed = (
        robust_fit(partial(off_by, rows=rows), centre=np.zeros(1), spread=10.0, soft=0.1, weights=weight)
        for rows, weight in ((25, 1.0), (100, 1.0), (25, 4.0))
    )
    assert few.log_sd[0] / many.log_sd[0] == pytest.approx(2, rel=0.1)
    assert few.log_sd[0] / weighed.log_sd[0] == pytest.approx(2, rel=0.1)
    assert (few.rows[0], many.rows[0]) == (25, 100)


def test_without_rows_that_say_much_the_prior_holds() -> None:
    found = robust_fit(partial(off_by, rows=1), centre=np.zeros(1), spread=0.001, soft=0.1)
    assert found.logs == pytest.approx([0.0], abs=1e-3)


def test_a_bound_is_kept() -> None:
    found = robust_fit(off_by, centre=np.zeros(1), spread=1.0, soft=0.1, most=np.log([2.0]))
    assert found.logs == pytest.approx(np.log([2.0]), abs=1e-6)


@pytest.mark.parametrize("off", [0.0, 1e-16, -1e-16, 1e-12, -1e-12, -1e-9])
def test_a_search_that_starts_at_a_bound_leaves_it_whatever_the_last_bits_of_its_start(off: float) -> None:
    found = robust_fit(off_by, centre=TRUE + 0.2 + off, spread=1.0, soft=0.1, most=TRUE + 0.2)
    # The prior, one of 41 in weight but much wider than rows are, pulls by 0.2 / (40 / 0.1**2).
    assert found.logs == pytest.approx(TRUE, abs=0.01)


def test_a_number_at_its_bound_is_there_to_the_last_digit() -> None:
    bound = np.log([2.0])
    for start in (0.0, 0.5, 0.7):
        found = robust_fit(off_by, centre=np.array([start]), spread=1.0, soft=0.1, most=bound)
        assert found.logs == bound


def test_the_order_of_rows_does_not_move_a_number_that_starts_at_its_bound() -> None:
    order = np.random.default_rng(5).permutation(40)
    found = [
        robust_fit(rows, centre=TRUE + 0.2, spread=1.0, soft=0.1, most=TRUE + 0.2).logs
        for rows in (off_by, lambda logs: off_by(logs)[order], lambda logs: off_by(logs)[::-1])
    ]
    # Sums in another order differ in their last bits, and searches end within their tolerance, 1e-8 of the loss.
    assert found[1] == pytest.approx(found[0], abs=1e-6)
    assert found[2] == pytest.approx(found[0], abs=1e-6)


def test_what_no_row_moves_stays_to_the_last_digit() -> None:
    centre = np.log([1.0, 0.3])
    found = robust_fit(off_by, centre=centre, spread=1.0, soft=0.1, start=np.log([1.0, 0.7]))
    assert found.logs[1] == centre[1]
    assert found.rows.tolist() == [40, 0]


def of_two(logs: Array) -> Array:
    """Rows that two numbers scale, for one set of logarithms or for many, with the second less sure."""
    noise = 0.01 * np.random.default_rng(7).standard_normal(40)
    return np.asarray(logs[..., :1] - TRUE[0] + np.sin(logs[..., 1:]) * np.linspace(-1, 1, 40) + noise)


@pytest.mark.parametrize("most", [None, np.array([np.inf, 0.0])])
def test_differences_all_at_once_find_the_same(most: Array | None) -> None:
    centre = np.array([0.5, -0.4])
    apart, at_once = (
        robust_fit(of_two, centre=centre, spread=1.0, soft=0.1, most=most, at_once=is_so) for is_so in (False, True)
    )
    # Steps are the same, and so is all but the last bits of sums.
    assert at_once.logs == pytest.approx(apart.logs, abs=1e-12)
    assert at_once.log_sd == pytest.approx(apart.log_sd, rel=1e-9)
    assert at_once.rows.tolist() == apart.rows.tolist() == [40, 40]
