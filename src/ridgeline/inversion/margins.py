"""Price over cost by line, as it is believed before prices are looked at."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ridgeline.inversion.assumed import Assumed
from ridgeline.inversion.priors import PINNED_LOG_SD, LogNormal, Priors

__all__ = ["line_margins"]


def line_margins(
    lines: tuple[str, ...], priors: Priors, assumed: Assumed
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean of the logarithm of price over cost by line, and its covariance between lines, which share a part of it."""
    shared = LogNormal.stated(priors.margins["shared"])
    own = [LogNormal.stated(priors.margins[name]) for name in lines]
    middle, own_middles = shared.middle, np.array([one.middle for one in own])
    shared_variance, variances = shared.log_sd**2, np.array([one.log_sd**2 for one in own])
    if assumed.price_over_cost is not None:
        middle, shared_variance = math.log(assumed.price_over_cost), 0.0
    if assumed.price_over_cost is not None or assumed.has_one_margin:
        own_middles, variances = np.zeros(len(lines)), np.full(len(lines), PINNED_LOG_SD**2)
    return middle + own_middles, shared_variance * np.ones((len(lines), len(lines))) + np.diag(variances)
