"""Result of ``ridgeline train``: plans, the run by each, and comparison of the first with a measured step."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass

from ridgeline.equations.normal import two_sided_probability
from ridgeline.errors import RidgelineError
from ridgeline.estimator.parameters import total_params
from ridgeline.estimator.raised import STEP, raised_machines
from ridgeline.quantity_text import counted
from ridgeline.specs.band import RAREST
from ridgeline.specs.reliability import Reliability
from ridgeline.specs.tariff import Tariff
from ridgeline.specs.trainer import FITTED_CHIPS
from ridgeline.training.flop import mfu_fraction
from ridgeline.training.job import TrainingJob
from ridgeline.training.plan import TrainingPlan
from ridgeline.training.run import ChipPower, TimedStep, TrainingRun, train_run
from ridgeline.training.search import Found

__all__ = [
    "Expected",
    "FasterWay",
    "FittingWay",
    "Site",
    "Training",
    "elasticities",
    "expected_of",
    "run_of",
    "straggling_chips",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """Costs and failures of a run, besides its steps.

    Attributes:
        reliability: rate of chip failures, and checkpoint tiers.
        tariff: price of a chip; None where none is known.
        power: power of a chip; None where it is unknown.
    """

    reliability: Reliability
    tariff: Tariff | None = None
    power: ChipPower | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A measured step beside the predicted one.

    Attributes:
        measured_s: measured step time, s.
        ratio: measured over predicted.
        probability: probability that such a prediction is off by at least as much; None for the ideal framework.
    """

    measured_s: float
    ratio: float
    probability: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FasterWay:
    """Faster way to run a step in the same layout, by options that were not given.

    Attributes:
        options: options that change, as they are written, "--schedule zb-v" among them.
        plan: fastest plan of them that fits.
        times_faster: step time of the plan that it is held against, over its own.
    """

    options: tuple[str, ...]
    plan: TrainingPlan
    times_faster: float

    @property
    def option(self) -> str:
        """All of them, as they are written together."""
        return " ".join(self.options)


@dataclass(frozen=True, slots=True, kw_only=True)
class FittingWay:
    """Change by which a given layout fits.

    Attributes:
        option: options of the command line in place of those that were given, such as "--recompute full".
        plan: plan with the change.
        days: time of the whole run by it, days.
    """

    option: str
    plan: TrainingPlan
    days: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """Result of ``ridgeline train``.

    Attributes:
        plans: fastest ways to run the step, the fastest first; only the given one where a layout was given; the fastest
            for each number of chips where there are several, the fewest chips first.
        runs: whole run by each plan.
        found: results of the searches, one for each number of chips; empty where a layout was given.
        elasticities: percent of change of the first plan's step time for one percent more of the machine.
        expected: a measured step beside the first plan's; None without one.
        why_not: clause on why a layout that was asked about is not the first plan; empty without one.
        fewer: the first plan on half of its chips, with its run; None where that does not divide or fit, or where
            several numbers of chips were asked for.
        roomier: the fastest plan on the first one's chips with room to spare, with its run, where the first nearly
            fills the memory; None where it does not, none has room, or a layout was given.
        ways: changes that make a plan fit that does not, the fastest first.
        faster: options that would make the first plan's step faster in its layout, the fastest first.
        tokens: training tokens of the run.
        usd_per_chip_s: price of a chip, $/s; None where none is known.
        notes: remarks to show beside the numbers.
    """

    plans: tuple[TrainingPlan, ...]
    runs: tuple[TrainingRun, ...]
    found: tuple[Found, ...]
    elasticities: Mapping[str, float]
    expected: Expected | None
    why_not: str
    fewer: tuple[TrainingPlan, TrainingRun] | None
    roomier: tuple[TrainingPlan, TrainingRun] | None
    ways: tuple[FittingWay, ...]
    faster: tuple[FasterWay, ...]
    tokens: float
    usd_per_chip_s: float | None
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        """Number of plans, and the first: all of them are as long as a book."""
        first, step_time_s = self.plans[0].job.layout, self.plans[0].time.step_time_s
        return f"Training({counted(len(self.plans), 'plan')}, the first {first} with {step_time_s:.3g} s a step)"

    @property
    def explanation(self) -> FasterWay | None:
        """Faster way nearest to a step measured as faster than the 80 % interval; None where the plan is nearer."""
        best, expected = self.plans[0], self.expected
        if expected is None or best.interval_s is None or expected.measured_s >= best.interval_s[0]:
            return None

        def off(plan: TrainingPlan) -> float:
            return abs(math.log(expected.measured_s / plan.time.step_time_s))

        nearer = [way for way in self.faster if off(way.plan) < off(best)]
        return min(nearer, key=lambda way: off(way.plan), default=None)


def run_of(plan: TrainingPlan, tokens: float, site: Site) -> TrainingRun:
    """Whole run by one plan.

    A framework's numbers come from steps of ``measured_chips``, which already waited for the slowest of those; beyond
    ``FITTED_CHIPS`` what a step loses at scale holds the waiting for the others.
    """
    job = plan.job
    step = TimedStep(
        step_time_s=plan.time.step_time_s,
        batch_tokens=job.batch * job.sequence_tokens,
        chips=job.layout.chips,
        checkpoint_bytes=_checkpoint_bytes(job),
        waited_for_chips=min(job.layout.chips, job.trainer.measured_chips),
        straggling_chips=straggling_chips(job),
    )
    power = site.power
    if power is not None:
        power = dataclasses.replace(power, working_fraction=1 - plan.time.bubble_fraction)
    return train_run(step, tokens=tokens, reliability=site.reliability, tariff=site.tariff, power=power)


def straggling_chips(job: TrainingJob) -> int:
    """Chips among which a run waits for the slowest, besides what its steps already lose at scale."""
    return min(job.layout.chips, FITTED_CHIPS) if job.trainer.scale_exponent > 0 else job.layout.chips


def _checkpoint_bytes(job: TrainingJob) -> float:
    """Size of a job's checkpoint, bytes: weights, and the optimizer's states."""
    return float(total_params(job.model)) * (job.recipe.weight_bytes + job.recipe.state_bytes)


def elasticities(plan: TrainingPlan) -> dict[str, float]:
    """Percent of change of a plan's step time for one percent more of a machine's quantity, with a fixed layout."""
    before = plan.time.step_time_s
    found = {}
    for name, machine in raised_machines(plan.job.machine).items():
        if name == "hbm_bytes":  # a plan's step does not change with room that it has
            continue
        raised = TrainingPlan(job=dataclasses.replace(plan.job, machine=machine))
        found[f"step_time_s:{name}"] = (raised.time.step_time_s / before - 1) / (STEP - 1)
    return found


def expected_of(plan: TrainingPlan, measured_s: float) -> Expected:
    """Comparison of a measured step with the predicted one.

    Raises:
        RidgelineError: the time is not above 0, or chips would compute faster than their peak.
    """
    if not 0 < measured_s < math.inf:
        raise RidgelineError(f"measured_s={measured_s!r} must be above 0; give the seconds that were measured: 5.2")
    mfu = mfu_fraction(plan.job, measured_s)
    if mfu > 1:
        raise RidgelineError(
            f"a step of {measured_s:g} s would be {100 * mfu:.0f} % of the chips' peak FLOP/s, which nothing reaches;"
            " check its unit (5.2s, 5200ms), the layout and the batch"
        )
    ratio, interval = measured_s / plan.time.step_time_s, plan.interval_s
    if interval is None:
        return Expected(measured_s=measured_s, ratio=ratio, probability=None)
    half_width = math.log(interval[1] / plan.time.step_time_s)
    probability = max(float(two_sided_probability(off=abs(math.log(ratio)), half_width=half_width)), RAREST)
    return Expected(measured_s=measured_s, ratio=ratio, probability=probability)
