"""Racks whose traffic goes over two networks at once: fast inside each, slow between them. A declaration alone."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["TwoNetworks"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoNetworks:
    """Racks that exchange tokens, on one clock.

    Attributes:
        racks: number of racks.
        link_ratio: speed of the links inside a rack, over that of the links between racks.
        inside: time of the traffic that stays in a rack, over that of all traffic in one rack.
        between: time of the traffic that leaves it, over the same.
        inside_text: traffic that stays, in words.
        between_text: traffic that leaves, in words.
        text: summary in a few words.
    """

    racks: int
    link_ratio: float
    inside: float
    between: float
    inside_text: str
    between_text: str
    text: str
