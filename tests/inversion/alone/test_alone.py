"""What prices say by themselves, at limits where one can see what it must be."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pytest

from ridgeline.equations import evidence
from ridgeline.inversion.alone.belief import Belief, believed, logarithms
from ridgeline.inversion.alone.output import batches_before, batches_by_step, output_alone, output_pinned
from ridgeline.inversion.alone.step import read_bytes_before, step_alone, step_pinned
from ridgeline.inversion.alone.tiers import CachePrices, held_over_cost, tiers_alone, tiers_as_costs, tiers_before
from ridgeline.inversion.intervals import INFORMED_NATS
from ridgeline.inversion.machines import TIERS, Candidates, candidates
from ridgeline.inversion.priors import LogNormal, priors

KNOWN = priors()
MODEL = {"active_params": 100e9, "bytes_per_param": 1.0, "balance_ratio": 300.0}
LENGTHS = {"context_tokens": 20e3, "crossover_tokens": 200e3}


def machines(provider: str) -> Candidates:
    return candidates(KNOWN.machines_of(provider), dt.date(2026, 11, 20), KNOWN.chances.eight_bits)


GOOGLE, ANTHROPIC = machines("google"), machines("anthropic")


def test_quantiles_of_a_grid_are_a_normal_variables() -> None:
    logs = logarithms(1e-3, 1e3)
    found = believed(logs, -0.5 * logs**2).interval()
    # The cells' own width adds a thousandth to a deviation of one.
    assert np.log(found.p95) == pytest.approx(1.645, abs=0.002)
    assert np.log(found.p25) == pytest.approx(-0.674, abs=0.002)
    assert believed(logs, -0.5 * logs**2).above(1.0) == pytest.approx(0.5, abs=0.01)  # half a cell


def test_what_nothing_was_learnt_of_is_where_it_was() -> None:
    before = batches_before(KNOWN, ANTHROPIC)
    assert before.learnt_nats(before) == pytest.approx(0)
    assert before.overlap(before) == pytest.approx(1)
    moved = Belief(logs=before.logs + 1.0, chances=before.chances)
    variance = float(np.sum(before.chances * (before.logs - np.sum(before.chances * before.logs)) ** 2))
    assert moved.learnt_nats(before) == pytest.approx(0.5 / variance)
    # Batches spread by 1.82, and by what machines and experts ask of them more.
    assert variance > LogNormal.stated(KNOWN.unknowns["batch"]).log_sd ** 2


def test_a_sum_with_a_cut_variable_is_the_mean_over_draws() -> None:
    draws = np.random.default_rng(0).standard_normal((2, 400_000))
    added = 0.5 + 1.2 * draws[0] + np.minimum(-0.3 + 0.8 * draws[1], 0)
    cut = {"mean": -0.3, "sd": 0.8}
    assert np.mean(added) == pytest.approx(0.5 + float(evidence.capped_mean(**cut)), abs=0.01)  # 4 standard errors
    assert np.var(added) == pytest.approx(1.44 + float(evidence.capped_variance(**cut)), rel=0.01)
    for value in (-2.0, 0.0, 1.5):
        density = evidence.capped_sum_density(value=value, mean=0.5, sd=1.2, capped_mean=-0.3, capped_sd=0.8)
        near = np.mean(np.abs(added - value) < 0.05) / 0.1
        assert float(density) == pytest.approx(near, rel=0.04)  # 20,000 draws in a cell, and its width


def test_each_further_model_with_the_step_makes_a_crossover_less_likely_by_as_much() -> None:
    one, two, three = (
        step_alone(KNOWN, GOOGLE, step_tokens=200e3, models=models).crossover_chance for models in (1, 2, 3)
    )
    odds = [chance / (1 - chance) for chance in (one, two, three)]
    assert one < KNOWN.chances.crossover
    assert odds[1] / odds[0] == pytest.approx(odds[2] / odds[1])
    assert odds[1] / odds[0] < 0.1


def test_a_step_that_is_surely_policy_leaves_the_prior() -> None:
    found = step_alone(KNOWN, GOOGLE, step_tokens=200e3, models=20)
    assert found.read_bytes.learnt_nats(read_bytes_before(KNOWN)) < 1e-9


def test_his_bytes_are_inverse_to_the_step_but_for_what_the_prior_pulls() -> None:
    near, far = (step_pinned(KNOWN, step_tokens=step, **MODEL).interval() for step in (200e3, 2e6))
    kept = LogNormal.stated(KNOWN.unknowns["kv_bytes_per_token"]).log_sd ** 2
    part = kept / (kept + KNOWN.fixed.threshold_log_sd**2)
    assert np.log(near.p50 / far.p50) == pytest.approx(part * np.log(10), rel=1e-3)


def test_his_two_readings_have_nothing_in_common() -> None:
    """D7: of output a fifth of a balance batch, of the step several."""
    before = batches_before(KNOWN, ANTHROPIC)
    output = output_pinned(before, price_ratio=5.0, rounding_log_sd=0.06, **LENGTHS)
    step = batches_by_step(KNOWN, before)
    assert output.interval().p95 < 0.3
    assert step.interval().p05 > 1
    assert output.overlap(step) < 1e-9
    # An output that costs as much as input says nothing against a large batch.
    assert output_pinned(before, price_ratio=1.0, rounding_log_sd=0.06, **LENGTHS).overlap(step) > 0.4


def test_a_dearer_output_means_a_smaller_batch() -> None:
    even, dear, dearest = (
        output_alone(KNOWN, ANTHROPIC, price_ratio=ratio, rounding_log_sd=0.06, is_policy=False).interval().p50
        for ratio in (1.0, 5.0, 20.0)
    )
    assert dearest < dear < even


def test_a_ratio_says_little_and_less_where_it_is_policy() -> None:
    before = batches_before(KNOWN, ANTHROPIC)
    alone, policy = (
        output_alone(KNOWN, ANTHROPIC, price_ratio=5.0, rounding_log_sd=0.06, is_policy=is_policy).learnt_nats(before)
        for is_policy in (False, True)
    )
    assert policy < alone < INFORMED_NATS


def prices(**changed: float) -> CachePrices:
    given = {"cached_usd": 0.5e-6, "hold_usd_per_s": 1.136e-9, "cached_log_sd": 0.06, "hold_log_sd": 0.0}
    return CachePrices(**(given | changed))


def test_tiers_chances_are_chances_and_policy_brings_them_nearer_to_the_prior() -> None:
    before = tiers_before(KNOWN)
    far = []
    for is_policy in (False, True):
        found = tiers_alone(KNOWN, ANTHROPIC, prices(), is_policy=is_policy)
        assert sum(found.values()) == pytest.approx(1)
        far.append(sum(abs(found[name] - before[name]) for name in TIERS))
    assert far[1] < far[0]


def test_the_dearer_holding_is_the_faster_the_tier() -> None:
    cheap, dear = (tiers_alone(KNOWN, ANTHROPIC, prices(hold_usd_per_s=usd), is_policy=False) for usd in (1e-13, 1e-9))
    assert dear["HBM"] > cheap["HBM"]
    assert dear["flash"] < cheap["flash"]


def test_a_price_that_is_a_tiers_cost_is_taken_for_that_tier() -> None:
    """Of a found token and a held one at what a machine's flash takes, at nothing over."""
    machine = int(np.argmax(ANTHROPIC.chances))
    flash = TIERS.index("flash")
    resident = float(ANTHROPIC.hbm_usd_per_byte_s[machine]) * KNOWN.fixed.request_s
    asked = prices(
        cached_usd=2e3 * (float(ANTHROPIC.read_usd_per_byte[machine][flash]) + resident),
        hold_usd_per_s=2e3 * float(ANTHROPIC.hold_usd_per_byte_s[machine][flash]),
    )
    assert tiers_as_costs(KNOWN, ANTHROPIC, asked, kv_bytes_per_token=2e3)["flash"] == pytest.approx(1)
    assert held_over_cost(ANTHROPIC, asked, kv_bytes_per_token=2e3)["flash"] == pytest.approx(1)
