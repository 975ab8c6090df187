"""Prices to a posterior: what a list says of the model and the machines behind it, and where it says nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ridgeline.callbacks import Progress, no_progress
from ridgeline.errors import RidgelineError
from ridgeline.inversion.assumed import NOTHING, Assumed
from ridgeline.inversion.costs import Chosen
from ridgeline.inversion.evidence import Evidence, Multiplier
from ridgeline.inversion.intervals import INFORMED_NATS, Interval, Weighted, interval_of, learnt_nats
from ridgeline.inversion.likelihood import Explained, Likelihood, likelihood_of
from ridgeline.inversion.machines import candidates
from ridgeline.inversion.predictive import Predicted, predicted
from ridgeline.inversion.priors import KINDS, UNKNOWNS, Priors, priors
from ridgeline.inversion.quantities import chosen_after, chosen_before, quantities
from ridgeline.inversion.questions import Question, questions
from ridgeline.inversion.sample import (
    ENOUGH_DRAWS,
    PREVIEW_DRAWS,
    WALKED_STEPS,
    Draws,
    preview,
    preview_explained,
    require_samplers,
    walked,
)
from ridgeline.inversion.scored import scores_of

__all__ = [
    "BOARD",
    "Inference",
    "Interval",
    "Predicted",
    "Sampled",
    "Unknown",
    "guessed",
    "infer",
    "named",
    "sampled",
    "unknowns_of",
]

PRIOR_DRAWS = 2**13
PRIOR_SEED = 0

BOARD = "lecture"
"""Provider that stands for the lecture's board."""

FEWEST_DRAWS = 100.0
"""Effective draws below which no interval is to be read: of five draws in a tail none may be there by chance."""

FEW_DRAWS = 200.0
"""Effective draws of the preview below which a note says that the list is far from what is expected."""

TOTAL_RESTS_ON = "expansion"
"""Total parameters are news only where the prices say something of total over active ones, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """A quantity that the list does not say.

    Attributes:
        name: name of the quantity, with its unit.
        prior: interval before the prices are looked at.
        posterior: interval with the prices.
        learnt_nats: divergence of the posterior from the prior, by their means and widths: 0 where the prices say
            nothing.
        informed: whether the divergence is news, and such news was worth something on open models.
        misleads: whether inferences of it were further from the truth of open models than a guess without prices.
        reason: reason of the prior; empty where the quantity follows from others.
    """

    name: str
    prior: Interval
    posterior: Interval
    learnt_nats: float
    informed: bool
    misleads: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Inference:
    """Result of an inference from a list.

    Attributes:
        evidence: evidence of the list.
        unknowns: quantities with prior and posterior.
        predictive: each price as predicted from all others.
        questions: discrete questions, with chances before and after.
        multipliers: prices as multiples of the input price, and how many of the vendor's models share each.
        assumed: values and answers taken as known.
        sampler: "emcee" of a walk, or "quasi-random" where the guesses that it would begin with suffice.
        draws: guesses that were kept.
        effective_draws: number of independent draws of equal weight that would say as much.
        preview_effective_draws: effective number of the quasi-random guesses that the walk begins with.
        log_evidence: logarithm of the chance of the list, whatever the unknowns.
        seed: seed of the draws.
        notes: notes to show beside the numbers.
    """

    evidence: Evidence
    unknowns: tuple[Unknown, ...]
    predictive: tuple[Predicted, ...]
    questions: tuple[Question, ...]
    multipliers: tuple[Multiplier, ...]
    assumed: Assumed
    sampler: str
    draws: int
    effective_draws: float
    preview_effective_draws: float
    log_evidence: float
    seed: int
    notes: tuple[str, ...]

    @property
    def is_readable(self) -> bool:
        """Whether enough guesses explain the list for their intervals to say something."""
        return self.effective_draws >= FEWEST_DRAWS

    def unknown(self, name: str) -> Unknown:
        """Unknown by its name.

        Raises:
            RidgelineError: there is none of that name; lists those that are.
        """
        return named(self.unknowns, name)


def named(unknowns: Sequence[Unknown], name: str) -> Unknown:
    """Unknown by its name, among several.

    Raises:
        RidgelineError: there is none of that name; lists those that are.
    """
    for one in unknowns:
        if one.name == name:
            return one
    raise RidgelineError(f"no unknown {name!r}; there are {', '.join(one.name for one in unknowns)}")


def infer(
    evidence: Evidence,
    *,
    assumed: Assumed = NOTHING,
    seed: int = 0,
    is_preview: bool = False,
    draws: int = PREVIEW_DRAWS,
    steps: int = WALKED_STEPS,
    told: Progress = no_progress,
) -> Inference:
    """The joint posterior of all unknowns.

    Args:
        evidence: evidence of the list.
        assumed: values and answers taken as known.
        seed: seed of the draws; equal seeds give equal results.
        is_preview: whether to take quasi-random guesses alone, even where few of them have most of the weight.
        draws: number of draws of the preview, a power of two.
        steps: number of steps of the walk.
        told: callback that takes the number of further steps that are done.

    Raises:
        RidgelineError: a sampler is not installed, or no machine's price is known by the date.
    """
    found = sampled(evidence, assumed=assumed, seed=seed, is_preview=is_preview, draws=draws, steps=steps, told=told)
    return _reported(found, seed=seed, draws=draws)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampled:
    """Guesses that explain a list.

    Attributes:
        likelihood: likelihood of the guesses.
        first: quasi-random guesses of the preview.
        draws: guesses that are kept: those of the preview, or of a walk that begins with them.
        explained: fit of each guess to the list.
        chosen: discrete unknowns, drawn for each guess.
    """

    likelihood: Likelihood
    first: Draws
    draws: Draws
    explained: Explained
    chosen: Chosen


def sampled(
    evidence: Evidence,
    *,
    assumed: Assumed = NOTHING,
    seed: int,
    is_preview: bool,
    draws: int = PREVIEW_DRAWS,
    steps: int = WALKED_STEPS,
    told: Progress = no_progress,
) -> Sampled:
    """Sample the guesses that ``infer`` reports; takes and raises what it does."""
    require_samplers()
    known = priors()
    # The board has 8-bit weights on one chip.
    eight_bits = 1.0 if evidence.provider == BOARD else known.chances.eight_bits
    of = candidates(known.machines_of(evidence.provider), evidence.date, eight_bits)
    return guessed(
        likelihood_of(evidence, known, of, assumed),
        seed=seed,
        is_preview=is_preview,
        draws=draws,
        steps=steps,
        told=told,
    )


def guessed(
    likelihood: Likelihood,
    *,
    seed: int,
    is_preview: bool,
    draws: int = PREVIEW_DRAWS,
    steps: int = WALKED_STEPS,
    told: Progress = no_progress,
) -> Sampled:
    """Sample guesses by a given likelihood."""
    if is_preview:
        first, explained = preview_explained(likelihood, seed=seed, draws=draws)
        drawn = first
    else:
        first = preview(likelihood, seed=seed, draws=draws)
        suffices = first.effective >= ENOUGH_DRAWS
        drawn = first if suffices else walked(likelihood, first, seed=seed, steps=steps, told=told)
        explained = likelihood.explain(drawn.deviations)
    return Sampled(
        likelihood=likelihood, first=first, draws=drawn, explained=explained, chosen=chosen_after(explained, seed)
    )


def _reported(found: Sampled, *, seed: int, draws: int) -> Inference:
    """Inference from the sampled guesses."""
    likelihood, drawn = found.likelihood, found.draws
    evidence = likelihood.evidence
    return Inference(
        evidence=evidence,
        unknowns=unknowns_of(found, seed=seed),
        predictive=tuple(
            predicted(likelihood, place, seed=seed, draws=draws // 4) for place in range(len(likelihood.lines))
        ),
        questions=questions(likelihood, found.explained, drawn.weights),
        multipliers=evidence.multipliers,
        assumed=likelihood.assumed,
        sampler="quasi-random" if drawn is found.first else "emcee",
        draws=len(drawn.weights),
        effective_draws=drawn.effective,
        preview_effective_draws=found.first.effective,
        log_evidence=found.first.log_evidence,
        seed=seed,
        notes=_notes(evidence, found.first),
    )


def unknowns_of(found: Sampled, *, seed: int) -> tuple[Unknown, ...]:
    """Prior and posterior of all quantities that were not assumed."""
    likelihood = found.likelihood
    # Priors do not change with the seed of the draws.
    deviations = np.random.default_rng(PRIOR_SEED).standard_normal((PRIOR_DRAWS, len(UNKNOWNS)))
    before = chosen_before(likelihood, PRIOR_SEED, PRIOR_DRAWS)
    believed = quantities(likelihood, deviations, before, with_prices=False, seed=PRIOR_SEED)
    learnt = quantities(likelihood, found.draws.deviations, found.chosen, with_prices=True, seed=seed)
    alike, reasons = np.full(PRIOR_DRAWS, 1 / PRIOR_DRAWS), _reasons(likelihood.priors)
    asked = [name for name in learnt if np.ptp(believed[name]) > 0]
    nats = {name: learnt_nats((believed[name], alike), (learnt[name], found.draws.weights)) for name in asked}
    return tuple(
        _unknown(name, nats, (believed[name], alike), (learnt[name], found.draws.weights), reasons.get(name, ""))
        for name in asked
    )


def _reasons(known: Priors) -> dict[str, str]:
    """Reason of each prior, by the unknown."""
    margins = {f"{name}_price_over_cost": one.reason for name, one in known.margins.items()}
    own = {
        name: f"{one.reason}; of {KINDS[1]} models, {known.dense[name].reason}" if name in known.dense else one.reason
        for name, one in known.unknowns.items()
    }
    return own | margins


def _unknown(name: str, nats: Mapping[str, float], before: Weighted, after: Weighted, reason: str) -> Unknown:
    """Unknown with its prior and posterior, and their divergence."""
    score = scores_of(name)
    misleads = score is not None and not score.tells
    rests_on = TOTAL_RESTS_ON if name == "total_params" and TOTAL_RESTS_ON in nats else name
    is_news = min(nats[name], nats[rests_on]) > INFORMED_NATS
    return Unknown(
        name=name,
        prior=interval_of(*before),
        posterior=interval_of(*after),
        learnt_nats=nats[name],
        informed=is_news and not misleads,
        misleads=misleads,
        reason=reason,
    )


def _notes(evidence: Evidence, first: Draws) -> tuple[str, ...]:
    few = f"only {first.effective:.0f} effective draws in the preview: this list is far from what the priors expect"
    return tuple(
        note
        for note, is_so in (
            (few, first.effective < FEW_DRAWS),
            ("no cache is sold by time: nothing is said of holding", "hold" not in evidence.usd),
            ("no price of a cached token: nothing is said of reading caches", "cached_input" not in evidence.usd),
        )
        if is_so
    )
