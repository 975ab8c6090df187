"""Other ways to serve the same for less, each with the cost that its own search finds."""

from __future__ import annotations

import dataclasses

import pytest

from ridgeline.catalog.engine_flags import flags_of
from ridgeline.catalog.engine_options import run_with
from ridgeline.planner import cheaper_ways as ways_of
from ridgeline.planner.cheaper_ways import SAME_WORK, STEPS_BETWEEN_PROMPTS, WORTH_NAMING, cheaper_ways
from ridgeline.planner.formats import in_eight_bits
from ridgeline.planner.outcome import Plan
from ridgeline.planner.plan import plan
from ridgeline.planner.two_pools.outcome import TwoPoolPlan
from ridgeline.planner.two_pools.search import plan_two_pools
from ridgeline.quantity_text import format_quantity
from ridgeline.specs.demand import Demand
from ridgeline.specs.engine import IDEAL_ENGINE
from ridgeline.specs.engine_options import EngineOptions
from ridgeline.specs.workload import Workload
from ridgeline.verbs import deploy, load_machine, load_model
from ridgeline.verbs.speculations import own_draft

WORKLOAD = Workload(prompt_tokens=4000, output_tokens=1000, tpot_s=0.05)


def test_two_pools_are_named_with_what_their_own_search_finds() -> None:
    deployment = deploy("qwen3-30b-a3b", "h100-sxm")
    found = plan(deployment, WORKLOAD)
    (pools, *others) = cheaper_ways(deployment, WORKLOAD, found)
    best = plan_two_pools([deployment], [deployment], WORKLOAD, chips=found.chips).plans[0]
    assert pools.option == "--pools 2"
    assert pools.plan.usd_per_output_token == best.usd_per_output_token
    held, here = ((one.usd_per_h or 0.0) / one.requests_per_s for one in (found.plans[0], best))
    assert pools.times_cheaper == pytest.approx(held / here, rel=1e-9)
    assert all(one.times_cheaper >= WORTH_NAMING for one in (pools, *others))


def test_ways_keep_to_the_chips_and_the_power_that_were_asked_for() -> None:
    """Of 16 chips the power feeds about half: whichever way is taken, all 16 are paid."""
    deployment, demand = deploy("llama-3.1-8b", "h100-sxm"), Demand(site_power_w=5e3, pue=1.3)
    workload = Workload(prompt_tokens=4000, output_tokens=1000)
    found = plan(deployment, workload, chips=16, demand=demand)
    ways = {one.option: one for one in cheaper_ways(deployment, workload, found, chips=16)}
    assert ways
    rents = {one.usd_per_h for one in (found.plans[0], *(way.plan for way in ways.values()))}
    assert len(rents) == 1
    narrow = ways["--weights fp8"]
    best = plan(deploy("llama-3.1-8b", "h100-sxm", weights="fp8"), workload, weights="fp8", chips=16, demand=demand)
    assert isinstance(narrow.plan, Plan)
    assert narrow.plan.layout == best.plans[0].layout
    assert narrow.times_cheaper == pytest.approx(best.plans[0].requests_per_s / found.plans[0].requests_per_s)


def test_prompts_read_together_are_named_where_groups_each_start_their_own() -> None:
    deployment = deploy("deepseek-v3", "b200-sxm")
    ways = cheaper_ways(deployment, WORKLOAD, plan(deployment, WORKLOAD))
    (together,) = (one for one in ways if "prefill_schedule_interval" in one.option)
    assert isinstance(together.plan, Plan)
    assert together.plan.layout.dp > 1
    # What --export refuses stands beside the saving.
    release = flags_of("vllm").version
    assert any(f"vllm {release} has no flag for it" in one for one in together.cautions)
    assert "no load was measured so" in together.cautions
    assert not any("no load was measured so" in one.cautions for one in ways if one is not together)


def test_an_option_that_the_release_has_a_flag_for_needs_no_caution(monkeypatch: pytest.MonkeyPatch) -> None:
    flags = flags_of("vllm")
    (first, *_) = flags.flags.values()
    later = dataclasses.replace(first, sets="aligned_prompt_steps")
    newer = dataclasses.replace(flags, flags=flags.flags | {"--prefill-schedule-interval": later})
    monkeypatch.setattr(ways_of, "flags_of", lambda _engine: newer)
    deployment = deploy("deepseek-v3", "b200-sxm")
    ways = cheaper_ways(deployment, WORKLOAD, plan(deployment, WORKLOAD, is_brief=True))
    (together,) = (one for one in ways if "prefill_schedule_interval" in one.option)
    assert not any("has no flag for it" in one for one in together.cautions)
    assert "no load was measured so" in together.cautions


def test_nothing_is_named_of_a_batch_that_was_asked_for_or_where_nothing_serves() -> None:
    deployment = deploy("qwen3-30b-a3b", "h100-sxm")
    asked = plan(deployment, WORKLOAD, demand=Demand(batch=8))
    none = plan(deployment, dataclasses.replace(WORKLOAD, tpot_s=1e-6))
    assert asked.plans
    assert not none.plans
    assert cheaper_ways(deployment, WORKLOAD, asked) == []
    assert cheaper_ways(deployment, WORKLOAD, none) == []


def test_an_engine_without_such_an_option_is_not_told_of_it() -> None:
    deployment = deploy("qwen3-30b-a3b", "h100-sxm", engine=IDEAL_ENGINE)
    ways = cheaper_ways(deployment, WORKLOAD, plan(deployment, WORKLOAD))
    assert not any("--engine-option" in one.option for one in ways)


def test_a_first_token_beyond_the_interval_of_the_plan_s_is_said() -> None:
    """DeepSeek-V3 on an NVL72: two pools make a first token wait for the cache's move, and a draft does not."""
    deployment = deploy("deepseek-v3", "gb200-nvl72")
    found, drafted = plan(deployment, WORKLOAD), own_draft(deployment.model, deployment.machine)
    ways = cheaper_ways(deployment, WORKLOAD, found, drafted=drafted)
    first = found.plans[0]
    assert {one.plan.ttft_s > first.ttft_high_s for one in ways} == {True, False}
    for one in ways:
        said = [caution for caution in one.cautions if caution.startswith("first token after ")]
        late, early = (format_quantity(plan.ttft_s, "s") for plan in (one.plan, first))
        assert said == (
            [f"first token after {late} in an idle system, not {early}"] if one.plan.ttft_s > first.ttft_high_s else []
        )
    (draft,) = (one for one in ways if one.option == "--speculate mtp:1")
    best = plan(deployment, WORKLOAD, speculations=(drafted,)).plans[0]
    assert draft.plan.requests_per_s == best.requests_per_s
    assert draft.times_cheaper == pytest.approx(first.paid_chip_s_per_request / best.paid_chip_s_per_request)
    limited = dataclasses.replace(WORKLOAD, ttft_s=0.1)
    kept = cheaper_ways(deployment, limited, plan(deployment, limited), drafted=drafted)
    assert all(one.plan.ttft_s <= limited.ttft_s for one in kept if limited.ttft_s is not None)


def test_a_draft_is_known_of_models_that_have_one_and_whose_acceptance_was_measured() -> None:
    machine = load_machine("h200-sxm")
    assert str(own_draft(load_model("deepseek-v3"), machine)) == "mtp:1"
    assert not own_draft(load_model("llama-3.1-8b"), machine)
    assert load_model("glm-4.5").predicts_ahead
    assert not own_draft(load_model("glm-4.5"), machine)


@pytest.mark.slow
def test_eight_bits_are_named_where_sixteen_are_published_and_none_is_asked_for() -> None:
    deployment = deploy("qwen3-30b-a3b", "h200-sxm")
    load = Demand(requests_per_s=40.0)
    found = plan(deployment, WORKLOAD, demand=load)
    (narrow,) = (one for one in cheaper_ways(deployment, WORKLOAD, found) if "--weights" in one.option)
    name = narrow.option.removeprefix("--weights ")
    asked = deploy("qwen3-30b-a3b", "h200-sxm", weights=name)
    best = plan(asked, WORKLOAD, weights=name, demand=load).plans[0]
    assert isinstance(narrow.plan, Plan)
    assert narrow.plan.usd_per_h == best.usd_per_h
    assert narrow.times_cheaper == pytest.approx((found.plans[0].usd_per_h or 0.0) / (best.usd_per_h or 1.0))
    assert not [one for one in cheaper_ways(asked, WORKLOAD, found, weights=name) if "--weights" in one.option]


@pytest.mark.parametrize(("model", "machine"), [("deepseek-v3", "h200-sxm"), ("llama-3.1-8b", "a100-80-sxm")])
def test_eight_bits_are_not_named_where_they_are_published_or_the_chip_lacks_them(model: str, machine: str) -> None:
    assert in_eight_bits(deploy(model, machine)) is None


def test_users_are_served_alike_by_a_cheaper_way_and_a_request_costs_what_its_tokens_do() -> None:
    """The fewest chips with prompts read together would make each user wait minutes, and answer fewer requests."""
    deployment, load = deploy("deepseek-v3", "gb200-nvl72"), Demand(users=2124)
    workload = WORKLOAD
    found = plan(deployment, workload, chips=72, demand=load)
    first = found.plans[0]
    ways = {one.name: one for one in cheaper_ways(deployment, workload, found, chips=72)}
    assert {"two pools", "prompts read together"} <= ways.keys()
    for one in ways.values():
        assert one.plan.requests_per_s >= SAME_WORK * first.requests_per_s
        # Chips that idle are paid for in requests, and not in tokens.
        assert one.times_cheaper == pytest.approx(_of_tokens(first) / _of_tokens(one.plan), rel=0.02)
    together = ways["prompts read together"].plan
    engine = run_with(deployment.engine, EngineOptions(aligned_prompt_steps=STEPS_BETWEEN_PROMPTS))
    fewest = plan(dataclasses.replace(deployment, engine=engine), workload, chips=72, demand=load).plans[0]
    # The rest of an answer takes 50 s at most, by the limit on TPOT.
    longest_s = workload.output_tokens * 0.05
    assert fewest.ttft_s > longest_s
    assert together.ttft_s < longest_s / 5
    assert isinstance(together, Plan)
    assert fewest.all_chips < together.all_chips


def _of_tokens(plan: Plan | TwoPoolPlan) -> float:
    """Cost of a request by that of its tokens, $."""
    assert plan.usd_per_input_token is not None
    assert plan.usd_per_output_token is not None
    return WORKLOAD.prompt_tokens * plan.usd_per_input_token + WORKLOAD.output_tokens * plan.usd_per_output_token
