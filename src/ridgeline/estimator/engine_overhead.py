"""Engine overhead: kernel time in CUDA graphs or eager, host time of a pass, and unfused kernels."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from ridgeline.estimator.attention import small_kernels_s
from ridgeline.estimator.drafting import draft_passes, drafter
from ridgeline.estimator.kernels.matmul import is_dequantised
from ridgeline.estimator.messages import AllReduce, Message
from ridgeline.estimator.shares import Shares, shares_of
from ridgeline.numeric import Numeric, maximum, where
from ridgeline.specs.as_run import AS_BENCHMARKED, AsRun
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import Engine, Replay
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.kernels import Kernels

__all__ = ["as_run", "overhead_s", "sent", "unreplayed"]


def sent(message: Message, engine: Engine) -> Message:
    """A message as the engine sends it."""
    if engine.has_custom_all_reduce or not isinstance(message, AllReduce):
        return message
    return dataclasses.replace(message, is_custom=False)


def unreplayed(engine: Engine, kernels: Kernels | None) -> AsRun:
    """Launch times of an engine's kernels outside a pass: from a CUDA graph, or eager where that was measured."""
    if engine.replays_graphs or kernels is None:
        return AS_BENCHMARKED
    return AsRun(eager_launch_s=kernels.gemm.eager_launch_s, eager_message_s=kernels.collectives.eager_launch_s)


def as_run(deployment: Deployment, *, has_prompts: bool) -> AsRun:
    """Kernel time as the engine runs a pass, over the benchmark's; a pass that reads prompts runs as in a benchmark."""
    launched = unreplayed(deployment.engine, deployment.machine.efficiency.kernels)
    replay, fraction = deployment.engine.replay, deployment.engine.overhead_fraction
    if replay is None:
        return launched
    if has_prompts:
        return dataclasses.replace(
            launched,
            quantise_fraction=fraction * replay.quantise_fraction,
            experts_busy_fraction=replay.experts_busy_fraction,
            gap_fraction=replay.prefill_gap_fraction,
        )
    return dataclasses.replace(
        launched,
        launch_fraction=fraction * replay.launch_fraction,
        attention_launch_fraction=fraction * replay.attention_launch_fraction,
        experts_launch_fraction=fraction * replay.experts_launch_fraction,
        experts_busy_fraction=replay.experts_busy_fraction,
        quantise_fraction=fraction * replay.quantise_fraction,
        # In a step, this is a number of the engine (``dequantise_layer_s``).
        dequantises_experts=False,
    )


def _replay_s(deployment: Deployment, shares: Shares, replay: Replay) -> Numeric:
    """Time of the small kernels of all layers that the engine's graphs add, s."""
    model, layout, engine = deployment.model, deployment.layout, deployment.engine
    with_experts = sum(one.layers for one in model.groups if isinstance(one.feed_forward, RoutedExperts))
    time_s: Numeric = sum(one.layers * small_kernels_s(one.attention, replay) for one in model.groups)
    if shares.has_prompts:
        return time_s * shares.chunks
    if is_dequantised(deployment.precision.experts, deployment.machine.chip):
        time_s = time_s + with_experts * engine.dequantise_layer_s
    if layout.dp > 1:
        time_s = time_s + with_experts * (replay.dispatch_s + replay.dispatch_sequence_s * shares.sequences)
    return time_s


def _launch_layer_s(engine: Engine, shares: Shares) -> Numeric:
    """Host time to launch a layer's kernels one by one, s; 0 where a graph is replayed."""
    captured = engine.options.captured_sequences
    if not engine.replays_graphs:
        return engine.launch_layer_s or engine.host.eager_layer_s
    if captured is None or shares.has_prompts:
        return engine.launch_layer_s
    return where(shares.sequences > captured, engine.host.eager_layer_s, engine.launch_layer_s)


def _drafting(deployment: Deployment, shares: Shares) -> Iterator[tuple[Deployment, Shares, int]]:
    """Passes of a draft beside a pass, with how often each runs; the host schedules and samples once for all."""
    drafting = drafter(deployment)
    if drafting is not None:
        for pass_, times in draft_passes(deployment.speculation, shares):
            yield drafting, shares_of(pass_, drafting.layout), times


def _through_s(deployment: Deployment, shares: Shares) -> Numeric:
    """Overhead in the layers of a pass, without waits for launches, s."""
    engine = deployment.engine
    unfused_s = engine.layer_s + engine.layer_token_s * shares.rows
    time_s = shares.chunks * deployment.model.layers * unfused_s
    if engine.replay is None:
        return time_s
    return engine.overhead_fraction * (time_s + _replay_s(deployment, shares, engine.replay))


def overhead_s(deployment: Deployment, shares: Shares, *, layers_s: Numeric) -> tuple[Numeric, Numeric]:
    """Overhead of a micro-batch, s: in the layers of all stages, and at both ends.

    Args:
        deployment: deployment with the engine.
        shares: a chip's share of the pass.
        layers_s: time of the layers' kernels and messages, with which host launches overlap, s.
    """
    engine, chunks = deployment.engine, shares.chunks
    through_s, layers = _through_s(deployment, shares), chunks * deployment.model.layers
    for drafting, mine, times in _drafting(deployment, shares):
        through_s = through_s + times * _through_s(drafting, mine)
        layers += times * mine.chunks * drafting.model.layers
    waited_s = maximum(layers * _launch_layer_s(engine, shares) - layers_s - through_s, 0.0)
    pass_s = engine.step_s + engine.sequence_s * shares.sequences
    if engine.options.overlaps_host is False:
        pass_s = pass_s + engine.host.step_s
    prefill_s = engine.prefill_pass_s if shares.has_prompts else 0.0
    return through_s + waited_s, chunks * pass_s + prefill_s
