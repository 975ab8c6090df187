"""From the facts of a run to the number that it should have measured.

A prediction sees the run's facts alone: never what was measured, nor the row's name, source or notes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ridgeline.calibration.cases import Case, Unsupported
from ridgeline.calibration.model_table import table_model
from ridgeline.catalog import CatalogError, load_machine, load_model, model_ids
from ridgeline.equations.matrices import matmul_flop
from ridgeline.estimator.clock import kernel_timing
from ridgeline.estimator.estimate import Fidelity, time_step, timed_operations
from ridgeline.estimator.fit import require_divides
from ridgeline.estimator.kernels import Matmul
from ridgeline.estimator.precision import runnable
from ridgeline.specs.attention import GroupedQueryAttention
from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import LayerGroup, Model
from ridgeline.specs.number_format import FORMATS, NumberFormat, matmul_format
from ridgeline.specs.precision import Component, Precision, uniform_precision
from ridgeline.specs.workload import Decode, Phase, Prefill

__all__ = ["KINDS", "Prediction", "predict"]

ModelTable = Mapping[str, dict[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """A predicted quantity with its 80 % interval, and what the reader of the row should know."""

    value: float
    low: float
    high: float
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """What a row says was run, as records."""

    case: Case
    machine: Machine
    fidelity: Fidelity
    models: ModelTable
    warnings: list[str]


def predict(case: Case, models: ModelTable, fidelity: Fidelity) -> Prediction:
    """Predict the quantity of a row.

    Args:
        case: the row.
        models: rows of a model table, for models that the catalog lacks.
        fidelity: resolution of the model of time.

    Raises:
        Unsupported: the kind, the quantity, the model, the machine or the layout is not modelled; says which.
    """
    if case.kind not in KINDS:
        raise Unsupported(f"kind {case.kind!r} is not predicted; {', '.join(KINDS)} are")
    machine, warnings = _machine(case)
    run = _Run(case=case, machine=machine, fidelity=fidelity, models=models, warnings=list(warnings))
    timed, quantities = KINDS[case.kind]
    if case.quantity not in quantities:
        raise Unsupported(f"quantity {case.quantity!r} of {case.kind} is not predicted; {', '.join(quantities)} are")
    time_s = timed(run)
    efficiency = fidelity.efficiency(machine)
    of_time = quantities[case.quantity]
    ends = (of_time(run, time_s * efficiency.low_factor), of_time(run, time_s * efficiency.high_factor))
    unused = [f"{case.kind}: case.{key} is not modelled" for key in case.attributes if key not in USED_ATTRIBUTES]
    # Some quantities look at the layout again, and would say the same twice.
    said = tuple(dict.fromkeys([*run.warnings, *unused]))
    return Prediction(value=of_time(run, time_s), low=min(ends), high=max(ends), warnings=said)


USED_ATTRIBUTES = {"weight_group", "padded_heads"}
"""Attributes of a run that predictions use; every other is a warning."""


def _machine(case: Case) -> tuple[Machine, tuple[str, ...]]:
    """The row's machine, with what the run changed of it."""
    try:
        machine = load_machine(case.machine)
    except CatalogError:
        raise Unsupported(f"machine {case.machine!r} is not in the catalog") from None
    warnings = []
    for field, value in case.machine_overrides.items():
        if field == "hbm_bytes_per_s":
            machine = dataclasses.replace(machine, chip=dataclasses.replace(machine.chip, hbm_bytes_per_s=value))
        elif field == "scale_out_bytes_per_s":
            fabric = (*machine.fabric[:1], *(dataclasses.replace(one, bytes_per_s=value) for one in machine.fabric[1:]))
            machine = dataclasses.replace(machine, fabric=fabric)
        else:
            warnings.append(f"override {field} is not modelled")
    return machine, tuple(warnings)


def _format(name: str) -> NumberFormat:
    if name not in FORMATS:
        raise Unsupported(f"number format {name!r} is not modelled; {', '.join(FORMATS)} are")
    return FORMATS[name]


def _model(run: _Run) -> Model:
    name = run.case.facts.get("model", "")
    if name in model_ids():
        model = load_model(name)
    elif name in run.models:
        model = table_model(run.models[name])
    else:
        raise Unsupported(f"model {name!r} is neither in the catalog nor in the model table")
    padded = run.case.attributes.get("padded_heads")
    if padded is None:
        return model
    if not isinstance(padded, int):
        raise Unsupported(f"padded_heads={padded!r} is not a whole number")
    return dataclasses.replace(model, groups=tuple(_padded(group, int(padded)) for group in model.groups))


def _padded(group: LayerGroup, query_heads: int) -> LayerGroup:
    """The layers with heads added so that they divide over the chips of the run."""
    if not isinstance(group.attention, GroupedQueryAttention):
        raise Unsupported(f"padded heads of {type(group.attention).__name__} are not modelled")
    try:
        attention = dataclasses.replace(group.attention, query_heads=query_heads)
    except ValueError as error:
        raise Unsupported(f"padded_heads: {error}") from None
    return dataclasses.replace(group, attention=attention)


def _layout(run: _Run) -> Layout:
    case = run.case
    degrees = {name: int(case.number_or(name, 1)) for name in ("tp", "pp", "ep", "dp", "cp")}
    try:
        layout = Layout(**degrees)
    except (LayoutError, ValueError) as error:
        raise Unsupported(str(error)) from None
    chips = int(case.number_or("chips", layout.chips))
    if chips != layout.chips:
        raise Unsupported(f"tp*pp*dp*cp = {layout.chips}, but the run has {chips} chips")
    return layout


def _precision(run: _Run, model: Model) -> Precision:
    """The row's number formats; what it leaves out is the model's. What that takes for granted is a warning."""
    facts = run.case.facts
    precision = model.precision
    if "weight_dtype" in facts:
        weights = _format(facts["weight_dtype"]).name
        operands = _format(facts["activation_dtype"]).name if "activation_dtype" in facts else None
        # A block format of activations is that of rows, not of weights.
        operands = {"fp8_block": "fp8_row"}.get(operands or "", operands)
        precision = uniform_precision(weights, operands=operands, kv=precision.kv.name)
        precision = _with_weight_group(precision, run.case.attributes.get("weight_group"))
    kv = facts.get("kv_dtype", _unstated_kv(facts))
    if "kv_dtype" not in facts:
        run.warnings.append(f"kv_dtype is empty: taken as {kv or precision.kv.name}")
    precision, lacks = runnable(
        dataclasses.replace(precision, kv=_format(kv) if kv else precision.kv), run.machine.chip
    )
    run.warnings.extend(lacks)
    return precision


def _unstated_kv(facts: dict[str, str]) -> str | None:
    """The cache's format where a row leaves it out: TensorRT-LLM's recipes for 8- and 4-bit weights keep it in 8."""
    narrow = facts.get("weight_dtype", "") in {"fp8", "fp8_block", "nvfp4"}
    return "fp8" if narrow and facts.get("engine", "").startswith("trtllm") else None


def _with_weight_group(precision: Precision, group: int | None) -> Precision:
    """Integer weights whose scale and zero point, 16 bits each, are shared by ``group`` values."""
    if group is None:
        return precision
    for component in Component:
        formats = precision.of(component)
        if formats.weight.name == "int4":
            finer = dataclasses.replace(formats.weight, scale_bits=32, block_values=int(group))
            precision = precision.replaced(component, dataclasses.replace(formats, weight=finer))
    return precision


def _step_time_s(run: _Run, phase: Phase) -> float:
    """The time of one pass, or the sum over a grid of passes."""
    model, layout = _model(run), _layout(run)
    try:
        require_divides(model, run.machine, layout)
    except LayoutError as error:
        raise Unsupported(str(error)) from None
    precision = _precision(run, model)
    operations = timed_operations(run.fidelity, model, run.machine, layout, phase, precision)
    return float(np.sum(time_step(operations)[0]))


def _gemm_s(run: _Run) -> float:
    case = run.case
    weights = _format(case.facts.get("weight_dtype", "bf16"))
    operand = _format(case.facts.get("activation_dtype", weights.operand))
    operand = FORMATS["fp8_row"] if operand.name == "fp8_block" else operand
    if operand.arithmetic not in run.machine.chip.flop_per_s:
        raise Unsupported(f"{run.machine.id} has no {operand.arithmetic} arithmetic")
    kernel = Matmul(
        rows=case.number("m"),
        columns=case.number("n"),
        inner=case.number("k"),
        format=matmul_format(weights.name, operand.name),
    )
    return float(kernel_timing(kernel, run.machine, run.fidelity.efficiency(run.machine)).time_s)


def _decode_s(run: _Run) -> float:
    return _step_time_s(run, Decode(batch=run.case.number("batch"), context_tokens=run.case.number("context_tokens")))


def _prefill_s(run: _Run) -> float:
    return _step_time_s(run, Prefill(batch=run.case.number("batch"), prompt_tokens=run.case.number("prompt_tokens")))


def _generate_s(run: _Run) -> float:
    """A static batch: the prompt gives the first token, each further one a step over one more token of context."""
    case = run.case
    contexts = case.number("prompt_tokens") + np.arange(1, case.number("output_tokens"))
    if len(contexts) == 0:
        return _prefill_s(run)
    # One length for the whole grid, so that operations without context count as often.
    batch = np.full(len(contexts), case.number("batch"))
    return _prefill_s(run) + _step_time_s(run, Decode(batch=batch, context_tokens=contexts))


OfTime = Callable[[_Run, float], float]


def _time(run: _Run, time_s: float) -> float:
    return time_s


def _flop_per_s(run: _Run, time_s: float) -> float:
    case = run.case
    flop = matmul_flop(rows=case.number("m"), columns=case.number("n"), inner=case.number("k"))
    return float(flop) / time_s


def _rate(*columns: str, per_chip: bool = False) -> OfTime:
    """The product of columns over the time."""

    def rate(run: _Run, time_s: float) -> float:
        amount = float(np.prod([run.case.number(column) for column in columns]))
        return amount / time_s / (_layout(run).chips if per_chip else 1)

    return rate


_KERNEL: dict[str, OfTime] = {"latency_s": _time, "flop_per_s": _flop_per_s}
_DECODE: dict[str, OfTime] = {
    "latency_s": _time,
    "step_s": _time,
    "tpot_s": _time,
    "output_tokens_per_s": _rate("batch"),
    "output_tokens_per_s_per_chip": _rate("batch", per_chip=True),
}
_PREFILL: dict[str, OfTime] = {
    "latency_s": _time,
    "ttft_s": _time,
    "tokens_per_s": _rate("batch", "prompt_tokens"),
    "tokens_per_s_per_chip": _rate("batch", "prompt_tokens", per_chip=True),
}
_GENERATE: dict[str, OfTime] = {
    "latency_s": _time,
    "output_tokens_per_s": _rate("batch", "output_tokens"),
    "output_tokens_per_s_per_chip": _rate("batch", "output_tokens", per_chip=True),
}
KINDS: dict[str, tuple[Callable[[_Run], float], dict[str, OfTime]]] = {
    "gemm": (_gemm_s, _KERNEL),
    "decode_step": (_decode_s, _DECODE),
    "prefill": (_prefill_s, _PREFILL),
    "generate": (_generate_s, _GENERATE),
}
"""How each kind is timed, and which quantities follow from its time."""
