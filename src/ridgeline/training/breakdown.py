"""Parts of a step's time, as far as training frameworks differ in them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

__all__ = ["ACROSS", "Breakdown", "Factors", "Item", "summed", "total_s"]


class Item(StrEnum):
    """Items of a step's time."""

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

    # An enumeration's own hash is slow, and every operation asks for one.
    __hash__ = str.__hash__

    @property
    def is_message(self) -> bool:
        """Whether it is a message between chips."""
        return self in ACROSS or self in ACROSS.values()


ACROSS = {item: Item[f"{item.name}_ACROSS"] for item in (Item.TP, Item.CP, Item.DISPATCH, Item.STATES, Item.SENDS)}
"""Part of each message item that crosses between scale-up domains."""

Breakdown = Mapping[Item, float]
"""Time of each item, s."""

Factors = Mapping[Item, float]
"""Time of each item with a framework, over that at the kernels' own rates."""


def total_s(times: Breakdown, factors: Factors) -> float:
    """Time of all items with these factors, s."""
    return sum(time_s * factors[item] for item, time_s in times.items())


def summed(*several: Breakdown) -> dict[Item, float]:
    """Several breakdowns as one."""
    total: dict[Item, float] = {}
    for times in several:
        for item, time_s in times.items():
            total[item] = total.get(item, 0.0) + time_s
    return total
