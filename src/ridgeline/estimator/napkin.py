"""The lecture's estimate: two numbers of the machine, two of the model, everything overlaps.

``t = max(2 B N_a / F, (N_t b_w + B L beta) / W)`` over all chips of a replica, at the spec sheet's peaks. It leaves out
attention's own arithmetic, activations, messages and launches, and reads every expert at any batch.
"""

from __future__ import annotations

from ridgeline.equations import roofline
from ridgeline.estimator.clock import Cause, Timing
from ridgeline.estimator.kernels import Work
from ridgeline.estimator.parameters import active_params, embedding_params, kv_bytes_held, kv_bytes_read
from ridgeline.estimator.shares import LaneShare, Shares
from ridgeline.estimator.terms import active_flop_per_s, read_weight_bytes
from ridgeline.numeric import Numeric, where
from ridgeline.specs.deployment import Deployment

__all__ = ["napkin_timing"]


def napkin_timing(deployment: Deployment, shares: Shares) -> Timing:
    """The time of one pass by the lecture's formula; per-chip work is an equal share of all.

    A batch that does not fill the groups of ``dp`` takes as long as one that does: the others wait for the fullest. In
    a pipeline one stage works on a micro-batch at a time, so that a token sees a stage's chips at once, and every
    micro-batch reads all weights.
    """
    model, layout, chip = deployment.model, deployment.layout, deployment.machine.chip
    chips = layout.chips // layout.pp
    active = active_params(model) - embedding_params(model)
    weights = read_weight_bytes(model, deployment.precision)
    first, *others = shares.lanes
    tokens, kv_bytes = _of_lane(deployment, first)
    for one in others:
        more = _of_lane(deployment, one)
        tokens, kv_bytes = tokens + more[0], kv_bytes + more[1]
    flop_per_s = chips * active_flop_per_s(model, chip, deployment.precision)
    hbm_bytes_per_s = chips * chip.hbm_bytes_per_s
    compute_s = roofline.compute_time_s(tokens=tokens, active_params=active, flop_per_s=flop_per_s)
    memory_s = roofline.memory_time_s(
        batch=1, weight_bytes=weights, kv_bytes_per_sequence=kv_bytes, hbm_bytes_per_s=hbm_bytes_per_s
    )
    is_compute = compute_s > memory_s
    return Timing(
        time_s=where(is_compute, compute_s, memory_s),
        causes={
            Cause.COMPUTE: where(is_compute, compute_s, 0.0),
            Cause.WEIGHTS: where(is_compute, 0.0, weights / hbm_bytes_per_s),
            Cause.KV: where(is_compute, 0.0, kv_bytes / hbm_bytes_per_s),
        },
        work=Work(
            flop=roofline.FLOP_PER_PARAM * active * tokens / chips,
            weight_bytes=weights / chips,
            kv_bytes=kv_bytes / chips,
        ),
    )


def _of_lane(deployment: Deployment, share: LaneShare) -> tuple[Numeric, Numeric]:
    """Tokens of a lane's fullest micro-batch on all groups, and bytes of keys and values that they read."""
    model, lane, batch = deployment.model, share.lane, share.sequences * deployment.layout.dp
    if lane.is_prompt:
        kv_per_sequence = kv_bytes_held(model, deployment.precision, lane.context_tokens)
    else:
        kv_per_sequence = kv_bytes_read(model, deployment.precision, lane)
    return batch * lane.new_tokens, batch * kv_per_sequence
