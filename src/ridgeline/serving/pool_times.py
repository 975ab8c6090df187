"""Times of the passes of a pool's deployments, as closed forms of a load take them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ridgeline.numeric import NEXT_TO_NOTHING, Numeric

__all__ = ["CASES", "PoolTimes", "PromptTimes"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptTimes:
    """Times of lone prompts of equally likely lengths; a row for each pool, a column for each length.

    Attributes:
        latency_s: time until the first token, s.
        occupied_s: time for which the pool is occupied, s.
    """

    latency_s: Array
    occupied_s: Array


@dataclass(frozen=True, kw_only=True)  # without slots: loops ask for what follows from the times in each round
class PoolTimes:
    """Times of pools' passes, with a number for each case: a pool, or a number of users of one.

    Attributes:
        sequences: batch sizes of a ``dp`` group at which decode steps are timed.
        step_s: time of a decode step at each of ``sequences``, s; a row for each pool.
        pool: row of ``step_s`` for each case.
        lone_s: latency of a prefill of a single prompt, s.
        latency_s: latency of a prefill of one prompt in every ``dp`` group, s.
        alone_s: occupancy of the pool by that prefill, s: the time until the next pass may start.
        full_s: occupancy of the pool by a prefill of ``most_together`` prompts in every group, s.
        most_together: maximum prompts of a group in one pass.
        chunks: passes that a prompt fills; below 1 where several share one.
        decodes: 1 where passes that read prompts decode, too; 0 where they read alone.
        groups: number of ``dp`` groups.
        stages: number of pipeline stages, each of which runs another pass.
        waits_for_groups: 1 where a group's pass keeps the others waiting, because experts are spread over all of them;
            else 0.
        admitted: sequences of all groups that memory and the engine admit at once, as a mean.
        decode_steps: decode steps of a request.
        prompts: times of lone prompts where their lengths differ; rows as in ``step_s``.
    """

    sequences: Array
    step_s: Array
    pool: NDArray[np.intp]
    lone_s: Array
    latency_s: Array
    alone_s: Array
    full_s: Array
    most_together: Array
    chunks: Array
    decodes: Array
    groups: Array
    stages: Array
    waits_for_groups: Array
    admitted: Array
    decode_steps: Array
    prompts: PromptTimes | None = None

    def cases(self, pool: NDArray[np.intp]) -> PoolTimes:
        """The times with several cases for each pool, by the pools' indices."""
        picked = {name: getattr(self, name)[pool] for name in CASES}
        return PoolTimes(
            sequences=self.sequences, step_s=self.step_s, pool=self.pool[pool], prompts=self.prompts, **picked
        )

    @cached_property
    def prompt_variation(self) -> Numeric:
        """Variance of a prompt's occupancy of the pool over the square of its mean."""
        if self.prompts is None:
            return 0.0
        taken_s = self.prompts.occupied_s
        return np.asarray((taken_s.std(axis=1) / taken_s.mean(axis=1))[self.pool] ** 2)

    @cached_property
    def more_s(self) -> Array:
        """Additional time of a pass for each further prompt of every group, s."""
        further = self.most_together - 1
        return np.where(further > 0, (self.full_s - self.alone_s) / np.maximum(further, 1.0), self.alone_s)

    @cached_property
    def shared_s(self) -> Array:
        """Part of ``more_s`` that all groups' prompts cause together, and not each group separately, s.

        Experts are spread over all groups: a prompt of one group alone gives them a part of the work that one in each
        makes.
        """
        others = np.maximum(self.groups - 1, 1.0) / self.groups
        # In a pipeline a lone prompt's part of the stages' time is that of its latency.
        more = 1 - self.lone_s / np.maximum(self.latency_s, NEXT_TO_NOTHING)
        return np.clip(self.alone_s * more / others, 0.0, self.more_s) * (self.groups > 1)

    @cached_property
    def once_s(self) -> Array:
        """Fixed time of a prefill pass, s."""
        return np.maximum(self.alone_s - self.more_s, 0.0)


CASES = tuple(name for name in PoolTimes.__dataclass_fields__ if name not in {"sequences", "step_s", "pool", "prompts"})
"""Fields of ``PoolTimes`` with a number for each case."""
