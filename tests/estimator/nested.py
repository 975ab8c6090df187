"""Messages over nested domains of switches, timed by the estimator itself: what tests of such messages share."""

from __future__ import annotations

import dataclasses

from ridgeline.catalog import load_machine
from ridgeline.equations.collectives import Levels
from ridgeline.estimator.messages import AllGather, AllReduce, AllToAll, Group
from ridgeline.estimator.messages.levels import times_and_parts
from ridgeline.specs.efficiency import IDEAL
from ridgeline.specs.machine import FabricLevel, Machine
from ridgeline.specs.topology import Switch

__all__ = ["level_times_s"]

Kind = type[AllReduce] | type[AllGather] | type[AllToAll]


SLOWEST_LINK_BYTES_PER_S = 1e7
"""Records take no slower link: one that shall be slower reaches only a part of it."""


def _machine(bytes_per_s: Levels, latency_s: Levels) -> Machine:
    """Domains of switches whose links reach these rates and latencies."""
    peaks = {f"level {place}": max(float(rate), SLOWEST_LINK_BYTES_PER_S) for place, rate in enumerate(bytes_per_s)}
    fabric = tuple(
        # How many chips a switch joins changes no time, but records want it to grow outwards.
        FabricLevel(name=name, chips=8 ** (place + 1), bytes_per_s=peak, topology=Switch())
        for place, (name, peak) in enumerate(peaks.items())
    )
    efficiency = dataclasses.replace(
        IDEAL,
        link_fraction={name: float(rate) / peaks[name] for name, rate in zip(peaks, bytes_per_s, strict=True)},
        message_latency_s={name: float(hop_s) for name, hop_s in zip(peaks, latency_s, strict=True)},
    )
    return dataclasses.replace(load_machine("h100-sxm"), fabric=fabric).with_efficiency(efficiency)


def level_times_s(
    kind: Kind, *, message_bytes: float, ranks: Levels, bytes_per_s: Levels, latency_s: Levels
) -> tuple[float, ...]:
    """Time at each level, innermost first, as estimates take it."""
    message = kind(buffer_bytes=message_bytes, group=Group(ranks=ranks))
    times, _ = times_and_parts(message, _machine(bytes_per_s, latency_s))
    return tuple(float(time_s) for time_s in times)
