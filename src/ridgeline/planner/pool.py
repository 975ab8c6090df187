"""One layout serving a workload in one pool: its speed at every batch that fits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations.serving import pooled_time_per_token_s
from ridgeline.estimator.clock import Cause
from ridgeline.estimator.estimate import Fidelity, TimedOperation, time_step
from ridgeline.estimator.memory import Memory, memory_per_chip
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.precision import Precision
from ridgeline.specs.workload import Decode, Phase, Prefill, Workload

__all__ = ["Pool", "PoolCurve", "sequence_grid"]

DENSE_GRID = 512
"""Sequences per group up to which every whole number is looked at."""
GRID_RATIO = 1.015
"""Beyond, neighbours on the grid differ by 1.5 %; the limits are met exactly all the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolCurve:
    """What a pool does at each batch of a grid; arrays of one length.

    Attributes:
        batch: sequences of the replica.
        decode_step_s: time of a decode step.
        tpot_s: time per output token, other requests' prompts included.
        decode_causes: the step's time by what it goes to.
    """

    batch: NDArray[np.float64]
    decode_step_s: NDArray[np.float64]
    tpot_s: NDArray[np.float64]
    decode_causes: dict[Cause, NDArray[np.float64]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """A layout of one replica that serves a workload; both phases share its chips.

    Attributes:
        model: what is served.
        machine: where.
        layout: how one replica is cut; divides both.
        workload: what is asked.
        precision: number formats.
        fidelity: resolution of the model of time.
    """

    model: Model
    machine: Machine
    layout: Layout
    workload: Workload
    precision: Precision
    fidelity: Fidelity

    @property
    def mean_context_tokens(self) -> float:
        """Tokens that a new token attends to, averaged over a request's output."""
        return self.workload.prompt_tokens + self.workload.output_tokens / 2

    @property
    def held_tokens(self) -> int:
        """Tokens whose keys and values a request keeps at its end; room is kept for all of them."""
        return self.workload.prompt_tokens + self.workload.output_tokens

    @property
    def prompts_per_pass(self) -> int:
        """Prompts that a group of ``tp`` chips reads in one pass."""
        return max(1, self.workload.prefill_tokens_per_pass // self.workload.prompt_tokens)

    def memory(self, sequences: int) -> Memory:
        """The memory of a chip when each group holds ``sequences``."""
        prefill_rows = min(self.workload.prompt_tokens, self.workload.prefill_tokens_per_pass) * self.prompts_per_pass
        return memory_per_chip(
            self.model,
            self.machine,
            self.layout,
            precision=self.precision,
            usable_hbm_fraction=self.fidelity.efficiency(self.machine).usable_hbm_fraction,
            rows=max(sequences, prefill_rows),
            sampled=max(sequences, self.prompts_per_pass),
            cached_tokens=sequences * self.held_tokens,
        )

    def most_sequences(self) -> int:
        """Sequences that fit a group; 0 where not even one does. Memory falls steadily, so bisection finds it."""
        fits, too_many = 0, 1
        while self.memory(too_many).free_bytes >= 0:
            fits, too_many = too_many, 2 * too_many
        while too_many - fits > 1:
            middle = (fits + too_many) // 2
            if self.memory(middle).free_bytes >= 0:
                fits = middle
            else:
                too_many = middle
        return fits

    def prefill(self, batch: int) -> tuple[float, dict[Cause, float]]:
        """Time to read ``batch`` prompts in one pass of the replica, and what it goes to."""
        phase = Prefill(batch=batch, prompt_tokens=self.workload.prompt_tokens)
        time_s, causes = time_step(self._timed(phase))
        return float(time_s), {cause: float(part_s) for cause, part_s in causes.items()}

    def prefill_per_prompt(self) -> tuple[float, dict[Cause, float]]:
        """Time of the replica for one prompt when all its groups read prompts together, and what it goes to."""
        prompts = self.prompts_per_pass * self.layout.dp
        time_s, causes = self.prefill(prompts)
        return time_s / prompts, {cause: part_s / prompts for cause, part_s in causes.items()}

    def curve(self, sequences: NDArray[np.float64], prefill_per_prompt_s: float) -> PoolCurve:
        """Speeds at ``sequences`` per group."""
        batch = sequences * self.layout.dp
        time_s, causes = time_step(self._timed(Decode(batch=batch, context_tokens=self.mean_context_tokens)))
        step_s = np.broadcast_to(np.asarray(time_s, dtype=float), batch.shape)
        tpot_s = pooled_time_per_token_s(
            decode_step_time_s=step_s,
            prefill_time_per_prompt_s=prefill_per_prompt_s,
            batch=batch,
            output_tokens=self.workload.output_tokens,
        )
        spread = {
            cause: np.broadcast_to(np.asarray(part_s, dtype=float), batch.shape) for cause, part_s in causes.items()
        }
        return PoolCurve(batch=batch, decode_step_s=step_s, tpot_s=np.asarray(tpot_s), decode_causes=spread)

    def _timed(self, phase: Phase) -> tuple[TimedOperation, ...]:
        efficiency = self.fidelity.efficiency(self.machine)
        return self.fidelity.timed(self.model, self.machine, self.layout, phase, self.precision, efficiency)


def sequence_grid(most: int) -> NDArray[np.float64]:
    """Sequences per group to look at: all up to 512, then in steps of 1.5 %, and the most that fit."""
    dense = np.arange(1, min(most, DENSE_GRID) + 1)
    if most <= DENSE_GRID:
        return dense.astype(float)
    steps = int(np.ceil(np.log(most / DENSE_GRID) / np.log(GRID_RATIO)))
    sparse = np.round(np.geomspace(DENSE_GRID, most, steps + 1))[1:]
    return np.concatenate([dense, sparse])
