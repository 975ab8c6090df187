"""Trains as plain data: requests, which are many, by columns."""

from __future__ import annotations

from typing import TypedDict

from ridgeline.boards.scene import Trains

__all__ = ["DepartureDocument", "RequestsDocument", "TrainsDocument", "trains_document"]


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
