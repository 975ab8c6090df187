"""Cross-layer sharing: a layer that reads the cache of another."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.specs.attention.grouped_query import GroupedQueryAttention
from ridgeline.specs.attention.windowed import SlidingWindowAttention

__all__ = ["CrossLayerAttention"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossLayerAttention:
    """A layer with queries of its own that reads keys and values that another layer of the same kind stored.

    A model with one cache for two layers has half its layers of the base kind and half of this one.

    Attributes:
        base: attention kind of the layer that stores.
    """

    base: GroupedQueryAttention | SlidingWindowAttention
