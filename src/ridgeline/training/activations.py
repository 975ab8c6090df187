"""Activations that a layer keeps of a micro-batch for its backward pass, tensor by tensor, with fused kernels.

Kept are inputs of products, queries, keys and values, and both halves of a gated activation; not what is recomputed.

Source: Korthikanti et al. 2022 (arXiv 2205.05198), section 4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import singledispatch

from ridgeline.equations.attention import heads_per_chip
from ridgeline.errors import RidgelineError
from ridgeline.estimator.drafts import PREDICTION_STREAMS
from ridgeline.estimator.feed_forward import expert_width, shared_block
from ridgeline.specs.attention import (
    Attention,
    ChunkedAttention,
    GroupedQueryAttention,
    LatentAttention,
    LinearAttention,
    SlidingWindowAttention,
)
from ridgeline.specs.feed_forward import DenseFeedForward, FeedForward, NoFeedForward, RoutedExperts
from ridgeline.specs.model import LayerGroup
from ridgeline.training.expert_visits import mean_visits
from ridgeline.training.job import TrainingJob

__all__ = ["Kept", "LayerActivations", "joined_bytes", "kept_tensors", "layer_activations"]

HALF = 2
"""Bytes of a 16-bit value, in which activations are kept."""

SCORE_BYTES = 8
"""Bytes of each router score: in 32 bits, before and after its softmax."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A tensor that a layer keeps of a micro-batch for its backward pass.

    Attributes:
        name: name of the tensor.
        kept_bytes: bytes of it on one chip.
        module: part of the layer with which it is recomputed, of ``MODULES``; empty for none.
        input_of: kernel whose input it is, of ``OFFLOADS``, with which it is offloaded; empty for none.
        is_product: whether it is the output of a matrix product.
        has_gradient: whether its gradient is a tensor of equal size.
    """

    name: str
    kept_bytes: float
    module: str = ""
    input_of: str = ""
    is_product: bool = False
    has_gradient: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerActivations:
    """Activations of a micro-batch in a layer on one chip, bytes.

    Attributes:
        kept_bytes: bytes kept until its backward pass.
        transient_bytes: further bytes during its backward pass: recomputed tensors, and gradients inside its block.
    """

    kept_bytes: float
    transient_bytes: float


def layer_activations(job: TrainingJob, group: LayerGroup) -> LayerActivations:
    """Activations of one layer with the job's recompute and offloads."""
    tensors, recompute = kept_tensors(job, group), job.recipe.recompute
    whole = sum(one.kept_bytes for one in tensors)
    if recompute.is_reversible:
        kept = 0.0
    elif recompute.is_full:
        kept = tensors[0].kept_bytes  # its input
    else:
        dropped = (one.module in recompute.covered or one.input_of in job.recipe.offloads for one in tensors)
        gone = sum(one.kept_bytes for one, is_gone in zip(tensors, dropped, strict=True) if is_gone)
        if "products" in recompute.modules:
            gone += sum(one.kept_bytes for one in tensors if one.is_product) / 2
        kept = whole - gone
    gradients = sum(one.kept_bytes for one in _block(job, group.feed_forward) if one.has_gradient)
    return LayerActivations(kept_bytes=kept, transient_bytes=whole - kept + gradients)


def joined_bytes(job: TrainingJob) -> float:
    """Bytes kept before a multi-token-prediction layer: both streams, and both normed unless they are recomputed."""
    streams = PREDICTION_STREAMS * (1 if job.recipe.recompute.is_full else 2)
    return streams * job.divided_rows * job.model.hidden * HALF


def kept_tensors(job: TrainingJob, group: LayerGroup) -> tuple[Kept, ...]:
    """Tensors that one layer keeps without recompute, its input first."""
    stream = job.divided_rows * job.model.hidden * HALF
    tensors = [
        Kept(name="layer input", kept_bytes=stream, input_of="attn_norm"),
        Kept(name="normed input", kept_bytes=stream, module="layernorm", input_of="qkv_linear"),
        *_attention(group.attention, job),
    ]
    if job.recipe.dropout:
        tensors.append(Kept(name="dropout masks", kept_bytes=stream))  # two of a byte a value
    if not isinstance(group.feed_forward, NoFeedForward):
        tensors.append(Kept(name="block input", kept_bytes=stream, input_of="mlp_norm"))
        tensors.append(Kept(name="normed block input", kept_bytes=stream, module="layernorm"))
    return (*tensors, *_block(job, group.feed_forward))


def _of_tokens(job: TrainingJob, values: float) -> float:
    """Bytes of a given number of values of each token of a ``tp`` group."""
    return job.rows * values * HALF


@singledispatch
def _attention(attention: Attention, job: TrainingJob) -> Iterator[Kept]:
    """Tensors that attention keeps between its norm and its output projection, on one of ``tp`` chips."""
    # The record's name as words: "indexed sparse attention".
    kind = re.sub(r"\B([A-Z])", r" \1", type(attention).__name__).lower()
    raise RidgelineError(
        f"memory of training is not modelled for the {kind} of {job.model.id}; take a model with"
        " grouped-query, sliding-window, chunked, linear or latent attention"
    )


@_attention.register
def _(attention: GroupedQueryAttention, job: TrainingJob) -> Iterator[Kept]:
    tp = job.layout.layout.tp
    heads = float(heads_per_chip(heads=attention.query_heads, tp=tp))
    kv_heads = float(heads_per_chip(heads=attention.kv_heads, tp=tp))
    projected = heads * attention.head_dim + kv_heads * (attention.head_dim + attention.value_dim)
    yield _projected(job, projected)
    # Rotated ones are tensors of their own; those before share one with the values.
    rotated = (heads + kv_heads) * attention.head_dim
    yield Kept(name="rotated queries and keys", kept_bytes=_of_tokens(job, rotated), input_of="core_attn")
    yield _scores(job, heads)
    yield _attention_output(job, heads * attention.value_dim)


@_attention.register(SlidingWindowAttention)
@_attention.register(ChunkedAttention)
def _(attention: SlidingWindowAttention | ChunkedAttention, job: TrainingJob) -> Iterator[Kept]:
    return _attention(attention.base, job)


@_attention.register
def _(attention: LinearAttention, job: TrainingJob) -> Iterator[Kept]:
    """Projections, and the state's output before and after its norm; the scan is recomputed."""
    heads = float(heads_per_chip(heads=attention.value_heads, tp=job.layout.layout.tp))
    key_heads = float(heads_per_chip(heads=attention.key_heads, tp=job.layout.layout.tp))
    inner = heads * attention.value_head_dim
    yield _projected(job, 2 * inner + 2 * key_heads * attention.key_head_dim + heads)
    yield Kept(name="state output", kept_bytes=_of_tokens(job, inner), input_of="core_attn")
    yield _attention_output(job, inner)


@_attention.register
def _(attention: LatentAttention, job: TrainingJob) -> Iterator[Kept]:
    heads = float(heads_per_chip(heads=attention.query_heads, tp=job.layout.layout.tp))
    # Both compressed vectors before and after their norms.
    queries, keys_and_values = 2.0 * attention.query_rank, 2.0 * attention.kv_rank + attention.position_head_dim
    yield Kept(name="compressed queries", kept_bytes=_of_tokens(job, queries), input_of="core_attn")
    yield Kept(name="compressed keys and values", kept_bytes=_of_tokens(job, keys_and_values), input_of="core_attn")
    width = attention.content_head_dim + attention.position_head_dim
    yield _projected(job, heads * (2 * width + attention.value_head_dim), module="mla_up_proj")
    yield _scores(job, heads)
    yield _attention_output(job, heads * attention.value_head_dim)


def _projected(job: TrainingJob, values: float, *, module: str = "") -> Kept:
    return Kept(
        name="queries, keys, values",
        kept_bytes=_of_tokens(job, values),
        module=module,
        input_of="core_attn",
        is_product=True,
    )


def _scores(job: TrainingJob, heads: float) -> Kept:
    """Scores where no kernel fuses them: probabilities, and with dropout its mask and its output."""
    if job.recipe.fuses_attention:
        values, name = 2 * heads, "log-sum-exp"  # one of 32 bits a head
    else:
        values, name = heads * job.sequence_tokens * (2.5 if job.recipe.dropout else 1.0), "scores"
    return Kept(name=name, kept_bytes=_of_tokens(job, values), module="core_attn", input_of="core_attn")


def _attention_output(job: TrainingJob, values: float) -> Kept:
    return Kept(name="attention output", kept_bytes=_of_tokens(job, values), input_of="attn_proj")


def _block(job: TrainingJob, block: FeedForward) -> Iterator[Kept]:
    """Tensors that are kept inside a feed-forward block."""
    if isinstance(block, DenseFeedForward):
        yield from _dense(job, block, "mlp")
    elif isinstance(block, RoutedExperts):
        yield from _routed(job, block)


def _dense(job: TrainingJob, block: DenseFeedForward, module: str) -> Iterator[Kept]:
    inner = job.rows * block.ffn_hidden / job.layout.layout.tp * HALF
    yield Kept(name="up and gate", kept_bytes=(2 if block.gated else 1) * inner, module=module, is_product=True)
    yield Kept(name="activated", kept_bytes=inner, module=module)


def _routed(job: TrainingJob, block: RoutedExperts) -> Iterator[Kept]:
    layout, width = job.layout, expert_width(block, job.model.hidden)
    tokens = job.rows / layout.layout.tp
    visits = mean_visits(job, block, tokens)
    inner = visits * block.expert_hidden / layout.expert_tp * HALF
    scores = tokens * block.experts * SCORE_BYTES
    yield Kept(name="router scores", kept_bytes=scores, module="moe", has_gradient=False)
    if job.recipe.dispatcher == "allgather":
        gathered = tokens * layout.ep * layout.expert_tp * width * HALF
        yield Kept(name="gathered tokens", kept_bytes=gathered, module="moe")
    yield Kept(name="tokens of experts", kept_bytes=visits * width * HALF, module="moe", input_of="expert_fc1")
    up = (2 if block.gated else 1) * inner
    yield Kept(name="experts' up and gate", kept_bytes=up, module="moe", input_of="moe_act")
    yield Kept(name="experts' activated", kept_bytes=inner, module="moe_act")
    if block.latent_hidden:
        yield Kept(name="results of experts", kept_bytes=tokens * width * HALF, module="moe")
    if shared := shared_block(block):
        yield from _dense(job, shared, "shared_experts")
