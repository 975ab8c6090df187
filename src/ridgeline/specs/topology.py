"""Arrangement of the links of one level of a fabric."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.errors import RidgelineError

__all__ = ["Mesh", "Switch", "Topology", "Torus"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """Any chip reaches any other with all of its links.

    Attributes:
        is_bus: whether chips share the path between them, as in hosts that join them by PCIe.
    """

    is_bus: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Mesh:
    """Every pair of chips has a link of its own, so that few chips use few links."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Torus:
    """A grid in which each chip has a link to its two neighbours along every axis.

    Attributes:
        sides: chips along each axis.
        wraps_every: divisor of the lengths of those axes of a slice that wrap around; an axis of another length is an
            open line.
    """

    sides: tuple[int, ...]
    wraps_every: int

    def __post_init__(self) -> None:
        if not self.sides or min(self.sides) < 1 or self.wraps_every < 1:
            raise RidgelineError(
                f"Torus: sides={self.sides} and wraps_every={self.wraps_every} must be numbers from 1 up,"
                " one side for each axis"
            )


Topology = Switch | Mesh | Torus
