from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.equations import training

TOKENS = st.floats(min_value=1e9, max_value=1e16)


@given(
    st.floats(min_value=0.1, max_value=3),
    st.floats(min_value=0.1, max_value=3),
    st.floats(min_value=0.1, max_value=10),
    st.floats(min_value=0.1, max_value=10),
)
def test_costs_at_the_least_sum_have_the_ratio_of_their_powers(
    rising: float, falling: float, first: float, second: float
) -> None:
    """The least sum is at x = (b k2 / a k1)**(1 / (a + b)); a little to either side it is no less."""
    best = (falling * second / (rising * first)) ** (1 / (rising + falling))
    costs = [first * (best * by) ** rising + second * (best * by) ** -falling for by in (0.99, 1, 1.01)]
    assert costs[1] <= min(costs[0], costs[2])
    ratio = first * best**rising / (second * best**-falling)
    assert ratio == pytest.approx(training.balanced_cost_ratio(rising_power=rising, falling_power=falling))


@given(TOKENS, st.floats(min_value=1, max_value=8), st.floats(min_value=0.05, max_value=1))
def test_matching_tokens_cost_the_same(tokens: float, flop: float, efficiency: float) -> None:
    matching = training.matching_pretraining_tokens(
        tokens=tokens, flop_per_param=flop, relative_efficiency_fraction=efficiency
    )
    assert 6 * matching == pytest.approx(flop * tokens / efficiency)
