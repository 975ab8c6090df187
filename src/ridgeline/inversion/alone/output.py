"""Batch over the balance batch, from the price of output over that of input alone.

Of that ratio all that both lines share falls away. What is left is the margins' ratio, the efficiencies' and the time
to read over the time to compute, where caches' part is a sum of logarithms: one grid of batches, one of caches.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations import contexts, evidence, normal, pricing
from ridgeline.inversion.alone.belief import Belief, believed, logarithms
from ridgeline.inversion.alone.step import balance_ratios
from ridgeline.inversion.machines import Candidates
from ridgeline.inversion.priors import PINNED_LOG_SD, LogNormal, Priors

__all__ = ["batches_before", "batches_by_step", "output_alone", "output_pinned"]

LEAST_BATCHES, MOST_BATCHES = 1e-2, 1e3
"""Of the grid: steps of 0.029, a third of the narrowest width."""
LEAST_CACHES, MOST_CACHES, CACHE_POINTS = 1e-6, 1e5, 111
"""Of contexts over crossovers: steps of 0.23, where these spread by 2."""


def batches_before(known: Priors) -> Belief:
    """Before any price."""
    logs = logarithms(LEAST_BATCHES, MOST_BATCHES)
    return believed(logs, _log_prior(known, logs))


def output_pinned(
    known: Priors, *, price_ratio: float, context_tokens: float, crossover_tokens: float, rounding_log_sd: float
) -> Belief:
    """The lecture's reading: nothing is lost, both lines have one margin, and context and crossover are known.

    Args:
        known: priors.
        price_ratio: output over input.
        context_tokens: of a sequence.
        crossover_tokens: of the model.
        rounding_log_sd: of the ratio, by the digits of both prices.
    """
    logs = logarithms(LEAST_BATCHES, MOST_BATCHES)
    over = pricing.decode_over_prefill(
        context_tokens=context_tokens, crossover_tokens=crossover_tokens, balance_batches=np.exp(logs)
    )
    width = float(np.sqrt(2 * PINNED_LOG_SD**2 + rounding_log_sd**2))
    of_ratio = normal.log_density(value=float(np.log(price_ratio)), mean=np.log(over), sd=width)
    return believed(logs, np.asarray(of_ratio + _log_prior(known, logs)))


def batches_by_step(known: Priors) -> Belief:
    """What the lecture's other reading takes: that weights hardly move the crossover from where the step is.

    Of a finite batch it lies at ``1 - B* / B`` of that of a large one, and as near to the step as any crossover.
    """
    logs = logarithms(LEAST_BATCHES, MOST_BATCHES)
    part = contexts.crossover_context_tokens(
        active_params=1.0, bytes_per_param=1.0, balance_ratio=1.0, kv_bytes_per_token=1.0, balance_batches=np.exp(logs)
    )
    left = np.maximum(part, NOTHING)
    of_step = evidence.crossover_step_log_density(
        step_tokens=1.0, crossover_tokens=left, log_sd=known.fixed.threshold_log_sd
    )
    return believed(logs, np.asarray(of_step + _log_prior(known, logs)))


NOTHING = 1e-30
"""Of a crossover: at no more than one balance batch there is none."""


def output_alone(
    known: Priors, of: Candidates, *, price_ratio: float, rounding_log_sd: float, is_policy: bool
) -> Belief:
    """The same ratio with nothing else assumed.

    Args:
        known: priors.
        of: machines.
        price_ratio: output over input.
        rounding_log_sd: of the ratio, by the digits of both prices.
        is_policy: whether the vendor's models of different sizes have the same ratio.
    """
    prefill, decode = (LogNormal.stated(known.unknowns[name]) for name in ("prefill_fraction", "decode_fraction"))
    inputs, outputs = (LogNormal.stated(known.margins[name]) for name in ("input", "output"))
    own = [prefill, decode, inputs, outputs]
    variance = sum(one.log_sd**2 for one in own) + rounding_log_sd**2
    if is_policy:
        variance += _policy_variance(known, of)
    # What is reached in decode makes output cheaper, what is reached in prefill input.
    middle = prefill.middle - decode.middle + outputs.middle - inputs.middle
    caches, chances = _caches(known, of)
    logs = logarithms(LEAST_BATCHES, MOST_BATCHES)
    density = np.zeros(len(logs))
    for cache, chance in zip(caches, chances, strict=True):
        over = pricing.decode_over_prefill(
            context_tokens=float(cache), crossover_tokens=1.0, balance_batches=np.exp(logs)
        )
        mean = np.log(over) + middle
        of_ratio = normal.log_density(value=float(np.log(price_ratio)), mean=mean, sd=float(np.sqrt(variance)))
        density = density + float(chance) * np.exp(of_ratio)
    # Underflow where a ratio is far from all that is believed leaves the prior's own shape.
    return believed(logs, np.log(np.maximum(density, NOTHING)) + _log_prior(known, logs))


def _log_prior(known: Priors, logs: NDArray[np.float64]) -> NDArray[np.float64]:
    prior = LogNormal.stated(known.unknowns["balance_batches"])
    return np.asarray(normal.log_density(value=logs, mean=prior.middle, sd=prior.log_sd), dtype=float)


def _caches(known: Priors, of: Candidates) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Contexts over crossovers, and the chance of each, on all machines together."""
    context = LogNormal.stated(known.unknowns["context_tokens"])
    ratios, density = balance_ratios(of), np.zeros(CACHE_POINTS)
    logs = np.linspace(np.log(LEAST_CACHES), np.log(MOST_CACHES), CACHE_POINTS)
    for place, chance in enumerate(of.chances):
        machine = float(np.log(ratios[place] / of.bytes_per_param[place]))
        density = density + chance * _models(known, logs, context.middle + machine, context.log_sd)
    return np.exp(logs), density / np.sum(density)


def _models(known: Priors, logs: NDArray[np.float64], middle: float, width: float) -> NDArray[np.float64]:
    """Density of the logarithm of bytes read over active parameters, times what is normal about a middle."""
    active, kv, read = (
        LogNormal.stated(known.unknowns[name]) for name in ("active_params", "kv_bytes_per_token", "read_fraction")
    )
    found = evidence.capped_sum_density(
        value=logs,
        mean=middle + kv.middle - active.middle,
        sd=float(np.sqrt(width**2 + kv.log_sd**2 + active.log_sd**2)),
        capped_mean=read.middle,
        capped_sd=read.log_sd,
    )
    return np.asarray(found, dtype=float)


def _policy_variance(known: Priors, of: Candidates) -> float:
    """How far models that are run alike, on one machine, lie apart in what output costs over input."""
    context, batches = (LogNormal.stated(known.unknowns[name]) for name in ("context_tokens", "balance_batches"))
    logs = np.linspace(np.log(LEAST_CACHES), np.log(MOST_CACHES), CACHE_POINTS)
    machine = float(np.log(balance_ratios(of)[0] / of.bytes_per_param[0]))
    chances = _models(known, logs, context.middle + machine, 0.0)
    chances = chances / np.sum(chances)
    over = pricing.decode_over_prefill(
        context_tokens=np.exp(logs), crossover_tokens=1.0, balance_batches=float(np.exp(batches.middle))
    )
    mean = float(np.sum(chances * np.log(over)))
    return float(np.sum(chances * (np.log(over) - mean) ** 2))
