"""What one price says in closed form is what the sampler finds from that price alone."""

from __future__ import annotations

import dataclasses
import datetime as dt
from typing import Any

import pytest
from frozendict import frozendict

from ridgeline.inversion import infer as inference
from ridgeline.inversion.alone.output import batches_before, output_alone, output_pinned
from ridgeline.inversion.alone.step import read_bytes_before, step_alone, step_pinned
from ridgeline.inversion.alone.tiers import CachePrices, tiers_alone, tiers_as_costs
from ridgeline.inversion.assumed import NOTHING, Assumed, assumed_of
from ridgeline.inversion.evidence import Evidence, Multiplier, Step, rounding_log_sd
from ridgeline.inversion.infer import Inference, infer
from ridgeline.inversion.intervals import Interval
from ridgeline.inversion.machines import Candidates, candidates
from ridgeline.inversion.priors import Priors, priors
from ridgeline.inversion.readings import BOARD_ASSUMES, LARGE_BATCH

pytestmark = pytest.mark.slow

DAY = dt.date(2026, 11, 20)
SAYS_NOTHING = 50.0
"""Deviation of a price's logarithm that leaves all open, where what is asked for spreads by 2."""
DRAWS = 2**16
PART = 0.01
"""Of the half-width of 90 %, within which quantiles agree: over eight seeds the sampler's spread by 0.0044 at most."""
PRIOR_PART = 0.04
"""The same of priors, which are drawn 8,192 times: at the 5 % point two standard errors are 0.03."""
WALKED_PART = 0.06
"""The same of a walk of 3,300 effective draws: two standard errors are 0.045."""
CHANCE = 0.005
"""Of a tier's chance: where prices are policy the sampler measures their spread by 2,048 draws, 1.6 % off."""


def given(provider: str, usd: dict[str, float], **more: Any) -> Evidence:  # noqa: ANN401  fields by name
    found = Evidence(
        name="a list",
        provider=provider,
        date=DAY,
        usd=usd,
        rounding_log_sd={name: rounding_log_sd(one) for name, one in usd.items()},
    )
    return dataclasses.replace(found, **more)


def machines(provider: str) -> Candidates:
    known = priors()
    eight_bits = 1.0 if provider == "lecture" else known.chances.eight_bits
    return candidates(known.machines_of(provider), DAY, eight_bits)


def sampled(evidence: Evidence, assumed: Assumed = NOTHING) -> Inference:
    return infer(evidence, assumed=assumed, is_preview=True, draws=DRAWS)


def assert_alike(closed: Interval, drawn: Interval, part: float = PART) -> None:
    """In logarithms, beside the width of what was drawn."""
    width = (drawn.p95 / drawn.p05) ** (part / 2)
    for name in ("p05", "p25", "p50", "p75", "p95"):
        ours, theirs = getattr(closed, name), getattr(drawn, name)
        assert theirs / width < ours < theirs * width, (name, ours, theirs)


def step_only(provider: str, models: int) -> Evidence:
    step = Step(threshold_tokens=200e3, shared_by=models, input_span=1.0)
    return given(provider, {"input": 1e-6}, rounding_log_sd={"input": SAYS_NOTHING}, step=step)


@pytest.mark.parametrize("models", [1, 3])
def test_a_step_alone(models: int) -> None:
    found = sampled(step_only("google", models))
    closed = step_alone(priors(), machines("google"), step_tokens=200e3, models=models)
    unknown = found.unknown("read_bytes_per_token")
    assert_alike(read_bytes_before(priors()).interval(), unknown.prior, PRIOR_PART)
    assert_alike(closed.read_bytes.interval(), unknown.posterior)
    question = next(one for one in found.questions if one.name == "step")
    chance = next(one.posterior for one in question.options if one.name == "crossover")
    # A chance of 3 % rests on few of the guesses, which leaves it open to 0.5 %. Two others at the same step: the
    # square of what the sampler's own deviation, 1.6 % off by 2,048 draws, moves.
    assert closed.crossover_chance == pytest.approx(chance, rel=0.01 if models == 1 else 0.07)


def test_his_reading_of_a_step() -> None:
    of = machines("lecture")
    ratio = float(of.flop_per_s[0] / 2 / of.hbm_bytes_per_s[0])
    found = sampled(step_only("lecture", 1), LARGE_BATCH).unknown("read_bytes_per_token").posterior
    closed = step_pinned(priors(), step_tokens=200e3, active_params=100e9, bytes_per_param=1.0, balance_ratio=ratio)
    assert_alike(closed.interval(), found)


def ratio_only(known: Priors) -> Priors:
    """Priors by which the level of prices says nothing, so that their ratio is all that is seen."""
    shared = dataclasses.replace(known.margins["shared"], low=1e-36, high=1e36)
    return dataclasses.replace(known, margins={**known.margins, "shared": shared})


USD = {"input": 5e-6, "output": 25e-6}
ROUNDED = (rounding_log_sd(5e-6) ** 2 + rounding_log_sd(25e-6) ** 2) ** 0.5


@pytest.mark.parametrize("is_policy", [False, True])
def test_output_over_input_alone(monkeypatch: pytest.MonkeyPatch, is_policy: bool) -> None:  # noqa: FBT001  a parameter
    known = priors()
    monkeypatch.setattr(inference, "priors", lambda: ratio_only(known))
    policy = Multiplier(line="output", ratio=5.0, shared_by=25, of=27, input_span=150.0, is_policy=is_policy)
    found = sampled(given("anthropic", USD, multipliers=(policy,))).unknown("balance_batches")
    closed = output_alone(known, machines("anthropic"), price_ratio=5.0, rounding_log_sd=ROUNDED, is_policy=is_policy)
    assert_alike(batches_before(known, machines("anthropic")).interval(), found.prior, PRIOR_PART)
    assert_alike(closed.interval(), found.posterior)


def test_his_reading_of_output_over_input(monkeypatch: pytest.MonkeyPatch) -> None:
    known = priors()
    monkeypatch.setattr(inference, "priors", lambda: ratio_only(known))
    of = machines("lecture")
    kv_bytes = 1667.0
    crossover = 100e9 / (float(of.flop_per_s[0] / 2 / of.hbm_bytes_per_s[0]) * kv_bytes)
    values = frozendict({**BOARD_ASSUMES.values, "kv_bytes_per_token": kv_bytes})
    assumed = dataclasses.replace(BOARD_ASSUMES, values=values)
    # Of quasi-random draws a thousandth lies where so narrow a reading is: a walk finds it.
    found = infer(given("lecture", USD), assumed=assumed).unknown("balance_batches").posterior
    closed = output_pinned(
        batches_before(priors(), of),
        price_ratio=5.0,
        context_tokens=20e3,
        crossover_tokens=crossover,
        rounding_log_sd=ROUNDED,
    )
    assert_alike(closed.interval(), found, WALKED_PART)


CACHES = {"cached_input": 0.5e-6, "hold": 3.75e-6 / 3300}
PRICES = CachePrices(
    cached_usd=CACHES["cached_input"],
    hold_usd_per_s=CACHES["hold"],
    cached_log_sd=rounding_log_sd(CACHES["cached_input"]),
    hold_log_sd=rounding_log_sd(CACHES["hold"]),
)


def tier_chances(found: Inference) -> dict[str, float]:
    question = next(one for one in found.questions if one.name == "tier")
    return {one.name: one.posterior for one in question.options}


@pytest.mark.parametrize("is_policy", [False, True])
def test_tiers_by_two_prices(is_policy: bool) -> None:  # noqa: FBT001  a parameter
    policy = tuple(
        Multiplier(line=line, ratio=0.1, shared_by=20, of=27, input_span=150.0, is_policy=is_policy) for line in CACHES
    )
    drawn = tier_chances(sampled(given("anthropic", CACHES, multipliers=policy)))
    closed = tiers_alone(priors(), machines("anthropic"), PRICES, is_policy=is_policy)
    for name, chance in closed.items():
        assert chance == pytest.approx(drawn[name], abs=CHANCE), name


def test_tiers_if_prices_were_costs() -> None:
    pins = {"price_over_cost": 1.0, "kv_bytes_per_token": 2e3, "chip_price_ratio": 1.0, "byte_price_ratio": 1.0}
    drawn = tier_chances(sampled(given("anthropic", CACHES), assumed_of(pins)))
    closed = tiers_as_costs(priors(), machines("anthropic"), PRICES, kv_bytes_per_token=2e3)
    for name, chance in closed.items():
        assert chance == pytest.approx(drawn[name], abs=1e-6), name  # nothing is drawn that matters
