"""Kinds of cases that are steps of training runs, and their memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ridgeline.calibration.cases import Unsupported
from ridgeline.calibration.kinds.quantity import Measure
from ridgeline.calibration.kinds.run import Run
from ridgeline.calibration.kinds.training_job import ATTRIBUTES, job_of
from ridgeline.catalog.trainers import trainer_bands
from ridgeline.errors import RidgelineError
from ridgeline.training.flop import hardware_flop, hfu_fraction, mfu_fraction, model_flop
from ridgeline.training.job import TrainingJob
from ridgeline.training.memory import TrainingMemory, stage_memory, training_memory
from ridgeline.training.step_time import step_time

__all__ = [
    "MEMORY",
    "STEP_QUANTITIES",
    "TRAIN_STEP",
    "Predicted",
    "TrainingKind",
    "measured_step_s",
    "of_training",
    "step_width",
]


class Predicted(NamedTuple):
    """A predicted number.

    Attributes:
        value: value in its base unit.
        log_width: half-width of its 80 % interval, in logarithms.
    """

    value: float
    log_width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingQuantity:
    """A number of a training run.

    Attributes:
        predicted: function from a row and its job to the prediction.
        measure: whether it is a time, where more is worse, or a rate, where more is better.
    """

    predicted: Callable[[Run, TrainingJob], Predicted]
    measure: Measure = Measure.TIME


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingKind:
    """Steps of training runs, or the memory of one.

    Attributes:
        quantities: predicted quantities, by name.
        attributes: attributes that are read.
    """

    quantities: Mapping[str, TrainingQuantity]
    attributes: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepQuantity:
    """A number that follows from a step's time.

    Attributes:
        of_time: function from a job and its time to the number.
        measure: whether it is that time or a rate.
    """

    of_time: Callable[[TrainingJob, float], float]
    measure: Measure = Measure.RATE

    @property
    def quantity(self) -> TrainingQuantity:
        """The quantity as a function of a row."""

        def predicted(_: Run, job: TrainingJob) -> Predicted:
            return Predicted(self.of_time(job, step_time(job).step_time_s), step_width(job))

        return TrainingQuantity(predicted=predicted, measure=self.measure)


def _per_chip(amount: Callable[[TrainingJob], float]) -> StepQuantity:
    """Quantity of an amount per second and chip."""
    return StepQuantity(of_time=lambda job, time_s: amount(job) / time_s / job.layout.chips)


TIME = StepQuantity(of_time=lambda _, time_s: time_s, measure=Measure.TIME)
# Published rates make no use of the causal mask, those of what is computed no more than the model's.
STEP_QUANTITIES = {
    "step_s": TIME,
    "latency_s": TIME,
    "tokens_per_s_per_chip": _per_chip(lambda job: job.batch * job.sequence_tokens),
    "samples_per_s_per_chip": _per_chip(lambda job: job.batch),
    "mfu": StepQuantity(of_time=mfu_fraction),
    "hfu": StepQuantity(of_time=hfu_fraction),
    "model_flop_per_s_per_chip": _per_chip(model_flop),
    "hardware_flop_per_s_per_chip": _per_chip(hardware_flop),
}


def step_width(job: TrainingJob) -> float:
    """Half-width of a step time's 80 % interval, in logarithms."""
    bands = trainer_bands()
    return bands.step_routed if job.model.is_routed else bands.step_dense


def _bubble(_: Run, job: TrainingJob) -> Predicted:
    return Predicted(step_time(job).pipeline_bubble_fraction, step_width(job))


PARTS: dict[str, Callable[[TrainingMemory], float]] = {
    "peak": lambda memory: memory.total_bytes,
    "activations": lambda memory: memory.activations_bytes,
    "params_plus_optimizer": lambda memory: memory.weights_bytes + memory.gradients_bytes + memory.optimizer_bytes,
}
"""Parts of a chip's memory that rows state."""


def _bytes(run: Run, job: TrainingJob) -> Predicted:
    part, bands = run.attribute("part", "peak"), trainer_bands()
    if part not in PARTS:
        raise Unsupported(f"part {part!r} of memory is not known; {', '.join(PARTS)} are")
    try:
        stage = {"first": 0, "last": job.last_stage}.get(run.attribute("stage", ""))
        memory = training_memory(job) if stage is None else stage_memory(job, stage)
    except RidgelineError as error:
        raise Unsupported(str(error)) from None
    return Predicted(PARTS[part](memory), bands.memory_routed if job.model.is_routed else bands.memory_dense)


BYTES = TrainingQuantity(predicted=_bytes)
UNDERSTOOD = ATTRIBUTES | {"part", "stage"}
MEMORY = TrainingKind(quantities={"bytes": BYTES}, attributes=UNDERSTOOD)
TRAIN_STEP = TrainingKind(
    quantities={
        **{name: one.quantity for name, one in STEP_QUANTITIES.items()},
        "bubble_fraction": TrainingQuantity(predicted=_bubble),
        "bytes": BYTES,
    },
    attributes=UNDERSTOOD,
)


def measured_step_s(job: TrainingJob, quantity: str, measured: float) -> float:
    """Time of a step behind a measured number."""
    kind = STEP_QUANTITIES[quantity]
    return measured if kind.measure is Measure.TIME else kind.of_time(job, 1.0) / measured


def of_training(run: Run, kind: TrainingKind) -> Predicted:
    """The predicted quantity of a row.

    Raises:
        Unsupported: the row states something that is not modelled.
    """
    return kind.quantities[run.case.quantity].predicted(run, job_of(run))
