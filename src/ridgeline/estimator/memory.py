"""Memory use of a chip while a layout serves."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ridgeline.estimator.drafting import draft_cache_bytes, draft_weight_bytes
from ridgeline.estimator.feed_forward import expert_width, hidden_streams, shared_block
from ridgeline.estimator.kernels import RESIDUAL
from ridgeline.estimator.parameters import kv_bytes_held, layer_weight_bytes, stage_weight_bytes
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.stage_cuts import Stage, cut_of, layer_counts, stages_of
from ridgeline.numeric import Numeric, ceil, maximum, minimum, total_of
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import Limits
from ridgeline.specs.feed_forward import DenseFeedForward, FeedForward, NoFeedForward
from ridgeline.specs.layout import Layout
from ridgeline.specs.model import Model
from ridgeline.specs.passes import Pass, prefill
from ridgeline.specs.workload import passes_of

__all__ = [
    "Memory",
    "activation_bytes",
    "cache_bytes_per_chip",
    "fullest_stage",
    "kv_capacity_tokens",
    "limits_of",
    "memory_per_chip",
    "moved_cache_bytes",
    "pass_memory",
    "prompt_passes",
    "sequence_cache_bytes",
]

LOGIT_BYTES = 4
"""Bytes of a logit: sampling uses 32 bits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """Memory use of one chip, in bytes.

    Attributes:
        weights_bytes: bytes of its weights, copies included.
        kv_bytes: bytes of the KV cache of the sequences that it holds.
        activation_bytes: bytes of a pass's activations at its widest point.
        reserved_bytes: bytes that the engine and its runtime reserve.
        free_bytes: bytes left for the KV cache; negative where the rest does not fit.
        raised_bytes: bytes given to the engine beyond its default, where that leaves hardly any room for a cache.
    """

    weights_bytes: Numeric
    kv_bytes: Numeric
    activation_bytes: Numeric
    reserved_bytes: Numeric
    free_bytes: Numeric
    raised_bytes: Numeric


def activation_bytes(model: Model, layout: Layout, *, rows: Numeric, sampled: Numeric) -> Numeric:
    """Peak activation bytes of a pass over ``rows`` tokens, ``sampled`` of which reach the output head.

    These are the residual stream and its normed copy, the widest block's inner activations, and the logits, which every
    chip holds in full once they are gathered.
    """
    inner = max(_inner_width(group.feed_forward, model, layout) for group in model.groups)
    stream = rows * (2 * model.hidden + inner) * RESIDUAL.bytes_per_value
    return stream + sampled * model.vocab * LOGIT_BYTES


def _inner_width(block: FeedForward, model: Model, layout: Layout) -> float:
    """Values that a chip stores inside a block for one token of its group."""
    if isinstance(block, NoFeedForward):
        return 0.0
    if isinstance(block, DenseFeedForward):
        return hidden_streams(block) * block.ffn_hidden / layout.tp
    visits = block.active_experts * layout.dp / layout.ep
    # A visit copies the token in and its result out.
    inside = 2 * expert_width(block, model.hidden) + hidden_streams(block) * block.expert_hidden / layout.expert_tp
    shared = shared_block(block)
    return visits * inside + (_inner_width(shared, model, layout) if shared else 0.0)


LEAST_ROOM = 0.04
"""Part of a chip's memory for its KV cache below which operators raise an engine's memory above its default.

Among 0.02, 0.04 and 0.08, it predicts measured runs at their memory limit best. More memory never leaves less room.
"""

PROFILED_SEQUENCES = 256
"""Sequences sampled in an engine's largest pass, as it profiles activation memory."""


UNKNOWN_LIMITS = Limits()
"""Limits of an engine for which none are known."""


def limits_of(deployment: Deployment) -> Limits:
    """An engine's limits on a chip; where none are known, the machine's usable part of the memory."""
    chip = deployment.machine.chip
    suiting = (
        limits
        for limits in deployment.engine.limits
        if chip.hbm_bytes >= limits.least_hbm_bytes and not any(name in chip.name for name in limits.not_on)
    )
    found = next(suiting, UNKNOWN_LIMITS)
    return _of_group(found, deployment.layout.dp, deployment.machine.efficiency.usable_hbm_fraction)


def prompt_passes(deployment: Deployment, batch: int, prompt_tokens: int) -> int:
    """Number of passes in which prompts are read so that none is larger than the engine's."""
    rows = shares_of(prefill(batch=batch, prompt_tokens=prompt_tokens), deployment.layout).rows
    return passes_of(float(rows), tokens_per_pass=limits_of(deployment).pass_tokens)


@lru_cache(maxsize=64)
def _of_group(limits: Limits, groups: int, usable_fraction: float) -> Limits:
    """The limits for one of ``dp`` groups; the record is only rebuilt where needed, since its checks take time."""
    changes: dict[str, Any] = {} if limits.memory_fraction is not None else {"memory_fraction": usable_fraction}
    if limits.shares_sequences:
        changes |= {"sequences": max(limits.sequences // groups, 1), "shares_sequences": False}
    if limits.shares_pass_tokens:
        changes |= {"pass_tokens": max(limits.pass_tokens // groups, 1), "shares_pass_tokens": False}
    elif limits.reserved_bytes:
        # The engine's limit is for all groups, and it reserves memory for as many.
        more = limits.reserved_token_bytes * limits.pass_tokens * (groups - 1)
        changes |= {"reserved_bytes": limits.reserved_bytes + more}
    return dataclasses.replace(limits, **changes) if changes else limits


def fullest_stage(deployment: Deployment) -> Stage:
    """The stage of a pipeline whose memory fills first: the one with the least room per layer's cache.

    Room is measured beside the engine's largest pass. Each stage stores the same sequences, for its own layers.
    """
    stages = stages_of(deployment)
    if len(stages) == 1:
        return stages[0]
    limits = limits_of(deployment)
    activations = _activation_bytes(deployment, limits, rows=limits.pass_tokens, sampled=1)

    def room_per_layer(stage: Stage) -> float:
        room = float(_room(deployment, limits, stage, activations)[0])
        return room / stage.layers if stage.layers else math.copysign(math.inf, room)

    return min(stages, key=room_per_layer)


def sequence_cache_bytes(deployment: Deployment, held_tokens: Numeric) -> Numeric:
    """Bytes of one sequence's KV cache on a chip that keeps it, in the stage that fills first, its draft's included."""
    return _cache_bytes(deployment, held_tokens, fullest_stage(deployment).layers)


def moved_cache_bytes(deployment: Deployment, held_tokens: Numeric) -> Numeric:
    """Bytes of one sequence's cache on a chip of the stage with the most layers, the slowest to read or write it."""
    return _cache_bytes(deployment, held_tokens, max(layer_counts(cut_of(deployment))))


def _cache_bytes(deployment: Deployment, held_tokens: Numeric, layers: int) -> Numeric:
    model, layout = deployment.model, deployment.layout
    held = kv_bytes_held(model, deployment.precision, held_tokens, tp=layout.attention_tp)
    own = held * (layers / model.layers) / layout.cp
    return own + draft_cache_bytes(deployment, held_tokens)


def pass_memory(deployment: Deployment, pass_: Pass) -> Memory:
    """Memory that one pass needs, its sequences' KV cache included."""
    shares, kv_dp = shares_of(pass_, deployment.layout), deployment.layout.kv_dp
    kv_bytes = total_of(
        one.whole(one.held, kv_dp) * sequence_cache_bytes(deployment, one.lane.context_tokens) for one in shares.lanes
    )
    return memory_per_chip(deployment, rows=shares.rows, sampled=shares.sampled, kv_bytes=kv_bytes)


def cache_bytes_per_chip(deployment: Deployment, sequences: Numeric, held_tokens: Numeric) -> Numeric:
    """Bytes of a group's KV cache on the fullest chip, with whole sequences on each."""
    return ceil(sequences / deployment.layout.kv_dp) * sequence_cache_bytes(deployment, held_tokens)


def memory_per_chip(deployment: Deployment, *, rows: Numeric, sampled: Numeric, kv_bytes: Numeric) -> Memory:
    """Memory use of the fullest chip; in a pipeline, of the stage that fills first.

    Args:
        deployment: deployment that runs the pass.
        rows: tokens of a ``tp`` group in one pass of a micro-batch.
        sampled: rows that reach the output head, the last of their sequences.
        kv_bytes: KV cache of the sequences that it holds, bytes.
    """
    limits, stage = limits_of(deployment), fullest_stage(deployment)
    activations = _activation_bytes(deployment, limits, rows=rows, sampled=sampled)
    room, raised = _room(deployment, limits, stage, activations)
    weights = _weight_bytes(deployment, stage)
    return Memory(
        weights_bytes=weights,
        kv_bytes=kv_bytes,
        activation_bytes=activations,
        reserved_bytes=deployment.machine.chip.hbm_bytes - weights - activations - room,
        free_bytes=room - kv_bytes,
        raised_bytes=raised,
    )


def _weight_bytes(deployment: Deployment, stage: Stage) -> float:
    """Bytes of weights on a chip of a stage, those of a draft included."""
    own = stage_weight_bytes(deployment.model, deployment.precision, deployment.layout, stage)
    return own + draft_weight_bytes(deployment)


def _activation_bytes(deployment: Deployment, limits: Limits, *, rows: Numeric, sampled: Numeric) -> Numeric:
    """Bytes set aside for a pass's activations, and for layers that are gathered."""
    model, layout, precision = deployment.model, deployment.layout, deployment.precision
    if limits.profiles_pass:
        rows, sampled = maximum(rows, limits.pass_tokens), maximum(sampled, PROFILED_SEQUENCES)
    activations = activation_bytes(model, layout, rows=rows, sampled=sampled)
    if layout.fsdp > 1:
        # While one layer runs, the next is gathered, and finally the head.
        layer = max(layer_weight_bytes(group, model.hidden, precision, layout) for group in model.groups)
        head = model.vocab * model.hidden / layout.tp * precision.head.weight.bytes_per_value
        activations = activations + layer + max(layer, head)
    return activations


def _room(deployment: Deployment, limits: Limits, stage: Stage, activations: Numeric) -> tuple[Numeric, Numeric]:
    """Bytes of a stage's chip that are left for its cache, and the part of them beyond the engine's default."""
    hbm_bytes, weights = deployment.machine.chip.hbm_bytes, _weight_bytes(deployment, stage)
    given = hbm_bytes * (1.0 if limits.memory_fraction is None else limits.memory_fraction)

    def left(given_bytes: float, reserved_bytes: float) -> Numeric:
        """Bytes of an engine's memory that weights and a pass leave free."""
        beside = hbm_bytes - given_bytes + reserved_bytes if limits.reserves_pass else 0.0
        return given_bytes - reserved_bytes - weights - maximum(activations - beside, 0.0)

    room = left(given, limits.reserved_bytes) * limits.cache_fraction
    raised: Numeric = 0.0
    if limits.raised_fraction:
        # Operators raise an engine's memory where its default leaves hardly any room for a cache, as far as possible.
        wanted = minimum(left(hbm_bytes * limits.raised_fraction, 0.0), LEAST_ROOM * hbm_bytes)
        room, raised = maximum(room, wanted), maximum(wanted - room, 0.0)
    return room, raised


def kv_capacity_tokens(deployment: Deployment, memory: Memory, *, held_tokens: float) -> int | None:
    """Tokens of KV cache that one replica has room for, in sequences of ``held_tokens``; None where none is stored.

    The room is each chip's memory beside weights, a pass and the runtime.
    """
    of_one = float(sequence_cache_bytes(deployment, held_tokens))
    if not of_one:
        return None
    room = float(memory.free_bytes + memory.kv_bytes)
    return int(room / of_one * held_tokens * deployment.layout.kv_dp * deployment.layout.dp)
