"""Attention to near tokens alone: a window that slides, or chunks that a token does not look beyond."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.glossary import require_plausible
from ridgeline.specs.attention.grouped_query import GroupedQueryAttention

__all__ = ["ChunkedAttention", "SlidingWindowAttention"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SlidingWindowAttention:
    """A token attends to the last ``window`` tokens, its own included; older ones are forgotten.

    Attributes:
        base: heads of the attention.
        window: tokens attended to and kept.
    """

    base: GroupedQueryAttention
    window: int

    def __post_init__(self) -> None:
        require_plausible(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkedAttention:
    """The context is cut into chunks; a token attends to those of its own chunk up to itself.

    Attributes:
        base: heads of the attention.
        window: tokens of a chunk.
    """

    base: GroupedQueryAttention
    window: int

    def __post_init__(self) -> None:
        require_plausible(self)
