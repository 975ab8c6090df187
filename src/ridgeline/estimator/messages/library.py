"""Collectives of the general library inside a domain: its two protocols on links that ranks may share."""

from __future__ import annotations

from ridgeline.numeric import Numeric, minimum
from ridgeline.specs.kernels import Links

__all__ = ["bus_bytes_per_s", "protocol_time_s"]


def bus_bytes_per_s(bytes_per_s: float, fraction: float, ranks: Numeric, links: Links) -> Numeric:
    """Bandwidth of a rank where a ``fraction`` of the peak is reached by two, and less by more that share a bus."""
    return bytes_per_s * fraction * (2 / ranks) ** links.ranks_power


def protocol_time_s(
    *, steps: Numeric, sent_bytes: Numeric, ranks: Numeric, bytes_per_s: float, links: Links
) -> Numeric:
    """Time of a collective by the faster protocol: LL has half of Simple's latency and less of its bandwidth.

    Args:
        steps: steps, one after the other.
        sent_bytes: bytes that a rank sends in all of them.
        ranks: ranks in the domain.
        bytes_per_s: peak bandwidth of a rank's links, bytes/s.
        links: fitted numbers of the domain's links.
    """
    rate = bus_bytes_per_s(bytes_per_s, links.fraction, ranks, links)
    ll_s = links.launch_s + steps * links.step_s / 2 + sent_bytes / (rate * links.quick_fraction)
    simple_s = links.launch_s + links.bulk_s + steps * links.step_s + sent_bytes / rate
    return minimum(ll_s, simple_s)
