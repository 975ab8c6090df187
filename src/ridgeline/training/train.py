"""A training run from its step: the fastest layouts, or one that is given, with time, memory, money and energy."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass

from ridgeline.catalog.reliability import usual_reliability
from ridgeline.catalog.trainers import default_trainer, load_trainer
from ridgeline.equations.normal import two_sided_probability
from ridgeline.errors import RidgelineError
from ridgeline.estimator.parameters import total_params
from ridgeline.estimator.raised import STEP, raised_machines
from ridgeline.glossary import require_in_range
from ridgeline.specs.fidelity import Fidelity
from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.reliability import Reliability
from ridgeline.specs.tariff import Tariff
from ridgeline.specs.trainer import IDEAL_TRAINER
from ridgeline.training.job import TrainingJob
from ridgeline.training.layout import TrainingLayout
from ridgeline.training.plan import TrainingPlan
from ridgeline.training.recipe import NO_RECOMPUTE, Recompute
from ridgeline.training.run import ChipPower, TimedStep, TrainingRun, train_run
from ridgeline.training.schedules import SCHEDULES, Schedule, find_schedule
from ridgeline.training.search import Found, Space, recomputes_of, require_divides, search
from ridgeline.training.usual import sequences_of, usual_recipe

__all__ = ["Asked", "Expected", "Site", "Training", "elasticities", "expected_of", "run_of", "train", "ways_to_fit"]

TIMED = tuple(one for one in SCHEDULES.values() if not one.is_forward_only and one.directions == 1)
"""Schedules of a training step; two directions hold all parameters twice, which no layout says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What a run costs and meets, besides its steps.

    Attributes:
        reliability: how often chips fail, and where they save themselves.
        tariff: price of a chip; None where none is known.
        power: what a chip draws; None where that is not known.
    """

    reliability: Reliability
    tariff: Tariff | None = None
    power: ChipPower | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A measured step beside the predicted one.

    Attributes:
        measured_s: what was measured.
        ratio: measured over predicted.
        probability: chance that such a prediction is off by at least as much; None for the ideal framework.
    """

    measured_s: float
    ratio: float
    probability: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """The answer to ``ridgeline train``.

    Attributes:
        plans: the fastest ways to run the step, the fastest first; the one that was given alone where one was; the
            fastest for each number of chips where there are several, the fewest first.
        runs: the whole run by each.
        found: what the searches looked at, one for each number of chips; none where a layout was given.
        elasticities: percent of change of the first plan's step time for one percent more of the machine.
        expected: a measured step beside the first plan's; None without one.
        why_not: what keeps a layout that was asked about from being the first plan; empty without one.
        ways: of a plan that does not fit, changes that make it fit, with what they make of the step.
        tokens: that the run is trained on.
        notes: what to know beside it.
    """

    plans: tuple[TrainingPlan, ...]
    runs: tuple[TrainingRun, ...]
    found: tuple[Found, ...]
    elasticities: Mapping[str, float]
    expected: Expected | None
    why_not: str
    ways: tuple[TrainingPlan, ...]
    tokens: float
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What ``ridgeline.train`` is asked, names of parts as text.

    Attributes:
        model: what is trained.
        machine: where.
        chips: numbers of chips; empty for those of the layout.
        tokens: that the run is trained on.
        batch_tokens: tokens of a step, as they were given.
        sequence_tokens: tokens of a sequence.
        layout: the one that is taken; null where all are searched.
        why_not: a layout that is asked about.
        schedule: how stages take turns; null for 1F1B and interleaved.
        recompute: what a backward pass computes again; null for several that are tried.
        micro_batch: sequences that go through the model together; null for all powers of two.
        number_format: what layers multiply in, and how 8 bits are scaled.
        framework: whose time is among the numbers.
        dispatcher: what sends tokens to experts.
        routing: "balanced" or "natural"; null for the framework's.
        hides_dispatch: whether tokens travel to experts while another micro-batch computes.
        fidelity: resolution of the model of time.
        tariff: price of a chip.
        electricity_usd_per_j: price of electricity beside it, $/J.
        pue: power usage effectiveness of the site.
        chip_mtbf_s: mean time between failures of one chip, s; null for that of published runs.
        measured_s: a measured step, s.
        count: layouts that are shown.
    """

    model: Model
    machine: Machine
    chips: tuple[int, ...]
    tokens: float
    batch_tokens: float
    sequence_tokens: int
    layout: str | None
    why_not: str | None
    schedule: str | None
    recompute: str | None
    micro_batch: int | None
    number_format: str
    framework: str | None
    dispatcher: str
    routing: str | None
    hides_dispatch: bool
    fidelity: Fidelity
    tariff: Tariff | None
    electricity_usd_per_j: float | None
    pue: float
    chip_mtbf_s: float | None
    measured_s: float | None
    count: int


def train(asked: Asked) -> Training:
    """The answer to what is asked.

    Raises:
        RidgelineError: a name, a number or a combination is refused; says what to give instead.
    """
    require_in_range("train", "tokens", asked.tokens)
    batch, said = sequences_of(asked.batch_tokens, asked.sequence_tokens)
    job = _job(asked, batch)
    site = _site(asked)
    notes = [*([said] if said else []), *site.reliability.notes, *asked.model.caveats]
    found: tuple[Found, ...] = ()
    if asked.layout is None:
        found = _searches(asked, job)
        plans = tuple(plan for one in found for plan in one.plans)
    else:
        plans = (TrainingPlan(job=_laid_out(asked, job, asked.layout)),)
    best = plans[0]
    return Training(
        plans=plans,
        runs=tuple(run_of(plan, asked.tokens, site) for plan in plans),
        found=found,
        elasticities=elasticities(best),
        expected=None if asked.measured_s is None else expected_of(best, asked.measured_s),
        why_not="" if asked.why_not is None else _why_not(asked, job, best),
        ways=() if best.fits else ways_to_fit(best),
        tokens=asked.tokens,
        notes=tuple(notes),
    )


def _searches(asked: Asked, job: TrainingJob) -> tuple[Found, ...]:
    """The fastest for each number of chips, or several for one."""
    if not asked.chips:
        raise RidgelineError("training: how many chips? Give them, such as 1024, or a layout: tp8,pp16,dp8")
    count = asked.count if len(asked.chips) == 1 else 1
    found = tuple(search(job, chips, _space(asked), count=count) for chips in sorted(set(asked.chips)))
    fitting = tuple(one for one in found if one.plans)
    if not fitting:
        smallest = min((one.smallest for one in found if one.smallest), key=lambda plan: plan.memory.total_bytes)
        raise RidgelineError(_too_large(smallest, sum(one.layouts for one in found)))
    return fitting


def _why_not(asked: Asked, job: TrainingJob, best: TrainingPlan) -> str:
    """What keeps a layout from being the best, by the parts that make it slower."""
    assert asked.why_not is not None  # noqa: S101  asked before
    chips = (best.job.layout.chips,)
    try:
        own = _laid_out(dataclasses.replace(asked, chips=chips), job, asked.why_not)
    except RidgelineError as error:
        return str(error)
    recipes = [
        dataclasses.replace(own.recipe, recompute=one) for one in _space(asked).recomputes or recomputes_of(own.model)
    ]
    plans = [TrainingPlan(job=dataclasses.replace(own, recipe=recipe)) for recipe in recipes]
    fitting = [plan for plan in plans if plan.fits]
    if not fitting:
        least = min(plan.memory.total_bytes for plan in plans)
        return f"{own.layout} needs at least {least / 1e9:.1f} GB of a chip's {plans[0].room_bytes / 1e9:.1f} GB"
    plan = min(fitting, key=lambda one: one.time.step_time_s)
    slower = plan.time.step_time_s / best.time.step_time_s - 1
    said = f"{plan.job.layout} with recompute {plan.job.recipe.recompute} takes {plan.time.step_time_s:.3g} s"
    if slower <= 0:
        return f"{said}: nothing speaks against it"
    names = {*plan.time.parts_s, *best.time.parts_s}
    more = {name: plan.time.parts_s.get(name, 0.0) - best.time.parts_s.get(name, 0.0) for name in names}
    first, second, *_ = sorted(more, key=lambda name: -more[name])
    parts = " and ".join(f"{name} {more[name]:+.2g} s" for name in (first, second) if more[name] > 0)
    return f"{said}, {slower:.1%} more than {best.job.layout}: {parts}"


def _job(asked: Asked, batch: int) -> TrainingJob:
    """The step, in a layout that stands for those that are searched."""
    name = asked.framework or (IDEAL_TRAINER.name if asked.fidelity.at_peaks else default_trainer(asked.machine.family))
    trainer = load_trainer(name)
    return TrainingJob(
        model=asked.model,
        machine=asked.machine,
        layout=TrainingLayout(layout=Layout()),
        recipe=usual_recipe(
            name,
            number_format=asked.number_format,
            recompute=NO_RECOMPUTE if asked.recompute is None else Recompute.from_text(asked.recompute),
            dispatcher=asked.dispatcher,
            routing=asked.routing,
            hides_dispatch=asked.hides_dispatch,
        ),
        trainer=trainer,
        sequence_tokens=asked.sequence_tokens,
        batch=batch,
        fidelity=asked.fidelity,
    )


def _space(asked: Asked) -> Space:
    return Space(
        schedules=_schedules(asked.schedule),
        recomputes=() if asked.recompute is None else (Recompute.from_text(asked.recompute),),
        micro_batches=() if asked.micro_batch is None else (asked.micro_batch,),
    )


def _schedules(name: str | None) -> tuple[Schedule, ...]:
    if name is None:
        return Space().schedules
    if name.strip().lower() == "all":
        return TIMED
    return (_timed(name),)


def _timed(name: str) -> Schedule:
    schedule = find_schedule(name)
    if schedule not in TIMED:
        raise RidgelineError(
            f"schedule {schedule.id} is not timed in a training step; give one of"
            f" {', '.join(one.id for one in TIMED)}, or see it with ridgeline schedules"
        )
    return schedule


def _laid_out(asked: Asked, job: TrainingJob, text: str) -> TrainingJob:
    """The job in a layout."""
    layout = TrainingLayout.from_text(text)
    if asked.micro_batch is not None:
        layout = dataclasses.replace(layout, micro_batch=asked.micro_batch)
    schedule = None if asked.schedule in {None, "all"} else _timed(str(asked.schedule))
    if schedule is not None and layout.virtual_stages == 1:
        layout = dataclasses.replace(layout, virtual_stages=schedule.virtual_stages)
    if asked.chips and asked.chips != (layout.chips,):
        chips = asked.chips[0]
        raise LayoutError(
            f"training layout {layout} has {layout.chips:,} chips, not {chips:,};"
            f" dp{max(1, chips * layout.replicas // layout.chips)} would come near"
        )
    job = dataclasses.replace(job, layout=layout, schedule=schedule)
    require_divides(job)
    job.require_whole()
    return job


def _site(asked: Asked) -> Site:
    """What the run costs and meets: as published runs did, unless it is said."""
    reliability = usual_reliability(asked.machine.family)
    if asked.chip_mtbf_s is not None:
        # The first note says whose failures are taken.
        notes = ("failures: as given", *reliability.notes[1:])
        reliability = dataclasses.replace(reliability, chip_mtbf_s=asked.chip_mtbf_s, notes=notes)
    drawn_w = asked.machine.chip.power_w
    power = (
        None
        if drawn_w is None
        else ChipPower(power_w=drawn_w, pue=asked.pue, electricity_usd_per_j=asked.electricity_usd_per_j)
    )
    return Site(reliability=reliability, tariff=asked.tariff, power=power)


def _too_large(smallest: TrainingPlan, layouts: int) -> str:
    job, memory = smallest.job, smallest.memory
    return (
        f"training: none of {layouts:,} ways to run {job.model.id} on {job.layout.chips:,} chips fits in memory; the"
        f" smallest, {job.layout} with recompute {job.recipe.recompute}, needs {memory.total_bytes / 1e9:.1f} GB of"
        f" {smallest.room_bytes / 1e9:.1f} GB; give more chips, or chips with more memory"
    )


def _checkpoint_bytes(job: TrainingJob) -> float:
    """What a checkpoint of a job holds: weights, and the optimizer's states."""
    return float(total_params(job.model)) * (job.recipe.weight_bytes + job.recipe.state_bytes)


def run_of(plan: TrainingPlan, tokens: float, site: Site) -> TrainingRun:
    """The whole run by one plan.

    A framework's numbers come from steps of ``measured_chips``, which had waited for the slowest of those.
    """
    job = plan.job
    step = TimedStep(
        step_time_s=plan.time.step_time_s,
        batch_tokens=job.batch * job.sequence_tokens,
        chips=job.layout.chips,
        checkpoint_bytes=_checkpoint_bytes(job),
        waited_for_chips=min(job.layout.chips, job.trainer.measured_chips),
    )
    power = site.power
    if power is not None:
        power = dataclasses.replace(power, working_fraction=1 - plan.time.bubble_fraction)
    return train_run(step, tokens=tokens, reliability=site.reliability, tariff=site.tariff, power=power)


def elasticities(plan: TrainingPlan) -> dict[str, float]:
    """Percent of change of a plan's step time for one percent more of each thing of its machine; its layout stays."""
    before = plan.time.step_time_s
    found = {}
    for name, machine in raised_machines(plan.job.machine).items():
        if name == "hbm_bytes":  # a plan's step does not change with room that it has
            continue
        raised = TrainingPlan(job=dataclasses.replace(plan.job, machine=machine))
        found[f"step_time_s:{name}"] = (raised.time.step_time_s / before - 1) / (STEP - 1)
    return found


def expected_of(plan: TrainingPlan, measured_s: float) -> Expected:
    """What a measured step says of the predicted one.

    Raises:
        RidgelineError: it is no time.
    """
    if not 0 < measured_s < math.inf:
        raise RidgelineError(f"measured step of {measured_s!r} s is no time; give what was measured: 5.2")
    ratio, interval = measured_s / plan.time.step_time_s, plan.interval_s
    if interval is None:
        return Expected(measured_s=measured_s, ratio=ratio, probability=None)
    half_width = math.log(interval[1] / plan.time.step_time_s)
    probability = float(two_sided_probability(off=abs(math.log(ratio)), half_width=half_width))
    return Expected(measured_s=measured_s, ratio=ratio, probability=probability)


def ways_to_fit(plan: TrainingPlan) -> tuple[TrainingPlan, ...]:
    """Of the nearest changes to a plan that does not fit, those that do, the fastest first."""
    layout = plan.job.layout
    changed: list[tuple[TrainingLayout, Schedule | None]] = []
    if layout.micro_batch > 1:
        changed.append((dataclasses.replace(layout, micro_batch=layout.micro_batch // 2), plan.job.schedule))
    if layout.virtual_stages > 1:
        changed.append((dataclasses.replace(layout, virtual_stages=1), None))
    if layout.zero_stage < 3 and layout.state_chips > 1:  # noqa: PLR2004  a stage of ZeRO
        changed.append((dataclasses.replace(layout, zero_stage=3), plan.job.schedule))
    if layout.replicas % 2 == 0:
        for degree in ("tp", "pp", "cp"):
            larger = dataclasses.replace(layout.layout, **{degree: 2 * getattr(layout.layout, degree)})
            try:
                moved = dataclasses.replace(layout, layout=larger, replicas=layout.replicas // 2)
            except RidgelineError:
                continue
            changed.append((moved, plan.job.schedule))
    jobs = [dataclasses.replace(plan.job, layout=other, schedule=schedule) for other, schedule in changed]
    for recompute in recomputes_of(plan.job.model):
        recipe = dataclasses.replace(plan.job.recipe, recompute=recompute)
        jobs.append(dataclasses.replace(plan.job, recipe=recipe))
    tried = [dataclasses.replace(plan, job=job) for job in jobs]
    return tuple(sorted(filter(_runs, tried), key=lambda one: one.time.step_time_s))


def _runs(plan: TrainingPlan) -> bool:
    try:
        require_divides(plan.job)
        plan.job.require_whole()
    except RidgelineError:
        return False
    return plan.fits
