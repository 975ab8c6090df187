"""All-gather: every rank ends with the whole buffer. A reduce-scatter sends as much."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.equations import collectives
from ridgeline.equations.collectives import Levels, others_fraction
from ridgeline.estimator.messages.levels import sides_and_wraps
from ridgeline.estimator.messages.library import library_time_s
from ridgeline.estimator.messages.message import Message, fitted_time_s, parts, switch_time_s, torus_time_s
from ridgeline.numeric import Numeric
from ridgeline.specs.kernels import Collectives
from ridgeline.specs.topology import Torus


@dataclass(frozen=True, slots=True, kw_only=True)
class AllGather(Message):
    """Every rank ends with ``buffer_bytes``, of which each held a part."""


@parts.register
def _(message: AllGather) -> Levels:
    return collectives.scattered_parts(message_bytes=message.buffer_bytes, ranks=message.group.ranks)


@switch_time_s.register
def _(message: AllGather, part: Numeric, *, ranks: Numeric, bytes_per_s: Numeric, latency_s: Numeric) -> Numeric:
    return collectives.all_gather_time_s(message_bytes=part, ranks=ranks, bytes_per_s=bytes_per_s, latency_s=latency_s)


@torus_time_s.register
def _(
    message: AllGather, part: Numeric, torus: Torus, *, ranks: Numeric, link_bytes_per_s: Numeric, latency_s: Numeric
) -> Numeric:
    sides, wraps = sides_and_wraps(torus, ranks)
    return collectives.torus_all_gather_time_s(
        message_bytes=part, sides=sides, wraps=wraps, link_bytes_per_s=link_bytes_per_s, latency_s=latency_s
    )


@fitted_time_s.register
def _(message: AllGather, part: Numeric, *, ranks: Numeric, bytes_per_s: float, numbers: Collectives) -> Numeric:
    sent_bytes = others_fraction(ranks=ranks) * part
    return library_time_s(steps=ranks - 1, sent_bytes=sent_bytes, ranks=ranks, bytes_per_s=bytes_per_s, numbers=numbers)
