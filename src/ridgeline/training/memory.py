"""What a chip of a training run holds: weights, gradients, optimizer states, activations, logits.

Activations are the tensors that the backward pass needs, one by one, as fused kernels keep them: inputs of products,
queries, keys and values, both halves of a gated activation. What is computed again is not kept.

Sources: Korthikanti et al. 2022 (arXiv 2205.05198), section 4; Rajbhandari et al. 2019, "ZeRO" (arXiv 1910.02054).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import singledispatch
from typing import NamedTuple

from ridgeline.equations.attention import heads_per_chip
from ridgeline.errors import RidgelineError
from ridgeline.estimator.feed_forward import expert_width
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
from ridgeline.training.job import TrainingJob
from ridgeline.training.pipeline import micro_batches_kept

__all__ = ["Kept", "TrainingMemory", "layer_activations", "stage_memory", "training_memory"]

HALF = 2
"""Bytes of a value in 16 bits, as activations are kept."""

LOGIT_BYTES, FUSED_LOGIT_BYTES = 6, 8
"""Of each logit at the peak of the loss: 16 bits as it comes and 32 for its softmax; a fused kernel holds its gradient,
in 16 bits, beside them."""

SOFTMAX_BYTES = 4
"""Of each logit whose loss waits for its backward pass, in 32 bits."""

FRAMEWORK_BYTES = 0.12e9
"""Of workspaces and tables that a framework keeps: what toys of Megatron-LM hold beside their states."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A tensor that a layer keeps of a micro-batch for its backward pass.

    Attributes:
        name: what it is.
        module: with which part of the layer it is computed again, as ``Recompute`` names them.
        input_of: with which kernel it is offloaded, as ``OFFLOADS`` names them.
        is_product: whether a matrix product puts it out.
        kept_bytes: on one chip.
    """

    name: str
    module: str
    kept_bytes: float
    input_of: str = ""
    is_product: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingMemory:
    """Of the chips of one stage at their fullest, bytes.

    Attributes:
        weights_bytes: as products read them.
        gradients_bytes: summed over micro-batches.
        optimizer_bytes: master copies and moments.
        activations_bytes: of all micro-batches under way.
        transient_bytes: what one layer or the loss takes while it runs.
        framework_bytes: what the framework keeps for itself.
    """

    weights_bytes: float
    gradients_bytes: float
    optimizer_bytes: float
    activations_bytes: float
    transient_bytes: float
    framework_bytes: float = 0.0

    @property
    def total_bytes(self) -> float:
        """All of it."""
        return (
            self.weights_bytes
            + self.gradients_bytes
            + self.optimizer_bytes
            + self.activations_bytes
            + self.transient_bytes
            + self.framework_bytes
        )


@singledispatch
def attention_kept(attention: Attention, job: TrainingJob) -> Iterator[tuple[str, str, float]]:
    """Values of a token that attention keeps between its norm and its way out, on one of ``tp`` chips."""
    raise RidgelineError(
        f"memory of training is not modelled for {type(attention).__name__} of {job.model.id}; it is for grouped-query,"
        " sliding-window, chunked, linear and latent attention"
    )


@attention_kept.register
def _(attention: GroupedQueryAttention, job: TrainingJob) -> Iterator[tuple[str, str, float]]:
    tp = job.layout.layout.tp
    heads = float(heads_per_chip(heads=attention.query_heads, tp=tp))
    kv_heads = float(heads_per_chip(heads=attention.kv_heads, tp=tp))
    yield (
        "queries, keys, values",
        "",
        heads * attention.head_dim + kv_heads * (attention.head_dim + attention.value_dim),
    )
    # Rotated ones are tensors of their own; those before lie in one with the values.
    yield "rotated queries and keys", "", (heads + kv_heads) * attention.head_dim
    yield from _scores(job, heads)
    yield "attention output", "", heads * attention.value_dim


@attention_kept.register(SlidingWindowAttention)
@attention_kept.register(ChunkedAttention)
def _(attention: SlidingWindowAttention | ChunkedAttention, job: TrainingJob) -> Iterator[tuple[str, str, float]]:
    return attention_kept(attention.base, job)


@attention_kept.register
def _(attention: LinearAttention, job: TrainingJob) -> Iterator[tuple[str, str, float]]:
    """What is projected at once, and what the state puts out before and after its norm; the scan is run again."""
    heads = float(heads_per_chip(heads=attention.value_heads, tp=job.layout.layout.tp))
    key_heads = float(heads_per_chip(heads=attention.key_heads, tp=job.layout.layout.tp))
    inner = heads * attention.value_head_dim
    yield "queries, keys, values", "", 2 * inner + 2 * key_heads * attention.key_head_dim + heads
    yield "state output", "", inner
    yield "attention output", "", inner


@attention_kept.register
def _(attention: LatentAttention, job: TrainingJob) -> Iterator[tuple[str, str, float]]:
    heads = float(heads_per_chip(heads=attention.query_heads, tp=job.layout.layout.tp))
    # Both compressed vectors before and after their norms.
    yield "compressed queries", "", 2.0 * attention.query_rank
    yield "compressed keys and values", "", 2.0 * attention.kv_rank + attention.position_head_dim
    width = attention.content_head_dim + attention.position_head_dim
    yield "queries, keys, values", "mla_up_proj", heads * (2 * width + attention.value_head_dim)
    yield from _scores(job, heads)
    yield "attention output", "", heads * attention.value_head_dim


def _scores(job: TrainingJob, heads: float) -> Iterator[tuple[str, str, float]]:
    """Scores where no kernel fuses them: probabilities, and with dropout its mask and what it leaves."""
    if job.recipe.fuses_attention:
        yield "log-sum-exp", "core_attn", 2 * heads  # one of 32 bits a head
    else:
        yield "scores", "core_attn", heads * job.sequence_tokens * (2.5 if job.recipe.dropout else 1.0)


def layer_activations(job: TrainingJob, group: LayerGroup) -> tuple[Kept, ...]:
    """What one layer keeps of a micro-batch on one chip, nothing computed again."""
    rows, between, hidden = job.rows, job.divided_rows, job.model.hidden
    stream = between * hidden * HALF
    found = [
        Kept(name="layer input", module="", kept_bytes=stream, input_of="attn_norm"),
        Kept(name="normed input", module="layernorm", kept_bytes=stream, input_of="qkv_linear"),
    ]
    for name, module, values in attention_kept(group.attention, job):
        offloaded = "attn_proj" if name == "attention output" else "core_attn"
        is_product = name == "queries, keys, values"
        kept = rows * values * HALF
        found.append(Kept(name=name, module=module, kept_bytes=kept, input_of=offloaded, is_product=is_product))
    masks = 0.5 if job.recipe.dropout else 0.0
    if masks:
        found.append(Kept(name="dropout masks", module="", kept_bytes=2 * between * hidden * masks * HALF))
    if not isinstance(group.feed_forward, NoFeedForward):
        found.append(Kept(name="block input", module="", kept_bytes=stream, input_of="mlp_norm"))
        found.append(Kept(name="normed block input", module="layernorm", kept_bytes=stream))
    return (*found, *_inside(job, group.feed_forward))


def _inside(job: TrainingJob, block: FeedForward) -> Iterator[Kept]:
    if isinstance(block, DenseFeedForward):
        yield from _dense(job, block, "mlp")
    elif isinstance(block, RoutedExperts):
        yield from _routed(job, block)


def _dense(job: TrainingJob, block: DenseFeedForward, module: str) -> Iterator[Kept]:
    inner = job.rows * block.ffn_hidden / job.layout.layout.tp * HALF
    yield Kept(name="up and gate", module=module, kept_bytes=(2 if block.gated else 1) * inner, is_product=True)
    yield Kept(name="activated", module=module, kept_bytes=inner)


def _routed(job: TrainingJob, block: RoutedExperts) -> Iterator[Kept]:
    layout, width = job.layout, expert_width(block, job.model.hidden)
    tokens = job.rows / layout.layout.tp
    visits = tokens * layout.expert_tp * block.active_experts * (job.recipe.capacity_factor or 1.0)
    inner = visits * block.expert_hidden / layout.expert_tp * HALF
    yield Kept(name="router scores", module="moe", kept_bytes=tokens * block.experts * 8.0)
    if job.recipe.dispatcher == "allgather":
        gathered = tokens * layout.ep * layout.expert_tp * width * HALF
        yield Kept(name="gathered tokens", module="moe", kept_bytes=gathered)
    yield Kept(name="tokens of experts", module="moe", kept_bytes=visits * width * HALF, input_of="expert_fc1")
    yield Kept(
        name="experts' up and gate", module="moe", kept_bytes=(2 if block.gated else 1) * inner, input_of="moe_act"
    )
    yield Kept(name="experts' activated", module="moe_act", kept_bytes=inner)
    if block.latent_hidden:
        yield Kept(name="results of experts", module="moe", kept_bytes=tokens * width * HALF)
    if block.shared_hidden:
        shared = DenseFeedForward(ffn_hidden=block.shared_hidden, gated=block.gated)
        yield from _dense(job, shared, "shared_experts")


def kept_bytes(job: TrainingJob, group: LayerGroup) -> tuple[float, float]:
    """Bytes that a layer keeps of a micro-batch, and those that it has while its backward pass runs."""
    everything = layer_activations(job, group)
    whole = sum(one.kept_bytes for one in everything)
    recompute = job.recipe.recompute
    if recompute.is_full:
        return 0.0 if recompute.is_reversible else everything[0].kept_bytes, whole
    modules = recompute.modules | ({"moe_act", "shared_experts"} if "moe" in recompute.modules else set())
    offloads = job.recipe.offloads
    gone = sum(one.kept_bytes for one in everything if one.module in modules or one.input_of in offloads)
    if "products" in modules:
        gone += sum(one.kept_bytes for one in everything if one.is_product) / 2
    return whole - gone, whole


def stage_memory(job: TrainingJob, stage: int) -> TrainingMemory:
    """Memory of a chip of one stage at its fullest."""
    return _stage_memory(job, stage, _sizes(job))


def training_memory(job: TrainingJob) -> TrainingMemory:
    """Memory of the fullest chip of all stages."""
    sizes = _sizes(job)
    stages = (_stage_memory(job, stage, sizes) for stage in range(job.layout.layout.pp))
    return max(stages, key=lambda memory: memory.total_bytes)


class _Sizes(NamedTuple):
    """What a layer holds of a micro-batch: until its backward pass, and besides that while it goes back, bytes."""

    kept_bytes: float
    transient_bytes: float


def _sizes(job: TrainingJob) -> tuple[_Sizes, ...]:
    """Of a layer of each group."""
    found = []
    for group in job.model.groups:
        kept, whole = kept_bytes(job, group)
        # What it computed again, and the gradients of what is widest in it.
        found.append(_Sizes(kept, whole - kept + _gradients(job, group)))
    return tuple(found)


def _stage_memory(job: TrainingJob, stage: int, sizes: tuple[_Sizes, ...]) -> TrainingMemory:
    layout, recipe = job.layout, job.recipe
    layers, (dense, experts) = job.stages[stage], job.stage_params[stage]
    under_way = micro_batches_kept(
        job.pipeline,
        stages=layout.layout.pp,
        micro_batches=job.micro_batches,
        virtual_stages=layout.virtual_stages,
    )[stage]
    activations = under_way * sum(sizes[place].kept_bytes for place in layers)
    transient = max((sizes[place].transient_bytes for place in set(layers)), default=0.0)
    if stage == job.last_stage:
        ahead = recipe.predicted_tokens
        per_logit = FUSED_LOGIT_BYTES if recipe.fuses_loss else LOGIT_BYTES
        logits = job.rows * job.model.vocab / layout.layout.tp * per_logit
        # Each token that is predicted ahead has a layer of its own, and keeps the softmax of its logits.
        softmax = job.rows * job.model.vocab / layout.layout.tp * SOFTMAX_BYTES
        activations += ahead * (sizes[job.layers[-1]].kept_bytes + softmax)
        transient = max(transient, logits)
    params = dense + experts
    local = dense / layout.sharded_chips + experts / layout.sharded_expert_chips
    weights, gradients = params * recipe.weight_bytes, params * recipe.gradient_bytes
    if layout.spreads_weights:
        biggest = max((sum(job.layer_params[place]) for place in set(layers)), default=0.0)
        weights = (local + 2 * biggest) * recipe.weight_bytes
        gradients = (local + biggest) * recipe.gradient_bytes
    elif layout.spreads_gradients:
        gradients = local * recipe.gradient_bytes
    if recipe.trains_adapters:
        gradients = local = 0.0
    return TrainingMemory(
        weights_bytes=weights,
        gradients_bytes=gradients,
        optimizer_bytes=local * recipe.state_bytes,
        activations_bytes=activations,
        transient_bytes=transient,
        framework_bytes=FRAMEWORK_BYTES,
    )


def _gradients(job: TrainingJob, group: LayerGroup) -> float:
    """Gradients of a layer's widest tensors, inside its block, while it goes back, bytes."""
    return sum(one.kept_bytes for one in _inside(job, group.feed_forward) if one.name != "router scores")
