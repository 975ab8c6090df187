"""The time that an engine takes besides its kernels' work: launches one by one, its host, what it does not fuse."""

from __future__ import annotations

import dataclasses

from ridgeline.estimator.clock import Cause, Timing
from ridgeline.estimator.kernels import AllReduce, Kernel, Message
from ridgeline.estimator.step import micro_batches, rows_per_chip
from ridgeline.numeric import Numeric, maximum
from ridgeline.specs.engine import Engine
from ridgeline.specs.kernels import Kernels
from ridgeline.specs.layout import Layout
from ridgeline.specs.workload import Decode, Phase

__all__ = ["besides_s", "launched", "sent"]


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


def besides_s(
    engine: Engine, phase: Phase, layout: Layout, *, layers: int, layers_s: Numeric
) -> tuple[Numeric, Numeric]:
    """What a micro-batch takes besides, on its way through the layers of all stages, and at their ends.

    Args:
        engine: whose.
        phase: decode or prefill.
        layout: how a replica is cut.
        layers: of all stages.
        layers_s: time of their kernels and messages, beside which the host launches them.
    """
    passes = 1 if isinstance(phase, Decode) else phase.passes
    sequences, _ = micro_batches(phase, layout)
    unfused_s = engine.layer_s + engine.token_s * rows_per_chip(phase, layout)
    through_s = passes * layers * unfused_s
    waited_s = maximum(passes * layers * engine.launch_layer_s - layers_s - through_s, 0.0)
    pass_s = engine.step_s + engine.sequence_s * sequences
    request_s = 0.0 if isinstance(phase, Decode) else engine.request_s
    return through_s + waited_s, passes * pass_s + request_s
