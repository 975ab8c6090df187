"""Every layout worth a look for a model on so many chips."""

from __future__ import annotations

from collections.abc import Iterator

from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.layout import Layout
from ridgeline.specs.model import Model

__all__ = ["candidates"]


def divisors(number: int) -> list[int]:
    """All divisors, ascending.

    >>> divisors(12)
    [1, 2, 3, 4, 6, 12]
    """
    return [low for low in range(1, number + 1) if number % low == 0]


def replica_sizes(chips: int) -> list[int]:
    """Chips that one replica may have: powers of two, as models are cut, and whole parts of the budget.

    >>> replica_sizes(72)
    [1, 2, 3, 4, 6, 8, 9, 12, 16, 18, 24, 32, 36, 64, 72]
    """
    powers = {1 << exponent for exponent in range(chips.bit_length()) if 1 << exponent <= chips}
    return sorted(powers | set(divisors(chips)))


def candidates(model: Model, chips: int) -> Iterator[Layout]:
    """Layouts of one replica on up to ``chips`` chips, whether or not they divide model and machine.

    Groups that serve their own sequences (``dp``) gain something only where they share experts: without experts they
    are replicas.
    """
    has_experts = any(isinstance(group.feed_forward, RoutedExperts) for group in model.groups)
    for size in replica_sizes(chips):
        if not has_experts:
            yield Layout(tp=size)
            continue
        for tp in divisors(size):
            for ep in divisors(size):
                yield Layout(tp=tp, dp=size // tp, ep=ep)
