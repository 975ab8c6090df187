"""Batch over the balance batch, from the price of output over that of input alone.

All that both lines share cancels in that ratio. What remains is the ratio of margins, that of efficiencies, and the
time to read over the time to compute, in which the part of caches is a sum of logarithms: one grid of batches, one of
caches.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations import contexts, evidence, normal, pricing
from ridgeline.inversion.alone.batches import balance_ratios, batch_densities, expansions, kind_chances
from ridgeline.inversion.alone.belief import Belief, believed, logarithms
from ridgeline.inversion.machines import Candidates
from ridgeline.inversion.priors import EXPERTS, KINDS, PINNED_LOG_SD, LogNormal, Priors

__all__ = ["batches_before", "batches_by_step", "output_alone", "output_pinned"]

LEAST_BATCHES, MOST_BATCHES = 1e-4, 1e4
"""Ends of the grid of balance batches, whose steps of 0.046 are half of the narrowest width."""
LEAST_CACHES, MOST_CACHES, CACHE_POINTS = 1e-6, 1e5, 78
"""Ends and size of the grid of contexts over crossovers: steps of 0.33, where these spread by 2 and a ratio by 0.66."""


def batches_before(known: Priors, of: Candidates) -> Belief:
    """Belief about the batch before any price, over all machines."""
    logs = logarithms(LEAST_BATCHES, MOST_BATCHES)
    densities = batch_densities(known, of, logs)
    found = sum(chance * (of.chances @ one) for chance, one in zip(kind_chances(known), densities, strict=True))
    return Belief(logs=logs, chances=found / np.sum(found))


def output_pinned(
    before: Belief,
    *,
    price_ratio: float,
    context_tokens: float,
    crossover_tokens: float,
    rounding_log_sd: float,
) -> Belief:
    """The lecture's reading: nothing is lost, both lines have one margin, and context and crossover are known.

    Args:
        before: belief about batches before any price.
        price_ratio: output price over input price.
        context_tokens: tokens of a sequence.
        crossover_tokens: crossover context of the model, in tokens.
        rounding_log_sd: deviation of the ratio's logarithm, by the digits of both prices.
    """
    over = pricing.decode_over_prefill(
        context_tokens=context_tokens, crossover_tokens=crossover_tokens, balance_batches=np.exp(before.logs)
    )
    width = float(np.sqrt(2 * PINNED_LOG_SD**2 + rounding_log_sd**2))
    of_ratio = normal.log_density(value=float(np.log(price_ratio)), mean=np.log(over), sd=width)
    return believed(before.logs, np.asarray(of_ratio + _log_chances(before)))


def batches_by_step(known: Priors, before: Belief) -> Belief:
    """Belief about the batch by the lecture's other reading, that weights hardly move the crossover from the step.

    The crossover of a finite batch is ``1 - B* / B`` of that of a large one, and as near to the step as any crossover.
    """
    part = contexts.crossover_context_tokens(
        active_params=1.0,
        bytes_per_param=1.0,
        balance_ratio=1.0,
        kv_bytes_per_token=1.0,
        balance_batches=np.exp(before.logs),
    )
    left = np.maximum(part, NOTHING)
    of_step = evidence.crossover_step_log_density(
        step_tokens=1.0, crossover_tokens=left, log_sd=known.fixed.threshold_log_sd
    )
    return believed(before.logs, np.asarray(of_step + _log_chances(before)))


NOTHING = 1e-30
"""Stand-in for a crossover of zero: at no more than one balance batch there is none."""


def output_alone(
    known: Priors, of: Candidates, *, price_ratio: float, rounding_log_sd: float, is_policy: bool
) -> Belief:
    """Belief about the batch from the ratio of output to input price, with nothing else assumed.

    Args:
        known: priors of the unknowns.
        of: machines that may be behind the list.
        price_ratio: output price over input price.
        rounding_log_sd: deviation of the ratio's logarithm, by the digits of both prices.
        is_policy: whether the vendor's models of different sizes have the same ratio.
    """
    logs = logarithms(LEAST_BATCHES, MOST_BATCHES)
    caches = _cache_logs()
    over = np.log(
        pricing.decode_over_prefill(
            context_tokens=np.exp(caches)[:, None], crossover_tokens=1.0, balance_batches=np.exp(logs)
        )
    )
    left_open = rounding_log_sd**2 + (_policy_variance(known, of) if is_policy else 0.0)
    by_machine = np.array([_cache_chances(known, of, place, caches) for place in range(len(of.chances))])
    found = np.zeros(len(logs))
    for kind, (chance, before) in enumerate(zip(kind_chances(known), batch_densities(known, of, logs), strict=True)):
        middle, variance = _of_lines(known, kind)
        of_ratio = normal.log_density(
            value=float(np.log(price_ratio)) - middle, mean=over, sd=float(np.sqrt(variance + left_open))
        )
        found = found + float(chance) * (of.chances @ (before * (by_machine @ np.exp(of_ratio))))
    # A ratio so far from all beliefs that every density underflows leaves all batches equally likely.
    return believed(logs, np.log(np.maximum(found, NOTHING)))


def _of_lines(known: Priors, kind: int) -> tuple[float, float]:
    """Mean and variance of what a kind of model's output and input lose, and of their margins' ratio, in logarithms."""
    prefill, decode = (LogNormal.stated(known.stated(name, KINDS[kind])) for name in LOST)
    inputs, outputs = (LogNormal.stated(known.margins[name]) for name in ("input", "output"))
    # A higher efficiency of decode makes output cheaper, of prefill input.
    middle = prefill.middle - decode.middle + outputs.middle - inputs.middle
    return middle, sum(one.log_sd**2 for one in (prefill, decode, inputs, outputs))


LOST = ("prefill_fraction", "decode_fraction")


def _log_chances(before: Belief) -> NDArray[np.float64]:
    return np.asarray(np.log(np.maximum(before.chances, NOTHING)), dtype=float)


def _cache_logs() -> NDArray[np.float64]:
    """Logarithms of contexts over crossovers."""
    return np.asarray(np.linspace(np.log(LEAST_CACHES), np.log(MOST_CACHES), CACHE_POINTS), dtype=float)


def _cache_chances(known: Priors, of: Candidates, place: int, logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Chances of contexts over crossovers on a machine."""
    context = LogNormal.stated(known.unknowns["context_tokens"])
    machine = float(np.log(balance_ratios(of)[place] / of.bytes_per_param[place]))
    density = _models(known, logs, context.middle + machine, context.log_sd)
    return np.asarray(density / np.sum(density), dtype=float)


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
    """How far models with experts that are run alike, on one machine, lie apart in what output costs over input."""
    context, batch = (LogNormal.stated(known.unknowns[name]) for name in ("context_tokens", "batch"))
    logs = _cache_logs()
    ratio = float(balance_ratios(of)[0])
    chances = _models(known, logs, context.middle + float(np.log(ratio / of.bytes_per_param[0])), 0.0)
    sizes, of_sizes = expansions(known, EXPERTS)
    both = chances[:, None] / np.sum(chances) * of_sizes
    over = pricing.decode_over_prefill(
        context_tokens=np.exp(logs)[:, None],
        crossover_tokens=1.0,
        balance_batches=float(np.exp(batch.middle)) / (ratio * sizes),
    )
    mean = float(np.sum(both * np.log(over)))
    return float(np.sum(both * (np.log(over) - mean) ** 2))
