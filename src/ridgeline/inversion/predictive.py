"""Posterior predictive check of each price by all other prices of a list."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from ridgeline.inversion.intervals import Interval, interval_of
from ridgeline.inversion.likelihood import Likelihood
from ridgeline.inversion.quantities import chosen_after
from ridgeline.inversion.sample import preview_explained

__all__ = ["Predicted", "predicted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicted:
    """One price, beside what all others lead to expect.

    Attributes:
        line: line of the list.
        usd: price as listed: dollars a token, of ``hold`` a token and second.
        expected: interval that all other prices lead to expect.
        chance_beyond: chance of a price at least as far out, on either side; small where the model does not fit.
    """

    line: str
    usd: float
    expected: Interval
    chance_beyond: float


def predicted(likelihood: Likelihood, place: int, *, seed: int, draws: int) -> Predicted:
    """Predict one price by an inference from the others alone, of quasi-random guesses.

    Importance weights on the posterior of all prices would cost nothing, but miss the tails that the price itself has
    cut off: by a factor of two at the 5 % point of an input price. Given a guess, a price is normal around its cost
    times the margin that the other prices lead to expect.

    Args:
        likelihood: likelihood of guesses, by all prices.
        place: index of the price among the list's lines.
        seed: seed of the draws.
        draws: number of guesses, a power of two.
    """
    others = _without(likelihood, place)
    found, explained = preview_explained(others, seed=seed, draws=draws)
    chosen = chosen_after(explained, seed)
    left = likelihood.residuals(likelihood.costs_of_chosen(likelihood.values(found.deviations), chosen))
    precision = np.linalg.inv(likelihood.covariance)
    kept = np.delete(np.arange(len(likelihood.lines)), place)
    own = precision[place, place]
    # Draws of the listed price: the price less its residual, plus noise.
    expected = -(left[:, kept] @ precision[place, kept]) / own
    noise = np.random.default_rng((seed, place)).standard_normal(draws) / np.sqrt(own)
    listed = likelihood.observed[place]
    log_usd = listed - left[:, place] + expected + noise
    below = float(np.sum(found.weights * (log_usd < listed)))
    return Predicted(
        line=likelihood.lines[place],
        usd=float(np.exp(listed)),
        expected=interval_of(np.exp(log_usd), found.weights),
        chance_beyond=2 * min(below, 1 - below),
    )


def _without(likelihood: Likelihood, place: int) -> Likelihood:
    """Likelihood without one of the list's prices."""
    evidence, left_out = likelihood.evidence, likelihood.lines[place]
    kept = [at for at in range(len(likelihood.lines)) if at != place]
    usd = {name: usd for name, usd in evidence.usd.items() if name != left_out}
    return dataclasses.replace(
        likelihood,
        evidence=dataclasses.replace(evidence, usd=usd),
        margin=likelihood.margin[kept],
        covariance=likelihood.covariance[np.ix_(kept, kept)],
    )
