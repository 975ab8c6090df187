"""How much memory machines have against what serving takes of it: at once too much and too little."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.estimator.bounds import bounds_of
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.parameters import kv_bytes_held, weight_bytes
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.passes import decode

__all__ = ["LONG_TOKENS", "SHORT_TOKENS", "MemoryTaken", "memory_taken"]

SHORT_TOKENS, LONG_TOKENS = 1000, 100_000
"""Of contexts: a question, and a long document."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryTaken:
    """What a model takes of the memory of one scale-up domain.

    Attributes:
        machine: id.
        chips: of the domain.
        hbm_bytes: of them all.
        weights_fraction: part of it for every weight once; above 1 where they do not fit.
        balance_batch: sequences from which on a decode step is bound by arithmetic, keys and values left out.
        short_fraction: part of it for so many contexts of a thousand tokens.
        long_fraction: part of it for so many of a hundred thousand.
    """

    machine: str
    chips: int
    hbm_bytes: float
    weights_fraction: float
    balance_batch: float
    short_fraction: float
    long_fraction: float


def memory_taken(model: Model, machine: Machine) -> MemoryTaken:
    """Of a machine, in the number formats that it serves the model in."""
    deployment, chips = deploy(model, machine), machine.scale_up_chips
    batch = bounds_of(
        deployment, decode(batch=1, context_tokens=1), chips=chips, held_tokens=1, usd_per_chip_s=None
    ).balance_batch
    there = chips * machine.chip.hbm_bytes

    def contexts(tokens: int) -> float:
        return batch * float(kv_bytes_held(model, deployment.precision, float(tokens))) / there

    return MemoryTaken(
        machine=machine.id,
        chips=chips,
        hbm_bytes=there,
        weights_fraction=weight_bytes(model, deployment.precision) / there,
        balance_batch=batch,
        short_fraction=contexts(SHORT_TOKENS),
        long_fraction=contexts(LONG_TOKENS),
    )
