"""Sampling: quasi-random guesses weighted by likelihood, and a walk of an ensemble.

Quasi-random guesses are the quick preview, whose effective number of draws says how far to trust it; the walk, emcee's,
is what is reported. Both repeat exactly with their seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from ridgeline.callbacks import Progress, no_progress
from ridgeline.errors import RidgelineError
from ridgeline.extras import installing
from ridgeline.inversion.likelihood import Explained, Likelihood
from ridgeline.inversion.priors import UNKNOWNS

__all__ = [
    "ENOUGH_DRAWS",
    "PREVIEW_DRAWS",
    "WALKED_STEPS",
    "Draws",
    "effective_draws",
    "preview",
    "preview_explained",
    "require_samplers",
    "walked",
]

PREVIEW_DRAWS = 2**15
"""Powers of two fill a Sobol sequence evenly."""

ENOUGH_DRAWS = 3000.0
"""Effective draws of the preview from which on no walk is taken.

A walk of ``WALKED_STEPS`` has about as many of the same posterior, as a test holds, and would say no more.
"""

WALKERS, BURNED_STEPS, WALKED_STEPS, KEPT_EVERY = 64, 250, 2000, 10
"""Walkers of the ensemble, steps until its start is forgotten, steps after those, and one in how many is kept."""

TOLD_EVERY = 50
"""Steps after which progress is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draws:
    """Guesses with their weights.

    Attributes:
        deviations: deviations of the unknowns, a row a guess, a column an unknown.
        weights: weights of the guesses; sum to one.
        effective: number of draws that would say as much if all counted alike and none depended on another.
        log_evidence: logarithm of the chance of the list, whatever the unknowns, by quasi-random guesses.
    """

    deviations: NDArray[np.float64]
    weights: NDArray[np.float64]
    effective: float
    log_evidence: float


def require_samplers() -> None:
    """Refuse to go on without a sampler's library, and say how to install it.

    Raises:
        RidgelineError: emcee or SciPy is missing.
    """
    missing = [name for name in ("emcee", "scipy") if find_spec(name) is None]
    if missing:
        raise RidgelineError(f"infer needs {' and '.join(missing)}: {installing('infer')}")


def effective_draws(weights: NDArray[np.float64]) -> float:
    """Kish's number of draws that would say as much if all counted alike.

    >>> effective_draws(np.array([0.5, 0.5, 0.0, 0.0]))
    2.0
    """
    return float(np.sum(weights) ** 2 / np.sum(weights**2))


def preview(likelihood: Likelihood, *, seed: int, draws: int = PREVIEW_DRAWS) -> Draws:
    """Quasi-random guesses of the prior, each weighed by its likelihood; Kish's effective number of draws.

    Args:
        likelihood: likelihood of guesses.
        seed: seed of the scrambling.
        draws: number of guesses, a power of two.
    """
    deviations = _guesses(seed, draws)
    return _weighed(deviations, likelihood.log_likelihood(deviations))


def preview_explained(likelihood: Likelihood, *, seed: int, draws: int = PREVIEW_DRAWS) -> tuple[Draws, Explained]:
    """The preview with the fit of its guesses to the list, in one pass; takes what ``preview`` does."""
    deviations = _guesses(seed, draws)
    explained = likelihood.explain(deviations)
    return _weighed(deviations, explained.log_likelihood), explained


def _guesses(seed: int, draws: int) -> NDArray[np.float64]:
    """Deviations of quasi-random guesses of the prior, a row a guess."""
    from scipy.special import ndtri  # noqa: PLC0415  an extra
    from scipy.stats import qmc  # noqa: PLC0415  an extra

    points = qmc.Sobol(d=len(UNKNOWNS), scramble=True, rng=np.random.default_rng(seed)).random(draws)
    # A point may be drawn on the edge, at which a normal variable is infinite.
    return np.asarray(ndtri(np.clip(points, 1e-9, 1 - 1e-9)), dtype=float)


def _weighed(deviations: NDArray[np.float64], log_weights: NDArray[np.float64]) -> Draws:
    weights = np.exp(log_weights - log_weights.max())
    log_evidence = float(np.log(weights.mean()) + log_weights.max())
    weights = weights / weights.sum()
    return Draws(
        deviations=deviations,
        weights=weights,
        effective=effective_draws(weights),
        log_evidence=log_evidence,
    )


def walked(
    likelihood: Likelihood,
    start: Draws,
    *,
    seed: int,
    steps: int = WALKED_STEPS,
    burned: int = BURNED_STEPS,
    told: Progress = no_progress,
) -> Draws:
    """An ensemble that walks by differences of its members, from guesses of the preview.

    Args:
        likelihood: likelihood of guesses.
        start: guesses of the preview.
        seed: seed of the walk.
        steps: number of steps after ``burned``, of which one in ``KEPT_EVERY`` is kept.
        burned: number of steps before those, until the start is forgotten.
        told: callback that takes the number of further steps that are done.

    Source: Foreman-Mackey et al. 2013 (emcee); moves by ter Braak 2006 and by Goodman and Weare 2010.
    """
    import emcee  # noqa: PLC0415  an extra

    random = np.random.RandomState(seed)
    chosen = random.choice(len(start.weights), size=WALKERS, p=_spread_out(start.weights))
    # Walkers that begin at one place would never part.
    first = start.deviations[chosen] + 0.05 * random.standard_normal((WALKERS, len(UNKNOWNS)))
    sampler = emcee.EnsembleSampler(
        WALKERS,
        len(UNKNOWNS),
        likelihood.log_posterior,
        vectorize=True,
        # Not emcee's snooker move: in eleven dimensions it draws a normal variable at three fourths of its width.
        moves=[(emcee.moves.DEMove(), 0.7), (emcee.moves.StretchMove(), 0.3)],
    )
    # Its wrapper prints a traceback of whatever ends the walk, an interrupt too.
    sampler.log_prob_fn = likelihood.log_posterior
    state = emcee.State(first, random_state=random.get_state())
    for done, _ in enumerate(sampler.sample(state, iterations=burned + steps), start=1):
        if done % TOLD_EVERY == 0:
            told(TOLD_EVERY)
    # A short chain's correlation is not well known: only the count's order of magnitude is.
    correlated_steps = float(np.max(sampler.get_autocorr_time(discard=burned, tol=0)))
    kept = np.asarray(sampler.get_chain(discard=burned, thin=KEPT_EVERY, flat=True), dtype=float)
    return Draws(
        deviations=kept,
        weights=np.full(len(kept), 1 / len(kept)),
        effective=WALKERS * steps / max(correlated_steps, 1.0),
        log_evidence=start.log_evidence,
    )


def _spread_out(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights, or a power of them in which at least as many guesses count as there are walkers."""
    found = weights
    while effective_draws(found) < WALKERS:
        found = np.sqrt(found)
    return np.asarray(found / found.sum(), dtype=float)
