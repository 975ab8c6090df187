"""Schedules as plain data: cells, which are many, by columns."""

from __future__ import annotations

from typing import TypedDict

from ridgeline.boards.documents.ticks import TickDocument, ticks_document
from ridgeline.boards.picture import Colour
from ridgeline.boards.scene import Cells, Gantt, Kept, Played

__all__ = ["CellsDocument", "GanttDocument", "KeptDocument", "PlayedDocument", "gantt_document"]


class CellsDocument(TypedDict):
    """One part of the work, by columns.

    Attributes:
        part: of the work, in words.
        colour: of it.
        rows: stages, from 0 at the top.
        starts: on the axis of time.
        ends: the same.
        numbers: micro-batches; empty where they have none.
    """

    part: str
    colour: Colour
    rows: list[int]
    starts: list[float]
    ends: list[float]
    numbers: list[int]


class KeptDocument(TypedDict):
    """What a stage keeps from each of its changes on.

    Attributes:
        at: times of changes, the first one zero.
        level: micro-batches whose activations it keeps from then on.
        peak: the most of them.
    """

    at: list[float]
    level: list[float]
    peak: float


class PlayedDocument(TypedDict):
    """A schedule as it was played.

    Attributes:
        name: of the schedule.
        cells: parts of the work, each with all of its cells.
        kept: by stages.
        idle_at: times between which idle time grows evenly.
        idle: time that all stages together have idled until then.
        span: time of the passes, after which the optimiser's step begins.
        bubble_fraction: part of all stages' time up to there that they idle.
        text: what it says, in a few words.
    """

    name: str
    cells: list[CellsDocument]
    kept: list[KeptDocument]
    idle_at: list[float]
    idle: list[float]
    span: float
    bubble_fraction: float
    text: str


class GanttDocument(TypedDict):
    """Schedules of the same work, one above another.

    Attributes:
        stages: rows of each.
        played: schedules.
        end: of the axis.
        ticks: on it.
        kept: what is kept, in words.
        text: what it says, in a few words.
    """

    stages: int
    played: list[PlayedDocument]
    end: float
    ticks: list[TickDocument]
    kept: str
    text: str


def gantt_document(scene: Gantt) -> GanttDocument:
    """All of it."""
    return {
        "stages": scene.stages,
        "played": [_played(one) for one in scene.played],
        "end": scene.end,
        "ticks": ticks_document(scene.ticks),
        "kept": scene.kept,
        "text": scene.text,
    }


def _played(played: Played) -> PlayedDocument:
    return {
        "name": played.name,
        "cells": [_cells(one) for one in played.cells],
        "kept": [_kept(one) for one in played.kept],
        "idle_at": list(played.idle_at),
        "idle": list(played.idle),
        "span": played.span,
        "bubble_fraction": played.bubble_fraction,
        "text": played.text,
    }


def _cells(cells: Cells) -> CellsDocument:
    return {
        "part": cells.part,
        "colour": cells.colour,
        "rows": list(cells.rows),
        "starts": list(cells.starts),
        "ends": list(cells.ends),
        "numbers": list(cells.numbers),
    }


def _kept(kept: Kept) -> KeptDocument:
    return {"at": list(kept.at), "level": list(kept.level), "peak": kept.peak}
