"""The fit behind all numbers: few of them, in logarithms, held by a prior; rows that lie far off pull no harder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["RobustFit", "robust_fit"]

Array = NDArray[np.float64]

AT_BOUND = 1e-6
"""A logarithm that lies no farther below its bound is at it: searches end within some 1e-8 of what they seek."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RobustFit:
    """Numbers that were fitted.

    Attributes:
        logs: their logarithms; what no row moves is where the prior has it, to the last digit.
        log_sd: standard deviations of these; rows are taken as independent, which they are not, so that each is a bound
            from below.
        rows: that move with each.
    """

    logs: Array
    log_sd: Array
    rows: NDArray[np.intp]


def robust_fit(
    residuals: Callable[[Array], Array],
    *,
    centre: Array,
    spread: Array | float,
    soft: float,
    start: Array | None = None,
    most: Array | None = None,
    weights: Array | float = 1.0,
    evaluations: int = 60,
    tolerance: float = 1e-8,
) -> RobustFit:
    """The numbers with the least pseudo-Huber loss of their residuals and the least squared distance from a prior.

    ``sum(w * 2 * (sqrt(1 + (r / soft)**2) - 1)) + sum(((logs - centre) / spread)**2)``

    Args:
        residuals: ``ln(predicted / measured)`` of every row, of the numbers' logarithms.
        centre: middle of the prior, in logarithms.
        spread: standard deviation of the prior.
        soft: residual from which a row pulls no harder.
        start: where the search begins; the middle of the prior where it is left out.
        most: upper bounds of the logarithms; what is at its bound is there to the last digit, so that a fit that starts
            from it doesn't hang on which side of the bound rounding left it.
        weights: of rows.
        evaluations: most of them.
        tolerance: change of the loss and of the numbers at which the search ends.

    Source: Charbonnier et al. 1997, "Deterministic edge-preserving regularization in computed imaging", and the normal
    approximation of a posterior (Gelman et al., "Bayesian Data Analysis", section 4.1).
    """
    from scipy.optimize import least_squares  # noqa: PLC0415  an extra, which nothing else needs

    def errors(logs: Array) -> Array:
        # The first search knows no bounds, and steps beyond them change nothing.
        found = residuals(logs if most is None else np.minimum(logs, most)) / soft
        pulled = np.sign(found) * np.sqrt(2 * (np.sqrt(1 + found * found) - 1))
        return np.concatenate([pulled * np.sqrt(weights), (logs - centre) / spread])

    limits = {"max_nfev": evaluations, "xtol": tolerance, "ftol": tolerance}
    best = least_squares(errors, centre if start is None else start, **limits)
    # At a bound, too, where a difference that reaches beyond changes nothing, so that the first search sees no slope.
    if most is not None and np.any(best.x >= most - AT_BOUND):
        best = least_squares(errors, np.minimum(best.x, most), bounds=(-np.inf, most), **limits)
    log_sd = np.sqrt(np.diag(np.linalg.inv(best.jac.T @ best.jac)))
    rows = np.count_nonzero(best.jac[: -len(centre)], axis=0)
    reached = best.x if most is None else np.where(best.x >= most - AT_BOUND, most, best.x)
    return RobustFit(logs=np.where(rows > 0, reached, centre), log_sd=log_sd, rows=rows)
