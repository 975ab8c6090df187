"""What of the laws' answers is told."""

from __future__ import annotations

import pytest

from ridgeline.catalog.scaling_laws import TokensFit, law_ids, load_law
from ridgeline.lifecycle.answer import MOST_BEYOND, answer, told
from ridgeline.lifecycle.asked import Asked
from ridgeline.lifecycle.budget import solve
from ridgeline.lifecycle.costs import flop_costs
from ridgeline.lifecycle.demand import Learning, ServedTokens
from ridgeline.lifecycle.goal import AsGoodAs, AtCost, AtLoss, Goal

LAWS = [load_law(name) for name in law_ids()]


def asked(goal: Goal) -> Asked:
    return Asked(
        goal=goal,
        costs=flop_costs(rl_flop_per_param=3.0, relative_efficiency_fraction=1 / 3),
        served=ServedTokens(output_tokens=200e12),
        learning=Learning(),
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "goal", [AtLoss(loss=1.5), AtLoss(loss=1.7), AtLoss(loss=2.0), AtCost(cost=1e20), AtCost(cost=1e30)]
)
def test_an_answer_is_told_where_it_is_not_too_far_from_the_runs(goal: Goal) -> None:
    for law in LAWS:
        found, said = solve(law, asked(goal)), told(law, asked(goal))
        far = max((max(times, 1 / times) for times in found.beyond.values()), default=1.0)
        if far <= MOST_BEYOND:
            assert said == found
        else:
            assert (said.best, said.equal, said.equal_lost_fraction, said.beyond) == (None, None, None, {})
            assert f"{far:,.0f} times" in said.why


def test_seventeen_million_times_the_largest_run_is_no_answer() -> None:
    budget = answer([load_law("sardana-2023")], asked(AtLoss(loss=1.5)), draws=10, seed=0)
    assert budget.first is None
    assert budget.by("sardana-2023").bands is None
    assert "17,262,852 times more active parameters" in budget.by("sardana-2023").solved.why


def test_the_lectures_model_has_an_answer_by_every_law_that_knows_a_loss() -> None:
    goal = AsGoodAs(params=100e9, tokens=200e12)
    for law in LAWS:
        found = told(law, asked(goal))
        assert (found.best is None) == isinstance(law, TokensFit)
        assert found == solve(law, asked(goal))
