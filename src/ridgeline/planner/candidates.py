"""Every layout worth a look for a model on so many chips."""

from __future__ import annotations

from collections.abc import Iterator

from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.layout import Layout
from ridgeline.specs.model import Model

__all__ = ["candidates"]


EVERY_SIZE_UP_TO = 128
"""Chips of a replica up to which every number is tried."""

MOST_REPLICA_CHIPS = 1024
"""Several times the largest replica that anybody is known to serve from (320 chips); larger budgets hold copies."""


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


def candidates(model: Model, chips: int, domain: int) -> Iterator[Layout]:
    """Layouts of one replica on up to ``chips`` chips in domains of ``domain``, dividing or not.

    Groups that serve their own sequences (``dp``) gain something only where they share experts: without experts they
    are replicas.
    """
    has_experts = any(isinstance(group.feed_forward, RoutedExperts) for group in model.groups)
    for size in replica_sizes(chips, domain):
        if not has_experts:
            yield Layout(tp=size)
            continue
        for tp in divisors(size):
            for ep in divisors(size):
                yield Layout(tp=tp, dp=size // tp, ep=ep)
