"""Block-sparse attention (NSA): summaries of blocks are read in full, then the best blocks and a window."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.glossary import require_plausible
from ridgeline.specs.attention.grouped_query import GroupedQueryAttention

__all__ = ["BlockSparseAttention"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockSparseAttention:
    """Attention to summaries of all blocks, to the tokens of the best blocks, and to the last tokens.

    Attributes:
        base: heads of the attention that reads summaries, blocks and window.
        summary_stride: tokens for one summary, a key and a value of each stored head.
        block: tokens of a block.
        blocks: blocks chosen for each query.
        window: last tokens that are always read.
    """

    base: GroupedQueryAttention
    summary_stride: int
    block: int
    blocks: int
    window: int

    def __post_init__(self) -> None:
        require_plausible(self)
