"""Requests for a replica, one by one and field by field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ridgeline.simulator.policy import Order
from ridgeline.traces.requests import STANDARD, Requests

__all__ = ["Row", "Rows", "columns_of", "rows_of"]


class Row(NamedTuple):
    """A request for a replica.

    Attributes:
        order: admission key, as in ``Order``.
        arrival_s: arrival time, s.
        prompt: number of input tokens.
        output: number of output tokens.
        hashes: hashes of its prompt's blocks; empty without any.
        kind: number of its class; 0 is standard.
        is_handed: whether its prompt was read elsewhere, and its cache arrives with it.
    """

    order: int
    arrival_s: float
    prompt: int
    output: int
    hashes: tuple[int, ...]
    kind: int
    is_handed: bool = False


Rows = tuple[list[int], list[float], list[int], list[int], Sequence[tuple[int, ...]], Sequence[int]]
"""Fields of ``Row``, without the last, for many requests."""


def columns_of(requests: Requests, order: Order) -> Rows:
    """Requests field by field."""
    return (
        order(requests).tolist(),
        requests.arrivals_s.tolist(),
        requests.prompt_tokens.tolist(),
        requests.output_tokens.tolist(),
        requests.prefix_hashes or ((),) * len(requests),
        (STANDARD,) * len(requests) if requests.classes is None else requests.classes.tolist(),
    )


def rows_of(requests: Requests, order: Order) -> list[Row]:
    """Requests one by one."""
    return list(map(Row, *columns_of(requests, order)))
