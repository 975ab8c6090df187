"""Library collectives (NCCL, RCCL) inside a scale-up domain, by the fitted numbers of its chips."""

from __future__ import annotations

from ridgeline.equations.library_collectives import protocol_time_s, shared_fraction
from ridgeline.numeric import Numeric
from ridgeline.specs.kernels import Collectives

__all__ = ["library_time_s", "reached_bytes_per_s"]


def reached_bytes_per_s(bytes_per_s: float, fraction: float, ranks: Numeric, numbers: Collectives) -> Numeric:
    """Bandwidth of a rank: a ``fraction`` of the peak with two ranks, and less with more that share a bus."""
    return bytes_per_s * fraction * shared_fraction(ranks=ranks, power=numbers.ranks_power)


def library_time_s(
    *, steps: Numeric, sent_bytes: Numeric, ranks: Numeric, bytes_per_s: float, numbers: Collectives
) -> Numeric:
    """Time of a collective by the library's faster protocol.

    Args:
        steps: steps, one after the other.
        sent_bytes: bytes that a rank sends in all of them.
        ranks: ranks in the domain.
        bytes_per_s: peak bandwidth of a rank's links, bytes/s.
        numbers: fitted numbers of the domain's collectives.
    """
    return protocol_time_s(
        steps=steps,
        sent_bytes=sent_bytes,
        launch_s=numbers.launch_s,
        step_s=numbers.step_s,
        simple_s=numbers.simple_s,
        bytes_per_s=reached_bytes_per_s(bytes_per_s, numbers.simple_fraction, ranks, numbers),
        ll_fraction=numbers.ll_fraction,
    )
