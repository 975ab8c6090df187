"""Power of two pools: both counted, as a limit on their sum, as a cost, and as the sum of what their tokens take."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import re
from collections.abc import Mapping

import numpy as np
import pytest

from ridgeline.errors import RidgelineError
from ridgeline.estimator.placement import replicas_within
from ridgeline.numeric import ROUNDING
from ridgeline.planner.compare import asked_of_stages
from ridgeline.planner.plan import plan
from ridgeline.planner.rejection import Candidate
from ridgeline.planner.two_pools.outcome import TwoPoolPlan, TwoPools
from ridgeline.planner.two_pools.search import plan_two_pools
from ridgeline.planner.two_pools.sides import Reader, Writer, batches_of, readers_of, times_of, writers_of
from ridgeline.planner.two_pools.splits import splits
from ridgeline.planner.two_pools.terms import Terms
from ridgeline.quantity_text import parse_quantity
from ridgeline.serving.energy import drawn
from ridgeline.serving.passes import pool_passes
from ridgeline.specs.demand import AS_MUCH_AS_IT_GIVES, Demand
from ridgeline.specs.layout import Layout
from ridgeline.specs.workload import Workload
from ridgeline.verbs import deploy

WORKLOAD = Workload(prompt_tokens=2000, output_tokens=500, tpot_s=0.05)
USD_PER_J = 0.1 / 3.6e6
CHIPS = 8


@functools.cache
def planned(
    demand: Demand,
    *machines: str,
    chips: int | None = CHIPS,
    price: float | None = 1 / 3600,
    model: str = "llama-3.1-8b",
) -> TwoPools:
    """Plans alone: the front is tested with the two pools."""
    deployments = [deploy(model, machine) for machine in machines or ("h100-sxm",)]
    return plan_two_pools(
        deployments, deployments, WORKLOAD, chips=chips, demand=demand, usd_per_chip_s=price, is_brief=True
    )


@pytest.mark.parametrize(
    ("demand", "machines", "chips"),
    [
        (Demand(pue=1.3), ("h100-sxm",), CHIPS),
        (Demand(site_power_w=3000.0, pue=1.3), ("h100-sxm",), CHIPS),
        pytest.param(Demand(site_power_w=3000.0), ("h100-sxm", "gb200-nvl72"), CHIPS, marks=pytest.mark.slow),
        pytest.param(
            Demand(requests_per_s=20.0, site_power_w=20e3), ("h100-sxm", "gb200-nvl72"), None, marks=pytest.mark.slow
        ),
        (Demand(users=100, electricity_usd_per_j=USD_PER_J), ("h100-sxm",), None),
    ],
)
def test_power_is_that_of_both_pools_and_of_all_tokens(
    demand: Demand, machines: tuple[str, ...], chips: int | None
) -> None:
    found = planned(demand, *machines, chips=chips)
    assert found.plans
    for one in found.plans:
        assert one.energy is not None
        of_parts = sum(part.chips * power_of(part.chip_power_w) for part in (one.prefill, one.decode))
        assert one.energy.site_power_w == pytest.approx(demand.pue * of_parts, rel=1e-12)
        per_request_j = (
            one.energy.energy_j_per_input_token * WORKLOAD.prompt_tokens
            + one.energy.energy_j_per_output_token * WORKLOAD.output_tokens
        )
        assert one.energy.site_power_w == pytest.approx(one.requests_per_s * per_request_j, rel=1e-12)
        if demand.site_power_w is not None:
            assert one.energy.site_power_w <= demand.site_power_w * (1 + ROUNDING)


def power_of(chip_power_w: float | None) -> float:
    assert chip_power_w is not None
    return chip_power_w


def sides(layouts: tuple[Layout, ...], demand: Demand) -> tuple[list[Reader], list[Writer]]:
    deployment = deploy("llama-3.1-8b", "h100-sxm")
    laid = [Candidate(deployment=dataclasses.replace(deployment, layout=one), weights=None) for one in layouts]
    times = times_of(laid, WORKLOAD)
    return readers_of(laid, times, WORKLOAD, demand), writers_of(laid, times, WORKLOAD, demand)


@pytest.mark.parametrize("most_w", [900.0, 1500.0, 2500.0, 4000.0, 1e9])
def test_no_split_within_the_power_serves_more(most_w: float) -> None:
    """Every number of replicas of both by itself, with power by the time in which each works."""
    demand = Demand(site_power_w=most_w, pue=1.1)
    readers, writers = sides((Layout(tp=1), Layout(tp=2), Layout(tp=1, pp=2)), demand)
    for reader, writer in itertools.product(readers, writers):
        place = writer.best
        assert place is not None
        machine = reader.deployment.machine
        terms = Terms(workload=WORKLOAD, demand=demand, chips={machine.id: CHIPS}, usd_per_chip_s={})
        found = splits(reader, writer.at(place), terms)
        places = np.array([place])
        assert found == tuple(np.asarray(one).item() for one in splits(reader, batches_of([writer]).at(places), terms))
        _, _, served = found
        best = 0.0
        for reads, writes in itertools.product(range(1, CHIPS), repeat=2):
            left = CHIPS - writes * writer.chips
            if left < reader.chips or reads > replicas_within(machine.fabric, left, reader.chips):
                continue
            rate = min(reads * reader.prompts_per_s, writes * float(writer.requests_per_s[place]))
            watts = demand.pue * (
                reads * reader.chips * reading_w(reader, rate / reads)
                + writes * writer.chips * writing_w(writer, rate / writes)
            )
            if watts <= most_w:
                best = max(best, rate)
        assert served == pytest.approx(best, rel=1e-9)


def test_ten_million_chips_serve_as_much_as_copies_of_few() -> None:
    """At once: the edge is looked for by halves, and not among all splits."""
    readers, writers = sides((Layout(tp=1), Layout(tp=2)), Demand())
    for reader, writer in itertools.product(readers, writers):
        few, many = (
            splits(
                reader,
                batches_of([writer]),
                Terms(
                    workload=WORKLOAD,
                    demand=Demand(),
                    chips={reader.deployment.machine.id: copies * CHIPS},
                    usd_per_chip_s={},
                ),
            )[2]
            for copies in (1, 1_000_000)
        )
        assert np.all(many >= 1_000_000 * few * (1 - ROUNDING))  # products rounded in another order


def reading_w(reader: Reader, rate: float) -> float:
    """Power of a chip that reads so many prompts a second, and waits the rest of the time."""
    found = drawn(
        pool_passes(reader.deployment, WORKLOAD, 1.0),
        decoding=np.ones(1),
        decode_fraction=np.zeros(1),
        busy=rate / reader.prompts_per_s,
        most_w=700.0,
    )
    return float(found.chip_power_w[0])


def writing_w(writer: Writer, rate: float) -> float:
    """Power of a chip that finishes so many requests a second, and waits the rest of the time."""
    place = writer.best or 0
    found = drawn(
        pool_passes(writer.deployment, WORKLOAD, float(writer.batch[place])),
        decoding=writer.batch[place : place + 1],
        decode_fraction=np.ones(1),
        busy=rate / float(writer.requests_per_s[place]),
        most_w=700.0,
    )
    return float(found.chip_power_w[0])


@pytest.mark.parametrize("demand", [AS_MUCH_AS_IT_GIVES, Demand(requests_per_s=20.0)])
def test_electricity_is_added_to_the_price_of_chips(demand: Demand) -> None:
    free, paid = (
        planned(one, chips=None if demand.has_load else CHIPS).plans
        for one in (demand, dataclasses.replace(demand, electricity_usd_per_j=USD_PER_J, pue=1.3))
    )
    without, given = free[0], next(one for one in paid if layouts(one) == layouts(free[0]))
    assert given.energy is not None
    assert given.usd_per_output_token == pytest.approx(
        (without.usd_per_output_token or 0) + USD_PER_J * given.energy.energy_j_per_output_token, rel=1e-12
    )
    hourly = (without.usd_per_h or 0) + 3600 * USD_PER_J * given.energy.site_power_w
    assert given.usd_per_h == pytest.approx(hourly, rel=1e-12)
    # As chip-seconds of the one price that all chips have.
    per_request = (given.usd_per_h or 0) / given.requests_per_s
    assert given.paid_chip_s_per_request == pytest.approx(per_request, rel=1e-12)


def layouts(one: TwoPoolPlan) -> tuple[Layout, Layout]:
    return one.prefill.deployment.layout, one.decode.deployment.layout


def test_dear_electricity_decides_the_rank() -> None:
    """At a price of chips that hardly counts, pairs come in the order of their energy, and of what stages must save."""
    found = planned(Demand(electricity_usd_per_j=USD_PER_J), price=1e-9)
    energy = [
        one.energy.site_power_w / one.requests_per_s * (1 + asked_of_stages(max(layout.pp for layout in layouts(one))))
        for one in found.plans
        if one.energy
    ]
    assert len(energy) > 3
    # What chips cost at that price is some 3e-5 of it.
    assert energy == pytest.approx(sorted(energy), rel=1e-4)


@pytest.mark.parametrize("pools", [1, 2])
def test_what_a_price_does_to_a_cost_is_what_a_dearer_one_does(pools: int) -> None:
    """One percent more of each price, on the same plan."""

    def cost(price: float, usd_per_j: float) -> tuple[float, Mapping[str, float]]:
        demand = Demand(electricity_usd_per_j=usd_per_j, pue=1.2)
        deployment = deploy("llama-3.1-8b", "h100-sxm")
        found = (
            plan_two_pools([deployment], [deployment], WORKLOAD, chips=5, demand=demand, usd_per_chip_s=price)
            if pools > 1
            else plan(deployment, WORKLOAD, chips=5, demand=demand, usd_per_chip_s=price)
        )
        return (found.plans[0].usd_per_h or 0) / found.plans[0].requests_per_s, found.elasticities

    (base, said), (dearer, _), (charged, _) = (
        cost(*prices) for prices in ((1 / 3600, USD_PER_J), (1 / 3600, USD_PER_J * 1.01), (1.01 / 3600, USD_PER_J))
    )
    assert 0.02 < said["usd_per_request:electricity_usd_per_j"] < 0.3
    # A cost is linear in either price, so that what one percent adds is a hundredth of its part.
    assert 100 * (dearer / base - 1) == pytest.approx(said["usd_per_request:electricity_usd_per_j"], rel=1e-6)
    assert 100 * (charged / base - 1) == pytest.approx(said["usd_per_request:usd_per_chip_s"], rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("machines", "chips", "load"),
    [
        (("h100-sxm",), None, {}),
        (("h100-sxm",), CHIPS, {}),
        (("h100-sxm", "gb200-nvl72"), None, {}),
        (("h100-sxm", "gb200-nvl72"), CHIPS, {}),
        (("h100-sxm",), None, {"requests_per_s": 5.0}),
    ],
)
def test_the_power_that_a_remedy_names_is_enough_and_no_less_is(
    machines: tuple[str, ...], chips: int | None, load: dict[str, float]
) -> None:
    demand = Demand(site_power_w=100.0, pue=1.3, **load)  # type: ignore[arg-type]  # one field by its name
    asked = {"chips": chips, "model": "llama-3.1-70b"}
    said = re.search(r"give --power (\S+?)(,|$)", planned(demand, *machines, **asked).remedy)
    assert said is not None
    least_w = parse_quantity(said[1], "w")
    enough, less = (
        planned(dataclasses.replace(demand, site_power_w=watts), *machines, **asked)
        for watts in (least_w, 0.98 * least_w)  # named to three digits, rounded up: by 1 % at most
    )
    assert enough.plans
    assert not less.plans


@pytest.mark.parametrize("machines", [("h100-sxm",), ("h100-sxm", "gb200-nvl72")], ids="-".join)
def test_a_limit_alone_feeds_of_each_pair_as_much_as_it_draws_for(machines: tuple[str, ...]) -> None:
    """More than chips that draw what their spec sheet says, and no room for a balanced pair beside."""
    most_w = 10e3
    found = planned(Demand(site_power_w=most_w, pue=1.25), *machines, chips=None)
    assert found.chips is None
    assert found.plans
    for one in found.plans:
        assert one.energy is not None
        assert one.energy.site_power_w <= most_w * (1 + ROUNDING)
        of_replica = [part.chips / part.replicas * (part.chip_power_w or 0.0) for part in (one.prefill, one.decode)]
        assert one.energy.site_power_w + 1.25 * sum(of_replica) > most_w
    assert max(one.chips for one in found.plans) > most_w / 1.25 / 700


def test_power_that_is_not_known_is_refused() -> None:
    with pytest.raises(RidgelineError, match="power of a chip of tpu-v7 is not known"):
        planned(Demand(site_power_w=1e6), "h100-sxm", "tpu-v7")
    assert all(one.energy is None for one in planned(AS_MUCH_AS_IT_GIVES, "tpu-v7").plans)
