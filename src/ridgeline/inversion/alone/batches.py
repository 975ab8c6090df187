"""Batch over the balance batch as it is believed: sequences over what the machine and the model's experts ask for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations import normal, roofline
from ridgeline.inversion.machines import Candidates
from ridgeline.inversion.priors import EXPERTS, KINDS, LogNormal, Priors

__all__ = ["balance_ratios", "batch_densities", "expansions", "kind_chances"]

NODES = 21
"""Of Gauss and Hermite, for total over active parameters, beside which a batch spreads three times as much."""


def balance_ratios(of: Candidates) -> NDArray[np.float64]:
    """Parameters that each machine multiplies while it reads one."""
    found = roofline.balance_ratio(
        flop_per_s=of.flop_per_s, hbm_bytes_per_s=of.hbm_bytes_per_s, bytes_per_param=of.bytes_per_param
    )
    return np.asarray(found, dtype=float)


def kind_chances(known: Priors) -> NDArray[np.float64]:
    """Of a model with experts and of a dense one."""
    return np.array([1 - known.chances.dense, known.chances.dense])


def expansions(known: Priors, kind: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Total over active parameters of a kind of model, and the chance of each: nodes of a normal variable."""
    if kind != EXPERTS:
        return np.ones(1), np.ones(1)
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    extra = LogNormal.stated(known.stated("extra_expansion", KINDS[kind])).value(nodes)
    return 1 + extra, weights / np.sum(weights)


def batch_densities(known: Priors, of: Candidates, logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Density of the logarithm of balance batches before prices; axes are machines, kinds and the logarithms."""
    found = np.zeros((len(of.chances), len(KINDS), len(logs)))
    for kind, name in enumerate(KINDS):
        batch = LogNormal.stated(known.stated("batch", name))
        for expansion, chance in zip(*expansions(known, kind), strict=True):
            balance = roofline.balance_batch(balance_ratio=balance_ratios(of), expansion=float(expansion))
            mean = batch.middle - np.log(balance)[:, None]
            found[:, kind] += chance * np.exp(normal.log_density(value=logs, mean=mean, sd=batch.log_sd))
    return found
