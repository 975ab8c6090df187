"""How the stages of a pipeline keep each other busy: what a step takes besides the way of one micro-batch.

A micro-batch passes all stages one after the other, which is what the operations of a step add up to. The stages take
turns with as many micro-batches as there are stages, so that a step waits where one stage is slower than the others,
and a prompt's last micro-batch for those before it.
"""

from __future__ import annotations

from collections.abc import Iterable

from ridgeline.equations.pipelines import filled_time_s, loop_time_s, slowest_stage_time_s
from ridgeline.estimator.step import micro_batches
from ridgeline.numeric import Numeric, minimum
from ridgeline.specs.layout import Layout
from ridgeline.specs.workload import Decode, Phase

__all__ = ["Parts", "occupied_fraction", "parts_of", "slowest_stage_s", "wait_s"]

Parts = tuple[Numeric, Numeric]
"""Time of one micro-batch in the layers of all stages, and at both ends, all of its passes together."""


def slowest_stage_s(parts: Parts, *, layers: int, stages: int) -> Numeric:
    """Time of the slowest stage, with the best division of whole layers: the last has fewer, for the head's sake."""
    layers_s, ends_s = parts
    slowest: Numeric = layers_s + ends_s
    # From as many layers in each stage to none in the last.
    for others in range(-(-layers // stages), -(-layers // max(stages - 1, 1)) + 1):
        one = slowest_stage_time_s(
            layer_s=layers_s / layers, ends_s=ends_s, layers=layers, stages=stages, others=others
        )
        slowest = minimum(slowest, one)
    return slowest


def wait_s(parts: Parts, layout: Layout, phase: Phase, *, layers: int) -> Numeric:
    """What a step takes besides the way of one micro-batch through all stages."""
    path_s = parts[0] + parts[1]
    slowest_s = slowest_stage_s(parts, layers=layers, stages=layout.pp)
    _, in_flight = micro_batches(phase, layout)
    if isinstance(phase, Decode):
        return loop_time_s(path_s=path_s, slowest_s=slowest_s, micro_batches=in_flight) - path_s
    passes = phase.passes  # each follows the one before as a micro-batch of its own
    through_s = filled_time_s(path_s=path_s / passes, slowest_s=slowest_s / passes, micro_batches=in_flight * passes)
    return through_s - path_s


def occupied_fraction(parts: Parts, layout: Layout, phase: Phase, *, layers: int) -> Numeric:
    """Part of a pass's time for which a stage is taken up, where other work fills what it leaves."""
    slowest_s = slowest_stage_s(parts, layers=layers, stages=layout.pp)
    _, in_flight = micro_batches(phase, layout)
    return in_flight * slowest_s / (parts[0] + parts[1] + wait_s(parts, layout, phase, layers=layers))


def parts_of(times: Iterable[tuple[Numeric, bool]]) -> Parts:
    """Times of operations, and whether layers do them, as parts."""
    layers_s: Numeric = 0.0
    ends_s: Numeric = 0.0
    for time_s, is_layer in times:
        if is_layer:
            layers_s = layers_s + time_s
        else:
            ends_s = ends_s + time_s
    return layers_s, ends_s
