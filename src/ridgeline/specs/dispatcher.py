"""Kernels made for expert-parallel dispatch and combine."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Dispatcher"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispatcher:
    """High-throughput kernels that send tokens to experts and their results back.

    Attributes:
        units: compute units (SMs) that a kernel occupies.
        unit_bytes_per_s: bandwidth of each unit, bytes/s; None for the one fitted on the chip.
    """

    units: int
    unit_bytes_per_s: float | None = None
