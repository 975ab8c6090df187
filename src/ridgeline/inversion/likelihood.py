"""Likelihood of guesses by a price list, with all discrete unknowns and every margin summed over exactly.

Given the costs, logarithms of prices are normal: each price is its cost times a margin, a part of which all lines
share. So margins need no sampling. Machines, number formats, kinds of models, tiers of caches and meanings of a step
are summed over; the chance of each in that sum is its posterior.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations import evidence as densities
from ridgeline.inversion.assumed import Assumed
from ridgeline.inversion.costs import Chosen, Costs, costs, costs_of_chosen, values_of
from ridgeline.inversion.evidence import Evidence
from ridgeline.inversion.machines import Candidates
from ridgeline.inversion.margins import line_margins
from ridgeline.inversion.market import Market
from ridgeline.inversion.priors import KINDS, LINES, OF_MODELS, TIERS, UNKNOWNS, Priors

__all__ = ["BY_TIER", "CROSSOVER", "MEANINGS", "POLICY", "Explained", "Likelihood", "likelihood_of"]

CROSSOVER, POLICY = 0, 1
MEANINGS = ("crossover", "policy")
"""Meanings that a step of a list may have, in their order in arrays."""

CHUNK = 2048
"""Number of guesses that are computed together: a few megabytes an array."""

SPREAD_DRAWS = 2048
"""Draws of priors by which the spread of a vendor's models is measured."""

NO_CROSSOVER = 1e-30
"""Tokens that stand for a crossover where there is none, whose logarithm is far from that of any step."""

BY_TIER = ("cached_input", "hold")
"""Lines whose cost depends on where caches wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """Fit of guesses to the list.

    Attributes:
        log_likelihood: logarithm of each guess's likelihood, summed over the discrete unknowns.
        joint: chance of each machine, kind of model, tier and meaning of a step, given the guess and the list.
    """

    log_likelihood: NDArray[np.float64]
    joint: NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Likelihood:
    """Likelihood of guesses by a list.

    Attributes:
        evidence: evidence of the list.
        priors: priors of the unknowns.
        of: machines that may be behind the list.
        assumed: values and answers taken as known.
        margin: mean of the logarithm of price over cost by line.
        covariance: covariance of the logarithm of price over cost between lines, with the variance by rounding and by a
            vendor's policy.
        step_spread: spread of the crossovers of a vendor's other models, in logarithms.
        runs_at_middle: whether models are run as the middle of the priors, and how else is in the covariance.
    """

    evidence: Evidence
    priors: Priors
    of: Candidates
    assumed: Assumed
    margin: NDArray[np.float64]
    covariance: NDArray[np.float64]
    step_spread: float
    runs_at_middle: bool = False

    @property
    def lines(self) -> tuple[str, ...]:
        """Lines of the list, in the order of arrays."""
        return _lines(self.evidence)

    @property
    def observed(self) -> NDArray[np.float64]:
        """Logarithms of the list's prices."""
        return np.log([self.evidence.usd[name] for name in self.lines])

    def values(self, deviations: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
        """Values of the unknowns, by guess and kind of model."""
        if self.runs_at_middle:
            deviations = np.where([name in OF_MODELS for name in UNKNOWNS], deviations, 0.0)
        return values_of(deviations, self.priors, self.assumed.values)

    def costs(self, deviations: NDArray[np.float64]) -> Costs:
        """Costs of every guess."""
        has_large_batch = self.assumed.has_large_batch
        return costs(self.values(deviations), self.of, self.priors.fixed.request_s, has_large_batch=has_large_batch)

    def costs_of_chosen(self, values: Mapping[str, NDArray[np.float64]], chosen: Chosen) -> Costs:
        """Costs of every guess on its machine, of its kind and in its tier; the crossover of an infinite batch."""
        return costs_of_chosen(values, self.of, self.priors.fixed.request_s, chosen)

    def explain(self, deviations: NDArray[np.float64]) -> Explained:
        """Fit of guesses to the list, a row a guess."""
        parts = [self._explain(deviations[at : at + CHUNK]) for at in range(0, len(deviations), CHUNK)]
        return Explained(
            log_likelihood=np.concatenate([one.log_likelihood for one in parts]),
            joint=np.concatenate([one.joint for one in parts]),
        )

    def log_likelihood(self, deviations: NDArray[np.float64]) -> NDArray[np.float64]:
        """Logarithm of each guess's likelihood, as in ``explain`` and in half of its time."""
        return np.concatenate(
            [self._log_likelihood(deviations[at : at + CHUNK]) for at in range(0, len(deviations), CHUNK)]
        )

    def log_posterior(self, deviations: NDArray[np.float64]) -> NDArray[np.float64]:
        """Logarithm of the posterior of guesses, but for a constant."""
        log_prior = -0.5 * np.einsum("ij,ij->i", deviations, deviations)
        return np.asarray(log_prior + self.log_likelihood(deviations), dtype=float)

    def residuals(self, at: Costs) -> NDArray[np.float64]:
        """Logarithms of price over cost less their mean, of costs that are one number a guess: guess, line."""
        return np.asarray(
            self.observed - np.stack([getattr(at, name) for name in self.lines], axis=-1) - self.margin, dtype=float
        )

    def kinds(self) -> NDArray[np.float64]:
        """Chances of a model with experts and of a dense one, before prices."""
        if self.assumed.kind is not None:
            return _certain(KINDS, self.assumed.kind)
        dense = self.priors.chances.dense
        return np.array([1 - dense, dense])

    def tiers(self) -> NDArray[np.float64]:
        """Chances of the tiers of caches, before prices."""
        if self.assumed.tier is not None:
            return _certain(TIERS, self.assumed.tier)
        known = self.priors.tiers_of(self.evidence.provider)
        return np.array([float(getattr(known, name)) for name in TIERS])

    def meanings(self) -> NDArray[np.float64]:
        """Chances of the meanings of a step, before prices."""
        if self.assumed.meaning is not None:
            return _certain(MEANINGS, self.assumed.meaning)
        crossover = self.priors.chances.crossover
        return np.array([crossover, 1 - crossover])

    def _explain(self, deviations: NDArray[np.float64]) -> Explained:
        at = self.costs(deviations)
        joint = self._log_known(at)[..., None] + self._log_step(at)[:, :, :, None, :]
        flat = joint.reshape(len(joint), -1)
        top = flat.max(axis=1, keepdims=True)
        weights = np.exp(flat - top)
        whole = weights.sum(axis=1, keepdims=True)
        return Explained(
            log_likelihood=np.asarray((top + np.log(whole))[:, 0]), joint=(weights / whole).reshape(joint.shape)
        )

    def _log_likelihood(self, deviations: NDArray[np.float64]) -> NDArray[np.float64]:
        """Likelihood of a chunk; meanings of a step are summed over before tiers multiply them."""
        at = self.costs(deviations)
        return _log_sum(self._log_known(at) + self._log_step_sum(at)[..., None])

    def _log_known(self, at: Costs) -> NDArray[np.float64]:
        """Logarithm of the prices' density and of the chance beforehand: guess, machine, kind, tier."""
        chances = _logs(self.of.chances)[:, None, None] + _logs(self.kinds())[:, None] + _logs(self.tiers())
        return self._log_prices(at) + chances

    def _log_prices(self, at: Costs) -> NDArray[np.float64]:
        """Logarithm of the prices' density: guess, machine, kind, tier.

        Of ``r^T P r``, with what is left of each line and the precision, kinds are in some of the lines and tiers in
        the others, so that only the products of both are of all their pairs.
        """
        precision: Any = np.linalg.inv(self.covariance)
        left = [
            log_usd - getattr(at, name) - mean
            for name, log_usd, mean in zip(self.lines, self.observed, self.margin, strict=True)
        ]
        by_tier = [place for place, name in enumerate(self.lines) if name in BY_TIER]
        by_kind = [place for place, name in enumerate(self.lines) if name not in BY_TIER]
        squared: Any = _form(precision, left, by_kind)[..., None] + _form(precision, left, by_tier)[:, :, None, :]
        for place in by_tier if by_kind else ():
            pull: Any = sum(2 * precision[place, other] * left[other] for other in by_kind)
            squared = squared + pull[..., None] * left[place][:, :, None, :]
        constant = 0.5 * (np.linalg.slogdet(precision)[1] - len(self.lines) * math.log(2 * math.pi))
        return np.asarray(constant - 0.5 * squared, dtype=float)

    def _log_step_sum(self, at: Costs) -> NDArray[np.float64]:
        """Logarithm of the step's likelihood by guess, machine and kind, summed over its meanings."""
        if self.evidence.step is None:
            return np.zeros(at.output.shape)
        by_meaning = self._log_step(at)
        return np.logaddexp(by_meaning[..., CROSSOVER], by_meaning[..., POLICY])

    def _log_step(self, at: Costs) -> NDArray[np.float64]:
        """Log likelihood of the list's step by guess, machine, kind and meaning; constant where there is none.

        If the step is a crossover, this model's lies near it, and those of the vendor's other models lie where theirs
        are: that they coincide is then a matter of chance for each.
        """
        step, fixed = self.evidence.step, self.priors.fixed
        if step is None:
            return np.log(np.full((*at.output.shape, len(MEANINGS)), 1 / len(MEANINGS)))
        of_this = densities.crossover_step_log_density(
            step_tokens=step.threshold_tokens,
            crossover_tokens=np.maximum(at.crossover_tokens, NO_CROSSOVER),
            log_sd=fixed.threshold_log_sd,
        )
        same = densities.same_step_fraction(step_ratio=fixed.threshold_step, log_spread=self.step_spread)
        of_others = (step.shared_by - 1) * math.log(same)
        anywhere = densities.policy_step_log_density(low_tokens=fixed.threshold_low, high_tokens=fixed.threshold_high)
        by_meaning = np.broadcast_arrays(of_this + of_others, np.full_like(at.output, anywhere))
        return np.stack(by_meaning, axis=-1) + _logs(self.meanings())


def _form(
    precision: NDArray[np.float64], left: Sequence[NDArray[np.float64]], among: Sequence[int]
) -> NDArray[np.float64]:
    """Part of the quadratic form within some of the lines; zero where there are none."""
    found: NDArray[np.float64] = np.zeros((1, 1, 1))
    for place in among:
        pull = precision[place, place] * left[place]
        for other in among[: among.index(place)]:
            pull = pull + 2 * precision[place, other] * left[other]
        found = found + pull * left[place]
    return found


def _log_sum(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithm of each guess's sum of numbers that are given by their logarithms."""
    flat = logs.reshape(len(logs), -1)
    top = flat.max(axis=1)
    return np.asarray(np.log(np.exp(flat - top[:, None]).sum(axis=1)) + top, dtype=float)


def _certain(names: tuple[str, ...], answer: str) -> NDArray[np.float64]:
    """Chances of which one is whole."""
    return np.array([float(name == answer) for name in names])


def _logs(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithms of chances; what cannot be is far below all else."""
    return np.asarray(np.log(np.maximum(chances, 1e-300)), dtype=float)


def _lines(evidence: Evidence) -> tuple[str, ...]:
    return tuple(name for name in LINES if name in evidence.usd)


def likelihood_of(
    evidence: Evidence, priors: Priors, of: Candidates, assumed: Assumed, market: Market | None = None
) -> Likelihood:
    """Likelihood of guesses by a list.

    A line whose price is a vendor's multiple of its input price is one observation of all of its models. The more
    models differ in what that line costs over input, the less it says of this one.

    Args:
        evidence: evidence of the list.
        priors: priors of the unknowns.
        of: machines that may be behind the list.
        assumed: values and answers taken as known.
        market: price over cost of other models at the middle of the priors; None for what is believed.
    """
    lines = _lines(evidence)
    # Of one seed, so that a list says the same each time; models differ in themselves, and are run alike. What is
    # assumed of this model is not of its siblings.
    draws = np.random.default_rng(0).standard_normal((SPREAD_DRAWS, len(UNKNOWNS)))
    draws[:, [place for place, name in enumerate(UNKNOWNS) if name not in OF_MODELS]] = 0.0
    run_alike = {name: value for name, value in assumed.values.items() if name not in OF_MODELS}
    at = costs(values_of(draws, priors, run_alike), of, priors.fixed.request_s, has_large_batch=True)
    margin, covariance = line_margins(lines, priors, assumed) if market is None else market.of(lines)
    left_open = [
        evidence.rounding_log_sd.get(name, 0.0) ** 2 + (_spread(at, name) ** 2 if evidence.is_policy(name) else 0.0)
        for name in lines
    ]
    return Likelihood(
        evidence=evidence,
        priors=priors,
        of=of,
        assumed=assumed,
        margin=margin,
        covariance=covariance + np.diag(left_open),
        step_spread=float(np.std(np.log(at.crossover_tokens[:, 0, 0]))),
        runs_at_middle=market is not None,
    )


def _spread(at: Costs, line: str) -> float:
    """How far models lie apart in what a line costs over input, by the priors; on one machine, in one tier."""
    of_line = getattr(at, line)[:, 0, 0]
    return float(np.std(of_line - at.input[:, 0, 0]))
