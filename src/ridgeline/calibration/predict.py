"""From the facts of a run to the number that it should have measured.

A prediction sees the run's facts alone: never what was measured, nor the row's name, source or notes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ridgeline.calibration import kernel_kinds as kernels
from ridgeline.calibration import steps
from ridgeline.calibration.cases import Case, Unsupported
from ridgeline.calibration.run import ModelTable, Run, layout_of, machine_of
from ridgeline.catalog.engines import engine_of
from ridgeline.equations.collectives import others_fraction
from ridgeline.equations.matrices import matmul_flop
from ridgeline.estimator.estimate import Fidelity
from ridgeline.numeric import Numeric

__all__ = ["KINDS", "Prediction", "predict"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """A predicted quantity with its 80 % interval, and what the reader of the row should know."""

    value: float
    low: float
    high: float
    warnings: tuple[str, ...]


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
    machine, warnings = machine_of(case)
    engine = engine_of(case.facts.get("engine", ""))
    run = Run(case=case, machine=machine, fidelity=fidelity, models=models, engine=engine, warnings=list(warnings))
    timed, quantities = KINDS[case.kind]
    if case.quantity not in quantities:
        raise Unsupported(f"quantity {case.quantity!r} of {case.kind} is not predicted; {', '.join(quantities)} are")
    time_s = float(timed(run))
    efficiency = fidelity.efficiency(machine)
    of_time = quantities[case.quantity]
    ends = [float(of_time(run, time_s * factor)) for factor in (efficiency.low_factor, efficiency.high_factor)]
    unused = [f"{case.kind}: case.{key} is not modelled" for key in case.attributes if key not in run.used]
    # Some quantities look at the layout again, and would say the same twice.
    said = tuple(dict.fromkeys([*run.warnings, *unused]))
    return Prediction(value=float(of_time(run, time_s)), low=min(ends), high=max(ends), warnings=said)


OfTime = Callable[[Run, Numeric], Numeric]


def _time(run: Run, time_s: Numeric) -> Numeric:
    return time_s


def _flop_per_s(run: Run, time_s: Numeric) -> Numeric:
    case = run.case
    groups = case.number_or("groups", 1)
    flop = matmul_flop(rows=groups * case.number("m"), columns=case.number("n"), inner=case.number("k"))
    return flop / time_s


def _bus(factor: float) -> OfTime:
    """Bytes that each rank sends a second: the buffer's share of the others, so many times."""

    def rate(run: Run, time_s: Numeric) -> Numeric:
        sent = factor * others_fraction(ranks=run.case.number("ranks")) * run.case.number("message_bytes")
        return sent / time_s

    return rate


def _all_to_all_rate(run: Run, time_s: Numeric) -> Numeric:
    return kernels.all_to_all_bytes(run) / time_s


def _send_rate(run: Run, time_s: Numeric) -> Numeric:
    return run.case.number_or("message_bytes", kernels.ASYMPTOTIC_BYTES) / time_s


def _rate(*columns: str, per_chip: bool = False) -> OfTime:
    """The product of columns over the time."""

    def rate(run: Run, time_s: Numeric) -> Numeric:
        amount: Numeric = 1.0
        for column in columns:
            amount = amount * run.case.number(column)
        return amount / time_s / (layout_of(run).chips if per_chip else 1)

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
_ALL_TO_ALL: dict[str, OfTime] = {"latency_s": _time, "bytes_per_s": _all_to_all_rate}
KINDS: dict[str, tuple[Callable[[Run], Numeric], dict[str, OfTime]]] = {
    "gemm": (kernels.gemm_s, _KERNEL),
    "grouped_gemm": (kernels.grouped_gemm_s, _KERNEL),
    "attention_prefill": (kernels.attention_prefill_s, {"latency_s": _time}),
    "attention_decode": (kernels.attention_decode_s, {"latency_s": _time}),
    "mla_decode": (kernels.mla_decode_s, {"latency_s": _time}),
    "elementwise": (kernels.elementwise_s, {"latency_s": _time}),
    "all_reduce": (kernels.all_reduce_s, {"latency_s": _time, "bus_bytes_per_s": _bus(2)}),
    "all_gather": (kernels.all_gather_s, {"latency_s": _time, "bus_bytes_per_s": _bus(1)}),
    "reduce_scatter": (kernels.all_gather_s, {"latency_s": _time, "bus_bytes_per_s": _bus(1)}),
    "all_to_all": (kernels.all_to_all_s, _ALL_TO_ALL),
    "all_to_all_dispatch": (kernels.all_to_all_s, _ALL_TO_ALL),
    "all_to_all_combine": (kernels.all_to_all_s, _ALL_TO_ALL),
    "point_to_point": (kernels.point_to_point_s, {"latency_s": _time, "bytes_per_s": _send_rate}),
    "decode_step": (steps.decode_s, _DECODE),
    "prefill": (steps.prefill_s, _PREFILL),
    "generate": (steps.generate_s, _GENERATE),
}
"""How each kind is timed, and which quantities follow from its time."""
