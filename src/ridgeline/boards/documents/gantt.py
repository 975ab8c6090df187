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
        kept: by stages; empty where nothing is kept for later.
        idle_at: times between which idle time grows evenly.
        idle: time that all stages together have idled until then.
        span: time of the passes, after which the optimiser's step begins.
        idle_text: how much of their time stages idle, in words.
        text: what it says, in a few words.
    """

    name: str
    cells: list[CellsDocument]
    kept: list[KeptDocument]
    idle_at: list[float]
    idle: list[float]
    span: float
    idle_text: str
    text: str


class GanttDocument(TypedDict):
    """Schedules of the same work, one above another.

    Attributes:
        stages: rows of each.
        played: schedules.
        end: of the axis.
        ticks: on it.
        kept: what is kept, in words; empty where nothing is.
        clock_unit: in which the time is said; empty of turns.
        clock_per_unit: such units in one of the axis.
        clock_digits: of that time behind the point.
        text: what it says, in a few words.
    """

    stages: int
    played: list[PlayedDocument]
    end: float
    ticks: list[TickDocument]
    kept: str
    clock_unit: str
    clock_per_unit: float
    clock_digits: int
    text: str


def gantt_document(scene: Gantt) -> GanttDocument:
    """All of it."""
    return {
        "stages": scene.stages,
        "played": [_played(one) for one in scene.played],
        "end": scene.end,
        "ticks": ticks_document(scene.ticks),
        "kept": scene.kept,
        "clock_unit": scene.clock_unit,
        "clock_per_unit": scene.clock_per_unit,
        "clock_digits": scene.clock_digits,
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
        "idle_text": played.idle_text,
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
