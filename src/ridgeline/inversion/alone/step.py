"""Bytes that a token is read with, from the step of a price list alone.

The logarithm of a crossover is that of active parameters over bytes, so it is normal given the bytes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ridgeline.equations import contexts, evidence, normal
from ridgeline.inversion.alone.batches import balance_ratios, batch_densities, kind_chances
from ridgeline.inversion.alone.belief import Belief, believed, logarithms
from ridgeline.inversion.machines import Candidates
from ridgeline.inversion.priors import LogNormal, Priors

__all__ = ["StepAlone", "crossover_spread", "read_bytes_before", "step_alone", "step_pinned"]

LEAST_BYTES, MOST_BYTES = 1e-2, 1e11
"""Ends of the grid of bytes a token, whose steps are 0.075, where a crossover is believed within 0.4."""

LEAST_OVER, MOST_OVER, BATCH_POINTS = 1e-3, 1e5, 41
"""Ends and size of a grid of balance batches beyond one: steps of 0.46; crossovers spread by 1.5 and batches by 2."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepAlone:
    """Inference from the step of a list by itself.

    Attributes:
        read_bytes: belief about the bytes that are read a token.
        crossover_chance: chance that the step is this model's crossover, and no policy.
    """

    read_bytes: Belief
    crossover_chance: float


def read_bytes_before(known: Priors) -> Belief:
    """Belief about the bytes read a token before any price: bytes stored, times the part of them that is read."""
    kv, read = (LogNormal.stated(known.unknowns[name]) for name in ("kv_bytes_per_token", "read_fraction"))
    logs = logarithms(LEAST_BYTES, MOST_BYTES)
    density = evidence.capped_sum_density(
        value=logs, mean=kv.middle, sd=kv.log_sd, capped_mean=read.middle, capped_sd=read.log_sd
    )
    chances = np.asarray(density, dtype=float)
    return Belief(logs=logs, chances=chances / np.sum(chances))


def crossover_spread(known: Priors) -> float:
    """Deviation of the logarithms of crossovers of a vendor's models, which run on the same machines."""
    active, kv, read = (
        LogNormal.stated(known.unknowns[name]) for name in ("active_params", "kv_bytes_per_token", "read_fraction")
    )
    cut = float(evidence.capped_variance(mean=read.middle, sd=read.log_sd))
    return float(np.sqrt(active.log_sd**2 + kv.log_sd**2 + cut))


def step_pinned(
    known: Priors, *, step_tokens: float, active_params: float, bytes_per_param: float, balance_ratio: float
) -> Belief:
    """The lecture's reading: the crossover of a known model, which reads all that it keeps."""
    kv = LogNormal.stated(known.unknowns["kv_bytes_per_token"])
    logs = logarithms(LEAST_BYTES, MOST_BYTES)
    crossover = contexts.crossover_context_tokens(
        active_params=active_params,
        bytes_per_param=bytes_per_param,
        balance_ratio=balance_ratio,
        kv_bytes_per_token=np.exp(logs),
    )
    of_step = evidence.crossover_step_log_density(
        step_tokens=step_tokens, crossover_tokens=crossover, log_sd=known.fixed.threshold_log_sd
    )
    return believed(logs, np.asarray(of_step + normal.log_density(value=logs, mean=kv.middle, sd=kv.log_sd)))


def step_alone(known: Priors, of: Candidates, *, step_tokens: float, models: float) -> StepAlone:
    """Inference from a step with nothing else assumed: any model, any batch, any machine, a crossover or a policy.

    At a batch of no more than one balance batch there is no crossover, and at few it lies lower.

    Args:
        known: priors of the unknowns.
        of: machines that may be behind the list.
        step_tokens: step of the list, in tokens.
        models: number of the vendor's models with a step there, this one among them, at different prices.
    """
    fixed, active = known.fixed, LogNormal.stated(known.unknowns["active_params"])
    before = read_bytes_before(known)
    # The middle of the crossovers at those bytes; active parameters and what a seller rounds spread about it.
    width = float(np.sqrt(active.log_sd**2 + fixed.threshold_log_sd**2))
    as_crossover = np.zeros(len(before.logs))
    over = np.linspace(np.log(LEAST_OVER), np.log(MOST_OVER), BATCH_POINTS)
    batches = 1 + np.exp(over)
    # A step along the grid over one along the logarithm of batches.
    cells = (over[1] - over[0]) * np.exp(over) / batches
    densities = batch_densities(known, of, np.log(batches))
    by_machine = sum(chance * one for chance, one in zip(kind_chances(known), densities, strict=True)) * cells
    ratios = balance_ratios(of)
    for place, chance in enumerate(of.chances):
        middle = contexts.crossover_context_tokens(
            active_params=float(np.exp(active.middle)),
            bytes_per_param=float(of.bytes_per_param[place]),
            balance_ratio=float(ratios[place]),
            kv_bytes_per_token=np.exp(before.logs)[:, None],
            balance_batches=batches,
        )
        found = evidence.crossover_step_log_density(step_tokens=step_tokens, crossover_tokens=middle, log_sd=width)
        as_crossover = as_crossover + chance * (np.exp(found) @ by_machine[place])
    same = evidence.same_step_fraction(step_ratio=fixed.threshold_step, log_spread=crossover_spread(known))
    anywhere = evidence.policy_step_log_density(low_tokens=fixed.threshold_low, high_tokens=fixed.threshold_high)
    here = before.chances * as_crossover * same ** (models - 1)
    chance = known.chances.crossover
    both = chance * here + (1 - chance) * before.chances * np.exp(anywhere)
    return StepAlone(
        read_bytes=Belief(logs=before.logs, chances=both / np.sum(both)),
        crossover_chance=float(
            evidence.chance_after(
                chance=chance, likelihood=float(np.sum(here)), other_likelihood=float(np.exp(anywhere))
            )
        ),
    )
