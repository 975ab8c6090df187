from __future__ import annotations

import dataclasses
import datetime as dt
from typing import Any, NoReturn

import numpy as np
import pytest
from tests.inversion.lists import PLAIN, infer, likelihood, listed

from ridgeline.catalog.quotes import family, quote
from ridgeline.errors import RidgelineError
from ridgeline.inversion.assumed import assumed_of
from ridgeline.inversion.evidence import Evidence, Step, evidence_of
from ridgeline.inversion.infer import Inference, guessed
from ridgeline.inversion.infer import infer as infer_whole
from ridgeline.inversion.intervals import learnt_nats, weighted_quantiles
from ridgeline.inversion.likelihood import Likelihood
from ridgeline.inversion.predictive import predicted
from ridgeline.inversion.priors import DENSE, EXPERTS, TIERS, UNKNOWNS, LogNormal, priors
from ridgeline.inversion.quantities import chosen_before, quantities
from ridgeline.inversion.said import NAMED, said_of, said_of_question
from ridgeline.inversion.sample import Draws, preview, preview_explained, walked


def test_one_likelihood_is_the_normal_density_that_it_claims() -> None:
    """Of one guess, against the sum over all that is discrete: costs, margins and their covariance written out."""
    found, known = likelihood(PLAIN), priors()
    guess = np.linspace(-1, 1, len(UNKNOWNS))[None]
    at = found.costs(guess)
    shared, *own = (LogNormal.stated(known.margins[name]) for name in ("shared", "input", "output", "cached_input"))
    rounding = [PLAIN.rounding_log_sd[name] ** 2 for name in found.lines]
    covariance = shared.log_sd**2 + np.diag([one.log_sd**2 + more for one, more in zip(own, rounding, strict=True)])
    log_usd = np.log([1e-6, 4e-6, 0.1e-6])
    sign, log_det = np.linalg.slogdet(2 * np.pi * covariance)
    assert sign == 1
    whole = 0.0
    for machine, chance in enumerate(found.of.chances):
        for kind, of_kind in ((EXPERTS, 0.75), (DENSE, 0.25)):
            for tier in range(len(TIERS)):
                costs = [at.input[0, machine, kind], at.output[0, machine, kind], at.cached_input[0, machine, tier]]
                one = log_usd - costs - shared.middle - [line.middle for line in own]
                density = np.exp(-0.5 * (one @ np.linalg.solve(covariance, one) + log_det))
                whole += chance * of_kind * 0.25 * density
    explained = found.explain(guess)
    assert float(explained.log_likelihood[0]) == pytest.approx(np.log(whole))
    assert float(explained.joint.sum()) == pytest.approx(1)


def test_what_is_learnt_counts_the_width_and_the_place() -> None:
    """Between two normal variables: a half of ``s^2 + m^2 - 1 - 2 ln s``."""
    parts = (np.arange(20_000) + 0.5) / 20_000
    from scipy.special import ndtri  # noqa: PLC0415  an extra

    deviations, alike = ndtri(parts), np.full(len(parts), 1 / len(parts))
    before = (np.exp(deviations), alike)
    assert learnt_nats(before, before) == pytest.approx(0, abs=1e-12)
    narrowed = learnt_nats(before, (np.exp(0.5 * deviations), alike))
    assert narrowed == pytest.approx(0.5 * (0.25 - 1 - 2 * np.log(0.5)), rel=1e-3)  # 20,000 steps of a normal variable
    moved = learnt_nats(before, (np.exp(1 + 0.5 * deviations), alike))
    assert moved - narrowed == pytest.approx(0.5, rel=1e-3)


@pytest.mark.slow
def test_a_price_ten_times_as_high_means_a_larger_model() -> None:
    """All lines ten times as high: partly more parameters, partly higher margins and dearer chips, never fewer."""
    cheap = infer(PLAIN).unknown("active_params").posterior
    dear = dataclasses.replace(PLAIN, usd={name: 10 * usd for name, usd in PLAIN.usd.items()})
    costly = infer(dear).unknown("active_params").posterior
    assert 2 < costly.p50 / cheap.p50 < 10


@pytest.mark.parametrize("away", [-1.5, 1.5])
def test_a_truth_is_found_again(away: float) -> None:
    """Prices that the model itself makes of large or small models move what is believed towards these."""
    true = likelihood(PLAIN)
    guess = np.zeros((1, len(UNKNOWNS)))
    guess[0, UNKNOWNS.index("active_params")] = away
    at = true.costs(guess)
    made = {
        "input": at.input[0, 0, 0],
        "output": at.output[0, 0, 0],
        "cached_input": at.cached_input[0, 0, 1],
    }
    usd = {name: float(np.exp(log + margin)) for (name, log), margin in zip(made.items(), true.margin, strict=True)}
    found = infer(dataclasses.replace(PLAIN, usd=usd))
    values = {name: float(value[0, EXPERTS]) for name, value in true.values(guess).items()}
    active = found.unknown("active_params")
    assert active.informed
    assert active.posterior.p05 < values["active_params"] < active.posterior.p95
    # Half of the way at least, as the spread of margins and chips beside that of models has it.
    moved = np.log(active.posterior.p50 / active.prior.p50) / np.log(values["active_params"] / active.prior.p50)
    assert 0.5 < moved < 1.1
    for name in ("kv_bytes_per_token", "batch", "context_tokens", "utilisation_fraction"):
        interval = found.unknown(name).posterior
        assert interval.p05 < values[name] < interval.p95, name
    assert all(0.05 < one.chance_beyond <= 1 for one in found.predictive)


def test_the_preview_and_its_fit_in_one_pass_are_those_in_two() -> None:
    found = likelihood(PLAIN)
    alone, (both, fit) = preview(found, seed=1, draws=2**10), preview_explained(found, seed=1, draws=2**10)
    np.testing.assert_array_equal(both.deviations, alone.deviations)
    # Sums in another order.
    np.testing.assert_allclose(both.weights, alone.weights, rtol=1e-10)
    assert (both.effective, both.log_evidence) == pytest.approx((alone.effective, alone.log_evidence), rel=1e-10)
    np.testing.assert_array_equal(fit.joint, found.explain(alone.deviations).joint)


def test_a_walk_repeats_exactly() -> None:
    found = likelihood(PLAIN)
    first = preview(found, seed=1, draws=2**10)
    np.testing.assert_array_equal(first.deviations, preview(found, seed=1, draws=2**10).deviations)
    walk, again, other = (walked(found, first, seed=seed, steps=20, burned=10) for seed in (3, 3, 4))
    np.testing.assert_array_equal(walk.deviations, again.deviations)
    assert not np.array_equal(walk.deviations, other.deviations)


def test_an_interrupted_walk_prints_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library prints a traceback of whatever a likelihood raises."""

    def interrupted(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    found = likelihood(PLAIN)
    start = preview(found, seed=0, draws=2**10)
    monkeypatch.setattr(Likelihood, "log_posterior", interrupted)
    with pytest.raises(KeyboardInterrupt):
        walked(found, start, seed=0, steps=10, burned=0)
    assert capsys.readouterr() == ("", "")


def test_a_likelihood_alone_is_that_of_the_whole() -> None:
    """Kinds, tiers and meanings of a step are summed over in another order; with a step, without, of caches alone."""
    guesses = np.random.default_rng(0).standard_normal((50, len(UNKNOWNS)))
    step = Step(threshold_tokens=20_000, shared_by=1, input_span=1.0)
    caches = listed(cached_input=0.5, hold=1e-3)
    for one in (PLAIN, dataclasses.replace(PLAIN, step=step), caches):
        found = likelihood(one)
        np.testing.assert_allclose(found.log_likelihood(guesses), found.explain(guesses).log_likelihood, rtol=1e-12)


def test_no_walk_is_taken_where_the_guesses_that_it_begins_with_say_as_much(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []

    def walk(*given: Any, **_: Any) -> Draws:  # noqa: ANN401  as walked has them
        taken.append(given[1].effective)
        return given[1]  # type: ignore[no-any-return]

    enough = 200.0  # of fewer guesses than are usual
    monkeypatch.setattr("ridgeline.inversion.infer.walked", walk)
    monkeypatch.setattr("ridgeline.inversion.infer.ENOUGH_DRAWS", enough)
    for draws, is_preview in ((2**11, False), (2**8, False), (2**8, True)):
        guessed(likelihood(PLAIN), seed=1, is_preview=is_preview, draws=draws)
    assert len(taken) == 1
    assert taken[0] < enough


@pytest.mark.slow
def test_walk_and_preview_agree() -> None:
    """Both draw from one posterior: of 3,000 effective draws a 10 % point is known to 0.03 deviations, and 0.12 is four
    of these; a move that draws three fourths of the width would be off by 0.3."""
    found = likelihood(PLAIN)
    first = preview(found, seed=1, draws=2**15)
    walk = walked(found, first, seed=3)
    order = np.argsort(first.deviations, axis=0)
    for place, name in enumerate(UNKNOWNS):
        sorted_ = first.deviations[order[:, place], place]
        cumulated = np.cumsum(first.weights[order[:, place]])
        for at in (0.1, 0.5, 0.9):
            by_preview = sorted_[np.searchsorted(cumulated, at)]
            assert float(np.quantile(walk.deviations[:, place], at)) == pytest.approx(by_preview, abs=0.12), (name, at)
    assert walk.effective > 1000
    assert first.effective > 5000


@pytest.mark.slow
def test_a_walk_forgets_a_start_that_is_wrong() -> None:
    """From guesses that are all three deviations off, it ends where the preview is."""
    found = likelihood(PLAIN)
    first = preview(found, seed=1, draws=2**13)
    wrong = dataclasses.replace(first, deviations=np.full_like(first.deviations, 3.0))
    walk = walked(found, wrong, seed=3)
    middle = first.weights @ first.deviations
    np.testing.assert_allclose(walk.deviations.mean(axis=0), middle, atol=0.12)


def of_fakes(count: int) -> tuple[Likelihood, np.ndarray, dict[str, np.ndarray], np.ndarray]:
    """Price lists that the model makes of draws of its own priors: prices, what is true, and which are dense."""
    given = likelihood(PLAIN)
    deviations = np.random.default_rng(5).standard_normal((count, len(UNKNOWNS)))
    chosen, rows = chosen_before(given, 7, count), np.arange(count)
    at = given.costs(deviations)
    picked = rows, chosen.machine, chosen.kind
    costs = np.stack([at.input[picked], at.output[picked], at.cached_input[rows, chosen.machine, chosen.tier]], axis=1)
    margins = np.random.default_rng(6).multivariate_normal(given.margin, given.covariance, size=count)
    truth = quantities(given, deviations, chosen, with_prices=False, seed=0)
    return given, np.exp(costs + margins), truth, chosen.kind == DENSE


@pytest.mark.slow
def test_intervals_hold_what_they_say_and_dense_models_are_told() -> None:
    """Of 200 lists that the model made: as many truths as they should, within three standard errors of 200 draws."""
    count = 200
    given, usd, truth, is_dense = of_fakes(count)
    held, chances = {name: np.zeros(2) for name in ("active_params", "total_params", "kv_bytes_per_token", "batch")}, []
    for place in range(count):
        evidence = dataclasses.replace(PLAIN, usd=dict(zip(PLAIN.usd, map(float, usd[place]), strict=True)))
        found = guessed(dataclasses.replace(given, evidence=evidence), seed=place, is_preview=True, draws=2**12)
        said = quantities(found.likelihood, found.draws.deviations, found.chosen, with_prices=True, seed=place)
        for name, counted in held.items():
            ends = weighted_quantiles(said[name], found.draws.weights, (0.05, 0.25, 0.75, 0.95))
            counted += [ends[1] <= truth[name][place] <= ends[2], ends[0] <= truth[name][place] <= ends[3]]
        chances.append(float((found.draws.weights @ found.explained.joint.sum(axis=(1, 3, 4)))[DENSE]))
    for name, (half, nine_tenths) in held.items():
        assert half / count == pytest.approx(0.5, abs=3 * (0.25 / count) ** 0.5), name
        assert nine_tenths / count == pytest.approx(0.9, abs=3 * (0.09 / count) ** 0.5), name
    dense, others = np.array(chances)[is_dense], np.array(chances)[~is_dense]
    # Without any news each would be the chance before, and one of a pair above the other in half of the cases.
    assert dense.mean() > others.mean()
    assert np.mean(dense[:, None] > others) > 0.6


def test_a_price_is_expected_where_margins_and_costs_of_others_have_it() -> None:
    """With all but the shared margin known, the output's cost times the input's margin: a normal variable by hand."""
    named = {name: value for name, value in PINNED.items() if name != "price_over_cost"}
    given = likelihood(listed(input=1.0, output=4.0), assumed_of(named))
    one = predicted(given, 1, seed=0, draws=2**13)
    shared, line = (LogNormal.stated(priors().margins[name]) for name in ("shared", "output"))
    at = given.costs(np.zeros((1, len(UNKNOWNS))))
    logs = []
    for machine, chance in enumerate(given.of.chances):
        # What the input's price says of the shared margin, on each machine.
        left = np.log(1e-6) - at.input[0, machine, EXPERTS] - shared.middle
        own = line.log_sd**2 + PLAIN.rounding_log_sd["input"] ** 2
        weight = chance * np.exp(-0.5 * left**2 / (shared.log_sd**2 + own)) / 1.0
        learnt = left * shared.log_sd**2 / (shared.log_sd**2 + own)
        logs.append((weight, at.output[0, machine, EXPERTS] + shared.middle + learnt))
    weights, middles = (np.array(one) for one in zip(*logs, strict=True))
    assert np.log(one.expected.p50) == pytest.approx(float(weights @ middles / weights.sum()), abs=0.15)
    width = np.log(one.expected.p95 / one.expected.p05) / 2 / 1.645
    assert 0.4 < width < 0.8  # of two lines' own margins, a deviation of 0.31 each, and of machines


PINNED: dict[str, float | str] = {
    "active_params": 5e10,
    "total_params": 5e11,
    "kv_bytes_per_token": 6e4,
    "read_fraction": 1.0,
    "batch": 600.0,
    "context_tokens": 1e4,
    "prefill_fraction": 0.3,
    "decode_fraction": 0.4,
    "utilisation_fraction": 0.6,
    "chip_price_ratio": 1.0,
    "byte_price_ratio": 1.0,
}


def test_a_price_that_does_not_fit_is_told_from_the_others_alone() -> None:
    """Found tokens that are dearer than made ones."""
    odd = dataclasses.replace(PLAIN, usd={**PLAIN.usd, "cached_input": 300e-6})
    one = next(price for price in infer(odd).predictive if price.line == "cached_input")
    assert one.chance_beyond < 0.01


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
    assert crossover(alone) > 0.05


def test_a_batch_below_the_balance_batch_has_no_crossover() -> None:
    found = likelihood(listed(step=Step(threshold_tokens=2e4, shared_by=1, input_span=1.0), input=1.0, output=4.0))
    guesses = np.random.default_rng(0).standard_normal((200, len(UNKNOWNS)))
    at, joint = found.costs(guesses), found.explain(guesses).joint
    below = at.balance_batches <= 1
    assert np.all(joint[..., 0].sum(axis=3)[below] == 0)
    assert np.any(joint[..., 0].sum(axis=3)[~below] > 0)


@pytest.mark.slow
def test_a_multiplier_that_a_vendor_gives_all_models_says_less() -> None:
    """Anthropic's output is five times its input in all models: its price must not narrow what output rests on."""
    opus = evidence_of(quote("anthropic/claude-opus-5-5"), family("anthropic/claude-opus-5-5"))
    assert opus.is_policy("output")
    assert opus.is_policy("hold")
    alone = dataclasses.replace(opus, usd={**opus.usd, "output": 40 * opus.usd["input"]}, multipliers=())
    shared = dataclasses.replace(alone, multipliers=opus.multipliers)

    def learnt(evidence: Evidence) -> float:
        found = infer(evidence)
        return sum(found.unknown(name).learnt_nats for name in ("batch", "context_tokens", "decode_fraction"))

    assert learnt(shared) < 0.7 * learnt(alone)


def test_questions_are_said_with_their_odds() -> None:
    found = infer(PLAIN)
    for question in found.questions:
        assert sum(one.prior for one in question.options) == pytest.approx(1)
        assert sum(one.posterior for one in question.options) == pytest.approx(1)
        assert question.asked in said_of_question(question)


def test_total_parameters_are_news_only_where_their_ratio_is() -> None:
    """A level of prices moves active parameters, and total ones with them: that is no news of its own."""
    found = infer(PLAIN)
    assert found.unknown("active_params").informed
    total, ratio = found.unknown("total_params"), found.unknown("expansion")
    assert total.learnt_nats > 0.1
    assert total.informed == ratio.informed


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(RidgelineError, match="no price of a chip"):
        infer(dataclasses.replace(PLAIN, date=dt.date(2020, 1, 1)))
    with pytest.raises(RidgelineError, match="there are active_params"):
        infer(PLAIN).unknown("size")


def test_too_few_guesses_are_no_answer() -> None:
    """A list at a millionth of all prices: what is left of the guesses is not to be read."""
    found: Inference = infer_whole(
        dataclasses.replace(PLAIN, usd={name: usd / 1e6 for name, usd in PLAIN.usd.items()}),
        is_preview=True,
        draws=2**10,
    )
    assert not found.is_readable
    assert infer(PLAIN).is_readable
