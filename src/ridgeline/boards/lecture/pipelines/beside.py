"""The rack beside this chapter's steps: racks in a row, a stage each, and when each of them works."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from ridgeline.boards.journeys import Loop
from ridgeline.boards.lecture.pipelines import numbers
from ridgeline.boards.lecture.pipelines.hand_over import times
from ridgeline.boards.lecture.pipelines.stages import ALIKE, traffic_ratio
from ridgeline.boards.picture import Colour
from ridgeline.boards.rack import Busy, Cabinet, RackPicture, Standing, Track, cabinets, words
from ridgeline.boards.scene import Gantt, Played
from ridgeline.equations import pipelines
from ridgeline.quantity_text import format_number, format_quantity
from ridgeline.training.schedules import find_schedule

__all__ = ["all_forward", "handed_on", "in_turn", "round_the_loop", "rows_of", "stages_of"]

CLOSE = 1e-9
"""Turns between two passes below which they follow at once, but for rounding."""


def rows_of(played: Played, stages: int, span: float) -> tuple[Track, ...]:
    """What each stage does, with passes of one colour that follow one another as one.

    Args:
        played: the schedule.
        stages: stages that it has.
        span: time that is drawn.
    """
    passes = sorted(
        (row, start, end, cells.colour)
        for cells in played.cells
        for row, start, end in zip(cells.rows, cells.starts, cells.ends, strict=True)
        if start < span
    )
    rows = {row: list(found) for row, found in groupby(passes, key=lambda one: one[0])}
    return tuple(
        Track(
            busy=tuple(_joined([(start, min(end, span), colour) for _, start, end, colour in rows.get(row, ())], span))
        )
        for row in range(stages)
    )


def _joined(passes: Iterable[tuple[float, float, Colour]], span: float) -> list[Busy]:
    joined: list[tuple[float, float, Colour]] = []
    for start, end, colour in passes:
        if joined and joined[-1][2] is colour and start - joined[-1][1] < CLOSE:
            joined[-1] = (joined[-1][0], end, colour)
        else:
            joined.append((start, end, colour))
    return [Busy(colour=colour, start=start / span, end=end / span) for start, end, colour in joined]


def stages_of(tracks: Iterable[Track]) -> tuple[Cabinet, ...]:
    """A rack a stage, each with its own times."""
    rows = tuple(tracks)
    (one, *_) = cabinets(len(rows), chips=float(numbers.CHIPS_PER_STAGE))
    return tuple(Cabinet(chips=one.chips, tracks=(row,)) for row in rows)


def _gantt(at: Standing) -> Gantt:
    picture = at.board.views[0].compute(at.values)
    if not isinstance(picture, Gantt):
        raise TypeError(f"the first view of board {at.board.name!r} plays no schedules")
    return picture


def _schedule(at: Standing, name: str) -> tuple[Played, tuple[Cabinet, ...]]:
    picture = _gantt(at)
    (played,) = (one for one in picture.played if one.name == find_schedule(name).name)
    return played, stages_of(rows_of(played, picture.stages, played.span))


def all_forward(at: Standing) -> RackPicture:
    """A training step as he draws it."""
    played, drawn = _schedule(at, "gpipe")
    return RackPicture(
        cabinets=drawn,
        words=words(
            f"{times(at.values['stages'], 'rack')}: ",
            ("forward passes", Colour.COMPUTE),
            ", then ",
            ("backward passes", Colour.BOUND),
            f"; {_part(played.bubble_fraction)} of the time they idle.",
        ),
    )


def in_turn(at: Standing) -> RackPicture:
    """The same passes, one of each in turn."""
    played, drawn = _schedule(at, "1f1b")
    return RackPicture(
        cabinets=drawn,
        words=words(
            "1F1B: ",
            ("forward", Colour.COMPUTE),
            " and ",
            ("backward", Colour.BOUND),
            f" passes in turn, and {times(at.values['stages'], 'rack')} still idle {_part(played.bubble_fraction)} of"
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
        cabinets=stages_of(rows_of(played, count, played.span)),
        words=words(
            "Batches go round: the ",
            *_and([(one.part, one.colour) for one in played.cells]),
            f" of each. With {batches} under way, racks idle {_part(together)} of the time; with one, {_part(alone)}.",
        ),
    )


def _and(pieces: list[tuple[str, Colour]]) -> list[str | tuple[str, Colour]]:
    """In a row: "first, second and third"."""
    found: list[str | tuple[str, Colour]] = []
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
