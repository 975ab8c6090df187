"""Options of ``ridgeline train`` as text, and the records that they stand for."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from ridgeline.catalog.reliability import usual_reliability
from ridgeline.catalog.trainers import default_trainer, load_trainer
from ridgeline.errors import RidgelineError
from ridgeline.glossary import require_in_range
from ridgeline.specs.fidelity import Fidelity
from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.tariff import Tariff
from ridgeline.specs.trainer import IDEAL_TRAINER
from ridgeline.training.degrees import require_divides
from ridgeline.training.job import TrainingJob
from ridgeline.training.layout import TrainingLayout
from ridgeline.training.outcome import Site
from ridgeline.training.recompute import NO_RECOMPUTE, Recompute
from ridgeline.training.run import ChipPower
from ridgeline.training.schedules import SCHEDULES, Schedule, find_schedule
from ridgeline.training.search import Space
from ridgeline.training.usual import FORMATS, usual_recipe

__all__ = [
    "ARITHMETIC",
    "Asked",
    "asked_job",
    "asked_site",
    "asked_space",
    "laid_out",
    "open_schedules",
    "require_sense",
]

TIMED = tuple(one for one in SCHEDULES.values() if not one.is_forward_only and one.directions == 1)
"""Schedules of a training step; bidirectional ones hold all parameters twice, which no layout expresses."""

ARITHMETIC = dict.fromkeys(FORMATS, "fp8") | {"bf16": "bf16", "mxfp8": "fp4"}
"""Arithmetic by which a chip is known to support a format; MX scales came with 4-bit arithmetic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Options of ``ridgeline.train``, with names of parts as text.

    Attributes:
        model: model that is trained.
        machine: machine that it is trained on.
        chips: numbers of chips; empty for the layout's own.
        tokens: training tokens of the run.
        batch_tokens: tokens of a step, as given.
        sequence_tokens: tokens of a sequence.
        layout: layout to time; null where all are searched.
        why_not: a layout that is asked about.
        schedule: pipeline schedule; null for 1F1B and interleaved.
        recompute: recompute mode; null for several that are tried.
        micro_batch: sequences of a micro-batch; null for all powers of two.
        number_format: format in which layers multiply, with the scaling of 8-bit values.
        framework: framework whose overhead is included.
        dispatcher: implementation of expert dispatch.
        routing: "balanced" or "natural"; null for the framework's.
        gradients: number format of reduced gradients; null for the framework's.
        hides_dispatch: whether expert dispatch overlaps with another micro-batch's computing.
        fidelity: resolution of the model of time.
        tariff: price of a chip.
        electricity_usd_per_j: price of electricity charged on top of chips, $/J.
        pue: power usage effectiveness of the site.
        chip_mtbf_s: mean time between failures of one chip, s; null for that of published runs.
        measured_s: measured step time to compare with, s.
        count: number of layouts to show.
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
    gradients: str | None
    hides_dispatch: bool
    fidelity: Fidelity
    tariff: Tariff | None
    electricity_usd_per_j: float | None
    pue: float
    chip_mtbf_s: float | None
    measured_s: float | None
    count: int


def require_sense(asked: Asked) -> None:
    """Refuse numbers out of range, and fidelities at which no step is timed."""
    require_in_range("train", "tokens", asked.tokens)
    for chips in asked.chips:
        require_in_range("train", "chips", chips, meaning="chips of the whole run")
    if not asked.fidelity.by_operation:
        raise RidgelineError(
            f"fidelity {asked.fidelity.name} times a pass by one formula, and no step of training; take roofline or"
            " measured. On a napkin a step is six FLOP a parameter and token over the chips' peak"
        )


def asked_job(asked: Asked, batch: int) -> TrainingJob:
    """Job of ``batch`` sequences per step, in a placeholder layout for the search."""
    name = asked.framework or (IDEAL_TRAINER.name if asked.fidelity.at_peaks else default_trainer(asked.machine.family))
    trainer = load_trainer(name)
    recipe = usual_recipe(
        name,
        number_format=asked.number_format,
        recompute=NO_RECOMPUTE if asked.recompute is None else Recompute.from_text(asked.recompute),
        dispatcher=asked.dispatcher,
        routing=asked.routing,
        gradients=asked.gradients,
        hides_dispatch=asked.hides_dispatch,
    )
    _require_arithmetic(asked)
    return TrainingJob(
        model=asked.model,
        machine=asked.machine,
        layout=TrainingLayout(layout=Layout()),
        recipe=recipe,
        trainer=trainer,
        sequence_tokens=asked.sequence_tokens,
        batch=batch,
        fidelity=asked.fidelity,
    )


def _require_arithmetic(asked: Asked) -> None:
    """Refuse formats that the chip does not support."""
    chip, arithmetic = asked.machine.chip, ARITHMETIC[asked.number_format]
    if arithmetic not in chip.flop_per_s:
        what = "scales of 32 values" if asked.number_format == "mxfp8" else f"{arithmetic} arithmetic"
        raise RidgelineError(f"{chip.name} has no {what}, which training in {asked.number_format} takes; give bf16")


def laid_out(asked: Asked, job: TrainingJob, text: str) -> TrainingJob:
    """The job in a layout given as text.

    Raises:
        RidgelineError: it does not divide the model or the batch, or its number of chips is not the given one.
    """
    layout = TrainingLayout.from_text(text)
    if asked.micro_batch is not None:
        if layout.micro_batch not in {1, asked.micro_batch}:
            raise LayoutError(
                f"training layout {layout} has mb={layout.micro_batch}, and --micro-batch {asked.micro_batch} is asked"
                " for; give one of them"
            )
        layout = dataclasses.replace(layout, micro_batch=asked.micro_batch)
    schedule = _schedule(asked.schedule)
    if layout.layout.pp == 1:
        schedule = None
    elif schedule is not None and layout.virtual_stages == 1:
        layout = dataclasses.replace(layout, virtual_stages=schedule.virtual_stages)
    if asked.chips and layout.chips not in asked.chips:
        chips, replica = asked.chips[0], layout.chips // layout.replicas
        whole = sorted({replica * max(chips // replica, 1), replica * -(-chips // replica)})
        if chips % replica == 0:
            fitting = f"{dataclasses.replace(layout, replicas=chips // replica)} has as many"
        else:
            counts = " or ".join(f"{one:,}" for one in whole)
            fitting = f"its replicas have {replica:,}; give --chips {counts}, or sizes whose product divides {chips:,}"
        raise LayoutError(f"training layout {layout} has {layout.chips:,} chips, not {chips:,}; {fitting}")
    if others := sorted(set(asked.chips) - {layout.chips}):
        named = " and ".join(f"{one:,}" for one in others)
        raise LayoutError(
            f"training layout {layout} has {layout.chips:,} chips, not {named}; give that one number of chips, or leave"
            " the layout out"
        )
    job = dataclasses.replace(job, layout=layout, schedule=schedule)
    require_divides(job)
    job.require_whole()
    return job


def asked_space(asked: Asked) -> Space:
    """Search space of the options."""
    return Space(
        schedules=_schedules(asked.schedule),
        recomputes=() if asked.recompute is None else (Recompute.from_text(asked.recompute),),
        micro_batches=() if asked.micro_batch is None else (asked.micro_batch,),
    )


def _schedules(name: str | None) -> tuple[Schedule, ...]:
    """Schedules that are searched."""
    schedule = _schedule(name)
    if schedule is not None:
        return (schedule,)
    return Space().schedules if name is None else TIMED


def open_schedules(asked: Asked) -> tuple[Schedule, ...]:
    """Schedules of a given layout among which the options leave a choice, of schedule or of parts; empty without."""
    schedules = () if asked.schedule is None else _schedules(asked.schedule)
    return schedules if len(schedules) > 1 or any(one.chooses_virtual_stages for one in schedules) else ()


def _schedule(name: str | None) -> Schedule | None:
    """Schedule that was asked for; None where all or none are."""
    if name is None or name.strip().lower() == "all":
        return None
    schedule = find_schedule(name)
    if schedule not in TIMED:
        raise RidgelineError(
            f"schedule {schedule.id} is not timed in a training step; give one of"
            f" {', '.join(one.id for one in TIMED)}, or see it with ridgeline schedules"
        )
    return schedule


FAILURES_GIVEN = "failures: as given"
"""Note on failures whose rate is the user's own."""


def asked_site(asked: Asked) -> Site:
    """Costs and failures of the run: those of published runs, unless given."""
    reliability = usual_reliability(asked.machine.family)
    if asked.chip_mtbf_s is not None:
        # The first note names the source of the failures.
        notes = (FAILURES_GIVEN, *reliability.notes[1:])
        reliability = dataclasses.replace(reliability, chip_mtbf_s=asked.chip_mtbf_s, notes=notes)
    drawn_w = asked.machine.chip.power_w
    power = (
        None
        if drawn_w is None
        else ChipPower(power_w=drawn_w, pue=asked.pue, electricity_usd_per_j=asked.electricity_usd_per_j)
    )
    return Site(reliability=reliability, tariff=asked.tariff, power=power)
