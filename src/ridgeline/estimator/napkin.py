"""The lecture's estimate: two numbers of the machine, two of the model, everything overlaps.

``t = max(2 B N_a / F, (N_t b_w + B L beta) / W)`` over all chips of a replica, at the spec sheet's peaks. It leaves out
attention's own arithmetic, activations, messages and launches, and reads every expert at any batch. The input embedding
is looked up, not multiplied, and so is counted neither among the active parameters nor among the weights read.
"""

from __future__ import annotations

from ridgeline.equations import roofline
from ridgeline.estimator.clock import Cause, Timing
from ridgeline.estimator.kernels import Work
from ridgeline.estimator.parameters import (
    active_params,
    embedding_params,
    holdings,
    kv_bytes_held,
    kv_bytes_read,
    weight_bytes,
)
from ridgeline.estimator.step import micro_batches
from ridgeline.numeric import where
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Chip, Machine
from ridgeline.specs.model import Model
from ridgeline.specs.precision import Component, Precision
from ridgeline.specs.workload import Decode, Phase

__all__ = ["active_flop_per_s", "napkin_timing"]


def active_flop_per_s(model: Model, chip: Chip, precision: Precision) -> float:
    """Peak of a chip for a token of this model: the mean over the number formats of what the token multiplies.

    A checkpoint of one format has that format's peak; of several, each parameter takes its own time. The input
    embedding is looked up, so its format has no say.
    """
    active = [
        (holding.params * holding.active_fraction, precision.of(holding.component))
        for holding in holdings(model)
        if holding.component is not Component.EMBEDDING
    ]
    time_s = sum(params / chip.flop_per_s[formats.operand.arithmetic] for params, formats in active)
    return sum(params for params, _ in active) / time_s


def napkin_timing(model: Model, machine: Machine, layout: Layout, phase: Phase, *, precision: Precision) -> Timing:
    """The time of one pass by the lecture's formula; per-chip work is an equal share of all.

    A batch that does not fill the groups of ``dp`` takes as long as one that does: the others wait for the fullest. In
    a pipeline one stage works on a micro-batch at a time, so that a token sees a stage's chips at once, and every
    micro-batch reads all weights.
    """
    sequences, _ = micro_batches(phase, layout)
    batch = sequences * layout.dp
    tokens = batch * phase.tokens_per_sequence
    chips = layout.chips // layout.pp
    active = active_params(model) - embedding_params(model)
    if isinstance(phase, Decode):
        kv_per_sequence = kv_bytes_read(model, precision, phase)
    else:
        kv_per_sequence = kv_bytes_held(model, precision, phase.prompt_tokens)
    embedding_bytes = embedding_params(model) * precision.embedding.weight.bytes_per_value
    weights = weight_bytes(model, precision) - embedding_bytes
    flop_per_s = chips * active_flop_per_s(model, machine.chip, precision)
    hbm_bytes_per_s = chips * machine.chip.hbm_bytes_per_s
    compute_s = roofline.compute_time_s(tokens=tokens, active_params=active, flop_per_s=flop_per_s)
    memory_s = roofline.memory_time_s(
        batch=batch,
        weight_bytes=weights,
        kv_bytes_per_sequence=kv_per_sequence,
        hbm_bytes_per_s=hbm_bytes_per_s,
    )
    is_compute = compute_s > memory_s
    return Timing(
        time_s=where(is_compute, compute_s, memory_s),
        causes={
            Cause.COMPUTE: where(is_compute, compute_s, 0.0),
            Cause.WEIGHTS: where(is_compute, 0.0, weights / hbm_bytes_per_s),
            Cause.KV: where(is_compute, 0.0, batch * kv_per_sequence / hbm_bytes_per_s),
        },
        work=Work(
            flop=roofline.FLOP_PER_PARAM * active * tokens / chips,
            weight_bytes=weights / chips,
            kv_bytes=batch * kv_per_sequence / chips,
        ),
    )
