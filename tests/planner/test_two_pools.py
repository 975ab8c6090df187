"""Two pools are matched by rate: no split of the budget, and no pair of layouts, does better."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.errors import RidgelineError
from ridgeline.estimator.parameters import kv_bytes_held
from ridgeline.estimator.timing import Cause
from ridgeline.planner.candidates import candidates
from ridgeline.planner.compare import SAME_COST, asked_of_stages
from ridgeline.planner.outcome import Constraint
from ridgeline.planner.plan import plan
from ridgeline.planner.price import price_of
from ridgeline.planner.rejection import Candidate, rejection_of
from ridgeline.planner.two_pools.compare import why_dearer
from ridgeline.planner.two_pools.details import plan_of
from ridgeline.planner.two_pools.matching import match_of
from ridgeline.planner.two_pools.outcome import TwoPools, TwoPoolWhyNot
from ridgeline.planner.two_pools.queues import at_random, of_users
from ridgeline.planner.two_pools.search import plan_two_pools
from ridgeline.planner.two_pools.sides import Reader, Writer, fewest_readers, readers_of, times_of, writers_of
from ridgeline.planner.two_pools.terms import Terms
from ridgeline.serving.load import prompts_per_s
from ridgeline.serving.open_curves import LOOKED_AT, open_prefill_pools
from ridgeline.serving.passes import pool_times
from ridgeline.serving.pool import most_sequences, sequence_grid
from ridgeline.serving.pool_times import PoolTimes
from ridgeline.specs.demand import AS_MUCH_AS_IT_GIVES, Demand
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout
from ridgeline.specs.precision import Component
from ridgeline.specs.workload import Workload
from ridgeline.verbs import deploy, engine_for, fidelity_of, load_machine

TPOT_S = 0.05
WORKLOAD = Workload(prompt_tokens=2000, output_tokens=500, tpot_s=TPOT_S)
CHIPS = 8


@cache
def deployed(model: str = "llama-3.1-8b", machine: str = "h100-sxm") -> Deployment:
    found = load_machine(machine)
    return deploy(model, found, engine=engine_for(found, fidelity_of("measured"), None))


@cache  # most tests look at the same plans
def planned(
    *deployments: Deployment,
    demand: Demand = AS_MUCH_AS_IT_GIVES,
    chips: int | None = CHIPS,
    **limits: Any,  # noqa: ANN401  of Workload
) -> TwoPools:
    workload = Workload(prompt_tokens=2000, output_tokens=500, **({"tpot_s": TPOT_S} | limits))
    return plan_two_pools(deployments, deployments, workload, chips=chips, demand=demand)


def brute_force(deployment: Deployment) -> float:
    """Most requests a second of any pair of layouts in any split, those with stages handicapped as plans are."""
    laid = [
        dataclasses.replace(deployment, layout=layout)
        for layout in candidates(deployment.model, deployment.machine, CHIPS, prompt_tokens=WORKLOAD.prompt_tokens)
    ]
    able = [one for one in laid if rejection_of(Candidate(deployment=one, weights=None), WORKLOAD) is None]
    readers = {str(one.layout): float(prompts_per_s(pool_times([one], WORKLOAD, 1.0))[0]) for one in able}
    writers = {}
    for one in able:
        most = most_sequences(one, WORKLOAD)
        times, grid = pool_times([one], WORKLOAD, most), sequence_grid(most)
        tpot_s = np.interp(grid, times.sequences, times.step_s[0])
        kept = tpot_s <= TPOT_S
        if kept.any():
            batch = grid[kept][-1] * one.layout.dp
            writers[str(one.layout)] = batch / (WORKLOAD.decode_steps * tpot_s[kept][-1])
    chips = {str(one.layout): one.layout.chips for one in able}
    stages = {str(one.layout): one.layout.pp for one in able}
    best = 0.0
    for (reader, read), (writer, write) in itertools.product(readers.items(), writers.items()):
        for copies in range(1, CHIPS // chips[writer] + 1):
            left = (CHIPS - copies * chips[writer]) // chips[reader]
            served = min(left * read, copies * write)
            best = max(best, served / (1 + asked_of_stages(max(stages[reader], stages[writer]))))
    return best


def test_no_pair_and_no_split_serves_more() -> None:
    deployment = deployed()
    best = planned(deployment).plans[0]
    asked = asked_of_stages(max(best.prefill.deployment.layout.pp, best.decode.deployment.layout.pp))
    assert best.requests_per_s / (1 + asked) == pytest.approx(brute_force(deployment), rel=1e-9)


def test_replicas_are_whole_within_the_budget_and_matched_by_rate() -> None:
    for one in planned(deployed()).plans:
        assert one.chips <= CHIPS
        assert one.requests_per_s == pytest.approx(
            min(part.replicas * part.requests_per_s for part in (one.prefill, one.decode)), rel=1e-9
        )
        assert max(one.prefill.busy_fraction, one.decode.busy_fraction) == pytest.approx(1.0)
        assert one.tpot_s <= TPOT_S


@pytest.mark.slow
@pytest.mark.parametrize(
    "demand", [Demand(requests_per_s=30.0, ttft_quantile=0.9), Demand(users=400, ttft_quantile=0.9)]
)
def test_a_load_is_served_within_both_limits(demand: Demand) -> None:
    found = planned(deployed(), demand=demand, chips=None, ttft_s=1.0)
    assert found.plans
    for one in found.plans:
        assert one.tpot_s <= TPOT_S
        assert one.ttft_s <= 1.0
        assert one.prefill.busy_fraction < 1
        assert one.decode.busy_fraction <= 1 + 1e-6
        if demand.users is not None:
            assert one.decode.replicas * one.batch >= demand.users


@cache
def able_layouts() -> tuple[list[Candidate], PoolTimes | None]:
    """All layouts that can serve, and times of their passes."""
    deployment = deployed()
    laid = [
        Candidate(deployment=dataclasses.replace(deployment, layout=layout), weights=None)
        for layout in candidates(deployment.model, deployment.machine, CHIPS, prompt_tokens=WORKLOAD.prompt_tokens)
    ]
    able = [one for one in laid if rejection_of(one, WORKLOAD) is None]
    return able, times_of(able, WORKLOAD)


@cache
def sides() -> tuple[list[Reader], list[Writer]]:
    """All layouts of both pools, evaluated once."""
    (able, times), demand = able_layouts(), Demand(users=1)
    return readers_of(able, times, WORKLOAD, demand), writers_of(able, times, WORKLOAD, demand)


@given(
    users=st.integers(1, 2000),
    pair=st.tuples(st.integers(0, 1000), st.integers(0, 1000)),
    ttft_s=st.none() | st.floats(0.2, 20.0),
    quantile=st.floats(0.5, 0.999),
)
def test_users_in_a_loop_obey_littles_law_and_wait_for_each_other_alone(
    users: int, pair: tuple[int, int], ttft_s: float | None, quantile: float
) -> None:
    """Whatever the layouts: users = rate x time of a round; a prompt waits for one of every other user at most."""
    readers, writers = sides()
    reader, writer = readers[pair[0] % len(readers)], writers[pair[1] % len(writers)]
    demand = Demand(users=users, ttft_quantile=quantile)
    workload = dataclasses.replace(WORKLOAD, ttft_s=ttft_s)
    match = match_of(reader, writer, Terms(workload=workload, demand=demand, chips={}, usd_per_chip_s={}))
    if match is None:
        return
    found = plan_of(match, Terms(workload=workload, demand=demand, chips={}, usd_per_chip_s={}))
    assert found.mean_ttft_s is not None
    round_s = found.mean_ttft_s + workload.decode_steps * found.tpot_s
    assert found.requests_per_s * round_s == pytest.approx(users)
    lone_s = reader.first_s + found.move_s
    others_s = max(users / match.readers - 1, 0.0) / reader.prompts_per_s
    for first_s in (found.mean_ttft_s, found.ttft_s):
        assert lone_s - 1e-9 <= first_s <= lone_s + others_s + 1e-9
    assert found.prefill.busy_fraction <= 1 + 1e-9
    assert ttft_s is None or found.ttft_s <= ttft_s


def test_one_user_waits_for_nobody_and_more_of_them_wait_longer() -> None:
    reader, writer = sides()[0][0], sides()[1][0]
    waits_s = []
    for users in (1, 2, 8, 32):
        terms = Terms(workload=WORKLOAD, demand=Demand(users=users), chips={}, usd_per_chip_s={})
        found = of_users(reader, writer, terms, readers=1, place=0, chips=2)
        waits_s.append(found.mean_s - reader.first_s)
    assert waits_s[0] == pytest.approx(0.0, abs=1e-12)
    assert waits_s == sorted(waits_s)
    assert waits_s[1] > 0


def test_of_many_replicas_some_are_evaluated_and_the_rest_lie_between() -> None:
    """A load of any size takes as much memory; between two numbers of replicas times are off by some percent."""
    (layout, *_), times = able_layouts()
    assert times is not None
    times = times.cases(np.array([0]))
    few, many = (readers_of([layout], times, WORKLOAD, Demand(requests_per_s=rate))[0] for rate in (1.0, 1e9))
    assert few.at_random is not None
    assert many.at_random is not None
    assert few.at_random.replicas.tolist() == [1.0, 2.0, 3.0]
    assert len(many.at_random.replicas) <= len(LOOKED_AT)
    load = 30 * few.prompts_per_s
    reader = readers_of([layout], times, WORKLOAD, Demand(requests_per_s=load))[0]
    pools = open_prefill_pools(times, [layout.deployment], WORKLOAD)
    for replicas in range(int(fewest_readers(load, reader.prompts_per_s)), 60):
        ((within_s, mean_s),) = pools.first_tokens([np.array([load / replicas])], Demand().ttft_quantile)
        found = at_random(reader, replicas, load)
        assert found.within_s == pytest.approx(within_s[0], rel=0.05)
        assert found.mean_s == pytest.approx(mean_s[0], rel=0.05)


def test_what_a_pool_could_serve_is_the_same_under_any_load() -> None:
    """Its capacity is that of the best batch within the limit, and not of the batch that a small load fills."""
    most: dict[Layout, list[float]] = {}
    for rate in (2.0, 20.0):
        found = planned(deployed(), demand=Demand(requests_per_s=rate), chips=None)
        for one in found.plans:
            most.setdefault(one.decode.deployment.layout, []).append(one.decode.requests_per_s)
            needed = math.ceil(rate / one.decode.requests_per_s - 1e-9)
            assert one.decode.replicas == max(needed, 1)
            assert one.decode.busy_fraction == pytest.approx(rate / one.decode.replicas / one.decode.requests_per_s)
    several = [each for each in most.values() if len(each) > 1]
    assert several
    assert all(each == pytest.approx([each[0]] * len(each), rel=1e-12) for each in several)


@pytest.mark.slow
def test_pools_on_two_machines_cost_no_more_than_on_the_better_one() -> None:
    one, other = deployed(machine="h100-sxm"), deployed(machine="h200-sxm")
    demand = Demand(requests_per_s=60.0)

    def cost(*deployments: Deployment) -> float:
        found = plan_two_pools(deployments, deployments, WORKLOAD, demand=demand)
        return min(plan.usd_per_h or math.inf for plan in found.plans)

    assert cost(one, other) <= min(cost(one), cost(other))


def test_a_limit_on_the_first_token_holds_without_a_load_too() -> None:
    times = sorted(plan.ttft_s for plan in planned(deployed()).plans)
    limit_s = (times[0] + times[-1]) / 2 if times[0] < times[-1] else times[0]
    found = planned(deployed(), ttft_s=limit_s)
    assert found.plans
    assert all(plan.ttft_s <= limit_s for plan in found.plans)


def test_a_batch_that_is_asked_for_is_taken_beyond_the_dense_grid_too() -> None:
    found = planned(deployed(), demand=Demand(batch=300))
    assert {plan.batch for plan in found.plans} == {300}


def test_idle_chips_of_a_budget_are_paid() -> None:
    for one in planned(deployed(), chips=7).plans:
        assert one.paid_chip_s_per_request == pytest.approx(7 / one.requests_per_s)


def test_a_load_pays_for_chips_of_its_domains_that_no_replica_can_take() -> None:
    """Six of eight chips leave two, of every node but the last; each pool has nodes of its own."""
    deployment = deployed("llama-3.1-70b")
    found = plan_two_pools(
        [deployment],
        [deployment],
        Workload(prompt_tokens=1000, output_tokens=500, tpot_s=0.04),
        demand=Demand(requests_per_s=40.0),
    )
    assert any(one.decode.deployment.layout.chips == 6 for one in found.plans)
    price = 3600 * (price_of(deployment.machine, None) or 0.0)
    for one in found.plans:
        parts = one.prefill, one.decode
        assert one.idle_chips == sum(2 * (part.replicas - 1) for part in parts if part.deployment.layout.chips == 6)
        assert one.usd_per_h == pytest.approx((one.chips + one.idle_chips) * price)


def test_without_a_budget_and_a_load_it_is_a_domain_of_the_first_machine() -> None:
    found = planned(deployed(), chips=None)
    assert found == planned(deployed(), chips=deployed().machine.scale_up_chips)
    assert found.chips == 8


def test_one_token_is_nothing_to_decode() -> None:
    one = deployed()
    with pytest.raises(RidgelineError, match="estimate the prefill instead"):
        plan_two_pools([one], [one], Workload(prompt_tokens=100, output_tokens=1), chips=8)


def test_no_pair_beats_the_front_in_speed_and_cost() -> None:
    """All pairs, batches and splits, one at a time; of plans that tie to the last digits one is enough."""
    deployment = deployed()
    found = planned(deployment)
    assert [one.tpot_s for one in found.front] == sorted(one.tpot_s for one in found.front)
    costs = [one.paid_chip_s_per_request for one in found.front]
    assert costs == sorted(costs, reverse=True)
    for tpot_s, served in every_point(deployment):
        cost = CHIPS / served
        assert any(
            one.tpot_s <= tpot_s * (1 + 1e-12) and one.paid_chip_s_per_request <= cost * (1 + 1e-12)
            for one in found.front
        )


def every_point(deployment: Deployment) -> Iterator[tuple[float, float]]:
    """Time per token and requests a second of all pairs of layouts, at every sixth batch, in all splits."""
    laid = [
        dataclasses.replace(deployment, layout=layout)
        for layout in candidates(deployment.model, deployment.machine, CHIPS, prompt_tokens=WORKLOAD.prompt_tokens)
    ]
    able = [one for one in laid if rejection_of(Candidate(deployment=one, weights=None), WORKLOAD) is None]
    readers = [(one.layout.chips, float(prompts_per_s(pool_times([one], WORKLOAD, 1.0))[0])) for one in able]
    for one in able:
        most, chips = most_sequences(one, WORKLOAD), one.layout.chips
        times, grid = pool_times([one], WORKLOAD, most), sequence_grid(most)[::6]
        for sequences, step_s in zip(grid, np.interp(grid, times.sequences, times.step_s[0]), strict=True):
            rate = sequences * one.layout.dp / (WORKLOAD.decode_steps * step_s)
            for (reader_chips, read), copies in itertools.product(readers, range(1, CHIPS // chips + 1)):
                served = min((CHIPS - copies * chips) // reader_chips * read, copies * rate)
                if served:
                    yield float(step_s), served


def test_the_plan_lies_on_the_front_where_nothing_else_decides() -> None:
    found = planned(deployed())
    plain = [one for one in found.plans if one.prefill.deployment.layout.pp == one.decode.deployment.layout.pp == 1]
    best = plain[0]
    faster = [one for one in found.front if one.tpot_s <= best.tpot_s]
    assert all(
        one.paid_chip_s_per_request >= best.paid_chip_s_per_request * (1 - 1e-9)
        for one in faster
        if not (one.layout.pp > 1 or one.prefill_layout.pp > 1)
    )


def test_a_front_of_a_load_has_its_plan() -> None:
    found = planned(deployed(), demand=Demand(requests_per_s=30.0), chips=None)
    best = min(found.plans, key=lambda one: one.chips)
    as_fast = [one for one in found.front if one.tpot_s <= best.tpot_s * (1 + 1e-9)]
    assert min(one.paid_chip_s_per_request for one in found.front) <= best.paid_chip_s_per_request * (1 + 1e-9)
    assert as_fast


@pytest.mark.parametrize(
    ("limits", "chips", "demand", "said"),
    [
        ({"tpot_s": 1e-6}, CHIPS, AS_MUCH_AS_IT_GIVES, "relax --tpot"),
        ({"ttft_s": 1e-6}, CHIPS, AS_MUCH_AS_IT_GIVES, "relax --ttft"),
        ({}, 1, AS_MUCH_AS_IT_GIVES, "give --chips 2"),
        ({}, 2, Demand(requests_per_s=1e6), "a smaller load"),
        ({}, CHIPS, Demand(batch=10**6), "give a smaller --batch"),
    ],
)
def test_what_serves_nothing_says_what_to_change(
    limits: dict[str, float], chips: int, demand: Demand, said: str
) -> None:
    found = planned(deployed(), demand=demand, chips=chips, **limits)
    assert not found.plans
    assert said in found.remedy


def asked_about(
    pair: tuple[str, str],
    **limits: Any,  # noqa: ANN401  of Workload
) -> TwoPoolWhyNot:
    deployment = deployed()
    workload = Workload(prompt_tokens=2000, output_tokens=500, **({"tpot_s": TPOT_S} | limits))
    layouts = Layout.from_text(pair[0]), Layout.from_text(pair[1])
    found = plan_two_pools(
        [deployment], [deployment], workload, chips=CHIPS, demand=AS_MUCH_AS_IT_GIVES, why_not=layouts
    ).why_not
    assert found is not None
    return found


def test_a_pair_that_is_asked_about_is_told_what_it_breaks_or_loses() -> None:
    best = planned(deployed()).plans[0]
    names = str(best.prefill.deployment.layout), str(best.decode.deployment.layout)
    assert asked_about(names).kind is None
    dearer = asked_about(("tp8", "tp4"))
    assert dearer.kind is Constraint.CHIPS  # eight chips and four are more than eight
    dearer = asked_about(("tp4", "tp4"))
    assert dearer.kind is Constraint.COST
    assert dearer.plan is not None
    assert dearer.plan.paid_chip_s_per_request > best.paid_chip_s_per_request
    assert "% more: a request takes" in dearer.reason
    slow = asked_about(("tp1", "tp1"), tpot_s=0.004)
    assert slow.kind is Constraint.TPOT
    assert "at its fastest, over 4 ms" in slow.reason
    assert asked_about(("tp3", "tp1")).kind is Constraint.DIVIDES


@pytest.mark.slow
@pytest.mark.parametrize(("chips", "level"), [(8, "scale_up"), (72, "scale_up"), (144, "scale_out")])
def test_caches_stay_inside_a_domain_that_holds_both_pools(chips: int, level: str) -> None:
    found = planned(deployed(machine="gb200-nvl72"), chips=chips)
    for one in found.plans[:3]:
        assert one.move_over == level
        links = next(each for each in one.decode.deployment.machine.fabric if each.name == level)
        smaller = min(part.deployment.layout.chips for part in (one.prefill, one.decode))
        held = kv_bytes_held(one.prefill.deployment.model, one.prefill.deployment.precision, 2000, tp=1)
        assert one.move_s == pytest.approx(float(held) / (links.bytes_per_s * smaller), rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("demand", "chips"),
    [
        (AS_MUCH_AS_IT_GIVES, CHIPS),
        (Demand(requests_per_s=20.0), None),
        (Demand(users=150), None),
        (Demand(batch=32), CHIPS),
        (Demand(site_power_w=3000.0, pue=1.2), CHIPS),
        (Demand(site_power_w=3000.0, pue=1.2), None),
        (Demand(electricity_usd_per_j=0.1 / 3.6e6), 5),
    ],
)
def test_the_one_pool_beside_them_is_that_of_the_plan(demand: Demand, chips: int | None) -> None:
    deployment = deployed()
    found = planned(deployment, demand=demand, chips=chips)
    alone = plan(deployment, WORKLOAD, chips=chips, demand=demand, is_brief=True).plans[0]
    assert found.one_pool is not None
    assert found.one_pool.plan == alone
    two = found.plans[0]
    if demand.has_load:
        cost = (alone.usd_per_h or 0) / (two.usd_per_h or 1)
    else:
        cost = (alone.usd_per_h or 0) / alone.requests_per_s / ((two.usd_per_h or 1) / two.requests_per_s)
    assert found.one_pool.cost_ratio == pytest.approx(cost, rel=1e-12)


def test_either_pool_has_its_own_weights_and_both_one_cache() -> None:
    one = deployed("llama-3.1-70b", machine="gb200-nvl72")
    found, *others = (
        plan_two_pools([laid], [laid], WORKLOAD, weights=name, chips=CHIPS)
        for name, laid in (("auto", one), (None, one), ("fp8", deploy(one.model, one.machine, weights="fp8")))
    )
    assert found.plans[0].requests_per_s >= others[0].plans[0].requests_per_s
    tried = {part.weights for plan in found.plans for part in (plan.prefill, plan.decode)}
    assert {None, "fp8", "nvfp4"} >= tried
    assert "nvfp4" in tried
    for each in found.plans:
        assert each.prefill.deployment.precision.kv == each.decode.deployment.precision.kv
    for each in found.plans[:2]:
        assert each.decode.deployment.precision.of(Component.ATTENTION).weight.name == each.decode.weights
    assert any("weights searched" in note for note in found.notes)


def test_caches_of_two_formats_are_refused() -> None:
    one, other = deployed(), deploy("llama-3.1-8b", "h100-sxm", kv="fp8")
    with pytest.raises(RidgelineError, match="these are in bf16 and fp8; deploy both with one kv"):
        plan_two_pools([one], [other], WORKLOAD, chips=CHIPS)


def test_what_binds_and_carries_is_that_of_each_pool() -> None:
    best = planned(deployed()).plans[0]
    assert best.prefill.bound is Cause.COMPUTE
    assert best.decode.bound in {Cause.WEIGHTS, Cause.KV}
    for part in (best.prefill, best.decode):
        assert 1 / len(Cause) < part.bound_fraction < 1
        assert sum(one.time_fraction for one in part.carried_by) == pytest.approx(1.0)
    assert not any("decode attention" in one.part for one in best.prefill.carried_by)
    assert not any("prefill attention" in one.part for one in best.decode.carried_by)
    held = best.decode.deployment.layout.dp * best.batch
    assert best.kv_capacity_tokens is not None
    assert best.kv_capacity_tokens >= held * WORKLOAD.prompt_tokens


def test_a_runner_up_is_told_what_it_costs() -> None:
    found = planned(deployed())
    best = found.plans[0]
    for one in found.plans[1:]:
        said = why_dearer(one, best, has_load=False)
        ratio = (one.usd_per_h or 0) / one.requests_per_s / ((best.usd_per_h or 1) / best.requests_per_s)
        if ratio > 1 + SAME_COST:
            assert "a request takes" in said
            assert f"{100 * (ratio - 1):.1f} % more" in said or f"{ratio:.1f} times the cost" in said
        elif ratio < 1 - SAME_COST:
            assert "% less, but no run with pipeline stages" in said
    assert found.plans[-1].requests_per_s < best.requests_per_s
