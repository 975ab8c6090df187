"""The rack beside this chapter's steps: racks in a row, a stage each, and when each of them works."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter

from ridgeline.boards.journeys import Loop
from ridgeline.boards.lecture.pipelines import numbers
from ridgeline.boards.lecture.pipelines.bubbles import step_by
from ridgeline.boards.lecture.pipelines.hand_over import times
from ridgeline.boards.lecture.pipelines.stages import ALIKE, traffic_ratio
from ridgeline.boards.picture import Colour
from ridgeline.boards.rack import Busy, Cabinet, Piece, RackPicture, Standing, Track, cabinets, words
from ridgeline.boards.schedules import COLOURS
from ridgeline.equations import pipelines
from ridgeline.quantity_text import format_number, format_quantity
from ridgeline.training.schedules import Timeline

__all__ = ["all_forward", "handed_on", "in_turn", "round_the_loop", "rows_of", "stages_of"]

Pass = tuple[int, float, float, Colour]
"""Of a stage: when it begins, when it ends, and what it is."""

CLOSE = 1e-9
"""Turns between two passes below which they follow at once, but for rounding."""


def rows_of(passes: Iterable[Pass], stages: int, span: float) -> tuple[Track, ...]:
    """What each stage does, with passes of one colour that follow one another as one.

    Args:
        passes: stage, begin, end and colour of each.
        stages: of the pipeline.
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
    """A rack a stage, each with its own times."""
    rows = tuple(tracks)
    (one, *_) = cabinets(len(rows), chips=float(numbers.CHIPS_PER_STAGE))
    return tuple(Cabinet(chips=one.chips, tracks=(row,)) for row in rows)


def _stepped(step: Timeline) -> tuple[Cabinet, ...]:
    """A training step, up to the end of its last pass."""
    passes = ((run.device, run.start_s, run.end_s, COLOURS[run.part]) for run in step.runs)
    return stages_of(rows_of(passes, step.shape.stages, step.span_s))


def all_forward(at: Standing) -> RackPicture:
    """A training step as he draws it."""
    step = step_by(at.values, "gpipe")
    return RackPicture(
        cabinets=_stepped(step),
        words=words(
            ("Forward passes", Colour.COMPUTE),
            f" through {times(at.values['stages'], 'rack')}, then ",
            ("backward passes", Colour.BOUND),
            f". A rack idles for {_part(step.bubble_fraction)} of the time.",
        ),
    )


def in_turn(at: Standing) -> RackPicture:
    """The same passes, one of each in turn."""
    step = step_by(at.values, "1f1b")
    return RackPicture(
        cabinets=_stepped(step),
        words=words(
            "1F1B: ",
            ("forward", Colour.COMPUTE),
            " and ",
            ("backward", Colour.BOUND),
            f" passes in turn, and {times(at.values['stages'], 'rack')} still idle {_part(step.bubble_fraction)} of"
            " the time.",
        ),
    )


def round_the_loop(at: Standing) -> RackPicture:
    """Batches that follow one another through the racks, token after token."""
    count, batches = int(at.values["stages"]), int(at.values["micro_batches"])
    picture = at.board.views[1].compute(at.values)
    if not isinstance(picture, Loop):
        raise TypeError(f"the second view of board {at.board.name!r} has no loop")
    (played,) = picture.gantt.played
    alone, together = (float(pipelines.idle_fraction(stages=count, micro_batches=one)) for one in (1, batches))
    return RackPicture(
        cabinets=stages_of(
            rows_of(
                (
                    (*one, cells.colour)
                    for cells in played.cells
                    for one in zip(cells.rows, cells.starts, cells.ends, strict=True)
                ),
                count,
                played.span,
            )
        ),
        words=words(
            "Batches go round, in colour their ",
            *_and([(one.part, one.colour) for one in played.cells]),
            f". With {batches} under way, racks idle {_part(together)} of the time; with 1, {_part(alone)}.",
        ),
    )


def _and(pieces: list[tuple[str, Colour]]) -> list[Piece]:
    """In a row: "first, second and third"."""
    found: list[Piece] = []
    for place, piece in enumerate(pieces):
        found += [" and " if place == len(pieces) - 1 else ", "] if place else []
        found.append(piece)
    return found


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
            f"In {times(layers, 'layer')}, the ",
            ("expert traffic", Colour.LINKS),
            f" takes {format_number(ratio)} times as long as ",
            ("the move", Colour.ALSO),
            " to the next rack.",
        ),
    )


def _part(fraction: float) -> str:
    return format_quantity(fraction, "fraction", 2)
