"""The time of one run of a kernel or a message, by cause."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from enum import StrEnum

from ridgeline.equations.collectives import Levels
from ridgeline.equations.matrices import operation_time_s
from ridgeline.estimator.messages import Message
from ridgeline.estimator.messages.levels import message_bytes
from ridgeline.numeric import Numeric, is_zero, maximum, where
from ridgeline.specs.as_run import AsRun
from ridgeline.specs.machine import Machine

__all__ = [
    "NO_WORK",
    "Cause",
    "Timing",
    "Work",
    "delayed",
    "fitted_timing",
    "passing_roofline",
    "roofline_timing",
    "scaled",
]


class Cause(StrEnum):
    """Causes of time; the largest is the bound."""

    COMPUTE = "compute"
    TILES = "tiles"
    DEQUANTISE = "dequantise"
    WEIGHTS = "weights"
    KV = "kv"
    ACTIVATIONS = "activations"
    SCALE_UP = "scale_up"
    SCALE_OUT = "scale_out"
    LAUNCH = "launch"
    PIPELINE = "pipeline"
    GROUPS = "groups"

    # An enumeration's own hash is slow, and every operation of a step asks for several.
    __hash__ = str.__hash__

    @property
    def text(self) -> str:
        """Words for the cause that an engineer would use."""
        return CAUSE_TEXTS[self]


CAUSE_TEXTS = {
    Cause.COMPUTE: "compute",
    Cause.TILES: "tiles and waves",
    Cause.DEQUANTISE: "dequantising weights",
    Cause.WEIGHTS: "HBM (weights)",
    Cause.KV: "HBM (KV cache)",
    Cause.ACTIVATIONS: "HBM (activations)",
    Cause.SCALE_UP: "scale-up network",
    Cause.SCALE_OUT: "scale-out network",
    Cause.LAUNCH: "launch overhead",
    Cause.PIPELINE: "pipeline bubble",
    Cause.GROUPS: "other groups' prefills",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Work of one kernel: FLOP, and the bytes that it moves to and from memory, by kind."""

    flop: Numeric
    weight_bytes: Numeric = 0.0
    kv_bytes: Numeric = 0.0
    activation_bytes: Numeric = 0.0


NO_WORK = Work(flop=0.0)
"""Work of a message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The time of one run of an operation.

    Attributes:
        time_s: time of the run, s.
        time_by_cause_s: time by cause, s; adds up to ``time_s``.
        work: FLOP and bytes of a kernel; zeros for a message.
        message: message that is sent; None for a kernel.
        parts: bytes of the message's buffer in flight at each level of the fabric.
        kind: kind of kernel or message, a key of the bands; empty for none.
    """

    time_s: Numeric
    time_by_cause_s: tuple[tuple[Cause, Numeric], ...]
    work: Work
    message: Message | None = None
    parts: Levels = ()
    kind: str = ""

    @property
    def causes(self) -> dict[Cause, Numeric]:
        """Time of each of its causes, s."""
        return dict(self.time_by_cause_s)

    @property
    def scale_up_bytes(self) -> Numeric:
        """Bytes that a chip sends inside its domain."""
        return 0.0 if self.message is None else message_bytes(self.message, self.parts)[0]

    @property
    def scale_out_bytes(self) -> Numeric:
        """Bytes that a chip sends out of its domain."""
        return 0.0 if self.message is None else sum(message_bytes(self.message, self.parts)[1:], 0.0)


def scaled(timing: Timing, factor: float) -> Timing:
    """A timing with all times multiplied by ``factor``."""
    time_by_cause_s = tuple((cause, factor * part_s) for cause, part_s in timing.time_by_cause_s)
    return dataclasses.replace(timing, time_s=factor * timing.time_s, time_by_cause_s=time_by_cause_s)


def delayed(timing: Timing, more_s: Numeric) -> Timing:
    """A timing with more launch overhead."""
    causes = timing.causes
    causes[Cause.LAUNCH] = causes.get(Cause.LAUNCH, 0.0) + more_s
    return dataclasses.replace(timing, time_s=timing.time_s + more_s, time_by_cause_s=tuple(causes.items()))


def passing_roofline(work: Work, machine: Machine, run: AsRun, *, kind: str, launches: Numeric) -> Timing:
    """A kernel without a format of its own, on the roofline of 16-bit arithmetic; memory binds nearly always.

    Args:
        work: FLOP and bytes.
        machine: machine that runs the kernel.
        run: changes that the engine makes to the kernel's time.
        kind: kind of kernel, a key of the bands.
        launches: kernels that are launched for it.
    """
    return roofline_timing(
        work,
        kind=kind,
        flop_per_s=machine.chip.flop_per_s["bf16"],
        hbm_bytes_per_s=machine.chip.hbm_bytes_per_s * machine.efficiency.hbm_fraction,
        launch_s=launches * machine.efficiency.kernel_launch_s * run.launch_fraction,
        gap_fraction=run.gap_fraction,
    )


def roofline_timing(
    work: Work,
    *,
    kind: str,
    flop_per_s: float,
    hbm_bytes_per_s: float,
    launch_s: Numeric,
    dequantise_s: Numeric = 0.0,
    busy_fraction: float = 1.0,
    gap_fraction: float = 0.0,
) -> Timing:
    """A kernel on its roofline: the larger of computing and moving bytes, and its overhead.

    Args:
        work: FLOP and bytes.
        kind: kind of kernel, a key of the bands.
        flop_per_s: achieved arithmetic rate, FLOP/s.
        hbm_bytes_per_s: achieved memory bandwidth, bytes/s.
        launch_s: launch overhead, s.
        dequantise_s: dequantising weights before the product, s.
        busy_fraction: time of computing and moving bytes, over that at the given rates.
        gap_fraction: gaps between kernels, over the kernel's time at those rates.
    """
    moved = work.weight_bytes + work.kv_bytes + work.activation_bytes
    time_s = operation_time_s(
        flop=work.flop,
        moved_bytes=moved,
        flop_per_s=flop_per_s,
        hbm_bytes_per_s=hbm_bytes_per_s,
        overhead_s=launch_s + dequantise_s,
    )
    if gap_fraction or busy_fraction != 1:  # over a grid, adding nothing takes time
        gap_s, saved_s = gap_fraction * time_s, (1 - busy_fraction) * (time_s - launch_s - dequantise_s)
        launch_s, time_s = launch_s + gap_s, time_s + gap_s - saved_s
    is_compute = work.flop / flop_per_s > moved / hbm_bytes_per_s
    reading = where(is_compute, 0.0, busy_fraction / hbm_bytes_per_s)
    computing = where(is_compute, busy_fraction * work.flop / flop_per_s, 0.0)
    causes = _causes(work, computing, reading, launch_s, dequantise_s)
    return Timing(time_s=time_s, time_by_cause_s=causes, work=work, kind=kind)


def fitted_timing(
    work: Work,
    *,
    kind: str,
    time_s: Numeric,
    compute_s: Numeric,
    memory_s: Numeric,
    launch_s: Numeric,
    dequantise_s: Numeric = 0.0,
    tiles_s: Numeric = 0.0,
    fused_s: Numeric = 0.0,
    gap_fraction: float = 0.0,
) -> Timing:
    """Fitted time of a kernel: what is given separately aside, the larger of computing and moving bytes is the cause.

    Args:
        work: FLOP and bytes.
        kind: kind of kernel, a key of the bands.
        time_s: time of the kernel, s.
        compute_s: compute time alone, s.
        memory_s: memory time alone, s.
        launch_s: launches, and other time without work, s.
        dequantise_s: dequantising weights, beside ``compute_s``, s.
        tiles_s: part of ``time_s`` lost to tiles: idle units, partly filled tiles, their latency, s.
        fused_s: part of ``launch_s`` that an engine saves by fusing the kernel into the one before, s.
        gap_fraction: gaps between kernels, over ``time_s``.
    """
    busy_s = time_s - launch_s - dequantise_s - tiles_s
    moved = maximum(work.weight_bytes + work.kv_bytes + work.activation_bytes, 1.0)
    is_compute = compute_s > memory_s
    reading = where(is_compute, 0.0, busy_s / moved)
    if gap_fraction or not is_zero(fused_s):  # over a grid, adding nothing takes time
        gap_s = gap_fraction * time_s
        launch_s, time_s = launch_s + gap_s - fused_s, time_s + gap_s - fused_s
    return Timing(
        time_s=time_s,
        time_by_cause_s=_causes(work, where(is_compute, busy_s, 0.0), reading, launch_s, dequantise_s, tiles_s),
        work=work,
        kind=kind,
    )


def _causes(
    work: Work,
    computing_s: Numeric,
    s_per_byte: Numeric,
    launch_s: Numeric,
    dequantise_s: Numeric,
    tiles_s: Numeric = 0.0,
) -> tuple[tuple[Cause, Numeric], ...]:
    """Time of a kernel by cause, s."""
    causes = [(Cause.COMPUTE, computing_s), (Cause.LAUNCH, launch_s)]
    if not is_zero(dequantise_s):
        causes.append((Cause.DEQUANTISE, dequantise_s))
    if not is_zero(tiles_s):
        causes.append((Cause.TILES, tiles_s))
    for cause, moved in (
        (Cause.WEIGHTS, work.weight_bytes),
        (Cause.KV, work.kv_bytes),
        (Cause.ACTIVATIONS, work.activation_bytes),
    ):
        if not is_zero(moved):  # most kernels move one kind of bytes, and a grid of zeros is no gain
            causes.append((cause, moved * s_per_byte))
    return tuple(causes)
