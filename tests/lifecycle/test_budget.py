"""Budgets by laws: the ledger's numbers, what bounds do, what the equal split loses, and where laws end."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.each import of_each

import ridgeline
from ridgeline.boards.lecture.numbers import ACTIVE_PARAMS
from ridgeline.boards.lecture.training.numbers import (
    RELATIVE_EFFICIENCY,
    RL_FLOP_PER_PARAM,
    SERVED_TOKENS,
    TRAINED_TOKENS,
)
from ridgeline.catalog.scaling_laws import TokensFit, law_ids, load_law, power_law
from ridgeline.lifecycle.asked import Asked
from ridgeline.lifecycle.budget import Solved, solve
from ridgeline.lifecycle.constraints import MostParams, UniqueText
from ridgeline.lifecycle.costs import flop_costs
from ridgeline.lifecycle.demand import Learning, ServedTokens
from ridgeline.lifecycle.goal import AsGoodAs, AtCost, AtLoss
from ridgeline.lifecycle.lives import Lives
from ridgeline.verbs import budget_asked

LAWS = [name for name in law_ids() if not isinstance(load_law(name), TokensFit)]
LECTURE = Asked(
    goal=AsGoodAs(params=100e9, tokens=200e12),
    costs=flop_costs(rl_flop_per_param=3.0, relative_efficiency_fraction=1 / 3),
    served=ServedTokens(output_tokens=200e12),
    learning=Learning(),
)
ALONE = dataclasses.replace(LECTURE, learning=Learning(tokens=0.0))
BESIROGLU = power_law("besiroglu-2024")


def _best(found: Solved) -> Lives:
    assert found.best is not None
    return found.best


def test_the_verb_starts_from_the_lectures_numbers() -> None:
    assert float(ACTIVE_PARAMS) == budget_asked.LECTURE_PARAMS
    assert TRAINED_TOKENS.value == budget_asked.LECTURE_TOKENS
    assert SERVED_TOKENS.value == budget_asked.LECTURE_SERVED
    found = ridgeline.budget(laws=["besiroglu-2024"])
    wanted = flop_costs(
        rl_flop_per_param=RL_FLOP_PER_PARAM.value, relative_efficiency_fraction=RELATIVE_EFFICIENCY.value
    )
    assert found.asked.costs == wanted
    assert found.asked.goal == LECTURE.goal


def test_the_lectures_budgets_are_equal_thirds() -> None:
    """C5: 1.5 tokens of pre-training for one of RL, and one for one served."""
    asked = solve(BESIROGLU, LECTURE).as_asked
    assert asked is not None
    assert [asked.shares.pretraining, asked.shares.rl, asked.shares.serving] == pytest.approx([1 / 3] * 3)
    assert asked.tokens / asked.rl_tokens == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("name", "over"), [("hoffmann-2022", 17), ("hoffmann-2022-exact", 28), ("besiroglu-2024", 111)]
)
def test_the_lectures_model_is_over_trained_by_the_law_that_one_asks(name: str, over: int) -> None:
    """C10."""
    found = solve(load_law(name), LECTURE).as_asked_over_training
    assert found is not None
    assert round(found) == over


def test_a_model_as_good_that_serves_as_much() -> None:
    """C11, without reinforcement learning, to the digits given."""
    hoffmann, besiroglu = (_best(solve(load_law(name), ALONE)) for name in ("hoffmann-2022", "besiroglu-2024"))
    assert [hoffmann.active_params, hoffmann.tokens] == pytest.approx([105e9, 180e12], rel=5e-3)
    assert [besiroglu.active_params, besiroglu.tokens] == pytest.approx([124e9, 76e12], rel=5e-3)
    shares = hoffmann.shares.pretraining, besiroglu.shares.pretraining
    assert shares == pytest.approx((0.474, 0.275), abs=5e-4)


def test_equal_thirds_lose_four_percent_by_the_better_fit_and_more_where_nothing_is_learnt() -> None:
    """The lecture's own model is the equal split of its loss."""
    found = solve(BESIROGLU, LECTURE)
    assert found.equal is not None
    assert found.as_asked is not None
    assert found.equal_lost_fraction == pytest.approx(0.042, abs=5e-4)
    assert found.equal.active_params == pytest.approx(found.as_asked.active_params, rel=1e-9)
    alone = solve(BESIROGLU, ALONE).equal_lost_fraction
    assert alone == pytest.approx(0.168, abs=5e-4)


@pytest.mark.parametrize("name", LAWS)
def test_every_law_answers_and_extrapolates(name: str) -> None:
    found = solve(load_law(name), LECTURE)
    best = _best(found)
    assert found.extrapolates
    assert found.beyond["tokens"] > 10
    assert found.equal_lost_fraction is None or found.equal_lost_fraction >= 0
    assert sum(dataclasses.astuple(best.shares)) == pytest.approx(1)
    assert best.rl_tokens == pytest.approx(400e12 / 3)
    assert found.as_asked is None or found.as_asked.loss == pytest.approx(best.loss, rel=1e-6)


def test_llama_3_says_how_over_trained_and_no_more() -> None:
    found = solve(load_law("llama-3-2024"), LECTURE)
    assert found.best is None
    assert "no loss" in found.why
    assert found.as_asked_over_training == pytest.approx(59.3, abs=0.05)


def test_within_its_runs_a_law_does_not_extrapolate() -> None:
    asked = dataclasses.replace(
        LECTURE, goal=AsGoodAs(params=1e9, tokens=2e10), served=ServedTokens(output_tokens=1e10)
    )
    assert not solve(BESIROGLU, asked).extrapolates


@settings(max_examples=25)
@given(served=st.floats(1e12, 1e16), chance=st.floats(0.05, 0.95))
def test_a_chance_of_being_deployed_is_as_good_as_less_served(served: float, chance: float) -> None:
    """C13."""
    sure, unsure = (
        _best(solve(BESIROGLU, dataclasses.replace(ALONE, served=one)))
        for one in (
            ServedTokens(output_tokens=chance * served),
            ServedTokens(output_tokens=served, deployed_fraction=chance),
        )
    )
    for field in ("active_params", "tokens", "total_cost"):
        assert getattr(sure, field) == pytest.approx(getattr(unsure, field))


def test_rl_at_a_part_of_pretraining_is_found_with_it() -> None:
    asked = dataclasses.replace(LECTURE, learning=Learning(over_pretraining=0.5))
    best = _best(solve(BESIROGLU, asked))
    assert best.shares.rl == pytest.approx(0.5 * best.shares.pretraining)
    assert best.rl_tokens * asked.costs.rl == pytest.approx(0.5 * best.tokens * asked.costs.pretraining)
    # What makes a token of pre-training dearer makes the best model larger, on fewer of them.
    without = _best(solve(BESIROGLU, ALONE))
    assert best.active_params > without.active_params
    assert best.tokens < without.tokens


def test_repeated_text_costs_more_of_the_same_worth() -> None:
    asked = dataclasses.replace(LECTURE, goal=AtLoss(loss=1.91))
    plenty, little = (
        _best(solve(BESIROGLU, dataclasses.replace(asked, unique=one)))
        for one in (UniqueText(tokens=1e18), UniqueText(tokens=20e12))
    )
    free = _best(solve(BESIROGLU, asked))
    assert plenty.total_cost == pytest.approx(free.total_cost, rel=1e-6)
    assert plenty.tokens == pytest.approx(free.tokens, rel=2e-3)  # sought, where the other is in closed form
    assert little.total_cost > free.total_cost
    assert little.active_params > free.active_params
    worth = solve(BESIROGLU, dataclasses.replace(asked, unique=UniqueText(tokens=20e12))).worth_tokens
    assert worth is not None
    assert worth < little.tokens
    assert worth < 20e12 * 16.4


@pytest.mark.parametrize("name", ["hoffmann-2022", "besiroglu-2024", "muennighoff-2023"])
def test_scarce_text_never_makes_a_model_that_is_as_good_cheaper(name: str) -> None:
    """Since the model that it is to be as good as read new text only."""
    law = load_law(name)
    free, scarce = (solve(law, dataclasses.replace(LECTURE, unique=one)) for one in (None, UniqueText(tokens=30e12)))
    assert _best(scarce).loss == pytest.approx(_best(free).loss, rel=1e-6)
    assert _best(scarce).total_cost > _best(free).total_cost
    assert scarce.as_asked == free.as_asked


def test_a_bound_makes_the_model_smaller_and_dearer() -> None:
    bound = MostParams(total=90e9, why="a room")
    free, bounded = (solve(BESIROGLU, dataclasses.replace(LECTURE, bounds=bounds)) for bounds in ((), (bound,)))
    best = _best(bounded)
    assert best.active_params == pytest.approx(90e9)
    assert bounded.bound_by == "a room"
    assert free.bound_by == ""
    assert best.loss == pytest.approx(_best(free).loss)
    assert best.total_cost > _best(free).total_cost
    assert solve(BESIROGLU, dataclasses.replace(LECTURE, bounds=(MostParams(total=50e9, why="a room"),))).best is None


def test_experts_are_a_pure_win_until_memory_ends() -> None:
    """A24: by Clark's law the most that were trained; in a bounded memory fewer."""
    law = load_law("clark-2022")
    free = solve(law, LECTURE)
    assert free.experts == law.experts[1]
    bounded = solve(law, dataclasses.replace(LECTURE, bounds=(MostParams(total=1e12, why="a rack"),)))
    assert 1 < bounded.experts < free.experts
    assert _best(bounded).active_params * bounded.expansion <= 1e12 * (1 + 1e-9)
    asked = solve(law, dataclasses.replace(LECTURE, experts=64.0))
    assert asked.experts == 64
    assert asked.expansion == pytest.approx(22)
    unknown = solve(load_law("krajewski-2024"), dataclasses.replace(LECTURE, experts=8.0))
    assert unknown.best is None
    assert "fitted on 64 experts" in unknown.why


def test_a_cost_buys_the_loss_that_costs_it() -> None:
    best = _best(solve(BESIROGLU, LECTURE))
    back = solve(BESIROGLU, dataclasses.replace(LECTURE, goal=AtCost(cost=best.total_cost)))
    assert _best(back).loss == pytest.approx(best.loss, rel=1e-9)
    assert back.as_asked is None
    assert back.equal_lost_fraction is not None
    assert back.equal_lost_fraction > 0


@of_each(
    ("given_", "said"),
    [
        ({"params": 1e9, "loss": 1.9}, "keep one"),
        ({"cost": -1.0}, "must be above 0"),
        ({"loss": float("nan")}, "no loss"),
        ({"rl_tokens": 1e12, "rl_over_pretraining": 1.0}, "keep one"),
        ({"rl_flop_per_param": 9.0}, "rl_flop_per_param"),
        ({"unit": "usd"}, "take a machine"),
        ({"unit": "euro"}, "come in flop, usd, chip_s"),
        ({"tokens_per_s": 1e6}, "takes a life"),
        ({"tokens_per_s": 1e6, "lifetime_s": 1e6, "served_output_tokens": 1e9}, "keep one"),
        ({"cheaper_per_year": 1.4}, "a rate and a life"),
        ({"laws": ["kaplan"]}, "There are hoffmann-2022"),
        ({"within_domain": True}, "are a machine's"),
        ({"model": "glm-5.2"}, "are not published"),
        ({"distil": (2e12, 1e12)}, "no smaller than its teacher"),
        ({"usd_per_token": 1e-6}, "costs in dollars"),
        ({"draws": 1}, "from 2 to"),
        ({"tokens": 1e30}, "tokens"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_remedy(given_: dict[str, object], said: str) -> None:
    with pytest.raises(ridgeline.RidgelineError, match=said):
        ridgeline.budget(**given_)  # type: ignore[arg-type]
