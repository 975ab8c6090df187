"""Candidate layouts of a model on a number of chips."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from functools import lru_cache

from ridgeline.estimator.parameters import kv_bytes_held
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.workload import PREFILL_TOKENS_PER_PASS

__all__ = ["candidates", "replica_budgets"]


EVERY_SIZE_UP_TO = 128
"""Chips of a replica up to which every number is tried."""

EVERY_CUT_UP_TO = 8
"""Chips of a replica up to which every way to cut it is tried, whether or not it fills the budget."""

MOST_REPLICA_CHIPS = 1024
"""Largest replica, several times the largest known in production (320 chips); larger budgets hold copies."""

MOST_STAGES = 16
"""Maximum stages of a pipeline; more only add hops."""

MOST_SHARING = 8
"""Maximum chips that share a context."""


def divisors(number: int) -> list[int]:
    """All divisors, ascending.

    >>> divisors(12)
    [1, 2, 3, 4, 6, 12]
    """
    return [low for low in range(1, number + 1) if number % low == 0]


def replica_sizes(chips: int, domain: int) -> list[int]:
    """Replica sizes in chips: every small number, then powers of two and whole domains.

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


MORE_DOMAINS = (1, 2, 4, 8)
"""Numbers of scale-up domains in which a replica is searched, where a load determines the chips."""


def replica_budgets(deployments: Sequence[Deployment], chips: int | None) -> list[int]:
    """Chips within which a replica is searched, ascending: the budget, or a few domains where it is open.

    Args:
        deployments: deployments that may serve, one per machine.
        chips: budget of chips; None where a load determines it.
    """
    if chips is not None:
        return [chips]
    return [max(one.machine.scale_up_chips for one in deployments) * more for more in MORE_DOMAINS]


def candidates(model: Model, machine: Machine, chips: int, *, prompt_tokens: float = 1) -> Iterator[Layout]:
    """Layouts of one replica on up to ``chips`` chips of a machine, whether or not they divide the model.

    Groups that serve their own sequences (``dp``) gain something only where they share experts: without experts they
    are replicas. With stages, experts are spread over all chips of one. A context is shared (``cp``) by models without
    experts, and where a prompt takes several passes; keys and values are kept by sequences (``kv_dp``) where chips of
    ``tp`` would hold copies; matrices of dense blocks are cut in two dimensions (``tp_rows``); and experts are
    redundant where their number does not divide. Up to ``EVERY_CUT_UP_TO`` chips, all of these are cut by every
    divisor, whether or not replicas fill the budget.

    Args:
        model: model that is served.
        machine: machine that serves it.
        chips: budget of chips.
        prompt_tokens: prompt tokens of a request.
    """
    for size in replica_sizes(chips, machine.scale_up_chips):
        yield from _planes(model, size)
        # The rest is for sizes that are small, or fill the budget, or all of it but a remainder.
        fills = chips % size == 0 or _even_part(chips, machine.scale_up_chips) % size == 0
        if fills or size <= EVERY_CUT_UP_TO:
            yield from _further(model, size, prompt_tokens)


def _even_part(chips: int, domain: int) -> int:
    """Part of a budget that divides well: whole domains, or a power of two inside one.

    >>> _even_part(73, domain=72), _even_part(9, domain=8), _even_part(7, domain=8)
    (72, 8, 4)
    """
    return chips // domain * domain or 1 << (chips.bit_length() - 1)


def _further(model: Model, size: int, prompt_tokens: float) -> Iterator[Layout]:
    """Further layouts of one size, beyond the even sharing of matrices, sequences and experts."""
    yield from _evened(model, size)
    for layout in _all_planes(model, size):
        yield from _variants(model, layout)
    for stages in _degrees(size, MOST_STAGES):
        yield from (dataclasses.replace(layout, pp=stages) for layout in _whole_planes(model, size // stages))
    # With experts there are many layouts already, and groups of ``dp`` divide tokens as well.
    if prompt_tokens > PREFILL_TOKENS_PER_PASS or not _experts(model):
        for shared in _degrees(size, MOST_SHARING):
            yield from (dataclasses.replace(layout, cp=shared) for layout in _whole_planes(model, size // shared))


def _degrees(size: int, most: int) -> list[int]:
    """Divisors above 1 of a number of chips.

    >>> _degrees(24, 8)
    [2, 3, 4, 6, 8]
    """
    return [degree for degree in divisors(size) if 1 < degree <= most]


def _all_planes(model: Model, size: int) -> tuple[Layout, ...]:
    """Layouts whose experts divide evenly, and those made even by redundant experts."""
    return (*_planes(model, size), *_evened(model, size))


def _whole_planes(model: Model, size: int) -> Iterator[Layout]:
    """Layouts whose experts are spread over all chips, or whose chips share all matrices."""
    return (layout for layout in _all_planes(model, size) if layout.ep == layout.tp * layout.dp or layout.dp == 1)


def _experts(model: Model) -> int:
    """Routed experts of a layer; 0 where there are none."""
    return max(
        (group.feed_forward.experts for group in model.groups if isinstance(group.feed_forward, RoutedExperts)),
        default=0,
    )


def _planes(model: Model, size: int) -> Iterator[Layout]:
    """Layouts by ``tp``, ``dp`` and ``ep`` of a number of chips."""
    experts = _experts(model)
    if not experts:
        yield Layout(tp=size)
        return
    for tp in divisors(size):
        # On many chips, an expert is whole, halved, cut like attention, or over all chips.
        sharing = divisors(size) if size <= EVERY_CUT_UP_TO else sorted({1, 2, tp, size})
        for chips in sharing:
            if size % chips == 0:
                yield Layout(tp=tp, dp=size // tp, ep=size // chips)


def _evened(model: Model, size: int) -> Iterator[Layout]:
    """Layouts with experts over all chips where their number does not divide: as many redundant experts as needed."""
    experts = _experts(model)
    if experts and 0 < (extra := -experts % size) <= experts:
        for tp in divisors(size):
            yield Layout(tp=tp, dp=size // tp, ep=size, redundant_experts=extra)


def _variants(model: Model, layout: Layout) -> Iterator[Layout]:
    """Variants of a layout with other ways to divide what the chips of ``tp`` share."""
    if layout.tp == 1:
        return
    copies = _kv_copies(model, layout.tp)
    degrees = divisors(copies) if layout.chips <= EVERY_CUT_UP_TO else [1, copies]
    kept = [degree for degree in dict.fromkeys(degrees) if layout.tp % degree == 0]
    # Only dense blocks cut both sides of a matrix.
    rows = [1] if _experts(model) else [degree for degree in divisors(layout.tp) if degree < layout.tp]
    for kv_dp in kept:
        for tp_rows in rows:
            if kv_dp > 1 or tp_rows > 1:
                yield dataclasses.replace(layout, tp_rows=tp_rows, kv_dp=kv_dp)


@lru_cache(maxsize=256)
def _kv_copies(model: Model, tp: int) -> int:
    """Number of chips of ``tp`` that hold the same keys and values when these are cut by heads."""
    held = kv_bytes_held(model, model.precision, float(PREFILL_TOKENS_PER_PASS), tp=tp)
    whole = kv_bytes_held(model, model.precision, float(PREFILL_TOKENS_PER_PASS))
    return round(tp * float(held) / float(whole))
