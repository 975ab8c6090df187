"""Library collectives (NCCL, RCCL) inside a scale-up domain by the LL or Simple protocol, through a switch or a bus."""

from __future__ import annotations

from ridgeline.numeric import Numeric, minimum
from ridgeline.specs.kernels import Collectives

__all__ = ["bus_bytes_per_s", "protocol_time_s"]


def bus_bytes_per_s(bytes_per_s: float, fraction: float, ranks: Numeric, numbers: Collectives) -> Numeric:
    """Bandwidth of a rank, bytes/s: a ``fraction`` of the peak with two ranks, and less with more that share a bus."""
    return bytes_per_s * fraction * (2 / ranks) ** numbers.ranks_power


def protocol_time_s(
    *, steps: Numeric, sent_bytes: Numeric, ranks: Numeric, bytes_per_s: float, numbers: Collectives
) -> Numeric:
    """Time of a collective by the faster protocol, s: LL has half of Simple's latency and less of its bandwidth.

    Args:
        steps: number of sequential steps.
        sent_bytes: bytes that a rank sends in all steps.
        ranks: ranks in the domain.
        bytes_per_s: peak bandwidth of a rank's links, bytes/s.
        numbers: fitted numbers of the domain's collectives.
    """
    rate = bus_bytes_per_s(bytes_per_s, numbers.simple_fraction, ranks, numbers)
    ll_s = numbers.launch_s + steps * numbers.step_s / 2 + sent_bytes / (rate * numbers.ll_fraction)
    simple_s = numbers.launch_s + numbers.simple_s + steps * numbers.step_s + sent_bytes / rate
    return minimum(ll_s, simple_s)
