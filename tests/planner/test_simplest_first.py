"""Of plans that no model of time can tell apart the simplest leads; stages have to save more than that."""

from __future__ import annotations

import dataclasses

import pytest

import ridgeline
from ridgeline.planner.choice import Choice
from ridgeline.planner.compare import INDISTINCT, UNPROVEN, asked_of_stages, simplest_first, why_dearer
from ridgeline.planner.held_back import WhyHeldBack, held_back
from ridgeline.planner.outcome import Plan
from ridgeline.planner.rejection import Candidate
from ridgeline.planner.served import serve
from ridgeline.specs.layout import Layout

FOUND = ridgeline.plan("llama-3.1-8b", "h100-sxm", prompt_tokens=1000, output_tokens=200, chips=4)
PLAN = FOUND.plans[0]
LENGTHS = ridgeline.Workload(prompt_tokens=1000, output_tokens=200)
(SERVED,) = serve([Candidate(deployment=ridgeline.deploy("llama-3.1-8b", "h100-sxm"), weights=None)], LENGTHS, 4)


def costing(layout: str, more: float) -> Plan:
    paid = PLAN.paid_chip_s_per_request * (1 + more)
    return dataclasses.replace(PLAN, layout=Layout.from_text(layout), paid_chip_s_per_request=paid)


def chosen(plan: Plan) -> Choice:
    """A point of a curve of the plan's layout at which a request costs what the plan says."""
    deployment = dataclasses.replace(SERVED.deployment, layout=plan.layout)
    one = dataclasses.replace(SERVED, candidate=Candidate(deployment=deployment, weights=None))
    rates = one.requests_per_s * one.paid_chip_s_per_request / plan.paid_chip_s_per_request
    return Choice(served=dataclasses.replace(one, requests_per_s=rates), index=0)


def order(*plans: Plan) -> list[str]:
    return [str(one.layout) for one in simplest_first([chosen(one) for one in plans])]


def test_a_pipeline_leads_only_where_it_saves_more_than_is_proven() -> None:
    pipeline = costing("pp2", 0.0)
    assert order(pipeline, costing("tp2", UNPROVEN * 0.9)) == ["tp2", "pp2"]
    assert order(pipeline, costing("tp2", UNPROVEN * 1.1)) == ["pp2", "tp2"]
    assert order(pipeline, costing("tp2,pp2", 0.001), costing("tp2", UNPROVEN * 1.1))[0] == "pp2"


def test_more_stages_have_more_to_save() -> None:
    thrice, twice = (asked_of_stages(stages) for stages in (8, 4))
    assert order(costing("pp8", 0.0), costing("tp2", thrice * 0.99)) == ["tp2", "pp8"]
    assert order(costing("pp8", 0.0), costing("pp2", twice * 0.99)) == ["pp2", "pp8"]
    assert order(costing("pp8", 0.0), costing("pp2", twice * 1.01)) == ["pp8", "pp2"]


def test_which_of_two_leads_does_not_hang_on_a_third() -> None:
    """A deeper pipeline that is cheaper still, but not enough so, is no reason for the one without stages."""
    two = costing("pp2", 0.0), costing("tp2", UNPROVEN * 1.1)
    assert order(*two)[0] == order(costing("pp4", -UNPROVEN * 0.5), *two)[0] == "pp2"


def test_of_plans_alike_the_simplest_leads_and_the_rest_keep_their_order() -> None:
    plans = costing("tp2,dp2,ep4", 0.0), costing("tp1", INDISTINCT * 0.9), costing("tp4", INDISTINCT * 0.95)
    assert order(*plans) == ["tp1", "tp2,ep4,dp2", "tp4"]
    assert order(costing("tp2,dp2,ep4", 0.0), costing("tp1", INDISTINCT * 1.1))[0] == "tp2,ep4,dp2"
    assert order() == []


def test_one_chip_a_replica_leads_on_one_domain() -> None:
    """8B on eight H100: nobody would begin with a pipeline."""
    assert str(PLAN.layout) == "tp1"
    costs = [one.paid_chip_s_per_request for one in FOUND.plans]
    assert costs[1:] == sorted(costs[1:])
    assert costs[0] <= min(costs) * (1 + UNPROVEN)


def test_a_runner_up_that_costs_less_says_why_it_does_not_lead() -> None:
    said = why_dearer(costing("pp2", -0.013), PLAN)
    assert said == (
        "costs 1.3 % less, but no run with pipeline stages was ever measured; with 2, it has to cost over 4.8 % less to"
        " rank first"
    )
    assert why_dearer(costing("tp2", -0.013), PLAN) == "costs 1.3 % less, which no model of time can tell apart"


def test_plans_that_cost_less_than_the_first_are_named_with_the_reason() -> None:
    plans = PLAN, costing("pp2", -0.013), costing("tp2", -0.013), costing("pp2", 0.01)
    staged, simple = held_back(plans)
    assert (staged.rank, staged.why, staged.load_saves_fraction) == (2, WhyHeldBack.STAGES, None)
    assert staged.saves_fraction == pytest.approx(0.013)
    assert staged.needed_fraction == pytest.approx(1 - 1 / (1 + UNPROVEN))
    assert (simple.rank, simple.why, simple.needed_fraction) == (3, WhyHeldBack.SIMPLEST, None)
    # Of a load, more chips that serve more of it: a request costs less, and the load more.
    larger = dataclasses.replace(costing("tp2", -0.1), requests_per_s=2 * PLAN.requests_per_s)
    (more,) = held_back([PLAN, larger], has_load=True)
    assert more.why is WhyHeldBack.LOAD
    assert more.load_saves_fraction == pytest.approx(-0.8)
    # As little of a load's cost is no matter of what a model of time can tell.
    served = dataclasses.replace(costing("tp2", -0.1), requests_per_s=PLAN.requests_per_s / 0.9)
    (same,) = held_back([PLAN, served], has_load=True)
    assert same.why is WhyHeldBack.LOAD
    assert same.load_saves_fraction == pytest.approx(0.0)


def test_the_simplest_leads_only_where_no_pipeline_saves_what_it_has_to_against_it() -> None:
    simple, cheap = costing("tp1", INDISTINCT * 0.9), costing("tp2,dp2,ep4", 0.0)
    pipeline = costing("pp2", 1 / (1 + UNPROVEN) - 1 + INDISTINCT / 2)
    assert order(pipeline, cheap, simple) == ["tp2,ep4,dp2", "pp2", "tp1"]
    (held,) = held_back([cheap, pipeline, simple])
    assert held.saves_fraction < (held.needed_fraction or 0.0)
    assert pipeline.paid_chip_s_per_request < simple.paid_chip_s_per_request / (1 + UNPROVEN)


def test_a_pipeline_leads_for_a_load_only_where_it_saves_as_much_as_without_one() -> None:
    """Seven chips in place of eight save 12.5 %, and seven stages have to save 12.8 %."""
    load = ridgeline.Demand(users=430)
    found = ridgeline.plan("llama-3.1-70b", "h100-sxm", prompt_tokens=2000, output_tokens=500, chips=8, demand=load)
    first, second, *_ = found.plans
    assert (first.layout.pp, second.layout.pp) == (1, 7)
    held = held_back(found.plans[:5], has_load=True)
    assert held[0].load_saves_fraction == pytest.approx(1 / 8)
    for one in held:
        assert one.why is WhyHeldBack.STAGES
        assert (one.load_saves_fraction or 0.0) < (one.needed_fraction or 0.0)
    said = why_dearer(second, first, has_load=True)
    assert said.startswith("takes 7 chips, not 8: $")
    assert said.endswith("with 7, the load has to cost over 12.8 % less to rank first")
