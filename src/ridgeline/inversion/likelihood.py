"""How well guesses explain a price list; what is discrete, and every margin, is summed over exactly.

Given the costs, logarithms of prices are normal: each is its cost times a margin, of which a part is shared by all
lines. So margins need no sampling. Machines, number formats, experts or none, the tier of caches and what a step of the
list stands for are summed over, with the chance of each as what is learnt of it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations import evidence
from ridgeline.inversion.costs import KINDS, Costs, costs, values_of
from ridgeline.inversion.evidence import Evidence
from ridgeline.inversion.machines import TIERS, Candidates
from ridgeline.inversion.priors import LINES, PINNED_LOG_SD, UNKNOWNS, LogNormal, Priors

__all__ = ["CROSSOVER", "MEANINGS", "POLICY", "Explained", "Likelihood", "likelihood_of"]

CROSSOVER, POLICY = 0, 1
MEANINGS = ("crossover", "policy")
"""What a step of a list may stand for, as they stand in arrays."""

CHUNK = 2048
"""Guesses that are worked out together: a few megabytes an array."""

SPREAD_DRAWS = 2048
"""Of priors, over which the spread of a vendor's models is measured."""

OF_MODELS = ("active_params", "extra_expansion", "kv_bytes_per_token", "read_fraction")
"""Unknowns in which a vendor's models differ; it runs all of them in much the same way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """Guesses with how well each explains the list; chances given the guess have the options in the last axis.

    Attributes:
        log_likelihood: of each guess, all that is discrete summed over.
        joint: chance of each machine, kind of model, tier and meaning of a step, given the guess and the list.
    """

    log_likelihood: NDArray[np.float64]
    joint: NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Likelihood:
    """What a list says of guesses.

    Attributes:
        evidence: the list.
        priors: of the unknowns.
        of: machines.
        pins: unknowns that are assumed, by name; ``price_over_cost`` pins all margins, ``line_margins`` makes those of
            all lines one; ``tier`` and ``meaning`` are pinned by their place.
        margin: mean of the logarithm of price over cost by line.
        covariance: of the same between lines, with what rounding and a vendor's policy leave open.
        step_spread: how far crossovers of a vendor's other models would lie apart, in logarithms.
    """

    evidence: Evidence
    priors: Priors
    of: Candidates
    pins: Mapping[str, float]
    margin: NDArray[np.float64]
    covariance: NDArray[np.float64]
    step_spread: float

    @property
    def lines(self) -> tuple[str, ...]:
        """Of the list, in the order of arrays."""
        return tuple(name for name in LINES if name in self.evidence.usd)

    @property
    def observed(self) -> NDArray[np.float64]:
        """Logarithms of the prices."""
        return np.log([self.evidence.usd[name] for name in self.lines])

    def values(self, deviations: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
        """The unknowns."""
        return values_of(deviations, self.priors, self.pins)

    def costs(self, deviations: NDArray[np.float64]) -> Costs:
        """Of every guess."""
        return costs(self.values(deviations), self.of, self.priors.fixed.request_s)

    def explain(self, deviations: NDArray[np.float64]) -> Explained:
        """How well guesses explain the list, a row a guess."""
        parts = [self._explain(deviations[at : at + CHUNK]) for at in range(0, len(deviations), CHUNK)]
        return Explained(
            log_likelihood=np.concatenate([one.log_likelihood for one in parts]),
            joint=np.concatenate([one.joint for one in parts]),
        )

    def log_posterior(self, deviations: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of guesses, but for a constant."""
        log_prior = -0.5 * np.einsum("ij,ij->i", deviations, deviations)
        return np.asarray(log_prior + self.explain(deviations).log_likelihood, dtype=float)

    def residuals(self, at: Costs) -> NDArray[np.float64]:
        """Logarithms of price over cost less their mean: guess, machine, kind, tier, line."""
        by_tier = {"cached_input", "hold"}
        shape = (*at.output.shape, len(TIERS))
        given = [
            np.broadcast_to(
                getattr(at, name)[:, :, None, :] if name in by_tier else getattr(at, name)[..., None], shape
            )
            for name in self.lines
        ]
        return np.asarray(self.observed - np.stack(given, axis=-1) - self.margin, dtype=float)

    def _explain(self, deviations: NDArray[np.float64]) -> Explained:
        at = self.costs(deviations)
        root = np.linalg.inv(np.linalg.cholesky(self.covariance))
        whitened = self.residuals(at) @ root.T
        log_prices = -0.5 * np.sum(whitened**2, axis=-1) + np.log(np.diag(root)).sum()
        log_prices -= 0.5 * len(self.lines) * math.log(2 * math.pi)
        chances = (
            np.log(self.of.chances)[:, None, None] + _log_chances(self._kinds())[:, None] + _log_chances(self._tiers())
        )
        joint = (log_prices + chances)[..., None] + self._log_step(at)[:, :, :, None, :]
        flat = joint.reshape(len(joint), -1)
        top = flat.max(axis=1, keepdims=True)
        weights = np.exp(flat - top)
        whole = weights.sum(axis=1, keepdims=True)
        return Explained(
            log_likelihood=np.asarray((top + np.log(whole))[:, 0]), joint=(weights / whole).reshape(joint.shape)
        )

    def _kinds(self) -> tuple[float, ...]:
        """Chances of a model with experts and of a dense one."""
        dense = self.priors.chances.dense
        return tuple({"experts": 1 - dense, "dense": dense}[name] for name in KINDS)

    def _tiers(self) -> tuple[float, ...]:
        """Chances of where caches wait."""
        if "tier" in self.pins:
            return tuple(float(place == self.pins["tier"]) for place in range(len(TIERS)))
        return tuple(float(getattr(self.priors.tiers, name)) for name in TIERS)

    def _log_step(self, at: Costs) -> NDArray[np.float64]:
        """Of a step in the list by what it may stand for: guess, machine, kind, meaning. Nothing where there is none.

        A crossover of this model lies near it. If steps were crossovers, those of a vendor's other models would lie
        where theirs are: that they are at the same place is then a chance for each.
        """
        step, fixed = self.evidence.step, self.priors.fixed
        crossover = self.priors.chances.crossover
        if step is None:
            return np.log(np.full((*at.output.shape, 2), 0.5))
        of_this = evidence.crossover_step_log_density(
            step_tokens=step.threshold_tokens, crossover_tokens=at.crossover_tokens, log_sd=fixed.threshold_log_sd
        )
        same = evidence.same_step_fraction(step_ratio=fixed.threshold_step, log_spread=self.step_spread)
        of_others = (step.shared_by - 1) * math.log(same)
        anywhere = evidence.policy_step_log_density(low_tokens=fixed.threshold_low, high_tokens=fixed.threshold_high)
        if "meaning" in self.pins:
            crossover = float(self.pins["meaning"] == CROSSOVER)
        log_chances = _log_chances((crossover, 1 - crossover))
        return np.stack(
            [of_this + of_others + log_chances[CROSSOVER], np.full_like(of_this, anywhere + log_chances[POLICY])],
            axis=-1,
        )


def _log_chances(chances: tuple[float, ...]) -> NDArray[np.float64]:
    """Logarithms; what cannot be is far below all else."""
    return np.log(np.maximum(chances, 1e-300))


def likelihood_of(evidence: Evidence, priors: Priors, of: Candidates, pins: Mapping[str, float]) -> Likelihood:
    """What a list says.

    A line whose price is a vendor's multiple of its input is one observation of all of its models: of this one it
    says as much less as models differ in what that line costs them over input.

    Args:
        evidence: the list.
        priors: of the unknowns.
        of: machines.
        pins: unknowns that are assumed.
    """
    lines = tuple(name for name in LINES if name in evidence.usd)
    shared = LogNormal.stated(priors.margins["shared"])
    own = [LogNormal.stated(priors.margins[name]) for name in lines]
    margin = np.array([shared.middle + one.middle for one in own])
    # Of one seed, so that a list says the same each time; models differ in themselves, and are run alike.
    draws = np.random.default_rng(0).standard_normal((SPREAD_DRAWS, len(UNKNOWNS)))
    draws[:, [place for place, name in enumerate(UNKNOWNS) if name not in OF_MODELS]] = 0.0
    at = costs(values_of(draws, priors, pins), of, priors.fixed.request_s)
    variances = [one.log_sd**2 for one in own]
    shared_variance = shared.log_sd**2
    if "price_over_cost" in pins:
        margin = np.full(len(lines), math.log(pins["price_over_cost"]))
        shared_variance, variances = 0.0, [PINNED_LOG_SD**2] * len(lines)
    if "line_margins" in pins:
        margin, variances = np.full(len(lines), shared.middle), [PINNED_LOG_SD**2] * len(lines)
    left_open = [
        evidence.rounding_log_sd.get(name, 0.0) ** 2 + (_spread(at, name) ** 2 if evidence.is_policy(name) else 0.0)
        for name in lines
    ]
    return Likelihood(
        evidence=evidence,
        priors=priors,
        of=of,
        pins=pins,
        margin=margin,
        covariance=shared_variance * np.ones((len(lines), len(lines))) + np.diag(np.add(variances, left_open)),
        step_spread=max(float(np.std(np.log(at.crossover_tokens[:, 0, 0]))), 1e-6),
    )


def _spread(at: Costs, line: str) -> float:
    """How far models lie apart in what a line costs over input, by the priors; on one machine, in one tier."""
    of_line = getattr(at, line)[:, 0, 0]
    return float(np.std(of_line - at.input[:, 0, 0]))
