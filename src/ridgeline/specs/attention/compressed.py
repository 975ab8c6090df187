"""Compressed attention (CSA, HCA): several tokens become one stored entry, beside a window of whole ones."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.errors import RidgelineError
from ridgeline.glossary import require_plausible

__all__ = ["CompressedAttention"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompressedAttention:
    """Multi-query attention in which keys are values, to a window of tokens and to compressed entries before it.

    With an indexer, attention reads the entries that score highest (compressed sparse attention, CSA); without one, all
    of them (heavily compressed attention, HCA). A ``ratio`` of 0 leaves only the window.

    Attributes:
        query_heads: number of query heads.
        head_dim: width of a head, and of the one stored entry that all heads share.
        query_rank: width of the compressed query.
        output_groups: groups of heads whose results are projected separately, each to ``output_rank``.
        output_rank: width of each group's projected result, before one projection combines the groups.
        window: last tokens that are kept whole.
        ratio: tokens for one entry.
        overlapping: whether an entry also draws on the tokens of the one before it.
        index_heads: heads of the indexer; 0 where all entries are read.
        index_head_dim: width of the key that the indexer stores for an entry.
        top_k: entries chosen for each query.
    """

    query_heads: int
    head_dim: int
    query_rank: int
    output_groups: int
    output_rank: int
    window: int
    ratio: int
    overlapping: bool = False
    index_heads: int = 0
    index_head_dim: int = 0
    top_k: int = 0

    def __post_init__(self) -> None:
        require_plausible(self)
        if self.query_heads % self.output_groups:
            raise RidgelineError(
                f"CompressedAttention: query_heads={self.query_heads} is not a multiple of"
                f" output_groups={self.output_groups}; every group has the same number of heads"
            )
        if bool(self.index_heads) != bool(self.index_head_dim and self.top_k):
            raise RidgelineError(
                "CompressedAttention: index_heads, index_head_dim and top_k go together; give all three or none"
            )
