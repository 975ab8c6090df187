"""Bytes that a token is read with, from the step of a price list alone.

The logarithm of a crossover is that of active parameters over bytes, so it is normal given the bytes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations import contexts, evidence, normal, roofline
from ridgeline.inversion.alone.belief import Belief, believed, logarithms
from ridgeline.inversion.machines import Candidates
from ridgeline.inversion.priors import LogNormal, Priors

__all__ = ["StepAlone", "balance_ratios", "crossover_spread", "read_bytes_before", "step_alone", "step_pinned"]

LEAST_BYTES, MOST_BYTES = 1e-2, 1e11
"""Of the grid: steps of 0.075, where a crossover is believed within 0.4."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepAlone:
    """What a step says.

    Attributes:
        read_bytes: of the bytes.
        crossover_chance: that the step is this model's crossover, and no policy.
    """

    read_bytes: Belief
    crossover_chance: float


def balance_ratios(of: Candidates) -> NDArray[np.float64]:
    """Parameters that each machine multiplies while it reads one."""
    found = roofline.balance_ratio(
        flop_per_s=of.flop_per_s, hbm_bytes_per_s=of.hbm_bytes_per_s, bytes_per_param=of.bytes_per_param
    )
    return np.asarray(found, dtype=float)


def read_bytes_before(known: Priors) -> Belief:
    """Before any price: bytes stored, times the part of them that is read, which is all of them at most."""
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
    """The same step with nothing else assumed: any model, any of the machines, a crossover or a policy.

    Args:
        known: priors.
        of: machines.
        step_tokens: of the list.
        models: of the vendor with a step there, this one among them, at different prices.
    """
    fixed, active = known.fixed, LogNormal.stated(known.unknowns["active_params"])
    before = read_bytes_before(known)
    # The middle of the crossovers at those bytes; active parameters and what a seller rounds spread about it.
    width = float(np.sqrt(active.log_sd**2 + fixed.threshold_log_sd**2))
    as_crossover = np.zeros(len(before.logs))
    ratios = balance_ratios(of)
    for place, chance in enumerate(of.chances):
        middle = contexts.crossover_context_tokens(
            active_params=float(np.exp(active.middle)),
            bytes_per_param=float(of.bytes_per_param[place]),
            balance_ratio=float(ratios[place]),
            kv_bytes_per_token=np.exp(before.logs),
        )
        found = evidence.crossover_step_log_density(step_tokens=step_tokens, crossover_tokens=middle, log_sd=width)
        as_crossover = as_crossover + chance * np.exp(found)
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
