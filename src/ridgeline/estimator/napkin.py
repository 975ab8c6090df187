"""The lecture's estimate: two numbers of the machine, two of the model, everything overlaps.

``t = max(2 B N_a / F, (N_t b_w + B L beta) / W)`` over all chips of a replica, at the spec sheet's peaks. It leaves out
attention's own arithmetic, activations, messages and launches, and reads every expert at any batch.
"""

from __future__ import annotations

from ridgeline.equations import roofline
from ridgeline.estimator.kernels import Work
from ridgeline.estimator.parameters import kv_bytes_held, kv_bytes_read, multiplied_params
from ridgeline.estimator.shares import Shares
from ridgeline.estimator.terms import active_flop_per_s, read_weight_bytes
from ridgeline.estimator.timing import Cause, Timing
from ridgeline.numeric import Numeric, where
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.passes import Lane

__all__ = ["napkin_compute_s", "napkin_memory_s", "napkin_timing"]


def napkin_timing(deployment: Deployment, shares: Shares) -> Timing:
    """Time of one pass by the lecture's formula; per-chip work is an equal share of all.

    A batch that does not fill the groups of ``dp`` takes as long as one that does: the others wait for the fullest. In
    a pipeline, one stage works on a micro-batch at a time, so that a token has one stage's chips at once, and every
    micro-batch reads all weights.
    """
    layout = deployment.layout
    chips = layout.chips // layout.pp
    weights = read_weight_bytes(deployment.model, deployment.precision)
    tokens: Numeric = 0.0
    kv_bytes: Numeric = 0.0
    for one in shares.lanes:
        batch = one.whole(one.sequences, 1) * layout.dp
        tokens, kv_bytes = tokens + batch * one.lane.new_tokens, kv_bytes + batch * _kv_bytes(deployment, one.lane)
    hbm_bytes_per_s = chips * deployment.machine.chip.hbm_bytes_per_s
    compute_s, memory_s = napkin_compute_s(deployment, tokens), napkin_memory_s(deployment, kv_bytes)
    is_compute = compute_s > memory_s
    return Timing(
        time_s=where(is_compute, compute_s, memory_s),
        time_by_cause_s=(
            (Cause.COMPUTE, where(is_compute, compute_s, 0.0)),
            (Cause.WEIGHTS, where(is_compute, 0.0, weights / hbm_bytes_per_s)),
            (Cause.KV, where(is_compute, 0.0, kv_bytes / hbm_bytes_per_s)),
        ),
        work=Work(
            flop=roofline.FLOP_PER_PARAM * _active(deployment) * tokens / chips,
            weight_bytes=weights / chips,
            kv_bytes=kv_bytes / chips,
        ),
    )


def napkin_compute_s(deployment: Deployment, tokens: Numeric) -> Numeric:
    """Compute time of a stage's chips for ``tokens`` of all groups, s."""
    model, layout = deployment.model, deployment.layout
    flop_per_s = active_flop_per_s(model, deployment.machine.chip, deployment.precision)
    return roofline.compute_time_s(
        tokens=tokens, active_params=_active(deployment), flop_per_s=layout.chips // layout.pp * flop_per_s
    )


def napkin_memory_s(deployment: Deployment, kv_bytes: Numeric) -> Numeric:
    """Memory time of a stage's chips for all weights, and ``kv_bytes`` of all groups, s."""
    layout, weights = deployment.layout, read_weight_bytes(deployment.model, deployment.precision)
    return roofline.memory_time_s(
        batch=1,
        weight_bytes=weights,
        kv_bytes_per_sequence=kv_bytes,
        hbm_bytes_per_s=layout.chips // layout.pp * deployment.machine.chip.hbm_bytes_per_s,
    )


def _active(deployment: Deployment) -> Numeric:
    return multiplied_params(deployment.model)


def _kv_bytes(deployment: Deployment, lane: Lane) -> Numeric:
    """Bytes of one sequence's KV cache that a step reads, or that a prompt leaves."""
    if lane.is_prompt:
        return kv_bytes_held(deployment.model, deployment.precision, lane.context_tokens)
    return kv_bytes_read(deployment.model, deployment.precision, lane)
