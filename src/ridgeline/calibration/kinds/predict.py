"""From the facts of a run to the number that it should have measured.

A prediction sees the run's facts alone: never what was measured, nor the row's name, source or notes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ridgeline.calibration.cases import Case, Unsupported
from ridgeline.calibration.cases.model_table import ModelTable
from ridgeline.calibration.kinds import kernel_kinds as kernels
from ridgeline.calibration.kinds.loads import LOADS, load_passes, loaded
from ridgeline.calibration.kinds.run import Machines, Run, layout_of, machine_of
from ridgeline.calibration.kinds.steps import PASSES, passed
from ridgeline.catalog.engines import engine_of
from ridgeline.catalog.machines import load_machine
from ridgeline.equations.collectives import others_fraction
from ridgeline.equations.matrices import matmul_flop
from ridgeline.estimator.interval import DECODE_ERRORS, PREFILL_ERRORS, Part, bands_with, interval_factors, total_s
from ridgeline.numeric import Numeric
from ridgeline.serving.interval import load_width
from ridgeline.specs.engine import IDEAL_ENGINE, Engine
from ridgeline.specs.fidelity import Fidelity

__all__ = ["KINDS", "Kind", "Prediction", "predict"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """A predicted quantity with its 80 % interval, and what the reader of the row should know.

    Attributes:
        value: in the quantity's base unit.
        low: lower end.
        high: upper end.
        is_time: whether it is a time, and not the other way round.
        parts: what the time behind it is made of.
        warnings: what the prediction takes for granted or leaves out.
    """

    value: float
    low: float
    high: float
    is_time: bool
    parts: tuple[Part, ...]
    warnings: tuple[str, ...]


def predict(
    case: Case,
    models: ModelTable,
    fidelity: Fidelity,
    engine: Engine | None = None,
    *,
    kernels: Path | None = None,
    machines: Machines = load_machine,
) -> Prediction:
    """Predict the quantity of a row.

    Args:
        case: the row.
        models: rows of a model table, for models that the catalog lacks.
        fidelity: resolution of the model of time.
        engine: that ran it, where it is not the one that the row names.
        kernels: one's own calibration, whose numbers the machine and the engine take.
        machines: by their ids; the catalog's where they are left out.

    Raises:
        Unsupported: the kind, the quantity, the model, the machine or the layout is not modelled; says which.
    """
    if case.kind not in KINDS and case.kind not in LOADS:
        raise Unsupported(f"kind {case.kind!r} is not predicted; {', '.join((*KINDS, *LOADS))} are")
    machine, warnings = machine_of(case, machines, kernels)
    ran = engine or engine_of(case.engine, kernels=kernels)
    run = Run(
        case=case,
        machine=machine,
        fidelity=fidelity,
        models=models,
        engine=ran,
        warnings=list(warnings),
        is_engine_asked=engine is not None,
        kernels=kernels,
    )
    if case.kind in LOADS:
        return _under_load(run)
    kind = KINDS[case.kind]
    if case.quantity not in kind.quantities:
        known = ", ".join(kind.quantities)
        raise Unsupported(f"quantity {case.quantity!r} of {case.kind} is not predicted; {known} are")
    parts = kind.timed(run)
    time_s = float(total_s(parts))
    of_time = kind.quantities[case.quantity]
    quantities = PREFILL_ERRORS if case.kind == "prefill" else DECODE_ERRORS
    bands = bands_with(run.machine.efficiency.bands, run.engine, quantities)
    if kind.is_step and case.engine not in {"", IDEAL_ENGINE.name} and ran == IDEAL_ENGINE:
        run.warnings.append(f"engine {case.engine!r} is not known: taken to take no time besides its kernels")
    if not 0 < time_s < math.inf:
        raise Unsupported(f"{case.kind}: comes to {time_s:g} s, which is no time; look at the row's numbers")
    factors = interval_factors(parts, bands, is_step=kind.is_step)
    ends = [float(of_time(run, time_s * factor)) for factor in factors]
    return Prediction(
        value=float(of_time(run, time_s)),
        low=min(ends),
        high=max(ends),
        is_time=of_time is _time,
        parts=parts,
        warnings=_said(run),
    )


def _said(run: Run) -> tuple[str, ...]:
    """Warnings of a prediction; some quantities look at the layout again, and would say the same twice."""
    case = run.case
    unused = [f"{case.kind}: case.{key} is not modelled" for key in case.attributes if key not in run.used]
    return tuple(dict.fromkeys([*run.warnings, *unused]))


def _under_load(run: Run) -> Prediction:
    case, quantities = run.case, LOADS[run.case.kind]
    if case.quantity not in quantities:
        raise Unsupported(f"quantity {case.quantity!r} of {case.kind} is not predicted; {', '.join(quantities)} are")
    passes, load = load_passes(run), quantities[case.quantity]
    value = load.value(run, passes, loaded(passes, passes.engine))
    width = load_width(passes.pools[-1], passes.engine, load.band)
    return Prediction(
        value=value,
        low=value * math.exp(-width),
        high=value * math.exp(width),
        is_time=case.quantity.endswith("_s") and not case.quantity.endswith("_per_s"),
        parts=(),
        warnings=_said(run),
    )


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


def _whole(kind: str) -> Callable[[Run], tuple[Part, ...]]:
    """Passes with their engine's own time."""
    return lambda run: passed(PASSES[kind](run), run.engine)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """How a kind of rows is predicted.

    Attributes:
        timed: what a row's time is made of.
        quantities: what follows from its time, by name.
        is_step: whether it is a pass of a whole model, and not a kernel or message by itself.
    """

    timed: Callable[[Run], tuple[Part, ...]]
    quantities: Mapping[str, OfTime]
    is_step: bool = False


_MOVED: dict[str, OfTime] = {"latency_s": _time, "bytes_per_s": _all_to_all_rate}
KINDS: dict[str, Kind] = {
    "gemm": Kind(timed=kernels.gemm, quantities=_KERNEL),
    "grouped_gemm": Kind(timed=kernels.grouped_gemm, quantities=_KERNEL),
    "attention_prefill": Kind(timed=kernels.attention_prefill, quantities={"latency_s": _time}),
    "attention_decode": Kind(timed=kernels.attention_decode, quantities={"latency_s": _time}),
    "mla_decode": Kind(timed=kernels.mla_decode, quantities={"latency_s": _time}),
    "elementwise": Kind(timed=kernels.elementwise, quantities={"latency_s": _time}),
    "all_reduce": Kind(timed=kernels.all_reduce, quantities={"latency_s": _time, "bus_bytes_per_s": _bus(2)}),
    "all_gather": Kind(timed=kernels.all_gather, quantities={"latency_s": _time, "bus_bytes_per_s": _bus(1)}),
    "reduce_scatter": Kind(timed=kernels.all_gather, quantities={"latency_s": _time, "bus_bytes_per_s": _bus(1)}),
    "all_to_all": Kind(timed=kernels.all_to_all, quantities=_MOVED),
    "all_to_all_dispatch": Kind(timed=kernels.all_to_all, quantities=_MOVED),
    "all_to_all_combine": Kind(timed=kernels.all_to_all, quantities=_MOVED),
    "point_to_point": Kind(timed=kernels.point_to_point, quantities={"latency_s": _time, "bytes_per_s": _send_rate}),
    "decode_step": Kind(timed=_whole("decode_step"), quantities=_DECODE, is_step=True),
    "prefill": Kind(timed=_whole("prefill"), quantities=_PREFILL, is_step=True),
    "generate": Kind(timed=_whole("generate"), quantities=_GENERATE, is_step=True),
}
"""The kinds of rows that are predicted."""
