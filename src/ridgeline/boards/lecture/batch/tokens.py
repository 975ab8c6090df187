"""Tokens a second: what the trains of a rack carry, and how many racks a provider's traffic takes."""

from __future__ import annotations

from functools import partial

from ridgeline.boards.board import Board, Term, Values, View
from ridgeline.boards.companions import Clocked
from ridgeline.boards.constant import implied
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture import fleet
from ridgeline.boards.lecture.batch.step import NUMBERS, step_times
from ridgeline.boards.lecture.batch.trains import (
    GOOGLE_TOKENS_PER_MONTH,
    MONTH_S,
    full_batch,
    period_control,
    rack_controls,
    seats_control,
    step_s,
)
from ridgeline.boards.lecture.numbers import DEPARTURES_PER_S, SEATS, TRAIN_S
from ridgeline.boards.picture import Axis, Colour, Curves, Sheet
from ridgeline.boards.pictures import At, at, curve, curves, logarithmic
from ridgeline.equations import departures
from ridgeline.numeric import Numeric, minimum
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARD", "TRAINS_EQUATION"]

PERIOD_S = implied(1 / float(DEPARTURES_PER_S), "0:26:25", claim="A18")
"""Period of the trains, s: 64 departures a second."""

FAR = 10
"""Multiple of the balance batch of weights alone beyond which the one with contexts is out of reach."""

TRAFFIC = 1e8, 2e9
THOUSAND = 1000
JUST_MORE = 1.5
"""Multiple of the trains' tokens up to which nothing is said of trains that leave at once."""
SHOWN_MONTHS = "Oct 2025", "May 2026"
TRAINS, BEST = "trains", "B / t"
SEATED, FULL, BALANCE, AT_ONCE = "seats", "full", "balance", "at once"


def _rate(batch: Numeric, period_s: Numeric) -> Numeric:
    return departures.tokens_per_s(batch=batch, period_s=period_s)


def _at_best(values: Values, batch: Numeric) -> Numeric:
    """Tokens a second of a rack whose next step begins as soon as one ends."""
    return _rate(batch, step_s(values, batch))


def _of_trains(values: Values, batch: Numeric) -> Numeric:
    """Tokens a second of a rack whose trains depart every period; a longer step delays the next train."""
    return minimum(_rate(batch, values["period_s"]), _at_best(values, batch))


def _batches(values: Values) -> dict[str, float]:
    """Batches at which a rack may run: its seats, where reading balances arithmetic, and all that its memory holds."""
    full, times = full_batch(values), step_times(values)
    # Where every batch takes longer to read than to compute, or nearly every one, there is no balance to show.
    is_near = times.balance_batch_with_kv < FAR * times.balance_batch
    # First what no line shows: the balance is the corner at which the rate stops rising.
    others = {FULL: full, BALANCE: times.balance_batch_with_kv if is_near else 0.0}
    fitting = {name: batch for name, batch in others.items() if 1 <= batch <= full and batch != values["seats"]}
    return {SEATED: values["seats"]} | fitting


def _marks(batches: dict[str, float], times_more: float) -> list[At]:
    """Marks of the batches, and of the seats as they would run if no train waited for its time."""
    lines = {SEATED: (TRAINS, Colour.ASIDE), BALANCE: (BEST, Colour.BOUND), FULL: (BEST, Colour.KV)}
    seated, *others = (
        at(
            name,
            batch,
            on=lines[name][0],
            text=partial(_mark_text, name, batch),
            colour=lines[name][1],
        )
        for name, batch in batches.items()
    )
    text = f"{AT_ONCE}: {times_more:.0f} times\nas many"
    more = [at(AT_ONCE, batches[SEATED], on=BEST, text=text)] if times_more > JUST_MORE else []
    return [seated, *more, *others]


def _mark_text(name: str, batch: float, rate: float) -> str:
    if name == FULL:
        return f"memory full:\n{format_quantity(batch, 'count')} sequences"
    return f"{name} {format_quantity(batch, 'count')}:\n{format_quantity(rate, 'count')}/s"


def _rack(values: Values) -> Curves:
    times, batches = step_times(values), _batches(values)
    low, high = min(batches.values()) / 8, 5 * max(batches.values())
    limits = 1 / times.kv_s, 1 / times.compute_s
    return curves(
        logarithmic(low, high),
        curve("KV fetch", limits[0], Colour.KV, is_floor=True),
        curve("compute", limits[1], Colour.COMPUTE, is_floor=True),
        curve(BEST, partial(_at_best, values), Colour.BOUND, is_bold=True),
        curve(TRAINS, partial(_of_trains, values), Colour.ASIDE),
        marks=_marks(batches, float(_at_best(values, batches[SEATED]) / _of_trains(values, batches[SEATED]))),
        top=8 * max(limits),
        bottom=float(_of_trains(values, low)) / 2,
        companion=Clocked(
            by_clock=TRAINS, at_once=BEST, period_s=values["period_s"], text="Steps in the time of two periods"
        ),
    )


def _row(name: str, batch: float, period_s: float) -> tuple[str, ...]:
    rate = format_quantity(float(_rate(batch, period_s)), "count")
    return name, format_quantity(batch, "count"), format_quantity(period_s, "s"), rate


def _points(values: Values) -> Sheet:
    batches = _batches(values)
    seats = batches.pop(SEATED)
    periods = [values["period_s"]]
    # The 20 ms of a memory as the lecture has it, where the batch can keep to them.
    periods += [float(TRAIN_S)] if periods[0] < float(TRAIN_S) and step_s(values, seats) <= float(TRAIN_S) else []
    return Sheet(
        columns=("", "batch", "a step", "tokens/s"),
        rows=(
            *(_row("trains", seats, period) for period in periods),
            *(_row(name, batch, float(step_s(values, batch))) for name, batch in batches.items()),
            _row("DeepSeek", fleet.decode_batch(), 1 / fleet.TOKENS_PER_USER_S),
        ),
        text=f"DeepSeek: on {fleet.DECODE_NODES * fleet.CHIPS_PER_NODE} H800",
        bold=(0,),
    )


def _racks(rate: float, traffic: Numeric) -> Numeric:
    return departures.racks_needed(tokens_per_s=traffic, tokens_per_s_per_rack=rate)


def _traffic(values: Values) -> Curves:
    full, of_trains = full_batch(values), float(_of_trains(values, values["seats"]))
    rates = {"with trains": (of_trains, Colour.BOUND)}
    # A larger batch never writes less a second, so the fullest rack is the best; without room for a sequence none is.
    best = float(_at_best(values, full)) if full >= 1 else of_trains
    rates |= {"back to back": (best, Colour.ALSO)} if best > of_trains * (1 + 1e-9) else {}
    months = {name: float(_rate(tokens, MONTH_S)) for name, tokens in GOOGLE_TOKENS_PER_MONTH.items()}
    marks = [at("a thousand", THOUSAND * of_trains, on="with trains", text=lambda racks: f"{racks:,.0f} racks")]
    marks += [_month(name, months[name]) for name in SHOWN_MONTHS]
    return curves(
        logarithmic(*TRAFFIC),
        *(
            curve(name, partial(_racks, rate), colour, is_bold=colour is Colour.BOUND)
            for name, (rate, colour) in rates.items()
        ),
        marks=marks,
        top=3 * float(_racks(of_trains, TRAFFIC[1])),
        bottom=float(_racks(best, TRAFFIC[0])) / 3,
    )


def _month(name: str, rate: float) -> At:
    return at(
        name, rate, on="with trains", text=lambda racks: f"{name}: {racks:,.0f}", colour=Colour.ASIDE, is_fixed=True
    )


TRAINS_EQUATION = (
    Term(tex=r"\dfrac{\mathrm{tokens}}{\mathrm{s}}"),
    Term(tex=r"\;=\;"),
    Term(tex=r"\dfrac{B}{\max(T,\,t)}", colour=Colour.ASIDE),
)
"""Tokens a second where batches depart by a timetable."""

BOARD = Board(
    name="tokens",
    time_stamp="0:26:25",
    title="Tokens per second",
    question="How many tokens does a rack write per second, and how many racks would serve a provider?",
    caption="A train, which is a batch, departs every T, or once the train before it has arrived, where that is"
    " later. B / t is the most: each train departs as the one before it arrives. The months show everything"
    " that Google's products read and wrote.",
    formula=(
        Term(tex=r"\dfrac{B}{t}", colour=Colour.BOUND),
        Term(tex=r"\;\leq\;\min(\;"),
        Term(tex=r"\dfrac{n\,F}{2\,N_a}", colour=Colour.COMPUTE),
        Term(tex=r",\;\;"),
        Term(tex=r"\dfrac{n\,W}{L\,\beta}", colour=Colour.KV),
        Term(tex=r"\;),\qquad\mathrm{trains:}\;\;"),
        Term(tex=r"\dfrac{B}{\max(T,\,t)}", colour=Colour.ASIDE),
    ),
    controls=(*rack_controls(), seats_control(SEATS), period_control(PERIOD_S)),
    letter_numbers=NUMBERS,
    views=(
        View(
            heading="One rack",
            x=Axis(caption="batch: sequences on all chips", dimension="count", is_logarithmic=True, is_whole=True),
            y=Axis(caption="tokens per second", dimension="count", is_logarithmic=True),
            compute=_rack,
        ),
        View(
            heading="A provider's traffic",
            x=Axis(caption="tokens per second", dimension="count", is_logarithmic=True),
            y=Axis(caption="racks needed", dimension="count", is_logarithmic=True),
            compute=_traffic,
        ),
        View(heading="Where a rack may run", compute=_points),
    ),
    claims=("A14", "A18", "A19", "A35", "A20", "A26", "A31"),
    exercises=("departures-rate", "departures-in-flight", "departures-racks"),
    first_move=FirstMove(
        control="chips",
        to=8.0,
        then="the curve falls: fewer chips write fewer tokens per second",
        seen=(Moves(what="", way=Way.DOWN),),
    ),
)
