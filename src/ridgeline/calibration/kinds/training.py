"""Kinds of cases that are steps of training runs, and the memory that they take."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ridgeline.calibration.cases import Unsupported
from ridgeline.calibration.kinds.quantity import Measure
from ridgeline.calibration.kinds.run import Run, model_of
from ridgeline.catalog.facts import CatalogError
from ridgeline.catalog.trainers import load_trainer, run_defaults, trainer_bands
from ridgeline.errors import RidgelineError
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.layout import Layout
from ridgeline.specs.model import Model
from ridgeline.specs.number_format import number_format
from ridgeline.specs.trainer import IDEAL_TRAINER, Trainer
from ridgeline.specs.training_defaults import TrainingDefaults
from ridgeline.training.flop import hardware_flop, hfu_fraction, mfu_fraction, model_flop
from ridgeline.training.job import TrainingJob
from ridgeline.training.layout import TrainingLayout
from ridgeline.training.memory import TrainingMemory, stage_memory, training_memory
from ridgeline.training.recipe import MODULES, OFFLOADS, Recipe, Recompute
from ridgeline.training.schedules import find_schedule
from ridgeline.training.step import StepTime, step_time

__all__ = ["MEMORY", "TRAIN_STEP", "TrainingKind", "TrainingQuantity", "job_of", "measured_step_s", "of_training"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingQuantity:
    """A number that follows from a step's time.

    Attributes:
        of_time: the number, of a job and its time.
        measure: whether it is that time or a rate.
    """

    of_time: Callable[[TrainingJob, float], float]
    measure: Measure = Measure.RATE


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingKind:
    """Steps of training runs, or the memory of one.

    Attributes:
        quantities: what follows from a step's time, by name; of memory its bytes alone.
        attributes: facts without a column that are understood.
    """

    quantities: Mapping[str, TrainingQuantity]
    attributes: frozenset[str]


def _rate(job: TrainingJob, time_s: float, *, amount: float) -> float:
    return amount / time_s / job.layout.chips


TIME = TrainingQuantity(of_time=lambda _, time_s: time_s, measure=Measure.TIME)
STEP_QUANTITIES = {
    "step_s": TIME,
    "latency_s": TIME,
    "tokens_per_s_per_chip": TrainingQuantity(
        of_time=lambda job, time_s: _rate(job, time_s, amount=job.batch * job.sequence_tokens)
    ),
    "samples_per_s_per_chip": TrainingQuantity(of_time=lambda job, time_s: _rate(job, time_s, amount=job.batch)),
    "mfu": TrainingQuantity(of_time=mfu_fraction),
    "hfu": TrainingQuantity(of_time=hfu_fraction),
    "model_flop_per_s_per_chip": TrainingQuantity(
        of_time=lambda job, time_s: _rate(job, time_s, amount=model_flop(job))
    ),
    "hardware_flop_per_s_per_chip": TrainingQuantity(
        of_time=lambda job, time_s: _rate(job, time_s, amount=hardware_flop(job))
    ),
}

ATTRIBUTES = frozenset(
    {
        *("grad_dtype", "optimizer_dtypes", "overlap_grad_reduce", "overlap_param_gather", "overlap_tp", "overlap_p2p"),
        *("overlap_ep_a2a", "async_tp", "cuda_graphs", "cuda_graph_scope", "recompute_modules", "offload_modules"),
        *("dispatcher", "etp", "routing", "capacity_factor", "fused_cross_entropy", "attention_backend"),
        *("transformer_impl", "dropout", "deterministic", "float8_recipe", "float8_params", "mtp_layers", "fsdp"),
        *("dp_outer", "slices", "vocab_padded_to", "vocab_multiple", "compile", "part", "stage", "task", "remat_saved"),
        *("devices_per_chip", "fsdp_devices", "master_dtype", "fsdp_sharding", "topology", "padded_heads"),
    }
)

TRAIN_STEP = TrainingKind(quantities=STEP_QUANTITIES | {"bubble_fraction": TIME, "bytes": TIME}, attributes=ATTRIBUTES)
MEMORY = TrainingKind(quantities={"bytes": TIME}, attributes=ATTRIBUTES)

SCALINGS = {
    "tensorwise": "tensor",
    "rowwise": "row",
    "delayed": "delayed",
    "static": "delayed",
    "blockwise": "block",
    "mxfp8": "mx",
}
"""How 8-bit operands are scaled, by the names of recipes."""


def job_of(run: Run, trainer: Trainer | None = None) -> TrainingJob:
    """The job of a row.

    Args:
        run: the row with its records.
        trainer: in place of the catalog's.

    Raises:
        Unsupported: something that it states is not modelled, or does not divide.
    """
    case = run.case
    defaults = run_defaults(case.engine)
    if defaults is None:
        raise Unsupported(f"training framework {case.engine!r} is not known")
    if trainer is None:
        trainer = IDEAL_TRAINER if run.fidelity.at_peaks else load_trainer(defaults.trainer)
    try:
        model = _padded(run, model_of(run))
        job = TrainingJob(
            model=model,
            machine=run.machine,
            layout=_layout(run, model, defaults),
            recipe=_recipe(run, defaults),
            trainer=trainer,
            sequence_tokens=case.whole("prompt_tokens"),
            batch=case.whole("batch"),
            schedule=find_schedule(case.schedule) if case.schedule and (case.virtual_stages or 1) == 1 else None,
            fidelity=run.fidelity,
        )
        _ = job.stages
    except CatalogError:
        raise
    except RidgelineError as error:
        raise Unsupported(str(error)) from None
    return job


def _padded(run: Run, model: Model) -> Model:
    """The model with its vocabulary filled up to a multiple."""
    multiple = run.attribute("vocab_padded_to") or run.attribute("vocab_multiple")
    if not multiple:
        return model
    return dataclasses.replace(model, vocab=-(-model.vocab // int(multiple)) * int(multiple))


def _layout(run: Run, model: Model, defaults: TrainingDefaults) -> TrainingLayout:
    case = run.case
    tp, pp, cp, replicas = (getattr(case, name) or 1 for name in ("tp", "pp", "cp", "dp"))
    if case.chips is not None and tp * pp * cp * replicas != case.chips:
        raise Unsupported(f"tp*pp*cp*dp = {tp * pp * cp * replicas}, but the run has {case.chips} chips")
    routed = any(isinstance(group.feed_forward, RoutedExperts) for group in model.groups)
    zero_stage = int(case.zero_stage) if case.zero_stage else defaults.zero_stage
    shards = run.attribute("fsdp")
    state_chips = cp * replicas
    spread = isinstance(shards, int) and not isinstance(shards, bool) and shards < state_chips
    return TrainingLayout(
        layout=Layout(tp=tp, pp=pp, cp=cp),
        replicas=replicas,
        ep=(case.ep or 1) if routed else 1,
        expert_tp=int(run.attribute("etp", tp)) if routed else 1,
        zero_stage=zero_stage,
        shards=shards if spread else None,
        virtual_stages=(case.virtual_stages or 1) if pp > 1 else 1,
        sequence_parallel=tp > 1
        and (defaults.sequence_parallel if not case.sequence_parallel else case.sequence_parallel == "1"),
        micro_batch=case.micro_batch or 1,
    )


def _recompute(run: Run, defaults: TrainingDefaults) -> Recompute:
    """What is computed again: by the modules that are named, or by the name of a policy."""
    mode, modules = run.case.recompute, run.attribute("recompute_modules")
    saved = frozenset(run.attribute("remat_saved", ()))
    if mode in {"", "none"}:
        return Recompute()
    if mode == "full" or (mode == "custom" and not saved & {"query_proj", "qkv_proj"}):
        return Recompute(is_full=True)
    if mode == "selective":
        return Recompute(modules=frozenset(modules or defaults.selective) & frozenset(MODULES))
    if mode == "custom":
        return Recompute(modules=frozenset({"mlp", "layernorm"}))
    if mode in {"minimal_with_context", "minimal", "minimal_flash", "qkv_proj_offloaded"}:
        # MaxText's policies that keep what products put out, here or in the host's memory.
        return Recompute(modules=frozenset({"layernorm"}))
    raise Unsupported(f"recompute {mode!r} is not modelled; none, selective and full are")


def _recipe(run: Run, defaults: TrainingDefaults) -> Recipe:
    case, said = run.case, run.attribute
    narrow = case.weight_dtype in {"fp8", "mxfp8"}
    if not narrow and case.weight_dtype not in {"", "bf16", "fp16"}:
        raise Unsupported(f"training in {case.weight_dtype} is not modelled; bf16, fp16, fp8 and mxfp8 are")
    scaling = ""
    if narrow:
        name = said("float8_recipe")
        scaling = "mx" if case.weight_dtype == "mxfp8" else SCALINGS.get(name, defaults.scaling)
    states: Mapping[str, Any] = said("optimizer_dtypes", {})
    graphs = frozenset(said("cuda_graph_scope", ("attn", "mlp")) if said("cuda_graphs") else ())
    if said("cuda_graphs") == "full_iteration":
        graphs |= {"full_iteration"}
    hidden = frozenset(defaults.hides)
    dropout = said("dropout")
    return Recipe(
        compute="fp8" if narrow else "bf16",
        scaling=scaling,
        weights="fp8" if narrow and said("float8_params") else "bf16",
        gradients=_format(said("grad_dtype", defaults.gradients)),
        moments=_format(states.get("exp_avg", "fp32")),
        recompute=_recompute(run, defaults),
        hides_gradients=bool(said("overlap_grad_reduce", "gradients" in hidden)),
        hides_weights=bool(said("overlap_param_gather", "weights" in hidden)),
        hides_tp=bool(said("overlap_tp", "tp" in hidden) or said("async_tp")),
        hides_sends=said("overlap_p2p"),
        hides_dispatch=bool(said("overlap_ep_a2a")),
        graphs=graphs,
        dispatcher=str(said("dispatcher", "alltoall")),
        routing="balanced" if said("routing", defaults.routing) == "balanced" else "natural",
        capacity_factor=said("capacity_factor"),
        fuses_loss=bool(said("fused_cross_entropy", defaults.fuses_loss)),
        fuses_attention=said("attention_backend") != "unfused"
        and said("transformer_impl") != "local"
        and (defaults.fuses_attention or said("attention_backend") is not None),
        dropout=defaults.dropout if dropout is None else any(dropout) if isinstance(dropout, list) else bool(dropout),
        is_compiled=bool(said("compile")),
        is_deterministic=bool(said("deterministic")),
        offloads=frozenset(said("offload_modules", ())) & frozenset(OFFLOADS),
        predicted_tokens=int(said("mtp_layers", 0)),
        power_limit_w=case.machine_overrides.get("power_limit_w"),
        trains_adapters=said("task") == "lora",
    )


def _format(name: str) -> str:
    return number_format(name).name


def measured_step_s(job: TrainingJob, quantity: str, measured: float) -> float:
    """The time of a step behind a measured number."""
    kind = STEP_QUANTITIES[quantity]
    return measured if kind.measure is Measure.TIME else kind.of_time(job, 1.0) / measured


def of_training(run: Run, kind: TrainingKind) -> tuple[float, float, bool]:
    """The predicted quantity of a row, the width of its interval in logarithms, and whether it is a time.

    Raises:
        Unsupported: something that it states is not modelled.
    """
    job, quantity = job_of(run), run.case.quantity
    bands = trainer_bands()
    routed = any(isinstance(group.feed_forward, RoutedExperts) for group in job.model.groups)
    if quantity == "bytes":
        memory = _memory(run, job)
        return memory, bands.memory_routed if routed else bands.memory_dense, True
    found: StepTime = step_time(job)
    width = bands.step_routed if routed else bands.step_dense
    if quantity == "bubble_fraction":
        return found.bubble_fraction, width, True
    how = kind.quantities[quantity]
    return how.of_time(job, found.step_time_s), width, how.measure is Measure.TIME


def _memory(run: Run, job: TrainingJob) -> float:
    """Bytes of the part of a chip's memory that a row states."""
    try:
        stage = {"first": 0, "last": job.last_stage}.get(run.attribute("stage", ""))
        memory: TrainingMemory = training_memory(job) if stage is None else stage_memory(job, stage)
    except RidgelineError as error:
        raise Unsupported(str(error)) from None
    part = run.attribute("part", "peak")
    if part == "activations":
        return memory.activations_bytes
    if part == "params_plus_optimizer":
        return memory.weights_bytes + memory.gradients_bytes + memory.optimizer_bytes
    if part != "peak":
        raise Unsupported(f"part {part!r} of memory is not known; peak, activations and params_plus_optimizer are")
    return memory.total_bytes
