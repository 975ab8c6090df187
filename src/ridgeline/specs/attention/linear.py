"""Linear attention and state layers: a state of fixed size instead of a cache."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.glossary import require_plausible

__all__ = ["LinearAttention"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearAttention:
    """Each head keeps a matrix of keys by values, updated by every token.

    Gated delta nets, lightning attention, and Mamba-2. In Mamba-2's terms, keys and queries are B and C, in
    ``key_heads`` groups as wide as the state; values are x, and gates z and dt.

    Attributes:
        key_heads: heads of queries and keys.
        value_heads: heads of values, each with its own state.
        key_head_dim: width of a query and a key.
        value_head_dim: width of a value.
        gate_widths: projections besides queries, keys, values and output, in values a token: gates, rates.
        delta_rule: whether a token first removes from the state what its key would recall.
        state_bytes_per_value: bytes of one value of the state, which is kept in a wide format.
        convolution_tokens: earlier tokens whose queries, keys and values the convolution reads again for a new one,
            kept in 16 bits; 0 where that is not modelled.
    """

    key_heads: int
    value_heads: int
    key_head_dim: int
    value_head_dim: int
    gate_widths: int = 0
    delta_rule: bool = True
    state_bytes_per_value: float = 4
    convolution_tokens: int = 0

    def __post_init__(self) -> None:
        require_plausible(self)
