"""Memory of a chip against the stages of a pipeline: weights shrink, contexts stay."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from ridgeline.boards.board import Board, Control, Term, Values, View
from ridgeline.boards.constant import filled_in
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture import controls, fleet
from ridgeline.boards.lecture.not_wise.stage_times import chips_per_stage
from ridgeline.boards.lecture.numbers import BALANCE_BATCH, NEXT_HBM_BYTES
from ridgeline.boards.lecture.pipelines import numbers
from ridgeline.boards.lecture.pipelines.hand_over import times
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import At, at, curve, curves, whole
from ridgeline.boards.row_of_racks import HeldPart, RowOfRacks
from ridgeline.equations import memory
from ridgeline.quantity_text import format_number, format_quantity

__all__ = ["BOARD"]

MOST_STAGES = 8
HELD = (("weights", Colour.WEIGHTS), ("KV cache", Colour.KV))
BOTH, HAS = "weights +\nKV cache", "memory of\na chip"


def _parts(values: Values, stages: Any) -> tuple[Any, Any]:  # noqa: ANN401  a number or many
    """Weights and keys and values of a chip, with a micro-batch for each stage."""
    return memory.bytes_per_chip(
        weight_bytes=values["weight_bytes"],
        kv_bytes_per_sequence=values["context_tokens"] * values["kv_bytes_per_token"],
        batch=values["batch_per_stage"] * stages,
        chips_per_stage=values["chips_per_stage"],
        stages=stages,
    )


def _marks(values: Values) -> tuple[At, At]:
    """Marks of the memory that a chip needs with the board's stages, and of its capacity."""
    stages = int(values["stages"])
    needed = float(sum(_parts(values, float(stages))))
    both, has = (format_quantity(found, "bytes") for found in (needed, values["hbm_bytes"]))
    ratio = values["hbm_bytes"] / needed
    surplus = f"{has}: {format_number(ratio)} times\nwhat is needed" if ratio >= 1 else f"{has}: too little"
    return (
        at("stages", stages, on=BOTH, text=f"{times(stages, 'stage')}: {both}"),
        at("memory of a chip", stages, on=HAS, text=surplus, colour=Colour.ASIDE),
    )


def _row(values: Values, *, named: Iterable[tuple[str, Colour]]) -> RowOfRacks:
    """Racks in a row, with the first parts of what their chips hold, under these names."""
    counts, stages = tuple(range(1, MOST_STAGES + 1)), int(values["stages"])
    # Numbers of a document are plain.
    found = [[float(part) for part in _parts(values, float(count))] for count in counts]
    parts = tuple(
        HeldPart(
            name=name,
            colour=colour,
            held=tuple(one[place] for one in found),
            held_text=tuple(format_quantity(one[place], "bytes") for one in found),
        )
        for place, (name, colour) in enumerate(named)
    )
    both = [sum(one[: len(parts)]) for one in found]
    here, has = both[stages - 1], format_quantity(values["hbm_bytes"], "bytes")
    surplus = values["hbm_bytes"] / here
    held = format_quantity(here, "bytes")
    return RowOfRacks(
        counts=counts,
        here=stages - 1,
        parts=parts,
        both_text=tuple(format_quantity(one, "bytes") for one in both),
        hbm_bytes=values["hbm_bytes"],
        hbm_text=f"{has}, {f'{format_number(surplus, 2)} times as much' if surplus >= 1 else f'too little for {held}'}",
        chips_text=times(values["chips_per_stage"], "chip"),
        text=f"{times(stages, 'rack')} in a row: each chip {'holds' if surplus >= 1 else 'would need'} {held} of {has}",
    )


def _memory(values: Values) -> Curves:
    held = values["hbm_bytes"]
    return curves(
        whole(1, MOST_STAGES, is_closed=True),
        curve(HAS, held, Colour.ASIDE, is_floor=True),
        curve("weights", lambda count: _parts(values, count)[0], Colour.WEIGHTS),
        curve("KV cache", lambda count: _parts(values, count)[1], Colour.KV),
        curve(BOTH, lambda count: sum(_parts(values, count)), Colour.BOUND, is_bold=True),
        marks=_marks(values),
        top=3 * max(held, float(sum(_parts(values, 1.0)))),
        bottom=0.5 * min(held, *(float(part) for part in _parts(values, float(MOST_STAGES)))),
    )


BOARD = Board(
    name="memory",
    time_stamp="1:05:00",
    title="Chip memory against pipeline stages",
    question="How much of a chip's memory does a pipeline save?",
    caption="Every stage needs a micro-batch of its own, so stages divide the weights but never the KV cache. The"
    " dashed line is the memory that a chip has: the surplus he speaks of.",
    formula=(
        Term(tex=r"C_{used}", colour=Colour.BOUND),
        Term(tex=r"\;=\;"),
        Term(tex=r"\dfrac{M_w}{n_s\,p}", colour=Colour.WEIGHTS),
        Term(tex=r"\;+\;"),
        Term(tex=r"\dfrac{b\,L\,\beta}{n_s}", colour=Colour.KV),
    ),
    controls=(
        controls.weight_bytes(numbers.TRILLION_BYTES),
        chips_per_stage(),
        Control(
            name="batch_per_stage",
            meaning="sequences per stage",
            short="sequences",
            dimension="count",
            low=1,
            high=1e5,
            lecture=BALANCE_BATCH,
            careful=controls.whole_balance_batch,
            is_whole=True,
        ),
        controls.context_tokens(
            lecture=filled_in(1e5, why="a context as they are sold"), careful=fleet.MEAN_CONTEXT_TOKENS
        ),
        controls.kv_bytes_per_token(),
        controls.hbm_bytes(NEXT_HBM_BYTES),
        Control(
            name="stages",
            meaning="stages",
            dimension="count",
            low=1,
            high=MOST_STAGES,
            lecture=numbers.STAGES_ASSUMED,
            careful=numbers.STAGES_ASSUMED.value,
            is_whole=True,
        ),
    ),
    views=(
        View(
            heading="Memory by stages",
            x=Axis(caption="stages of the pipeline", dimension="count"),
            y=Axis(caption="memory per chip", dimension="bytes", is_logarithmic=True),
            compute=_memory,
        ),
        View(heading="Weights by racks", compute=partial(_row, named=HELD[:1])),
        View(heading="With KV cache", compute=partial(_row, named=HELD)),
    ),
    claims=("B12", "B13", "B14", "B15", "B18", "B17", "B34", "B37", "B38", "B40", "B42", "B43"),
    exercises=("memory-full", "memory-weights", "memory-caches", "racks-stages"),
    first_move=FirstMove(
        control="context_tokens",
        to=500e3,
        then="the KV cache rises above the weights, and no number of stages lowers it",
        seen=(
            Moves(what="KV cache", way=Way.UP),
            Moves(what="weights", way=Way.STAYS),
        ),
    ),
)
