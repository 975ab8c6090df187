"""Time of a message on the levels of a fabric, by each level's topology and measured numbers."""

from __future__ import annotations

from functools import singledispatch

from ridgeline.equations.collectives import Levels, mesh_bytes_per_s
from ridgeline.errors import RidgelineError
from ridgeline.estimator.messages.message import Message, fitted_time_s, parts, switch_time_s, torus_time_s
from ridgeline.estimator.placement import torus_box
from ridgeline.numeric import Numeric
from ridgeline.specs.kernels import Kernels
from ridgeline.specs.machine import FabricLevel, Machine
from ridgeline.specs.topology import Mesh, Switch, Torus

__all__ = [
    "fitted_kernels",
    "inside_and_across_s",
    "message_bytes",
    "sides_and_wraps",
    "times_and_parts",
    "times_of_parts",
]


@singledispatch
def times_and_parts(message: Message, machine: Machine) -> tuple[Levels, Levels]:
    """Time of a message at each level of the fabric, innermost first, and the part of the buffer in flight there.

    Rates and latencies are the achieved ones. A kind with several algorithms has an answer of its own.
    """
    under_way = parts(message)
    return times_of_parts(message, under_way, machine), under_way


@singledispatch
def inside_and_across_s(message: Message, times_s: Levels) -> tuple[Numeric, Numeric]:
    """Time of a message inside the domain and across domains, which follow each other, s.

    A kind that uses all levels at the same time has an answer of its own.
    """
    inside_s, *outside_s = times_s
    return inside_s, sum(outside_s, 0.0)


def message_bytes(message: Message, under_way: Levels | None = None) -> Levels:
    """Bytes that one chip sends at each level of the fabric, innermost first, for these parts in flight.

    By default, they are those of a message that is sent directly.
    """
    # A message's time on a switch of one byte per second without latency is the number of bytes that it sends there.
    return tuple(
        switch_time_s(message, part, ranks=ranks, bytes_per_s=1.0, latency_s=0.0)
        for part, ranks in zip(parts(message) if under_way is None else under_way, message.group.ranks, strict=True)
    )


def fitted_kernels(message: Message, machine: Machine) -> Kernels | None:
    """Fitted numbers of messages inside a domain, launches included; None for a message without any, or not inside."""
    ranks, level = message.group.ranks[0], machine.fabric[0]
    is_inside = not (isinstance(ranks, int) and ranks == 1)
    return machine.efficiency.kernels if is_inside and isinstance(level.topology, Switch) else None


def times_of_parts(message: Message, under_way: Levels, machine: Machine) -> Levels:
    """Time at each level for these parts of the buffer ``under_way`` there, s."""
    efficiency = machine.efficiency
    times: Levels = ()
    inner = 1
    for index, (level, ranks, part) in enumerate(zip(machine.fabric, message.group.ranks, under_way, strict=True)):
        joined, inner = (level.chips or inner) // inner, level.chips or inner
        if isinstance(ranks, int) and ranks == 1:
            times = (*times, 0.0)  # nobody to send to
            continue
        if index == 0 and (kernels := fitted_kernels(message, machine)):
            time_s = fitted_time_s(
                message, part, ranks=ranks, bytes_per_s=level.bytes_per_s, numbers=kernels.collectives
            )
            times = (*times, time_s)
            continue
        # Levels between and beyond the two fitted ones are taken as links out of the domain.
        fitted = "scale_up" if index == 0 else "scale_out"
        fraction = efficiency.link_fraction.get(level.name, efficiency.link_fraction.get(fitted, 1))
        latency_s = efficiency.message_latency_s.get(level.name, efficiency.message_latency_s.get(fitted, 0))
        times = (*times, _roofline_time_s(message, part, level, joined, ranks, fraction, latency_s))
    return times


def _roofline_time_s(
    message: Message,
    part: Numeric,
    level: FabricLevel,
    joined: int,
    ranks: Numeric,
    fraction: float,
    latency_s: float,
) -> Numeric:
    """Time among ``ranks`` of the chips, or of the domains one level down, that the level joins (``joined``), s."""
    bytes_per_s: Numeric = level.bytes_per_s * fraction
    if isinstance(level.topology, Torus):
        link_bytes_per_s = bytes_per_s / (2 * len(level.topology.sides))
        return torus_time_s(
            message, part, level.topology, ranks=ranks, link_bytes_per_s=link_bytes_per_s, latency_s=latency_s
        )
    if isinstance(level.topology, Mesh):
        bytes_per_s = mesh_bytes_per_s(bytes_per_s=bytes_per_s, ranks=ranks, chips=joined)
    return switch_time_s(message, part, ranks=ranks, bytes_per_s=bytes_per_s, latency_s=latency_s)


def sides_and_wraps(torus: Torus, ranks: Numeric) -> tuple[Levels, Levels]:
    """Box of a torus that a group of chips occupies: chips along each axis, and 1 for each axis that is a ring, else 0.

    Raises:
        RidgelineError: the number of chips forms no box.
    """
    box = torus_box(torus, int(ranks))
    if box is None:
        raise RidgelineError(f"{ranks} chips are no box of a torus of {torus.sides}")
    sides, rings = box
    return sides, tuple(float(ring) for ring in rings)
