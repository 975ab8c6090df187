"""Times of a layer's operations at the kernels' own rates, in isolation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from ridgeline.estimator.clock import kernel_timing, message_timing
from ridgeline.estimator.kernels import AttentionCore, ExpertMatmul, Kernel, Matmul, StateUpdate
from ridgeline.estimator.messages import Message
from ridgeline.estimator.timing import Cause
from ridgeline.specs.machine import Machine
from ridgeline.training.breakdown import ACROSS, Breakdown, Item
from ridgeline.training.operations import LayerOperation

__all__ = ["message_times", "operation_times"]


@lru_cache(maxsize=64)
def _clock(machine: Machine) -> Callable[[Kernel | Message], tuple[float, float]]:
    """Function from a kernel or message to its time in isolation on a machine, and the part on links across domains."""

    @lru_cache(maxsize=65536)
    def time_s(kernel: Kernel | Message) -> tuple[float, float]:
        if not isinstance(kernel, Message):
            return float(kernel_timing(kernel, machine).time_s), 0.0
        timing = message_timing(kernel, machine)
        return float(timing.time_s), float(timing.causes[Cause.SCALE_OUT])

    return time_s


def operation_times(machine: Machine, operations: Iterable[LayerOperation], *, is_backward: bool = False) -> Breakdown:
    """Times of consecutive operations, by item."""
    clock, found = _clock(machine), dict.fromkeys(Item, 0.0)
    for one in operations:
        time_s, across_s = clock(one.kernel)
        item = _item(one, is_backward=is_backward)
        if across_s:
            found[ACROSS[item]] += across_s
        found[item] += time_s - across_s
    return {item: time_s for item, time_s in found.items() if time_s}


def message_times(machine: Machine, item: Item, message: Message) -> Breakdown:
    """Times of one message, by item."""
    time_s, across_s = _clock(machine)(message)
    return {item: time_s - across_s, ACROSS[item]: across_s}


def _item(operation: LayerOperation, *, is_backward: bool) -> Item:
    kernel = operation.kernel
    if operation.item is not None:
        return operation.item
    if isinstance(kernel, (AttentionCore, StateUpdate)):
        return Item.ATTENTION_BACK if is_backward else Item.ATTENTION
    if isinstance(kernel, Matmul):
        return Item.PRODUCTS
    return Item.EXPERTS if isinstance(kernel, ExpertMatmul) else Item.ELEMENTWISE
