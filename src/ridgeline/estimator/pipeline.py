"""Pipeline timing: time of a step beyond that of one micro-batch through the stages.

A micro-batch passes all stages one after the other, which is the sum of a step's operations. The stages work on as many
micro-batches as there are stages, so that a step waits where one stage is slower than the others, and a prompt's last
micro-batch waits for those before it.
"""

from __future__ import annotations

from collections.abc import Iterable

from ridgeline.equations.pipelines import filled_time_s, loop_time_s, slowest_stage_time_s
from ridgeline.estimator.shares import Shares
from ridgeline.estimator.stage_cuts import Cut, layer_counts
from ridgeline.numeric import Numeric

__all__ = ["Parts", "occupied_time_s", "parts_of", "pass_time_s", "slowest_stage_s"]

Parts = tuple[Numeric, Numeric]
"""Time of one micro-batch in the layers of all stages, and at both ends, all of its passes together, s."""


def slowest_stage_s(parts: Parts, cut: Cut) -> Numeric:
    """Time of the slowest stage, s: layers are assumed equal, and both ends of the model on the last stage."""
    layers_s, ends_s = parts
    *others, last = layer_counts(cut)
    return slowest_stage_time_s(
        layer_s=layers_s / cut[-1], ends_s=ends_s, most_layers=max(others, default=0), last_layers=last
    )


def pass_time_s(parts: Parts, shares: Shares, cut: Cut) -> Numeric:
    """Time of a pass of all micro-batches: of a step, until all have come round; of prompts, until the last is read."""
    path_s = parts[0] + parts[1]
    slowest_s = slowest_stage_s(parts, cut)
    if not shares.has_prompts:
        return loop_time_s(path_s=path_s, slowest_s=slowest_s, micro_batches=shares.micro_batches)
    chunks = shares.chunks  # each follows the one before as a micro-batch of its own
    return filled_time_s(
        path_s=path_s / chunks, slowest_s=slowest_s / chunks, micro_batches=shares.micro_batches * chunks
    )


def occupied_time_s(parts: Parts, shares: Shares, cut: Cut) -> Numeric:
    """Occupancy of the slowest stage by prompts, where others fill the gaps, s."""
    return shares.micro_batches * slowest_stage_s(parts, cut)


def parts_of(times: Iterable[tuple[Numeric, bool]]) -> Parts:
    """Sums of operation times, in layers and at both ends."""
    layers_s: Numeric = 0.0
    ends_s: Numeric = 0.0
    for time_s, is_layer in times:
        if is_layer:
            layers_s = layers_s + time_s
        else:
            ends_s = ends_s + time_s
    return layers_s, ends_s
