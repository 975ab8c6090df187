"""The rack beside this chapter's steps: what lies in the memory of a pipeline's racks, and its hops."""

from __future__ import annotations

from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.layouts.racks import GENERATIONS, read_s
from ridgeline.boards.lecture.not_wise.hop import hop_time_s, token_time_s
from ridgeline.boards.lecture.numbers import NEXT_HBM_BYTES
from ridgeline.boards.lecture.pipelines.hand_over import times
from ridgeline.boards.picture import Colour
from ridgeline.boards.rack import Busy, Cabinet, Piece, RackPicture, Standing, Track, cabinets, number, words
from ridgeline.catalog import machine_entry
from ridgeline.equations import memory
from ridgeline.quantity_text import format_number, format_quantity

__all__ = ["held", "hopping", "reading_sooner", "weights_alone"]

DRAWN = ("H100", "GB200")
"""A tray and a rack."""


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
    pieces: list[Piece] = [
        f"{times(stages, 'rack')}. In each chip's memory: ",
        (f"{_part(weights)} weights", Colour.WEIGHTS),
    ]
    caches: list[Piece] = [", ", (f"{_part(kv)} KV cache", Colour.KV), ". Another rack shrinks only the weights."]
    return RackPicture(
        cabinets=cabinets(
            int(stages),
            chips=values["chips_per_stage"],
            memory=[(Colour.WEIGHTS, weights), *([(Colour.KV, kv)] if with_kv else [])],
        ),
        words=words(*pieces, *(caches if with_kv else [f", 1/{stages:.0f} of what one rack alone would hold."])),
        asked=(Colour.KV,) if with_kv else (),
    )


def weights_alone(at: Standing) -> RackPicture:
    """A stage's share of the weights in each chip."""
    return _memory(at, with_kv=False)


def held(at: Standing) -> RackPicture:
    """Weights and contexts, with a batch for every stage."""
    return _memory(at, with_kv=True)


def hopping(at: Standing) -> RackPicture:
    """A token through all racks: computed in each, then handed on."""
    values = at.values
    count, hop_s = int(values["stages"]), float(hop_time_s(values, values["ports"]))
    each_s = values["period_s"] / count
    token_s = float(token_time_s(period_s=values["period_s"], stages=count, hop_s=hop_s))
    starts = [stage * (each_s + hop_s) for stage in range(count)]
    (one, *_) = cabinets(count, chips=values["ports"])
    return RackPicture(
        cabinets=tuple(
            Cabinet(
                chips=one.chips,
                tracks=(
                    Track(
                        busy=(
                            Busy(colour=Colour.COMPUTE, start=start / token_s, end=(start + each_s) / token_s),
                            Busy(
                                colour=Colour.LINKS,
                                start=(start + each_s) / token_s,
                                end=(start + each_s + hop_s) / token_s,
                            ),
                        )
                    ),
                ),
            )
            for start in starts
        ),
        words=words(
            f"A token through {times(count, 'rack')}: ",
            (f"{format_quantity(each_s, 's')} in each", Colour.COMPUTE),
            ", then a ",
            (f"hop of {format_quantity(hop_s, 's')}", Colour.LINKS),
            f" over {times(values['ports'], 'port')}.",
        ),
    )


def reading_sooner(at: Standing) -> RackPicture:
    """A tray and a rack that read the same weights."""
    entries = {name: machine_entry(GENERATIONS[name][0]) for name in DRAWN}
    took = {name: float(read_s(at.values, entry, entry.machine.scale_up_chips)) for name, entry in entries.items()}
    longest = max(took.values())
    small, large = (
        f"{entries[name].machine.scale_up_chips} {name} in {format_quantity(took[name], 's')}" for name in DRAWN
    )
    return RackPicture(
        cabinets=tuple(
            cabinet
            for name, entry in entries.items()
            for cabinet in cabinets(
                1, chips=entry.machine.scale_up_chips, tracks=[[(Colour.WEIGHTS, 0.0, took[name] / longest)]]
            )
        ),
        words=words(
            f"{format_quantity(at.values['weight_bytes'], 'bytes')} of weights are read by ",
            (small, Colour.WEIGHTS),
            ", by ",
            (large, Colour.WEIGHTS),
            f": {format_number(longest / min(took.values()), 2)} times sooner.",
        ),
    )


def _part(fraction: float) -> str:
    return format_quantity(fraction, "fraction", 2)
