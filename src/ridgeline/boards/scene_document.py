"""Scenes as plain data: what is many is written by columns, so that a page of them stays small."""

from __future__ import annotations

from typing import TypedDict

from ridgeline.boards.beliefs import Beliefs
from ridgeline.boards.beliefs_document import BeliefsDocument, RowDocument, beliefs_document
from ridgeline.boards.picture import Colour
from ridgeline.boards.scene import Cells, Gantt, Kept, Multiples, Played, Racks, Scene, Small, Trains
from ridgeline.boards.ticks_document import TickDocument, ticks_document

__all__ = [
    "BeliefsDocument",
    "CellsDocument",
    "ChipDocument",
    "DepartureDocument",
    "GanttDocument",
    "KeptDocument",
    "MultiplesDocument",
    "PlayedDocument",
    "RackDocument",
    "RacksDocument",
    "RequestsDocument",
    "RowDocument",
    "SceneDocument",
    "SmallDocument",
    "TickDocument",
    "TokenDocument",
    "TrainsDocument",
    "VisitDocument",
    "beliefs_document",
    "gantt_document",
    "multiples_document",
    "racks_document",
    "scene_document",
    "trains_document",
]

DIGITS = 4
"""Of heat and loads, which are only looked at."""


class DepartureDocument(TypedDict):
    """One train.

    Attributes:
        came: requests that arrived in the period before it.
        aboard: requests that ride it.
        left: requests that arrived in time and found no seat.
        aboard_text: how many ride, as it is written.
        left_text: how many stay; empty where none does.
    """

    came: int
    aboard: int
    left: int
    aboard_text: str
    left_text: str


class RequestsDocument(TypedDict):
    """Drawn requests by columns, in the order in which they come.

    Attributes:
        came_periods: arrivals, in periods from the start.
        train: numbers of the departures that take them, from 0; -1 for those that wait at the end.
        passed: trains that left without them.
    """

    came_periods: list[float]
    train: list[int]
    passed: list[int]


class TrainsDocument(TypedDict):
    """Departures every period.

    Attributes:
        period_s: between two departures, and of a ride, s.
        seats: of a train.
        requests_per_dot: that one drawn request stands for.
        departures: in their order, the first one a period after the start.
        requests: those that are drawn.
        mean_periods: time from arrival to token that the equations expect, in periods.
        mean_text: the same in words.
        clock: the time at each whole period, from the start on, in words.
        clock_unit: in which a clock shows it.
        clock_per_period: units in a period.
        clock_digits: of the clock behind the point.
        text: what it says, in a few words.
    """

    period_s: float
    seats: int
    requests_per_dot: int
    departures: list[DepartureDocument]
    requests: RequestsDocument
    mean_periods: float
    mean_text: str
    clock: list[str]
    clock_unit: str
    clock_per_period: float
    clock_digits: int
    text: str


class ChipDocument(TypedDict):
    """One chip of a rack, under traffic.

    Attributes:
        number: among all chips of all racks.
        load: visits to it, over the mean of all chips.
        experts: numbers of those that it holds, the most sought-after first.
    """

    number: int
    load: float
    experts: list[int]


class RackDocument(TypedDict):
    """One scale-up domain.

    Attributes:
        chips: that are drawn, in their order.
    """

    chips: list[ChipDocument]


class VisitDocument(TypedDict):
    """A token's way to one of its experts.

    Attributes:
        expert: its number.
        chip: number of the chip that serves it.
        rack: in which that chip is.
    """

    expert: int
    chip: int
    rack: int


class TokenDocument(TypedDict):
    """One draw of the router.

    Attributes:
        rack: in which the token lies.
        chip: number of the chip on which it lies.
        near: experts that it visits in its own rack.
        beyond: experts that it visits in others.
        visits: to those of them whose chips are drawn.
    """

    rack: int
    chip: int
    near: int
    beyond: int
    visits: list[VisitDocument]


class RacksDocument(TypedDict):
    """Experts on the chips of racks.

    Attributes:
        racks: alike, in their order.
        heat: visits to one copy of each expert, over the mean of all experts' places.
        copies: of each expert, the first one included.
        slots: places for experts that a chip has.
        tokens: drawn one after another.
        busiest: number of the chip with most visits.
        busiest_text: how busy it is, in words.
        leaving_fraction: part of all visits that go to another rack.
        leaving_text: the same in words; empty of one rack.
        text: what it says, in a few words.
    """

    racks: list[RackDocument]
    heat: list[float]
    copies: list[int]
    slots: int
    tokens: list[TokenDocument]
    busiest: int
    busiest_text: str
    leaving_fraction: float
    leaving_text: str
    text: str


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


class SmallDocument(TypedDict):
    """One of several drawings of the same thing.

    Attributes:
        name: of what it is drawn for, as the catalog has it.
        y: its line, over the common x.
        mark_x: where its point lies.
        mark_y: how high.
        text: written at the point.
    """

    name: str
    y: list[float]
    mark_x: float
    mark_y: float
    text: str


class MultiplesDocument(TypedDict):
    """The same drawing for several models or machines.

    Attributes:
        chooses: what a name chooses: "model" or "machine".
        x: rising; of all lines.
        reference: a line to compare with, the same in each.
        smalls: drawings in their order.
        top: where the upright axis ends.
        bottom: where it begins.
        x_ticks: on the axis along.
        y_ticks: on the upright one.
        text: what it says, in a few words.
    """

    chooses: str
    x: list[float]
    reference: list[float]
    smalls: list[SmallDocument]
    top: float
    bottom: float
    x_ticks: list[TickDocument]
    y_ticks: list[TickDocument]
    text: str


SceneDocument = TrainsDocument | RacksDocument | GanttDocument | MultiplesDocument | BeliefsDocument


def scene_document(scene: Scene | Beliefs) -> SceneDocument:
    """All of a scene."""
    match scene:
        case Trains():
            return trains_document(scene)
        case Racks():
            return racks_document(scene)
        case Gantt():
            return gantt_document(scene)
        case Multiples():
            return multiples_document(scene)
        case Beliefs():
            return beliefs_document(scene)


def trains_document(scene: Trains) -> TrainsDocument:
    """All of it."""
    return {
        "period_s": scene.period_s,
        "seats": scene.seats,
        "requests_per_dot": scene.requests_per_dot,
        "departures": [
            {
                "came": one.came,
                "aboard": one.aboard,
                "left": one.left,
                "aboard_text": one.aboard_text,
                "left_text": one.left_text,
            }
            for one in scene.departures
        ],
        "requests": {
            "came_periods": [one.came_periods for one in scene.requests],
            "train": [-1 if one.train is None else one.train for one in scene.requests],
            "passed": [one.passed for one in scene.requests],
        },
        "mean_periods": scene.mean_periods,
        "mean_text": scene.mean_text,
        "clock": list(scene.clock),
        "clock_unit": scene.clock_unit,
        "clock_per_period": scene.clock_per_period,
        "clock_digits": scene.clock_digits,
        "text": scene.text,
    }


def racks_document(scene: Racks) -> RacksDocument:
    """All of it."""
    return {
        "racks": [
            {
                "chips": [
                    {"number": chip.number, "load": round(chip.load, DIGITS), "experts": list(chip.experts)}
                    for chip in rack.chips
                ]
            }
            for rack in scene.racks
        ],
        "heat": [round(heat, DIGITS) for heat in scene.heat],
        "copies": list(scene.copies),
        "slots": scene.slots,
        "tokens": [
            {
                "rack": token.rack,
                "chip": token.chip,
                "near": token.near,
                "beyond": token.beyond,
                "visits": [{"expert": one.expert, "chip": one.chip, "rack": one.rack} for one in token.visits],
            }
            for token in scene.tokens
        ],
        "busiest": scene.busiest,
        "busiest_text": scene.busiest_text,
        "leaving_fraction": scene.leaving_fraction,
        "leaving_text": scene.leaving_text,
        "text": scene.text,
    }


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


def multiples_document(scene: Multiples) -> MultiplesDocument:
    """All of it."""
    return {
        "chooses": scene.chooses,
        "x": list(scene.x),
        "reference": list(scene.reference),
        "smalls": [_small(one) for one in scene.smalls],
        "top": scene.top,
        "bottom": scene.bottom,
        "x_ticks": ticks_document(scene.x_ticks),
        "y_ticks": ticks_document(scene.y_ticks),
        "text": scene.text,
    }


def _small(small: Small) -> SmallDocument:
    return {"name": small.name, "y": list(small.y), "mark_x": small.mark_x, "mark_y": small.mark_y, "text": small.text}
