"""Latency of a prompt through the stages of a pipeline, beyond the time that it occupies one."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.timed import occupied_causes, time_step, timed_operations
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.passes import Pass, chunk

__all__ = ["StageWay", "occupied_s", "stage_way"]

Array = NDArray[np.float64]


def occupied_s(
    deployment: Deployment, pass_: Pass, shape: tuple[int, ...], *, without: AbstractSet[str] = frozenset()
) -> Array:
    """Occupancy of the slowest stage by passes that follow each other without end, s, as a grid of a shape.

    Args:
        deployment: deployment that runs the passes.
        pass_: passes, as a grid.
        shape: shape of the grid.
        without: kinds of kernels that are left out.
    """
    operations = tuple(one for one in timed_operations(deployment, pass_) if one.timing.kind not in without)
    causes = occupied_causes(operations, deployment, shares_of(pass_, deployment.layout))
    return np.broadcast_to(np.asarray(sum(causes.values()), dtype=float), shape)


@dataclass(frozen=True, slots=True)
class StageWay:
    """Time of a prompt's last chunk through the other stages.

    Attributes:
        tokens: tokens of a chunk, ascending.
        time_s: time through the other stages for each of them, s.
    """

    tokens: Array
    time_s: Array

    def of(self, prompt_tokens: NDArray[np.int64]) -> Array:
        """Time of prompts through the other stages, s; the last chunk is assumed to fill a step."""
        return np.interp(prompt_tokens, self.tokens, self.time_s)


def stage_way(deployment: Deployment, most_tokens: float) -> StageWay | None:
    """Table of that time for chunks of up to ``most_tokens``; None where there is one stage."""
    if deployment.layout.pp == 1:
        return None
    tokens = np.geomspace(1.0, max(most_tokens, 2.0), NODES).round()
    pass_ = chunk(batch=deployment.layout.dp, new_tokens=tokens, past_tokens=0.0)
    path_s = np.broadcast_to(np.asarray(time_step(timed_operations(deployment, pass_))[0], dtype=float), tokens.shape)
    return StageWay(tokens, np.maximum(path_s - occupied_s(deployment, pass_, tokens.shape), 0.0))


NODES = 33
"""Chunk lengths at which it is timed, each a third longer than the last; linear in between."""
