"""The rack beside this chapter's steps: experts on its chips, a token's visits, and the network to a second one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ridgeline.boards.board import Values
from ridgeline.boards.lecture.layouts import controls_layouts
from ridgeline.boards.lecture.layouts.moe_layer import TOKENS, chosen_experts, slots_of_chip
from ridgeline.boards.lecture.layouts.racks import GENERATIONS, domain_bytes
from ridgeline.boards.lecture.layouts.scale_out import between, inside
from ridgeline.boards.lecture.layouts.switches import two_hops_away
from ridgeline.boards.lecture.layouts.traffic import traffic
from ridgeline.boards.picture import Colour
from ridgeline.boards.rack import Cabinet, Paint, Piece, RackPicture, Standing, Visited, cabinets, number, stated, words
from ridgeline.boards.scene import Racks
from ridgeline.catalog import machine_entry
from ridgeline.equations import collectives
from ridgeline.quantity_text import counted, format_number, format_quantity

__all__ = [
    "GENERATIONS_DRAWN",
    "both_networks",
    "counted_packages",
    "in_domains",
    "inside_alone",
    "over_racks",
    "visiting",
    "wired",
]

GENERATIONS_DRAWN = ("H100", "GB200", "Rubin Ultra")
"""Domains that are drawn: a tray, a rack and the largest that is announced."""


def visiting(at: Standing) -> RackPicture:
    """The chips that a token's experts are on."""
    values = at.values
    held = slots_of_chip(values)
    (one,) = cabinets(1, chips=values["chips"])
    first, *others = (_visits(values, token, held, one.chips) for token in range(TOKENS))
    return RackPicture(
        cabinets=(replace(one, painted=(Paint(colour=Colour.LINKS, chips=first.chips[0]),)),),
        words=first.words,
        tokens=(first, *others),
    )


def _visits(values: Values, token: int, held: int, drawn: int) -> Visited:
    chosen = chosen_experts(values, token)
    visited = sorted({expert // held for expert in chosen})
    return Visited(
        chips=(tuple(chip for chip in visited if chip < drawn),),
        words=words(
            f"{values['chips']:.0f} chips, {counted(held, 'expert')} each. Token {token + 1} visits ",
            (f"{counted(len(chosen), 'expert')} on {counted(len(visited), 'chip')}", Colour.LINKS),
            ".",
        ),
    )


def wired(at: Standing) -> RackPicture:
    """The chips that the first one reaches through a switch."""
    chips, switches = int(at.values["chips"]), int(at.values["switches"])
    (rack,), reached = cabinets(1, chips=chips), two_hops_away(at.values)
    lit = tuple(chip for chip in (0, *reached) if chip < rack.chips)
    return RackPicture(
        cabinets=(replace(rack, painted=(Paint(colour=Colour.LINKS, chips=lit),)),),
        words=words(
            f"{counted(chips, 'chip')}, {counted(switches, 'switch')}: from the first, ",
            (f"{len(reached)} of {chips - 1} others in 2 hops", Colour.LINKS),
            ".",
        ),
    )


def over_racks(at: Standing) -> RackPicture:
    """The chips that the tokens of the drawing visit, in their own rack and in others."""
    drawn = traffic(at.values)
    racks = cabinets(len(drawn.racks), chips=at.values["chips"])
    tokens = tuple(_routed(drawn, place, [one.chips for one in racks]) for place in range(len(drawn.tokens)))
    return RackPicture(
        cabinets=tuple(
            replace(rack, painted=(Paint(colour=Colour.LINKS, chips=chips),))
            for rack, chips in zip(racks, tokens[0].chips, strict=True)
        ),
        words=tokens[0].words,
        tokens=tokens,
    )


def _routed(drawn: Racks, place: int, shown: Sequence[int]) -> Visited:
    """A token's visits, of chips as far as they are shown in each rack."""
    token, racks = drawn.tokens[place], len(drawn.racks)
    visited = {visit.chip for visit in token.visits}
    leaving = float(collectives.others_fraction(ranks=racks))
    near = f"{counted(token.near, 'visit')} in its own rack"
    pieces: list[Piece] = [
        f"Token {place + 1}: ",
        (f"{near}, {token.beyond} beyond" if racks > 1 else near, Colour.LINKS),
        f". On average {format_quantity(leaving, 'fraction', 2)} leave it.",
    ]
    return Visited(
        chips=tuple(
            tuple(spot for spot, chip in enumerate(rack.chips[:most]) if chip.number in visited)
            for rack, most in zip(drawn.racks, shown, strict=True)
        ),
        words=words(f"{counted(racks, 'rack')}. ", *pieces),
    )


def inside_alone(at: Standing) -> RackPicture:
    """Links inside several racks, in the time of an all-to-all inside one."""
    racks, near = at.values["racks"], float(inside(at.values["racks"]))
    return RackPicture(
        cabinets=_racks_of(at, [[(Colour.LINKS, 0.0, near)]]),
        words=words(
            f"{counted(int(racks), 'rack')}. All-to-all: ",
            (f"links inside are busy {_part(near)} of the time that one rack alone takes", Colour.LINKS),
            ".",
        ),
    )


def _racks_of(at: Standing, tracks: Sequence[Sequence[tuple[Colour, float, float]]]) -> tuple[Cabinet, ...]:
    chips = number(at, controls_layouts.chips(low=1, meaning="chips"))
    return cabinets(int(at.values["racks"]), chips=chips, tracks=tracks)


def both_networks(at: Standing) -> RackPicture:
    """Busy times of both networks in an all-to-all over several racks."""
    racks = at.values["racks"]
    near, far = float(inside(racks)), float(between(at.values, racks))
    whole = max(near, far)
    return RackPicture(
        cabinets=_racks_of(at, [[(Colour.LINKS, 0.0, near / whole)], [(Colour.ALSO, 0.0, far / whole)]]),
        words=words(
            f"{counted(int(racks), 'rack')}. All-to-all, {format_number(whole)} times as long as in one: ",
            (f"links inside busy {_part(near / whole)} of it", Colour.LINKS),
            ", ",
            (f"links out {_part(far / whole)}", Colour.ALSO),
            ".",
        ),
    )


def _in_domains(weight_bytes: float, *named: Piece) -> RackPicture:
    """Weights in the memory of domains of three generations."""
    entries = {name: machine_entry(GENERATIONS[name][0]) for name in GENERATIONS_DRAWN}
    parts = {name: weight_bytes / domain_bytes(entry) for name, entry in entries.items()}
    sizes: list[Piece] = []
    for name, entry in entries.items():
        room = format_quantity(domain_bytes(entry), "bytes")
        sizes += [
            ", " if sizes else ": ",
            (_part(parts[name]), Colour.WEIGHTS),
            f" of the {room} in {entry.machine.scale_up_chips} {name}",
        ]
    return RackPicture(
        cabinets=tuple(
            cabinet
            for name, entry in entries.items()
            for cabinet in cabinets(1, chips=entry.machine.scale_up_chips, memory=[(Colour.WEIGHTS, parts[name])])
        ),
        words=words(*named, *sizes, "."),
    )


def counted_packages(at: Standing) -> RackPicture:
    """Domains of three generations, counted in packages, with the board's weights."""
    weights = at.values["weight_bytes"]
    return _in_domains(weights, stated(at, at.board.control("weight_bytes")), " of weights")


def in_domains(at: Standing) -> RackPicture:
    """Parameters of a model in the domains of a pipeline."""
    values = at.values
    weights = values["total_params"] * values["bytes_per_param"] / values["stages"]
    return _in_domains(weights, f"{format_quantity(values['total_params'], 'count')} parameters")


def _part(fraction: float) -> str:
    return format_quantity(fraction, "fraction", 2)
