"""Memory's part of the cost of machines, and the part of memory that serving takes: too much and too little at once."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from ridgeline.catalog.memory_costs import SoldMachine
from ridgeline.catalog.storage import price_at, storage_device, storage_devices
from ridgeline.estimator.bounds import bounds_of
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.parameters import kv_bytes_held, weight_bytes
from ridgeline.numeric import Numeric, solve
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.passes import decode

__all__ = ["LONG_TOKENS", "SHORT_TOKENS", "MemoryBought", "MemoryTaken", "memory_bought", "memory_taken"]

SHORT_TOKENS, LONG_TOKENS = 1000, 100_000
"""Lengths of contexts: a question, and a long document."""

MOST_TOKENS = 1e9
"""Longest context that is searched for."""

MODULES = "ddr5-over-pcie"
"""Device whose price per byte stands for all host memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryTaken:
    """Parts of a scale-up domain's memory that a model takes.

    Attributes:
        machine: id of the machine.
        chips: chips of the domain.
        hbm_bytes: memory of the domain's chips, bytes.
        weights_fraction: fraction of it that all weights take once; above 1 where they do not fit.
        balance_batch: sequences from which on a decode step is compute-bound, keys and values left out.
        short_fraction: fraction of it that a balance batch of contexts of a thousand tokens takes.
        long_fraction: fraction of it that a balance batch of contexts of a hundred thousand tokens takes.
        full_tokens: context at which weights and a balance batch fill it; 0 where weights alone do not fit.
    """

    machine: str
    chips: int
    hbm_bytes: float
    weights_fraction: float
    balance_batch: float
    short_fraction: float
    long_fraction: float
    full_tokens: float


def memory_taken(model: Model, machine: Machine) -> MemoryTaken:
    """Parts of a machine's memory that a model takes, in the number formats that the machine serves it in."""
    deployment, chips = deploy(model, machine), machine.scale_up_chips
    batch = bounds_of(
        deployment, decode(batch=1, context_tokens=1), chips=chips, held_tokens=1, usd_per_chip_s=None
    ).balance_batch
    there = chips * machine.chip.hbm_bytes

    def contexts(tokens: Numeric) -> Numeric:
        return batch * kv_bytes_held(model, deployment.precision, tokens) / there

    weights = weight_bytes(model, deployment.precision) / there

    return MemoryTaken(
        machine=machine.id,
        chips=chips,
        hbm_bytes=there,
        weights_fraction=weights,
        balance_batch=batch,
        short_fraction=float(contexts(float(SHORT_TOKENS))),
        long_fraction=float(contexts(float(LONG_TOKENS))),
        full_tokens=float(solve(lambda tokens: weights + contexts(tokens) - 1, 0.0, MOST_TOKENS)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryBought:
    """Memory's part of a machine's sale price, by the price of the memory itself.

    Attributes:
        machine: id of the machine.
        usd: price of the machine.
        until: date up to which prices of memory are taken.
        hbm_usd: price of its HBM, $; on the first known date where none is known up to then.
        host_usd: price of its host memory, at that of DDR5 modules, $; 0 where it has none.
        fraction: price of both over that of the machine.
    """

    machine: str
    usd: float
    until: dt.date
    hbm_usd: float
    host_usd: float
    fraction: float


def memory_bought(sold: SoldMachine, machine: Machine, until: dt.date) -> MemoryBought:
    """Memory's part of a machine's sale price, at the memory prices of a date."""
    own = [one for one in storage_devices().values() if one.link == "C2C" and machine.id in one.machines]
    hbm_usd = sold.chips * machine.chip.hbm_bytes * _usd_per_byte(sold.stack, until)
    host_usd = sold.chips * sum(one.capacity() for one in own) * _usd_per_byte(MODULES, until)
    return MemoryBought(
        machine=machine.id,
        usd=sold.usd.value,
        until=until,
        hbm_usd=hbm_usd,
        host_usd=host_usd,
        fraction=(hbm_usd + host_usd) / sold.usd.value,
    )


def _usd_per_byte(name: str, until: dt.date) -> float:
    device = storage_device(name)
    price = price_at(device, until) or device.usd[0]
    return price.value / device.capacity()
