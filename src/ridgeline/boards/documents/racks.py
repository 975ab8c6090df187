"""Racks as plain data."""

from __future__ import annotations

from typing import TypedDict

from ridgeline.boards.scene import Racks

__all__ = ["ChipDocument", "RackDocument", "RacksDocument", "TokenDocument", "VisitDocument", "racks_document"]

DIGITS = 4
"""Of heat and loads, which are only looked at."""


class ChipDocument(TypedDict):
    """One chip of a rack, under traffic.

    Attributes:
        number: among all chips of all racks.
        load: visits to it, over the mean of all chips.
        experts: numbers of those that it holds, the most sought-after first.
    """

    number: int
    load: float
    experts: list[int]


class RackDocument(TypedDict):
    """One scale-up domain.

    Attributes:
        chips: that are drawn, in their order.
    """

    chips: list[ChipDocument]


class VisitDocument(TypedDict):
    """A token's way to one of its experts.

    Attributes:
        expert: its number.
        chip: number of the chip that serves it.
        rack: in which that chip is.
    """

    expert: int
    chip: int
    rack: int


class TokenDocument(TypedDict):
    """One draw of the router.

    Attributes:
        rack: in which the token lies.
        chip: number of the chip on which it lies.
        near: experts that it visits in its own rack.
        beyond: experts that it visits in others.
        visits: to those of them whose chips are drawn.
    """

    rack: int
    chip: int
    near: int
    beyond: int
    visits: list[VisitDocument]


class RacksDocument(TypedDict):
    """Experts on the chips of racks.

    Attributes:
        racks: alike, in their order.
        heat: visits to one copy of each expert, over the mean of all experts' places.
        copies: of each expert, the first one included.
        slots: places for experts that a chip has.
        tokens: drawn one after another.
        busiest: number of the chip with most visits.
        busiest_text: how busy it is, in words.
        leaving_fraction: part of all visits that go to another rack.
        leaving_text: the same in words; empty of one rack.
        text: what it says, in a few words.
    """

    racks: list[RackDocument]
    heat: list[float]
    copies: list[int]
    slots: int
    tokens: list[TokenDocument]
    busiest: int
    busiest_text: str
    leaving_fraction: float
    leaving_text: str
    text: str


def racks_document(scene: Racks) -> RacksDocument:
    """All of it."""
    return {
        "racks": [
            {
                "chips": [
                    {"number": chip.number, "load": round(chip.load, DIGITS), "experts": list(chip.experts)}
                    for chip in rack.chips
                ]
            }
            for rack in scene.racks
        ],
        "heat": [round(heat, DIGITS) for heat in scene.heat],
        "copies": list(scene.copies),
        "slots": scene.slots,
        "tokens": [
            {
                "rack": token.rack,
                "chip": token.chip,
                "near": token.near,
                "beyond": token.beyond,
                "visits": [{"expert": one.expert, "chip": one.chip, "rack": one.rack} for one in token.visits],
            }
            for token in scene.tokens
        ],
        "busiest": scene.busiest,
        "busiest_text": scene.busiest_text,
        "leaving_fraction": scene.leaving_fraction,
        "leaving_text": scene.leaving_text,
        "text": scene.text,
    }
