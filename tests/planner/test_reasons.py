"""Why a layout is not the plan, and what one percent more does: both against whole searches."""

from __future__ import annotations

import dataclasses
import math

import pytest

from ridgeline.catalog import load_machine, load_model
from ridgeline.planner.elasticities import QUANTITIES, STEP, raised_machines
from ridgeline.planner.outcome import Constraint, Planning
from ridgeline.planner.plan import plan
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.workload import Workload

# A plan limited by time, one by memory, one over several domains, one without a limit.
JOBS = {
    "time": ("deepseek-v3", "gb200-nvl72", 72, Workload(prompt_tokens=4000, output_tokens=1000, tpot_s=0.05)),
    "memory": ("llama-3.1-70b", "h100-sxm", 2, Workload(prompt_tokens=1000, output_tokens=1000)),
    "domains": ("llama-3.1-405b", "h100-sxm", 16, Workload(prompt_tokens=500, output_tokens=500, tpot_s=0.06)),
    "torus": ("llama-3.1-70b", "tpu-v5e", 32, Workload(prompt_tokens=1000, output_tokens=500, tpot_s=0.05)),
}


def searched(job: str, machine: Machine | None = None, price: float | None = None) -> Planning:
    model_id, machine_id, chips, workload = JOBS[job]
    return plan(load_model(model_id), machine or load_machine(machine_id), workload, chips=chips, usd_per_chip_s=price)


@pytest.mark.parametrize("job", JOBS)
def test_elasticities_are_those_of_the_whole_plan(job: str) -> None:
    """The machine with one percent more, searched from the start."""
    now = searched(job, price=1e-3)
    assert {name.split(":")[0] for name in now.elasticities} == set(QUANTITIES)
    moved = 0
    for raised, machine in raised_machines(load_machine(JOBS[job][1])).items():
        then = searched(job, machine, price=1e-3).plans[0]
        for name, value in QUANTITIES.items():
            before, after = value(now.plans[0]), value(then)
            assert before is not None
            assert after is not None
            difference = math.log(after / before) / math.log(STEP)
            # Rounding alone: both searches look at the same layouts and batches.
            assert now.elasticities[f"{name}:{raised}"] == pytest.approx(difference, abs=1e-9)
            moved += abs(difference) > 0.01
    assert moved > len(QUANTITIES)


@pytest.mark.parametrize("job", JOBS)
def test_the_price_passes_through_and_changes_no_time(job: str) -> None:
    found = searched(job, price=1e-3).elasticities
    assert found["usd_per_output_token:usd_per_chip_s"] == pytest.approx(1)
    assert found["usd_per_input_token:usd_per_chip_s"] == pytest.approx(1)
    assert found["tpot_s:usd_per_chip_s"] == found["ttft_s:usd_per_chip_s"] == 0


def test_more_memory_makes_a_memory_bound_plan_cheaper() -> None:
    found = searched("memory")
    assert found.plans[0].limited_by is Constraint.MEMORY
    assert found.elasticities["chip_s_per_request:hbm_bytes"] < -0.1


def test_nothing_is_gained_where_nothing_binds() -> None:
    found = searched("time").elasticities
    assert found["chip_s_per_request:scale_out_bytes_per_s"] == 0
    assert found["chip_s_per_request:scale_up_bytes_per_s"] < 0


def test_without_a_price_time_still_has_elasticities() -> None:
    free = dataclasses.replace(load_machine("gb200-nvl72"), tariff=None)
    found = searched("time", free).elasticities
    assert "tpot_s:flop_per_s" in found
    assert not any(name.startswith("usd") for name in found)


def asked(layout: str, *, tpot_s: float | None = None, ttft_s: float | None = None) -> Planning:
    model, machine = load_model("deepseek-v3"), load_machine("gb200-nvl72")
    workload = Workload(prompt_tokens=4000, output_tokens=1000, tpot_s=tpot_s, ttft_s=ttft_s)
    return plan(model, machine, workload, why_not=Layout.from_text(layout))


@pytest.mark.parametrize(
    ("layout", "limits", "kind", "said"),
    [
        ("dp144,ep144", {}, Constraint.CHIPS, "needs 144 chips, and the budget is 72"),
        ("dp72,ep72", {}, Constraint.DIVIDES, "ep=72 does not divide experts=256"),
        ("tp1", {}, Constraint.MEMORY, "a chip needs"),
        ("tp8,ep8", {"ttft_s": 0.03}, Constraint.TTFT, "in an idle system, over 30 ms"),
        ("tp8,ep8", {"tpot_s": 0.004}, Constraint.TPOT, "at its fastest batch, over 4 ms"),
        ("tp8,ep8", {"tpot_s": 0.05}, Constraint.COST, "times the cost"),
    ],
)
def test_a_layout_that_is_not_the_plan_is_told_why(
    layout: str, limits: dict[str, float], kind: Constraint, said: str
) -> None:
    found = asked(layout, **limits).why_not
    assert found is not None
    assert found.kind is kind
    assert said in found.reason
    assert (found.plan is not None) is (kind is Constraint.COST)


def test_a_layout_that_loses_is_shown_at_its_best_batch() -> None:
    found = asked("tp8,ep8", tpot_s=0.05)
    assert found.why_not is not None
    assert found.why_not.rank is not None
    assert found.why_not.plan == found.plans[found.why_not.rank - 1]


def test_the_plan_itself_is_said_to_be_the_plan() -> None:
    best = asked("tp8,ep8", tpot_s=0.05).plans[0]
    found = asked(str(best.layout), tpot_s=0.05).why_not
    assert found is not None
    assert (found.kind, found.rank) == (None, 1)


def test_a_layout_that_the_search_does_not_try_is_compared_all_the_same() -> None:
    """Four chips of eight hold nothing to themselves, which no candidate does."""
    found = asked("tp8,ep8,kv_dp2", tpot_s=0.05).why_not
    assert found is not None
    assert found.rank is None
    assert found.plan is not None
    assert found.kind is Constraint.COST
