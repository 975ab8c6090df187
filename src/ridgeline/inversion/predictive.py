"""The check on each price: what all other prices of a list lead to expect of it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.inversion.intervals import Interval, interval_of
from ridgeline.inversion.likelihood import Likelihood
from ridgeline.inversion.quantities import Chosen, chosen_after
from ridgeline.inversion.sample import Draws, effective_draws, preview

__all__ = ["Predicted", "predicted"]

FEWEST_EFFECTIVE = 400.0
"""Draws whose 5 % point is known to a fifth of a deviation: with fewer the other prices are inferred from anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicted:
    """One price, as all others lead to expect it.

    Attributes:
        line: of the list.
        usd: as listed: dollars a token, of ``hold`` a token and second.
        expected: by all other prices.
        chance_beyond: of a price at least as far out, both sides together; small where the model does not fit.
        is_refitted: whether the other prices were inferred from anew, since few guesses did without this one's help.
    """

    line: str
    usd: float
    expected: Interval
    chance_beyond: float
    is_refitted: bool


def predicted(
    likelihood: Likelihood, draws: Draws, chosen: Chosen, place: int, *, seed: int, refit_draws: int
) -> Predicted:
    """One price as the others lead to expect it: guesses count as much less as they owe to it.

    Given a guess, a price is normal around what the other prices' margins leave of its cost; a guess that the price
    itself has helped is weighed by the reciprocal of that help. Where few guesses are left to count, the other prices
    are inferred from by themselves.

    Args:
        likelihood: of guesses.
        draws: the guesses.
        chosen: what is discrete, for each.
        place: of the price among the list's lines.
        seed: of what is drawn.
        refit_draws: quasi-random guesses of an inference from the others, a power of two.
    """
    log_expected, width, left = _given(likelihood, draws.deviations, chosen, place)
    away = (left - log_expected) / width
    weights = draws.weights * np.exp(np.minimum(0.5 * away**2, 50.0))
    weights = weights / weights.sum()
    is_refitted = effective_draws(weights) < FEWEST_EFFECTIVE and len(likelihood.lines) > 1
    if is_refitted:
        others = _without(likelihood, place)
        again = preview(others, seed=seed, draws=refit_draws)
        of_others = chosen_after(others.explain(again.deviations), seed)
        log_expected, width, left = _given(likelihood, again.deviations, of_others, place)
        weights = again.weights
    noise = np.random.default_rng((seed, place)).standard_normal(len(weights))
    # What would be listed: the price, less how far it lies from what is expected, and by chance.
    listed = likelihood.observed[place]
    log_usd = listed - left + log_expected + width * noise
    below = float(np.sum(weights * (log_usd < listed)))
    return Predicted(
        line=likelihood.lines[place],
        usd=float(np.exp(listed)),
        expected=interval_of(np.exp(log_usd), weights),
        chance_beyond=2 * min(below, 1 - below),
        is_refitted=is_refitted,
    )


def _given(
    likelihood: Likelihood, deviations: NDArray[np.float64], chosen: Chosen, place: int
) -> tuple[NDArray[np.float64], float, NDArray[np.float64]]:
    """Of each guess: mean of the price's residual given the others', its deviation, and the residual itself."""
    rows = np.arange(len(deviations))
    left = likelihood.residuals(likelihood.costs(deviations))[rows, chosen.machine, chosen.kind, chosen.tier]
    precision = np.linalg.inv(likelihood.covariance)
    others = np.delete(np.arange(len(likelihood.lines)), place)
    expected = -(left[:, others] @ precision[place, others]) / precision[place, place]
    return expected, float(1 / np.sqrt(precision[place, place])), left[:, place]


def _without(likelihood: Likelihood, place: int) -> Likelihood:
    """What the list would say without one of its prices."""
    evidence, left_out = likelihood.evidence, likelihood.lines[place]
    kept = [at for at in range(len(likelihood.lines)) if at != place]
    return dataclasses.replace(
        likelihood,
        evidence=dataclasses.replace(
            evidence, usd={name: usd for name, usd in evidence.usd.items() if name != left_out}
        ),
        margin=likelihood.margin[kept],
        covariance=likelihood.covariance[np.ix_(kept, kept)],
    )
