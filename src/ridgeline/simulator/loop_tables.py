"""Step times and limits of a deployment, in the form that the event loop takes."""

from __future__ import annotations

import numpy as np

from ridgeline.serving.surface import StepSurface, octaves
from ridgeline.simulator.limits import Limits
from ridgeline.simulator.state import Bounds, StepTables

__all__ = ["bounds_of", "tables_of"]


def tables_of(surface: StepSurface, limits: Limits) -> StepTables:
    """Times of steps, in the form that ``play`` takes."""
    takes, last = np.arange(limits.pass_tokens + 1), len(surface.prompt_nodes) - 1
    nodes = np.minimum(np.searchsorted(surface.prompt_nodes, takes, side="right"), last)
    return StepTables(
        decode_s=surface.decode_s,
        rows_s=surface.rows_s,
        beside_s=surface.beside_s,
        prompt_s=surface.prompt_s,
        alone_s=surface.alone_s,
        experts_s=surface.experts_s,
        alone_experts_s=surface.alone_experts_s,
        least_s=surface.least_s,
        cores_s=surface.cores_s,
        mixed_cores_s=surface.mixed_cores_s,
        octaves=octaves().tolist(),
        prompt_nodes=surface.prompt_nodes,
        node_of=nodes.tolist(),
        prompt_cores_s=surface.prompt_cores_s,
        launch_s=surface.prompt_cores_s[0][0][0],
    )


def bounds_of(limits: Limits) -> Bounds:
    """Limits on steps, in the form that ``play`` takes."""
    policy = limits.policy
    return Bounds(
        groups=limits.groups,
        pass_tokens=limits.pass_tokens,
        sequences=limits.sequences,
        block_tokens=limits.block_tokens,
        is_reserved=limits.is_reserved,
        reads_alone=policy.reads_alone,
        is_joined=policy.is_joined,
        period_s=policy.period_s,
        gap_steps=limits.gap_steps,
        longest_run=limits.longest_run,
        swap_token_s=limits.swap_token_s,
        is_ranked=policy.is_ranked,
    )
