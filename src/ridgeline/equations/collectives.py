r"""Messages among chips: latency and bytes over a link.

With :math:`n` ranks, a buffer of :math:`M` bytes a rank, a hop of :math:`\alpha` seconds and links of :math:`B_w`
bytes/s in each direction:

.. math::

    t_{all-reduce} = \min\left(2(n-1)\alpha + 2\tfrac{n-1}{n}\tfrac{M}{B_w},\; 2\alpha\log_2 n + 2\tfrac{M}{B_w}\right)

Every formula is zero for one rank.

Sources: Thakur, Rabenseifner and Gropp 2005, "Optimization of collective
communication operations in MPICH".
"""

from ridgeline.numeric import Numeric, ceil, floor, log, maximum, minimum

__all__ = [
    "Levels",
    "all_gather_time_s",
    "all_reduce_time_s",
    "all_to_all_time_s",
    "forwarded_all_to_all_level_times_s",
    "hops",
    "mesh_bytes_per_s",
    "others_fraction",
    "ring_all_reduce_time_s",
    "scattered_parts",
    "send_time_s",
    "staying_parts",
    "torus_all_gather_time_s",
    "torus_all_reduce_time_s",
    "torus_all_to_all_time_s",
    "torus_hops",
    "tree_all_reduce_time_s",
]

Levels = tuple[Numeric, ...]
"""One number for each level of the fabric, innermost first."""


def hops(*, ranks: Numeric) -> Numeric:
    """Rounds in which one rank's word reaches all others: ``log2 n``, rounded up.

    >>> hops(ranks=1), hops(ranks=8), hops(ranks=72)
    (0.0, 3.0, 7.0)

    Derivation: each round doubles the ranks that know it.
    """
    # The logarithm of a power of two may come out a hair above the whole number.
    return ceil(log(ranks) / log(2.0) - 1e-9)


def others_fraction(*, ranks: Numeric) -> Numeric:
    """Part of a buffer that belongs to the other ranks: ``(n - 1) / n``.

    >>> others_fraction(ranks=8)
    0.875

    Derivation: every rank owns an equal part.
    """
    return (ranks - 1) / ranks


def ring_all_reduce_time_s(
    *, message_bytes: Numeric, ranks: Numeric, bytes_per_s: Numeric, latency_s: Numeric
) -> Numeric:
    """Sum over a ring: every rank sends its buffer nearly twice, in ``2 (n - 1)`` hops.

    A gigabyte over 8 chips of 450 GB/s:

    >>> ring_all_reduce_time_s(message_bytes=1e9, ranks=8, bytes_per_s=450e9, latency_s=1e-6)
    0.003903

    Source: Thakur, Rabenseifner and Gropp 2005 (ring: a reduce-scatter, then an all-gather).
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
    """Time of the faster of ring and tree, as libraries choose.

    >>> all_reduce_time_s(message_bytes=0, ranks=8, bytes_per_s=450e9, latency_s=1e-6)
    6e-06

    Source: Thakur, Rabenseifner and Gropp 2005 (algorithms by message size).
    """
    return minimum(
        ring_all_reduce_time_s(message_bytes=message_bytes, ranks=ranks, bytes_per_s=bytes_per_s, latency_s=latency_s),
        tree_all_reduce_time_s(message_bytes=message_bytes, ranks=ranks, bytes_per_s=bytes_per_s, latency_s=latency_s),
    )


def all_gather_time_s(*, message_bytes: Numeric, ranks: Numeric, bytes_per_s: Numeric, latency_s: Numeric) -> Numeric:
    """Every rank ends with the whole ``message_bytes`` of which it held a part; reduce-scatter costs the same.

    >>> all_gather_time_s(message_bytes=1e9, ranks=8, bytes_per_s=450e9, latency_s=1e-6)
    0.001947

    Source: Thakur, Rabenseifner and Gropp 2005 (recursive doubling).
    """
    return hops(ranks=ranks) * latency_s + others_fraction(ranks=ranks) * message_bytes / bytes_per_s


def all_to_all_time_s(*, message_bytes: Numeric, ranks: Numeric, bytes_per_s: Numeric, latency_s: Numeric) -> Numeric:
    """Every rank sends a different part of its ``message_bytes`` to every rank, its own included, through a switch.

    >>> all_to_all_time_s(message_bytes=1e6, ranks=8, bytes_per_s=450e9, latency_s=1e-6)
    2.94e-06

    Derivation: one message to each other rank, all sent at once, each link carrying all but the rank's own part.
    """
    some = minimum(ranks - 1, 1)  # one rank sends nothing
    return some * latency_s + others_fraction(ranks=ranks) * message_bytes / bytes_per_s


def scattered_parts(*, message_bytes: Numeric, ranks: Levels) -> Levels:
    """Part of a summed or gathered buffer that a rank still carries at each level of nested domains.

    Inside a domain it is all of it, between domains the rank's own part: ``M``, then ``M`` over the ranks inside.

    >>> scattered_parts(message_bytes=1e9, ranks=(8, 2))
    (1000000000.0, 125000000.0)

    Source: Thakur, Rabenseifner and Gropp 2005, applied to each level in turn.
    """
    parts: Levels = ()
    part = message_bytes
    for level_ranks in ranks:
        parts = (*parts, part)
        part = part / level_ranks
    return parts


def staying_parts(*, message_bytes: Numeric, ranks: Levels) -> Levels:
    """Part of a buffer sent directly to all ranks that stays inside the domain around each level.

    All of it crosses the outermost level; inside a domain, only the parts for its own ranks are sent.

    >>> staying_parts(message_bytes=1e9, ranks=(8, 2))
    (500000000.0, 1000000000.0)

    Source: lecture 39:00 (B4).
    """
    parts: Levels = ()
    staying = message_bytes
    for level_ranks in reversed(ranks):
        parts = (staying, *parts)
        staying = staying / level_ranks
    return parts


def forwarded_all_to_all_level_times_s(
    *, level_bytes: Levels, ranks: Levels, bytes_per_s: Levels, latency_s: Levels
) -> tuple[Numeric, ...]:
    """All-to-all of experts that sends one copy into each domain and forwards it there; the slowest level decides.

    At each level a rank sends its ``level_bytes``, of which ``(r - 1) / r`` are for others. At outer levels, these are
    one copy for each domain that a token visits, its own included; inside, all copies that its experts need there,
    wherever the token came from: arrivals from outside are forwarded, too. Tokens are many, spread evenly, and
    forwarded while others still arrive; the last one's way through the other levels comes on top, so that the latencies
    of a few add up. Levels run from the innermost outwards.

    DeepSeek-V3's 256 experts lie on 8 nodes of 8 chips, and a token of 7,168 bytes visits 4 nodes at most. For 4,096
    tokens a chip the nodes' links (160 GB/s, against 50 between them) carry 8 copies while the network is still busy:

    >>> links = dict(ranks=(8, 8), bytes_per_s=(160e9, 50e9), latency_s=(0, 0))
    >>> token = 4096 * 7168
    >>> forwarded_all_to_all_level_times_s(level_bytes=(8 * token, 4 * token), **links)
    (0.001285, 0.002055)

    Its report's 3.2 experts a node, 13 in all, are where both take as long:

    >>> forwarded_all_to_all_level_times_s(level_bytes=(4 * 3.2 * token, 4 * token), **links)
    (0.002055, 0.002055)

    Source: DeepSeek-AI 2024, "DeepSeek-V3 technical report", 3.2.2.
    """
    return tuple(
        all_to_all_time_s(message_bytes=part, ranks=among, bytes_per_s=rate, latency_s=hop_s)
        for part, among, rate, hop_s in zip(level_bytes, ranks, bytes_per_s, latency_s, strict=True)
    )


def mesh_bytes_per_s(*, bytes_per_s: Numeric, ranks: Numeric, chips: Numeric) -> Numeric:
    """Bandwidth of a rank of a mesh whose every pair of chips has a link: ``(n - 1) / (c - 1)`` of all links'.

    A group of ``n`` ranks uses the links among its own chips only. Four of eight chips:

    >>> mesh_bytes_per_s(bytes_per_s=448e9, ranks=4, chips=8)
    192000000000.0

    Derivation: one link to each of the others, of as many bytes/s each.
    """
    return bytes_per_s * maximum(ranks - 1, 1) / maximum(chips - 1, 1)


def send_time_s(*, message_bytes: Numeric, ranks: Numeric, bytes_per_s: Numeric, latency_s: Numeric) -> Numeric:
    """One message from a rank to another: ``alpha + M / B_w``; zero where there is one rank only.

    The activations of 2,400 tokens from rack to rack, 34 MB through one port of 50 GB/s: 0.7 ms, where the lecture
    guesses a few.

    >>> send_time_s(message_bytes=2400 * 7168 * 2, ranks=2, bytes_per_s=50e9, latency_s=6e-6)
    0.000694

    Source: lecture 1:15 (B16).
    """
    return minimum(ranks - 1, 1) * (latency_s + message_bytes / bytes_per_s)


def torus_hops(*, sides: Levels, wraps: Levels) -> Numeric:
    """Links between the two most distant chips: ``a / 2``, rounded down, around a ring; ``a - 1`` along an open line.

    Hops add up over the axes. ``sides`` are the chips along each axis, and ``wraps`` is 1 where its ends are joined,
    else 0.

    >>> torus_hops(sides=(4, 4, 3), wraps=(1, 1, 0))
    6.0

    Derivation: distances along the axes add up.
    """
    return sum(wrap * floor(side / 2) + (1 - wrap) * (side - 1) for side, wrap in zip(sides, wraps, strict=True))


def torus_all_gather_time_s(
    *, message_bytes: Numeric, sides: Levels, wraps: Levels, link_bytes_per_s: Numeric, latency_s: Numeric
) -> Numeric:
    r"""All-gather over a box of a torus, all axes at once; reduce-scatter costs the same.

    .. math::

        t = \frac{M}{n B} \max\left(\frac{n - 1}{\sum_j l_j},\; \max_j \frac{a_j - 1}{l_j}\right) + \alpha\, \text{hops}

    with :math:`a_j` chips along an axis, :math:`n = \prod_j a_j`, and :math:`B` bytes/s of one link in one direction. A
    chip has :math:`l_j = 2` links along a ring (a ring of 2 is a pair of cables). On an open line the last chip has 1,
    and all wait for it. An axis of one chip is none.

    No schedule is faster: the first term is what enters the chip with the fewest links, the second what enters the last
    plane of an axis; it decides for a long open line beside rings of 2. The bytes take this time at all sides if the
    buffer is cut so that each part takes the axes in another order and all axes carry in proportion to their links.
    Equal parts do that only where sides and wraps are equal: then parts sent whole take exactly this time. Other boxes
    need unequal parts in many chunks; equal parts, sent whole, take 13 % longer on rings of 8 x 4, 26 % on 4 x 4 x 2.

    A gigabyte over 64 chips in a cube of rings of 90 GB/s:

    >>> torus_all_gather_time_s(
    ...     message_bytes=1e9, sides=(4, 4, 4), wraps=(1, 1, 1), link_bytes_per_s=90e9, latency_s=1e-6
    ... )
    0.001829

    Source: Jain and Sabharwal 2010, "Optimal bucket algorithms for large MPI collectives on torus interconnects".
    """
    chips: Numeric = 1.0
    links: Numeric = 0.0
    plane: Numeric = 0.0
    for side, wrap in zip(sides, wraps, strict=True):
        chips = chips * side
        links = links + minimum(side - 1, 1) * (1 + wrap)
        plane = maximum(plane, (side - 1) / (1 + wrap))
    parts = maximum((chips - 1) / maximum(links, 1), plane)
    return parts / chips * message_bytes / link_bytes_per_s + torus_hops(sides=sides, wraps=wraps) * latency_s


def torus_all_reduce_time_s(
    *, message_bytes: Numeric, sides: Levels, wraps: Levels, link_bytes_per_s: Numeric, latency_s: Numeric
) -> Numeric:
    """Sum over a box of a torus: a reduce-scatter, then an all-gather.

    A gigabyte over 8 x 8 chips joined into rings one way only, by links of 45 GB/s:

    >>> torus_all_reduce_time_s(message_bytes=1e9, sides=(8, 8), wraps=(1, 0), link_bytes_per_s=45e9, latency_s=1e-6)
    0.014605

    Source: Jain and Sabharwal 2010.
    """
    return 2 * torus_all_gather_time_s(
        message_bytes=message_bytes,
        sides=sides,
        wraps=wraps,
        link_bytes_per_s=link_bytes_per_s,
        latency_s=latency_s,
    )


def torus_all_to_all_time_s(
    *, message_bytes: Numeric, sides: Levels, wraps: Levels, link_bytes_per_s: Numeric, latency_s: Numeric
) -> Numeric:
    r"""Every chip of a box of a torus sends a different part of its ``message_bytes`` to every chip, its own included.

    .. math::

        t = \frac{M}{B} \max_j \frac{\lfloor a_j^2 / 4 \rfloor}{a_j l_j} + \alpha\, \text{hops}

    with :math:`a_j` chips along an axis, :math:`l_j = 2` where it is a ring, 1 where it is an open line, and :math:`B`
    bytes/s of one link in one direction. For an even side that is :math:`M a_j / 8 B` around a ring and :math:`M a_j /
    4 B` along a line: the bytes of one half of the box for the other, over the links that join them.

    Parts go axis by axis the shortest way, half each way around a ring where both are as long; the busiest link then
    carries exactly these bytes. It never waits if each part is split over different orders of the axes and what goes
    farthest is sent first; one order for all takes up to 22 % longer in the boxes simulated. Bytes and hops partly hide
    each other, at most the smaller of the two.

    A megabyte a chip over a cube of 64 chips in rings of 90 GB/s:

    >>> torus_all_to_all_time_s(
    ...     message_bytes=1e6, sides=(4, 4, 4), wraps=(1, 1, 1), link_bytes_per_s=90e9, latency_s=1e-6
    ... )
    1.156e-05

    Source: Dally and Towles 2004, "Principles and practices of interconnection networks" (the bound by bisection).
    """
    load: Numeric = 0.0
    for side, wrap in zip(sides, wraps, strict=True):
        load = maximum(load, floor(side * side / 4) / (side * (1 + wrap)))
    return load * message_bytes / link_bytes_per_s + torus_hops(sides=sides, wraps=wraps) * latency_s
