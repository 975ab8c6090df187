"""Routed tokens on their way: visits to the busiest group of experts, and copies that cross each level of links."""

from __future__ import annotations

from functools import lru_cache

from ridgeline.equations.experts import busiest, experts_touched, groups_visited
from ridgeline.estimator.expert_load import uneven_group
from ridgeline.estimator.messages import Group
from ridgeline.numeric import Numeric, minimum
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.layout import Layout

__all__ = ["busiest_group", "level_copies"]


def busiest_group(block: RoutedExperts, tokens: Numeric, layout: Layout, imbalance: float) -> tuple[Numeric, Numeric]:
    """Visits to the busiest of the groups that experts are spread over, and experts touched there.

    Tokens choose independently and evenly. A visit falls on a group with probability ``1 / groups``; an expert is
    touched with the probability that any token chose it. Redundant experts are assumed to even out the load, so that
    every place has the same share. Where a load of experts is given, it decides.
    """
    groups, places = layout.ep, block.experts + layout.redundant_experts
    if block.load is not None:
        most = tokens * min(block.active_experts, places / groups)
        visits, touched = uneven_group(
            block, block.load, tokens, groups=groups, redundant_experts=layout.redundant_experts
        )
        return minimum(visits * imbalance, most), touched
    held = places / groups
    most = tokens * min(block.active_experts, held)
    mean = tokens * block.active_experts / groups
    visits = minimum(busiest(mean=mean, variance=mean * (1 - 1 / groups), groups=groups, most=most) * imbalance, most)
    # A token chooses any given place with probability k / places, wherever it lies.
    mean_touched = experts_touched(experts=places, active_experts=block.active_experts, tokens=tokens) / groups
    variance = mean_touched * (1 - mean_touched / held)
    touched = busiest(mean=mean_touched, variance=variance, groups=groups, most=held)
    # No expert is touched without a visit.
    touched = minimum(touched, visits)
    return visits, touched


@lru_cache(maxsize=4096)
def _token_copies(block: RoutedExperts, ep: int, domains: int) -> float:
    """Copies of a token that are sent to ``domains`` domains, with experts spread over ``ep`` groups."""
    groups = min(ep, domains)
    visited = groups_visited(
        experts=block.experts,
        active_experts=block.active_experts,
        groups=groups,
        routing_groups=block.routing_groups,
        routed_groups=block.routed_groups,
    )
    return float(visited) * domains / groups


def level_copies(block: RoutedExperts, ep: int, group: Group, chips: int) -> tuple[tuple[float, ...], bool]:
    """Copies of a token that cross each level of the fabric, innermost first, and whether any leave their domain.

    Args:
        block: routed block of the layer.
        ep: groups of chips that they lie over.
        group: all chips that hold some.
        chips: how many they are.
    """
    # Chips, then domains of chips, then domains of those.
    reached, domains = chips, []
    for ranks in group.ranks:
        domains.append(reached)
        reached //= int(ranks)
    return tuple(_token_copies(block, ep, count) for count in domains), any(count > 1 for count in domains[1:])
