"""Scenes that can be watched: departing trains, racks under traffic, schedules that play; and small multiples.

Declarations alone, as those of ``picture``. All that moves comes with its times, so that who plays it computes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ridgeline.boards.colour import Colour
from ridgeline.boards.tick import Tick
from ridgeline.boards.written import LEFT_OUT, LOOKED_AT, LOOKED_AT_CLOSELY

__all__ = [
    "Cells",
    "Chip",
    "Departure",
    "Gantt",
    "Kept",
    "Multiples",
    "Played",
    "Rack",
    "Racks",
    "Requests",
    "Small",
    "Tick",
    "Token",
    "Trains",
    "Visit",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """One train.

    Attributes:
        came: requests that arrived in the period before it.
        aboard: requests that ride it.
        left: requests that arrived in time and found no seat.
        aboard_text: number of riders in words.
        left_text: number of those left behind in words; empty where there are none.
    """

    came: int
    aboard: int
    left: int
    aboard_text: str
    left_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Requests:
    """Requests that a drawing has room for, by columns, in the order of arrival.

    Attributes:
        came_periods: arrivals, in periods from the start.
        train: numbers of the departures that take them, from 0; -1 for those that wait at the end.
        passed: number of trains that left without them.
    """

    came_periods: tuple[float, ...]
    train: tuple[int, ...]
    passed: tuple[int, ...]

    @property
    def latencies_periods(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Periods from arrival to the end of the ride: of those whom the next train takes, and of those left behind."""
        first: list[float] = []
        late: list[float] = []
        for came, train, passed in zip(self.came_periods, self.train, self.passed, strict=True):
            if train >= 0:
                (late if passed else first).append(train + 2 - came)
        return tuple(first), tuple(late)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trains:
    """Departures every period, full or not: riders, requests left behind, and their latencies.

    Attributes:
        period_s: time between two departures, which a ride takes, too, s.
        seats: requests that a train has room for.
        requests_per_dot: number of requests that one dot stands for.
        departures: departures in their order, the first one a period after the start.
        requests: requests that are drawn, each of which stands for its neighbours.
        mean_periods: time from arrival to token that the equations expect, in periods.
        mean_text: mean time in words.
        clock: the time at each whole period, from the start on, in words.
        clock_unit: unit of the clock: s or ms.
        clock_per_period: units in a period.
        clock_digits: decimals of the clock.
        load_fraction: mean fraction of seats that are taken.
        load_text: load in words.
        text: summary in a few words.
    """

    period_s: float
    seats: int
    requests_per_dot: int
    departures: tuple[Departure, ...]
    requests: Requests
    mean_periods: float
    mean_text: str
    clock: tuple[str, ...]
    clock_unit: str
    clock_per_period: float
    clock_digits: int
    load_fraction: float
    load_text: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """One chip of a rack, under traffic.

    Attributes:
        number: number among all chips of all racks.
        load: visits to it, over the mean of all chips.
        experts: numbers of its experts, the most visited first.
        part_of_rack: fraction of the visits of each rack's tokens that comes to this chip, by rack.
        near_fraction: part of its visits that its own rack's tokens make.
    """

    number: int
    load: float = field(metadata=LOOKED_AT)
    experts: tuple[int, ...]
    part_of_rack: tuple[float, ...] = field(metadata=LOOKED_AT_CLOSELY)
    near_fraction: float = field(metadata=LOOKED_AT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rack:
    """One scale-up domain.

    Attributes:
        chips: chips that are drawn, in their order.
        leaving_text: fraction of its tokens' traffic that leaves it, in words; empty for a single rack.
    """

    chips: tuple[Chip, ...]
    leaving_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """A token's way to one of its experts.

    Attributes:
        expert: number of the expert.
        chip: number of the chip that serves it.
        rack: number of the rack of that chip.
    """

    expert: int
    chip: int
    rack: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One draw of the router.

    Attributes:
        rack: rack of the token.
        chip: number of the chip on which it lies.
        near: experts that it visits in its own rack.
        beyond: experts that it visits in others.
        visits: visits to the experts whose chips are drawn.
    """

    rack: int
    chip: int
    near: int
    beyond: int
    visits: tuple[Visit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Racks:
    """Experts on the chips of racks, lit by traffic, and some tokens' visits.

    Attributes:
        racks: the racks, all alike, in their order.
        heat: visits to one copy of each expert, over the mean of all experts' places.
        copies: copies of each expert, the first one included.
        slots: places for experts that a chip has.
        tokens: tokens whose visits are drawn, one after another.
        busiest: number of the chip with most visits.
        busiest_text: load of that chip in words.
        leaving_fraction: part of all visits that go to another rack.
        leaving_text: leaving fraction in words; empty for one rack.
        text: summary in a few words.
    """

    racks: tuple[Rack, ...]
    heat: tuple[float, ...] = field(metadata=LOOKED_AT)
    copies: tuple[int, ...]
    slots: int
    tokens: tuple[Token, ...]
    busiest: int
    busiest_text: str
    leaving_fraction: float
    leaving_text: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """Passes of one kind in a schedule; equal positions in each field belong together.

    Attributes:
        part: kind of pass: forward, backward, ...
        colour: colour of the kind.
        rows: stages, from 0 at the top.
        starts: starts on the time axis.
        ends: ends on the time axis.
        numbers: numbers of micro-batches; empty for passes without one.
    """

    part: str
    colour: Colour
    rows: tuple[int, ...]
    starts: tuple[float, ...]
    ends: tuple[float, ...]
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Activations that a stage keeps for backward passes, as a step function of time.

    Attributes:
        at: times of the changes, the first one zero.
        level: micro-batches whose activations it keeps from then on.
        peak: largest of these levels.
    """

    at: tuple[float, ...]
    level: tuple[float, ...]
    peak: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A schedule as it was played.

    Attributes:
        name: name of the schedule.
        cells: parts of the work, each with all of its cells.
        kept: activations that each stage keeps over time; empty where nothing is kept for later.
        span: time of all passes, after which the optimiser's step begins.
        bubble_fraction: mean fraction of that time in which stages idle.
        idle_text: bubble fraction in words.
        text: summary in a few words.
    """

    name: str
    cells: tuple[Cells, ...]
    kept: tuple[Kept, ...]
    span: float
    bubble_fraction: float = field(metadata=LEFT_OUT)
    idle_text: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Gantt:
    """Schedules of the same work, one above another over one axis of time.

    Attributes:
        stages: stages of each schedule.
        played: schedules, from the top.
        end: time at which the axis ends.
        ticks: times that are written along it.
        numbered: name of the things that passes are numbered by: micro-batch or batch.
        kept: name of the things that are kept: activations of micro-batches; empty where nothing is.
        clock_unit: unit of the clock; empty where the axis counts turns.
        clock_per_unit: clock units in one unit of the axis.
        clock_digits: decimals of the clock.
        text: summary in a few words.
    """

    stages: int
    played: tuple[Played, ...]
    end: float
    ticks: tuple[Tick, ...]
    numbered: str
    kept: str
    clock_unit: str
    clock_per_unit: float
    clock_digits: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Small:
    """One of several drawings of the same thing.

    Attributes:
        name: model or machine that it is drawn for, by its name in the catalog.
        y: line over the common x.
        mark_x: abscissa of its point.
        mark_y: ordinate of its point.
        text: written at the point.
    """

    name: str
    y: tuple[float, ...]
    mark_x: float
    mark_y: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Multiples:
    """Small multiples: one drawing for several models or machines, over the same axes.

    Attributes:
        chooses: kind of thing that a name chooses: "model" or "machine".
        x: abscissas of all lines, ascending.
        reference: line to compare with, the same in all drawings.
        smalls: drawings in their order.
        top: top of the upright axis.
        bottom: bottom of the upright axis.
        x_ticks: ticks of the horizontal axis.
        y_ticks: ticks of the upright axis.
        text: summary in a few words.
    """

    chooses: str
    x: tuple[float, ...]
    reference: tuple[float, ...]
    smalls: tuple[Small, ...]
    top: float
    bottom: float
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    text: str
