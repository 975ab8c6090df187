"""Send: one rank's message to another, such as from stage to stage of a pipeline."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.equations import collectives
from ridgeline.equations.collectives import Levels
from ridgeline.estimator.messages.message import Message, fitted_time_s, parts, switch_time_s, torus_time_s
from ridgeline.numeric import Numeric
from ridgeline.specs.kernels import Collectives
from ridgeline.specs.topology import Torus


@dataclass(frozen=True, slots=True, kw_only=True)
class Send(Message):
    """One rank sends ``buffer_bytes`` to another, at the level of the fabric where the group has two.

    Attributes:
        launches: kernels that are launched for it; 0 from host to host.
    """

    launches: int = 1


@parts.register
def _(message: Send) -> Levels:
    return (message.buffer_bytes,) * len(message.group.ranks)


@switch_time_s.register
def _(message: Send, part: Numeric, *, ranks: Numeric, bytes_per_s: Numeric, latency_s: Numeric) -> Numeric:
    return collectives.send_time_s(message_bytes=part, ranks=ranks, bytes_per_s=bytes_per_s, latency_s=latency_s)


@torus_time_s.register
def _(
    message: Send, part: Numeric, torus: Torus, *, ranks: Numeric, link_bytes_per_s: Numeric, latency_s: Numeric
) -> Numeric:
    return collectives.send_time_s(message_bytes=part, ranks=ranks, bytes_per_s=link_bytes_per_s, latency_s=latency_s)


@fitted_time_s.register
def _(message: Send, part: Numeric, *, ranks: Numeric, bytes_per_s: float, numbers: Collectives) -> Numeric:
    return numbers.launch_s + numbers.step_s + part / (bytes_per_s * numbers.send_fraction)
