"""How long a kernel or a message takes on a machine, and what the time goes to.

A kernel takes the larger of computing and moving bytes, each at the part of its peak that the machine reaches, and a
launch besides. The spec sheet itself (``roofline``) is the same with every part 1 and no launch.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import singledispatch

from ridgeline.equations.matrices import operation_time_s
from ridgeline.estimator.kernels import (
    LEVEL_TIMES,
    AllToAll,
    AttentionCore,
    ExpertMatmul,
    Kernel,
    Matmul,
    Message,
    StateUpdate,
    Stream,
    Work,
    message_bytes,
    work,
)
from ridgeline.numeric import Numeric, maximum, where
from ridgeline.specs.efficiency import Efficiency
from ridgeline.specs.machine import FabricLevel, Machine
from ridgeline.specs.number_format import NumberFormat

__all__ = ["Cause", "Timing", "kernel_timing", "message_timing", "reached_flop_per_s"]


class Cause(StrEnum):
    """What time goes to; the largest is what binds."""

    COMPUTE = "compute"
    WEIGHTS = "weights"
    KV = "kv"
    ACTIVATIONS = "activations"
    SCALE_UP = "scale_up"
    SCALE_OUT = "scale_out"
    LAUNCH = "launch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The time of one run of an operation.

    Attributes:
        time_s: all of it.
        causes: its parts, which add up to it.
        work: FLOP and bytes of a kernel; zeros for a message.
        scale_up_bytes: bytes that a chip sends inside its domain.
        scale_out_bytes: bytes that it sends out of it.
    """

    time_s: Numeric
    causes: dict[Cause, Numeric]
    work: Work
    scale_up_bytes: Numeric = 0.0
    scale_out_bytes: Numeric = 0.0


def reached_flop_per_s(machine: Machine, efficiency: Efficiency, operand: NumberFormat) -> float:
    """Arithmetic that large products of ``operand`` reach.

    Raises:
        ValueError: the chip has no such arithmetic; number formats are to be chosen for the chip first.
    """
    peak = machine.chip.flop_per_s.get(operand.arithmetic)
    if peak is None:
        raise ValueError(
            f"{machine.id} has no {operand.arithmetic} arithmetic (it has {', '.join(machine.chip.flop_per_s)});"
            " choose the number formats with precision_on(model, machine)"
        )
    return peak * efficiency.compute_fraction.get(operand.arithmetic, efficiency.default_compute_fraction)


@singledispatch
def _rates(kernel: Kernel, machine: Machine, efficiency: Efficiency) -> tuple[float, float]:
    """FLOP/s and bytes/s that a kernel reaches."""
    raise TypeError(f"{type(kernel).__name__} is not a kernel")


@_rates.register(Matmul)
@_rates.register(ExpertMatmul)
def _(kernel: Matmul | ExpertMatmul, machine: Machine, efficiency: Efficiency) -> tuple[float, float]:
    flop_per_s = reached_flop_per_s(machine, efficiency, kernel.format.operand)
    return flop_per_s, machine.chip.hbm_bytes_per_s * efficiency.hbm_fraction


@_rates.register
def _(kernel: AttentionCore, machine: Machine, efficiency: Efficiency) -> tuple[float, float]:
    arithmetic = kernel.arithmetic if kernel.arithmetic in machine.chip.flop_per_s else "bf16"
    peak = machine.chip.flop_per_s[arithmetic]
    if kernel.is_prefill:
        return peak * efficiency.attention_compute_fraction, machine.chip.hbm_bytes_per_s * efficiency.hbm_fraction
    flop_per_s = peak * efficiency.compute_fraction.get(arithmetic, efficiency.default_compute_fraction)
    return flop_per_s, machine.chip.hbm_bytes_per_s * efficiency.kv_hbm_fraction


@_rates.register(StateUpdate)
@_rates.register(Stream)
def _(kernel: StateUpdate | Stream, machine: Machine, efficiency: Efficiency) -> tuple[float, float]:
    return machine.chip.flop_per_s["bf16"], machine.chip.hbm_bytes_per_s * efficiency.hbm_fraction


def kernel_timing(kernel: Kernel, machine: Machine, efficiency: Efficiency) -> Timing:
    """The time of a kernel: its roofline at the rates reached, and its launches."""
    done = work(kernel)
    flop_per_s, hbm_bytes_per_s = _rates(kernel, machine, efficiency)
    launch_s = kernel.launches * efficiency.kernel_launch_s
    moved = done.weight_bytes + done.kv_bytes + done.activation_bytes
    time_s = operation_time_s(
        flop=done.flop,
        moved_bytes=moved,
        flop_per_s=flop_per_s,
        hbm_bytes_per_s=hbm_bytes_per_s,
        overhead_s=launch_s,
    )
    is_compute = done.flop / flop_per_s > moved / hbm_bytes_per_s
    reading = where(is_compute, 0.0, 1 / hbm_bytes_per_s)
    causes = {
        Cause.COMPUTE: where(is_compute, done.flop / flop_per_s, 0.0),
        Cause.WEIGHTS: done.weight_bytes * reading,
        Cause.KV: done.kv_bytes * reading,
        Cause.ACTIVATIONS: done.activation_bytes * reading,
        Cause.LAUNCH: launch_s,
    }
    return Timing(time_s=time_s, causes=causes, work=done)


def _links_used(level: FabricLevel, ranks: Numeric) -> Numeric:
    """Part of a chip's links that lead to the other ``ranks``: in a mesh, one to each; behind a switch, all."""
    if level.topology != "mesh" or level.chips is None:
        return 1.0
    # One rank sends nothing, and needs some bandwidth to take no time for it.
    return maximum(ranks - 1, 1) / (level.chips - 1)


def message_timing(message: Message, machine: Machine, efficiency: Efficiency) -> Timing:
    """The time of a message: its levels' times at the rates and latencies reached, and its launches.

    Reduces and gathers pass one level after the other. An all-to-all uses all at the same time, so that the slowest
    takes the blame.
    """
    levels = machine.fabric[: len(message.group.ranks)]
    ranks = message.group.ranks[: len(levels)]
    times = LEVEL_TIMES[type(message)](
        message_bytes=message.buffer_bytes,
        ranks=ranks,
        bytes_per_s=tuple(
            level.bytes_per_s * efficiency.link_fraction.get(level.name, 1) * _links_used(level, among)
            for level, among in zip(levels, ranks, strict=True)
        ),
        latency_s=tuple(efficiency.message_latency_s.get(level.name, 0) for level in levels),
    )
    inside_s, across_s = times[0], sum(times[1:])
    if isinstance(message, AllToAll):
        inside_is_slower = inside_s >= across_s
        inside_s, across_s = where(inside_is_slower, inside_s, 0.0), where(inside_is_slower, 0.0, across_s)
    launch_s = message.launches * efficiency.kernel_launch_s
    sent = message_bytes(message)
    return Timing(
        time_s=inside_s + across_s + launch_s,
        causes={Cause.SCALE_UP: inside_s, Cause.SCALE_OUT: across_s, Cause.LAUNCH: launch_s},
        work=Work(flop=0.0),
        scale_up_bytes=sent[0],
        scale_out_bytes=sum(sent[1:]),
    )
