"""Scenes as plain data: what is many is written by columns, so that a page of them stays small."""

from __future__ import annotations

from typing import TypedDict

from ridgeline.boards.scene import Cells, Gantt, Kept, Multiples, Played, Racks, Small, Tick, Trains

__all__ = [
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
    "SceneDocument",
    "SmallDocument",
    "TickDocument",
    "TokenDocument",
    "TrainsDocument",
    "VisitDocument",
    "scene_document",
]

DIGITS = 4
"""Of heat and loads, which are only looked at."""


class TickDocument(TypedDict):
    """A place on an axis, with what is written there."""

    at: float
    text: str


class DepartureDocument(TypedDict):
    """One train."""

    came: int
    aboard: int
    left: int
    aboard_text: str
    left_text: str


class RequestsDocument(TypedDict):
    """Drawn requests by columns; of one that waits at the end ``train`` is -1."""

    came_periods: list[float]
    train: list[int]
    passed: list[int]


class TrainsDocument(TypedDict):
    """Departures every period."""

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
    """One chip of a rack, under traffic."""

    number: int
    load: float
    experts: list[int]


class RackDocument(TypedDict):
    """One scale-up domain."""

    chips: list[ChipDocument]


class VisitDocument(TypedDict):
    """A token's way to one of its experts."""

    expert: int
    chip: int
    rack: int


class TokenDocument(TypedDict):
    """One draw of the router."""

    rack: int
    chip: int
    near: int
    beyond: int
    visits: list[VisitDocument]


class RacksDocument(TypedDict):
    """Experts on the chips of racks."""

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
    """One part of the work, by columns."""

    part: str
    colour: str
    rows: list[int]
    starts: list[float]
    ends: list[float]
    numbers: list[int]


class KeptDocument(TypedDict):
    """What a stage keeps from each of its changes on."""

    at: list[float]
    level: list[float]
    peak: float


class PlayedDocument(TypedDict):
    """A schedule as it was played."""

    name: str
    cells: list[CellsDocument]
    kept: list[KeptDocument]
    idle_at: list[float]
    idle: list[float]
    span: float
    bubble_fraction: float
    text: str


class GanttDocument(TypedDict):
    """Schedules of the same work, one above another."""

    stages: int
    played: list[PlayedDocument]
    end: float
    ticks: list[TickDocument]
    kept: str
    text: str


class SmallDocument(TypedDict):
    """One of several drawings of the same thing."""

    name: str
    y: list[float]
    mark_x: float
    mark_y: float
    text: str


class MultiplesDocument(TypedDict):
    """The same drawing for several models or machines."""

    chooses: str
    x: list[float]
    reference: list[float]
    smalls: list[SmallDocument]
    top: float
    bottom: float
    x_ticks: list[TickDocument]
    y_ticks: list[TickDocument]
    text: str


SceneDocument = TrainsDocument | RacksDocument | GanttDocument | MultiplesDocument


def scene_document(scene: Trains | Racks | Gantt | Multiples) -> SceneDocument:
    """All of a scene."""
    match scene:
        case Trains():
            return _trains(scene)
        case Racks():
            return _racks(scene)
        case Gantt():
            return _gantt(scene)
        case Multiples():
            return _multiples(scene)


def _ticks(ticks: tuple[Tick, ...]) -> list[TickDocument]:
    return [{"at": tick.at, "text": tick.text} for tick in ticks]


def _trains(scene: Trains) -> TrainsDocument:
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


def _racks(scene: Racks) -> RacksDocument:
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


def _gantt(scene: Gantt) -> GanttDocument:
    return {
        "stages": scene.stages,
        "played": [_played(one) for one in scene.played],
        "end": scene.end,
        "ticks": _ticks(scene.ticks),
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
        "colour": cells.colour.value,
        "rows": list(cells.rows),
        "starts": list(cells.starts),
        "ends": list(cells.ends),
        "numbers": list(cells.numbers),
    }


def _kept(kept: Kept) -> KeptDocument:
    return {"at": list(kept.at), "level": list(kept.level), "peak": kept.peak}


def _multiples(scene: Multiples) -> MultiplesDocument:
    return {
        "chooses": scene.chooses,
        "x": list(scene.x),
        "reference": list(scene.reference),
        "smalls": [_small(one) for one in scene.smalls],
        "top": scene.top,
        "bottom": scene.bottom,
        "x_ticks": _ticks(scene.x_ticks),
        "y_ticks": _ticks(scene.y_ticks),
        "text": scene.text,
    }


def _small(small: Small) -> SmallDocument:
    return {"name": small.name, "y": list(small.y), "mark_x": small.mark_x, "mark_y": small.mark_y, "text": small.text}
