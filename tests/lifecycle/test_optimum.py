"""Closed forms and what is sought agree; nothing else is cheaper."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.published.closed_forms import compute_optimal_params

from ridgeline.catalog.scaling_laws import TokensFit, law_ids, load_law, power_law
from ridgeline.equations import scaling
from ridgeline.lifecycle import laws
from ridgeline.lifecycle.optimum import best_of_cost, cheapest_of_loss
from ridgeline.lifecycle.question import Question

FORMS = [
    (law, form)
    for law in map(load_law, law_ids())
    if not isinstance(law, TokensFit) and (form := laws.power_form(law, law.experts[1])) is not None
]


def _question(place: int, per_param: float, most: float = float("inf")) -> Question:
    law, form = FORMS[place]
    return Question(
        form=form,
        loss=lambda params, tokens: laws.loss_of(law, params=params, tokens=tokens, experts=law.experts[1]),
        cost_per_token=6.0,
        cost_per_param=per_param,
        most_params=most,
    )


@pytest.mark.parametrize("place", range(len(FORMS)), ids=[law.id for law, _ in FORMS])
def test_the_closed_form_is_what_a_search_finds(place: int) -> None:
    """A search compares costs, which are flat at the least: it finds them to 1e-6, and sizes to 2e-3."""
    question = _question(place, 1e15)
    sought = dataclasses.replace(question, form=None)
    loss = float(question.loss(30e9, 3e13))
    for most in (np.inf, 20e9):
        bound = [dataclasses.replace(one, most_params=most) for one in (question, sought)]
        closed, found = (cheapest_of_loss(one, loss) for one in bound)
        assert closed is not None
        assert found is not None
        assert found.cost(question) == pytest.approx(closed.cost(question), rel=1e-6)
        assert [found.params, found.tokens] == pytest.approx([closed.params, closed.tokens], rel=2e-3)
        closed, found = (best_of_cost(one, 1e25) for one in bound)
        assert closed is not None
        assert found is not None
        losses = [float(question.loss(one.params, one.tokens)) for one in (closed, found)]
        assert losses[0] == pytest.approx(losses[1], rel=1e-9)
        assert found.params == pytest.approx(closed.params, rel=2e-3)
        assert closed.params <= most


@settings(max_examples=40)
@given(params=st.floats(1e8, 1e12), tokens=st.floats(1e10, 1e15), later=st.floats(0, 1e16), by=st.floats(0.3, 3))
def test_no_model_of_the_loss_is_cheaper(params: float, tokens: float, later: float, by: float) -> None:
    question = _question(2, later)
    loss = float(question.loss(params, tokens))
    best = cheapest_of_loss(question, loss)
    assert best is not None
    assert question.loss(best.params, best.tokens) == pytest.approx(loss, rel=1e-9)
    size = float(best.params) * by
    other = float(scaling.tokens_for_loss(params=size, loss=loss, law=FORMS[2][1]))
    assert float(best.cost(question)) <= size * (6 * other + later) * (1 + 1e-9)


def test_cost_and_loss_are_each_others_optimum() -> None:
    question = _question(2, 2e15)
    best = cheapest_of_loss(question, 1.9)
    assert best is not None
    back = best_of_cost(question, float(best.cost(question)))
    assert back is not None
    assert [back.params, back.tokens] == pytest.approx([best.params, best.tokens], rel=1e-9)


def test_without_serving_it_is_hoffmanns_closed_form() -> None:
    law = power_law("besiroglu-2024").coefficients
    best = best_of_cost(_question(2, 0.0), 1e24)
    assert best is not None
    assert best.params == pytest.approx(float(compute_optimal_params(training_flop=1e24, law=law)), rel=1e-9)


def test_a_loss_below_what_is_irreducible_has_no_model() -> None:
    question = _question(2, 1e15)
    assert cheapest_of_loss(question, 1.8) is None
    assert cheapest_of_loss(dataclasses.replace(question, form=None), 1.8) is None
    assert cheapest_of_loss(dataclasses.replace(question, most_params=1e9), 1.9) is None


@pytest.mark.parametrize("most", [np.inf, 1e15])
def test_no_model_has_a_loss_that_takes_more_tokens_than_are_sought(most: float) -> None:
    """A billionth above what no tokens remove: 1e24 of them and as good a model are still above it."""
    question = _question(0, 1e15, most)
    assert question.form is not None
    assert cheapest_of_loss(question, question.form.irreducible_loss * (1 + 1e-9)) is None
    assert cheapest_of_loss(question, question.form.irreducible_loss) is None
