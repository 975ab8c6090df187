"""The train's timetable: a batch departs every period, full or not, and who comes too late waits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from ridgeline.boards.board import Board, Control, Symbol, Term, Values, View
from ridgeline.boards.constant import filled_in
from ridgeline.boards.lecture.batch.trains import period_control, seats_control
from ridgeline.boards.lecture.numbers import SEATS, TRAIN_S
from ridgeline.boards.picture import Axis, Block, Colour, Curves, Timeline
from ridgeline.boards.pictures import At, Span, at, curve, curves
from ridgeline.equations import departures
from ridgeline.numeric import Numeric
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARD"]

LOADS = 0.9, 0.998
POINTS = 401
RAREST = 1e-9
"""Part of the trains that a picture goes down to."""

TRAINS, SEED = 4, 3
"""Departures of the timetable; its arrivals are drawn once, always alike."""
SHORT = 10_000
ABOARD, WAITING, FULL = Colour.ALSO, Colour.ASIDE, Colour.OTHER


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """One train.

    Attributes:
        aboard: who rides.
        left: who came in time and found no seat.
    """

    aboard: int
    left: int


def _trains(values: Values) -> Iterator[Departure]:
    """Poisson arrivals of each period, after whoever the train before left behind; none waits at the start."""
    seats, left = int(values["seats"]), 0
    for came in np.random.default_rng(SEED).poisson(values["load_fraction"] * seats, TRAINS):
        waiting = left + int(came)
        left = max(waiting - seats, 0)
        yield Departure(aboard=waiting - left, left=left)


def _requests(full: int | None) -> dict[str, tuple[float, float]]:
    """Who comes and departs when, in periods; the last of them only where a train leaves somebody behind."""
    found = {"just\nmissed": (1.0, 2.0), "half\nway": (1.5, 2.0), "just in\ntime": (2.0, 2.0)}
    return found | ({} if full is None else {"left\nbehind": (full, full + 1.0)})


def _ride(row: int, came: float, leaves: float, period_s: float) -> Iterator[Block]:
    """A request's wait, if it has one, and its ride, with the time of both."""
    if leaves > came:
        yield Block(row=row, start=came, end=leaves, text="", colour=WAITING)
    taken = format_quantity((leaves + 1 - came) * period_s, "s", 2)
    yield Block(row=row, start=leaves, end=leaves + 1, text=taken, colour=ABOARD)


def _count(sequences: int) -> str:
    """In full, as long as that is short."""
    return f"{sequences:,}" if sequences < SHORT else format_quantity(sequences, "count", 4)


def _timetable(values: Values) -> Timeline:
    trains = list(_trains(values))
    full = next((place for place, one in enumerate(trains, start=1) if one.left and place < TRAINS), None)
    requests, period = _requests(full), values["period_s"]
    blocks = [
        Block(row=0, start=place, end=place + 1, text=_count(one.aboard), colour=FULL if one.left else ABOARD)
        for place, one in enumerate(trains, start=1)
    ]
    for row, (came, leaves) in enumerate(requests.values(), start=1):
        blocks += _ride(row, came, leaves, period)
    left = "no train is full" if full is None else f"a full one leaves {_count(trains[full - 1].left)} behind"
    return Timeline(
        rows=("trains", *requests),
        blocks=tuple(
            Block(row=one.row, start=one.start * period, end=one.end * period, text=one.text, colour=one.colour)
            for one in blocks
        ),
        text=f"{_count(int(values['seats']))} seats; {left}",
    )


def _loads() -> Span:
    """The nearer to full, the denser."""
    return Span(x=1 - np.geomspace(1 - LOADS[0], 1 - LOADS[1], POINTS))


def _mean_s(values: Values, dispersion: float, load: Numeric) -> Numeric:
    period, seats = values["period_s"], values["seats"]
    extra = departures.extra_wait_s(arrivals=load * seats, seats=seats, period_s=period, dispersion=dispersion)
    return departures.mean_latency_s(period_s=period, extra_wait_s=extra)


def _waits(values: Values) -> Curves:
    load, period = values["load_fraction"], values["period_s"]
    worst = float(departures.worst_latency_s(period_s=period))
    bursty = partial(_mean_s, values, values["dispersion"])
    full = f"{format_quantity(load, 'fraction')} full"
    return curves(
        _loads(),
        curve(f"just missed:\n{format_quantity(worst, 's')}", worst, Colour.ASIDE, is_floor=True),
        curve("mean, bursty", bursty, Colour.OTHER),
        curve("mean, Poisson", partial(_mean_s, values, 1.0), Colour.BOUND, is_bold=True),
        marks=[at("load", load, on="mean, Poisson", text=lambda y: f"{full}: {format_quantity(y, 's')}")],
        top=min(6 * period, max(2.2 * period, 1.1 * float(bursty(LOADS[1])))),
    )


def _behind(seats: float, dispersion: float, load: Numeric) -> Numeric:
    return departures.leaving_behind_fraction(arrivals=load * seats, seats=seats, dispersion=dispersion)


def _alone(seats: float, load: Numeric) -> Numeric:
    """Of one period by itself."""
    return departures.overfull_fraction(arrivals=load * seats, seats=seats)


def _overflow(values: Values) -> Curves:
    load, seats = values["load_fraction"], values["seats"]
    behind, alone = partial(_behind, seats), partial(_alone, seats)
    marks = [
        _part("trains that leave some behind", load, "Poisson", Colour.BOUND),
        _part("periods in which too many come", load, "one period\nby itself", Colour.ALSO),
    ]
    return curves(
        _loads(),
        curve("bursty", partial(behind, values["dispersion"]), Colour.OTHER),
        curve("one period\nby itself", alone, Colour.ALSO),
        curve("Poisson", partial(behind, 1.0), Colour.BOUND, is_bold=True),
        marks=marks if float(alone(load)) > RAREST else [],
        top=1.0,
        bottom=max(RAREST, min(1e-4, float(alone(load)) / 3)),
    )


def _part(name: str, load: float, on: str, colour: Colour) -> At:
    return at(name, load, on=on, text=lambda y: format_quantity(y, "fraction"), colour=colour)


BOARD = Board(
    name="departures",
    time_stamp="0:21:40",
    title="The train's timetable",
    question="How long does a request take to its next token when batches depart like trains, full or not?",
    caption="A train departs every period with whoever is there, and takes one period. Left: one draw of Poisson"
    " arrivals, with how many ride each train, and how long some requests take, of which they wait the grey part.",
    formula=(
        Term(tex=r"\bar t", colour=Colour.BOUND),
        Term(tex=r"\;=\;\dfrac{T}{2}\;+\;T\;+\;\dfrac{E[Q]}{\lambda},\qquad"),
        Term(tex=r"t_{max}\;=\;2\,T", colour=Colour.ASIDE),
        Term(tex=r",\qquad"),
        Term(tex=r"P(A>b)\;=\;\sum_{k>b}\dfrac{m^k}{k!}\,e^{-m}", colour=Colour.ALSO),
    ),
    symbols=(
        Symbol(tex=r"\bar t", meaning="mean time from a request's arrival to its token, in seconds"),
        Symbol(tex=r"t_{max}", meaning="the same for a request that has just missed a train"),
        Symbol(tex=r"E[Q]", meaning="requests that a train leaves behind, on the mean"),
        Symbol(tex=r"\lambda", meaning="requests that arrive in a second"),
        Symbol(tex=r"A", meaning="requests that arrive in a period"),
        Symbol(tex=r"m", meaning="mean of A, the load times the seats"),
    ),
    controls=(
        period_control(TRAIN_S),
        seats_control(SEATS),
        Control(
            name="load_fraction",
            meaning="of the seats taken on the mean",
            dimension="fraction",
            low=LOADS[0],
            high=LOADS[1],
            lecture=filled_in(0.99),
            careful=0.99,
        ),
        Control(
            name="dispersion",
            meaning="variance over mean of bursty arrivals",
            dimension="count",
            low=1,
            high=64,
            lecture=filled_in(4),
            careful=4,
        ),
    ),
    views=(
        View(
            heading="Who rides when",
            x=Axis(caption="time", dimension="s"),
            y=Axis(caption="", dimension="count"),
            compute=_timetable,
        ),
        View(
            heading="Wait",
            x=Axis(caption="load: part of the seats taken", dimension="fraction"),
            y=Axis(caption="time from arrival to token", dimension="s"),
            compute=_waits,
        ),
        View(
            heading="Overflow",
            x=Axis(caption="load: part of the seats taken", dimension="fraction"),
            y=Axis(caption="trains that leave some behind", dimension="fraction", is_logarithmic=True),
            compute=_overflow,
        ),
    ),
    claims=("A15", "A16", "A33", "A36", "A17", "A18"),
    exercises=("departures-sweep", "departures-worst", "departures-mean", "departures-overfull"),
)
