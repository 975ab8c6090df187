"""Kind of cases that are steps of reinforcement learning: samples generated, scored, and trained on."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ridgeline.calibration.cases import Unsupported
from ridgeline.calibration.kinds.quantity import Measure
from ridgeline.calibration.kinds.run import Run
from ridgeline.calibration.kinds.steps import deployed
from ridgeline.calibration.kinds.training import Predicted, step_width
from ridgeline.calibration.kinds.training_job import ATTRIBUTES, job_of
from ridgeline.catalog.engines import load_engine
from ridgeline.errors import RidgelineError
from ridgeline.estimator.interval import bands_with
from ridgeline.specs.band import STEP
from ridgeline.specs.engine import IDEAL_ENGINE
from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.training.job import TrainingJob
from ridgeline.training.rl_step import RlStep, RlTime, rl_time

__all__ = ["LOST_BETWEEN_STAGES", "RL_STEP", "RlKind", "of_rl", "rl_step_of"]

GENERATES = "vllm"
"""Engine that generates samples in a run whose row names only a trainer: NeMo RL's default."""

READ = frozenset(
    {
        *("algorithm", "generation", "generation_dtype", "mean_output_tokens", "off_policy_steps"),
        *("sequence_packing", "tokens_per_sample", "train_batch", "training"),
        *("generations_per_prompt", "prompts"),  # which make the batch
        "colocated",  # the chips of either side say it
        "logprob_micro_batch",  # how many go through together moves little where sequences are packed full
    }
)
"""Attributes that are read."""

ALGORITHMS = frozenset({"grpo"})
EXPERT_TP = "etp"
"""Attribute of the degree by which experts are cut, 1 where a row does not say: the default of NeMo RL's recipes."""
LOST_BETWEEN_STAGES = (
    "what is lost between the stages of a step is left out: published steps of NeMo RL take 1.3 to 2.4 times as long"
)
"""Note on every prediction."""
WIDTH = 0.74
"""Half-width of the interval, in logarithms: nine of ten errors of NeMo RL's seven published steps are no larger."""
LAYOUT_COLUMNS = ("tp", "pp", "cp", "ep", "micro_batch", "recompute")


@dataclass(frozen=True, slots=True, kw_only=True)
class RlQuantity:
    """A number of a step."""

    predicted: Callable[[RlTime], float]
    measure: Measure = Measure.TIME


@dataclass(frozen=True, slots=True, kw_only=True)
class RlKind:
    """Steps of reinforcement learning.

    Attributes:
        quantities: predicted quantities, by name.
        attributes: attributes that are read.
    """

    quantities: Mapping[str, RlQuantity]
    attributes: frozenset[str]


RL_STEP = RlKind(
    quantities={
        "step_s": RlQuantity(predicted=lambda time: time.step_s),
        "latency_s": RlQuantity(predicted=lambda time: time.step_s),
        "generation_s": RlQuantity(predicted=lambda time: time.generation_s),
    },
    attributes=ATTRIBUTES | READ | {"weight_group"},
)


def of_rl(run: Run, kind: RlKind) -> Predicted:
    """The predicted quantity of a row.

    Raises:
        Unsupported: the row states something that is not modelled.
    """
    step = rl_step_of(run)
    try:
        time = rl_time(step)
    except RidgelineError as error:
        raise Unsupported(str(error)) from None
    bands = bands_with(run.machine.efficiency.bands, step.generation.engine, (STEP,))
    band = bands.get(STEP)
    width = max(WIDTH, step_width(step.job), 0.0 if band is None else max(band.below, band.above))
    return Predicted(kind.quantities[run.case.quantity].predicted(time), width)


def rl_step_of(run: Run) -> RlStep:
    """The step of a row.

    Raises:
        Unsupported: the row states something that is not modelled.
    """
    algorithm = run.attribute("algorithm", "grpo")
    if algorithm not in ALGORITHMS:
        raise Unsupported(f"algorithm {algorithm!r} is not modelled; {', '.join(ALGORITHMS)} is")
    case, generated = run.case, _stage(run, "generation")
    chips = int(generated["chips"])
    prompt, output = float(case.number("prompt_tokens")), float(case.number("output_tokens"))
    longest = float(case.number("context_tokens")) - prompt
    generation, _ = deployed(_generating(run), _layout(generated))
    batch = case.whole("batch")
    trained = run.whole_attribute("train_batch", batch)
    try:
        return RlStep(
            generation=generation,
            generation_chips=chips,
            job=_job(run, samples=batch, tokens_per_sample=float(run.attribute("tokens_per_sample", prompt + output))),
            samples=batch,
            prompt_tokens=prompt,
            output_tokens=output,
            longest_tokens=longest,
            off_policy_steps=int(run.attribute("off_policy_steps", 0)),
            optimizer_steps=max(batch // trained, 1),
        )
    except RidgelineError as error:
        raise Unsupported(str(error)) from None


def _stage(run: Run, name: str) -> Mapping[str, Any]:
    """Settings of one side of the step."""
    found = run.attribute(name)
    if not isinstance(found, Mapping) or not isinstance(found.get("chips"), int):
        raise Unsupported(f"rl_step rows need case.{name} with its chips and degrees")
    return found


def _layout(stage: Mapping[str, Any]) -> Layout:
    degrees = {name: int(stage.get(name, 1)) for name in ("tp", "pp", "dp", "ep", "cp")}
    try:
        return Layout(**degrees)
    except (LayoutError, ValueError) as error:
        raise Unsupported(str(error)) from None


def _generating(run: Run) -> Run:
    """The run from the view of the engine that generates its samples."""
    engine = IDEAL_ENGINE if run.fidelity.at_peaks else load_engine(GENERATES, kernels=run.kernels)
    formats = {"weight_dtype": run.attribute("generation_dtype", run.case.weight_dtype), "kv_dtype": "bf16"}
    case = dataclasses.replace(run.case, **{**formats, "activation_dtype": formats["weight_dtype"]})
    return dataclasses.replace(run, case=case, engine=engine, is_engine_asked=True)


def _job(run: Run, *, samples: int, tokens_per_sample: float) -> TrainingJob:
    """Training job on samples packed into sequences of the longest's length."""
    stage = _stage(run, "training")
    chips, sequence = int(stage["chips"]), run.case.whole("context_tokens")
    degrees = {name: stage[name] for name in LAYOUT_COLUMNS if name in stage}
    replicas = chips // math.prod(int(degrees.get(name, 1)) for name in ("tp", "pp", "cp"))
    unit = max(replicas * int(degrees.get("micro_batch", 1)), 1)
    packed = bool(run.attribute("sequence_packing"))
    sequences = samples * tokens_per_sample / sequence if packed else samples
    case = dataclasses.replace(
        run.case,
        **degrees,
        attributes={EXPERT_TP: 1, **run.case.attributes},
        chips=chips,
        dp=replicas,
        prompt_tokens=sequence,
        batch=max(math.ceil(sequences / unit), 1) * unit,
    )
    return job_of(dataclasses.replace(run, case=case))
