r"""Placement of experts: which are replicated, and on which chip each copy lies, so that load is even.

A token visits :math:`k` of :math:`E` experts, with :math:`\sum_e v_e=k`, where :math:`v_e` is the probability of expert
:math:`e`. With :math:`m_e` copies that share its visits evenly, chip :math:`c` serves

.. math::

    t_c = \sum_{e \in c} \frac{v_e}{m_e}

of a token's visits, and a step waits for the chip with the most.

The algorithms are greedy on lists: copies go to the expert whose copies have the most load, then each copy, heaviest
first, to the least loaded chip with a free slot. DeepSeek's balancer works in the same two steps.

Sources: lecture 34:00-40:00 (B1, B4); DeepSeek-AI 2025, "Expert Parallelism Load Balancer",
https://github.com/deepseek-ai/EPLB; Graham 1969 for the greedy order.
"""

from collections.abc import Sequence
from heapq import heapify, heapreplace
from itertools import accumulate

from ridgeline.equations.experts import slots_per_chip
from ridgeline.numeric import ceil

__all__ = [
    "DIGITS",
    "arriving_visits",
    "copies_of_experts",
    "holders_of_experts",
    "least_load_over_mean",
    "load_over_mean",
    "slots_of_chips",
    "visit_fractions",
    "visits_between_racks",
    "visits_in_proportion",
]

DIGITS = 12
"""Decimal digits of visits beyond which they count as equal, so that rounding errors place no copy."""

Matrix = tuple[tuple[float, ...], ...]


def visit_fractions(*, experts: int, active_experts: int, skew: float) -> tuple[float, ...]:
    r"""Probability that a token visits each expert, the busiest first: as :math:`r^{-s}` of its rank, at most one.

    A token visits no expert twice, so the excess over probability one falls to the others. A ``skew`` of zero is the
    lecture's even routing.

    >>> visit_fractions(experts=4, active_experts=2, skew=0)
    (0.5, 0.5, 0.5, 0.5)
    >>> visit_fractions(experts=4, active_experts=2, skew=1)
    (0.96, 0.48, 0.32, 0.24)
    >>> visit_fractions(experts=4, active_experts=2, skew=2)
    (1.0, 0.590, 0.262, 0.148)

    Source: Zipf 1949 for the power of the rank, which is a model and no measurement; drawing with probability in
    proportion to size, for the rest.
    """
    return visits_in_proportion(
        sought=tuple(rank**-skew for rank in range(1, experts + 1)), active_experts=active_experts
    )


def visits_in_proportion(*, sought: Sequence[float], active_experts: int) -> tuple[float, ...]:
    """Probability that a token visits each expert, in proportion to its relative load, at most one; in the order given.

    >>> visits_in_proportion(sought=(1, 4, 0, 2), active_experts=2)
    (0.333, 1.0, 0.0, 0.667)

    Source: drawing with probability in proportion to size.
    """
    order = sorted(range(len(sought)), key=lambda expert: -sought[expert])
    # Total weight of each expert and all less loaded ones, from the last upwards.
    remaining = [*accumulate(sought[expert] for expert in reversed(order))][::-1]
    fractions = [0.0] * len(sought)
    left: float = active_experts
    for expert, together in zip(order, remaining, strict=True):
        fractions[expert] = min(left * sought[expert] / together, 1.0) if together else 0.0
        left = left - fractions[expert]
    return tuple(fractions)


def copies_of_experts(*, visits: Sequence[float], redundant_experts: int) -> tuple[int, ...]:
    """Copies of each expert, at least one, that minimise the load of the busiest copy.

    Each further copy goes to the expert whose copies have the most load: Adams' method of apportionment, which makes
    the largest part as small as possible.

    >>> copies_of_experts(visits=(6, 3, 2, 1), redundant_experts=3)
    (3, 2, 1, 1)

    Source: DeepSeek's balancer; Balinski and Young 1982, "Fair representation", for Adams' method.
    """
    heap = [(-round(load, DIGITS), expert, 1) for expert, load in enumerate(visits)]
    heapify(heap)
    for _ in range(redundant_experts):
        _, expert, held = heap[0]
        heapreplace(heap, (-round(visits[expert] / (held + 1), DIGITS), expert, held + 1))
    held_by_expert = {expert: held for _, expert, held in heap}
    return tuple(held_by_expert[expert] for expert in range(len(visits)))


def slots_of_chips(*, copies: Sequence[int], chips: int) -> int:
    """Experts that a chip must have room for, where all have as much: ``slots_per_chip``, rounded up.

    >>> slots_of_chips(copies=[1] * 256, chips=72), slots_of_chips(copies=[1] * 224 + [2] * 32, chips=72)
    (4, 4)

    Source: lecture 34:00 (B1).
    """
    experts = len(copies)
    return int(ceil(slots_per_chip(experts=experts, redundant_experts=sum(copies) - experts, chips=chips)))


def holders_of_experts(*, visits: Sequence[float], copies: Sequence[int], chips: int) -> tuple[tuple[int, ...], ...]:
    """Chips that hold each expert: heaviest copy first, each to the least loaded chip with a free slot.

    >>> holders_of_experts(visits=(6, 3, 2, 1), copies=(2, 1, 1, 1), chips=2)
    ((0, 1), (0,), (1,), (1,))

    Source: DeepSeek's balancer; Graham 1969, "Bounds on multiprocessing timing anomalies", for the greedy order.
    """
    slots = slots_of_chips(copies=copies, chips=chips)
    parts = sorted(
        (-round(load / held, DIGITS), expert) for expert, (load, held) in enumerate(zip(visits, copies, strict=True))
    )
    heap = [(False, 0.0, 0, chip) for chip in range(chips)]  # full ones sort last
    holders: list[list[int]] = [[] for _ in visits]
    for negative, expert in parts:
        for _ in range(copies[expert]):
            _, load, filled, chip = heap[0]
            holders[expert].append(chip)
            heapreplace(heap, (filled + 1 == slots, round(load - negative, DIGITS), filled + 1, chip))
    return tuple(tuple(sorted(chips_of)) for chips_of in holders)


def arriving_visits(*, visits: Sequence[float], holders: Sequence[Sequence[int]], chips: int, racks: int = 1) -> Matrix:
    """Mean visits per token that each chip serves (column), by the rack that they come from (row).

    Tokens come evenly from all racks. Chips are dealt to racks in turn, so that consecutive copies lie in different
    ones. A token goes to the copies of an expert in its own rack where there are some, else to all. One rack is the
    even split over all copies.

    Two experts in two racks of one chip each, the first of them in both:

    >>> arriving_visits(visits=(0.8, 0.2), holders=((0, 1), (1,)), chips=2, racks=2)
    ((0.4, 0.1), (0.0, 0.5))
    >>> arriving_visits(visits=(0.8, 0.2), holders=((0, 1), (1,)), chips=2)
    ((0.4, 0.6),)

    Derivation: visits, added up.
    """
    rows = [[0.0] * chips for _ in range(racks)]
    for chance, held_by in zip(visits, holders, strict=True):
        near: dict[int, list[int]] = {}
        for chip in held_by:
            near.setdefault(chip % racks, []).append(chip)
        for rack, served in enumerate(rows):
            asked = near.get(rack, held_by)
            each = chance / len(asked) / racks
            for chip in asked:
                served[chip] += each
    return tuple(map(tuple, rows))


def visits_between_racks(*, arriving: Matrix) -> Matrix:
    """Part of all visits from each rack (row) to each rack (column).

    Four experts in even demand on four chips in two racks: the lecture's half leaves.

    >>> even = arriving_visits(visits=[0.5] * 4, holders=[[0], [1], [2], [3]], chips=4, racks=2)
    >>> visits_between_racks(arriving=even)
    ((0.25, 0.25), (0.25, 0.25))

    Source: lecture 39:30 (B4).
    """
    racks = len(arriving)
    total = sum(sum(row) for row in arriving)
    return tuple(
        tuple(sum(row[rack::racks]) / total for rack in range(racks))  # chips are dealt in turn
        for row in arriving
    )


def load_over_mean(*, loads: Sequence[float]) -> float:
    """Load of the busiest chip over the mean: the factor by which a step of experts is slower than with even load.

    >>> load_over_mean(loads=(1, 2, 3))
    1.5

    Derivation: the largest over the mean.
    """
    return max(loads) * len(loads) / sum(loads)


def least_load_over_mean(*, visits: Sequence[float], copies: Sequence[int], chips: int) -> float:
    """Lower bound on that factor for these copies: the mean, the busiest copy, or two that must share a chip.

    Where there are more copies than chips, two of the first ``chips + 1`` share one.

    >>> least_load_over_mean(visits=(6, 3, 2, 1), copies=(1, 1, 1, 1), chips=2)
    1.0
    >>> least_load_over_mean(visits=(1, 1, 1), copies=(1, 1, 1), chips=2)
    1.333

    Source: Graham 1969, the bounds that its proof rests on.
    """
    parts = sorted((load / held for load, held in zip(visits, copies, strict=True) for _ in range(held)), reverse=True)
    pair = parts[chips - 1] + parts[chips] if len(parts) > chips else 0.0
    mean = sum(visits) / chips
    return max(parts[0] / mean, pair / mean, 1.0)
