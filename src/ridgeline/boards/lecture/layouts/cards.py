"""Questions on experts over racks that words or a drawing answer."""

from __future__ import annotations

from ridgeline.boards.card import Card, Kind, Level
from ridgeline.boards.lecture.layouts import numbers
from ridgeline.boards.lecture.layouts.claims_layer import slower_all_to_all
from ridgeline.boards.lecture.layouts.racks import dies_of
from ridgeline.boards.lecture.numbers import LINK_RATIO
from ridgeline.catalog import load_machine, machine_entry
from ridgeline.equations import experts, racks
from ridgeline.quantity_text import format_quantity

__all__ = ["CARDS"]

RACK, NEXT = "gb200-nvl72", "rubin-ultra-nvl576"
MANY_RACKS = 8


def _slots() -> str:
    found = experts.slots_per_chip(experts=numbers.EXPERTS.value, redundant_experts=0, chips=numbers.CHIPS.value)
    return f"{float(found):.0f}"


def _slower(count: float) -> str:
    """Text of the time of an all-to-all over ``count`` racks, over its time inside one."""
    return f"{slower_all_to_all(racks=count, link_ratio=float(LINK_RATIO)):.3g}"


def _cables(times: float = 1) -> str:
    inside = load_machine(RACK).fabric[0]
    each = (inside.links or 1) * (inside.cables_per_link or 1)
    return f"{racks.switch_cables(chips=times * load_machine(RACK).scale_up_chips, cables_per_chip=each):,.0f}"


def _node_memory() -> str:
    return format_quantity(float(numbers.HOPPERS_BYTES), "bytes")


def _rack_memory() -> str:
    one = load_machine(RACK)
    return format_quantity(float(racks.domain_bytes(chips=one.scale_up_chips, hbm_bytes=one.chip.hbm_bytes)), "bytes")


CARDS: tuple[Card, ...] = (
    Card(
        id="layouts-sketch-the-layer",
        kind=Kind.SKETCH,
        level=Level.RECALL,
        time_stamp="0:32:30",
        question="Draw a layer of experts, from a token's arrival to the next layer, and where the chips' boundaries"
        " run through it.",
        answer="A router picks a few experts; each is an up projection, a nonlinearity and a down projection; their"
        " results are weighted, summed, and added to the token itself, which went around them. Boundaries run between"
        " experts, so that both fans, to the experts and back, are messages between chips.",
        board="moe-layer",
    ),
    Card(
        id="layouts-experts-a-chip",
        kind=Kind.NUMBER,
        level=Level.RECALL,
        time_stamp="0:34:20",
        question=f"How many of DeepSeek's {numbers.EXPERTS.value} experts lie on each chip of a Blackwell rack, and why"
        f" are only {numbers.CHIPS.value} of its chips counted?",
        answer=f"{_slots()} on each of {numbers.CHIPS.value}: {load_machine(RACK).scale_up_chips} does not divide"
        f" {numbers.EXPERTS.value}, so that the lecture leaves the rest idle. With"
        f" {numbers.PRODUCTION_COPIES:.0f} copies of the busiest experts all chips hold as many.",
        board="experts",
    ),
    Card(
        id="layouts-why-one-rack",
        kind=Kind.CONCEPT,
        level=Level.RECALL,
        time_stamp="0:36:00",
        question="Why does an expert layer end where the rack ends?",
        answer="Any chip's tokens may need any other chip's experts: an all-to-all. Inside a rack switches give every"
        " pair the full bandwidth; beyond it a chip has about an eighth of that, and the slower part decides.",
        board="scale-out",
    ),
    Card(
        id="layouts-two-racks",
        kind=Kind.DERIVATION,
        level=Level.APPLY,
        time_stamp="0:40:00",
        question=f"Links beyond the rack are {LINK_RATIO.value:.0f} times slower. By how much does an all-to-all slow"
        " down when the experts move from one rack to two, and to very many?",
        answer="Of R racks' tokens the part (R - 1)/R leaves its rack, over the slower links:"
        f" {LINK_RATIO.value:.0f} (R - 1)/R times as long. For two racks that is {_slower(2)} times, for"
        f" {MANY_RACKS} racks {_slower(MANY_RACKS)} times, and never more than {LINK_RATIO.value:.0f}.",
        board="scale-out",
    ),
    Card(
        id="layouts-sketch-the-rack",
        kind=Kind.SKETCH,
        level=Level.RECALL,
        time_stamp="0:38:20",
        question="Draw a rack: where are the chips, the switches, the cables, and the way to another rack?",
        answer="Chips outside, switches in the middle, a cable from every chip to the switches, so that two hops join"
        " any two chips. A second, slower way leads from each chip to a switch of the data centre.",
        board="switches",
    ),
    Card(
        id="layouts-cables",
        kind=Kind.CONCEPT,
        level=Level.APPLY,
        time_stamp="0:42:50",
        question="Why is it hard to put twice the chips into one rack's network?",
        answer="Each chip brings its own cables to the switches, through the same backplane: a rack of"
        f" {load_machine(RACK).scale_up_chips} has {_cables()} of them, twice the chips would have {_cables(2)}. Their"
        " number, their bends and their connectors run out of room, beside power, weight and cooling.",
        board="wires",
    ),
    Card(
        id="layouts-genuine",
        kind=Kind.NUMBER,
        level=Level.COMBINE,
        time_stamp="0:41:30",
        question="A rack of 72 is followed by one of 576. How much of that is growth, and how much is counting?",
        answer=f"576 counts dies, four to a package. Dies grow from {dies_of(machine_entry(RACK)):.0f} to"
        f" {dies_of(machine_entry(NEXT)):.0f}, four times, which the lecture calls genuine; packages from"
        f" {load_machine(RACK).scale_up_chips} to {load_machine(NEXT).scale_up_chips}, twice.",
        board="racks",
    ),
    Card(
        id="layouts-sixty-four",
        kind=Kind.CONCEPT,
        level=Level.RECALL,
        time_stamp="0:41:12",
        question="Why does a rack hold about 64 chips, and what changed from Hopper's domain to Blackwell's and to the"
        " next?",
        answer="Power, weight and cooling bound a rack, and room for its cables. From Hopper to Blackwell racks took"
        " the place of trays as the form factor, mostly a product decision; the step after takes a much more"
        " complicated rack, designed to run more cables.",
        board="switches",
    ),
    Card(
        id="layouts-why-sizes-stalled",
        kind=Kind.CONCEPT,
        level=Level.COMBINE,
        time_stamp="0:44:50",
        question="Why might models have hardly grown for three years after GPT-4, and what speaks against it?",
        answer=f"A server of eight Hoppers has {_node_memory()}, too little for a trillion parameters and their"
        f" caches; a rack of Blackwells has {_rack_memory()}. Against it: a pipeline adds the memory of several"
        " racks, and Google's pods were large all along. The lecture's last word is bandwidth: a larger rack reads"
        " a model sooner, more stages do not.",
        board="domains",
    ),
)
