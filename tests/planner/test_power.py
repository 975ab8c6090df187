"""Power of a plan at the point at which it runs: as a limit, as a cost, and as the sum of what its tokens take."""

from __future__ import annotations

import dataclasses
import functools
import re

import pytest

from ridgeline.errors import RidgelineError
from ridgeline.estimator.placement import replicas_within
from ridgeline.numeric import ROUNDING
from ridgeline.planner.compare import remedy
from ridgeline.planner.outcome import Constraint, Planning
from ridgeline.planner.plan import plan
from ridgeline.quantity_text import parse_quantity
from ridgeline.specs.demand import Demand
from ridgeline.specs.workload import Workload
from ridgeline.verbs import deploy, load_machine

WORKLOAD = Workload(prompt_tokens=4000, output_tokens=1000)
USD_PER_J = 0.08 / 3.6e6


@functools.cache
def planned(
    demand: Demand, *, chips: int | None = 16, price: float = 1 / 3600, workload: Workload = WORKLOAD
) -> Planning:
    return plan(deploy("llama-3.1-70b", "h100-sxm"), workload, chips=chips, demand=demand, usd_per_chip_s=price)


@pytest.mark.parametrize("demand", [Demand(pue=1.3), Demand(requests_per_s=0.7), Demand(users=100)], ids=str)
def test_the_energy_of_tokens_adds_up_to_the_power(demand: Demand) -> None:
    for one in planned(demand).plans[::3]:
        assert one.energy is not None
        per_request_j = (
            one.energy.energy_j_per_output_token * WORKLOAD.output_tokens
            + one.energy.energy_j_per_input_token * WORKLOAD.prompt_tokens
        )
        assert one.energy.site_power_w == pytest.approx(one.requests_per_s * per_request_j, rel=1e-12)
        chips = one.replicas * one.layout.chips
        assert one.energy.site_power_w == pytest.approx(demand.pue * chips * one.energy.chip_power_w, rel=1e-12)
        assert 0.115 * 700 < one.energy.chip_power_w < 700


def test_a_replica_that_waits_draws_less() -> None:
    """Of a load that a fraction of it would serve."""
    much, little = (planned(Demand(requests_per_s=rate)).plans[-1].energy for rate in (0.5, 0.01))
    assert much is not None
    assert little is not None
    assert 0.115 * 700 < little.chip_power_w < much.chip_power_w


@pytest.mark.parametrize("most_w", [3e3, 5e3, 8e3, 1e9])
def test_as_many_replicas_run_as_there_is_power_for(most_w: float) -> None:
    found, free = (planned(one) for one in (Demand(site_power_w=most_w, pue=1.2), Demand(pue=1.2)))
    assert found.plans
    for one in found.plans[::3]:
        assert one.energy is not None
        of_one = one.energy.site_power_w / one.replicas
        assert one.energy.site_power_w <= most_w * (1 + ROUNDING)
        room = replicas_within(load_machine("h100-sxm").fabric, 16, one.layout.chips)
        assert of_one * (one.replicas + 1) > most_w or one.replicas == room
    for other in found.rejected:
        assert other.kind is not Constraint.POWER or (other.needed_power_w or 0.0) > most_w
    if most_w == 1e9:
        assert found.plans[0] == free.plans[0]


@pytest.mark.slow
def test_a_limit_prefers_the_layout_that_serves_most_for_it() -> None:
    """Of all layouts and batches, by hand."""
    demand = Demand(site_power_w=4000.0)
    best = planned(demand).plans[0]
    deployment = deploy("llama-3.1-70b", "h100-sxm")
    tried = {str(one.layout) for one in planned(Demand()).plans}
    found = []
    for batch in (1, 8, 32, 64, 96, 108, 128, 256):
        asked = plan(deployment, WORKLOAD, chips=16, demand=dataclasses.replace(demand, batch=batch), is_brief=True)
        found += [one.requests_per_s for one in asked.plans if str(one.layout) in tried]
    # Of plans within 2 % the simplest comes first, or within 5 % one without stages; a batch, where it is 1 % cheaper.
    assert best.requests_per_s > max(found) * (1 - 0.05 - 0.01)


def test_a_load_that_needs_more_power_is_told_what_it_needs() -> None:
    demand = Demand(requests_per_s=10.0)
    needed = planned(demand, chips=None)
    least_w = min(one.energy.site_power_w for one in needed.plans if one.energy)
    found = planned(dataclasses.replace(demand, site_power_w=0.8 * least_w), chips=None)
    rejected = [one for one in found.rejected if one.kind is Constraint.POWER]
    assert rejected
    assert all(one.needed_power_w and one.needed_power_w > 0.8 * least_w for one in rejected)
    assert "what serves the load draws" in rejected[0].reason


def test_electricity_is_added_to_the_price_of_chips() -> None:
    without, given = (planned(one).plans[0] for one in (Demand(), Demand(electricity_usd_per_j=USD_PER_J, pue=1.3)))
    assert (given.layout, given.batch) == (without.layout, without.batch)
    assert given.energy is not None
    added = USD_PER_J * given.energy.energy_j_per_output_token
    assert given.energy.electricity_usd_per_output_token == pytest.approx(added, rel=1e-12)
    assert given.usd_per_output_token == pytest.approx((without.usd_per_output_token or 0) + added, rel=1e-12)
    hourly = USD_PER_J * 3600 * given.energy.site_power_w
    assert given.usd_per_h == pytest.approx((without.usd_per_h or 0) + hourly, rel=1e-12)
    per_request = (given.usd_per_h or 0) / 3600 / given.requests_per_s
    assert given.paid_chip_s_per_request / 3600 == pytest.approx(per_request, rel=1e-12)


def test_dear_electricity_decides_the_rank() -> None:
    """At a price of chips that hardly counts, plans come in the order of their energy."""
    found = planned(Demand(electricity_usd_per_j=USD_PER_J), price=1e-9)
    energy = [one.energy.site_power_w / one.requests_per_s for one in found.plans[1::3] if one.energy]
    assert energy == sorted(energy)


def test_power_that_is_not_known_is_no_limit() -> None:
    deployment = deploy("llama-3.1-8b", "tpu-v7")
    assert plan(deployment, WORKLOAD, chips=4).plans[0].energy is None
    with pytest.raises(RidgelineError, match="power of a chip of tpu-v7 is not known"):
        plan(deployment, WORKLOAD, chips=4, demand=Demand(site_power_w=1e6))


def test_a_limit_alone_feeds_of_each_layout_as_many_replicas_as_it_draws_for() -> None:
    """Sized by the spec sheet's power, a layout that draws three quarters of it would leave a quarter unused."""
    most_w = 20e3
    found = planned(Demand(site_power_w=most_w, pue=1.25), chips=None)
    assert found.is_fed
    assert len({one.replicas * one.layout.chips for one in found.plans}) > 1
    for one in found.plans:
        assert one.energy is not None
        assert one.energy.site_power_w <= most_w * (1 + ROUNDING)
        assert one.energy.site_power_w * (one.replicas + 1) / one.replicas > most_w
    best = found.plans[0]
    assert found.chips == best.replicas * best.layout.chips + best.idle_chips


def test_a_batch_that_power_bounds_is_told_so_and_one_that_a_latency_bounds_is_told_that() -> None:
    fed = planned(Demand(site_power_w=1e3), chips=None).plans[0]
    assert fed.limited_by is Constraint.POWER
    hurried = planned(Demand(), workload=dataclasses.replace(WORKLOAD, tpot_s=0.02)).plans[0]
    assert hurried.limited_by is Constraint.TPOT


def test_ten_times_the_power_is_ten_times_the_fleet_and_electricity_changes_neither() -> None:
    """But for whole replicas: of 8 chips and less, a hundred and more each."""
    one, ten = (planned(Demand(site_power_w=watts, pue=1.3), chips=None) for watts in (1e6, 1e7))
    paid = planned(Demand(site_power_w=1e6, pue=1.3, electricity_usd_per_j=USD_PER_J), price=2.95 / 3600, chips=None)
    assert one.plans[0].layout == ten.plans[0].layout == paid.plans[0].layout
    assert one.plans[0].batch == ten.plans[0].batch == paid.plans[0].batch
    assert paid.plans[0].replicas == one.plans[0].replicas
    most, fewest = ten.plans[0].replicas, 10 * one.plans[0].replicas
    assert fewest <= most < fewest + 10
    assert [item.layout for item in one.plans[:5]] == [item.layout for item in ten.plans[:5]]


@pytest.mark.parametrize(
    ("chips", "load"), [(None, {}), (16, {}), (None, {"requests_per_s": 2.0})], ids=("alone", "chips", "load")
)
def test_the_power_that_a_remedy_names_is_enough_and_no_less_is(chips: int | None, load: dict[str, float]) -> None:
    demand = Demand(site_power_w=100.0, pue=1.3, **load)  # type: ignore[arg-type]  # one field by its name
    said = re.search(r"give --power (\S+?)(,|$)", remedy(planned(demand, chips=chips)))
    assert said is not None
    least_w = parse_quantity(said[1], "w")
    enough, less = (
        planned(dataclasses.replace(demand, site_power_w=watts), chips=chips)
        for watts in (least_w, 0.98 * least_w)  # named to three digits, rounded up: by 1 % at most
    )
    assert enough.plans
    assert not less.plans


@pytest.mark.parametrize("model_id", ["llama-3.1-70b", pytest.param("deepseek-v3", marks=pytest.mark.slow)])
def test_power_alone_feeds_as_many_replicas_of_the_best_plan_as_there_is_power_for(model_id: str) -> None:
    """Chips draw less than their sheet says, by which one would give up a tenth of them."""
    most_w = 1e6
    found = plan(deploy(model_id, "h200-sxm"), WORKLOAD, demand=Demand(site_power_w=most_w), is_brief=True)
    best = found.plans[0]
    assert best.energy is not None
    one_w = best.energy.site_power_w / best.replicas
    assert best.energy.site_power_w <= most_w * (1 + ROUNDING) < best.energy.site_power_w + one_w
    by_sheet = most_w // (load_machine("h200-sxm").chip.power_w or 0.0)
    assert best.replicas * best.layout.chips > by_sheet
