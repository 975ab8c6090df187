from __future__ import annotations

import pytest

from ridgeline.catalog import load_machine, load_model
from ridgeline.catalog.engines import load_engine
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.estimate import estimate
from ridgeline.planner.curves import plan_curves
from ridgeline.planner.plan import plan
from ridgeline.serving.pool import most_sequences
from ridgeline.specs.workload import Workload

WORKLOADS = [
    Workload(prompt_tokens=4000, output_tokens=1000, tpot_s=0.05),
    # Of two output tokens the prompt gives one: what a token costs is half of what a step does.
    Workload(prompt_tokens=1000, output_tokens=2),
]


@pytest.mark.parametrize("workload", WORKLOADS, ids=["long", "two tokens"])
@pytest.mark.parametrize(
    ("model_id", "machine_id", "chips", "weights"),
    [("deepseek-v3", "gb200-nvl72", 16, None), ("llama-3.1-70b", "h100-sxm", 8, "auto")],
)
def test_the_curves_go_through_the_plan(
    model_id: str, machine_id: str, chips: int, weights: str | None, workload: Workload
) -> None:
    model, machine = load_model(model_id), load_machine(machine_id)
    found = plan(deploy(model, machine), workload, chips=chips, weights=weights, is_brief=True)
    for chosen in (found.plans[0], found.plans[-1]):
        deployment = deploy(model, machine, chosen.layout, weights=chosen.weights)
        curves = plan_curves(deployment, workload, found, chosen)
        usd = curves.usd_per_output_token
        assert usd is not None
        # Fewer are in a plan's step than are under way: some wait for their first token.
        in_step = max(chosen.decode_batch, 1.0)
        assert (curves.estimate_batch[curves.asked], curves.asked_batch) == (in_step, chosen.batch)
        step_s = estimate(deployment, workload.decode_step(in_step)).step_time_s
        assert curves.time_s.estimate[curves.asked] == pytest.approx(step_s)
        assert found.usd_per_chip_s is not None
        of_a_step = step_s * workload.steps_per_output_token * chosen.layout.chips * found.usd_per_chip_s
        assert usd.estimate[curves.asked] == pytest.approx(of_a_step / in_step)
        # A plan's step lies on straight lines between batches that were timed; between large ones, all experts may need
        # another tile at once, which is some percent.
        assert chosen.decode_step_s == pytest.approx(step_s, rel=0.01 if workload.decode_steps > 1 else 0.05)
        assert curves.tpot_s == chosen.tpot_s
        assert curves.paid_usd_per_output_token == chosen.usd_per_output_token
        assert curves.asked_step_s == chosen.decode_step_s
        assert curves.estimate_batch[-1] == most_sequences(deployment, workload) * chosen.layout.dp


@pytest.mark.parametrize("engine_id", ["ideal", "vllm"])
def test_the_board_is_the_plans_where_one_replica_takes_the_whole_budget(engine_id: str) -> None:
    """Also where an engine keeps room for less than a sequence's end."""
    model, machine, engine = load_model("llama-3.1-70b"), load_machine("h100-sxm"), load_engine(engine_id)
    deployment = deploy(model, machine, engine=engine)
    found = plan(deployment, WORKLOADS[0], chips=8, is_brief=True)
    whole = next(one for one in found.plans if one.layout.chips == found.chips)
    curves = plan_curves(deployment, WORKLOADS[0], found, whole)
    assert curves.bounds == found.bounds
    assert (curves.usd_per_chip_s, curves.price_label) == (found.usd_per_chip_s, found.price_label)
