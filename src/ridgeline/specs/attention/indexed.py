"""Sparse attention behind an indexer (DSA): a cheap scorer picks the tokens that attention reads."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.glossary import require_plausible
from ridgeline.specs.attention.grouped_query import GroupedQueryAttention
from ridgeline.specs.attention.latent import LatentAttention

__all__ = ["IndexedSparseAttention"]


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedSparseAttention:
    """Attention to the ``top_k`` tokens that an indexer scores highest.

    Attributes:
        base: the attention over the chosen tokens.
        index_heads: heads of the indexer.
        index_head_dim: width of the key that the indexer stores for a token, one for all its heads.
        top_k: tokens chosen for each query.
        block: neighbouring tokens that are chosen together.
        owns_index: whether this layer has an indexer; one that has not takes the choice of an earlier layer.
    """

    base: LatentAttention | GroupedQueryAttention
    index_heads: int
    index_head_dim: int
    top_k: int
    block: int = 1
    owns_index: bool = True

    def __post_init__(self) -> None:
        require_plausible(self)
