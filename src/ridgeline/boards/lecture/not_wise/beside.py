"""The rack beside this chapter's steps: memory contents of a pipeline's racks, and its hops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.layouts.racks import GENERATIONS, read_s
from ridgeline.boards.lecture.not_wise.hop import hop_time_s, token_time_s
from ridgeline.boards.lecture.numbers import NEXT_HBM_BYTES
from ridgeline.boards.picture import Colour
from ridgeline.boards.rack import Busy, Piece, RackPicture, Standing, Track, cabinets, number, stated, words
from ridgeline.catalog import machine_entry
from ridgeline.equations import memory
from ridgeline.quantity_text import counted, format_quantity

__all__ = ["computed_in_turn", "held", "hopping", "read_by_trays", "reading_sooner", "weights_alone"]

DRAWN = ("H100", "GB200")
"""Domains that are drawn: a tray and a rack."""


def _memory(at: Standing, *, with_kv: bool) -> RackPicture:
    values = at.values
    hbm_bytes, stages = number(at, controls.hbm_bytes(NEXT_HBM_BYTES)), values["stages"]
    weights, kv = (
        float(part) / hbm_bytes
        for part in memory.bytes_per_chip(
            weight_bytes=values["weight_bytes"],
            kv_bytes_per_sequence=values["context_tokens"] * values["kv_bytes_per_token"],
            batch=values["batch_per_stage"] * stages,
            chips_per_stage=values["chips_per_stage"],
            stages=stages,
        )
    )
    room = f" of {format_quantity(hbm_bytes, 'bytes')} a chip"
    shared = f"{room}, 1/{stages:.0f} of what one rack would hold." if stages > 1 else f"{room}."
    pieces: list[Piece] = [
        f"{counted(stages, 'rack')} of {counted(values['chips_per_stage'], 'chip')}. Memory: ",
        (f"weights {_part(weights)}", Colour.WEIGHTS),
    ]
    return RackPicture(
        cabinets=cabinets(
            int(stages),
            chips=values["chips_per_stage"],
            memory=[(Colour.WEIGHTS, weights), *([(Colour.KV, kv)] if with_kv else [])],
        ),
        words=words(*pieces, *([", ", (f"KV {_part(kv)}", Colour.KV), f"{room}."] if with_kv else [shared])),
    )


def weights_alone(at: Standing) -> RackPicture:
    """A stage's share of the weights in each chip."""
    return _memory(at, with_kv=False)


def held(at: Standing) -> RackPicture:
    """Weights and contexts, with a batch for every stage."""
    return _memory(at, with_kv=True)


def computed_in_turn(at: Standing) -> RackPicture:
    """A token through all racks, its hops left out."""
    return _through(at, hop_s=0.0)


def hopping(at: Standing) -> RackPicture:
    """A token through all racks: computed in each, then handed on."""
    return _through(at, hop_s=float(hop_time_s(at.values, at.values["ports"])))


def _through(at: Standing, *, hop_s: float) -> RackPicture:
    values = at.values
    count = int(values["stages"])
    each_s = values["period_s"] / count
    token_s = float(token_time_s(period_s=values["period_s"], stages=count, hop_s=hop_s))
    (one, *_) = cabinets(count, chips=values["ports"])
    pieces: list[Piece] = [
        f"{counted(count, 'rack')} in turn. A token: ",
        (f"compute {format_quantity(each_s, 's')} in each", Colour.COMPUTE),
    ]
    if hop_s:
        hop = (f"hop {format_quantity(hop_s, 's')}", Colour.LINKS)
        pieces += [", ", hop, " over ", stated(at, at.board.control("ports"), "port")]
    return RackPicture(
        cabinets=tuple(
            replace(one, tracks=(Track(busy=_visit(stage * (each_s + hop_s), each_s, hop_s, token_s)),))
            for stage in range(count)
        ),
        words=words(*pieces, "."),
    )


def _visit(start_s: float, each_s: float, hop_s: float, span_s: float) -> tuple[Busy, ...]:
    """Busy times of a token in a rack, and on its way out."""
    moments = [start_s, start_s + each_s, start_s + each_s + hop_s]
    return tuple(
        Busy(colour=colour, start=start / span_s, end=end / span_s)
        for colour, (start, end) in zip((Colour.COMPUTE, Colour.LINKS), pairwise(moments), strict=True)
        if end > start
    )


def read_by_trays(at: Standing) -> RackPicture:
    """A tray that reads the weights, and a rack that has yet to."""
    return _reading(at, DRAWN[:1])


def reading_sooner(at: Standing) -> RackPicture:
    """A tray and a rack that read the same weights."""
    return _reading(at, DRAWN)


def _reading(at: Standing, timed: Sequence[str]) -> RackPicture:
    """Tray and rack, some of them with times."""
    entries = {name: machine_entry(GENERATIONS[name][0]) for name in DRAWN}
    took = {name: float(read_s(at.values, entries[name], entries[name].machine.scale_up_chips)) for name in timed}
    longest = max(took.values())
    weights = f"{format_quantity(at.values['weight_bytes'], 'bytes')} of weights"
    pieces: list[Piece] = []
    for name, entry in entries.items():
        chips = f"{entry.machine.scale_up_chips} {name}"
        if name in took:
            read = f"{chips} {'in' if pieces else 'read them in'} {_time(took[name])}"
            pieces += [", " if pieces else f"{weights}: ", (read, Colour.WEIGHTS)]
        else:
            pieces.append(f". Beside them {chips}")
    return RackPicture(
        cabinets=tuple(
            cabinet
            for name, entry in entries.items()
            for cabinet in cabinets(
                1,
                chips=entry.machine.scale_up_chips,
                tracks=[[(Colour.WEIGHTS, 0.0, took[name] / longest)] if name in took else []],
            )
        ),
        words=words(*pieces, "."),
    )


def _time(value_s: float) -> str:
    return format_quantity(value_s, "s")


def _part(fraction: float) -> str:
    return format_quantity(fraction, "fraction", 2)
