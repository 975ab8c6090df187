from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.catalog.scaling_laws import power_law
from ridgeline.equations import scaling
from ridgeline.equations.scaling import ScalingLaw

LAWS = [
    power_law("hoffmann-2022").coefficients,
    power_law("hoffmann-2022-exact").coefficients,
    power_law("besiroglu-2024").coefficients,
]
PARAMS = st.floats(min_value=1e7, max_value=1e13)
TOKENS = st.floats(min_value=1e9, max_value=1e16)
SERVED = st.floats(min_value=0, max_value=1e17)


@pytest.mark.parametrize("law", LAWS)
@given(params=PARAMS, by=st.floats(min_value=0.2, max_value=5))
def test_no_other_split_of_the_budget_has_less_loss(law: ScalingLaw, params: float, by: float) -> None:
    tokens = scaling.optimal_tokens(params=params, law=law)
    best = scaling.model_loss(params=params, tokens=tokens, law=law)
    assert scaling.model_loss(params=params * by, tokens=tokens / by, law=law) >= best


def _cost(params: float, tokens: float, served: float) -> float:
    return 6 * params * tokens + 2 * params * served


@pytest.mark.parametrize("law", LAWS)
@given(params=PARAMS, tokens=TOKENS, served=SERVED)
def test_the_optimum_with_serving_has_the_loss_and_costs_no_more(
    law: ScalingLaw, params: float, tokens: float, served: float
) -> None:
    loss = scaling.model_loss(params=params, tokens=tokens, law=law)
    best_tokens = float(scaling.optimal_tokens_when_served(loss=loss, weighted_served_tokens=served, law=law))
    best_params = float(scaling.optimal_params_when_served(tokens=best_tokens, weighted_served_tokens=served, law=law))
    assert scaling.model_loss(params=best_params, tokens=best_tokens, law=law) == pytest.approx(loss, rel=1e-9)
    assert _cost(best_params, best_tokens, served) <= _cost(params, tokens, served) * (1 + 1e-9)


def test_more_serving_wants_a_smaller_model_on_more_tokens() -> None:
    served = np.array([0.0, 1e13, 1e14, 1e15])
    tokens = scaling.optimal_tokens_when_served(
        loss=1.9, weighted_served_tokens=served, law=power_law("besiroglu-2024").coefficients
    )
    params = scaling.optimal_params_when_served(
        tokens=tokens, weighted_served_tokens=served, law=power_law("besiroglu-2024").coefficients
    )
    assert np.all(np.diff(tokens) > 0)
    assert np.all(np.diff(params) < 0)


@pytest.mark.parametrize("law", LAWS)
@given(above=st.floats(-1, 1), served=SERVED)
def test_a_loss_that_nobody_reaches_takes_tokens_without_end(law: ScalingLaw, above: float, served: float) -> None:
    """At or below the irreducible loss, alone and in a grid; the end of the search is no answer."""
    losses = np.array([law.irreducible_loss - abs(above), law.irreducible_loss, law.irreducible_loss + 0.1])
    found = scaling.optimal_tokens_when_served(loss=losses, weighted_served_tokens=served, law=law)
    assert np.isinf(found).tolist() == [True, True, False]
    alone = [
        float(scaling.optimal_tokens_when_served(loss=loss, weighted_served_tokens=served, law=law))
        for loss in losses.tolist()
    ]
    assert found == pytest.approx(alone)


@pytest.mark.parametrize("law", [*LAWS, power_law("sardana-2023-chinchilla").coefficients])
@given(params=PARAMS, tokens=TOKENS)
def test_tokens_and_params_for_a_loss_are_its_inverses(law: ScalingLaw, params: float, tokens: float) -> None:
    """A part in a thousand: far out one term of the loss is a millionth of the other."""
    loss = scaling.model_loss(params=params, tokens=tokens, law=law)
    assert scaling.tokens_for_loss(params=params, loss=loss, law=law) == pytest.approx(tokens, rel=1e-3)
    assert scaling.params_for_loss(tokens=tokens, loss=loss, law=law) == pytest.approx(params, rel=1e-3)


def test_what_no_tokens_and_no_params_reach_is_infinite() -> None:
    losses = np.array([1.8, 1.9, 2.0])
    assert np.isinf(
        scaling.tokens_for_loss(params=50e9, loss=losses, law=power_law("besiroglu-2024").coefficients)
    ).tolist() == [
        True,
        True,
        False,
    ]
    assert np.isinf(
        scaling.params_for_loss(tokens=1e12, loss=losses, law=power_law("besiroglu-2024").coefficients)
    ).tolist() == [
        True,
        True,
        False,
    ]
