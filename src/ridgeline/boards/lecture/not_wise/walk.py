"""The walk from 1:05:00: the memory of a chip, the part that pipelines save, and the use of larger racks."""

from __future__ import annotations

from ridgeline.boards.clause import Clause
from ridgeline.boards.constant import filled_in
from ridgeline.boards.exercise import shown
from ridgeline.boards.lecture.not_wise import choices, grounds, hop, others
from ridgeline.boards.lecture.not_wise.others import racks_in_a_row
from ridgeline.boards.note import DIGITS
from ridgeline.boards.picture import Colour
from ridgeline.boards.row_of_racks import RowOfRacks
from ridgeline.boards.tied_to import control, in_picture
from ridgeline.boards.walk import (
    MAGNITUDE,
    ROUGH,
    Question,
    Seen,
    Step,
    along,
    at_mark,
    height,
    mark_named,
    upright,
)
from ridgeline.catalog import load_machine
from ridgeline.quantity_text import format_number

__all__ = ["STEPS"]

MANY = filled_in(8, why="more than he takes, to show what they do")
"""Largest number of stages in the drawing."""


def _divided(seen: Seen) -> str:
    values = seen.values[seen.mode]
    return (
        "Half of what the largest builders spend goes into memory, an analyst is quoted as saying. Do racks have more"
        f" of it than they need? Spread {shown(values['weight_bytes'], 'bytes')} of weights over a pipeline of"
        f" {values['stages']:g} racks of {values['chips_per_stage']:g} chips. {_weights_held(seen)}."
    )


def _weights_of_a_chip(seen: Seen) -> float:
    picture = racks_in_a_row(seen)
    return picture.parts[0].held[picture.here]


def _weights_held(seen: Seen) -> str:
    held, has = _weights_of_a_chip(seen), seen.values[seen.mode]["hbm_bytes"]
    text = shown(held, "bytes", DIGITS)
    if held > has:
        return f"Each chip would then hold {text}, more than its {_has(seen)}"
    return f"Each chip then holds {text}, of the {_has(seen)} that it has"


def _caches(seen: Seen) -> str:
    picture = racks_in_a_row(seen)
    _, cache = picture.parts
    return (
        "Each rack of a pipeline keeps only the KV cache of its own layers. But every rack added needs one more"
        " batch in flight to stay busy, with a cache of its own. So a chip holds"
        f" {cache.held_text[picture.here]} of caches on {picture.counts[picture.here]} racks, as much as on 1. Only its"
        " weights shrink."
    )


def _is_overfull(picture: RowOfRacks) -> bool:
    return sum(part.held[picture.here] for part in picture.parts) > picture.hbm_bytes


def _has(seen: Seen) -> str:
    return shown(seen.values[seen.mode]["hbm_bytes"], "bytes")


def _cache_held(seen: Seen) -> str:
    picture = racks_in_a_row(seen)
    return f"a chip {'would hold' if _is_overfull(picture) else 'holds'} {picture.parts[1].held_text[picture.here]}"


def _caches_beside(seen: Seen) -> str:
    picture = racks_in_a_row(seen)
    here, counts = picture.here, picture.counts
    if _is_overfull(picture):
        return f": {picture.both_text[here]} with the weights, more than its {_has(seen)}"
    return f", as much as on {counts[0] if here else counts[-1]}"


def _hop_prompt(seen: Seen) -> str:
    batch, single = shown(seen.values[seen.mode]["batch"], "count"), mark_named(seen, "one port")
    return (
        f"Through {single.x:g} network port, sending the data of {batch} sequences to the next rack takes"
        f" {upright(seen, single.y)}. How long does the hop take through {mark_named(seen, 'ports').x:g} ports at once?"
    )


def _hop_reveal(seen: Seen) -> str:
    every = mark_named(seen, "ports")
    values = seen.values[seen.mode]
    added_s = values["stages"] * every.y
    return (
        f"{upright(seen, every.y)}, far below his few milliseconds. All {values['stages']:g} hops of a loop over"
        f" {values['stages']:g} racks take {shown(added_s / values['period_s'], 'fraction', 1)} of his"
        f" {upright(seen, values['period_s'])}."
    )


def _hold(hoppers: float, weights_bytes: float) -> bool:
    """Whether so many Hoppers have room for such weights, or read them in comparison only."""
    return weights_bytes <= hoppers * load_machine("h100-sxm").chip.hbm_bytes


def _rack_prompt(seen: Seen) -> str:
    small, large = (mark_named(seen, f"domain of {name}") for name in ("H100", "GB200"))
    faster, weights = height(seen, "H100", large.x) / large.y, seen.values[seen.mode]["weight_bytes"]
    hoppers, read = f"{along(seen, small.x)} Hoppers", f"{shown(weights, 'bytes')} of weights"
    reads = (
        f"{hoppers} read {read}" if _hold(small.x, weights) else f"If {hoppers} could hold {read}, they would read it"
    )
    return (
        f"{reads} in {upright(seen, small.y)}. How long do {along(seen, large.x)} Blackwells take, each with"
        f" {faster:.1f} times the bandwidth?"
    )


def _rack_reveal(seen: Seen) -> str:
    small, large = (mark_named(seen, f"domain of {name}") for name in ("H100", "GB200"))
    times = small.y / large.y
    return (
        f"{upright(seen, large.y)}: {format_number(times, 3)} times faster. The larger rack gives a factor of"
        f" {large.x / small.x:.0f}, the faster chips one of {times * small.x / large.x:.1f}. That was worth waiting"
        " for: it makes large sparse models fast to serve."
    )


STEPS = (
    Step(
        board="memory",
        view=1,
        time_stamp="1:05:00",
        terms=3,
        sentence=_divided,
        other=others.lighter,
        named={"weights": Colour.WEIGHTS},
        ties=(
            control("weight_bytes"),
            control("stages"),
            control("chips_per_stage"),
            in_picture(_weights_of_a_chip, "words above the racks"),
            control("hbm_bytes"),
        ),
        claims=("B13",),
        clauses=(Clause(words="Each chip then holds …", otherwise=_weights_held),),
    ),
    Step(
        board="memory",
        view=2,
        time_stamp="1:11:00",
        turned={"stages": MANY},
        sentence=_caches,
        other=others.cached_more,
        named={"KV cache": Colour.KV, "weights": Colour.WEIGHTS},
        ties=(
            in_picture(
                lambda seen: racks_in_a_row(seen).parts[1].held[racks_in_a_row(seen).here], "words above the racks"
            ),
            control("stages"),
            in_picture(lambda seen: racks_in_a_row(seen).counts[0], "the first bar's racks"),
        ),
        claims=("B15", "B37"),
        choice=choices.CACHE_HELD,
        clauses=(
            Clause(words="a chip holds 7.5 GB", otherwise=_cache_held),
            Clause(words=", as much as on 1", otherwise=_caches_beside),
        ),
    ),
    Step(
        board="hop",
        view=1,
        time_stamp="1:15:00",
        formula=hop.HOP_EQUATION,
        other=others.hops_of_more,
        lines=("his guess", "ten times", "a tenth of it", "computed"),
        sentence="Each hop to the next rack takes time, too: out through a network card, up to a switch and down again."
        " He guesses a few milliseconds, give or take a factor of ten.",
        named={"Each hop": Colour.BOUND, "a few milliseconds": Colour.ALSO, "a factor of ten": Colour.ASIDE},
        claims=("B16",),
        question=Question(
            prompt=_hop_prompt,
            line="computed",
            x=at_mark("ports"),
            # The point that the question tells.
            known_from=at_mark("one port"),
            known_to=at_mark("one port"),
            tolerance_ratio=MAGNITUDE,
            reveal=_hop_reveal,
            grounds=grounds.all_ports,
        ),
    ),
    Step(
        board="racks",
        time_stamp="1:18:14",
        other=others.read_sooner,
        lines=("H100", "GB200"),
        sentence="So models were not waiting for memory capacity, which pipelines provide. They were waiting for"
        " bandwidth: all chips of a larger rack read their shares of the weights at the same time.",
        named={"all chips of a larger rack": Colour.BOUND},
        claims=("B17",),
        question=Question(
            prompt=_rack_prompt,
            line="GB200",
            x=at_mark("domain of GB200"),
            tolerance_ratio=ROUGH,
            reveal=_rack_reveal,
            grounds=grounds.larger_rack,
        ),
        answer="For bandwidth, he says: in a larger rack more chips read the weights at once. Pipelines save memory for"
        " weights, of which racks have more than enough.",
    ),
)
