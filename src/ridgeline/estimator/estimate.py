"""(model, machine, layout, phase) -> the step: its time, what binds it, its operations, and the memory it needs."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ridgeline.errors import RidgelineError
from ridgeline.estimator.clock import NO_WORK, Cause, Timing, kernel_timing, message_timing, scaled
from ridgeline.estimator.engine_support import engine_notes
from ridgeline.estimator.fit import require_divides
from ridgeline.estimator.host import besides_s, launched, replayed, sent
from ridgeline.estimator.interval import WAITED, Part, bands_with, interval_factors
from ridgeline.estimator.kernels import Kernel
from ridgeline.estimator.memory import Memory, limits_of, memory_per_chip
from ridgeline.estimator.messages import Message
from ridgeline.estimator.napkin import napkin_timing
from ridgeline.estimator.pipeline import Parts, occupied_time_s, parts_of, pass_time_s
from ridgeline.estimator.precision import precision_on
from ridgeline.estimator.step import micro_batches, rows_per_chip, sequences_per_group, step_operations
from ridgeline.numeric import Numeric, ceil
from ridgeline.quantity_text import format_quantity
from ridgeline.specs.band import STEP, Band
from ridgeline.specs.correction import NO_CORRECTION, Correction
from ridgeline.specs.efficiency import IDEAL, Efficiency
from ridgeline.specs.engine import IDEAL_ENGINE, Engine, Limits, is_ideal
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.precision import Precision
from ridgeline.specs.workload import Decode, Phase

__all__ = [
    "BESIDES",
    "DECODE_ERRORS",
    "FIDELITIES",
    "MEASURED",
    "NAPKIN",
    "PREFILL_ERRORS",
    "ROOFLINE",
    "STAGES_UNMEASURED",
    "WAIT",
    "Estimate",
    "Fidelity",
    "TimedOperation",
    "caveats",
    "engine_note",
    "errors_of",
    "estimate",
    "kept_tokens",
    "launched_operations",
    "occupied_time",
    "parts_of_step",
    "step_bands",
    "step_limits",
    "step_memory",
    "time_step",
    "timed_operations",
    "with_engine",
]


STAGES_UNMEASURED = (
    "of no engine was a run with pipeline stages measured: what they cost are their hops and bubbles alone"
)
"""Said of every pipeline."""

DECODE_ERRORS, PREFILL_ERRORS = (STEP, "tpot_s"), (STEP, "ttft_s")
"""Quantities of an engine that show how far off a pass is, the nearest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedOperation:
    """An operation of a pass with its time, all of its ``repeats`` together.

    Attributes:
        name: what it is.
        repeats: how often one micro-batch of the pass runs it, on its way through all stages.
        timing: of one run.
        is_layer: whether layers do it, which spread over the stages of a pipeline.
        share: micro-batches over stages: what a chip runs of it, on the mean of the stages.
    """

    name: str
    repeats: int
    timing: Timing
    is_layer: bool = True
    share: Numeric = 1.0

    @property
    def runs(self) -> Numeric:
        """How often a chip runs it."""
        return self.repeats * self.share

    @property
    def time_s(self) -> Numeric:
        """Time of all runs of a chip."""
        return self.runs * self.timing.time_s


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Fidelity:
    """A resolution at which a step is timed.

    Attributes:
        name: as on the command line.
        efficiency: which part of its peaks a machine is taken to reach.
        status: how sure such estimates are, in one clause.
        timed: the operations of a pass with their times, as an engine launches them.
    """

    name: str
    efficiency: Callable[[Machine], Efficiency]
    status: Callable[[Machine], str]
    timed: Callable[[Model, Machine, Layout, Phase, Precision, Efficiency, Engine], tuple[TimedOperation, ...]]

    def __repr__(self) -> str:
        return f"Fidelity({self.name!r})"  # its functions say nothing in print


def _by_napkin(
    model: Model,
    machine: Machine,
    layout: Layout,
    phase: Phase,
    precision: Precision,
    efficiency: Efficiency,
    engine: Engine,
) -> tuple[TimedOperation, ...]:
    timing = napkin_timing(model, machine, layout, phase, precision=precision)
    return (TimedOperation(name="whole pass", repeats=1, timing=timing),)


def _by_operation(
    model: Model,
    machine: Machine,
    layout: Layout,
    phase: Phase,
    precision: Precision,
    efficiency: Efficiency,
    engine: Engine,
) -> tuple[TimedOperation, ...]:
    operations = step_operations(
        model, machine, layout, phase, precision=precision, expert_imbalance=efficiency.expert_imbalance
    )
    return tuple(
        TimedOperation(
            name=operation.name,
            repeats=operation.repeats,
            is_layer=operation.is_layer,
            timing=_timing(operation.kernel, machine, efficiency, engine),
        )
        for operation in operations
    )


def _timing(kernel: Kernel | Message, machine: Machine, efficiency: Efficiency, engine: Engine) -> Timing:
    if isinstance(kernel, Message):
        kernel = sent(kernel, engine)
        timing = message_timing(kernel, machine, efficiency)
    else:
        timing = kernel_timing(kernel, machine, efficiency)
    return launched(timing, kernel, engine, efficiency.kernels)


NAPKIN = Fidelity(
    name="napkin",
    efficiency=lambda _: IDEAL,
    status=lambda _: "napkin: the lecture's formula at the spec sheet's peaks; reads every expert at any batch",
    timed=_by_napkin,
)
ROOFLINE = Fidelity(
    name="roofline",
    efficiency=lambda _: IDEAL,
    status=lambda _: f"roofline: {IDEAL.status}",
    timed=_by_operation,
)
MEASURED = Fidelity(
    name="measured",
    efficiency=lambda machine: machine.efficiency,
    status=lambda machine: f"efficiencies: {machine.efficiency.status}",
    timed=_by_operation,
)
FIDELITIES = {fidelity.name: fidelity for fidelity in (NAPKIN, ROOFLINE, MEASURED)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """One step, estimated.

    Attributes:
        step_time_s: time of the pass.
        low_s: lower end of the 80 % interval.
        high_s: its upper end.
        bound: what takes most of the time.
        causes: the time by what it goes to; adds up to ``step_time_s``.
        operations: in order, for the busiest chip; of a pipeline, on the mean of its stages.
        memory: of the fullest chip.
        precision: number formats used.
        notes: departures and omissions to be said beside the numbers.
    """

    step_time_s: float
    low_s: float
    high_s: float
    bound: Cause
    causes: dict[Cause, float]
    operations: tuple[TimedOperation, ...]
    memory: Memory
    precision: Precision
    notes: tuple[str, ...]

    @property
    def fits(self) -> bool:
        """Whether the memory of the fullest chip holds it; the times are void where it does not."""
        return bool(self.memory.free_bytes >= 0)

    def to_rows(self) -> list[dict[str, Any]]:
        """The operations as rows of a table, those of one name together: layers of several kinds share most of theirs.

        Work, bytes and times are sums over ``repeats`` runs of a chip; messages are split by where they go.
        """
        return [_row(name, runs) for name, runs in _by_name(self.operations).items()]


def _by_name(operations: Iterable[TimedOperation]) -> dict[str, list[TimedOperation]]:
    merged: dict[str, list[TimedOperation]] = {}
    for operation in operations:
        merged.setdefault(operation.name, []).append(operation)
    return merged


def _row(name: str, runs: list[TimedOperation]) -> dict[str, Any]:
    def total(of: Callable[[Timing], Numeric]) -> float:
        return sum(float(of(run.timing)) * float(run.runs) for run in runs)

    causes = {cause: sum(float(run.timing.causes.get(cause, 0)) * float(run.runs) for run in runs) for cause in Cause}
    scale_up_bytes = total(lambda timing: timing.scale_up_bytes)
    scale_out_bytes = total(lambda timing: timing.scale_out_bytes)
    return {
        "name": name,
        "repeats": round(sum(float(run.runs) for run in runs), 2),
        "flop": total(lambda timing: timing.work.flop),
        "weight_bytes": total(lambda timing: timing.work.weight_bytes),
        "kv_bytes": total(lambda timing: timing.work.kv_bytes),
        "activation_bytes": total(lambda timing: timing.work.activation_bytes),
        "message_bytes": scale_up_bytes + scale_out_bytes,
        "scale_up_bytes": scale_up_bytes,
        "scale_out_bytes": scale_out_bytes,
        "time_s": sum(float(run.time_s) for run in runs),
        "bound": max(causes, key=lambda cause: causes[cause]).value,
    }


WAIT = "pipeline wait"
"""The operation that is none: the time for which a chip of a pipeline waits for other stages."""

BESIDES = "engine, layers", "engine, pass"
"""Two more that are none: the time that an engine takes besides, in layers and for a pass."""


def timed_operations(
    fidelity: Fidelity,
    model: Model,
    machine: Machine,
    layout: Layout,
    phase: Phase,
    precision: Precision,
    engine: Engine = IDEAL_ENGINE,
) -> tuple[TimedOperation, ...]:
    """The operations of a pass at a fidelity, each with its time; numbers or grids, as the phase has them.

    They are those of one chip. An engine's own time follows, but where nothing but peaks counts. Where there are
    several stages, the last is the time for which a chip waits for others.
    """
    operations = launched_operations(fidelity, model, machine, layout, phase, precision, engine)
    if fidelity.efficiency(machine) is IDEAL:
        engine = IDEAL_ENGINE
    return with_engine(operations, engine, model, layout, phase)


def launched_operations(
    fidelity: Fidelity,
    model: Model,
    machine: Machine,
    layout: Layout,
    phase: Phase,
    precision: Precision,
    engine: Engine = IDEAL_ENGINE,
) -> tuple[TimedOperation, ...]:
    """The kernels and messages of a pass as an engine launches them, without what it takes besides."""
    efficiency = fidelity.efficiency(machine)
    if efficiency is IDEAL:
        engine = IDEAL_ENGINE
    return fidelity.timed(model, machine, layout, phase, precision, efficiency, engine)


def with_engine(
    operations: tuple[TimedOperation, ...], engine: Engine, model: Model, layout: Layout, phase: Phase
) -> tuple[TimedOperation, ...]:
    """Launched operations with an engine's own time, and the wait for other stages."""
    if not is_ideal(engine):
        widens = any(one.timing.kind == "experts" and np.any(one.timing.dequantise_s) for one in operations)
        if engine.replay is not None:
            operations = tuple(
                dataclasses.replace(one, timing=replayed(one.timing, engine.replay, phase)) for one in operations
            )
        operations = (*operations, *_besides(operations, engine, model, layout, phase, widens=bool(widens)))
    if layout.pp == 1:
        return operations
    parts, share = _parts(operations), micro_batches(phase, layout)[1] / layout.pp
    waited_s = pass_time_s(parts, layout, phase, layers=model.layers) - share * (parts[0] + parts[1])
    operations = tuple(dataclasses.replace(one, share=share) for one in operations)
    waiting = Timing(time_s=waited_s, causes={Cause.PIPELINE: waited_s}, work=NO_WORK, kind=WAITED)
    return (*operations, TimedOperation(name=WAIT, repeats=1, timing=waiting))


def _besides(
    operations: tuple[TimedOperation, ...], engine: Engine, model: Model, layout: Layout, phase: Phase, *, widens: bool
) -> tuple[TimedOperation, ...]:
    """The time that an engine takes besides, as operations without work."""
    times = besides_s(engine, model, layout, phase, layers_s=_parts(operations)[0], widens=widens)
    return tuple(
        TimedOperation(
            name=name,
            repeats=1,
            is_layer=is_layer,
            timing=Timing(time_s=time_s, causes={Cause.LAUNCH: time_s}, work=NO_WORK),
        )
        for name, is_layer, time_s in zip(BESIDES, (True, False), times, strict=True)
    )


def occupied_time(
    operations: tuple[TimedOperation, ...], model: Model, layout: Layout, phase: Phase
) -> tuple[Numeric, Numeric, dict[Cause, Numeric]]:
    """Time of a pass, time for which it takes up its chips where others follow it without end, and what that goes to.

    Without stages both are the same. With them, a stage that waits for a prompt has others to read, and tokens to
    decode, so that prompts take up what the slowest stage takes.
    """
    time_s, causes = time_step(operations)
    if layout.pp == 1 or isinstance(phase, Decode):
        return time_s, time_s, causes
    occupied_s = occupied_time_s(_parts(operations), layout, phase, layers=model.layers)
    return time_s, occupied_s, causes | {Cause.PIPELINE: occupied_s - (time_s - causes[Cause.PIPELINE])}


def _parts(operations: tuple[TimedOperation, ...]) -> Parts:
    return parts_of((one.repeats * one.timing.time_s, one.is_layer) for one in operations if one.name != WAIT)


def time_step(operations: tuple[TimedOperation, ...]) -> tuple[Numeric, dict[Cause, Numeric]]:
    """The time of a pass and its causes: operations follow each other."""
    times = [operation.timing.time_s for operation in operations]
    if any(isinstance(time_s, np.ndarray) and time_s.ndim > 1 for time_s in times):
        # Over a grid, what depends on the batch alone is added before it meets every context.
        operations = tuple(sorted(operations, key=lambda operation: np.size(operation.timing.time_s)))
    total: Numeric = 0.0
    causes: dict[Cause, Numeric] = dict.fromkeys(Cause, 0.0)
    for operation in operations:
        runs, timing = operation.runs, operation.timing
        total = total + runs * timing.time_s
        for cause, part_s in timing.causes.items():
            causes[cause] = causes[cause] + runs * part_s
    return total, causes


def parts_of_step(operations: Iterable[TimedOperation]) -> tuple[Part, ...]:
    """What a step is made of, for its interval."""
    return tuple(Part(kind=one.timing.kind, time_s=one.time_s, once_s=one.timing.time_s) for one in operations)


def step_bands(
    fidelity: Fidelity, machine: Machine, engine: Engine, quantities: Sequence[str] = DECODE_ERRORS
) -> Mapping[str, Band]:
    """How sure times are at a fidelity; an engine adds to it only where more than peaks count.

    Args:
        fidelity: resolution of the model of time.
        machine: where.
        engine: that runs it.
        quantities: of an engine, whose errors the time has: the first that was measured counts.
    """
    efficiency = fidelity.efficiency(machine)
    return efficiency.bands if efficiency is IDEAL else bands_with(efficiency.bands, engine, quantities)


def errors_of(phase: type[Phase]) -> Sequence[str]:
    """Whose errors a pass has: those of whole passes, else those of what users see of it."""
    return DECODE_ERRORS if phase is Decode else PREFILL_ERRORS


def step_limits(fidelity: Fidelity, machine: Machine, engine: Engine) -> Limits:
    """What an engine takes of a chip's memory and lets into a step; at peaks, there is none and all is usable."""
    efficiency = fidelity.efficiency(machine)
    return limits_of(IDEAL_ENGINE if efficiency is IDEAL else engine, machine.chip, efficiency)


def step_memory(
    model: Model, machine: Machine, layout: Layout, phase: Phase, *, precision: Precision, limits: Limits
) -> Memory:
    """The memory that one step needs, its sequences' cache included."""
    sequences = sequences_per_group(phase, layout)
    of_one, _ = micro_batches(phase, layout)
    return memory_per_chip(
        model,
        machine,
        layout,
        precision=precision,
        limits=limits,
        rows=rows_per_chip(phase, layout),
        sampled=ceil(of_one / layout.cp),
        sequences=sequences,
        held_tokens=kept_tokens(phase),
    )


def kept_tokens(phase: Phase) -> Numeric:
    """Tokens of each sequence whose keys and values are in memory at the end of a pass."""
    return phase.context_tokens if isinstance(phase, Decode) else phase.prompt_tokens


def estimate(
    model: Model,
    machine: Machine,
    layout: Layout,
    phase: Phase,
    *,
    fidelity: Fidelity = MEASURED,
    weights: str | None = None,
    kv: str | None = None,
    engine: Engine = IDEAL_ENGINE,
    correction: Correction = NO_CORRECTION,
) -> Estimate:
    """Estimate one step.

    Args:
        model: what runs.
        machine: where.
        layout: how one replica is cut; must divide both.
        phase: decode or prefill, with numbers.
        fidelity: resolution of the model of time.
        weights: another number format for the layers' weights than the published one.
        kv: another format for the KV cache.
        engine: that runs it; the ideal one takes no time besides its kernels.
        correction: by what was measured of this deployment.

    Raises:
        LayoutError: the layout does not divide the model or the machine; says which number does not divide which.
        RidgelineError: the phase is a grid; says how to estimate one.

    A step that the memory does not hold has times too, and says so: ``fits`` is false, and the first note tells by how
    much.
    """
    for field in dataclasses.fields(phase):
        if np.ndim(getattr(phase, field.name)):
            raise RidgelineError(
                f"estimate: {type(phase).__name__}.{field.name} is a grid, and this is one step; write"
                " estimate_grid(model, machine, [layout], batch=..., context_tokens=...)"
            )
    require_divides(model, machine, layout)
    precision, notes = precision_on(model, machine.chip, weights=weights, kv=kv)
    operations = timed_operations(fidelity, model, machine, layout, phase, precision, engine)
    if correction.rows:
        factor = correction.tpot_factor if isinstance(phase, Decode) else correction.ttft_factor
        operations = tuple(dataclasses.replace(one, timing=scaled(one.timing, factor)) for one in operations)
    time_s, causes = time_step(operations)
    bands = step_bands(fidelity, machine, engine, errors_of(type(phase)))
    low, high = interval_factors(parts_of_step(operations), bands, is_step=True)
    if correction.tpot_width is not None and isinstance(phase, Decode):
        low, high = math.exp(-correction.tpot_width), math.exp(correction.tpot_width)
    tokens = kept_tokens(phase)
    limits = step_limits(fidelity, machine, engine)
    memory = step_memory(model, machine, layout, phase, precision=precision, limits=limits)
    return Estimate(
        step_time_s=float(time_s),
        low_s=float(time_s * low),
        high_s=float(time_s * high),
        bound=max(causes, key=lambda cause: float(causes[cause])),
        causes={cause: float(part_s) for cause, part_s in causes.items()},
        operations=operations,
        memory=memory,
        precision=precision,
        notes=(
            *_too_large(memory, machine, layout),
            *_raised(memory),
            *notes,
            *_idle(layout, phase),
            *_over_limit(limits, layout, phase),
            *caveats(model, machine, fidelity, float(tokens)),
            engine_note(engine, fidelity, machine),
            *engine_notes(_counted(engine, fidelity, machine), model, machine, precision, layout),
        ),
    )


def _counted(engine: Engine, fidelity: Fidelity, machine: Machine) -> Engine:
    """The engine whose time is among the numbers: the ideal one where only peaks count."""
    return IDEAL_ENGINE if fidelity.efficiency(machine) is IDEAL else engine


def _too_large(memory: Memory, machine: Machine, layout: Layout) -> tuple[str, ...]:
    """What is to be said where memory does not hold a step, and what to do about it."""
    if memory.free_bytes >= 0:
        return ()
    parts = {"weights": memory.weights_bytes, "KV": memory.kv_bytes, "activations": memory.activation_bytes}
    listed = ", ".join(f"{name} {_bytes_text(part)}" for name, part in parts.items())
    usable = sum(parts.values()) + memory.free_bytes
    remedy = (
        "use a smaller batch or a shorter context, or more chips"
        if memory.weights_bytes <= usable
        else "its weights need more chips"
    )
    said = (
        f"layout {layout} does not fit: a chip needs {_bytes_text(sum(parts.values()))} ({listed}) and has"
        f" {_bytes_text(usable)} usable of {_bytes_text(machine.chip.hbm_bytes)}; {remedy}"
    )
    return (said,)


def _raised(memory: Memory) -> tuple[str, ...]:
    """What is to be said where an engine is given more memory than its default."""
    if not float(memory.raised_bytes):
        return ()
    more = _bytes_text(memory.raised_bytes)
    return (f"the engine is given {more} of a chip's memory beyond its default, which leaves hardly any for a cache",)


def _bytes_text(value: Numeric) -> str:
    return format_quantity(float(value), "bytes")


def engine_note(engine: Engine, fidelity: Fidelity, machine: Machine) -> str:
    """Which engine's time is among the numbers, to be said beside them."""
    engine = _counted(engine, fidelity, machine)
    return f"engine {engine.name}: {engine.status}"


def _idle(layout: Layout, phase: Phase) -> tuple[str, ...]:
    """What of a layout a batch leaves without work."""
    idle = layout.dp - int(min(float(phase.batch), layout.dp))
    return (
        *((f"{idle} of the {layout.dp} groups of dp have no sequence",) if idle else ()),
        *((STAGES_UNMEASURED,) if layout.pp > 1 else ()),
    )


def _over_limit(limits: Limits, layout: Layout, phase: Phase) -> tuple[str, ...]:
    """What is to be said where an engine would take the sequences one after the other, and not in one step."""
    sequences = int(sequences_per_group(phase, layout))
    if sequences <= limits.sequences:
        return ()
    most = f"the {limits.sequences:,} that the engine takes in a step (--max-sequences)"
    return (f"{sequences:,} sequences of a group are more than {most}; estimated all the same",)


def caveats(model: Model, machine: Machine, fidelity: Fidelity, tokens: float) -> tuple[str, ...]:
    """What is to be said beside every number: omissions, doubtful facts, and how sure the efficiencies are.

    Args:
        model: what runs.
        machine: where.
        fidelity: resolution of the model of time.
        tokens: of the longest sequence.
    """
    most = model.max_context_tokens
    too_long = most is not None and tokens > most
    return (
        *((f"{tokens:,.0f} tokens are more than the {most:,} that {model.name} was made for",) if too_long else ()),
        *model.caveats,
        *machine.caveats,
        fidelity.status(machine),
        *_routing(model, fidelity.efficiency(machine).expert_imbalance),
    )


def _routing(model: Model, expert_imbalance: float) -> tuple[str, ...]:
    """How tokens are taken to choose their experts, where there are any."""
    if not any(isinstance(group.feed_forward, RoutedExperts) for group in model.groups):
        unused = f"{model.name} has no routed experts: their imbalance changes nothing"
        return (unused,) if expert_imbalance > 1 else ()
    busiest = f", and the busiest group gets {expert_imbalance:g} times what that gives it"
    return (
        "tokens choose their experts evenly and by chance"
        + (busiest if expert_imbalance > 1 else "; --expert-imbalance 1.5 lets the busiest group have more"),
    )
