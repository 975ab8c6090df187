"""Attention kinds, as shapes, one file a kind. What each computes and stores is in ``estimator/attention``."""

from ridgeline.specs.attention.block_sparse import BlockSparseAttention
from ridgeline.specs.attention.compressed import CompressedAttention
from ridgeline.specs.attention.cross_layer import CrossLayerAttention
from ridgeline.specs.attention.grouped_query import GroupedQueryAttention
from ridgeline.specs.attention.indexed import IndexedSparseAttention
from ridgeline.specs.attention.latent import LatentAttention
from ridgeline.specs.attention.linear import LinearAttention
from ridgeline.specs.attention.square_root import SquareRootAttention
from ridgeline.specs.attention.windowed import ChunkedAttention, SlidingWindowAttention

__all__ = [
    "Attention",
    "BlockSparseAttention",
    "ChunkedAttention",
    "CompressedAttention",
    "CrossLayerAttention",
    "GroupedQueryAttention",
    "IndexedSparseAttention",
    "LatentAttention",
    "LinearAttention",
    "SlidingWindowAttention",
    "SquareRootAttention",
]

Attention = (
    GroupedQueryAttention
    | LatentAttention
    | SlidingWindowAttention
    | ChunkedAttention
    | CrossLayerAttention
    | IndexedSparseAttention
    | BlockSparseAttention
    | CompressedAttention
    | SquareRootAttention
    | LinearAttention
)
