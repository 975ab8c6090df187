from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import gamma, ndtr, zeta

from ridgeline.equations import normal


def test_the_zetas_are_those_of_the_reflection_formula() -> None:
    def reflected(place: float) -> float:
        mirror = 1 - place
        return float(2 * (2 * np.pi) ** -mirror * np.cos(np.pi * mirror / 2) * gamma(mirror) * zeta(mirror))

    assert normal.ZETA[1:] == pytest.approx([reflected(-0.5 - place) for place in range(8)], rel=1e-12)


@given(st.floats(0.05, 5))
def test_a_walks_highest_point_is_spitzers_sum(drift: float) -> None:
    """0.3 %: three terms of the sum beyond a drift of two."""
    steps = np.arange(1, 60_000)
    bound = drift * np.sqrt(steps)
    density = np.exp(-(bound**2) / 2) / np.sqrt(2 * np.pi)
    spitzer = np.sum((density - bound * ndtr(-bound)) / np.sqrt(steps))
    assert normal.walk_maximum(drift=drift) == pytest.approx(spitzer, rel=3e-3)


@given(st.floats(0.05, 2))
def test_a_walk_stays_below_its_start_as_spitzers_sum_says(drift: float) -> None:
    """A part in a million: nine terms of the series, at a drift of two."""
    steps = np.arange(1, 60_000)
    spitzer = np.exp(-np.sum(ndtr(-drift * np.sqrt(steps)) / steps))
    assert normal.staying_below_fraction(drift=drift) == pytest.approx(spitzer, rel=1e-6)


@given(st.floats(-8, 30))
def test_the_tail_is_scipys(deviations: float) -> None:
    assert normal.tail(deviations=deviations) == pytest.approx(ndtr(-deviations), rel=1e-13)
