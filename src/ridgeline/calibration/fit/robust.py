"""The fit behind all numbers: few of them, in logarithms, with a prior; the pull of outlying rows is bounded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["RobustFit", "robust_fit"]

Array = NDArray[np.float64]

STEP = np.finfo(np.float64).eps ** 0.5
"""Step of a finite difference over the number's size: errors of rounding and of the straight line are as small then."""

AT_BOUND = 1e-6
"""Distance in logarithms below a bound that counts as at the bound: searches end within some 1e-8 of the optimum."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RobustFit:
    """Fitted numbers.

    Attributes:
        logs: logarithms of the numbers; one that no row determines is at its prior, exactly.
        log_sd: standard deviations of the logarithms; lower bounds, since rows are taken as independent, which they are
            not.
        rows: number of rows that depend on each.
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
    at_once: bool = False,
) -> RobustFit:
    """Numbers with the least pseudo-Huber loss of their residuals and the least squared distance from a prior.

    ``sum(w * 2 * (sqrt(1 + (r / soft)**2) - 1)) + sum(((logs - centre) / spread)**2)``

    Args:
        residuals: function from the numbers' logarithms to ``ln(predicted / measured)`` of every row.
        centre: middle of the prior, in logarithms.
        spread: standard deviation of the prior.
        soft: residual from which a row's pull is constant.
        start: start of the search; the middle of the prior where left out.
        most: upper bounds of the logarithms; a number at its bound is set to it exactly, so that a fit that starts from
            it does not depend on rounding.
        weights: weights of the rows.
        evaluations: maximum number of evaluations.
        tolerance: change of the loss and of the numbers at which the search ends.
        at_once: whether ``residuals`` also takes many sets of logarithms, a row each, and gives a row for each, which
            is much faster.

    Source: Charbonnier et al. 1997, "Deterministic edge-preserving regularization in computed imaging", and the normal
    approximation of a posterior (Gelman et al., "Bayesian Data Analysis", section 4.1).
    """
    from scipy.optimize import least_squares  # noqa: PLC0415  an extra, which nothing else needs

    def errors(logs: Array) -> Array:
        # The first search has no bounds, and steps beyond them change nothing.
        found = residuals(logs if most is None else np.minimum(logs, most)) / soft
        pulled = np.sign(found) * np.sqrt(2 * (np.sqrt(1 + found * found) - 1))
        return np.concatenate([pulled * np.sqrt(weights), (logs - centre) / spread], axis=-1)

    limits: dict[str, Any] = {"max_nfev": evaluations, "xtol": tolerance, "ftol": tolerance}
    if at_once:
        limits["jac"] = partial(_slopes, errors)
    best = least_squares(errors, centre if start is None else start, **limits)
    # This includes bounds, where a difference beyond one changes nothing, so that the first search sees no slope.
    if most is not None and np.any(best.x >= most - AT_BOUND):
        best = least_squares(errors, np.minimum(best.x, most), bounds=(-np.inf, most), **limits)
    log_sd = np.sqrt(np.diag(np.linalg.inv(best.jac.T @ best.jac)))
    rows = np.count_nonzero(best.jac[: -len(centre)], axis=0)
    reached = best.x if most is None else np.where(best.x >= most - AT_BOUND, most, best.x)
    return RobustFit(logs=np.where(rows > 0, reached, centre), log_sd=log_sd, rows=rows)


def _slopes(errors: Callable[[Array], Array], logs: Array) -> Array:
    """Finite differences of errors in each of the numbers, all of them evaluated at once.

    Steps are those of SciPy's own differences: away from zero, so that fractions, whose logarithms are below it, stay
    below their bound.
    """
    steps = np.diag(np.where(logs < 0, -STEP, STEP) * np.maximum(np.abs(logs), 1))
    found = errors(np.vstack([logs, logs + steps]))
    taken = np.diag(logs + steps) - logs  # as rounded
    return np.asarray((found[1:] - found[0]).T / taken)
