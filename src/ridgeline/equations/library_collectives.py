r"""Collectives of libraries and engines inside a scale-up domain: the protocols and kernels among which they choose.

With :math:`n` ranks, a buffer of :math:`M` bytes a rank, a start of :math:`t_0` seconds and :math:`B` bytes/s that the
kernel reaches:

.. math::

    t_{one-shot} = t_0 + (n - 1) \tfrac{M}{B}, \qquad t_{two-shot} = t_0 + 2 \tfrac{n-1}{n} \tfrac{M}{B}, \qquad
    t_{in-switch} = t_0 + \left(1 + \tfrac{1}{n}\right) \tfrac{M}{B}

The numbers of a chip are fitted on measurements (``ridgeline.specs.kernels.Collectives``).
"""

from ridgeline.equations.collectives import others_fraction
from ridgeline.numeric import Numeric, minimum

__all__ = [
    "in_switch_all_reduce_time_s",
    "one_shot_all_reduce_time_s",
    "protocol_time_s",
    "shared_fraction",
    "two_shot_all_reduce_time_s",
]


def shared_fraction(*, ranks: Numeric, power: Numeric) -> Numeric:
    """Part of the bandwidth of two ranks that each of more has: ``(2 / n) ** p``; all of it for one or two.

    ``p`` is 0 behind a switch, where nobody shares, and 1 on a bus, which all share. Eight on a bus:

    >>> shared_fraction(ranks=8, power=1.0), shared_fraction(ranks=8, power=0.0)
    (0.25, 1.0)

    Heuristic: a power between the two ends fits domains whose links are partly shared.
    """
    return minimum(2 / ranks, 1.0) ** power


def protocol_time_s(
    *,
    steps: Numeric,
    sent_bytes: Numeric,
    launch_s: Numeric,
    step_s: Numeric,
    simple_s: Numeric,
    bytes_per_s: Numeric,
    ll_fraction: Numeric,
) -> Numeric:
    """Time of a library's collective by the faster protocol: LL has half of Simple's latency and less of its bandwidth.

    ``t_LL = t_launch + k t_step / 2 + S / (f B)`` and ``t_Simple = t_launch + t_start + k t_step + S / B``, for ``k``
    steps in which a rank sends ``S`` bytes in all; ``B`` is what Simple reaches. A kilobyte, and 100 MB:

    >>> link = dict(steps=14, launch_s=5e-6, step_s=1e-6, simple_s=4e-6, bytes_per_s=360e9, ll_fraction=0.4)
    >>> protocol_time_s(sent_bytes=1e3, **link), protocol_time_s(sent_bytes=1e8, **link)
    (1.2e-05, 0.000301)

    Source: Hu et al. 2025, "Demystifying NCCL" (arXiv 2507.04786), for the protocols; their numbers are fitted.
    """
    ll_s = launch_s + steps * step_s / 2 + sent_bytes / (bytes_per_s * ll_fraction)
    return minimum(ll_s, launch_s + simple_s + steps * step_s + sent_bytes / bytes_per_s)


def in_switch_all_reduce_time_s(
    *, message_bytes: Numeric, ranks: Numeric, start_s: Numeric, bytes_per_s: Numeric
) -> Numeric:
    """All-reduce whose sums the switch forms: ``t_0 + M (1 + 1 / n) / B``.

    A rank's link carries its buffer once, and once more the part that the rank itself has summed and spreads. 100 MB:

    >>> in_switch_all_reduce_time_s(message_bytes=1e8, ranks=8, start_s=1e-5, bytes_per_s=360e9)
    0.000323

    Source: Klenk et al. 2020, "An in-network architecture for accelerating shared-memory multiprocessor collectives".
    """
    return start_s + message_bytes * (1 + 1 / ranks) / bytes_per_s


def one_shot_all_reduce_time_s(
    *, message_bytes: Numeric, ranks: Numeric, start_s: Numeric, bytes_per_s: Numeric
) -> Numeric:
    """All-reduce in which every rank reads the others' whole buffers and sums by itself: ``t_0 + (n - 1) M / B``.

    One latency, and many bytes: a decode step's 16 kB over 8 chips, and over 2:

    >>> [one_shot_all_reduce_time_s(message_bytes=16e3, ranks=n, start_s=4e-6, bytes_per_s=360e9) for n in (8, 2)]
    [4.31e-06, 4.04e-06]

    Derivation: ``n - 1`` buffers come in over a rank's links.
    """
    return start_s + (ranks - 1) * message_bytes / bytes_per_s


def two_shot_all_reduce_time_s(
    *, message_bytes: Numeric, ranks: Numeric, start_s: Numeric, bytes_per_s: Numeric
) -> Numeric:
    """All-reduce in which every rank sums its own part and reads the others' sums: ``t_0 + 2 (n - 1) / n M / B``.

    Two latencies, and a ring's bytes: a megabyte over 8 chips:

    >>> two_shot_all_reduce_time_s(message_bytes=1e6, ranks=8, start_s=6e-6, bytes_per_s=360e9)
    1.086e-05

    Derivation: a scatter and a gather, each without the rank's own part.
    """
    return start_s + 2 * others_fraction(ranks=ranks) * message_bytes / bytes_per_s
