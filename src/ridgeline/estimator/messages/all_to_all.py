"""All-to-all: every rank sends a different part to every rank, such as tokens to the chips of their experts.

Tokens for experts are sent by low-latency or high-throughput kernels, as in DeepEP. Both use the links of all levels at
once; the last token's way out of its domain comes on top.
"""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.equations import collectives
from ridgeline.equations.collectives import Levels, forwarded_all_to_all_level_times_s, others_fraction
from ridgeline.equations.library_collectives import shared_fraction
from ridgeline.estimator.messages.levels import (
    fitted_kernels,
    inside_and_across_s,
    sides_and_wraps,
    times_and_parts,
    times_of_parts,
)
from ridgeline.estimator.messages.library import library_time_s
from ridgeline.estimator.messages.message import (
    Message,
    fitted_time_s,
    ground_across,
    ground_inside,
    kind,
    parts,
    switch_time_s,
    torus_time_s,
)
from ridgeline.numeric import Numeric, maximum, minimum, where
from ridgeline.specs.kernels import Collectives, Kernels
from ridgeline.specs.machine import Machine
from ridgeline.specs.topology import Torus


@dataclass(frozen=True, slots=True, kw_only=True)
class Routed:
    """Experts that the tokens of an all-to-all are sent to.

    Attributes:
        copies_bytes: bytes that a rank sends with low-latency kernels: one copy per expert.
        experts: experts of the layer, over all ranks.
        width: values of a token.
        units: compute units (SMs) that a high-throughput kernel occupies.
        unit_bytes_per_s: bandwidth of each unit, bytes/s; None for the one fitted on the chip.
        has_low_latency: whether low-latency kernels may be used: one copy per expert.
        has_high_throughput: whether high-throughput kernels may be used: one copy per chip, by way of domains.
    """

    copies_bytes: Numeric
    experts: Numeric
    width: Numeric
    units: int = 20
    unit_bytes_per_s: float | None = None
    has_low_latency: bool = True
    has_high_throughput: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class AllToAll(Message):
    """Every rank sends ``buffer_bytes``, a different part to every rank, directly or forwarded.

    Attributes:
        forwarded_bytes: bytes that a rank sends at each level where one copy crosses to a domain and is forwarded
            inside; None where no data is sent twice, so that forwarding gains nothing.
        routed: further numbers where the parts are tokens for experts; None otherwise.
    """

    forwarded_bytes: Levels | None = None
    routed: Routed | None = None


@parts.register
def _parts(message: AllToAll) -> Levels:
    return collectives.staying_parts(message_bytes=message.buffer_bytes, ranks=message.group.ranks)


@switch_time_s.register
def _(message: AllToAll, part: Numeric, *, ranks: Numeric, bytes_per_s: Numeric, latency_s: Numeric) -> Numeric:
    return collectives.all_to_all_time_s(message_bytes=part, ranks=ranks, bytes_per_s=bytes_per_s, latency_s=latency_s)


@torus_time_s.register
def _(
    message: AllToAll, part: Numeric, torus: Torus, *, ranks: Numeric, link_bytes_per_s: Numeric, latency_s: Numeric
) -> Numeric:
    sides, wraps = sides_and_wraps(torus, ranks)
    return collectives.torus_all_to_all_time_s(
        message_bytes=part, sides=sides, wraps=wraps, link_bytes_per_s=link_bytes_per_s, latency_s=latency_s
    )


@fitted_time_s.register
def _(message: AllToAll, part: Numeric, *, ranks: Numeric, bytes_per_s: float, numbers: Collectives) -> Numeric:
    sent_bytes = others_fraction(ranks=ranks) * part
    # All parts are sent in one step.
    return library_time_s(steps=1.0, sent_bytes=sent_bytes, ranks=ranks, bytes_per_s=bytes_per_s, numbers=numbers)


@kind.register
def _(message: AllToAll) -> str:
    return "expert_all_to_all" if message.routed else "collectives"


@ground_inside.register
def _(message: AllToAll, *, is_custom: bool) -> tuple[str, str]:
    if message.routed:
        return "all-to-alls of experts in the domain", "expert_all_to_all.launch_s"
    return "library all-to-alls in the domain", "collectives.launch_s"


@ground_across.register
def _(message: AllToAll, level: str) -> tuple[str, str]:
    number = "expert_all_to_all.scale_out_fraction" if message.routed else f"link_fraction.{level}"
    return "all-to-alls between domains", number


@inside_and_across_s.register
def _(message: AllToAll, times_s: Levels) -> tuple[Numeric, Numeric]:
    """All levels transfer at the same time, so the slowest one is the cause."""
    inside_s, *outside_s = times_s
    across_s = _slowest(tuple(outside_s))
    inside_is_slower = inside_s >= across_s
    return where(inside_is_slower, inside_s, 0.0), where(inside_is_slower, 0.0, across_s)


@times_and_parts.register
def _(message: AllToAll, machine: Machine) -> tuple[Levels, Levels]:
    """Direct or forwarded transfer, whichever is faster."""
    if message.routed and (kernels := fitted_kernels(message, machine)):
        return _routed_times_and_parts(message, message.routed, machine, kernels)
    direct_parts = _parts(message)
    direct = times_of_parts(message, direct_parts, machine)
    if message.forwarded_bytes is None:
        return direct, direct_parts
    through = times_of_parts(message, message.forwarded_bytes, machine)
    # Forwarded data passes every level, the last of it after the slowest one.
    hops = times_of_parts(message, (0.0,) * len(through), machine)
    forwarded = tuple(time_s + sum(hops) - hop_s for time_s, hop_s in zip(through, hops, strict=True))
    return _faster(forwarded, message.forwarded_bytes, direct, direct_parts)


def _routed_times_and_parts(
    message: AllToAll, routed: Routed, machine: Machine, kernels: Kernels
) -> tuple[Levels, Levels]:
    """Low-latency or high-throughput kernels, whichever is faster among those that may be used."""
    copies = collectives.staying_parts(message_bytes=routed.copies_bytes, ranks=message.group.ranks)
    forwarded = message.forwarded_bytes or _parts(message)
    low_latency = _low_latency_times_s(message, routed, copies, machine, kernels)
    if not routed.has_high_throughput:
        return low_latency, copies
    high_throughput = _high_throughput_times_s(message, routed, forwarded, machine, kernels)
    if not routed.has_low_latency:
        return high_throughput, forwarded
    return _faster(low_latency, copies, high_throughput, forwarded)


def _low_latency_times_s(
    message: AllToAll, routed: Routed, copies: Levels, machine: Machine, kernels: Kernels
) -> Levels:
    """Time of a low-latency kernel at each level, s, with ``copies`` in flight: one per expert."""
    numbers = kernels.expert_all_to_all
    start_s = numbers.launch_s + numbers.low_latency_expert_s * routed.experts
    inside = machine.fabric[0].bytes_per_s * numbers.low_latency_fraction
    return _routed_times_s(message, copies, start_s, inside, machine, kernels)


def _high_throughput_times_s(
    message: AllToAll, routed: Routed, forwarded: Levels, machine: Machine, kernels: Kernels
) -> Levels:
    """Time of a high-throughput kernel at each level, s: one copy per chip; its compute units may bind."""
    numbers = kernels.expert_all_to_all
    start_s = numbers.launch_s + numbers.high_throughput_s + numbers.high_throughput_value_s * routed.width
    unit_bytes_per_s = numbers.unit_bytes_per_s if routed.unit_bytes_per_s is None else routed.unit_bytes_per_s
    inside = minimum(machine.fabric[0].bytes_per_s * numbers.high_throughput_fraction, routed.units * unit_bytes_per_s)
    return _routed_times_s(message, forwarded, start_s, inside, machine, kernels)


def _routed_times_s(
    message: AllToAll,
    level_bytes: Levels,
    start_s: Numeric,
    inside_bytes_per_s: Numeric,
    machine: Machine,
    kernels: Kernels,
) -> Levels:
    numbers, ranks, outside = kernels.expert_all_to_all, message.group.ranks, machine.fabric[1:]
    # On a shared bus, each of more ranks has less bandwidth.
    shared = shared_fraction(ranks=ranks[0], power=kernels.collectives.ranks_power)
    return forwarded_all_to_all_level_times_s(
        level_bytes=level_bytes,
        ranks=ranks,
        bytes_per_s=(inside_bytes_per_s * shared, *(numbers.scale_out_fraction * one.bytes_per_s for one in outside)),
        latency_s=(start_s, *(start_s + numbers.scale_out_s for _ in outside)),
    )


def _faster(one: Levels, one_parts: Levels, other: Levels, other_parts: Levels) -> tuple[Levels, Levels]:
    """Times and parts of the faster of two ways to send a message over all levels at once."""
    is_faster = _slowest(one) < _slowest(other)
    times = tuple(where(is_faster, first, second) for first, second in zip(one, other, strict=True))
    return times, tuple(where(is_faster, first, second) for first, second in zip(one_parts, other_parts, strict=True))


def _slowest(times_s: Levels) -> Numeric:
    slowest: Numeric = 0.0
    for time_s in times_s:
        slowest = maximum(slowest, time_s)
    return slowest
