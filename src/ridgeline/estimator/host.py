"""The time that an engine takes besides its kernels' work: launches one by one, its host, what it does not fuse."""

from __future__ import annotations

import dataclasses

from ridgeline.estimator.clock import Cause, Timing
from ridgeline.estimator.kernels import Kernel
from ridgeline.estimator.messages import AllReduce, Message
from ridgeline.estimator.step import micro_batches, rows_per_chip
from ridgeline.numeric import Numeric, maximum
from ridgeline.specs.attention import (
    BlockSparseAttention,
    IndexedSparseAttention,
    LatentAttention,
    LinearAttention,
)
from ridgeline.specs.engine import Engine, Replay
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.kernels import Kernels
from ridgeline.specs.layout import Layout
from ridgeline.specs.model import Model
from ridgeline.specs.workload import Decode, Phase

__all__ = ["besides_s", "launched", "replayed", "sent"]


def sent(message: Message, engine: Engine) -> Message:
    """A message as the engine sends it."""
    if engine.has_own_sums or not isinstance(message, AllReduce):
        return message
    return dataclasses.replace(message, is_custom=False)


def launched(timing: Timing, kernel: Kernel | Message, engine: Engine, kernels: Kernels | None) -> Timing:
    """The time of a kernel or a message as the engine launches it; as measured where chips' launches are not known."""
    if engine.is_captured or kernels is None:
        return timing
    if isinstance(kernel, Message):
        longer_s = 0.0 if kernel.is_custom else kernels.links.eager_s
    else:
        longer_s = kernel.launches * kernels.products.eager_s
    causes = timing.causes | {Cause.LAUNCH: timing.causes.get(Cause.LAUNCH, 0.0) + longer_s}
    return dataclasses.replace(timing, time_s=timing.time_s + longer_s, causes=causes)


def replayed(timing: Timing, replay: Replay, phase: Phase) -> Timing:
    """The time of a kernel in a serving engine's step; prompts are launched as in a benchmark."""
    if not timing.kind or timing.message is not None:
        return timing
    launch_s = timing.causes.get(Cause.LAUNCH, 0.0)
    faster_s = (1 - replay.narrowing_fraction) * timing.quantise_s
    if isinstance(phase, Decode) and timing.kind in LAUNCHES:
        launched_s = launch_s - timing.quantise_s - timing.fixed_quantise_s
        faster_s = faster_s + (1 - getattr(replay, LAUNCHES[timing.kind])) * launched_s
    causes = timing.causes | {Cause.LAUNCH: launch_s - faster_s}
    time_s = timing.time_s - faster_s
    if timing.kind == "experts":
        busy_s = timing.time_s - launch_s
        # Of a decode step, what widening takes is the engine's (``widened_layer_s``).
        dequantise_s = timing.dequantise_s if isinstance(phase, Decode) else 0.0
        idle_s = dequantise_s + (1 - replay.experts_fraction) * (busy_s - timing.dequantise_s)
        causes = {cause: part_s * replay.experts_fraction for cause, part_s in timing.causes.items()} | {
            Cause.LAUNCH: launch_s - faster_s,
            Cause.DEQUANTISE: timing.dequantise_s - dequantise_s,
        }
        time_s = time_s - idle_s
    if not isinstance(phase, Decode):
        more_s = replay.prompt_more_fraction * timing.time_s
        causes = causes | {Cause.LAUNCH: causes.get(Cause.LAUNCH, 0.0) + more_s}
        time_s = time_s + more_s
    return Timing(
        time_s=time_s,
        causes=causes,
        work=timing.work,
        kind=timing.kind,
        quantise_s=timing.quantise_s,
        fixed_quantise_s=timing.fixed_quantise_s,
        dequantise_s=timing.dequantise_s,
    )


LAUNCHES = {
    "products": "launch_fraction",
    "streams": "launch_fraction",
    "decode": "core_launch_fraction",
    "latent": "core_launch_fraction",
    "experts": "experts_launch_fraction",
}
"""What says how long the launches of each kind take in a replayed step."""


OTHER_ATTENTION = LinearAttention | IndexedSparseAttention | BlockSparseAttention
"""Kinds that run many small kernels besides their core."""


def _replay_s(replay: Replay, engine: Engine, model: Model, layout: Layout, phase: Phase, *, widens: bool) -> Numeric:
    """What the layers of a pass take besides, all together."""
    with_experts = sum(one.layers for one in model.groups if isinstance(one.feed_forward, RoutedExperts))
    latent = sum(one.layers for one in model.groups if isinstance(one.attention, LatentAttention))
    other = sum(one.layers for one in model.groups if isinstance(one.attention, OTHER_ATTENTION))
    time_s: Numeric = latent * replay.latent_layer_s + other * replay.other_layer_s
    if not isinstance(phase, Decode):
        return time_s * phase.passes
    if widens:
        time_s = time_s + with_experts * engine.widened_layer_s
    if layout.dp > 1:
        sequences, _ = micro_batches(phase, layout)
        time_s = time_s + with_experts * (replay.dispatch_s + replay.dispatch_sequence_s * sequences)
    return time_s


def besides_s(
    engine: Engine, model: Model, layout: Layout, phase: Phase, *, layers_s: Numeric, widens: bool = False
) -> tuple[Numeric, Numeric]:
    """What a micro-batch takes besides, on its way through the layers of all stages, and at their ends.

    Args:
        engine: whose.
        model: that runs.
        layout: how a replica is cut.
        phase: decode or prefill.
        layers_s: time of the layers' kernels and messages, beside which the host launches them.
        widens: whether experts' weights are widened before they are multiplied.
    """
    layers = model.layers
    passes = 1 if isinstance(phase, Decode) else phase.passes
    sequences, _ = micro_batches(phase, layout)
    unfused_s = engine.layer_s + engine.token_s * rows_per_chip(phase, layout)
    through_s = passes * layers * unfused_s
    if engine.replay is not None:
        through_s = through_s + _replay_s(engine.replay, engine, model, layout, phase, widens=widens)
    waited_s = maximum(passes * layers * engine.launch_layer_s - layers_s - through_s, 0.0)
    pass_s = engine.step_s + engine.sequence_s * sequences
    request_s = 0.0 if isinstance(phase, Decode) else engine.request_s
    return through_s + waited_s, passes * pass_s + request_s
