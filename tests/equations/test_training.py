from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.equations import training

LAWS = [training.HOFFMANN, training.HOFFMANN_UNROUNDED, training.BESIROGLU]
PARAMS = st.floats(min_value=1e7, max_value=1e13)
TOKENS = st.floats(min_value=1e9, max_value=1e16)
SERVED = st.floats(min_value=0, max_value=1e17)


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


@pytest.mark.parametrize("law", LAWS)
@given(params=PARAMS)
def test_budget_and_size_find_the_same_optimum(law: dict[str, float], params: float) -> None:
    tokens = training.optimal_tokens(params=params, **law)
    flop = training.token_flop(flop_per_param=training.TRAINING_FLOP_PER_PARAM, active_params=params, tokens=tokens)
    assert training.optimal_params(flop=flop, **law) == pytest.approx(params, rel=1e-9)


@pytest.mark.parametrize("law", LAWS)
@given(params=PARAMS, by=st.floats(min_value=0.2, max_value=5))
def test_no_other_split_of_the_budget_has_less_loss(law: dict[str, float], params: float, by: float) -> None:
    tokens = training.optimal_tokens(params=params, **law)
    best = training.model_loss(params=params, tokens=tokens, **law)
    assert training.model_loss(params=params * by, tokens=tokens / by, **law) >= best


def _cost(params: float, tokens: float, served: float) -> float:
    return 6 * params * tokens + 2 * params * served


@pytest.mark.parametrize("law", LAWS)
@given(params=PARAMS, tokens=TOKENS, served=SERVED)
def test_the_optimum_with_serving_has_the_loss_and_costs_no_more(
    law: dict[str, float], params: float, tokens: float, served: float
) -> None:
    loss = training.model_loss(params=params, tokens=tokens, **law)
    best_tokens = float(training.optimal_tokens_when_served(loss=loss, weighted_served_tokens=served, **law))
    best_params = float(training.optimal_params_when_served(tokens=best_tokens, weighted_served_tokens=served, **law))
    assert training.model_loss(params=best_params, tokens=best_tokens, **law) == pytest.approx(loss, rel=1e-9)
    assert _cost(best_params, best_tokens, served) <= _cost(params, tokens, served) * (1 + 1e-9)


def test_more_serving_wants_a_smaller_model_on_more_tokens() -> None:
    served = np.array([0.0, 1e13, 1e14, 1e15])
    tokens = training.optimal_tokens_when_served(loss=1.9, weighted_served_tokens=served, **training.BESIROGLU)
    params = training.optimal_params_when_served(tokens=tokens, weighted_served_tokens=served, **training.BESIROGLU)
    assert np.all(np.diff(tokens) > 0)
    assert np.all(np.diff(params) < 0)


@pytest.mark.parametrize("law", LAWS)
@given(params=PARAMS, served=SERVED)
def test_the_served_tokens_that_justify_a_model_are_those_it_was_made_for(
    law: dict[str, float], params: float, served: float
) -> None:
    tokens = 20 * params
    best = training.optimal_params_when_served(tokens=tokens, weighted_served_tokens=served, **law)
    found = training.justified_served_tokens(params=best, tokens=tokens, **law)
    # The difference of two nearly equal numbers where little is served beside what is trained on.
    assert found == pytest.approx(served, rel=1e-9, abs=1e-9 * tokens)


@given(TOKENS, st.floats(min_value=1, max_value=8), st.floats(min_value=0.05, max_value=1))
def test_matching_tokens_cost_the_same(tokens: float, flop: float, efficiency: float) -> None:
    matching = training.matching_pretraining_tokens(
        tokens=tokens, flop_per_param=flop, relative_efficiency_fraction=efficiency
    )
    assert 6 * matching == pytest.approx(flop * tokens / efficiency)


@pytest.mark.parametrize("law", [*LAWS, training.SARDANA])
@given(params=PARAMS, tokens=TOKENS)
def test_tokens_and_params_for_a_loss_are_its_inverses(law: dict[str, float], params: float, tokens: float) -> None:
    """A part in a thousand: far out one term of the loss is a millionth of the other."""
    loss = training.model_loss(params=params, tokens=tokens, **law)
    assert training.tokens_for_loss(params=params, loss=loss, **law) == pytest.approx(tokens, rel=1e-3)
    assert training.params_for_loss(tokens=tokens, loss=loss, **law) == pytest.approx(params, rel=1e-3)


def test_what_no_tokens_and_no_params_reach_is_infinite() -> None:
    losses = np.array([1.8, 1.9, 2.0])
    assert np.isinf(training.tokens_for_loss(params=50e9, loss=losses, **training.BESIROGLU)).tolist() == [
        True,
        True,
        False,
    ]
    assert np.isinf(training.params_for_loss(tokens=1e12, loss=losses, **training.BESIROGLU)).tolist() == [
        True,
        True,
        False,
    ]
