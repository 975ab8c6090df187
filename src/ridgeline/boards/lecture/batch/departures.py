"""The train's timetable: a batch departs every period, full or not, and who comes too late waits."""

from __future__ import annotations

from functools import partial

import numpy as np

from ridgeline.boards.board import NEXT, Board, Control, LetterNumber, Term, Values, View
from ridgeline.boards.constant import filled_in
from ridgeline.boards.first_move import FirstMove, Says
from ridgeline.boards.lecture.batch.station import mean_s, station
from ridgeline.boards.lecture.batch.trains import least_period_s, period_control, seats_control
from ridgeline.boards.lecture.numbers import SEATS, TRAIN_S
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import At, Span, at, curve, curves
from ridgeline.equations import departures
from ridgeline.numeric import Numeric
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARD", "WAIT_EQUATION"]

LOADS = 0.9, 0.998
POINTS = 401
RAREST = 1e-9
"""Least fraction of the trains in the picture."""


def _loads() -> Span:
    """Loads of the picture, the denser the nearer to full."""
    return Span(x=1 - np.geomspace(1 - LOADS[0], 1 - LOADS[1], POINTS))


def _arrivals_per_s(values: Values) -> float:
    return values["load_fraction"] * values["seats"] / values["period_s"]


def _waits(values: Values) -> Curves:
    load, period = values["load_fraction"], values["period_s"]
    worst = float(departures.worst_latency_s(period_s=period))
    bursty = partial(mean_s, values, values["dispersion"])
    full = f"{format_quantity(load, 'fraction')} full"
    return curves(
        _loads(),
        curve(f"just missed:\n{format_quantity(worst, 's')}", worst, Colour.ASIDE, is_floor=True),
        curve("mean, bursty", bursty, Colour.ASIDE),
        curve("mean, Poisson", partial(mean_s, values, 1.0), Colour.BOUND, is_bold=True),
        marks=[at("load", load, on="mean, Poisson", text=lambda y: f"{full}: {format_quantity(y, 's')}")],
        top=min(6 * period, max(2.2 * period, 1.1 * float(bursty(LOADS[1])))),
    )


def _behind(seats: float, dispersion: float, load: Numeric) -> Numeric:
    return departures.leaving_behind_fraction(arrivals=load * seats, seats=seats, dispersion=dispersion)


def _alone(seats: float, load: Numeric) -> Numeric:
    """Fraction of the periods in which more requests arrive than seats leave, each period by itself."""
    return departures.overfull_fraction(arrivals=load * seats, seats=seats)


def _overflow(values: Values) -> Curves:
    load, seats = values["load_fraction"], values["seats"]
    behind, alone = partial(_behind, seats), partial(_alone, seats)
    marks = [
        _part("trains that leave some behind", load, "Poisson", "Poisson", Colour.BOUND),
        _part("periods in which too many come", load, "one period\nby itself", "by itself", Colour.ALSO),
    ]
    return curves(
        _loads(),
        curve("bursty", partial(behind, values["dispersion"]), Colour.ASIDE),
        curve("one period\nby itself", alone, Colour.ALSO),
        curve("Poisson", partial(behind, 1.0), Colour.BOUND, is_bold=True),
        marks=marks if float(alone(load)) > RAREST else [],
        top=1.0,
        bottom=max(RAREST, min(1e-4, float(alone(load)) / 3)),
    )


def _part(name: str, load: float, on: str, words: str, colour: Colour) -> At:
    return at(name, load, on=on, text=lambda y: f"{words}: {format_quantity(y, 'fraction')}", colour=colour)


WAIT_EQUATION = (
    Term(tex=r"t_{tok}", colour=Colour.BOUND),
    Term(tex=r"\;=\;t_{wait}+T\;\leq\;"),
    Term(tex=r"2\,T", colour=Colour.ASIDE),
    Term(tex=r"\;\;\mathrm{(if\;not\;left\;behind)}"),
)
"""A request's wait and ride."""

BOARD = Board(
    name="departures",
    time_stamp="0:21:40",
    title="The train's timetable",
    question="How long does a request wait for its next token if batches depart like trains, full or not?",
    caption="A train departs every period with whoever is there, and the ride takes one period. Requests that find no"
    " seat take the next train. The trains show one draw of Poisson arrivals, always the same. The lines are what many"
    " draws converge to.",
    formula=(
        Term(tex=r"\bar t_{tok}", colour=Colour.BOUND),
        Term(tex=r"\;=\;\dfrac{T}{2}\;+\;T\;+\;\dfrac{Q}{\lambda}"),
        NEXT,
        Term(tex=r"t_{tok}\;\leq\;2\,T", colour=Colour.ASIDE),
        NEXT,
        Term(
            tex=r"\mathrm{overflow}\;=\;\sum_{i>S}\dfrac{(\lambda\,T)^i}{i!}\,\mathrm{e}^{-\lambda\,T}",
            colour=Colour.ALSO,
        ),
    ),
    letter_numbers=(LetterNumber(tex=r"\lambda", value=_arrivals_per_s),),
    controls=(
        period_control(TRAIN_S, least_period_s()),
        seats_control(SEATS),
        Control(
            name="load_fraction",
            meaning="of the seats taken on average",
            called="share of seats taken",
            short="seats taken",
            dimension="fraction",
            low=LOADS[0],
            high=LOADS[1],
            lecture=filled_in(0.99, why="a load at which some trains are full"),
            careful=0.99,
        ),
        Control(
            name="dispersion",
            meaning="variance over mean of bursty arrivals",
            called="variance over mean of arrivals",
            short="burstiness",
            dimension="count",
            low=1,
            high=64,
            lecture=filled_in(4, why="a guess at bursty traffic"),
            careful=4,
        ),
    ),
    views=(
        View(
            heading="Who rides when",
            x=Axis(caption="time from arrival to token", dimension="s"),
            compute=station,
        ),
        View(
            heading="Wait",
            x=Axis(caption="load: share of seats taken", dimension="fraction"),
            y=Axis(caption="time from arrival to token", dimension="s"),
            compute=_waits,
        ),
        View(
            equations=(2,),
            heading="Overflow",
            x=Axis(caption="load: share of seats taken", dimension="fraction"),
            y=Axis(caption="trains that leave someone behind", dimension="fraction", is_logarithmic=True),
            compute=_overflow,
        ),
    ),
    claims=("A15", "A16", "A33", "A36", "A17", "A18", "A20"),
    exercises=("departures-sweep", "departures-worst", "departures-mean", "departures-overfull"),
    first_move=FirstMove(
        control="load_fraction",
        to=0.9,
        then="no train leaves anybody behind",
        seen=(Says(text="no train leaves anybody behind"),),
    ),
)
