from __future__ import annotations

import dataclasses
import datetime as dt

import numpy as np
import pytest

from ridgeline.catalog.quotes import family, quote
from ridgeline.errors import RidgelineError
from ridgeline.inversion import infer as inference
from ridgeline.inversion.costs import DENSE, EXPERTS
from ridgeline.inversion.evidence import Evidence, Step, evidence_of, rounding_log_sd
from ridgeline.inversion.infer import Inference
from ridgeline.inversion.likelihood import Likelihood, likelihood_of
from ridgeline.inversion.machines import TIERS, candidates
from ridgeline.inversion.priors import UNKNOWNS, priors
from ridgeline.inversion.said import NAMED, said_of, said_of_question
from ridgeline.inversion.sample import preview, walked

DAY = dt.date(2026, 11, 20)


def listed(*, step: Step | None = None, **usd_per_mtok: float) -> Evidence:
    usd = {name: value / 1e6 for name, value in usd_per_mtok.items()}
    return Evidence(
        name="a model",
        provider="",
        date=DAY,
        usd=usd,
        rounding_log_sd={name: rounding_log_sd(value) for name, value in usd.items()},
        step=step,
    )


def likelihood(evidence: Evidence, **pins: float) -> Likelihood:
    known = priors()
    of = candidates(known.machines_of(evidence.provider), evidence.date, known.chances.eight_bits)
    return likelihood_of(evidence, known, of, pins)


def infer(evidence: Evidence, **pins: float) -> Inference:
    """By few quasi-random guesses: a tenth of a second each."""
    return inference.infer(evidence, pins=pins, is_preview=True, draws=2**12)


PLAIN = listed(input=1.0, output=4.0, cached_input=0.1)


def test_one_likelihood_is_the_normal_density_that_it_claims() -> None:
    """Of one guess, against the sum over all that is discrete, written out."""
    found = likelihood(PLAIN)
    guess = np.linspace(-1, 1, len(UNKNOWNS))[None]
    left = found.residuals(found.costs(guess))[0]
    whole = 0.0
    sign, log_det = np.linalg.slogdet(2 * np.pi * found.covariance)
    assert sign == 1
    for machine, chance in enumerate(found.of.chances):
        for kind, of_kind in ((EXPERTS, 0.75), (DENSE, 0.25)):
            for tier in range(len(TIERS)):
                one = left[machine, kind, tier]
                density = np.exp(-0.5 * (one @ np.linalg.solve(found.covariance, one) + log_det))
                whole += chance * of_kind * 0.25 * density
    assert float(found.explain(guess).log_likelihood[0]) == pytest.approx(np.log(whole))


@pytest.mark.slow
def test_a_price_ten_times_as_high_means_a_larger_model() -> None:
    """All lines ten times as high: partly more parameters, partly higher margins and dearer chips, never fewer."""
    cheap = infer(PLAIN).unknown("active_params").posterior
    dear = dataclasses.replace(PLAIN, usd={name: 10 * usd for name, usd in PLAIN.usd.items()})
    costly = infer(dear).unknown("active_params").posterior
    assert 2 < costly.p50 / cheap.p50 < 10


def test_a_truth_is_found_again() -> None:
    """Prices made of known unknowns by the model itself lie inside of the posterior's 90 %, each of them."""
    true = likelihood(PLAIN)
    guess = np.zeros((1, len(UNKNOWNS)))
    at = true.costs(guess)
    made = {
        "input": at.input[0, 0, 0],
        "output": at.output[0, 0, 0],
        "cached_input": at.cached_input[0, 0, 1],
    }
    usd = {name: float(np.exp(log + margin)) for (name, log), margin in zip(made.items(), true.margin, strict=True)}
    found = infer(dataclasses.replace(PLAIN, usd=usd))
    values = {name: float(value[0]) for name, value in true.values(guess).items()}
    for name in ("active_params", "kv_bytes_per_token", "balance_batches", "context_tokens", "utilisation_fraction"):
        interval = found.unknown(name).posterior
        assert interval.p05 < values[name] < interval.p95, name
    assert all(0.05 < one.chance_beyond <= 1 for one in found.predictive)


def test_walk_and_preview_agree_and_repeat() -> None:
    """Both draw from one posterior: 0.3 deviations are three standard errors of a tail among 300 draws."""
    found = likelihood(PLAIN)
    first = preview(found, seed=1, draws=2**13)
    walk, again = (walked(found, first, seed=3, steps=700) for _ in range(2))
    np.testing.assert_array_equal(walk.deviations, again.deviations)
    np.testing.assert_array_equal(first.deviations, preview(found, seed=1, draws=2**13).deviations)
    order = np.argsort(first.deviations, axis=0)
    for place, name in enumerate(UNKNOWNS):
        sorted_ = first.deviations[order[:, place], place]
        cumulated = np.cumsum(first.weights[order[:, place]])
        for at in (0.1, 0.5, 0.9):
            by_preview = sorted_[np.searchsorted(cumulated, at)]
            assert float(np.quantile(walk.deviations[:, place], at)) == pytest.approx(by_preview, abs=0.3), (name, at)
    assert walk.effective > 300
    assert first.effective > 500


def test_what_no_price_is_about_keeps_its_prior() -> None:
    """Without a price of caches nothing is learnt of how a cache's bytes are priced, and it is said in a sentence."""
    found = infer(listed(input=1.0, output=4.0))
    kept = found.unknown("utilisation_fraction")
    assert not kept.informed
    assert kept.posterior.p50 == pytest.approx(kept.prior.p50, rel=0.1)
    assert "next to nothing" in said_of(kept)
    assert any("nothing is said of reading caches" in note for note in found.notes)
    assert "tier" not in {one.name for one in found.questions}
    assert {one.name for one in found.unknowns} <= set(NAMED)


def test_a_step_that_all_of_a_vendors_models_share_is_a_policy() -> None:
    """Ten models whose inputs span 300 times would hardly cross over at one context; one alone may."""
    alone = Step(threshold_tokens=20_000, shared_by=1, input_span=1.0)
    shared = dataclasses.replace(alone, shared_by=10, input_span=300.0)

    def crossover(step: Step) -> float:
        found = infer(dataclasses.replace(PLAIN, step=step))
        (asked,) = (one for one in found.questions if one.name == "step")
        return next(one.bayes_factor for one in asked.options if one.name == "crossover")

    assert crossover(shared) < 1e-3
    assert crossover(alone) > 0.1


def test_a_multiplier_that_a_vendor_gives_all_models_says_less() -> None:
    """Anthropic's output is five times its input in all models: its price must not narrow what output rests on."""
    opus = evidence_of(quote("anthropic/claude-opus-5-5"), family("anthropic/claude-opus-5-5"))
    assert opus.is_policy("output")
    assert opus.is_policy("hold")
    alone = dataclasses.replace(opus, usd={**opus.usd, "output": 40 * opus.usd["input"]}, multipliers=())
    shared = dataclasses.replace(alone, multipliers=opus.multipliers)

    def learnt(evidence: Evidence) -> float:
        found = infer(evidence)
        return sum(found.unknown(name).learnt_nats for name in ("balance_batches", "context_tokens", "decode_fraction"))

    assert learnt(shared) < 0.7 * learnt(alone)


def test_questions_are_said_with_their_odds() -> None:
    found = infer(PLAIN)
    for question in found.questions:
        assert sum(one.prior for one in question.options) == pytest.approx(1)
        assert sum(one.posterior for one in question.options) == pytest.approx(1)
        assert question.asked in said_of_question(question)


def test_rounding_is_that_of_the_last_digit() -> None:
    """A price of one digit leaves a whole step of the last one open, whose deviation is its width by the root of 12."""
    assert rounding_log_sd(5e-6) == pytest.approx(1 / 5 / 12**0.5)
    assert rounding_log_sd(0.25e-6) == pytest.approx(0.1 / 2.5 / 12**0.5)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(RidgelineError, match="no unknown 'size' to assume; there are active_params"):
        infer(PLAIN, size=1.0)
    with pytest.raises(RidgelineError, match="no price of a chip"):
        infer(dataclasses.replace(PLAIN, date=dt.date(2020, 1, 1)))
    with pytest.raises(RidgelineError, match="there are active_params"):
        infer(PLAIN).unknown("size")
