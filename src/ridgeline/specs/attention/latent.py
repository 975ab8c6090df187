"""Multi-head latent attention (MLA): one compressed vector a token is stored, and shared by all heads."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.glossary import require_plausible

__all__ = ["LatentAttention"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LatentAttention:
    """Attention over a compressed key and value.

    Attributes:
        query_heads: number of query heads.
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
