"""A model's matrices counted: parameters in all, those that one token touches, bytes in memory and on each chip."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ridgeline.estimator.attention import kv_parts, kv_values_per_token, projections
from ridgeline.estimator.feed_forward import block_matrices, expert_params, router, shared_block
from ridgeline.specs.feed_forward import DenseFeedForward
from ridgeline.specs.layout import Layout
from ridgeline.specs.model import LayerGroup, Model
from ridgeline.specs.precision import Component, Precision
from ridgeline.specs.workload import Prefill

__all__ = [
    "Holding",
    "active_params",
    "embedding_params",
    "expansion",
    "holdings",
    "kv_bytes_per_token",
    "kv_bytes_per_token_per_chip",
    "total_params",
    "weight_bytes",
    "weight_bytes_per_chip",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """Parameters that are kept alike, and how they spread.

    Attributes:
        component: decides their number format.
        params: how many, over all layers.
        active_fraction: part of them that one token touches.
        parts: pieces that tensor parallelism can cut them into, copied where there are more chips. Experts are not cut
            by it: they spread over all chips.
    """

    component: Component
    params: int
    active_fraction: float = 1.0
    parts: int

    def share(self, layout: Layout) -> float:
        """Part of them that one chip holds."""
        if self.component is Component.EXPERTS:
            return 1 / (layout.tp * layout.dp)
        return max(1 / layout.tp, 1 / self.parts)


@lru_cache(maxsize=256)
def holdings(model: Model) -> tuple[Holding, ...]:
    """All parameters of a model; a tied embedding is counted once, as the head."""
    vocabulary = model.vocab * model.hidden
    ends = [Holding(component=Component.HEAD, params=vocabulary, parts=model.vocab)]
    if not model.tied_embeddings:
        ends.append(Holding(component=Component.EMBEDDING, params=vocabulary, parts=model.vocab))
    return (*ends, *(holding for group in model.groups for holding in _layer_holdings(group, model.hidden)))


def _layer_holdings(group: LayerGroup, hidden: int) -> Iterator[Holding]:
    block = group.feed_forward
    # Which parameters there are does not depend on the phase.
    matrices = [matrix for fused in projections(group.attention, hidden, Prefill).values() for matrix in fused]
    if isinstance(block, DenseFeedForward):
        matrices += block_matrices(block, hidden, Component.DENSE)
    else:
        matrices.append(router(block, hidden))
        if shared := shared_block(block):
            matrices += block_matrices(shared, hidden, Component.SHARED_EXPERTS)
        yield Holding(
            component=Component.EXPERTS,
            params=group.layers * block.experts * expert_params(block, hidden),
            active_fraction=block.active_experts / block.experts,
            parts=block.experts,
        )
    for matrix in matrices:
        yield Holding(component=matrix.component, params=group.layers * matrix.params, parts=matrix.parts)


def total_params(model: Model) -> int:
    """Parameters of all matrices."""
    return sum(holding.params for holding in holdings(model))


def active_params(model: Model) -> int:
    """Parameters that one token touches, the input embedding's look-up included, as models are published."""
    return round(sum(holding.params * holding.active_fraction for holding in holdings(model)))


def embedding_params(model: Model) -> int:
    """Parameters of the input embedding that are no other matrix: looked up, never multiplied."""
    return 0 if model.tied_embeddings else model.vocab * model.hidden


def expansion(model: Model) -> float:
    """Total over active parameters; the lecture's sparsity, N_t / N_a, at least 1."""
    return total_params(model) / active_params(model)


def weight_bytes(model: Model, precision: Precision) -> float:
    """Bytes of all weights, each counted once."""
    return sum(holding.params * precision.of(holding.component).weight.bytes_per_value for holding in holdings(model))


def weight_bytes_per_chip(model: Model, precision: Precision, layout: Layout) -> float:
    """Bytes of weights on one chip of a layout."""
    return sum(
        holding.params * holding.share(layout) * precision.of(holding.component).weight.bytes_per_value
        for holding in holdings(model)
    )


def kv_bytes_per_token(model: Model, precision: Precision) -> float:
    """Bytes of keys and values that one token stores in all layers."""
    values = sum(group.layers * kv_values_per_token(group.attention) for group in model.groups)
    return values * precision.kv.bytes_per_value


def kv_bytes_per_token_per_chip(model: Model, precision: Precision, layout: Layout) -> float:
    """Bytes of one token's keys and values on each of the ``tp`` chips that hold its sequence."""
    values = sum(
        group.layers * kv_values_per_token(group.attention) * max(1 / layout.tp, 1 / kv_parts(group.attention))
        for group in model.groups
    )
    return values * precision.kv.bytes_per_value
