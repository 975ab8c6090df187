"""One deployment serving a workload in one pool: what users see of it at every number of them that memory admits.

Both phases share the pool's chips. Users ask again as soon as they are answered, so that there are as many requests
under way as users; it is the closed loop that predictions are held against measurements with.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations.serving import prompts_together as together_on_the_mean
from ridgeline.estimator.clock import Cause
from ridgeline.estimator.timed import occupied_time
from ridgeline.serving.admission import admitted_sequences, sequence_limit
from ridgeline.serving.load import closed_loop, rules_of
from ridgeline.serving.passes import PoolPasses, times_with
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.workload import Workload

__all__ = ["PoolCurve", "causes_per_request", "most_sequences", "pool_curve", "room", "sequence_grid"]

Array = NDArray[np.float64]

DENSE_GRID = 256
"""Sequences per group up to which every whole number is looked at."""
GRID_RATIO = 1.015
"""Beyond, neighbours on the grid differ by 1.5 %; the limits are met exactly all the same."""


def room(deployment: Deployment, workload: Workload) -> float:
    """Sequences of a group that fit and that its engine lets in, with a fraction of the next; 0 where none fits."""
    return min(admitted_sequences(deployment, workload), float(sequence_limit(deployment)))


def most_sequences(deployment: Deployment, workload: Workload) -> int:
    """The same in whole sequences."""
    return int(room(deployment, workload))


def sequence_grid(most: int) -> Array:
    """Sequences per group to look at: all up to 256, then in steps of 1.5 %, and the most that fit."""
    dense = np.arange(1, min(most, DENSE_GRID) + 1)
    if most <= DENSE_GRID:
        return dense.astype(float)
    steps = int(np.ceil(np.log(most / DENSE_GRID) / np.log(GRID_RATIO)))
    sparse = np.round(np.geomspace(DENSE_GRID, most, steps + 1))[1:]
    return np.concatenate([dense, sparse])


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolCurve:
    """What users see of one replica, by how many there are; arrays of one length.

    Attributes:
        first_token_s: time to the first token of a lone request, s.
        batch: requests under way on the replica, those whose prompts are read or wait among them.
        in_flight: of them, those that have their first token and not their last.
        decode_step_s: time of a decode step, s.
        prompt_s: time of the replica for one prompt, read together with as many as come, s.
        tpot_s: time per output token, other requests' prompts included, s.
        requests_per_s: finished.
    """

    first_token_s: float
    batch: Array
    in_flight: Array
    decode_step_s: Array
    prompt_s: Array
    tpot_s: Array
    requests_per_s: Array


def pool_curve(passes: PoolPasses, sequences: Array) -> PoolCurve:
    """What users see of a pool with so many requests under way in each group."""
    deployment = passes.deployment
    times = times_with(passes, deployment.engine)
    users = sequences * float(deployment.layout.dp)
    # Requests of a real load differ in length, so that none stay together in waves.
    found = closed_loop(times, rules_of(deployment.engine, equal_lengths=False), users)
    correction, steps = deployment.correction, float(passes.workload.decode_steps)
    tpot_s = correction.tpot_factor * found.tpot_s
    ttft_s = correction.ttft_factor * found.ttft_s
    lone_s = float(times.lone_s[0]) + deployment.engine.scheduling.first_token_s
    return PoolCurve(
        first_token_s=correction.ttft_factor * lone_s,
        batch=users,
        in_flight=found.in_flight,
        decode_step_s=correction.tpot_factor * found.step_s,
        prompt_s=correction.tpot_factor * found.prompt_s,
        tpot_s=tpot_s,
        requests_per_s=users / (steps * tpot_s + ttft_s),
    )


def causes_per_request(
    passes: PoolPasses, curve: PoolCurve, index: int
) -> tuple[dict[Cause, float], dict[Cause, float]]:
    """Pool time of a request's decode steps and of its prompt, by what it goes to, at one point of a curve.

    Both together are what a request takes of the pool: of the time for which nobody's prompt or step runs, each has
    its part.
    """
    deployment, run = passes.run_by(passes.deployment.engine)
    groups, steps = float(deployment.layout.dp), float(passes.workload.decode_steps)
    batch = float(curve.in_flight[index])
    most = float(passes.prompts[-1] / groups)
    together = groups * float(together_on_the_mean(batch=batch, decode_steps=steps, groups=groups, most=most))
    places = ((passes.sequences * groups, batch), (passes.prompts, together))
    per_request = (steps / batch, 1.0 / together)
    found = []
    for (operations, pass_), (grid, at), share in zip(run, places, per_request, strict=True):
        _, _, causes = occupied_time(operations, deployment, pass_)
        found.append(
            {
                cause: share * float(np.interp(at, grid, np.broadcast_to(np.asarray(part_s, dtype=float), grid.shape)))
                for cause, part_s in causes.items()
            }
        )
    whole_s = 1.0 / float(curve.requests_per_s[index])
    scale = whole_s / (sum(found[0].values()) + sum(found[1].values()))
    decode, prompt = ({cause: scale * part_s for cause, part_s in causes.items()} for causes in found)
    return decode, prompt
