"""Interruptions of a run by failures and checkpoints, and the useful part of its time.

A run restarts from the newest checkpoint that survived a failure: in the memory of other chips where there is one, else
on storage. Intervals that are not given are optimal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ridgeline.equations.reliability import (
    best_interval_s,
    checkpoint_fraction,
    checkpoints_per_storage,
    job_mtbf_s,
    lost_work_fraction,
    period_s,
    restart_fraction,
    useful_fraction,
    young_interval_s,
)
from ridgeline.errors import RidgelineError
from ridgeline.numeric import ceil
from ridgeline.quantity_text import format_quantity
from ridgeline.specs.reliability import CheckpointTier, Reliability

__all__ = ["Interruptions", "Lost", "interruptions", "time_shares"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """Parts of a run's time that make no progress.

    Attributes:
        checkpoints_fraction: part in which chips wait for checkpoints.
        lost_work_fraction: part whose work a failure undoes.
        restarts_fraction: part from a failure until training resumes, reading the checkpoint included.
        stragglers_fraction: part in which steps wait for the slowest chip, of those whose wait a step's loss at scale
            does not hold.
    """

    checkpoints_fraction: float
    lost_work_fraction: float
    restarts_fraction: float
    stragglers_fraction: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointTime:
    """Times of a checkpoint to or from a tier.

    Attributes:
        write_s: time to write it, s.
        pause_s: part of ``write_s`` in which chips wait, s.
    """

    write_s: float = 0.0
    pause_s: float = 0.0

    @property
    def overlapped_s(self) -> float:
        """Part of the writing that overlaps with training, s."""
        return self.write_s - self.pause_s


@dataclass(frozen=True, slots=True, kw_only=True)
class Interruptions:
    """Failures and checkpoints of a run.

    Attributes:
        mtbf_s: mean time between failures of all chips together, s.
        restart_s: time from a failure until training resumes, reading the checkpoint included, s.
        unwritten_s: work whose checkpoint was still being written when a failure struck, s.
        memory: checkpoints in the memory of other chips; of zero time where there are none.
        storage: checkpoints on storage.
        storage_failure_fraction: part of failures after which only storage has a checkpoint.
        interval_s: work between two checkpoints of either tier, s.
        per_storage: checkpoint intervals from one on storage to the next.
    """

    mtbf_s: float
    restart_s: float
    unwritten_s: float
    memory: CheckpointTime
    storage: CheckpointTime
    storage_failure_fraction: float
    interval_s: float = 0.0
    per_storage: float = 1.0


def interruptions(
    reliability: Reliability, *, chips: int, checkpoint_bytes: float, step_time_s: float
) -> Interruptions:
    """Failures and checkpoints of a run of these steps.

    Args:
        reliability: rate of chip failures, and checkpoint tiers.
        chips: chips of the run.
        checkpoint_bytes: size of a checkpoint, bytes.
        step_time_s: time of a step with stragglers, s.

    Raises:
        RidgelineError: the run would mostly stand still, or cannot keep the given intervals.
    """

    def of(tier: CheckpointTier) -> CheckpointTime:
        write_s = checkpoint_bytes / tier.rate_bytes_per_s(chips)
        return CheckpointTime(write_s=write_s, pause_s=tier.blocking_fraction * write_s)

    storage, memory, to_storage = of(reliability.storage), CheckpointTime(), 1.0
    if reliability.memory is not None:
        memory, to_storage = of(reliability.memory), 1 - reliability.memory.mended_fraction
    found = Interruptions(
        mtbf_s=float(job_mtbf_s(chip_mtbf_s=reliability.chip_mtbf_s, chips=chips)),
        restart_s=reliability.restart_s + (1 - to_storage) * memory.write_s + to_storage * storage.write_s,
        unwritten_s=(1 - to_storage) * memory.overlapped_s + to_storage * storage.overlapped_s,
        memory=memory,
        storage=storage,
        storage_failure_fraction=to_storage,
    )
    _require_progress(found, step_time_s)
    given_s = reliability.tiers[0].interval_s
    if given_s is None:
        return _with_best_intervals(found, step_time_s)
    per_storage = round((reliability.storage.interval_s or given_s) / given_s)
    _require_between(found, given_s, per_storage, step_time_s)
    return replace(found, interval_s=given_s, per_storage=per_storage)


def _require_progress(run: Interruptions, step_s: float) -> None:
    """Refuse a run that fails before it makes progress."""
    stopped_s = run.restart_s + run.unwritten_s + run.memory.pause_s + run.storage.pause_s
    if max(stopped_s, step_s) >= run.mtbf_s:
        stopped, step, mtbf = (format_quantity(one, "duration") for one in (stopped_s, step_s, run.mtbf_s))
        raise RidgelineError(
            f"the run hardly gets on: one of its chips fails every {mtbf}, a restart with its checkpoint takes"
            f" {stopped}, and a step {step}; take fewer chips, a longer chip_mtbf_s, a shorter restart_s, faster tiers"
            " of checkpoints or smaller batches"
        )


def _with_best_intervals(run: Interruptions, step_s: float) -> Interruptions:
    """The run with the intervals that lose least, none shorter than a step or than the writing of a checkpoint."""
    memory, storage, to_storage, per_storage = run.memory, run.storage, run.storage_failure_fraction, 1.0
    least_s = max(step_s, memory.overlapped_s)
    if to_storage < 1:
        alone = young_interval_s(checkpoint_s=memory.pause_s, mtbf_s=run.mtbf_s / (1 - to_storage))
        interval_s = max(float(alone), least_s)
        best = checkpoints_per_storage(
            interval_s=interval_s, checkpoint_s=storage.pause_s, storage_mtbf_s=run.mtbf_s / to_storage
        )
        per_storage = float(max(best, ceil(storage.overlapped_s / interval_s)))
    best_s = best_interval_s(
        checkpoint_s=storage.pause_s,
        mtbf_s=run.mtbf_s,
        memory_checkpoint_s=memory.pause_s,
        per_storage=per_storage,
        storage_failure_fraction=to_storage,
    )
    interval_s = max(float(best_s), least_s, storage.overlapped_s / per_storage)
    return replace(run, interval_s=interval_s, per_storage=per_storage)


def _require_between(run: Interruptions, interval_s: float, per_storage: int, step_s: float) -> None:
    """Refuse given intervals that a run cannot keep, or that leave it hardly any progress."""
    least_s = max(step_s, run.memory.overlapped_s, run.storage.overlapped_s / per_storage)
    most_s = min(run.mtbf_s, run.mtbf_s / (run.storage_failure_fraction * per_storage))
    if not least_s <= interval_s <= most_s:
        least, most = (format_quantity(one, "duration") for one in (least_s, most_s))
        raise RidgelineError(
            f"interval_s={interval_s:g} between checkpoints is outside {least} to {most}: it lasts a step and until"
            " the one before is written, and no longer than chips run without a failure; leave it out for the best"
        )


def time_shares(run: Interruptions, *, slowest_ratio: float) -> tuple[float, Lost]:
    """Useful part of a run's time, and the rest by cause.

    Restarts take their part of all time; repeated work whose checkpoint was not yet written takes its part of the rest,
    since a failure in it starts both again; the remaining time is periods between checkpoints.

    Args:
        run: failures and checkpoints of the run.
        slowest_ratio: time of a step that waits for the slowest chip, over that of one that does not.
    """
    restarts = float(restart_fraction(restart_s=run.restart_s, mtbf_s=run.mtbf_s))
    unwritten = (1 - restarts) * float(restart_fraction(restart_s=run.unwritten_s, mtbf_s=run.mtbf_s))
    period = period_s(
        interval_s=run.interval_s,
        checkpoint_s=run.storage.pause_s,
        mtbf_s=run.mtbf_s,
        memory_checkpoint_s=run.memory.pause_s,
        per_storage=run.per_storage,
        storage_failure_fraction=run.storage_failure_fraction,
    )
    stays = useful_fraction(interval_s=run.interval_s, period_s=period, per_storage=run.per_storage)
    pauses = checkpoint_fraction(
        checkpoint_s=run.storage.pause_s,
        period_s=period,
        memory_checkpoint_s=run.memory.pause_s,
        per_storage=run.per_storage,
    )
    undone = lost_work_fraction(useful_fraction=stays, checkpoint_fraction=pauses)
    going = 1 - restarts - unwritten
    useful = float(going * stays / slowest_ratio)
    return useful, Lost(
        checkpoints_fraction=float(going * pauses),
        lost_work_fraction=float(unwritten + going * undone),
        restarts_fraction=restarts,
        stragglers_fraction=useful * (slowest_ratio - 1),
    )
