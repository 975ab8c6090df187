"""Busiest of the groups that experts are spread over, where some experts have more load than others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from statistics import pvariance

from ridgeline.equations.experts import busiest, busiest_unevenly, touched_unevenly
from ridgeline.estimator.expert_placement import (
    arriving_visits,
    copies_of_experts,
    holders_of_experts,
    visits_in_proportion,
)
from ridgeline.numeric import Numeric, minimum
from ridgeline.specs.expert_load import ExpertLoad
from ridgeline.specs.feed_forward import RoutedExperts

__all__ = ["uneven_group"]


@dataclass(frozen=True, slots=True)
class _Spread:
    """Distribution of tokens' visits over groups of experts.

    Attributes:
        places: probability that a token visits each expert, or each copy of one.
        variance: variance over groups of the visits that a token pays to one.
        heaviest: visits of a token to the group with most.
    """

    places: tuple[float, ...]
    variance: float
    heaviest: float


def uneven_group(
    block: RoutedExperts, load: ExpertLoad, tokens: Numeric, *, groups: int, redundant_experts: int
) -> tuple[Numeric, Numeric]:
    """Visits to the busiest group, and the most experts touched in any."""
    spread = _spread(block, load, groups, redundant_experts)
    held = len(spread.places) / groups
    most = tokens * min(block.active_experts, held)
    visits = busiest_unevenly(
        tokens=tokens,
        mean=tokens * block.active_experts / groups,
        spread=spread.variance,
        heaviest=spread.heaviest,
        groups=groups,
        most=most,
    )
    touched, variance = touched_unevenly(places=spread.places, tokens=tokens, groups=groups)
    return visits, minimum(busiest(mean=touched, variance=variance, groups=groups, most=held), visits)


@lru_cache(maxsize=1024)
def _spread(block: RoutedExperts, load: ExpertLoad, groups: int, redundant_experts: int) -> _Spread:
    """Copies are placed so that loads even out; without copies, experts lie in their order, or at random."""
    sought = load.weights or tuple(rank**-load.skew for rank in range(1, block.experts + 1))
    visits = visits_in_proportion(sought=sought, active_experts=block.active_experts)
    if redundant_experts:
        copies = copies_of_experts(visits=visits, redundant_experts=redundant_experts)
        holders = holders_of_experts(visits=visits, copies=copies, chips=groups)
        (shares,) = arriving_visits(visits=visits, holders=holders, chips=groups)
        places = tuple(chance / held for chance, held in zip(visits, copies, strict=True) for _ in range(held))
        return _Spread(places, pvariance(shares), max(shares))
    if load.weights and block.experts % groups == 0:
        held = block.experts // groups
        shares = tuple(sum(visits[first : first + held]) for first in range(0, block.experts, held))
        return _Spread(visits, pvariance(shares), max(shares))
    return _by_chance(visits, block.experts / groups)


def _by_chance(visits: tuple[float, ...], held: float) -> _Spread:
    """Groups of experts drawn regardless of load: the busiest expert lies with a mean of the others."""
    others = max(len(visits) - 1, 1)
    top = max(visits)
    variance = held * pvariance(visits) * (len(visits) - held) / others
    return _Spread(visits, variance, top + (held - 1) * (sum(visits) - top) / others)
