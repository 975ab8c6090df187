"""Parameters of a model: total, active per token, and their bytes in memory and on each chip."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from ridgeline.estimator.attention import cache_bytes, cores, projections
from ridgeline.estimator.feed_forward import expert_params, whole_matrices
from ridgeline.estimator.kernels import work
from ridgeline.estimator.matrix import Matrix
from ridgeline.estimator.stage_cuts import Stage
from ridgeline.numeric import Numeric
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.layout import Layout
from ridgeline.specs.model import LayerGroup, Model
from ridgeline.specs.passes import Lane
from ridgeline.specs.precision import Component, Precision

__all__ = [
    "Holding",
    "active_params",
    "embedding_params",
    "expansion",
    "flop_per_pair",
    "holdings",
    "kv_bytes_held",
    "kv_bytes_per_first_token",
    "kv_bytes_per_token",
    "kv_bytes_read",
    "layer_matrices",
    "layer_weight_bytes",
    "main_format",
    "multiplied_params",
    "stage_weight_bytes",
    "total_params",
    "weight_bytes",
    "weight_bytes_per_chip",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """Parameters of one format that are distributed in one way.

    Attributes:
        component: component of the model, which decides their number format.
        params: number of parameters over all layers.
        active_fraction: part of the parameters that one token touches.
        parts: pieces that tensor parallelism can cut them into, copied where there are more chips. Experts are not cut
            by it: they are spread over all chips.
    """

    component: Component
    params: int
    active_fraction: float = 1.0
    parts: int

    def share(self, layout: Layout) -> float:
        """Part of the parameters that one chip of a stage holds."""
        if self.component is Component.EXPERTS:
            # A part is an expert; redundant ones are held twice.
            return (1 + layout.redundant_experts / self.parts) / (layout.tp * layout.dp)
        return max(layout.tp_rows / layout.tp, 1 / self.parts) / (layout.tp_rows * layout.fsdp)


@lru_cache(maxsize=256)
def holdings(model: Model) -> tuple[Holding, ...]:
    """All parameters of a model; a tied embedding is counted once, as the head."""
    vocabulary = model.vocab * model.hidden
    ends = [Holding(component=Component.HEAD, params=vocabulary, parts=model.vocab)]
    if not model.tied_embeddings:
        ends.append(Holding(component=Component.EMBEDDING, params=vocabulary, parts=model.vocab))
    return (*ends, *(holding for group in model.groups for holding in _layer_holdings(group, model.hidden)))


@lru_cache(maxsize=1024)
def layer_matrices(group: LayerGroup, hidden: int) -> tuple[Matrix, ...]:
    """Matrices of one layer without its routed experts."""
    # The parameters of a model do not depend on their operands.
    attention = (matrix for fused in projections(group.attention, hidden, is_prompt=True).values() for matrix in fused)
    return (*attention, *whole_matrices(group.feed_forward, hidden))


@lru_cache(maxsize=1024)
def _layer_holdings(group: LayerGroup, hidden: int) -> tuple[Holding, ...]:
    matrices = [
        Holding(component=matrix.component, params=group.layers * matrix.params, parts=matrix.parts)
        for matrix in layer_matrices(group, hidden)
    ]
    block = group.feed_forward
    if not isinstance(block, RoutedExperts):
        return tuple(matrices)
    experts = Holding(
        component=Component.EXPERTS,
        params=group.layers * block.experts * expert_params(block, hidden),
        active_fraction=block.active_experts / block.experts,
        parts=block.experts,
    )
    return (*matrices, experts)


def total_params(model: Model) -> int:
    """Parameters of all matrices."""
    return sum(holding.params for holding in holdings(model))


def active_params(model: Model) -> int:
    """Parameters that one token touches, the input embedding's look-up included, as models are published."""
    return round(sum(holding.params * holding.active_fraction for holding in holdings(model)))


def embedding_params(model: Model) -> int:
    """Parameters of the input embedding that are in no other matrix: looked up, never multiplied."""
    return 0 if model.tied_embeddings else model.vocab * model.hidden


def multiplied_params(model: Model) -> int:
    """Parameters that one token is multiplied by: active ones without the input embedding, which is looked up."""
    return active_params(model) - embedding_params(model)


def expansion(model: Model) -> float:
    """Total over active parameters; the lecture's sparsity, N_t / N_a, at least 1."""
    return total_params(model) / active_params(model)


def weight_bytes(model: Model, precision: Precision) -> float:
    """Bytes of all weights, each counted once."""
    return sum(holding.params * precision.of(holding.component).weight.bytes_per_value for holding in holdings(model))


def main_format(model: Model, precision: Precision) -> str:
    """Name of the format that most bytes of the weights are in."""
    sizes: dict[str, float] = {}
    for holding in holdings(model):
        weight = precision.of(holding.component).weight
        sizes[weight.name] = sizes.get(weight.name, 0.0) + holding.params * weight.bytes_per_value
    return max(sizes, key=lambda name: sizes[name])


@lru_cache(maxsize=4096)
def stage_weight_bytes(
    model: Model, precision: Precision, layout: Layout, stage: Stage, *, with_ends: bool = True
) -> float:
    """Bytes of weights on the fullest chip of a pipeline stage, on the assumption that its layers are the heaviest.

    A tied embedding lies on both the first stage and the last.

    Args:
        model: model that is laid out.
        precision: number formats of its weights.
        layout: layout of one replica.
        stage: part of the model that the stage holds.
        with_ends: whether embedding and head are included.
    """

    def held(of: Iterable[Holding]) -> float:
        return sum(
            holding.params * holding.share(layout) * precision.of(holding.component).weight.bytes_per_value
            for holding in of
        )

    groups = [(held(_layer_holdings(group, model.hidden)) / group.layers, group.layers) for group in model.groups]
    left, layers = stage.layers, 0.0
    for layer_bytes, count in sorted(groups, reverse=True):
        taken = min(count, left)
        left, layers = left - taken, layers + taken * layer_bytes
    if not with_ends:
        return layers
    ends = {Component.EMBEDDING} if stage.is_first else set()
    if stage.is_last or (stage.is_first and model.tied_embeddings):
        ends.add(Component.HEAD)
    return layers + held(one for one in holdings(model) if one.component in ends)


def weight_bytes_per_chip(model: Model, precision: Precision, layout: Layout, stages: Iterable[Stage]) -> float:
    """Bytes of weights on the fullest chip of all stages."""
    return max(stage_weight_bytes(model, precision, layout, stage) for stage in stages)


@lru_cache(maxsize=4096)
def layer_weight_bytes(group: LayerGroup, hidden: int, precision: Precision, layout: Layout) -> float:
    """Bytes of one layer's weights, without routed experts, on a chip that has gathered them."""
    return sum(
        holding.params * holding.share(layout) * precision.of(holding.component).weight.bytes_per_value
        for holding in _layer_holdings(group, hidden)
        if holding.component is not Component.EXPERTS
    ) * (layout.fsdp / group.layers)


LONG_TOKENS = 2**20
"""A context beyond every window, tokens, at which a cache's growth per token has settled."""


def kv_bytes_held(model: Model, precision: Precision, tokens: Numeric, *, tp: Numeric = 1) -> Numeric:
    """Bytes of keys, values and states that all layers store of a sequence of ``tokens`` on each of ``tp`` chips."""
    held: Numeric = 0.0
    for group in model.groups:
        held = held + group.layers * cache_bytes(group.attention, tokens, tp=tp, kv_format=precision.kv)
    return held


def kv_bytes_per_token(model: Model, precision: Precision) -> float:
    """Bytes that each further token of a long context stores in all layers; windows and states no longer grow."""
    grown = kv_bytes_held(model, precision, 2.0 * LONG_TOKENS) - kv_bytes_held(model, precision, float(LONG_TOKENS))
    return float(grown / LONG_TOKENS)


def kv_bytes_per_first_token(model: Model, precision: Precision) -> float:
    """Bytes that each of the first tokens stores in all layers, those with windows too; states do not grow."""
    return float(kv_bytes_held(model, precision, 2.0) - kv_bytes_held(model, precision, 1.0))


def kv_bytes_read(model: Model, precision: Precision, lane: Lane, *, tp: int = 1) -> Numeric:
    """Bytes of one sequence's keys, values and states that a step reads in all layers; of a prompt, those it writes.

    They are those of all ``tp`` chips that share its heads, each of which reads what it cannot divide.
    """
    read: Numeric = 0.0
    for group in model.groups:
        for kernel in cores(group.attention, lane, sequences=1, tp=tp, kv_format=precision.kv).values():
            read = read + group.layers * tp * work(kernel).kv_bytes
    return read


def flop_per_pair(model: Model) -> float:
    """FLOP in all layers of a further query-key pair of a long prompt: the coefficient of its quadratic growth.

    A prompt of twice the length has four times the pairs and twice of everything else, windows and states included.
    """

    def flop(tokens: float) -> float:
        lane = Lane(sequences=1, new_tokens=tokens, is_prompt=True)
        return sum(
            group.layers * float(work(kernel).flop)
            for group in model.groups
            for kernel in cores(group.attention, lane, sequences=1, tp=1, kv_format=model.precision.kv).values()
        )

    return (flop(2.0 * LONG_TOKENS) - 2 * flop(float(LONG_TOKENS))) / LONG_TOKENS**2
