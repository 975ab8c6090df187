"""The rack beside this chapter's steps: racks in a row, a stage each, and when each of them works."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby
from operator import itemgetter

from ridgeline.boards.journeys import Loop
from ridgeline.boards.lecture.pipelines import numbers
from ridgeline.boards.lecture.pipelines.bubbles import step_by
from ridgeline.boards.lecture.pipelines.stages import ALIKE, traffic_ratio
from ridgeline.boards.picture import Colour
from ridgeline.boards.rack import Busy, Cabinet, Piece, RackPicture, Standing, Track, cabinets, stated, words
from ridgeline.boards.scene import Gantt
from ridgeline.boards.schedules import COLOURS
from ridgeline.equations import pipelines
from ridgeline.quantity_text import counted, format_number, format_quantity
from ridgeline.training.schedules import Timeline

__all__ = ["all_forward", "alone", "handed_on", "in_turn", "looking_back", "round_the_loop", "rows_of", "stages_of"]

Pass = tuple[int, float, float, Colour]
"""Pass of a stage: number of the stage, start, end and colour."""

CLOSE = 1e-9
"""Gap between two passes, in turns, below which they are joined: rounding."""


def rows_of(passes: Iterable[Pass], stages: int, span: float) -> tuple[Track, ...]:
    """Tracks of the stages, with successive passes of one colour joined.

    Args:
        passes: stage, begin, end and colour of each.
        stages: stages of the pipeline.
        span: time that is drawn.
    """
    rows = {row: list(found) for row, found in groupby(sorted(passes), key=itemgetter(0))}
    return tuple(Track(busy=tuple(_joined(rows.get(row, ()), span))) for row in range(stages))


def _joined(passes: Iterable[Pass], span: float) -> list[Busy]:
    joined: list[Pass] = []
    for row, start, end, colour in passes:
        if joined and joined[-1][3] is colour and start - joined[-1][2] < CLOSE:
            joined[-1] = (row, joined[-1][1], end, colour)
        else:
            joined.append((row, start, end, colour))
    return [Busy(colour=colour, start=start / span, end=end / span) for _, start, end, colour in joined]


def stages_of(tracks: Iterable[Track]) -> tuple[Cabinet, ...]:
    """Racks of the stages, each with its own times."""
    rows = tuple(tracks)
    (one, *_) = cabinets(len(rows), chips=float(numbers.CHIPS_PER_STAGE))
    return tuple(Cabinet(chips=one.chips, tracks=(row,)) for row in rows)


def _stepped(step: Timeline) -> tuple[Cabinet, ...]:
    """A training step, up to the end of its last pass."""
    passes = ((run.device, run.start_s, run.end_s, COLOURS[run.part]) for run in step.runs)
    return stages_of(rows_of(passes, step.shape.stages, step.span_s))


def alone(at: Standing) -> RackPicture:
    """A training step of one micro-batch: forward through all racks, and back."""
    step = step_by({**at.values, "micro_batches": 1.0}, "gpipe")
    return RackPicture(
        cabinets=_stepped(step),
        words=words(
            f"{counted(at.values['stages'], 'rack')}, 1 micro-batch alone: ",
            *_there_and_back(),
            f". A rack idles {_part(step.bubble_fraction)} of the time.",
        ),
    )


def all_forward(at: Standing) -> RackPicture:
    """Training step as he draws it: all forward, then all backward."""
    step = step_by(at.values, "gpipe")
    return RackPicture(
        cabinets=_stepped(step),
        words=words(
            f"{_batched(at)}: all ",
            *_there_and_back(),
            f". A rack idles {_part(step.bubble_fraction)} of the time.",
        ),
    )


def in_turn(at: Standing) -> RackPicture:
    """Passes of 1F1B, one of each kind in turn."""
    step, picture = step_by(at.values, "1f1b"), at.board.views[0].compute(at.values)
    if not isinstance(picture, Gantt):
        raise TypeError(f"the first view of board {at.board.name!r} has no schedules")
    return RackPicture(
        cabinets=_stepped(step),
        words=words(
            f"{_batched(at)}: 1F1B takes ",
            ("forward", Colour.COMPUTE),
            " and ",
            ("backward", Colour.BOUND),
            f" in turn. A rack still idles {_part(step.bubble_fraction)} of the time.",
        ),
        scene_spans=picture.end / step.span_s,
    )


def _batched(at: Standing) -> str:
    return f"{counted(at.values['stages'], 'rack')}, {counted(at.values['micro_batches'], 'micro-batch')}"


def _there_and_back() -> list[Piece]:
    return [("forward", Colour.COMPUTE), ", then ", ("backward", Colour.BOUND)]


def looking_back(at: Standing) -> RackPicture:
    """Vectors that each rack hands on for a token: one, or those of all layers so far where later ones look back."""
    count, layers = int(at.values["stages"]), at.values["layers"]
    ends = [layers * stage / count for stage in range(1, count)]
    plain, back = (
        [*(float(pipelines.handed_on_outputs(layers_before=end, attended_layers=attended)) for end in ends), 0.0]
        for attended in (1, layers)
    )
    most = max(*back, 1.0)
    (one, *_) = cabinets(count, chips=at.values["chips_per_stage"])
    return RackPicture(
        cabinets=tuple(
            replace(one, tracks=tuple(_vectors(found / most) for found in both))
            for both in zip(back, plain, strict=True)
        ),
        words=words(
            f"{counted(count, 'rack')}. Vectors handed on per token: {format_number(sum(plain))} plain, ",
            (f"{format_number(sum(back))} where layers look back", Colour.LINKS),
            ".",
        ),
    )


def _vectors(part: float) -> Track:
    return Track(busy=(Busy(colour=Colour.LINKS, start=0.0, end=part),) if part else ())


def round_the_loop(at: Standing) -> RackPicture:
    """Batches that follow one another through the racks, token after token."""
    count, batches = int(at.values["stages"]), int(at.values["micro_batches"])
    picture = at.board.views[1].compute(at.values)
    if not isinstance(picture, Loop):
        raise TypeError(f"the second view of board {at.board.name!r} has no loop")
    (played,) = picture.gantt.played
    lone, together = (float(pipelines.idle_fraction(stages=count, micro_batches=one)) for one in (1, batches))
    return RackPicture(
        cabinets=stages_of(
            rows_of(
                (
                    (*one, Colour.COMPUTE)
                    for cells in played.cells
                    for one in zip(cells.rows, cells.starts, cells.ends, strict=True)
                ),
                count,
                played.span,
            )
        ),
        words=words(
            f"{counted(count, 'rack')}, {counted(batches, 'batch')} under way: they ",
            ("compute", Colour.COMPUTE),
            f" and idle {_part(together)} of the time once full, {_part(lone)} with 1 batch.",
        ),
        scene_spans=picture.gantt.end / played.span,
    )


def handed_on(at: Standing) -> RackPicture:
    """Two racks: the traffic inside the first, and the hand-over to the second meanwhile."""
    layers = at.values["layers_per_stage"]
    ratio = float(traffic_ratio(at.values, ALIKE, layers))
    whole = max(1.0, ratio)
    return RackPicture(
        cabinets=cabinets(
            2,
            chips=float(numbers.CHIPS_PER_STAGE),
            tracks=[[(Colour.LINKS, 0.0, ratio / whole)], [(Colour.ALSO, 0.0, 1 / whole)]],
        ),
        words=words(
            "2 racks, ",
            stated(at, at.board.control("layers_per_stage"), "layer"),
            " each: ",
            ("expert traffic inside", Colour.LINKS),
            f" takes {format_number(ratio)} times as long as ",
            ("the move", Colour.ALSO),
            " to the next.",
        ),
    )


def _part(fraction: float) -> str:
    return format_quantity(fraction, "fraction", 2)
