"""Distribution of the number of prompts that a step finds: a few numbers around the mean, with their probabilities.

Prompts arrive as a Poisson process while a step runs. Over steps of different lengths, their number is assumed negative
binomial: Poisson with a gamma distributed mean. Where not every number from zero up is evaluated, a gamma density of
the same mean and variance replaces both.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ridgeline.numeric import NEXT_TO_NOTHING

__all__ = ["NUMBERS", "arrival_weights", "number_weights", "numbers_around"]

Array = NDArray[np.float64]

NUMBERS = 16
"""Number of evaluated values: all from zero up where they suffice, else this many around the mean."""

FAR = 4.0
"""Standard deviations around the mean beyond which no value is evaluated."""

LEAST_EXCESS = 1e-6
"""Variance over mean, less one, below which a number counts as Poisson distributed."""


def numbers_around(mean: Array, variance: Array) -> Array:
    """Numbers to evaluate; a row for each mean."""
    far = FAR * np.sqrt(variance)
    start = np.maximum(mean - far, 0.0) * (mean + far > NUMBERS - 1)
    stride = np.maximum((mean + far - start) / (NUMBERS - 1), 1.0)
    return np.asarray(start[:, None] + stride[:, None] * np.arange(NUMBERS), dtype=np.float64)


def number_weights(counts: Array, mean: Array, variance: Array) -> Array:
    """Probabilities of numbers by the negative binomial distribution.

    Args:
        counts: numbers of ``numbers_around``; a row for each mean.
        mean: mean number of each row.
        variance: variance of each row; at least the mean.
    """
    mean, variance = mean[:, None], np.maximum(variance, mean)[:, None]
    excess = np.maximum(variance / mean - 1, LEAST_EXCESS)
    steps = np.arange(1, NUMBERS)
    whole = np.zeros(counts.shape)
    whole[:, 1:] = np.cumsum(np.log((steps - 1 + mean / excess) / steps * excess / (1 + excess)), axis=1)
    shape, over = mean**2 / variance, np.maximum(counts, NEXT_TO_NOTHING) / mean
    return _shares(counts, whole, (shape - 1) * np.log(over) - shape * over)


def arrival_weights(counts: Array, mean: Array, spread: Array) -> Array:
    """Probabilities of numbers by the Poisson distribution.

    Args:
        counts: numbers of ``numbers_around``; a row for each case.
        mean: a row of means for each case.
        spread: variance over mean of each case: above one where prompts differ, and are weighted by their prefill time.
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
    """Probabilities from log densities up to a constant: of all numbers from zero up, or of strided ones."""
    is_every = counts[..., -1:] == NUMBERS - 1
    logs = np.where(is_every, whole, np.where(counts > 0, smooth, -np.inf))
    weights = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))
