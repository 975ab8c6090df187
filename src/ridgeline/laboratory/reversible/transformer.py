"""A small transformer, its two sub-layers as functions of a layer's weights and a stream.

Each gives the output of a residual branch for a normalised stream: causal attention, and a feed-forward network.
``forms`` joins them into a stack.

Source: Vaswani et al. 2017 (arXiv 1706.03762); norms before the sub-layers, Xiong et al. 2020 (arXiv 2002.04745).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ridgeline.laboratory.glyphs import Floats

__all__ = ["SUB_LAYERS", "Array", "Shape", "Weights", "attention", "draw_weights", "feed_forward", "logits"]

Array = Any
"""Array of JAX, or a traced one."""
Weights = dict[str, Any]
"""Weights by name; those of layers are stacked."""

INNER = 4
"""Width inside a feed-forward sub-layer over that of the stream."""
TINY = 1e-5


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Size of a transformer, and of the batches that it reads.

    Attributes:
        layers: number of layers, each of an attention and a feed-forward sub-layer.
        width: width of a stream.
        heads: number of attention heads.
        vocabulary: number of symbols.
        sequence_tokens: tokens of a sequence.
        sequences: sequences of a batch.
    """

    layers: int
    width: int
    heads: int
    vocabulary: int
    sequence_tokens: int
    sequences: int


def draw_weights(shape: Shape, *, seed: int) -> Weights:
    """Random weights; what a sub-layer adds begins small, so that deep stacks start near the identity."""
    rng = np.random.default_rng(seed)

    def drawn(*size: int, scale: float) -> Floats:
        return np.asarray(scale * rng.standard_normal(size), dtype=np.float32)

    width, inner = shape.width, INNER * shape.width
    into, out_of = width**-0.5, (2 * shape.layers) ** -0.5
    return {
        "embedding": drawn(shape.vocabulary, width, scale=1.0),
        "positions": drawn(shape.sequence_tokens, width, scale=1.0),
        "layers": {
            "query_key_value": drawn(shape.layers, width, 3 * width, scale=into),
            "joined": drawn(shape.layers, width, width, scale=into * out_of),
            "up": drawn(shape.layers, width, inner, scale=into),
            "down": drawn(shape.layers, inner, width, scale=inner**-0.5 * out_of),
        },
        "read": drawn(width, shape.vocabulary, scale=into),
    }


def _normalised(stream: Array) -> Array:
    import jax.numpy as jnp

    centred = stream - stream.mean(axis=-1, keepdims=True)
    return centred / jnp.sqrt((centred**2).mean(axis=-1, keepdims=True) + TINY)


def attention(layer: Weights, stream: Array, *, heads: int) -> Array:
    """Output of causal self-attention: sequences by tokens by width."""
    import jax
    import jax.numpy as jnp

    sequences, tokens, width = stream.shape
    parts = (_normalised(stream) @ layer["query_key_value"]).reshape(sequences, tokens, 3, heads, width // heads)
    query, key, value = (parts[:, :, place].transpose(0, 2, 1, 3) for place in range(3))
    scores = query @ key.transpose(0, 1, 3, 2) / (width // heads) ** 0.5
    before = jnp.tril(jnp.ones((tokens, tokens), dtype=bool))
    read = jax.nn.softmax(jnp.where(before, scores, -jnp.inf), axis=-1) @ value
    return read.transpose(0, 2, 1, 3).reshape(sequences, tokens, width) @ layer["joined"]


def feed_forward(layer: Weights, stream: Array, *, heads: int) -> Array:
    """Output of the feed-forward sub-layer, token by token."""
    import jax

    return jax.nn.gelu(_normalised(stream) @ layer["up"]) @ layer["down"]


SUB_LAYERS = attention, feed_forward
"""Sub-layers of a layer, in order."""


def logits(weights: Weights, stream: Array) -> Array:
    """Logits of the next symbol, from the last stream."""
    return _normalised(stream) @ weights["read"]
