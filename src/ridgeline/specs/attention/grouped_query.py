"""Multi-head, grouped-query and multi-query attention: one kind with more or fewer stored heads."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.errors import RidgelineError
from ridgeline.glossary import require_plausible

__all__ = ["GroupedQueryAttention"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupedQueryAttention:
    """Groups of query heads share a stored head: ``kv_heads = query_heads`` is multi-head, 1 is multi-query.

    Attributes:
        query_heads: number of query heads.
        kv_heads: heads whose keys and values are stored; divides ``query_heads``.
        head_dim: width of a head's query and key.
        value_head_dim: width of a head's value; 0 where it equals ``head_dim``.
        output_gate: whether a projection as wide as the queries gates the output.
        shared_key_value: whether one projection makes both keys and values, which are still stored separately.
    """

    query_heads: int
    kv_heads: int
    head_dim: int
    value_head_dim: int = 0
    output_gate: bool = False
    shared_key_value: bool = False

    def __post_init__(self) -> None:
        require_plausible(self)
        if self.query_heads % self.kv_heads:
            raise RidgelineError(
                f"GroupedQueryAttention: query_heads={self.query_heads} is not a multiple of kv_heads={self.kv_heads};"
                " every stored head serves the same number of query heads"
            )

    @property
    def value_dim(self) -> int:
        """Width of a head's value."""
        return self.value_head_dim or self.head_dim
