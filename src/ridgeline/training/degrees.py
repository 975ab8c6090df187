"""Degrees of parallelism that a model, a machine and a batch allow; layouts with others are refused."""

from __future__ import annotations

from collections.abc import Iterator

from ridgeline.quantity_text import counted
from ridgeline.specs.attention import GroupedQueryAttention, LatentAttention
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.layout import LayoutError
from ridgeline.specs.model import Model
from ridgeline.training.job import TrainingJob

__all__ = ["context_degrees", "divisors", "expert_degrees", "powers", "require_divides", "tensor_degrees"]

LEAST_ROWS = 1024
"""Least tokens of a sequence per chip of a ``cp`` group in the search."""


def tensor_degrees(job: TrainingJob) -> list[int]:
    """Powers of two that divide the heads of all kinds of attention, within a scale-up domain."""
    heads = _heads(job.model)
    most = min([job.machine.scale_up_chips, *heads])
    return [tp for tp in powers(most) if all(count % tp == 0 for count in heads)]


def context_degrees(job: TrainingJob) -> list[int]:
    """Powers of two that cut a sequence into twice as many parts: each chip has an early and a late one."""
    most = max(1, job.sequence_tokens // LEAST_ROWS)
    return [cp for cp in powers(most) if job.sequence_tokens % (2 * cp) == 0]


def expert_degrees(model: Model, *, tp: int, stage_chips: int) -> Iterator[tuple[int, int]]:
    """Pairs of groups that experts are spread over, and chips that share one expert."""
    counts = _experts(model)
    if not counts:
        yield 1, tp
        return
    for ep in divisors(min(counts)):
        for expert_tp in {1, tp}:
            if all(count % ep == 0 for count in counts) and stage_chips % (ep * expert_tp) == 0:
                yield ep, expert_tp


def require_divides(job: TrainingJob) -> None:
    """Refuse a layout whose degrees do not divide the model or its sequences.

    Raises:
        LayoutError: a degree does not divide; the message names those that do.
    """
    layout, model, domain = job.layout, job.model, job.machine.scale_up_chips
    tp, cp, ep = layout.layout.tp, layout.layout.cp, layout.ep
    if tp > domain:
        raise LayoutError(
            f"training layout {layout}: tp={tp} is more than the {counted(domain, 'chip')} of a scale-up domain of"
            f" {job.machine.id}; {_those(tensor_degrees(job))} can be had"
        )
    for heads in _heads(model):
        if heads % tp:
            raise LayoutError(
                f"training layout {layout}: tp={tp} does not divide the {heads} heads of {model.id};"
                f" {_those(tensor_degrees(job))} do"
            )
    if job.sequence_tokens % cp:
        raise LayoutError(
            f"training layout {layout}: cp={cp} does not divide the {job.sequence_tokens:,} tokens of a sequence;"
            f" {_those([one for one in divisors(job.sequence_tokens) if one <= 2 * cp])} do"
        )
    experts = _experts(model)
    if not experts and ep > 1:
        raise LayoutError(f"training layout {layout}: {model.id} has no routed experts to spread; leave out ep")
    if any(count % ep for count in experts):
        degrees = [one for one in divisors(min(experts)) if layout.stage_chips % one == 0]
        raise LayoutError(
            f"training layout {layout}: ep={ep} does not divide {min(experts)} experts; {_those(degrees)} do"
        )
    _ = job.stages


def _those(degrees: list[int]) -> str:
    return ", ".join(map(str, degrees))


def _heads(model: Model) -> list[int]:
    """Query heads of each kind of attention that has any."""
    kinds = (getattr(group.attention, "base", group.attention) for group in model.groups)
    return [kind.query_heads for kind in kinds if isinstance(kind, GroupedQueryAttention | LatentAttention)]


def _experts(model: Model) -> list[int]:
    """Routed experts of the layers of each group that has any."""
    return [group.feed_forward.experts for group in model.groups if isinstance(group.feed_forward, RoutedExperts)]


def powers(most: int) -> list[int]:
    """Powers of two up to a number.

    >>> powers(12)
    [1, 2, 4, 8]
    """
    return [2**power for power in range(most.bit_length())]


def divisors(number: int) -> list[int]:
    """Divisors of a number, ascending.

    >>> divisors(12)
    [1, 2, 3, 4, 6, 12]
    """
    small = [one for one in range(1, int(number**0.5) + 1) if number % one == 0]
    return sorted({*small, *(number // one for one in small)})
