"""How many prompts a step finds: a few numbers of them with their chances, around any mean.

Prompts come by Poisson's law while a step runs. Over steps that differ in length their number is taken to be negative
binomial: that of a Poisson number whose mean is itself a gamma variable. Where not every number from none up is looked
at, a gamma density of the same mean and variance takes the place of both.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ridgeline.numeric import NEXT_TO_NOTHING

__all__ = ["NUMBERS", "arrival_weights", "number_weights", "numbers_around"]

Array = NDArray[np.float64]

NUMBERS = 16
"""Numbers that are looked at: every one from none up where they suffice, else as many around the mean."""

FAR = 4.0
"""Standard deviations around the mean beyond which nothing is looked at."""

LEAST_EXCESS = 1e-6
"""Variance over mean, less one, that a number is as good as Poisson's with."""


def numbers_around(mean: Array, variance: Array) -> Array:
    """Numbers to look at; a row for each mean."""
    far = FAR * np.sqrt(variance)
    start = np.maximum(mean - far, 0.0) * (mean + far > NUMBERS - 1)
    stride = np.maximum((mean + far - start) / (NUMBERS - 1), 1.0)
    return start[:, None] + stride[:, None] * np.arange(NUMBERS)


def number_weights(counts: Array, mean: Array, variance: Array) -> Array:
    """Chances of numbers by the negative binomial law.

    Args:
        counts: numbers of ``numbers_around``; a row for each mean.
        mean: of each row.
        variance: of each row; at least the mean.
    """
    mean, variance = mean[:, None], np.maximum(variance, mean)[:, None]
    excess = np.maximum(variance / mean - 1, LEAST_EXCESS)
    steps = np.arange(1, NUMBERS)
    whole = np.zeros(counts.shape)
    whole[:, 1:] = np.cumsum(np.log((steps - 1 + mean / excess) / steps * excess / (1 + excess)), axis=1)
    shape, over = mean**2 / variance, np.maximum(counts, NEXT_TO_NOTHING) / mean
    return _shares(counts, whole, (shape - 1) * np.log(over) - shape * over)


def arrival_weights(counts: Array, mean: Array, spread: Array) -> Array:
    """Chances of numbers by Poisson's law.

    Args:
        counts: numbers of ``numbers_around``; a row for each case.
        mean: a row of means for each case.
        spread: variance over mean of each case: above one where prompts differ, and are counted by what they take.
    """
    every = np.maximum(counts, NEXT_TO_NOTHING)[:, None]
    log_counts, log_mean = np.log(every), np.log(np.maximum(mean, NEXT_TO_NOTHING))[..., None]
    mean, counts, spread = mean[..., None], counts[:, None], spread[:, None, None]
    whole = counts * log_mean - LOG_FACTORIALS
    if (spread > 1 + LEAST_EXCESS).any():
        excess = np.maximum(spread - 1, LEAST_EXCESS)
        steps = np.arange(1, NUMBERS)
        whole = np.zeros(np.broadcast_shapes(counts.shape, mean.shape))
        whole[..., 1:] = np.cumsum(np.log((steps - 1 + mean / excess) / steps * excess / (1 + excess)), axis=-1)
    return _shares(counts, whole, (mean / spread - 1) * (log_counts - log_mean) - every / spread)


LOG_FACTORIALS = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1.0, NUMBERS)))])


def _shares(counts: Array, whole: Array, smooth: Array) -> Array:
    """Chances by their logarithms but for a constant: of whole numbers from none up, or with a stride by a density."""
    is_every = counts[..., -1:] == NUMBERS - 1
    logs = np.where(is_every, whole, np.where(counts > 0, smooth, -np.inf))
    weights = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))
