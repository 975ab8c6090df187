"""Operations of a kind of message: its bytes, and its time on the links of one level by topology."""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch

from ridgeline.equations.collectives import Levels
from ridgeline.estimator.placement import Group
from ridgeline.numeric import Numeric
from ridgeline.specs.kernels import Collectives
from ridgeline.specs.topology import Torus

__all__ = [
    "Message",
    "fitted_time_s",
    "ground_across",
    "ground_inside",
    "kind",
    "parts",
    "switch_time_s",
    "torus_time_s",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """Data that a chip sends to the others of its group; each kind has its own record.

    Attributes:
        buffer_bytes: buffer of a rank, bytes.
        group: group of chips that take part.
        launches: number of kernels that are launched for it; kinds with another number have a field.
        is_custom: whether the engine has its own kernel beside the library's; kinds that may have one have a field.
        changed: fields of ``AsRun`` by which an engine changes its time.
    """

    buffer_bytes: Numeric
    group: Group

    launches = 1
    is_custom = False
    changed = frozenset({"eager_message_s"})


@singledispatch
def parts(message: Message) -> Levels:
    """Bytes of its buffer in flight at each level of the fabric, innermost first."""
    raise _unknown(message)


@singledispatch
def switch_time_s(
    message: Message, part: Numeric, *, ranks: Numeric, bytes_per_s: Numeric, latency_s: Numeric
) -> Numeric:
    """Time of a ``part`` where any chip reaches any other, s.

    Args:
        message: message of any kind.
        part: bytes in flight at this level.
        ranks: ranks at this level.
        bytes_per_s: bandwidth of a rank's links, in one direction, bytes/s.
        latency_s: latency of one hop, s.
    """
    raise _unknown(message)


@singledispatch
def torus_time_s(
    message: Message, part: Numeric, torus: Torus, *, ranks: Numeric, link_bytes_per_s: Numeric, latency_s: Numeric
) -> Numeric:
    """Time of a ``part`` over the rings and lines of a torus, s.

    Args:
        message: message of any kind.
        part: bytes in flight at this level.
        torus: arrangement of the links.
        ranks: ranks at this level.
        link_bytes_per_s: bandwidth of one link, in one direction, bytes/s.
        latency_s: latency of one hop, s.
    """
    raise _unknown(message)


@singledispatch
def fitted_time_s(
    message: Message, part: Numeric, *, ranks: Numeric, bytes_per_s: float, numbers: Collectives
) -> Numeric:
    """Time of a ``part`` inside a domain whose links were measured, launch included, by the fastest algorithm, s.

    Args:
        message: message of any kind, with the chips that send it.
        part: bytes in flight inside the domain.
        ranks: ranks in the domain.
        bytes_per_s: peak bandwidth of a rank's links, in one direction, bytes/s.
        numbers: fitted numbers of the domain's collectives.
    """
    raise _unknown(message)


@singledispatch
def ground_inside(message: Message, *, is_custom: bool) -> tuple[str, str]:
    """Words for what the time inside a measured domain rests on, and its number's path in ``Efficiency.sources``.

    Args:
        message: message of any kind.
        is_custom: whether the engine's own kernel sends it, and not the library's.
    """
    if is_custom:
        return "one- and two-shot all-reduces in the domain", "collectives.one_shot_s"
    return "library collectives in the domain", "collectives.launch_s"


@singledispatch
def ground_across(message: Message, level: str) -> tuple[str, str]:
    """Words for what the time between domains rests on, and its number's path in ``Efficiency.sources``.

    Args:
        message: message of any kind.
        level: outermost level of the fabric that it crosses.
    """
    return "messages between domains", f"link_fraction.{level}"


@singledispatch
def kind(message: Message) -> str:
    """Kind of message, a key of the bands."""
    return "collectives"


def _unknown(message: object) -> TypeError:
    return TypeError(f"{type(message).__name__} is not a kind of message known to the estimator")
