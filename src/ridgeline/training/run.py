"""A training run: how long its steps take with failures, checkpoints and slow chips between, and what that costs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ridgeline.equations.power import chip_power_w
from ridgeline.equations.reliability import (
    best_interval_s,
    checkpoint_fraction,
    checkpoint_time_s,
    checkpoints_per_storage,
    job_mtbf_s,
    lost_work_fraction,
    period_s,
    restart_fraction,
    slowest_lognormal_ratio,
    useful_fraction,
    young_interval_s,
)
from ridgeline.errors import RidgelineError
from ridgeline.glossary import require_in_range, require_plausible
from ridgeline.numeric import ceil
from ridgeline.quantity_text import format_quantity
from ridgeline.specs.machine import IDLE_POWER_FRACTION
from ridgeline.specs.reliability import CheckpointTier, Reliability
from ridgeline.specs.tariff import Tariff

__all__ = ["ChipPower", "Lost", "TimedStep", "TrainingRun", "train_run"]

DAY_S = 86400.0
KWH_J = 3.6e6


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedStep:
    """A training step and the chips that take it together.

    Attributes:
        step_time_s: its time, s.
        batch_tokens: tokens that it trains on.
        chips: all that wait for each other.
        checkpoint_bytes: weights and optimizer states that a checkpoint holds, bytes.
        waited_for_chips: chips whose slowest ``step_time_s`` waits for already: those it was measured or fitted on, 1
            where it was computed of a chip.
    """

    step_time_s: float
    batch_tokens: float
    chips: int
    checkpoint_bytes: float
    waited_for_chips: int

    def __post_init__(self) -> None:
        require_plausible(self)
        if self.step_time_s == 0:
            raise RidgelineError("TimedStep: step_time_s=0 trains in no time; write the time of a step, such as 5.2")
        if self.waited_for_chips > self.chips:
            raise RidgelineError(
                f"TimedStep: waited_for_chips={self.waited_for_chips} are more than the {self.chips} that take the"
                f" step; write {self.chips} at most"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipPower:
    """What chips draw, and what their power costs.

    Attributes:
        power_w: power that a chip may draw, W.
        idle_power_fraction: power of a chip that waits, over ``power_w``.
        working_fraction: part of a step in which a chip computes or sends.
        pue: power usage effectiveness of the site: what it draws over what its chips draw.
        electricity_usd_per_j: price of electricity, $/J, where it comes beside that of chips; None where that has it.
    """

    power_w: float
    idle_power_fraction: float = IDLE_POWER_FRACTION
    working_fraction: float = 1.0
    pue: float = 1.0
    electricity_usd_per_j: float | None = None

    def __post_init__(self) -> None:
        require_plausible(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """Parts of a run's time that bring it no further.

    Attributes:
        checkpoints_fraction: chips wait for checkpoints.
        lost_work_fraction: work that a failure undoes.
        restarts_fraction: from a failure until training goes on, reading the checkpoint included.
        stragglers_fraction: steps wait for the slowest chip.
    """

    checkpoints_fraction: float
    lost_work_fraction: float
    restarts_fraction: float
    stragglers_fraction: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingRun:
    """A training run.

    Attributes:
        steps: that it takes.
        days: that they take.
        usd: what that costs; None without a price.
        kwh: energy that the site draws; None where the chips' power is not known.
        goodput_fraction: time of all steps, each once and as fast as ``step_time_s``, over all of the time.
        lost: the rest of it, by cause.
        mtbf_s: mean time between failures of all chips together, s.
        failures: expected in the run.
        checkpoint_interval_s: work between two checkpoints, be they in memory or on storage, s.
        storage_interval_s: work between two on storage, s.
        notes: what to know beside it.
    """

    steps: int
    days: float
    usd: float | None
    kwh: float | None
    goodput_fraction: float
    lost: Lost
    mtbf_s: float
    failures: float
    checkpoint_interval_s: float
    storage_interval_s: float
    notes: tuple[str, ...] = ()


def train_run(
    step: TimedStep,
    *,
    tokens: float,
    reliability: Reliability,
    tariff: Tariff | None = None,
    power: ChipPower | None = None,
) -> TrainingRun:
    """A run over so many tokens.

    Args:
        step: one of its steps, without failures.
        tokens: that it is trained on; the last step is a whole one.
        reliability: how often its chips fail, and where it saves itself.
        tariff: what a chip costs; None where that is not known.
        power: what a chip draws; None where that is not known.

    Raises:
        RidgelineError: an input is out of range, or the run would stand still for most of the time; says what to write.
    """
    require_in_range("train_run", "tokens", tokens)
    if tokens < step.batch_tokens:
        raise RidgelineError(
            f"tokens={tokens:g} are less than one batch of {step.batch_tokens:g}; give more, or smaller batches"
        )
    steps = int(ceil(tokens / step.batch_tokens))
    slowest = _slowest_ratio(step, reliability)
    rhythm = _rhythm(step, reliability, step.step_time_s * slowest)
    useful, lost = _parts(rhythm, slowest)
    time_s = steps * step.step_time_s / useful
    site_w = None if power is None else power.pue * step.chips * _mean_power_w(power, useful, lost, slowest)
    return TrainingRun(
        steps=steps,
        days=time_s / DAY_S,
        usd=_cost_usd(time_s, step.chips, site_w, tariff, power),
        kwh=None if site_w is None else site_w * time_s / KWH_J,
        goodput_fraction=useful,
        lost=lost,
        mtbf_s=rhythm.mtbf_s,
        failures=time_s / rhythm.mtbf_s,
        checkpoint_interval_s=rhythm.interval_s,
        storage_interval_s=rhythm.per_storage * rhythm.interval_s,
        notes=(*(() if tariff is None else (f"price: {tariff.label}",)), *reliability.notes),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Writing:
    """A checkpoint on its way to a tier, or back, s: how long it takes, and how long of that chips wait."""

    whole_s: float = 0.0
    pause_s: float = 0.0

    @property
    def beside_s(self) -> float:
        """What runs beside training."""
        return self.whole_s - self.pause_s


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rhythm:
    """How a run is stopped and goes on.

    Attributes:
        mtbf_s: mean time between failures, s.
        away_s: from a failure until training goes on, s.
        behind_s: work of which no checkpoint was complete, beside that since the last one began, s.
        memory: checkpoints in memory; of no time where there are none.
        storage: checkpoints on storage.
        back: part of failures that lead back to storage.
        interval_s: work between two checkpoints of either tier, s.
        per_storage: intervals from one on storage to the next.
    """

    mtbf_s: float
    away_s: float
    behind_s: float
    memory: _Writing
    storage: _Writing
    back: float
    interval_s: float = 0.0
    per_storage: float = 1.0


def _slowest_ratio(step: TimedStep, reliability: Reliability) -> float:
    """Time of a step with all chips over that of one, with what it waits for already taken out."""
    spread = reliability.step_log_sd
    of_all = slowest_lognormal_ratio(chips=step.chips, log_sd=spread)
    return float(of_all / slowest_lognormal_ratio(chips=step.waited_for_chips, log_sd=spread))


def _writing(step: TimedStep, tier: CheckpointTier) -> _Writing:
    """A checkpoint on its way to a tier."""
    rate = tier.rate_bytes_per_s(step.chips)
    whole_s = float(checkpoint_time_s(checkpoint_bytes=step.checkpoint_bytes, bytes_per_s=rate))
    return _Writing(whole_s=whole_s, pause_s=tier.blocking_fraction * whole_s)


def _rhythm(step: TimedStep, reliability: Reliability, step_s: float) -> _Rhythm:
    """How a run of such steps, each of ``step_s`` with stragglers, is stopped and goes on."""
    storage, memory, back = _writing(step, reliability.storage), _Writing(), 1.0
    if reliability.memory is not None:
        memory, back = _writing(step, reliability.memory), 1 - reliability.memory.mended_fraction
    rhythm = _Rhythm(
        mtbf_s=float(job_mtbf_s(chip_mtbf_s=reliability.chip_mtbf_s, chips=step.chips)),
        away_s=reliability.restart_s + (1 - back) * memory.whole_s + back * storage.whole_s,
        behind_s=(1 - back) * memory.beside_s + back * storage.beside_s,
        memory=memory,
        storage=storage,
        back=back,
    )
    _require_progress(rhythm, step_s)
    given = reliability.tiers[0].interval_s
    if given is None:
        return _best(rhythm, step_s)
    per_storage = round((reliability.storage.interval_s or given) / given)
    _require_between(rhythm, given, per_storage, step_s)
    return replace(rhythm, interval_s=given, per_storage=per_storage)


def _require_progress(rhythm: _Rhythm, step_s: float) -> None:
    """Refuse a run that fails before it gets anywhere."""
    stopped_s = rhythm.away_s + rhythm.behind_s + rhythm.memory.pause_s + rhythm.storage.pause_s
    if max(stopped_s, step_s) >= rhythm.mtbf_s:
        stopped, step, mtbf = (format_quantity(one, "duration") for one in (stopped_s, step_s, rhythm.mtbf_s))
        raise RidgelineError(
            f"the run hardly gets on: chips fail every {mtbf}, a restart with its checkpoint takes {stopped}, and a"
            f" step {step}; take fewer chips, a shorter restart_s, faster tiers of checkpoints or smaller batches"
        )


def _best(rhythm: _Rhythm, step_s: float) -> _Rhythm:
    """With the intervals that lose least, none shorter than a step or than a checkpoint is written."""
    memory, storage, back, per_storage = rhythm.memory, rhythm.storage, rhythm.back, 1.0
    least_s = max(step_s, memory.beside_s)
    if back < 1:
        alone = young_interval_s(checkpoint_s=memory.pause_s, mtbf_s=rhythm.mtbf_s / (1 - back))
        interval_s = max(float(alone), least_s)
        best = checkpoints_per_storage(
            interval_s=interval_s, checkpoint_s=storage.pause_s, storage_mtbf_s=rhythm.mtbf_s / back
        )
        per_storage = float(max(best, ceil(storage.beside_s / interval_s)))
    best_s = best_interval_s(
        checkpoint_s=storage.pause_s,
        mtbf_s=rhythm.mtbf_s,
        memory_checkpoint_s=memory.pause_s,
        per_storage=per_storage,
        storage_failure_fraction=back,
    )
    interval_s = max(float(best_s), least_s, storage.beside_s / per_storage)
    return replace(rhythm, interval_s=interval_s, per_storage=per_storage)


def _require_between(rhythm: _Rhythm, interval_s: float, per_storage: int, step_s: float) -> None:
    """Refuse given intervals that no run can keep, or that leave it next to nothing."""
    least_s = max(step_s, rhythm.memory.beside_s, rhythm.storage.beside_s / per_storage)
    most_s = min(rhythm.mtbf_s, rhythm.mtbf_s / (rhythm.back * per_storage))
    if not least_s <= interval_s <= most_s:
        least, most = (format_quantity(one, "duration") for one in (least_s, most_s))
        raise RidgelineError(
            f"interval_s={interval_s:g} between checkpoints is outside {least} to {most}: it lasts a step and until"
            " the one before is written, and no longer than chips run without a failure; leave it out for the best"
        )


def _parts(rhythm: _Rhythm, slowest: float) -> tuple[float, Lost]:
    """Parts of the time: what is of use, and the rest by cause.

    Restarts take their part of all of it; work that was not yet written then takes its own of what they leave, since a
    failure in it begins both anew; a period between checkpoints has the rest.
    """
    restarts = float(restart_fraction(restart_s=rhythm.away_s, mtbf_s=rhythm.mtbf_s))
    behind = (1 - restarts) * float(restart_fraction(restart_s=rhythm.behind_s, mtbf_s=rhythm.mtbf_s))
    period = period_s(
        interval_s=rhythm.interval_s,
        checkpoint_s=rhythm.storage.pause_s,
        mtbf_s=rhythm.mtbf_s,
        memory_checkpoint_s=rhythm.memory.pause_s,
        per_storage=rhythm.per_storage,
        storage_failure_fraction=rhythm.back,
    )
    stays = useful_fraction(interval_s=rhythm.interval_s, period_s=period, per_storage=rhythm.per_storage)
    pauses = checkpoint_fraction(
        checkpoint_s=rhythm.storage.pause_s,
        period_s=period,
        memory_checkpoint_s=rhythm.memory.pause_s,
        per_storage=rhythm.per_storage,
    )
    undone = lost_work_fraction(useful_fraction=stays, checkpoint_fraction=pauses)
    going = 1 - restarts - behind
    useful = float(going * stays / slowest)
    return useful, Lost(
        checkpoints_fraction=float(going * pauses),
        lost_work_fraction=float(behind + going * undone),
        restarts_fraction=restarts,
        stragglers_fraction=useful * (slowest - 1),
    )


def _mean_power_w(power: ChipPower, useful: float, lost: Lost, slowest: float) -> float:
    """Mean power of a chip: it works in steps, of use or undone, and waits for all else and for slower chips."""
    stepping = useful + lost.stragglers_fraction + lost.lost_work_fraction
    working = power.working_fraction * stepping / slowest
    return float(chip_power_w(most_w=power.power_w, idle_fraction=power.idle_power_fraction, working_fraction=working))


def _cost_usd(
    time_s: float, chips: int, site_w: float | None, tariff: Tariff | None, power: ChipPower | None
) -> float | None:
    """Chips, and electricity where it has a price of its own; None where neither has one."""
    costs_usd = []
    if tariff is not None:
        costs_usd.append(chips * time_s * tariff.usd_per_chip_s)
    if power is not None and site_w is not None and power.electricity_usd_per_j is not None:
        costs_usd.append(site_w * time_s * power.electricity_usd_per_j)
    return sum(costs_usd) if costs_usd else None
