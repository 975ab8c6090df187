"""What a kind of message answers: its bytes, and its time on the links of one level by what joins the chips there."""

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
    """What a chip sends to the others of its group; each kind has its own record.

    Attributes:
        buffer_bytes: buffer of a rank, bytes.
        group: who takes part.
        launches: kernels that are launched for it; a field of the kind that differs.
        is_custom: whether the engine has a kernel of its own for it beside the library's; a field of the kind that may.
    """

    buffer_bytes: Numeric
    group: Group

    launches = 1
    is_custom = False


@singledispatch
def parts(message: Message) -> Levels:
    """Bytes of its buffer that are under way at each level of the fabric, innermost first."""
    raise _unknown(message)


@singledispatch
def switch_time_s(
    message: Message, part: Numeric, *, ranks: Numeric, bytes_per_s: Numeric, latency_s: Numeric
) -> Numeric:
    """Time of a ``part`` where any chip reaches any other.

    Args:
        message: the kind.
        part: under way at this level, bytes.
        ranks: ranks at this level.
        bytes_per_s: bandwidth of a rank's links, in one direction, bytes/s.
        latency_s: latency of one hop, s.
    """
    raise _unknown(message)


@singledispatch
def torus_time_s(
    message: Message, part: Numeric, torus: Torus, *, ranks: Numeric, link_bytes_per_s: Numeric, latency_s: Numeric
) -> Numeric:
    """Time of a ``part`` over the rings and lines of a torus.

    Args:
        message: the kind.
        part: under way at this level, bytes.
        torus: how links lie.
        ranks: ranks at this level.
        link_bytes_per_s: bandwidth of one link, in one direction, bytes/s.
        latency_s: latency of one hop, s.
    """
    raise _unknown(message)


@singledispatch
def fitted_time_s(
    message: Message, part: Numeric, *, ranks: Numeric, bytes_per_s: float, numbers: Collectives
) -> Numeric:
    """Time of a ``part`` inside a domain whose links were measured, launch included: the best way to send it there.

    Args:
        message: the kind, and who sends it.
        part: under way inside the domain, bytes.
        ranks: ranks in the domain.
        bytes_per_s: peak bandwidth of a rank's links, in one direction, bytes/s.
        numbers: fitted numbers of the domain's collectives.
    """
    raise _unknown(message)


@singledispatch
def ground_inside(message: Message, *, is_custom: bool) -> tuple[str, str]:
    """What the time inside a measured domain rests on: what it is, and the number in ``Efficiency.sources``.

    Args:
        message: the kind.
        is_custom: whether the engine's own kernel sends it, and not the library's.
    """
    if is_custom:
        return "one- and two-shot all-reduces in the domain", "collectives.one_shot_s"
    return "library collectives in the domain", "collectives.launch_s"


@singledispatch
def ground_across(message: Message, level: str) -> tuple[str, str]:
    """What the time between domains rests on: what it is, and the number in ``Efficiency.sources``.

    Args:
        message: the kind.
        level: of the fabric, the outermost that it crosses.
    """
    return "messages between domains", f"link_fraction.{level}"


@singledispatch
def kind(message: Message) -> str:
    """Of its band: as what it is measured by itself."""
    return "collectives"


def _unknown(message: object) -> TypeError:
    return TypeError(f"{type(message).__name__} is not a kind of message known to the estimator")
