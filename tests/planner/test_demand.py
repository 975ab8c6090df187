"""Plans for a load: as few chips as serve it, within limits that hold with its queue and as surely as is asked."""

from __future__ import annotations

import functools
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.equations.serving import wait_quantile_s
from ridgeline.errors import RidgelineError
from ridgeline.estimator.placement import chips_of_replicas, replicas_within
from ridgeline.planner.compare import remedy, why_dearer
from ridgeline.planner.outcome import Constraint, Planning
from ridgeline.specs.demand import Demand
from ridgeline.specs.machine import FabricLevel
from ridgeline.specs.topology import Switch
from ridgeline.verbs import plan

TPOT_S, TTFT_S = 0.040, 2.0


@functools.cache
def planned(demand: Demand, **asked: Any) -> Planning:  # noqa: ANN401  arguments of the verb
    limits: dict[str, Any] = {"tpot_s": TPOT_S, "ttft_s": TTFT_S} | asked
    return plan("llama-3.1-70b", "h100-sxm", prompt_tokens=1000, output_tokens=500, demand=demand, **limits)


def chips(found: Planning, place: int = 0) -> int:
    return found.plans[place].replicas * found.plans[place].layout.chips + found.plans[place].idle_chips


@pytest.mark.parametrize("demand", [Demand(users=500), Demand(requests_per_s=20.0), Demand(users=3)])
def test_a_load_is_served_within_the_limits_by_the_fewest_chips(demand: Demand) -> None:
    found = planned(demand)
    needed = [chips(found, place) for place in range(0, len(found.plans), 3)]
    assert needed == sorted(needed)
    assert found.chips == needed[0]
    for one in found.plans[::3]:
        assert one.tpot_s <= TPOT_S
        assert one.ttft_s <= TTFT_S
        if demand.users is not None:
            assert one.replicas * one.batch >= demand.users
            assert (one.replicas - 1) * one.batch < demand.users
        if demand.requests_per_s is not None:
            assert one.requests_per_s == pytest.approx(demand.requests_per_s, rel=1e-9)


@given(replicas=st.integers(1, 40), size=st.integers(1, 32), domain=st.sampled_from([4, 8, 72]))
def test_a_load_is_charged_for_as_many_chips_as_a_budget_needs(replicas: int, size: int, domain: int) -> None:
    """Replicas of a load lie as those of a budget do, so that six of eight chips leave two that no other can take."""
    fabric = (FabricLevel(name="scale_up", chips=domain, bytes_per_s=9e11, topology=Switch()),)
    chips = int(chips_of_replicas(fabric, replicas, size))
    assert replicas_within(fabric, chips, size) == replicas
    assert replicas_within(fabric, chips - 1, size) < replicas


def test_a_plan_of_six_chips_leaves_two_of_eight_idle() -> None:
    found = plan("llama-3.1-70b", "h100-sxm", prompt_tokens=1000, output_tokens=500, demand=Demand(users=3000))
    six = [one for one in found.plans if one.layout.chips == 6]
    assert six
    for one in six:
        assert one.idle_chips == 2 * (one.replicas - 1)
    assert all(one.idle_chips == 0 for one in found.plans if 8 % one.layout.chips == 0)


@pytest.mark.parametrize(
    "demand", [*(Demand(requests_per_s=rate) for rate in (1e-12, 7.3)), *(Demand(users=n) for n in (1, 611)), Demand()]
)
def test_what_tokens_cost_is_what_the_chips_cost(demand: Demand) -> None:
    """Per hour and per token, chips that idle for want of a load included; those that no replica takes, of a budget or
    of a domain, are paid by the hour alone.
    """
    for one in planned(demand, chips=None if demand.has_load else 8).plans[::3]:
        assert one.replicas >= 1
        used = one.replicas * one.layout.chips
        per_request = (one.usd_per_input_token or 0.0) * 1000 + (one.usd_per_output_token or 0.0) * 500
        paid = used / (used + one.idle_chips)
        assert per_request * one.requests_per_s * 3600 == pytest.approx((one.usd_per_h or 0.0) * paid, rel=1e-9)
        assert one.output_tokens_per_s_per_chip * used == pytest.approx(500 * one.requests_per_s, rel=1e-9)


@pytest.mark.parametrize("demand", [Demand(users=500), Demand(requests_per_s=20.0)])
def test_one_replica_fewer_of_the_best_layout_would_not_do(demand: Demand) -> None:
    """Found by asking for what fewer replicas would have to carry each."""
    best = planned(demand).plans[0]
    assert best.replicas > 1
    if demand.users is not None:
        each = math.ceil(demand.users / (best.replicas - 1))
        fewer = planned(Demand(batch=each))
    else:
        each_per_s = (demand.requests_per_s or 0.0) / (best.replicas - 1)
        fewer = planned(Demand(requests_per_s=each_per_s))
    same = [one for one in fewer.plans if one.layout == best.layout and one.replicas == 1]
    assert demand.users is None or not any(one.layout == best.layout for one in fewer.plans)
    assert demand.users is not None or not same


@pytest.mark.slow
def test_more_load_never_takes_fewer_chips_and_a_budget_that_is_too_small_is_said() -> None:
    needed = [chips(planned(Demand(requests_per_s=rate))) for rate in (1.0, 5.0, 20.0, 60.0)]
    assert needed == sorted(needed)
    short = planned(Demand(requests_per_s=60.0), chips=8)
    assert not short.plans
    least = min(one.needed_chips for one in short.rejected if one.needed_chips is not None)
    assert least > 8
    assert planned(Demand(requests_per_s=60.0), chips=least).plans
    assert "and the budget is 8; give as many as --chips" in remedy(short)


def test_a_budget_that_is_too_small_names_the_fewest_chips_that_would_do() -> None:
    open_, short = planned(Demand(users=500), ttft_s=None), planned(Demand(users=500), ttft_s=None, chips=8)
    assert not short.plans
    assert min(one.needed_chips for one in short.rejected if one.needed_chips is not None) == chips(open_)
    assert f"the load needs {chips(open_):,} chips" in remedy(short)
    assert all(one.replicas * one.layout.chips <= 8 for one in short.front)


def test_a_surer_plan_keeps_the_limit_at_that_side_of_its_interval() -> None:
    sure = planned(Demand(requests_per_s=20.0, sure=0.9)).plans[0]
    assert sure.tpot_high_s <= TPOT_S * (1 + 1e-9)  # 90 % is the upper end of an 80 % interval
    assert sure.ttft_high_s <= TTFT_S * (1 + 1e-9)
    assert planned(Demand(requests_per_s=20.0)).plans[0].tpot_high_s > TPOT_S


def test_a_batch_that_is_asked_for_is_taken_and_one_that_does_not_fit_is_refused_with_what_does() -> None:
    found = planned(Demand(batch=64))
    assert {one.batch for one in found.plans} == {64}
    assert {one.limited_by for one in found.plans} <= {Constraint.LOAD, Constraint.MEMORY, Constraint.ENGINE}
    large = planned(Demand(batch=100_000))
    assert not large.plans
    most = max(one.most_requests for one in large.rejected if one.most_requests is not None)
    assert f"at most {most:,} requests at once, and 100,000 are asked for; give a smaller --batch" in remedy(large)
    assert planned(Demand(batch=most), tpot_s=None, ttft_s=None).plans


def test_a_later_quantile_of_the_queue_is_longer() -> None:
    times = [
        next(
            one.ttft_s
            for one in planned(Demand(requests_per_s=20.0, ttft_quantile=quantile), ttft_s=60.0).plans
            if str(one.layout) == "tp4"
        )
        for quantile in (0.5, 0.9, 0.99)
    ]
    assert times == sorted(times)
    assert times[0] < times[-1]


@given(mean=st.floats(0.0, 10.0), busy=st.floats(0.01, 0.99))
def test_quantiles_of_a_wait_have_its_mean(mean: float, busy: float) -> None:
    """It is the integral of quantiles; 1 % for the middle rule over 20,000 of them, whose last are the longest."""
    count = 20_000
    waits = [wait_quantile_s(mean_wait_s=mean, busy=busy, quantile=(k + 0.5) / count) for k in range(count)]
    assert float(sum(waits)) / count == pytest.approx(mean, rel=0.01, abs=1e-9)


@pytest.mark.parametrize(
    ("given_", "said"),
    [
        ({"users": 5, "requests_per_s": 1.0}, "each say how much is under way"),
        ({"users": 0}, "users=0 must be a whole number from 1 up"),
        ({"requests_per_s": 0.0}, "must be above 0 and finite"),
        ({"sure": 1.0}, "sure=1.0 must be at least 0.5 and below 1"),
        ({"ttft_quantile": 0.1}, "ttft_quantile=0.1 must be at least 0.5"),
    ],
)
def test_what_is_no_load_is_refused(given_: dict[str, float], said: str) -> None:
    with pytest.raises(RidgelineError, match=said):
        Demand(**given_)  # type: ignore[arg-type]


def test_a_load_beyond_all_replicas_is_said_and_one_beyond_a_domain_finds_its_replica() -> None:
    endless = planned(Demand(requests_per_s=1e9))
    assert not endless.plans
    assert any("replicas are the most that are planned" in one.reason for one in endless.rejected)
    wide = plan("llama-3.1-405b", "h100-sxm", prompt_tokens=1000, output_tokens=200, demand=Demand(users=20))
    assert wide.plans[0].layout.chips > 8  # its weights in 16 bits fill more than one node


@pytest.mark.parametrize("users", [3, 61, 100])
def test_every_group_has_whole_sequences(users: int) -> None:
    found = plan("deepseek-v3", "h200-sxm", prompt_tokens=1000, output_tokens=200, demand=Demand(users=users), chips=8)
    for one in found.plans[::3]:
        assert one.batch % one.layout.dp == 0
        assert one.batch >= one.layout.dp
        assert one.memory.kv_bytes > 0


def test_a_plan_for_a_rate_says_how_much_more_its_replicas_would_take() -> None:
    """At that rate one replica serves, at 1 % more it takes two: the rate is found to 0.2 % of what is left."""

    def served(rate: float) -> Planning:
        demand = Demand(requests_per_s=rate)
        asked = {"prompt_tokens": 1000, "output_tokens": 500, "tpot_s": 0.012, "chips": 1}
        return plan("llama-3.1-8b", "h100-sxm", demand=demand, **asked)  # type: ignore[arg-type]

    (one,) = served(4.0).plans
    most = one.most_requests_per_s
    assert most is not None
    assert most > one.requests_per_s == 4.0
    (near,) = served(most).plans
    assert near.tpot_s <= 0.012
    assert near.most_requests_per_s == pytest.approx(most, rel=5e-3)
    assert not served(1.01 * most).plans


def test_a_plan_that_is_cheaper_on_more_chips_says_the_chips_and_their_price() -> None:
    """A load ranks by chips: 2 % is where costs tie, and 40 % less is no tie."""
    found = plan("llama-3.1-70b", "h100-sxm", prompt_tokens=1000, output_tokens=1000, demand=Demand(users=64))
    best = found.plans[0]
    cheaper = [one for one in found.plans if one.paid_chip_s_per_request < 0.95 * best.paid_chip_s_per_request]
    assert cheaper
    for one in cheaper:
        said = why_dearer(one, best, has_load=True)
        assert said.startswith(f"takes {one.replicas * one.layout.chips + one.idle_chips} chips, not {found.chips}: $")
        assert "tell apart" not in said
    layout = cheaper[0].layout
    asked = plan(
        "llama-3.1-70b", "h100-sxm", prompt_tokens=1000, output_tokens=1000, demand=Demand(users=64), why_not=layout
    )
    assert asked.why_not is not None
    assert asked.why_not.reason == why_dearer(cheaper[0], best, has_load=True)
