"""A training run: time and cost of its steps with failures, checkpoints and stragglers."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.equations.power import chip_power_w
from ridgeline.equations.reliability import slowest_lognormal_ratio
from ridgeline.errors import RidgelineError
from ridgeline.glossary import require_in_range, require_plausible
from ridgeline.numeric import ceil
from ridgeline.seconds import DAY_S, KWH_J
from ridgeline.specs.machine import IDLE_POWER_FRACTION
from ridgeline.specs.reliability import Reliability
from ridgeline.specs.tariff import Tariff
from ridgeline.training.interruptions import Lost, interruptions, time_shares

__all__ = ["ChipPower", "TimedStep", "TrainingRun", "train_run"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedStep:
    """A training step and the chips that take it together.

    Attributes:
        step_time_s: time of the step, s.
        batch_tokens: tokens that it trains on.
        chips: all chips that wait for each other.
        checkpoint_bytes: weights and optimizer states that a checkpoint holds, bytes.
        waited_for_chips: chips whose slowest ``step_time_s`` already waits for: those it was measured or fitted on, or
            1 where it was computed for one chip.
        straggling_chips: chips among which the run still waits for the slowest; None for all, fewer where
            ``step_time_s`` already holds what it costs to wait for more.
    """

    step_time_s: float
    batch_tokens: float
    chips: int
    checkpoint_bytes: float
    waited_for_chips: int
    straggling_chips: int | None = None

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
    """Power of chips, and its cost.

    Attributes:
        power_w: power that a chip may draw, W.
        idle_power_fraction: power of a chip that waits, over ``power_w``.
        working_fraction: part of a step in which a chip computes or sends.
        pue: power usage effectiveness of the site: what it draws over what its chips draw.
        electricity_usd_per_j: price of electricity charged on top of chips, $/J; None where the chips' price includes
            it.
    """

    power_w: float
    idle_power_fraction: float = IDLE_POWER_FRACTION
    working_fraction: float = 1.0
    pue: float = 1.0
    electricity_usd_per_j: float | None = None

    def __post_init__(self) -> None:
        require_plausible(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingRun:
    """A training run.

    Attributes:
        steps: number of steps for the tokens.
        days: days that these steps take, failures and checkpoints included.
        usd: cost of the run, $; None without a price.
        kwh: energy that the site draws, kWh; None where the chips' power is unknown.
        goodput_fraction: time of all steps, each once and as fast as ``step_time_s``, over all of the time.
        lost: rest of the time, by cause.
        mtbf_s: mean time between failures of all chips together, s.
        failures: expected number of failures in the run.
        checkpoint_interval_s: work between two checkpoints, in memory or on storage, s.
        storage_interval_s: work between two checkpoints on storage, s.
        notes: remarks to show beside the numbers.
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
    """A run over a number of tokens.

    Args:
        step: one of its steps, without failures.
        tokens: training tokens of the run; the last step is a whole one.
        reliability: rate of chip failures, and checkpoint tiers.
        tariff: price of a chip; None where it is unknown.
        power: power of a chip; None where it is unknown.

    Raises:
        RidgelineError: an input is out of range, or the run would mostly stand still; the message says what to write.
    """
    require_in_range("train_run", "tokens", tokens)
    if tokens < step.batch_tokens:
        raise RidgelineError(
            f"tokens={tokens:,.0f} are less than one batch of {step.batch_tokens:,.0f}; give more, or smaller batches"
        )
    steps = int(ceil(tokens / step.batch_tokens))
    slowest = _slowest_ratio(step, reliability)
    stops = interruptions(
        reliability,
        chips=step.chips,
        checkpoint_bytes=step.checkpoint_bytes,
        step_time_s=step.step_time_s * slowest,
    )
    useful, lost = time_shares(stops, slowest_ratio=slowest)
    time_s = steps * step.step_time_s / useful
    site_w = None if power is None else power.pue * step.chips * _mean_power_w(power, useful, lost, slowest)
    return TrainingRun(
        steps=steps,
        days=time_s / DAY_S,
        usd=_cost_usd(time_s, step.chips, site_w, tariff, power),
        kwh=None if site_w is None else site_w * time_s / KWH_J,
        goodput_fraction=useful,
        lost=lost,
        mtbf_s=stops.mtbf_s,
        failures=time_s / stops.mtbf_s,
        checkpoint_interval_s=stops.interval_s,
        storage_interval_s=stops.per_storage * stops.interval_s,
        notes=(*(() if tariff is None else (f"price: {tariff.label}",)), *reliability.notes),
    )


def _slowest_ratio(step: TimedStep, reliability: Reliability) -> float:
    """Time of a step with all chips over that of one, without waits that the step time already includes."""
    spread = reliability.step_log_sd
    of_all = slowest_lognormal_ratio(chips=step.straggling_chips or step.chips, log_sd=spread)
    return float(of_all / slowest_lognormal_ratio(chips=step.waited_for_chips, log_sd=spread))


def _mean_power_w(power: ChipPower, useful: float, lost: Lost, slowest: float) -> float:
    """Mean power of a chip, W: it works in useful and undone steps, and idles otherwise."""
    stepping = useful + lost.stragglers_fraction + lost.lost_work_fraction
    working = power.working_fraction * stepping / slowest
    return float(chip_power_w(most_w=power.power_w, idle_fraction=power.idle_power_fraction, working_fraction=working))


def _cost_usd(
    time_s: float, chips: int, site_w: float | None, tariff: Tariff | None, power: ChipPower | None
) -> float | None:
    """Cost of chips, and of electricity where it has a price of its own, $; None where neither has one."""
    costs_usd = []
    if tariff is not None:
        costs_usd.append(chips * time_s * tariff.usd_per_chip_s)
    if power is not None and site_w is not None and power.electricity_usd_per_j is not None:
        costs_usd.append(site_w * time_s * power.electricity_usd_per_j)
    return sum(costs_usd) if costs_usd else None
