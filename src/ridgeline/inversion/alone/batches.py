"""Belief about the batch over the balance batch: sequences over those that the machine and the experts ask for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations import normal, roofline
from ridgeline.inversion.machines import Candidates
from ridgeline.inversion.priors import EXPERTS, KINDS, LogNormal, Priors

__all__ = ["balance_ratios", "batch_densities", "expansions", "kind_chances"]

FURTHEST = 4
"""Deviations up to which total over active parameters are summed over, in whole steps: a batch spreads over three."""


def balance_ratios(of: Candidates) -> NDArray[np.float64]:
    """Parameters that each machine multiplies in the time in which it reads one."""
    found = roofline.balance_ratio(
        flop_per_s=of.flop_per_s, hbm_bytes_per_s=of.hbm_bytes_per_s, bytes_per_param=of.bytes_per_param
    )
    return np.asarray(found, dtype=float)


def kind_chances(known: Priors) -> NDArray[np.float64]:
    """Chances of a model with experts and of a dense one."""
    return np.array([1 - known.chances.dense, known.chances.dense])


def expansions(known: Priors, kind: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Total over active parameters of a kind of model, at whole deviations of a normal variable; the chance of each."""
    if kind != EXPERTS:
        return np.ones(1), np.ones(1)
    steps = np.linspace(-FURTHEST, FURTHEST, 2 * FURTHEST + 1)
    weights = np.exp(-0.5 * steps * steps)
    extra = LogNormal.stated(known.stated("extra_expansion", KINDS[kind])).value(steps)
    return 1 + extra, weights / np.sum(weights)


def batch_densities(known: Priors, of: Candidates, logs: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    """Density of the logarithm of balance batches before prices, by kind; axes are machines and the logarithms."""
    return tuple(_of_kind(known, of, logs, kind) for kind in range(len(KINDS)))


def _of_kind(known: Priors, of: Candidates, logs: NDArray[np.float64], kind: int) -> NDArray[np.float64]:
    batch, ratios = LogNormal.stated(known.stated("batch", KINDS[kind])), balance_ratios(of)
    found = np.zeros((len(of.chances), len(logs)))
    for expansion, chance in zip(*expansions(known, kind), strict=True):
        balance = roofline.balance_batch(balance_ratio=ratios, expansion=float(expansion))
        mean = batch.middle - np.asarray(np.log(balance))[:, None]
        found = found + float(chance) * np.exp(normal.log_density(value=logs, mean=mean, sd=batch.log_sd))
    return found
