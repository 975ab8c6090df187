from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from ridgeline.catalog import load_machine, load_model
from ridgeline.equations.serving import pooled_time_per_token_s
from ridgeline.estimator.clock import Cause
from ridgeline.estimator.estimate import ROOFLINE, estimate
from ridgeline.estimator.fit import layout_faults
from ridgeline.planner.candidates import candidates
from ridgeline.planner.compare import faster, why_dearer
from ridgeline.planner.plan import Constraint, Planning, plan
from ridgeline.planner.pool import sequence_grid
from ridgeline.specs.layout import Layout
from ridgeline.specs.workload import Decode, Prefill, Workload

MODEL = load_model("deepseek-v3")
MACHINE = load_machine("gb200-nvl72")
WORKLOAD = Workload(prompt_tokens=4000, output_tokens=1000, tpot_s=0.05)


@pytest.fixture(scope="module")
def found() -> Planning:
    return plan(MODEL, MACHINE, WORKLOAD)


def test_plans_keep_to_the_limits_and_fit(found: Planning) -> None:
    assert found.plans
    for one in found.plans:
        assert one.tpot_s <= 0.05
        assert one.memory.free_bytes >= 0
        assert one.replicas * one.layout.chips <= 72
        assert one.tpot_low_s < one.tpot_s < one.tpot_high_s


def test_plans_come_cheapest_first(found: Planning) -> None:
    costs = [one.chip_s_per_request for one in found.plans]
    assert costs == sorted(costs)


def test_every_layout_is_a_plan_or_rejected_with_its_reason(found: Planning) -> None:
    planned = [one.layout for one in found.plans]
    rejected = [one.layout for one in found.rejected]
    assert sorted(map(str, planned + rejected)) == sorted(map(str, candidates(MODEL, 72)))
    assert all(one.reason for one in found.rejected)
    assert {one.kind for one in found.rejected} == {Constraint.DIVIDES, Constraint.MEMORY}


def test_dollars_of_both_phases_pay_for_all_chip_time(found: Planning) -> None:
    """In one pool, what input and output tokens cost together is what the chips cost while the request is served."""
    assert found.usd_per_chip_s is not None
    for one in found.plans:
        assert one.usd_per_input_token is not None
        assert one.usd_per_output_token is not None
        request = one.usd_per_input_token * 4000 + one.usd_per_output_token * 1000
        assert request == pytest.approx(found.usd_per_chip_s * 1000 / one.output_tokens_per_s_per_chip)
        assert request == pytest.approx(found.usd_per_chip_s * one.chip_s_per_request)
        assert sum(one.chip_s_per_output_token.values()) * 1000 == pytest.approx(one.chip_s_per_request)


def test_the_front_falls_in_cost_as_it_slows(found: Planning) -> None:
    times = [point.tpot_s for point in found.front]
    costs = [point.chip_s_per_request for point in found.front]
    assert times == sorted(times)
    assert costs == sorted(costs, reverse=True)
    assert found.front[-1].chip_s_per_request <= found.plans[0].chip_s_per_request


def test_going_faster_costs_more(found: Planning) -> None:
    same, fast, impossible = (faster(found, factor) for factor in (1, 2.5, 1000))
    assert same is not None
    assert fast is not None
    assert impossible is None
    assert fast.tpot_s <= found.plans[0].tpot_s / 2.5
    assert fast.chip_s_per_request > same.chip_s_per_request


def test_runners_up_lose_for_a_named_reason(found: Planning) -> None:
    reason = why_dearer(found.plans[1], found.plans[0])
    assert "dearer" in reason
    assert any(cause.value in reason for cause in Cause)


def test_a_plan_is_what_the_estimate_says(found: Planning) -> None:
    """The plan's numbers are those of two estimates of its layout."""
    one = found.plans[0]
    step = estimate(MODEL, MACHINE, one.layout, Decode(batch=one.batch, context_tokens=4500)).step_time_s
    prompts = 2 * one.layout.dp  # 8192 tokens a pass hold two prompts of 4000
    pass_s = estimate(MODEL, MACHINE, one.layout, Prefill(batch=prompts, prompt_tokens=4000)).step_time_s
    pooled = pooled_time_per_token_s(
        decode_step_time_s=step, prefill_time_per_prompt_s=pass_s / prompts, batch=one.batch, output_tokens=1000
    )
    assert one.decode_step_s == pytest.approx(step)
    assert one.tpot_s == pytest.approx(pooled)
    alone = estimate(MODEL, MACHINE, one.layout, Prefill(batch=1, prompt_tokens=4000)).step_time_s
    assert one.ttft_s == pytest.approx(alone)


@pytest.mark.parametrize(
    ("model_id", "machine_id", "tpot_s"), [("qwen3-30b-a3b", "h100-sxm", 0.01), ("llama-3.1-8b", "a100-80-sxm", None)]
)
def test_the_search_finds_what_trying_everything_finds(model_id: str, machine_id: str, tpot_s: float | None) -> None:
    """Every layout and batch, a scalar estimate each; few chips and long requests, so that few batches fit."""
    model, machine = load_model(model_id), load_machine(machine_id)
    workload = Workload(prompt_tokens=100_000, output_tokens=500, tpot_s=tpot_s)
    best = math.inf
    for layout in candidates(model, 4):
        if any(layout_faults(model, machine, layout)):
            continue
        prefill_s = estimate(
            model, machine, layout, Prefill(batch=layout.dp, prompt_tokens=100_000), fidelity=ROOFLINE
        ).step_time_s
        for sequences in range(1, 200):
            batch = sequences * layout.dp
            full = estimate(model, machine, layout, Decode(batch=batch, context_tokens=100_500), fidelity=ROOFLINE)
            if full.memory.free_bytes < 0:
                break
            mean = estimate(model, machine, layout, Decode(batch=batch, context_tokens=100_250), fidelity=ROOFLINE)
            tpot = pooled_time_per_token_s(
                decode_step_time_s=mean.step_time_s,
                prefill_time_per_prompt_s=prefill_s / layout.dp,
                batch=batch,
                output_tokens=500,
            )
            if tpot_s is None or tpot <= tpot_s:
                best = min(best, float(tpot) * layout.chips * 500 / batch)
    found = plan(model, machine, workload, chips=4, fidelity=ROOFLINE)
    if math.isinf(best):
        assert not found.plans
    else:
        # A pass over a whole prompt keeps more activations in the loop above than the 8192 tokens of a plan's pass.
        assert found.plans[0].chip_s_per_request == pytest.approx(best, rel=1e-9)


def test_nothing_fits_a_chip_too_small() -> None:
    found = plan(MODEL, load_machine("h100-sxm"), WORKLOAD)
    assert not found.plans
    assert not found.elasticities
    assert {one.kind for one in found.rejected} == {Constraint.MEMORY}
    assert all("usable" in one.reason for one in found.rejected)


@pytest.mark.parametrize(
    ("limits", "kind"), [({"tpot_s": 0.004}, Constraint.TPOT), ({"ttft_s": 0.01}, Constraint.TTFT)]
)
def test_limits_out_of_reach_reject_every_layout_with_what_it_reaches(
    limits: dict[str, float], kind: Constraint
) -> None:
    found = plan(
        MODEL,
        MACHINE,
        Workload(prompt_tokens=4000, output_tokens=1000, tpot_s=limits.get("tpot_s"), ttft_s=limits.get("ttft_s")),
    )
    assert not found.plans
    assert found.front
    assert all("over" in one.reason for one in found.rejected if one.kind is kind)
    assert any(one.kind is kind for one in found.rejected)


def test_price_scales_dollars_and_nothing_else(found: Planning) -> None:
    dear = plan(MODEL, MACHINE, WORKLOAD, usd_per_chip_s=2 * (found.usd_per_chip_s or 0))
    assert dear.price_label == "as asked"
    for one, two in zip(found.plans[:5], dear.plans[:5], strict=True):
        assert two.layout == one.layout
        assert two.usd_per_output_token == pytest.approx(2 * (one.usd_per_output_token or 0))


def test_without_a_price_there_are_no_dollars() -> None:
    unpriced = dataclasses.replace(MACHINE, tariff=None)
    found = plan(MODEL, unpriced, WORKLOAD)
    assert found.plans[0].usd_per_output_token is None
    assert found.board.floor_usd_per_output_token is None
    assert found.plans[0].output_tokens_per_s_per_chip > 0


def test_auto_weights_try_all_formats_of_the_chip_and_name_them() -> None:
    found = plan(MODEL, MACHINE, WORKLOAD, weights="auto")
    assert {one.weights for one in found.plans} == {None, "bf16", "int8", "nvfp4"}
    assert found.plans[0].weights == "nvfp4"


def test_elasticities_match_the_binding_term() -> None:
    """A plan bound by reading gains a percent of decode for a percent of bandwidth, and the price passes through."""
    workload = Workload(prompt_tokens=10, output_tokens=1000)
    found = plan(load_model("llama-3.1-70b"), load_machine("h100-sxm"), workload, fidelity=ROOFLINE, chips=8)
    assert found.elasticities["usd_per_output_token:usd_per_chip_s"] == 1
    rates = [
        name for name in found.elasticities if name.startswith("usd_per_output_token:") and "usd_per_chip" not in name
    ]
    # Every term falls with one rate; 1 %: an operation near its ridge gains less than a percent from either alone.
    assert sum(found.elasticities[name] for name in rates) == pytest.approx(-1, abs=0.01)


def test_grids_end_at_the_most_sequences_that_fit() -> None:
    for most in (1, 511, 512, 513, 40_000):
        grid = sequence_grid(most)
        assert grid[0] == 1
        assert grid[-1] == most
        assert (np.diff(grid) >= 1).all()
        assert (np.diff(grid)[grid[1:] > 512] / grid[:-1][grid[1:] > 512] < 0.02).all()


def test_models_without_experts_are_not_split_into_groups() -> None:
    assert all(layout.dp == layout.ep == 1 for layout in candidates(load_model("llama-3.1-8b"), 8))
    assert Layout(dp=8, ep=8) in set(candidates(MODEL, 8))


def test_fewer_than_one_chip_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1 chip"):
        plan(MODEL, MACHINE, WORKLOAD, chips=0)
