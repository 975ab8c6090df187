"""Why a layout is not the plan."""

from __future__ import annotations

import functools

import pytest

from ridgeline.catalog import load_machine, load_model
from ridgeline.estimator.deploy import deploy
from ridgeline.planner.outcome import Constraint, Plan, Planning
from ridgeline.planner.plan import plan
from ridgeline.specs.layout import Layout
from ridgeline.specs.workload import Workload


@functools.cache
def asked(layout: str, *, tpot_s: float | None = None, ttft_s: float | None = None) -> Planning:
    model, machine = load_model("deepseek-v3"), load_machine("gb200-nvl72")
    workload = Workload(prompt_tokens=4000, output_tokens=1000, tpot_s=tpot_s, ttft_s=ttft_s)
    return plan(deploy(model, machine), workload, chips=24, why_not=Layout.from_text(layout))


@pytest.mark.parametrize(
    ("layout", "limits", "kind", "said"),
    [
        ("dp32,ep32", {}, Constraint.CHIPS, "needs 32 chips, and the budget is 24"),
        ("dp24,ep24", {}, Constraint.DIVIDES, "ep=24 does not divide experts=256"),
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
    mine, ranked = found.why_not.plan, found.plans[found.why_not.rank - 1]
    assert mine is not None
    for name in Plan.__dataclass_fields__:
        shown, there = getattr(mine, name), getattr(ranked, name)
        # Timed by itself and together with all other layouts: last bits of sums.
        assert shown == (pytest.approx(there, rel=1e-12) if isinstance(there, float | dict) else there), name


def test_the_plan_itself_is_said_to_be_the_plan() -> None:
    best = asked("tp8,ep8", tpot_s=0.05).plans[0]
    found = asked(str(best.layout), tpot_s=0.05).why_not
    assert found is not None
    assert (found.kind, found.rank) == (None, 1)


def test_a_layout_that_the_search_does_not_try_is_compared_all_the_same() -> None:
    """Eight chips of sixteen hold nothing to themselves, and eight of the budget idle, which no candidate does."""
    found = asked("tp16,ep16,kv_dp2", tpot_s=0.05).why_not
    assert found is not None
    assert found.rank is None
    assert found.plan is not None
    assert found.kind is Constraint.COST
