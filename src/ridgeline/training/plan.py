"""One way to run a training step: its layout, its time, and its memory."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from ridgeline.catalog.trainers import trainer_bands
from ridgeline.estimator.placement import UnevenError
from ridgeline.specs.trainer import IDEAL_TRAINER
from ridgeline.training.flop import hfu_fraction, mfu_fraction
from ridgeline.training.job import TrainingJob
from ridgeline.training.memory import TrainingMemory, training_memory
from ridgeline.training.pipeline import chunk_times
from ridgeline.training.schedules import ScheduleError, Timeline, play
from ridgeline.training.step_time import StepTime, step_time
from ridgeline.training.step_work import LayerTable, StepWork, step_work

__all__ = ["MEMORY_FRACTION", "TIGHT_FRACTION", "TrainingPlan", "is_unmeasured"]

MEMORY_FRACTION = 0.94
"""Part of a chip's memory that a framework can use, assumed: CUDA, NCCL's buffers and fragmentation take the rest."""

TIGHT_FRACTION = 0.95
"""Part of the usable memory above which a plan may not fit: predictions of memory are off by 2 to 3 % at the median and
by more than 5 % seldom (docs/accuracy.md, training)."""


@dataclass(frozen=True, kw_only=True)
class TrainingPlan:
    """A job with its results; each is computed when it is first accessed.

    Attributes:
        job: training job that is planned.
        memory_fraction: part of a chip's memory that may be used.
        table: layers computed for other jobs of the same search.
    """

    job: TrainingJob
    memory_fraction: float = MEMORY_FRACTION
    table: LayerTable | None = None

    @cached_property
    def _laid(self) -> StepWork | UnevenError:
        """Work of a step, or why there is none: which groups there are is known by its messages alone."""
        try:
            return step_work(self.job, self.table)
        except UnevenError as error:
            return error

    @property
    def work(self) -> StepWork:
        """Work of a step, independent of the framework.

        Raises:
            UnevenError: it has no place; ``placement_fault`` says so beforehand.
        """
        if isinstance(self._laid, UnevenError):
            raise self._laid
        return self._laid

    @cached_property
    def time(self) -> StepTime:
        """Time of a step."""
        return step_time(self.job, self.work)

    @cached_property
    def memory(self) -> TrainingMemory:
        """Memory use of the fullest chip."""
        return training_memory(self.job)

    @property
    def room_bytes(self) -> float:
        """Usable memory of a chip, bytes."""
        return self.memory_fraction * self.job.machine.chip.hbm_bytes

    @property
    def fits(self) -> bool:
        """Whether its memory suffices."""
        return self.memory.total_bytes <= self.room_bytes

    @property
    def is_tight(self) -> bool:
        """Whether it fits with less room than predictions of memory are off by."""
        return self.fits and self.memory.total_bytes > TIGHT_FRACTION * self.room_bytes

    @property
    def placement_fault(self) -> str:
        """Reason why its groups do not lie evenly over the machine's domains; empty where they do."""
        return str(self._laid) if isinstance(self._laid, UnevenError) else ""

    @property
    def is_placed(self) -> bool:
        """Whether its groups lie evenly over the machine's domains."""
        return not self.placement_fault

    @property
    def tokens_per_s(self) -> float:
        """Tokens per second of all chips."""
        return self.job.batch * self.job.sequence_tokens / self.time.step_time_s

    @property
    def mfu_fraction(self) -> float:
        """Model FLOP utilisation: ``model_flop`` over peak FLOP in that time; attention counts unmasked."""
        return mfu_fraction(self.job, self.time.step_time_s)

    @property
    def hfu_fraction(self) -> float:
        """Hardware FLOP utilisation: ``mfu_fraction`` with what is computed again; attention counts unmasked, too."""
        return hfu_fraction(self.job, self.time.step_time_s)

    @property
    def exposed_s(self) -> float:
        """Exposed time of messages in a step, s."""
        return self.time.exposed_s

    def timeline(self) -> Timeline:
        """Timeline of its pipeline for a step, with each stage's own times.

        Raises:
            ScheduleError: the layout has no pipeline stages.
        """
        job = self.job
        if job.layout.layout.pp == 1:
            raise ScheduleError(f"layout {job.layout} has one stage and no pipeline; give one with pp2 or more")
        stages = [stage.times for stage in self.time.stages]
        shape = job.pipeline.shape(
            stages=len(stages), micro_batches=job.micro_batches, virtual_stages=job.layout.virtual_stages
        )
        return play(job.pipeline, chunk_times(job.pipeline, stages, shape), **shape._asdict())

    @property
    def interval_s(self) -> tuple[float, float] | None:
        """The 80 % interval of the step time, s; None for the ideal framework, which was not measured.

        On chips on which the framework was not measured, it is as wide as for routed models, whose errors are as large.
        """
        if self.job.trainer.name == IDEAL_TRAINER.name:
            return None
        bands = trainer_bands()
        is_new = self.job.model.is_routed or is_unmeasured(self.job)
        width = math.exp(bands.step_routed if is_new else bands.step_dense)
        return self.time.step_time_s / width, self.time.step_time_s * width


def is_unmeasured(job: TrainingJob) -> bool:
    """Whether no step of a job's framework was measured on chips of its family."""
    return job.machine.family not in job.trainer.attention_factor
