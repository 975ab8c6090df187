"""Kinds of cases and the table of all: quantities, attributes that are read, and predictions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ridgeline.calibration.cases import Case
from ridgeline.calibration.kinds import kernel_kinds as kernels
from ridgeline.calibration.kinds import loads, steps
from ridgeline.calibration.kinds.loads import LoadPasses, LoadQuantity
from ridgeline.calibration.kinds.quantity import Measure
from ridgeline.calibration.kinds.rl import RL_STEP, RlKind
from ridgeline.calibration.kinds.run import Run, layout_of
from ridgeline.calibration.kinds.steps import LaunchedPass
from ridgeline.calibration.kinds.training import MEMORY, TRAIN_STEP, TrainingKind
from ridgeline.equations.collectives import others_fraction
from ridgeline.equations.matrices import matmul_flop
from ridgeline.estimator.interval import DECODE_ERRORS, PREFILL_ERRORS, Part
from ridgeline.estimator.kernels import Kernel
from ridgeline.estimator.messages import Message
from ridgeline.numeric import Numeric
from ridgeline.specs.band import STEP

__all__ = [
    "KINDS",
    "KernelKind",
    "Kind",
    "LoadKind",
    "PassKind",
    "Quantity",
    "RlKind",
    "TrainingKind",
    "pass_band",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A number that follows from a time.

    Attributes:
        of_time: function from a run and its time to the number.
        measure: whether it is that time or a rate.
    """

    of_time: Callable[[Run, Numeric], Numeric]
    measure: Measure

    def time_s(self, run: Run, measured: Numeric) -> Numeric:
        """Time behind a measured number; for a rate, the inverse relation."""
        return measured if self.measure is Measure.TIME else self.of_time(run, 1.0) / measured


Operation = TypeVar("Operation", bound=Kernel | Message)


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelKind(Generic[Operation]):
    """Isolated kernels and messages.

    Attributes:
        made: function from a row to its kernels or messages.
        timed: function from each of these to its time on the row's machine.
        quantities: quantities that follow from its time, by name.
        attributes: attributes that are read.
        warned: function from a row to warnings on assumptions and omissions.
    """

    made: Callable[[Run], tuple[Operation, ...]]
    timed: Callable[[Run, Operation], Part]
    quantities: Mapping[str, Quantity]
    attributes: frozenset[str] = frozenset()
    warned: Callable[[Run], tuple[str, ...]] = lambda _: ()

    def parts(self, run: Run) -> tuple[Part, ...]:
        """Parts of a row's time."""
        return tuple(self.timed(run, one) for one in self.made(run))


@dataclass(frozen=True, slots=True, kw_only=True)
class PassKind:
    """Passes of a whole model.

    Attributes:
        passes: function from a row to its passes, before the engine's own time.
        quantities: quantities that follow from their time, by name.
        attributes: attributes that are read.
        errors: quantities of an engine whose errors apply; the first that was measured counts.
    """

    passes: Callable[[Run], tuple[LaunchedPass, ...]]
    quantities: Mapping[str, Quantity]
    attributes: frozenset[str]
    errors: tuple[str, ...] = DECODE_ERRORS


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadKind:
    """Engines under load.

    Attributes:
        passes: function from a row to its pools' passes, before the engine's own time.
        quantities: quantities that follow from latency and throughput, by name.
        attributes: attributes that are read.
    """

    passes: Callable[[Run], LoadPasses]
    quantities: Mapping[str, LoadQuantity]
    attributes: frozenset[str]


Kind = KernelKind[Any] | PassKind | LoadKind | TrainingKind | RlKind


def _time(run: Run, time_s: Numeric) -> Numeric:
    return time_s


def _flop_per_s(run: Run, time_s: Numeric) -> Numeric:
    case = run.case
    groups = case.number_or("groups", 1)
    flop = matmul_flop(rows=groups * case.number("m"), columns=case.number("n"), inner=case.number("k"))
    return flop / time_s


def _bus(factor: float) -> Quantity:
    """Bus bandwidth of each rank: the buffer's part for the others per second, times a factor."""

    def rate(run: Run, time_s: Numeric) -> Numeric:
        sent = factor * others_fraction(ranks=run.case.number("ranks")) * run.case.number("message_bytes")
        return sent / time_s

    return Quantity(of_time=rate, measure=Measure.RATE)


def _all_to_all_rate(run: Run, time_s: Numeric) -> Numeric:
    return kernels.all_to_all_bytes(run) / time_s


def _send_rate(run: Run, time_s: Numeric) -> Numeric:
    return run.case.number_or("message_bytes", kernels.ASYMPTOTIC_BYTES) / time_s


def _rate(*columns: str, per_chip: bool = False) -> Quantity:
    """Product of columns over the time."""

    def rate(run: Run, time_s: Numeric) -> Numeric:
        amount: Numeric = 1.0
        for column in columns:
            amount = amount * run.case.number(column)
        return amount / time_s / (layout_of(run).chips if per_chip else 1)

    return Quantity(of_time=rate, measure=Measure.RATE)


TIME = Quantity(of_time=_time, measure=Measure.TIME)
_LATENCY = {"latency_s": TIME}
_PRODUCT = {"latency_s": TIME, "flop_per_s": Quantity(of_time=_flop_per_s, measure=Measure.RATE)}
_MOVED = {"latency_s": TIME, "bytes_per_s": Quantity(of_time=_all_to_all_rate, measure=Measure.RATE)}
_SENT = {"latency_s": TIME, "bytes_per_s": Quantity(of_time=_send_rate, measure=Measure.RATE)}
_SUMMED = {"latency_s": TIME, "bus_bytes_per_s": _bus(2)}
_GATHERED = {"latency_s": TIME, "bus_bytes_per_s": _bus(1)}
_DECODE = {
    "latency_s": TIME,
    "step_s": TIME,
    "tpot_s": TIME,
    "output_tokens_per_s": _rate("batch"),
    "output_tokens_per_s_per_chip": _rate("batch", per_chip=True),
}
_PREFILL = {
    "latency_s": TIME,
    "ttft_s": TIME,
    "tokens_per_s": _rate("batch", "prompt_tokens"),
    "tokens_per_s_per_chip": _rate("batch", "prompt_tokens", per_chip=True),
}
_GENERATE = {
    "latency_s": TIME,
    "output_tokens_per_s": _rate("batch", "output_tokens"),
    "output_tokens_per_s_per_chip": _rate("batch", "output_tokens", per_chip=True),
}

_MODEL = frozenset({"padded_heads", "weight_group"})
_PASS = _MODEL | {"ffn_layout", "attention_shard"}
# The layout says over how many chips an expert is divided.
_POOL = _PASS | {"moe_tp", "layout_free", "length_ratio_min", "stream_interval"}
_HEADS = frozenset({"window", "v_head_dim", "mla"})
_ROUTED = frozenset({"uniform", "scope", *kernels.ROUTED_ATTRIBUTES})

_ALL_TO_ALL = KernelKind(
    made=kernels.all_to_all,
    timed=kernels.timed_exchange,
    quantities=_MOVED,
    attributes=_ROUTED,
    warned=kernels.unread_of_all_to_all,
)
_GATHER = KernelKind(made=kernels.all_gather, timed=kernels.timed_message, quantities=_GATHERED)

KINDS: dict[str, Kind] = {
    "gemm": KernelKind(
        made=kernels.gemm, timed=kernels.timed_kernel, quantities=_PRODUCT, warned=kernels.widened_operands
    ),
    "grouped_gemm": KernelKind(
        made=kernels.grouped_gemm,
        timed=kernels.timed_kernel,
        quantities=_PRODUCT,
        attributes=frozenset({"fused_moe", *kernels.FUSED_ATTRIBUTES}),
        warned=lambda run: (*kernels.widened_operands(run), *kernels.unread_of_groups(run)),
    ),
    "attention_prefill": KernelKind(
        made=kernels.attention_prefill, timed=kernels.timed_kernel, quantities=_LATENCY, attributes=_HEADS | {"causal"}
    ),
    "attention_decode": KernelKind(
        made=kernels.attention_decode, timed=kernels.timed_kernel, quantities=_LATENCY, attributes=_HEADS
    ),
    "mla_decode": KernelKind(
        made=kernels.mla_decode, timed=kernels.timed_kernel, quantities=_LATENCY, attributes=frozenset({"v_head_dim"})
    ),
    "elementwise": KernelKind(
        made=kernels.elementwise,
        timed=kernels.timed_stream,
        quantities=_LATENCY,
        attributes=frozenset({"op", "streams"}),
    ),
    "all_reduce": KernelKind(made=kernels.all_reduce, timed=kernels.timed_message, quantities=_SUMMED),
    "all_gather": _GATHER,
    "reduce_scatter": _GATHER,
    "all_to_all": _ALL_TO_ALL,
    "all_to_all_dispatch": _ALL_TO_ALL,
    "all_to_all_combine": _ALL_TO_ALL,
    "point_to_point": KernelKind(
        made=kernels.point_to_point,
        timed=kernels.timed_message,
        quantities=_SENT,
        attributes=frozenset({"scope", "fabric", "asymptotic"}),
    ),
    "decode_step": PassKind(passes=steps.decode_step, quantities=_DECODE, attributes=_PASS),
    "prefill": PassKind(passes=steps.prompts, quantities=_PREFILL, attributes=_PASS, errors=PREFILL_ERRORS),
    "generate": PassKind(passes=steps.generate, quantities=_GENERATE, attributes=_PASS),
    "closed_loop": LoadKind(passes=loads.in_a_loop, quantities=loads.LOOP_QUANTITIES, attributes=_POOL),
    "saturated": LoadKind(passes=loads.without_end, quantities=loads.SATURATED_QUANTITIES, attributes=_POOL),
    "disaggregated": LoadKind(
        passes=loads.over_two_pools,
        quantities=loads.TWO_POOL_QUANTITIES,
        attributes=_MODEL | {"prefill", "decode", "length_ratio_min", "stream_interval"},
    ),
    "train_step": TRAIN_STEP,
    "memory": MEMORY,
    "rl_step": RL_STEP,
}
"""Kinds of rows that are predicted."""


def pass_band(case: Case) -> str:
    """Key of the engine's width that a measured pass shows: that of prefills, or of steps."""
    kind = KINDS[case.kind]
    return kind.errors[0] if isinstance(kind, PassKind) else STEP
