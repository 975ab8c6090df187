"""Every layout worth a look for a model on so many chips."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from functools import lru_cache

from ridgeline.estimator.parameters import kv_bytes_held
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.topology import Torus
from ridgeline.specs.workload import PREFILL_TOKENS_PER_PASS

__all__ = ["candidates"]


EVERY_SIZE_UP_TO = 128
"""Chips of a replica up to which every number is tried."""

MOST_REPLICA_CHIPS = 1024
"""Several times the largest replica that anybody is known to serve from (320 chips); larger budgets hold copies."""

MOST_STAGES = 16
"""Of a pipeline; more only add hops."""

FEWEST_IN_TWO_DIMENSIONS = 16
"""Chips that share matrices from which cutting both sides sends less (Pope et al. 2022, arXiv 2211.05102)."""


def divisors(number: int) -> list[int]:
    """All divisors, ascending.

    >>> divisors(12)
    [1, 2, 3, 4, 6, 12]
    """
    return [low for low in range(1, number + 1) if number % low == 0]


def replica_sizes(chips: int, domain: int) -> list[int]:
    """Chips that one replica may have: every number that is small, then powers of two and whole domains.

    >>> replica_sizes(10, domain=8)
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    >>> replica_sizes(600, domain=72)[-6:]
    [288, 360, 432, 504, 512, 576]
    """
    most = min(chips, MOST_REPLICA_CHIPS)
    small = range(1, min(most, EVERY_SIZE_UP_TO) + 1)
    powers = (1 << exponent for exponent in range(most.bit_length()))
    domains = range(domain, most + 1, domain)
    return sorted({size for size in (*small, *powers, *domains) if size <= most})


def candidates(model: Model, machine: Machine, chips: int, *, prompt_tokens: int = 1) -> Iterator[Layout]:
    """Layouts of one replica on up to ``chips`` chips of a machine, dividing or not.

    Groups that serve their own sequences (``dp``) gain something only where they share experts: without experts they
    are replicas. Stages come in powers of two and one a domain, with experts over all chips of a stage. A context is
    shared (``cp``) where a prompt takes several passes; keys and values are kept by sequences (``kv_dp``) where chips
    of ``tp`` would hold copies; matrices are cut in two dimensions where many chips of a torus share them; and experts
    are held twice where their number does not come out even.

    Args:
        model: what is served.
        machine: where.
        chips: the budget.
        prompt_tokens: of a request.
    """
    for size in replica_sizes(chips, machine.scale_up_chips):
        yield from _planes(model, size)
        # What follows is for replicas that fill the budget: fewer of many kinds, rather than many with idle chips.
        if chips % size == 0 or size == MOST_REPLICA_CHIPS:
            yield from _further(model, machine, size, prompt_tokens)


def _further(model: Model, machine: Machine, size: int, prompt_tokens: int) -> Iterator[Layout]:
    """Layouts of one size beyond those in which chips share matrices, sequences and experts evenly."""
    yield from _evened(model, size)
    for layout in (*_planes(model, size), *_evened(model, size)):
        yield from _variants(model, machine, layout)
    for stages in _stage_numbers(size, machine.scale_up_chips):
        yield from (dataclasses.replace(layout, pp=stages) for layout in _whole_planes(model, size // stages))
    sharing = (2, 4, 8) if prompt_tokens > PREFILL_TOKENS_PER_PASS else ()
    for shared in (degree for degree in sharing if size % degree == 0):
        yield from (dataclasses.replace(layout, cp=shared) for layout in _whole_planes(model, size // shared))


def _whole_planes(model: Model, size: int) -> Iterator[Layout]:
    """Layouts whose experts lie over all chips, or whose chips share all matrices."""
    planes = (*_planes(model, size), *_evened(model, size))
    return (layout for layout in planes if layout.ep == layout.tp * layout.dp or layout.dp == 1)


def _experts(model: Model) -> int:
    """Routed experts of a layer; 0 where there are none."""
    return max(
        (group.feed_forward.experts for group in model.groups if isinstance(group.feed_forward, RoutedExperts)),
        default=0,
    )


def _planes(model: Model, size: int) -> Iterator[Layout]:
    """Chips that share matrices, serve sequences of their own and share experts."""
    experts = _experts(model)
    if not experts:
        yield Layout(tp=size)
        return
    for tp in divisors(size):
        for ep in divisors(size):
            yield Layout(tp=tp, dp=size // tp, ep=ep)


def _evened(model: Model, size: int) -> Iterator[Layout]:
    """Experts over all chips where their number does not come out even: as many held twice as it takes."""
    experts = _experts(model)
    if experts and 0 < (extra := -experts % size) <= experts:
        for tp in divisors(size):
            yield Layout(tp=tp, dp=size // tp, ep=size, redundant_experts=extra)


def _variants(model: Model, machine: Machine, layout: Layout) -> Iterator[Layout]:
    """The same with other ways to divide what the chips of ``tp`` share."""
    if layout.tp == 1:
        return
    copies = _kv_copies(model, layout.tp)
    if copies > 1 and layout.tp % copies == 0:
        yield dataclasses.replace(layout, kv_dp=copies)
    two_dimensional = isinstance(machine.fabric[0].topology, Torus) and layout.tp >= FEWEST_IN_TWO_DIMENSIONS
    if two_dimensional and not _experts(model):
        # Half the square root cuts the input side: the least traffic where a block is four times as wide inside.
        rows = 1 << max(1, round(math.log2(math.sqrt(layout.tp) / 2)))
        if layout.tp % rows == 0:
            yield dataclasses.replace(layout, tp_rows=rows)
            if copies > 1 and layout.tp % copies == 0:
                yield dataclasses.replace(layout, tp_rows=rows, kv_dp=copies)


@lru_cache(maxsize=256)
def _kv_copies(model: Model, tp: int) -> int:
    """Chips of ``tp`` that hold the same keys and values when these are cut by heads."""
    held = kv_bytes_held(model, model.precision, float(PREFILL_TOKENS_PER_PASS), tp=tp)
    whole = kv_bytes_held(model, model.precision, float(PREFILL_TOKENS_PER_PASS))
    return round(tp * float(held) / float(whole))


def _stage_numbers(size: int, domain: int) -> list[int]:
    """Stages that a replica of so many chips may have: powers of two, and one a domain."""
    powers = {1 << exponent for exponent in range(1, MOST_STAGES.bit_length())}
    return sorted(stages for stages in powers | {-(-size // domain)} if stages > 1 and size % stages == 0)
