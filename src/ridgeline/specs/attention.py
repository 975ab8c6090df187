"""Attention kinds, as shapes. What each one computes and stores is in ``estimator/attention``."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.glossary import require_plausible

__all__ = ["Attention", "GroupedQueryAttention", "LatentAttention"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupedQueryAttention:
    """Groups of query heads share a stored head: ``kv_heads = query_heads`` is multi-head, 1 is multi-query.

    Attributes:
        query_heads: heads that ask.
        kv_heads: heads whose keys and values are stored; divides ``query_heads``.
        head_dim: width of a head.
    """

    query_heads: int
    kv_heads: int
    head_dim: int

    def __post_init__(self) -> None:
        require_plausible(self)
        if self.query_heads % self.kv_heads:
            raise ValueError(
                f"GroupedQueryAttention: query_heads={self.query_heads} is not a multiple of kv_heads={self.kv_heads};"
                " every stored head serves the same number of query heads"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class LatentAttention:
    """Multi-head latent attention (MLA): one compressed vector a token is stored, and shared by all heads.

    Attributes:
        query_heads: heads that ask.
        query_rank: width of the compressed query; 0 where the query is projected directly.
        kv_rank: width of the stored compressed key and value.
        content_head_dim: width of a head's query and key part without position.
        position_head_dim: width of the part that carries position; its key is stored once for all heads.
        value_head_dim: width of a head's value.
    """

    query_heads: int
    query_rank: int
    kv_rank: int
    content_head_dim: int
    position_head_dim: int
    value_head_dim: int

    def __post_init__(self) -> None:
        require_plausible(self)


Attention = GroupedQueryAttention | LatentAttention
