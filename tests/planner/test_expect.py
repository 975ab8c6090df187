"""A measured time beside the expected one: the plan's own pool, and causes that lead towards what was measured."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from ridgeline import decode, estimate
from ridgeline.errors import RidgelineError
from ridgeline.estimator.drafts import named_draft
from ridgeline.planner.expect import Expectation, expect
from ridgeline.planner.outcome import Constraint
from ridgeline.planner.suspects import SUSPECTS, Run
from ridgeline.serving.passes import pool_times
from ridgeline.serving.pool import pool_curves
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.speculation import Speculation
from ridgeline.specs.workload import Workload
from ridgeline.verbs import deploy, engine_for, fidelity_of, load_engine, load_machine

WORKLOAD = Workload(prompt_tokens=1000, output_tokens=1000)
USERS = 64


def deployed(model: str = "llama-3.1-70b", layout: str = "tp8", machine: str = "h100-sxm") -> Deployment:
    found = load_machine(machine)
    return deploy(model, found, layout, engine=engine_for(found, fidelity_of("measured"), None))


def expected(deployment: Deployment, ratio: float) -> Expectation:
    """Where so many times the expected time was measured."""
    usual = expect(deployment, WORKLOAD, users=USERS, measured_tpot_s=1.0).expected.tpot_s
    return expect(deployment, WORKLOAD, users=USERS, measured_tpot_s=ratio * usual)


@pytest.mark.parametrize(("model", "layout"), [("llama-3.1-70b", "tp8"), ("deepseek-v3", "dp8,ep8")])
def test_it_is_the_pool_that_plans_are_made_of(model: str, layout: str) -> None:
    deployment = deployed(model, layout, "h200-sxm")
    groups = deployment.layout.dp
    times = pool_times([deployment], WORKLOAD, USERS / groups)
    (curve,) = pool_curves(times, [deployment], WORKLOAD, [np.array([USERS / groups])])
    found = expected(deployment, 1.0).expected
    assert found.tpot_s == curve.tpot_s[0]
    assert found.in_flight == curve.in_flight[0]
    assert found.low_s < found.tpot_s < found.high_s


def test_what_is_as_expected_is_certain_to_be_off_by_as_much_and_an_end_of_the_interval_one_time_in_five() -> None:
    deployment = deployed()
    assert expected(deployment, 1.0).probability == 1.0
    usual = expected(deployment, 1.0).expected
    for end_s in (usual.low_s, usual.high_s):
        found = expect(deployment, WORKLOAD, users=USERS, measured_tpot_s=end_s)
        assert found.probability == pytest.approx(0.2, rel=1e-9)


@pytest.mark.parametrize("users", [1500, 5000])
def test_who_waits_for_memory_waits_for_those_ahead_and_no_longer(users: int) -> None:
    """Of users who ask again at once, those without their first token are ahead of one who asks."""
    found = expect(deployed(), WORKLOAD, users=users, measured_tpot_s=1.0).expected
    requests_per_s = found.in_flight / (WORKLOAD.decode_steps * found.tpot_s)
    ahead_s = (users - found.in_flight) / requests_per_s
    assert found.in_flight < 0.7 * users
    # A hundredth for the steps in which its own prompt is read.
    assert 0.95 * ahead_s < found.steady_ttft_s < 1.01 * ahead_s


@pytest.mark.parametrize("layout", ["tp1", "dp2"])
def test_an_engine_lets_in_no_more_than_its_limit_where_memory_has_room(layout: str) -> None:
    """Users beyond the limit change nothing but the wait of each for those ahead."""
    machine = load_machine("h100-sxm")
    engine = load_engine("vllm", max_sequences=32)
    deployment = deploy("llama-3.1-8b", machine, layout, engine=engine)
    most = 32 * deployment.layout.dp
    full, more = (expect(deployment, WORKLOAD, users=users).expected for users in (most, 4 * most))
    assert (full.admitted, full.admitted_by) == (most, None)
    assert (more.admitted, more.admitted_by) == (most, Constraint.ENGINE)
    assert more.tpot_s == pytest.approx(full.tpot_s, rel=1e-12)
    ahead_s = (4 * most - more.in_flight) * WORKLOAD.decode_steps * more.tpot_s / more.in_flight
    # A hundredth for the steps in which its own prompt is read, as where memory is full.
    assert 0.95 * ahead_s < more.steady_ttft_s < 1.01 * ahead_s


@pytest.mark.parametrize("ratio", [0.7, 1.5, 3.0])
def test_causes_lead_towards_what_was_measured_the_nearest_first(ratio: float) -> None:
    found = expected(deployed("deepseek-v3", "dp8,ep8", "h200-sxm"), ratio)
    assert found.causes
    assert found.measured_tpot_s
    left = [abs(np.log(cause.tpot_s / found.measured_tpot_s)) for cause in found.causes]
    assert left == sorted(left)
    for cause in found.causes:
        assert (cause.would_explain_s > 0) == (ratio > 1)
        assert cause.tpot_s == pytest.approx(found.expected.tpot_s + cause.would_explain_s)
        assert cause.check


def test_every_suspect_changes_the_run_or_says_that_it_cannot() -> None:
    alone = Run(deployment=deployed("llama-3.1-8b", "tp1"), workload=WORKLOAD, users=1)
    tried = {suspect.cause: suspect.changed(alone) for suspect in SUSPECTS}
    cannot = {cause for cause, changed in tried.items() if changed is None}
    assert {"messages take the network and not the scale-up links", "half as many requests are under way"} <= cannot
    assert all(changed != alone for changed in tried.values())


def test_each_can_be_on_some_deployment() -> None:
    run = Run(deployment=deployed("deepseek-v3", "dp8,ep8", "h200-sxm"), workload=WORKLOAD, users=USERS)
    cannot = {suspect.cause for suspect in SUSPECTS if suspect.changed(run) is None}
    assert cannot <= {"the KV cache is in bf16", "weights are in fp8"}  # as published
    wide = Run(deployment=deployed(), workload=WORKLOAD, users=USERS)
    assert {suspect.cause for suspect in SUSPECTS if suspect.changed(wide) is None} <= {
        "weights are in bf16",  # as published
        "the KV cache is in bf16",
        "the busiest experts get 1.5 times the mean",
    }


def test_narrow_weights_and_drafts_are_what_makes_a_run_faster() -> None:
    deployment = deployed()
    narrow = deploy(deployment.model, deployment.machine, "tp8", engine=deployment.engine, weights="fp8")
    measured_s = expect(narrow, WORKLOAD, users=USERS).expected.tpot_s
    found = expect(deployment, WORKLOAD, users=USERS, measured_tpot_s=measured_s)
    causes = {cause.cause: cause for cause in found.causes}
    assert causes["weights are in fp8"].tpot_s == pytest.approx(measured_s, rel=1e-12)
    # No draft of this model was measured: the median of those of others.
    drafted = causes["3 tokens are drafted in each step"]
    speculation = Speculation(draft=named_draft("eagle3", deployment.model), drafted_tokens=3, accepted_tokens=2.95)
    times = pool_times([dataclasses.replace(deployment, speculation=speculation)], WORKLOAD, USERS)
    (curve,) = pool_curves(
        times, [dataclasses.replace(deployment, speculation=speculation)], WORKLOAD, [np.array([float(USERS)])]
    )
    assert drafted.tpot_s == pytest.approx(curve.tpot_s[0], rel=0.02)  # without the burst of a benchmark's start


@pytest.mark.parametrize(("model", "layout"), [("llama-3.1-70b", "tp8"), ("deepseek-v3", "dp8,ep8")])
def test_a_time_below_the_rooflines_is_refused_and_one_above_is_explained(model: str, layout: str) -> None:
    """Reading each weight once, 141 GB on eight chips, takes 3.7 ms before any cache."""
    deployment = deployed(model, layout, "h200-sxm")
    floor_s = estimate(model, "h200-sxm", layout, decode(batch=1, context_tokens=1000), fidelity="roofline").step_time_s
    with pytest.raises(RidgelineError, match=r"at the spec sheet's peaks, and nothing is faster; check its unit"):
        expect(deployment, WORKLOAD, users=USERS, measured_tpot_s=0.98 * floor_s)
    ratio = expect(deployment, WORKLOAD, users=USERS, measured_tpot_s=1.1 * floor_s).ratio
    assert ratio is not None
    assert ratio < 1
