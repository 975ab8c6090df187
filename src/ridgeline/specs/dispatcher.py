"""What sends tokens to their experts, by kernels made for it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Dispatcher"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispatcher:
    """High-throughput kernels that send tokens to experts and their results back.

    Attributes:
        units: compute units (SMs) that a kernel occupies.
        unit_bytes_per_s: bandwidth of each of them, bytes/s; None for what was fitted on the chip.
    """

    units: int
    unit_bytes_per_s: float | None = None
