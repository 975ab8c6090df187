"""All-reduce: every rank ends with the sum of all buffers."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.equations import collectives
from ridgeline.equations.collectives import Levels, others_fraction
from ridgeline.equations.library_collectives import (
    in_switch_all_reduce_time_s,
    one_shot_all_reduce_time_s,
    two_shot_all_reduce_time_s,
)
from ridgeline.estimator.messages.levels import sides_and_wraps
from ridgeline.estimator.messages.library import library_time_s, reached_bytes_per_s
from ridgeline.estimator.messages.message import Message, fitted_time_s, parts, switch_time_s, torus_time_s
from ridgeline.numeric import Numeric, minimum, where
from ridgeline.specs.kernels import Collectives
from ridgeline.specs.topology import Torus


@dataclass(frozen=True, slots=True, kw_only=True)
class AllReduce(Message):
    """Every rank ends with the sum of all buffers of ``buffer_bytes``.

    Attributes:
        is_custom: whether the engine's own one- or two-shot all-reduce may be used where it is faster than the
            library's.
        has_end_barrier: whether that all-reduce ends with a barrier, as in most engines.
    """

    is_custom: bool = True
    has_end_barrier: bool = True


@parts.register
def _(message: AllReduce) -> Levels:
    return collectives.scattered_parts(message_bytes=message.buffer_bytes, ranks=message.group.ranks)


@switch_time_s.register
def _(message: AllReduce, part: Numeric, *, ranks: Numeric, bytes_per_s: Numeric, latency_s: Numeric) -> Numeric:
    return collectives.all_reduce_time_s(message_bytes=part, ranks=ranks, bytes_per_s=bytes_per_s, latency_s=latency_s)


@torus_time_s.register
def _(
    message: AllReduce, part: Numeric, torus: Torus, *, ranks: Numeric, link_bytes_per_s: Numeric, latency_s: Numeric
) -> Numeric:
    sides, wraps = sides_and_wraps(torus, ranks)
    return collectives.torus_all_reduce_time_s(
        message_bytes=part, sides=sides, wraps=wraps, link_bytes_per_s=link_bytes_per_s, latency_s=latency_s
    )


@fitted_time_s.register
def _(message: AllReduce, part: Numeric, *, ranks: Numeric, bytes_per_s: float, numbers: Collectives) -> Numeric:
    best_s = library_time_s(
        steps=2 * (ranks - 1),
        sent_bytes=2 * others_fraction(ranks=ranks) * part,
        ranks=ranks,
        bytes_per_s=bytes_per_s,
        numbers=numbers,
    )
    in_switch_s = in_switch_all_reduce_time_s(
        message_bytes=part,
        ranks=ranks,
        start_s=numbers.launch_s + numbers.in_switch_s,
        bytes_per_s=bytes_per_s * numbers.in_switch_fraction,
    )
    best_s = where(numbers.in_switch_s > 0, minimum(best_s, in_switch_s), best_s)
    if not message.is_custom:
        return best_s
    reached = reached_bytes_per_s(bytes_per_s, numbers.shot_fraction, ranks, numbers)
    start_s = numbers.one_shot_s + (numbers.end_barrier_s if message.has_end_barrier else 0.0)
    one_shot_s = one_shot_all_reduce_time_s(message_bytes=part, ranks=ranks, start_s=start_s, bytes_per_s=reached)
    start_s = start_s + numbers.second_shot_s
    two_shot_s = two_shot_all_reduce_time_s(message_bytes=part, ranks=ranks, start_s=start_s, bytes_per_s=reached)
    return minimum(best_s, minimum(one_shot_s, two_shot_s))
