"""Price over cost as learnt from models of known size, in place of what is believed beforehand.

Price over cost of a model of known size is a residual: margins, and how far the costs of a market lie from those at the
middle of the priors. Residuals of several models give a mean and a covariance for a further one, by the conjugate prior
of a normal variable, which counts as one model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.inversion.assumed import NOTHING, Assumed
from ridgeline.inversion.costs import costs, values_of
from ridgeline.inversion.machines import Candidates
from ridgeline.inversion.margins import line_margins
from ridgeline.inversion.priors import EXPERTS, KINDS, OF_MODELS, TIERS, UNKNOWNS, Priors

__all__ = ["TIER", "Market", "learnt", "residuals_at", "written"]

TIER = "DDR"
"""Tier of caches at the middle, neither the dearest nor the cheapest; that they wait elsewhere is scatter."""

DRAWS = 4096
"""Draws of how models are run, over which its scatter is measured: its deviation is then known to 1 %."""

ROUNDS = 60
"""Rounds of expectation and maximisation: each at least halves what is left, down to a double's precision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Market:
    """Logarithm of price over cost, with costs at the middle of the priors of how models are run.

    Attributes:
        lines: lines of price lists.
        mean: mean of the logarithm of price over cost, by line.
        covariance: covariance of a further model's logarithms of price over cost, between lines.
    """

    lines: tuple[str, ...]
    mean: NDArray[np.float64]
    covariance: NDArray[np.float64]

    def of(self, lines: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Mean and covariance of some of the lines."""
        places = [self.lines.index(name) for name in lines]
        return self.mean[places], self.covariance[np.ix_(places, places)]


def learnt(residuals: Sequence[Mapping[str, float]], written: Market, *, models: float, freedom: float) -> Market:
    """Market learnt from models of known size: the mode of the normal and inverse Wishart posterior.

    A line that a model does not sell is filled in by its expectation given the others (Dempster, Laird and Rubin 1977).

    Args:
        residuals: logarithm of price over cost of each model, by line.
        written: market as believed before.
        models: number of models that the mean believed before is worth.
        freedom: degrees of freedom that the covariance believed before has.

    Source: Gelman et al. 2013, Bayesian Data Analysis, 3.6.
    """
    rows = np.array([[one.get(name, np.nan) for name in written.lines] for one in residuals])
    count = len(rows)
    mean, covariance = written.mean, written.covariance
    for _ in range(ROUNDS):
        filled, unsure = _filled(rows, mean, covariance)
        mean = (count * filled.mean(axis=0) + models * written.mean) / (count + models)
        away, moved = filled - mean, mean - written.mean
        scatter = freedom * written.covariance + away.T @ away + unsure + models * np.outer(moved, moved)
        covariance = scatter / (count + freedom)
    # A further model scatters about the mean, which is uncertain itself.
    return Market(lines=written.lines, mean=mean, covariance=covariance * (1 + 1 / (count + models)))


def residuals_at(truth: Assumed, usd: Mapping[str, float], priors: Priors, machine: Candidates) -> dict[str, float]:
    """Logarithm of price over cost of a model of known size, run as the middle of the priors.

    Args:
        truth: size of the model, its caches and whether it is dense.
        usd: prices by line.
        priors: priors of how it is run.
        machine: the one machine on which it is run.
    """
    kind = KINDS.index(truth.kind or KINDS[EXPERTS])
    at = costs(values_of(np.zeros((1, len(UNKNOWNS))), priors, truth.values), machine, priors.fixed.request_s)
    place = {"input": kind, "output": kind, "cached_input": TIERS.index(TIER), "hold": TIERS.index(TIER)}
    return {line: float(np.log(price) - getattr(at, line)[0, 0, place[line]]) for line, price in usd.items()}


def written(lines: tuple[str, ...], priors: Priors, of: Candidates, machine: Candidates) -> Market:
    """Market as believed before: margins, and how far machines, tiers and ways to run them lie apart.

    Args:
        lines: lines of price lists.
        priors: priors of how models are run.
        of: machines that may be behind a list.
        machine: machine on which residuals are taken.
    """
    middle, margins = line_margins(lines, priors, NOTHING)
    draws = np.random.default_rng(0).standard_normal((DRAWS, len(UNKNOWNS)))
    draws[:, [place for place, name in enumerate(UNKNOWNS) if name in OF_MODELS]] = 0.0
    drawn = costs(values_of(draws, priors, {}), of, priors.fixed.request_s)
    base = costs(values_of(np.zeros((1, len(UNKNOWNS))), priors, {}), machine, priors.fixed.request_s)
    shape = (DRAWS, len(of.chances), len(TIERS))
    away = []
    for line in lines:
        one, other = getattr(drawn, line), getattr(base, line)
        if line in {"input", "output"}:
            away.append(np.broadcast_to((one - other)[..., EXPERTS, None], shape))
        else:
            away.append(one - other[..., TIERS.index(TIER), None])
    stacked = np.stack(away, axis=-1)
    tiers = np.array([float(getattr(priors.tiers, name)) for name in TIERS])
    weights = np.broadcast_to(of.chances[:, None] * tiers, shape) / DRAWS
    mean = np.einsum("gmt,gmtl->l", weights, stacked)
    covariance = np.einsum("gmt,gmtl,gmtk->lk", weights, stacked - mean, stacked - mean)
    return Market(lines=lines, mean=middle + mean, covariance=margins + covariance)


def _filled(
    rows: NDArray[np.float64], mean: NDArray[np.float64], covariance: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Rows with missing values filled by their expectation, and the covariance that this leaves open."""
    filled, unsure = rows.copy(), np.zeros_like(covariance)
    missing = np.isnan(rows)
    for away in np.unique(missing, axis=0):
        if not away.any():
            continue
        there, places = ~away, np.flatnonzero((missing == away).all(axis=1))
        by = covariance[np.ix_(away, there)] @ np.linalg.inv(covariance[np.ix_(there, there)])
        filled[np.ix_(places, away)] = mean[away] + (rows[np.ix_(places, there)] - mean[there]) @ by.T
        left = covariance[np.ix_(away, away)] - by @ covariance[np.ix_(there, away)]
        unsure[np.ix_(away, away)] += len(places) * left
    return filled, unsure
