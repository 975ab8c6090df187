"""Prices to a posterior: what a list says of the model and the machines behind it, and where it says nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ridgeline.errors import RidgelineError
from ridgeline.inversion.evidence import Evidence, Multiplier
from ridgeline.inversion.intervals import INFORMED_NATS, Interval, Weighted, interval_of, learnt_nats
from ridgeline.inversion.likelihood import Explained, Likelihood, likelihood_of
from ridgeline.inversion.machines import candidates
from ridgeline.inversion.priors import UNKNOWNS, Priors, priors
from ridgeline.inversion.quantities import Chosen, chosen_after, chosen_before, quantities
from ridgeline.inversion.questions import Question, questions
from ridgeline.inversion.sample import PREVIEW_DRAWS, WALKED_STEPS, Draws, preview, require_samplers, walked

__all__ = ["Inference", "Interval", "Predicted", "Sampled", "Unknown", "infer", "sampled"]

PRIOR_DRAWS = 2**13

BOARD = "lecture"
"""Provider that stands for the lecture's board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """A quantity that the list does not say.

    Attributes:
        name: of it, with its unit.
        prior: what is believed before the prices are looked at.
        posterior: after.
        learnt_nats: how far the two are apart, by their means and widths: 0 where the prices say nothing.
        informed: whether that is news.
        reason: of the prior; empty where the quantity follows from others.
    """

    name: str
    prior: Interval
    posterior: Interval
    learnt_nats: float
    informed: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicted:
    """One price, as all others lead to expect it.

    Attributes:
        line: of the list.
        usd: as listed: dollars a token, of ``hold`` a token and second.
        expected: by all other prices.
        chance_beyond: of a price at least as far out, both sides together; small where the model does not fit.
    """

    line: str
    usd: float
    expected: Interval
    chance_beyond: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Inference:
    """What a list says.

    Attributes:
        evidence: the list.
        unknowns: with prior and posterior.
        predictive: each price by all others.
        questions: that are discrete, with chances before and after.
        multipliers: of the list, and who shares them.
        pins: what was assumed.
        sampler: "emcee", or "quasi-random" of the preview.
        draws: guesses that were kept.
        effective_draws: that would say as much if none depended on another and all counted alike.
        preview_effective_draws: of the quasi-random guesses that the walk begins with.
        log_evidence: logarithm of the chance of the list, whatever the unknowns.
        seed: of the draws.
        notes: what is to be said beside the numbers.
    """

    evidence: Evidence
    unknowns: tuple[Unknown, ...]
    predictive: tuple[Predicted, ...]
    questions: tuple[Question, ...]
    multipliers: tuple[Multiplier, ...]
    pins: Mapping[str, float]
    sampler: str
    draws: int
    effective_draws: float
    preview_effective_draws: float
    log_evidence: float
    seed: int
    notes: tuple[str, ...]

    def unknown(self, name: str) -> Unknown:
        """One of the unknowns.

        Raises:
            RidgelineError: there is none of that name; lists those that are.
        """
        for one in self.unknowns:
            if one.name == name:
                return one
        raise RidgelineError(f"no unknown {name!r}; there are {', '.join(one.name for one in self.unknowns)}")


def infer(
    evidence: Evidence,
    *,
    pins: Mapping[str, float] | None = None,
    seed: int = 0,
    is_preview: bool = False,
    draws: int = PREVIEW_DRAWS,
    steps: int = WALKED_STEPS,
    told: Callable[[int], object] = lambda _: None,
) -> Inference:
    """The joint posterior of all unknowns.

    Args:
        evidence: the list.
        pins: unknowns that are assumed, by name; ``price_over_cost`` pins all margins.
        seed: of the draws; the same gives the same.
        is_preview: whether quasi-random guesses do.
        draws: of the preview, a power of two.
        steps: of the walk.
        told: takes how many more steps are done.

    Raises:
        RidgelineError: a sampler is not installed, a pin is unknown, or no machine's price is known by the date.
    """
    found = sampled(evidence, pins=pins, seed=seed, is_preview=is_preview, draws=draws, steps=steps, told=told)
    known, pinned, likelihood, first, drawn = priors(), dict(pins or {}), found.likelihood, found.first, found.draws
    explained, chosen = found.explained, found.chosen
    prior_draws = np.random.default_rng(seed).standard_normal((PRIOR_DRAWS, len(UNKNOWNS)))
    believed = quantities(
        likelihood, prior_draws, chosen_before(likelihood, seed, PRIOR_DRAWS), with_prices=False, seed=seed
    )
    learnt = quantities(likelihood, drawn.deviations, chosen, with_prices=True, seed=seed)
    alike = np.full(PRIOR_DRAWS, 1 / PRIOR_DRAWS)
    reasons = _reasons(known)
    return Inference(
        evidence=evidence,
        unknowns=tuple(
            _unknown(name, (believed[name], alike), (learnt[name], drawn.weights), reasons.get(name, ""))
            for name in learnt
            if name not in pinned
        ),
        predictive=tuple(_predicted(likelihood, drawn, chosen, place) for place in range(len(likelihood.lines))),
        questions=questions(likelihood, explained, drawn.weights),
        multipliers=evidence.multipliers,
        pins=pinned,
        sampler="quasi-random" if is_preview else "emcee",
        draws=len(drawn.weights),
        effective_draws=drawn.effective,
        preview_effective_draws=first.effective,
        log_evidence=first.log_evidence or 0.0,
        seed=seed,
        notes=_notes(evidence, first),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampled:
    """Guesses that explain a list.

    Attributes:
        likelihood: by which they do.
        first: the quasi-random ones.
        draws: those that are kept: the same, or a walk that begins with them.
        explained: how well each does.
        chosen: what is discrete, drawn for each.
    """

    likelihood: Likelihood
    first: Draws
    draws: Draws
    explained: Explained
    chosen: Chosen


def sampled(
    evidence: Evidence,
    *,
    pins: Mapping[str, float] | None,
    seed: int,
    is_preview: bool,
    draws: int = PREVIEW_DRAWS,
    steps: int = WALKED_STEPS,
    told: Callable[[int], object] = lambda _: None,
) -> Sampled:
    """The guesses that ``infer`` reports; takes and raises what it does."""
    require_samplers()
    known, pinned = priors(), dict(pins or {})
    _refuse_unknown(pinned)
    # The board has 8-bit weights on one chip.
    eight_bits = 1.0 if evidence.provider == BOARD else known.chances.eight_bits
    of = candidates(known.machines_of(evidence.provider), evidence.date, eight_bits)
    likelihood = likelihood_of(evidence, known, of, pinned)
    first = preview(likelihood, seed=seed, draws=draws)
    drawn = first if is_preview else walked(likelihood, first, seed=seed, steps=steps, told=told)
    explained = likelihood.explain(drawn.deviations)
    return Sampled(
        likelihood=likelihood, first=first, draws=drawn, explained=explained, chosen=chosen_after(explained, seed)
    )


def _refuse_unknown(pins: Mapping[str, float]) -> None:
    allowed = (*UNKNOWNS, "price_over_cost", "line_margins", "tier", "meaning")
    for name in pins:
        if name not in allowed:
            known = ", ".join((*UNKNOWNS, "price_over_cost"))
            raise RidgelineError(f"no unknown {name!r} to assume; there are {known}")


def _reasons(known: Priors) -> dict[str, str]:
    """Why a prior is what it is, by the unknown."""
    margins = {f"{name}_price_over_cost": one.reason for name, one in known.margins.items()}
    return {name: one.reason for name, one in known.unknowns.items()} | margins


def _unknown(
    name: str,
    before: Weighted,
    after: Weighted,
    reason: str,
) -> Unknown:
    """Prior and posterior, and how far they are apart."""
    learnt = learnt_nats(before, after)
    return Unknown(
        name=name,
        prior=interval_of(*before),
        posterior=interval_of(*after),
        learnt_nats=learnt,
        informed=learnt > INFORMED_NATS,
        reason=reason,
    )


def _predicted(likelihood: Likelihood, draws: Draws, chosen: Chosen, place: int) -> Predicted:
    """One price as the others lead to expect it: guesses count as much less as they owe to it.

    Given a guess, a price is normal around what the other prices' margins leave of its cost; a guess that the price
    itself has helped is weighed by the reciprocal of that help.
    """
    rows = np.arange(len(draws.weights))
    left = likelihood.residuals(likelihood.costs(draws.deviations))[rows, chosen.machine, chosen.kind, chosen.tier]
    precision = np.linalg.inv(likelihood.covariance)
    own = precision[place, place]
    others = np.delete(np.arange(len(likelihood.lines)), place)
    expected = -(left[:, others] @ precision[place, others]) / own
    width = 1 / np.sqrt(own)
    away = (left[:, place] - expected) / width
    weights = draws.weights * np.exp(np.minimum(0.5 * away**2, 20.0))
    weights = weights / weights.sum()
    noise = np.random.default_rng(place).standard_normal(len(rows))
    # What would be listed: the price, less how far it lies from what is expected, and by chance.
    log_usd = likelihood.observed[place] - left[:, place] + expected + width * noise
    below = float(np.sum(weights * (log_usd < likelihood.observed[place])))
    return Predicted(
        line=likelihood.lines[place],
        usd=float(np.exp(likelihood.observed[place])),
        expected=interval_of(np.exp(log_usd), weights),
        chance_beyond=2 * min(below, 1 - below),
    )


FEW_EFFECTIVE = 200
"""Draws below which tails of a posterior are not to be read."""


def _notes(evidence: Evidence, first: Draws) -> tuple[str, ...]:
    few = f"only {first.effective:.0f} effective draws in the preview: this list is far from what the priors expect"
    return tuple(
        note
        for note, is_so in (
            (few, first.effective < FEW_EFFECTIVE),
            ("no cache is sold by time: nothing is said of holding", "hold" not in evidence.usd),
            ("no price of a cached token: nothing is said of reading caches", "cached_input" not in evidence.usd),
        )
        if is_so
    )
