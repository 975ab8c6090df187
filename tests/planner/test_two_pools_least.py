"""Pairs of layouts that the search for two pools leaves out before it evaluates them: none of them costs less."""

from __future__ import annotations

import dataclasses
import functools

import numpy as np
import pytest

from ridgeline.numeric import ROUNDING
from ridgeline.planner.candidates import candidates
from ridgeline.planner.rejection import Candidate, rejection_of
from ridgeline.planner.two_pools.front import front_of
from ridgeline.planner.two_pools.matching import best_matches, match_of, rank_of
from ridgeline.planner.two_pools.replicas import served
from ridgeline.planner.two_pools.sides import Reader, Writer, batches_of, best_readers, readers_of, times_of, writers_of
from ridgeline.planner.two_pools.terms import Terms
from ridgeline.specs.demand import Demand
from ridgeline.specs.workload import Workload
from ridgeline.verbs import deploy

MACHINE = "h100-sxm"
WORKLOAD = Workload(prompt_tokens=2000, output_tokens=500, tpot_s=0.03, ttft_s=0.4)
CHIPS = 16
USD_PER_J = 0.5 / 3.6e6
"""Price of electricity, several times the usual, so that it decides between layouts."""

DEMANDS = [
    (Demand(), CHIPS),
    (Demand(site_power_w=5000.0, pue=1.2), CHIPS),
    (Demand(site_power_w=5000.0, pue=1.2, electricity_usd_per_j=USD_PER_J), CHIPS),
    (Demand(requests_per_s=20.0, electricity_usd_per_j=USD_PER_J), None),
    (Demand(requests_per_s=20.0, site_power_w=4000.0), None),
    (Demand(users=150), None),
    (Demand(users=150, site_power_w=6000.0, electricity_usd_per_j=USD_PER_J), CHIPS),
]
"""Loads, limits on power and prices of electricity, each with the budget of chips."""


@functools.cache
def asked(demand: Demand, chips: int | None) -> tuple[list[Reader], list[Writer], Terms]:
    """All layouts of both pools that fit, and the conditions."""
    deployment = deploy("llama-3.1-8b", MACHINE)
    laid = [
        Candidate(deployment=dataclasses.replace(deployment, layout=layout), weights=None)
        for layout in candidates(deployment.model, deployment.machine, CHIPS, prompt_tokens=WORKLOAD.prompt_tokens)
    ]
    able = [one for one in laid if rejection_of(one, WORKLOAD, demand) is None]
    times = times_of(able, WORKLOAD)
    terms = Terms(
        workload=WORKLOAD,
        demand=demand,
        chips={} if chips is None else {MACHINE: chips},
        usd_per_chip_s={MACHINE: 0.5 / 3600},
    )
    return best_readers(readers_of(able, times, WORKLOAD, demand)), writers_of(able, times, WORKLOAD, demand), terms


@pytest.mark.parametrize(("demand", "chips"), DEMANDS)
def test_of_all_pairs_of_a_decode_layout_the_first_in_rank_is_found(demand: Demand, chips: int | None) -> None:
    readers, writers, terms = asked(demand, chips)
    able = [one for one in writers if one.best is not None]
    found = {one.writer.deployment.layout: rank_of(one, terms) for one in best_matches(readers, able, terms)}
    assert found
    for writer in able:
        matches = [match for reader in readers if (match := match_of(reader, writer, terms)) is not None]
        best = min((rank_of(one, terms) for one in matches), default=None)
        assert found.get(writer.deployment.layout) == best


@pytest.mark.parametrize(("demand", "chips"), DEMANDS)
def test_no_pair_at_any_batch_costs_less_than_the_front(demand: Demand, chips: int | None) -> None:
    readers, writers, terms = asked(demand, chips)
    front = front_of(readers, writers, terms)
    batches = batches_of(writers)
    speed_s = np.array([one.tpot_s for one in front])
    usd = np.array([one.usd_per_request for one in front])
    met: set[int] = set()
    for reader in readers:
        found = served(reader, batches, terms)
        tpot_s, paid = np.take(batches.tpot_s, found.places), np.asarray(found.spent.paid / found.requests_per_s)
        as_fast = np.searchsorted(speed_s, tpot_s, side="right") - 1
        assert np.all(as_fast >= 0)
        assert np.all(paid >= usd[as_fast] * (1 - ROUNDING))
        met.update(as_fast[(tpot_s == speed_s[as_fast]) & (paid == usd[as_fast])].tolist())
    assert met == set(range(len(front)))  # each of its points is one of theirs
