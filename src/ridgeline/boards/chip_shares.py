"""One chip of a machine in one decode step, as shares: of its memory, and of the time of the step."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ChipShares"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipShares:
    """A chip among others that all do the same, at one batch.

    Attributes:
        chips: number of chips.
        weights_memory_fraction: share of a chip's memory that its part of the weights fills.
        kv_memory_fraction: share of the memory that KV caches fill.
        weights_time_fraction: share of the step's time in which it reads weights.
        kv_time_fraction: share of the step's time in which it reads KV caches.
        compute_time_fraction: share of the step's time in which it computes, meanwhile.
    """

    chips: float
    weights_memory_fraction: float
    kv_memory_fraction: float
    weights_time_fraction: float
    kv_time_fraction: float
    compute_time_fraction: float
