"""The rack beside this chapter's steps: experts on its chips, a token's visits, and the network to a second one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ridgeline.boards.lecture.layouts import controls_layouts
from ridgeline.boards.lecture.layouts.moe_layer import chosen_experts, slots_of_chip
from ridgeline.boards.lecture.layouts.racks import GENERATIONS, domain_bytes
from ridgeline.boards.lecture.layouts.scale_out import between, inside
from ridgeline.boards.lecture.layouts.traffic import traffic
from ridgeline.boards.picture import Colour
from ridgeline.boards.rack import Paint, Piece, RackPicture, Standing, cabinets, number, words
from ridgeline.catalog import machine_entry
from ridgeline.equations import collectives
from ridgeline.quantity_text import counted, format_number, format_quantity

__all__ = ["GENERATIONS_DRAWN", "both_networks", "counted_packages", "in_domains", "over_racks", "visiting"]

GENERATIONS_DRAWN = ("H100", "GB200", "Rubin Ultra")
"""A tray, a rack and the largest that is announced."""


def visiting(at: Standing) -> RackPicture:
    """The chips that a token's experts are on."""
    values = at.values
    held = slots_of_chip(values)
    visited = sorted({expert // held for expert in chosen_experts(values)})
    (one,) = cabinets(1, chips=values["chips"])
    return RackPicture(
        cabinets=(
            replace(
                one, painted=(Paint(colour=Colour.LINKS, chips=tuple(chip for chip in visited if chip < one.chips)),)
            ),
        ),
        words=words(
            f"{values['chips']:.0f} chips with {counted(held, 'expert')} each. One token is sent to ",
            (f"{counted(len(chosen_experts(values)), 'expert')} on {counted(len(visited), 'chip')}", Colour.LINKS),
            ", and back.",
        ),
    )


def over_racks(at: Standing) -> RackPicture:
    """The chips that the first token of the drawing visits, in its own rack and in others."""
    drawn = traffic(at.values)
    token, racks = drawn.tokens[0], len(drawn.racks)
    visited = {visit.chip for visit in token.visits}
    leaving = float(collectives.others_fraction(ranks=racks))
    pieces: list[Piece] = [
        "Token 1 makes ",
        (f"{counted(token.near, 'visit')} in its rack", Colour.LINKS),
        " and ",
        (f"{token.beyond} beyond", Colour.ALSO),
        f". On average {format_quantity(leaving, 'fraction', 2)} of the visits leave their rack.",
    ]
    alone: list[Piece] = [
        "In one rack ",
        (f"all {counted(token.near, 'visit')} of a token", Colour.LINKS),
        " are near.",
    ]
    return RackPicture(
        cabinets=tuple(
            replace(
                one,
                painted=(
                    Paint(
                        colour=Colour.LINKS if rack == token.rack else Colour.ALSO,
                        chips=tuple(
                            place
                            for place, chip in enumerate(drawn.racks[rack].chips)
                            if chip.number in visited
                            if place < one.chips
                        ),
                    ),
                ),
            )
            for rack, one in enumerate(cabinets(racks, chips=at.values["chips"]))
        ),
        words=words(*(pieces if racks > 1 else alone)),
    )


def both_networks(at: Standing) -> RackPicture:
    """How long both networks are busy in an all-to-all over several racks."""
    racks = at.values["racks"]
    near, far = float(inside(racks)), float(between(at.values, racks))
    whole = max(near, far)
    return RackPicture(
        cabinets=cabinets(
            int(racks),
            chips=number(at, controls_layouts.chips(low=1, meaning="chips")),
            tracks=[[(Colour.LINKS, 0.0, near / whole)], [(Colour.ALSO, 0.0, far / whole)]],
        ),
        words=words(
            "In the all-to-all, ",
            (f"links inside a rack are busy for {_part(near / whole)}", Colour.LINKS),
            " of the time, ",
            (f"links out of it for {_part(far / whole)}", Colour.ALSO),
            f". It takes {format_number(whole)} times as long as in one rack.",
        ),
    )


def _in_domains(weight_bytes: float, named: str) -> RackPicture:
    """Weights in the memory of domains of three generations."""
    entries = {name: machine_entry(GENERATIONS[name][0]) for name in GENERATIONS_DRAWN}
    parts = {name: weight_bytes / domain_bytes(entry) for name, entry in entries.items()}
    small, large, largest = (_part(parts[name]) for name in GENERATIONS_DRAWN)
    return RackPicture(
        cabinets=tuple(
            cabinet
            for name, entry in entries.items()
            for cabinet in cabinets(1, chips=entry.machine.scale_up_chips, memory=[(Colour.WEIGHTS, parts[name])])
        ),
        words=words(
            f"{_counts(entries)} packages of {', '.join(GENERATIONS_DRAWN[:-1])} and {GENERATIONS_DRAWN[-1]}. ",
            (f"{named} {small}, {large} and {largest}", Colour.WEIGHTS),
            " of their memory.",
        ),
    )


def _counts(entries: Mapping[str, object]) -> str:
    *first, last = (str(machine_entry(GENERATIONS[name][0]).machine.scale_up_chips) for name in entries)
    return f"{', '.join(first)} and {last}"


def counted_packages(at: Standing) -> RackPicture:
    """Three generations, as they are counted, with the board's weights."""
    weights = at.values["weight_bytes"]
    return _in_domains(weights, f"{format_quantity(weights, 'bytes')} of weights fills")


def in_domains(at: Standing) -> RackPicture:
    """The same with the parameters of a model, in the domains of a pipeline."""
    values = at.values
    weights = values["total_params"] * values["bytes_per_param"] / values["stages"]
    return _in_domains(weights, f"{format_quantity(values['total_params'], 'count')} parameters fill")


def _part(fraction: float) -> str:
    return format_quantity(fraction, "fraction", 2)
