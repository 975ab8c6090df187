"""The time that an engine takes besides its kernels' work: launches one by one, its host, what it does not fuse."""

from __future__ import annotations

import dataclasses

from ridgeline.estimator.attention import small_kernels_s
from ridgeline.estimator.clock import Cause, Timing
from ridgeline.estimator.kernels import Kernel
from ridgeline.estimator.messages import AllReduce, Message
from ridgeline.estimator.shares import Shares
from ridgeline.numeric import Numeric, maximum
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import Engine, Replay
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.kernels import Kernels

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


def replayed(timing: Timing, replay: Replay, shares: Shares) -> Timing:
    """The time of a kernel in a serving engine's step; prompts are launched as in a benchmark."""
    if not timing.kind or timing.message is not None:
        return timing
    is_decode = not shares.has_prompts
    launch_s = timing.causes.get(Cause.LAUNCH, 0.0)
    faster_s = (1 - replay.narrowing_fraction) * timing.quantise_s
    if is_decode and timing.kind in LAUNCHES:
        launched_s = launch_s - timing.quantise_s - timing.fixed_quantise_s
        faster_s = faster_s + (1 - getattr(replay, LAUNCHES[timing.kind])) * launched_s
    causes = timing.causes | {Cause.LAUNCH: launch_s - faster_s}
    time_s = timing.time_s - faster_s
    if timing.kind == "experts":
        busy_s = timing.time_s - launch_s
        # Of a decode step, what widening takes is the engine's (``widened_layer_s``).
        dequantise_s = timing.dequantise_s if is_decode else 0.0
        idle_s = dequantise_s + (1 - replay.experts_fraction) * (busy_s - timing.dequantise_s)
        causes = {cause: part_s * replay.experts_fraction for cause, part_s in timing.causes.items()} | {
            Cause.LAUNCH: launch_s - faster_s,
            Cause.DEQUANTISE: timing.dequantise_s - dequantise_s,
        }
        time_s = time_s - idle_s
    if not is_decode:
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


def _replay_s(deployment: Deployment, shares: Shares, replay: Replay, *, widens: bool) -> Numeric:
    """What the layers of a pass take besides, all together."""
    model, layout, engine = deployment.model, deployment.layout, deployment.engine
    with_experts = sum(one.layers for one in model.groups if isinstance(one.feed_forward, RoutedExperts))
    time_s: Numeric = sum(one.layers * small_kernels_s(one.attention, replay) for one in model.groups)
    if shares.has_prompts:
        return time_s * shares.chunks
    if widens:
        time_s = time_s + with_experts * engine.widened_layer_s
    if layout.dp > 1:
        time_s = time_s + with_experts * (replay.dispatch_s + replay.dispatch_sequence_s * shares.sequences)
    return time_s


def besides_s(
    deployment: Deployment, shares: Shares, *, layers_s: Numeric, widens: bool = False
) -> tuple[Numeric, Numeric]:
    """What a micro-batch takes besides, on its way through the layers of all stages, and at their ends.

    Args:
        deployment: whose engine.
        shares: what a chip has of the pass.
        layers_s: time of the layers' kernels and messages, beside which the host launches them.
        widens: whether experts' weights are widened before they are multiplied.
    """
    engine, layers, chunks = deployment.engine, deployment.model.layers, shares.chunks
    unfused_s = engine.layer_s + engine.token_s * shares.rows
    through_s = chunks * layers * unfused_s
    if engine.replay is not None:
        through_s = through_s + _replay_s(deployment, shares, engine.replay, widens=widens)
    waited_s = maximum(chunks * layers * engine.launch_layer_s - layers_s - through_s, 0.0)
    pass_s = engine.step_s + engine.sequence_s * shares.sequences
    request_s = engine.request_s if shares.has_prompts else 0.0
    return through_s + waited_s, chunks * pass_s + request_s
