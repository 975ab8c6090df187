"""How long tokens take to their experts and back where engines send them themselves: directly, or in bulk.

Both ways use the links of all levels at once; the last token's way out of its domain comes on top.
"""

from __future__ import annotations

from ridgeline.equations.collectives import Levels, forwarded_all_to_all_level_times_s
from ridgeline.estimator.kernels import AllToAll, Routed
from ridgeline.numeric import Numeric, minimum
from ridgeline.specs.kernels import Exchange, Kernels
from ridgeline.specs.machine import Machine

__all__ = ["bulk_times_s", "direct_times_s"]


def direct_times_s(message: AllToAll, routed: Routed, parts: Levels, machine: Machine, kernels: Kernels) -> Levels:
    """Time at each level where every expert gets a copy of its own, of which ``parts`` are under way there."""
    exchange = kernels.exchange
    start_s = exchange.launch_s + exchange.expert_s * routed.experts
    inside = machine.fabric[0].bytes_per_s * exchange.fraction
    return _level_times_s(message, parts, start_s, inside, machine, kernels)


def bulk_times_s(message: AllToAll, routed: Routed, parts: Levels, machine: Machine, kernels: Kernels) -> Levels:
    """And where a copy goes to every chip, through domains; few compute units copy no faster than they can."""
    exchange = kernels.exchange
    start_s = exchange.launch_s + exchange.bulk_s + exchange.bulk_value_s * routed.width
    inside = min(machine.fabric[0].bytes_per_s * exchange.bulk_fraction, routed.units * exchange.unit_bytes_per_s)
    return _level_times_s(message, parts, start_s, inside, machine, kernels)


def _level_times_s(
    message: AllToAll,
    parts: Levels,
    start_s: Numeric,
    inside_bytes_per_s: float,
    machine: Machine,
    kernels: Kernels,
) -> Levels:
    exchange: Exchange = kernels.exchange
    ranks, outside = message.group.ranks, machine.fabric[1:]
    # Where links share a bus, more ranks have less of it each.
    shared = minimum(2 / ranks[0], 1.0) ** kernels.links.ranks_power
    return forwarded_all_to_all_level_times_s(
        level_bytes=parts,
        ranks=ranks,
        bytes_per_s=(inside_bytes_per_s * shared, *(exchange.across_fraction * one.bytes_per_s for one in outside)),
        latency_s=(start_s, *(start_s + exchange.across_s for _ in outside)),
    )
