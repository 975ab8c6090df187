"""The training job of a row: its model, layout, recipe and framework."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from ridgeline.calibration.cases import Unsupported
from ridgeline.calibration.kinds.run import Run, model_of
from ridgeline.catalog.facts import CatalogError
from ridgeline.catalog.trainers import load_trainer, run_defaults
from ridgeline.errors import RidgelineError
from ridgeline.specs.layout import Layout
from ridgeline.specs.model import Model
from ridgeline.specs.number_format import number_format
from ridgeline.specs.trainer import IDEAL_TRAINER, Trainer
from ridgeline.specs.training_defaults import TrainingDefaults
from ridgeline.training.job import TrainingJob
from ridgeline.training.layout import TrainingLayout
from ridgeline.training.recipe import Recipe
from ridgeline.training.recompute import NO_RECOMPUTE, Recompute
from ridgeline.training.schedules import Schedule, find_schedule

__all__ = ["ATTRIBUTES", "job_of"]

READ = frozenset(
    {
        *("grad_dtype", "optimizer_dtypes", "overlap_grad_reduce", "overlap_param_gather", "overlap_tp", "overlap_p2p"),
        *("overlap_ep_a2a", "async_tp", "cuda_graphs", "cuda_graph_scope", "recompute_modules", "offload_modules"),
        *("dispatcher", "etp", "routing", "capacity_factor", "fused_cross_entropy", "attention_backend"),
        *("transformer_impl", "dropout", "deterministic", "float8_recipe", "float8_params", "mtp_layers", "fsdp"),
        *("vocab_padded_to", "vocab_multiple", "compile", "task", "remat_saved", "padded_heads"),
    }
)
"""Attributes that determine a job."""

RESTATED = frozenset(
    {
        *("dp_outer", "slices", "topology", "devices_per_chip", "fsdp_devices"),  # of chips, ``dp`` and ``fsdp``
        "fsdp_sharding",  # of ``zero_stage``
        "master_dtype",  # 32 bits, as they are taken to be
    }
)
"""Attributes that repeat others."""

ATTRIBUTES = READ | RESTATED
"""Attributes that are read."""

SCALINGS = {
    "tensorwise": "tensor",
    "rowwise": "row",
    "delayed": "delayed",
    "static": "delayed",
    "blockwise": "block",
    "mxfp8": "mx",
}
"""Scaling of 8-bit operands, by the names of recipes."""

KEEPS_PRODUCTS = Recompute(modules=frozenset({"layernorm"}))
POLICIES = {
    "": NO_RECOMPUTE,
    "none": NO_RECOMPUTE,
    "full": Recompute(is_full=True),
    # MaxText's policies that keep the outputs of products, here or in host memory.
    **dict.fromkeys(("minimal", "minimal_flash", "minimal_with_context", "qkv_proj_offloaded"), KEEPS_PRODUCTS),
}
"""Recompute modes by names that determine them."""

QUERIES = frozenset({"query_proj", "qkv_proj"})
"""Products that MaxText's own policies save where they keep attention's."""

OFFLOADS = {"decoder_layer_input": "attn_norm"}
"""Tensors that are offloaded under other names than ours: a layer's input is that of its first norm."""


def job_of(run: Run, trainer: Trainer | None = None) -> TrainingJob:
    """The job of a row.

    Args:
        run: the row with its records.
        trainer: framework in place of the catalog's.

    Raises:
        Unsupported: the row states something that is not modelled, or does not divide.
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
            schedule=_schedule(run),
            fidelity=run.fidelity,
        )
        _ = job.stages
    except CatalogError:
        raise
    except RidgelineError as error:
        raise Unsupported(str(error)) from None
    return job


def _schedule(run: Run) -> Schedule | None:
    """Pipeline schedule; with several parts of the layers, rows call interleaving by the name of 1F1B."""
    case = run.case
    return find_schedule(case.schedule) if case.schedule and (case.virtual_stages or 1) == 1 else None


def _padded(run: Run, model: Model) -> Model:
    """The model with its vocabulary padded to a multiple."""
    multiple = run.attribute("vocab_padded_to") or run.attribute("vocab_multiple")
    if not multiple:
        return model
    return dataclasses.replace(model, vocab=-(-model.vocab // int(multiple)) * int(multiple))


def _layout(run: Run, model: Model, defaults: TrainingDefaults) -> TrainingLayout:
    case = run.case
    tp, pp, cp, replicas = (getattr(case, name) or 1 for name in ("tp", "pp", "cp", "dp"))
    if case.chips is not None and tp * pp * cp * replicas != case.chips:
        raise Unsupported(f"tp*pp*cp*dp = {tp * pp * cp * replicas}, but the run has {case.chips} chips")
    # Chips that share states, or the name of the sharding among all.
    shards = run.attribute("fsdp")
    is_number = isinstance(shards, int) and not isinstance(shards, bool)
    divides_tokens = case.sequence_parallel == "1" if case.sequence_parallel else defaults.sequence_parallel
    return TrainingLayout(
        layout=Layout(tp=tp, pp=pp, cp=cp),
        replicas=replicas,
        ep=(case.ep or 1) if model.is_routed else 1,
        expert_tp=int(run.attribute("etp", tp)) if model.is_routed else tp,
        zero_stage=int(case.zero_stage) if case.zero_stage else defaults.zero_stage,
        shards=shards if is_number and shards < cp * replicas else None,
        virtual_stages=(case.virtual_stages or 1) if pp > 1 else 1,
        sequence_parallel=tp > 1 and divides_tokens,
        micro_batch=case.micro_batch or 1,
    )


def _recompute(run: Run, defaults: TrainingDefaults) -> Recompute:
    """Recompute mode: by the modules that are named, or by the name of a policy."""
    mode, modules = run.case.recompute, run.attribute("recompute_modules")
    if mode in POLICIES:
        return POLICIES[mode]
    if mode == "selective":
        return Recompute(modules=frozenset(modules or defaults.selective))
    if mode == "custom":
        keeps_attention = QUERIES & frozenset(run.attribute("remat_saved", ()))
        return Recompute(modules=frozenset({"mlp", "layernorm"})) if keeps_attention else POLICIES["full"]
    raise Unsupported(f"recompute {mode!r} is not modelled; none, selective and full are")


def _recipe(run: Run, defaults: TrainingDefaults) -> Recipe:
    said, scaling = run.attribute, _scaling(run, defaults)
    states: Mapping[str, str] = said("optimizer_dtypes", {})
    return Recipe(
        scaling=scaling,
        weights="fp8" if scaling and said("float8_params") else "bf16",
        gradients=number_format(said("grad_dtype", defaults.gradients)).name,
        moments=number_format(states.get("exp_avg", "fp32")).name,
        recompute=_recompute(run, defaults),
        hides_gradients=bool(said("overlap_grad_reduce", "gradients" in defaults.hides)),
        hides_weights=bool(said("overlap_param_gather", "weights" in defaults.hides)),
        hides_tp=bool(said("overlap_tp", "tp" in defaults.hides) or said("async_tp")),
        hides_sends=said("overlap_p2p"),
        hides_dispatch=bool(said("overlap_ep_a2a")),
        graphs=_graphs(run),
        dispatcher=said("dispatcher", "alltoall"),
        # Randomly routed tokens are as uneven as a router's.
        routing="balanced" if said("routing", defaults.routing) == "balanced" else "natural",
        capacity_factor=said("capacity_factor"),
        fuses_loss=bool(said("fused_cross_entropy", defaults.fuses_loss)),
        fuses_attention=_fuses_attention(run, defaults),
        dropout=_dropout(run, defaults),
        is_compiled=bool(said("compile")),
        is_deterministic=bool(said("deterministic")),
        offloads=frozenset(OFFLOADS.get(name, name) for name in said("offload_modules", ())),
        predicted_tokens=int(said("mtp_layers", 0)),
        power_limit_w=run.case.machine_overrides.get("power_limit_w"),
        trains_adapters=said("task") == "lora",
    )


def _scaling(run: Run, defaults: TrainingDefaults) -> str:
    """Scaling of 8-bit products; empty for 16-bit ones."""
    products, recipe = run.case.weight_dtype, run.attribute("float8_recipe")
    if products in {"", "bf16", "fp16"}:
        return ""
    if products == "mxfp8":
        return SCALINGS["mxfp8"]
    if products != "fp8":
        raise Unsupported(f"training in {products} is not modelled; bf16, fp16, fp8 and mxfp8 are")
    if recipe is None:
        return defaults.scaling
    if recipe not in SCALINGS:
        raise Unsupported(f"float8_recipe {recipe!r} is not modelled; {', '.join(SCALINGS)} are")
    return SCALINGS[recipe]


def _graphs(run: Run) -> frozenset[str]:
    """Parts captured in CUDA graphs; in pieces that are not named, a dense layer's both."""
    captured = run.attribute("cuda_graphs")
    pieces = frozenset(run.attribute("cuda_graph_scope", ("attn", "mlp")) if captured else ())
    return pieces | {"full_iteration"} if captured == "full_iteration" else pieces


def _fuses_attention(run: Run, defaults: TrainingDefaults) -> bool:
    backend = run.attribute("attention_backend")
    if backend == "unfused" or run.attribute("transformer_impl") == "local":
        return False
    return defaults.fuses_attention or backend is not None


def _dropout(run: Run, defaults: TrainingDefaults) -> bool:
    """Whether there is dropout, be it stated once or for each place."""
    stated = run.attribute("dropout")
    if stated is None:
        return defaults.dropout
    return any(stated) if isinstance(stated, list) else bool(stated)
