"""Placement of a layout's chips: which groups exchange messages, and over which levels of the fabric."""

from __future__ import annotations

import dataclasses
import itertools
import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ridgeline.equations.collectives import Levels
from ridgeline.errors import RidgelineError
from ridgeline.numeric import Numeric, maximum, minimum, where
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import FabricLevel, Machine
from ridgeline.specs.topology import Switch, Torus

__all__ = [
    "Group",
    "UnevenError",
    "chips_of_replicas",
    "domain_sizes",
    "even_fabric",
    "group",
    "placement_faults",
    "replicas_within",
    "stage_hops",
    "torus_box",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Chips that exchange messages.

    Attributes:
        ranks: ranks at each level of the fabric, innermost first: chips in a domain, domains in the next.
    """

    ranks: Levels


@lru_cache(maxsize=4096)
def domain_sizes(capacities: tuple[int | None, ...], chips: int) -> tuple[int, ...] | None:
    """Chips of a replica in one domain of each level, innermost first; None where they do not divide evenly.

    A replica spreads evenly over the fewest domains that hold it, at each level.

    Args:
        capacities: chips that a domain of each level joins; None where it has no bound.
        chips: chips of the replica.

    >>> domain_sizes((8, None), 16), domain_sizes((72, None), 96), domain_sizes((8, 64, None), 96)
    ((8, 16), (48, 96), (8, 48, 96))
    """
    sizes: list[int] = []
    whole = chips
    for capacity in reversed(capacities):
        domains = 1 if capacity is None else -(-whole // capacity)
        if whole % domains:
            return None
        whole //= domains
        sizes.insert(0, whole)
    return tuple(sizes)


def _sizes(fabric: tuple[FabricLevel, ...], chips: int) -> tuple[int, ...] | None:
    return domain_sizes(tuple(level.chips for level in fabric), chips)


class UnevenError(RidgelineError):
    """Groups of chips that do not lie evenly over the machine's domains."""


def group(fabric: tuple[FabricLevel, ...], chips: int, *, ranks: int, stride: int = 1) -> Group:
    """Group of every ``stride``-th of a replica's chips, ``ranks`` of them, with its ranks at each level of the fabric.

    Raises:
        UnevenError: the replica does not lie evenly; ``placement_faults`` checks it beforehand.
    """
    sizes = _sizes(fabric, chips)
    if sizes is None:
        bounds = " and ".join(f"{level.chips}" for level in fabric if level.chips)
        raise UnevenError(f"{chips} chips do not lie evenly over domains of {bounds}")
    reach = stride * ranks
    met, inner = [], 1
    for size in sizes:
        met.append(max(1, min(reach, size) // max(stride, inner)))
        inner = size
    if math.prod(met) != ranks:
        bounds = " and ".join(map(str, sizes))
        raise UnevenError(f"{ranks} chips, every {stride} of {chips}, do not lie evenly over domains of {bounds}")
    return Group(ranks=tuple(met))


@lru_cache(maxsize=4096)
def even_fabric(fabric: tuple[FabricLevel, ...], chips: int) -> tuple[FabricLevel, ...]:
    """The levels, with ``chips`` spread evenly over as few switch domains as possible.

    A rack of 72 chips of which 64 are used counts as one of 64:

    >>> from ridgeline.specs.topology import Switch
    >>> rack = FabricLevel(name="scale_up", chips=72, bytes_per_s=9e11, topology=Switch())
    >>> even_fabric((rack,), 1024)[0].chips, even_fabric((rack,), 144)[0].chips
    (64, 72)
    """
    levels, inner = [], 1
    for level in fabric:
        if level.chips is None or not isinstance(level.topology, Switch) or chips <= level.chips:
            levels.append(level)
        else:
            sizes = range(inner, level.chips + 1, inner)
            most = max((size for size in sizes if chips % size == 0), default=level.chips)
            levels.append(dataclasses.replace(level, chips=most))
        inner = levels[-1].chips or inner
    return tuple(levels)


@lru_cache(maxsize=4096)
def stage_hops(fabric: tuple[FabricLevel, ...], layout: Layout) -> tuple[tuple[Group, int], ...]:
    """Number of stage-to-stage transfers over each level, from the innermost level to the outermost."""
    sizes = _sizes(fabric, layout.chips) or (layout.chips,)
    per_stage = layout.chips // layout.pp
    counts = [0] * len(sizes)
    for stage in range(1, layout.pp):
        # A hop stays inside the smallest domain whose end is not the stage's end.
        counts[next((level for level, size in enumerate(sizes) if stage * per_stage % size), len(sizes) - 1)] += 1
    hops = []
    for level, count in enumerate(counts):
        pair = tuple(2 if index == level else 1 for index in range(len(sizes)))
        hops += [(Group(ranks=pair), count)] if count else []
    return tuple(hops)


def replicas_within(fabric: tuple[FabricLevel, ...], budget: Numeric, chips: Numeric) -> Numeric:
    """Replicas of ``chips`` chips that a budget holds when none straddles two domains.

    Args:
        fabric: levels of the machine, innermost first.
        budget: number of chips, a number or an array.
        chips: chips of one replica, likewise.

    >>> from ridgeline.specs.topology import Switch
    >>> rack = FabricLevel(name="scale_up", chips=72, bytes_per_s=9e11, topology=Switch())
    >>> replicas_within((rack,), 144, 48), replicas_within((rack,), 144, 24), replicas_within((rack,), 144, 144)
    (2, 6, 1)
    """
    domain = fabric[0].chips
    if domain is None:
        return budget // chips
    domains = -(-chips // domain)
    inside = chips // domains
    places = budget // domain * (domain // inside) + budget % domain // inside
    # A budget that is no whole number of domains may lie over as many as needed.
    return maximum(minimum(places // domains, budget // chips), where(budget >= chips, 1, 0))


def chips_of_replicas(fabric: tuple[FabricLevel, ...], replicas: Numeric, chips: Numeric) -> Numeric:
    """Minimum chips that hold ``replicas`` replicas, the idle chips of their domains included.

    Args:
        fabric: levels of the machine, innermost first.
        replicas: number of replicas, a number or an array.
        chips: chips of one replica, likewise.

    >>> from ridgeline.specs.topology import Switch
    >>> node = FabricLevel(name="scale_up", chips=8, bytes_per_s=9e11, topology=Switch())
    >>> chips_of_replicas((node,), np.array([1, 2, 3]), 6).tolist(), int(chips_of_replicas((node,), 3, 4))
    ([6, 14, 22], 12)
    """
    domain = fabric[0].chips
    if domain is None:
        return replicas * chips
    domains = -(-chips // domain)
    inside = chips // domains
    in_each = domain // inside
    full, rest = np.divmod(replicas * domains, in_each)
    last = np.where(rest > 0, rest * inside, in_each * inside - domain)
    return np.where(np.asarray(replicas) > 1, full * domain + last, replicas * chips)


def placement_faults(machine: Machine, layout: Layout) -> tuple[str, ...]:
    """One clause for each reason why a layout's groups do not lie evenly over the machine's domains."""
    last = machine.fabric[-1].chips
    if last is not None and layout.chips > last:
        return (f"{layout.chips} chips do not fit the {last} of {machine.id}, which has no links beyond them",)
    sizes = _sizes(machine.fabric, layout.chips)
    if sizes is None:
        joined = " and ".join(str(level.chips) for level in machine.fabric if level.chips)
        return (f"{layout.chips} chips do not divide evenly over the domains of up to {joined} chips of {machine.id}",)
    tp, dp, cp = layout.tp, layout.dp, layout.cp
    # Among equal reaches, the plainest name is used, which comes last.
    reaches = {
        tp // layout.tp_rows: "tp/tp_rows",
        tp * layout.fsdp: "tp*fsdp",
        tp * dp * cp: "tp*dp*cp",
        tp * dp: "tp*dp",
        tp: "tp",
    }
    faults = [
        f"{name}={reach} neither divides nor is a multiple of the {size} chips in each domain"
        for reach, name in reaches.items()
        for size in sizes
        if size % reach and reach % size
    ]
    faults += [
        f"{size} chips are no box of the {' x '.join(map(str, level.topology.sides))} torus of {machine.id}"
        for level, size in zip(machine.fabric, sizes, strict=True)
        if isinstance(level.topology, Torus) and not torus_box(level.topology, size)
    ]
    return tuple(dict.fromkeys(faults))


@lru_cache(maxsize=4096)
def torus_box(torus: Torus, chips: int) -> tuple[tuple[int, ...], tuple[bool, ...]] | None:
    """Box of a torus that a group of chips occupies: its sides, and which of them are rings; None where there is none.

    Among the boxes that fit, it is one with the most links to use at once, and among those the squarest.

    >>> torus_box(Torus(sides=(16, 16, 16), wraps_every=4), 64)
    ((4, 4, 4), (True, True, True))
    >>> torus_box(Torus(sides=(16, 16), wraps_every=16), 8)
    ((4, 2), (False, False))
    """
    boxes = [
        sides
        for sides in itertools.product(*(_divisors_up_to(chips, side) for side in torus.sides))
        if math.prod(sides) == chips
    ]
    if not boxes:
        return None

    def closed(sides: tuple[int, ...]) -> tuple[bool, ...]:
        return tuple(side > 1 and side % torus.wraps_every == 0 for side in sides)

    def links(sides: tuple[int, ...]) -> int:
        return sum(2 if ring else int(side > 1) for side, ring in zip(sides, closed(sides), strict=True))

    best = min(boxes, key=lambda sides: (-links(sides), max(sides), tuple(-side for side in sides)))
    return best, closed(best)


def _divisors_up_to(number: int, most: int) -> list[int]:
    return [low for low in range(1, min(number, most) + 1) if number % low == 0]
