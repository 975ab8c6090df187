"""What a step's work takes at the kernels' own rates, by what a framework changes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from functools import lru_cache

from ridgeline.estimator.clock import Cause, kernel_timing, message_timing
from ridgeline.estimator.kernels import AttentionCore, ExpertMatmul, Kernel, Matmul, StateUpdate
from ridgeline.estimator.messages import Message
from ridgeline.specs.machine import Machine
from ridgeline.training.job import TrainingJob
from ridgeline.training.work import Task

__all__ = ["Bill", "Item", "added", "bill_of", "factors", "message_bill", "seconds"]


class Item(StrEnum):
    """What time of a step goes to, as far as frameworks make a difference."""

    PRODUCTS = "matrix products"
    EXPERTS = "experts"
    ATTENTION = "attention"
    ATTENTION_BACK = "attention, back"
    ELEMENTWISE = "elementwise"
    LOSS = "loss"
    TP = "tensor parallel messages"
    CP = "context parallel messages"
    DISPATCH = "expert messages"
    STATES = "data parallel messages"
    SENDS = "pipeline sends"
    TP_ACROSS = "tensor parallel messages, across"
    CP_ACROSS = "context parallel messages, across"
    DISPATCH_ACROSS = "expert messages, across"
    STATES_ACROSS = "data parallel messages, across"
    SENDS_ACROSS = "pipeline sends, across"

    # An enumeration's own hash is slow, and every task asks for one.
    __hash__ = str.__hash__


ACROSS = {item: Item[f"{item.name}_ACROSS"] for item in (Item.TP, Item.CP, Item.DISPATCH, Item.STATES, Item.SENDS)}
"""Of messages, what crosses between scale-up domains."""

Bill = Mapping[Item, float]
"""Seconds of each item."""


@lru_cache(maxsize=64)
def _clock(machine: Machine) -> Callable[[Kernel | Message], tuple[float, float]]:
    """Times of kernels and messages alone on a machine, and what of them goes to links between domains."""

    @lru_cache(maxsize=65536)
    def time_s(what: Kernel | Message) -> tuple[float, float]:
        if not isinstance(what, Message):
            return float(kernel_timing(what, machine).time_s), 0.0
        timing = message_timing(what, machine)
        return float(timing.time_s), float(timing.causes[Cause.SCALE_OUT])

    return time_s


def bill_of(job: TrainingJob, tasks: Iterable[Task], *, is_backward: bool = False) -> Bill:
    """The bill of tasks that follow each other."""
    clock, found = _clock(job.machine), dict.fromkeys(Item, 0.0)
    for task in tasks:
        time_s, across_s = clock(task.what)
        item = _item(task, is_backward=is_backward)
        if across_s:
            found[ACROSS[item]] += across_s
        found[item] += time_s - across_s
    return {item: time_s for item, time_s in found.items() if time_s}


def message_bill(job: TrainingJob, item: Item, message: Message) -> Bill:
    """The bill of one message."""
    time_s, across_s = _clock(job.machine)(message)
    return {item: time_s - across_s, ACROSS[item]: across_s}


def _item(task: Task, *, is_backward: bool) -> Item:
    what = task.what
    if task.purpose:
        return Item[task.purpose.upper()]
    if isinstance(what, (AttentionCore, StateUpdate)):
        return Item.ATTENTION_BACK if is_backward else Item.ATTENTION
    if isinstance(what, Matmul):
        return Item.PRODUCTS
    if isinstance(what, ExpertMatmul):
        return Item.EXPERTS
    return Item.LOSS if task.name == "loss" else Item.ELEMENTWISE


def factors(job: TrainingJob) -> Bill:
    """What a framework makes of each item's time: the part of messages that is seen, and how kernels slow down."""
    trainer, recipe, machine = job.trainer, job.recipe, job.machine
    products = trainer.by_family(trainer.products_factor, machine.family)
    if recipe.is_narrow:
        products *= trainer.by_family(trainer.narrow_products_factor, machine.family)
    if recipe.has_fine_scales:
        products *= trainer.fine_scales_factor
    if recipe.power_limit_w and machine.chip.power_w:
        products *= (machine.chip.power_w / recipe.power_limit_w) ** trainer.power_exponent
    attention = trainer.by_family(trainer.attention_factor, machine.family)
    back = trainer.attention_backward_factor * (trainer.deterministic_factor if recipe.is_deterministic else 1.0)
    elementwise = trainer.elementwise_factor * (trainer.compiled_fraction if recipe.is_compiled else 1.0)
    seen = {
        Item.TP: 1 - (trainer.hidden_tp if recipe.hides_tp else 0.0),
        Item.CP: 1 - trainer.hidden_tp,
        Item.DISPATCH: 1 - (trainer.hidden_dispatch if recipe.hides_dispatch else 0.0),
        Item.STATES: 1.0,
        Item.SENDS: 1.0,
    }
    return {
        Item.PRODUCTS: products,
        Item.EXPERTS: products * trainer.by_family(trainer.experts_factor, machine.family),
        Item.ATTENTION: attention,
        Item.ATTENTION_BACK: attention * back,
        Item.ELEMENTWISE: elementwise,
        Item.LOSS: elementwise * trainer.loss_streams,
        **seen,
        **{ACROSS[item]: part * trainer.across_factor for item, part in seen.items()},
    }


def seconds(bill: Bill, by: Bill) -> float:
    """A bill's time with these factors."""
    return sum(time_s * by[item] for item, time_s in bill.items())


def added(*bills: Bill) -> dict[Item, float]:
    """Several bills as one."""
    total: dict[Item, float] = {}
    for bill in bills:
        for item, time_s in bill.items():
            total[item] = total.get(item, 0.0) + time_s
    return total
