r"""Messages among chips: latency and bytes over a link.

With :math:`n` ranks, a buffer of :math:`M` bytes a rank, a hop of :math:`\alpha` seconds and links of :math:`B_w`
bytes/s in each direction:

.. math::

    t_{all-reduce} = \min\left(2(n-1)\alpha + 2\tfrac{n-1}{n}\tfrac{M}{B_w},\; 2\alpha\log_2 n + 2\tfrac{M}{B_w}\right)

Every form is zero for one rank. Sources: Thakur, Rabenseifner and Gropp 2005, "Optimization of collective
communication operations in MPICH".
"""

from ridgeline.numeric import Numeric, ceil, log, minimum

__all__ = [
    "Levels",
    "all_gather_level_times_s",
    "all_gather_time_s",
    "all_reduce_level_times_s",
    "all_reduce_time_s",
    "all_to_all_level_times_s",
    "all_to_all_time_s",
    "hops",
    "others_fraction",
    "ring_all_reduce_time_s",
    "send_level_times_s",
    "tree_all_reduce_time_s",
]

Levels = tuple[Numeric, ...]
"""One number for each level of the fabric, innermost first."""


def hops(*, ranks: Numeric) -> Numeric:
    """Rounds in which one rank's word reaches all others: ``log2 n``, rounded up.

    >>> hops(ranks=1), hops(ranks=8), hops(ranks=72)
    (0.0, 3.0, 7.0)
    """
    # The logarithm of a power of two may come out a hair above the whole number.
    return ceil(log(ranks) / log(2.0) - 1e-9)


def others_fraction(*, ranks: Numeric) -> Numeric:
    """Part of a buffer that belongs to the other ranks: ``(n - 1) / n``.

    >>> others_fraction(ranks=8)
    0.875
    """
    return (ranks - 1) / ranks


def ring_all_reduce_time_s(
    *, message_bytes: Numeric, ranks: Numeric, bytes_per_s: Numeric, latency_s: Numeric
) -> Numeric:
    """Sum over a ring: every rank sends its buffer nearly twice, in ``2 (n - 1)`` hops.

    A gigabyte over 8 chips of 450 GB/s:

    >>> ring_all_reduce_time_s(message_bytes=1e9, ranks=8, bytes_per_s=450e9, latency_s=1e-6)
    0.003903
    """
    return 2 * (ranks - 1) * latency_s + 2 * others_fraction(ranks=ranks) * message_bytes / bytes_per_s


def tree_all_reduce_time_s(
    *, message_bytes: Numeric, ranks: Numeric, bytes_per_s: Numeric, latency_s: Numeric
) -> Numeric:
    """Sum up a pair of trees and send it down: few hops, the whole buffer twice.

    >>> tree_all_reduce_time_s(message_bytes=1e4, ranks=8, bytes_per_s=450e9, latency_s=1e-6)
    6.04e-06

    Source: Sanders, Speck and Traeff 2009 (two-tree algorithms).
    """
    some = minimum(ranks - 1, 1)  # one rank sends nothing
    return 2 * hops(ranks=ranks) * latency_s + 2 * some * message_bytes / bytes_per_s


def all_reduce_time_s(*, message_bytes: Numeric, ranks: Numeric, bytes_per_s: Numeric, latency_s: Numeric) -> Numeric:
    """The faster of ring and tree, as libraries choose.

    >>> all_reduce_time_s(message_bytes=0, ranks=8, bytes_per_s=450e9, latency_s=1e-6)
    6e-06
    """
    return minimum(
        ring_all_reduce_time_s(message_bytes=message_bytes, ranks=ranks, bytes_per_s=bytes_per_s, latency_s=latency_s),
        tree_all_reduce_time_s(message_bytes=message_bytes, ranks=ranks, bytes_per_s=bytes_per_s, latency_s=latency_s),
    )


def all_gather_time_s(*, message_bytes: Numeric, ranks: Numeric, bytes_per_s: Numeric, latency_s: Numeric) -> Numeric:
    """Every rank ends with the whole ``message_bytes`` of which it held a part; reduce-scatter costs the same.

    >>> all_gather_time_s(message_bytes=1e9, ranks=8, bytes_per_s=450e9, latency_s=1e-6)
    0.001947
    """
    return hops(ranks=ranks) * latency_s + others_fraction(ranks=ranks) * message_bytes / bytes_per_s


def all_to_all_time_s(*, message_bytes: Numeric, ranks: Numeric, bytes_per_s: Numeric, latency_s: Numeric) -> Numeric:
    """Every rank sends a different part of its ``message_bytes`` to every rank, its own included, through a switch.

    >>> all_to_all_time_s(message_bytes=1e6, ranks=8, bytes_per_s=450e9, latency_s=1e-6)
    2.94e-06
    """
    some = minimum(ranks - 1, 1)  # one rank sends nothing
    return some * latency_s + others_fraction(ranks=ranks) * message_bytes / bytes_per_s


def all_reduce_level_times_s(
    *, message_bytes: Numeric, ranks: Levels, bytes_per_s: Levels, latency_s: Levels
) -> tuple[Numeric, ...]:
    """All-reduce over nested domains, level by level: scatter inside, reduce across, gather inside. Times add up.

    Beyond a domain each rank carries only its own part of the buffer. Levels run from the innermost outwards: here two
    domains of 8 chips, a gigabyte each.

    >>> all_reduce_level_times_s(message_bytes=1e9, ranks=(8, 2), bytes_per_s=(450e9, 50e9), latency_s=(0, 0))
    (0.003889, 0.0025)

    Source: Thakur, Rabenseifner and Gropp 2005, applied to each level in turn.
    """
    times: tuple[Numeric, ...] = ()
    part = message_bytes
    for level_ranks, level_bytes_per_s, level_latency_s in zip(ranks, bytes_per_s, latency_s, strict=True):
        time_s = all_reduce_time_s(
            message_bytes=part, ranks=level_ranks, bytes_per_s=level_bytes_per_s, latency_s=level_latency_s
        )
        times = (*times, time_s)
        part = part / level_ranks
    return times


def all_gather_level_times_s(
    *, message_bytes: Numeric, ranks: Levels, bytes_per_s: Levels, latency_s: Levels
) -> tuple[Numeric, ...]:
    """All-gather over nested domains, level by level: across first, each rank for its own part. Times add up.

    >>> all_gather_level_times_s(message_bytes=1e9, ranks=(8, 2), bytes_per_s=(450e9, 50e9), latency_s=(0, 0))
    (0.001944, 0.00125)

    Source: Thakur, Rabenseifner and Gropp 2005, applied to each level in turn.
    """
    times: tuple[Numeric, ...] = ()
    part = message_bytes
    for level_ranks, level_bytes_per_s, level_latency_s in zip(ranks, bytes_per_s, latency_s, strict=True):
        time_s = all_gather_time_s(
            message_bytes=part, ranks=level_ranks, bytes_per_s=level_bytes_per_s, latency_s=level_latency_s
        )
        times = (*times, time_s)
        part = part / level_ranks
    return times


def all_to_all_level_times_s(
    *, message_bytes: Numeric, ranks: Levels, bytes_per_s: Levels, latency_s: Levels
) -> tuple[Numeric, ...]:
    """All-to-all over nested domains whose networks work at the same time: the slowest level decides.

    Of a rank's bytes ``(R - 1) / R`` leave its domain where there are ``R``. The lecture's two racks, with links 8
    times
    slower between them: half the traffic leaves, and it takes 4 times as long as in one rack.

    >>> links = dict(message_bytes=1e9, bytes_per_s=(800e9, 100e9), latency_s=(0, 0))
    >>> two, one = (max(all_to_all_level_times_s(ranks=(1e6, racks), **links)) for racks in (2, 1))
    >>> two / one
    4.00

    Source: lecture 39:00 (B4).
    """
    times: tuple[Numeric, ...] = ()
    staying = message_bytes
    levels = list(zip(ranks, bytes_per_s, latency_s, strict=True))
    for level_ranks, level_bytes_per_s, level_latency_s in reversed(levels):
        time_s = all_to_all_time_s(
            message_bytes=staying, ranks=level_ranks, bytes_per_s=level_bytes_per_s, latency_s=level_latency_s
        )
        times = (time_s, *times)
        staying = staying / level_ranks
    return times


def send_level_times_s(
    *, message_bytes: Numeric, ranks: Levels, bytes_per_s: Levels, latency_s: Levels
) -> tuple[Numeric, ...]:
    """One message from a rank to another, at each level that separates them: ``alpha + M / B_w``.

    The activations of 2,400 tokens from rack to rack, 34 MB through one port of 50 GB/s: 0.7 ms, where the lecture
    guesses a few.

    >>> links = dict(bytes_per_s=(900e9, 50e9), latency_s=(1e-6, 6e-6))
    >>> send_level_times_s(message_bytes=2400 * 7168 * 2, ranks=(1, 2), **links)
    (0.0, 0.000694)

    Source: lecture 1:15 (B16).
    """
    return tuple(
        minimum(level_ranks - 1, 1) * (level_latency_s + message_bytes / level_bytes_per_s)
        for level_ranks, level_bytes_per_s, level_latency_s in zip(ranks, bytes_per_s, latency_s, strict=True)
    )
