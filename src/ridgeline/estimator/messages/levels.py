"""How long a message takes on the levels of a fabric, by what joins the chips of each and what was measured of it."""

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
    """Time of a message at each level of the fabric, innermost first, and the part of a buffer that is under way there.

    Rates and latencies are those achieved. A kind that may be sent in several ways has an answer of its own.
    """
    under_way = parts(message)
    return times_of_parts(message, under_way, machine), under_way


@singledispatch
def inside_and_across_s(message: Message, times_s: Levels) -> tuple[Numeric, Numeric]:
    """What its levels' times come to, inside the domain and across: they pass one after the other.

    A kind that uses all levels at the same time has an answer of its own.
    """
    inside_s, *outside_s = times_s
    return inside_s, sum(outside_s, 0.0)


def message_bytes(message: Message, under_way: Levels | None = None) -> Levels:
    """Bytes that one chip sends at each level of the fabric, innermost first, where these parts are under way there.

    Left out, they are those of a message that is sent directly.
    """
    # A message's time on a switch of one byte a second without latency is the bytes that it sends there.
    return tuple(
        switch_time_s(message, part, ranks=ranks, bytes_per_s=1.0, latency_s=0.0)
        for part, ranks in zip(parts(message) if under_way is None else under_way, message.group.ranks, strict=True)
    )


def fitted_kernels(message: Message, machine: Machine) -> Kernels | None:
    """Fitted numbers of messages inside a domain, launches included; None where this one has none, or is not inside."""
    ranks, level = message.group.ranks[0], machine.fabric[0]
    is_inside = not (isinstance(ranks, int) and ranks == 1)
    return machine.efficiency.kernels if is_inside and isinstance(level.topology, Switch) else None


def times_of_parts(message: Message, under_way: Levels, machine: Machine) -> Levels:
    """Time at each level where these parts of the buffer are ``under_way`` there."""
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
        # Levels between and beyond the two that are fitted are taken as links out of the domain.
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
    """Time among ``ranks`` of the chips, or domains of the level inside, that the level has ``joined``."""
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
    """The box of a torus that a group of chips takes: chips along each axis, and 1 where its ends are joined, else 0.

    Raises:
        RidgelineError: so many chips are no box.
    """
    box = torus_box(torus, int(ranks))
    if box is None:
        raise RidgelineError(f"{ranks} chips are no box of a torus of {torus.sides}")
    sides, rings = box
    return sides, tuple(float(ring) for ring in rings)
