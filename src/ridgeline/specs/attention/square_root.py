"""The lecture's sparse attention, whose reading grows with the square root of the context."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.specs.attention.grouped_query import GroupedQueryAttention

__all__ = ["SquareRootAttention"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SquareRootAttention:
    """A two-level index tuned to the context: of about sqrt(L) blocks the best is read, of about sqrt(L) tokens.

    Attributes:
        base: heads of the attention.
    """

    base: GroupedQueryAttention
