"""Boards of trains that leave every period: waits against load, and tokens a second."""

from __future__ import annotations

import numpy as np

from ridgeline.boards.board import Board, Control, Facts, Term, Values, View
from ridgeline.boards.boards_inference import Times, step_times, steps
from ridgeline.boards.claims_inference import GOOGLE_TOKENS_PER_MONTH
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture import fleet as deepseek
from ridgeline.boards.old_numbers import BALANCE_BATCH, DEPARTURES_PER_S, MONTH_S, SEATS, SHORT_TOKENS, TRAIN_S
from ridgeline.boards.picture import Axis, Colour, Curves, Line, Mark
from ridgeline.equations import departures, memory, roofline
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARDS"]

POINTS = 401

LOADS = 0.9, 0.998


def _sweep_s(facts: Facts) -> float:
    """To read all of a chip's memory once: the lecture's 20 ms."""
    chip = facts.machine.chip
    return float(roofline.memory_sweep_time_s(hbm_bytes=chip.hbm_bytes, hbm_bytes_per_s=chip.hbm_bytes_per_s))


def _loads(load: float) -> np.ndarray:
    return np.union1d(1 - np.geomspace(1 - LOADS[0], 1 - LOADS[1], POINTS), [load])


def _departures(at: Values) -> Curves:
    period, seats, load = at["period_s"], at["seats"], at["load_fraction"]
    x = _loads(load)

    def mean(load: np.ndarray, dispersion: float) -> np.ndarray:
        extra = departures.extra_wait_s(arrivals=load * seats, seats=seats, period_s=period, dispersion=dispersion)
        return np.asarray(departures.mean_latency_s(period_s=period, extra_wait_s=extra))

    even, bursty = mean(x, 1.0), mean(x, at["dispersion"])
    here = float(mean(np.array([load]), 1.0)[0])
    worst = float(departures.worst_latency_s(period_s=period))
    return Curves(
        x=x,
        lines=(
            Line(
                name=f"just missed:\n{format_quantity(worst, 's')}",
                y=np.full_like(x, worst),
                colour=Colour.ASIDE,
                is_floor=True,
            ),
            Line(name="mean, bursty", y=bursty, colour=Colour.KV),
            Line(name="mean, Poisson", y=even, colour=Colour.BOUND, is_bold=True),
        ),
        marks=(
            Mark(
                name="load",
                x=load,
                y=here,
                line="mean, Poisson",
                text=f"{format_quantity(load, 'fraction')} full: {format_quantity(here, 's')}",
                colour=Colour.BOUND,
            ),
        ),
        top=min(6 * period, max(2.2 * period, 1.1 * float(bursty[-1]))),
    )


RAREST = 1e-9
"""Part of trains that a picture goes down to."""


def _overflow(at: Values) -> Curves:
    seats, load = at["seats"], at["load_fraction"]
    x = _loads(load)

    def behind(load: np.ndarray, dispersion: float) -> np.ndarray:
        found = departures.leaving_behind_fraction(arrivals=load * seats, seats=seats, dispersion=dispersion)
        return np.asarray(found)

    alone = np.asarray(departures.overfull_fraction(arrivals=x * seats, seats=seats))
    poisson, bursty = behind(x, 1.0), behind(x, at["dispersion"])
    place = int(np.searchsorted(x, load))
    marks = [
        Mark(
            name=name,
            x=load,
            y=float(y[place]),
            line=line,
            text=format_quantity(float(y[place]), "fraction"),
            colour=colour,
        )
        for name, y, line, colour in (
            ("trains that leave some behind", poisson, "Poisson", Colour.BOUND),
            ("periods in which too many come", alone, "one period\nby itself", Colour.COMPUTE),
        )
        if y[place] > RAREST
    ]
    return Curves(
        x=x,
        lines=(
            Line(name="bursty", y=bursty, colour=Colour.KV),
            Line(name="one period\nby itself", y=alone, colour=Colour.COMPUTE),
            Line(name="Poisson", y=poisson, colour=Colour.BOUND, is_bold=True),
        ),
        marks=tuple(marks),
        top=1.0,
        bottom=max(RAREST, min(1e-4, float(alone[place]) / 3)),
    )


def _rate(batch: np.ndarray | float, period_s: np.ndarray | float) -> np.ndarray:
    return np.asarray(departures.tokens_per_s(batch=batch, period_s=period_s))


def _step_s(at: Values, batch: np.ndarray | float) -> np.ndarray:
    found = roofline.step_time_s(
        batch=batch,
        active_params=at["active_params"],
        weight_bytes=_weight_bytes(at),
        kv_bytes_per_sequence=at["context_tokens"] * at["kv_bytes_per_token"],
        flop_per_s=at["chips"] * at["flop_per_s"],
        hbm_bytes_per_s=at["chips"] * at["hbm_bytes_per_s"],
    )
    return np.asarray(found)


def _weight_bytes(at: Values) -> float:
    return at["active_params"] * at["expansion"] * at["bytes_per_param"]


FAR = 10
"""Times the balance batch of weights alone, beyond which caches bind and that with caches is left out."""


def _memory_full_batch(at: Values) -> float:
    """Sequences whose caches fill what the weights leave; none where these fill all."""
    found = memory.memory_full_batch(
        hbm_bytes=at["chips"] * at["hbm_bytes"],
        weight_bytes=_weight_bytes(at),
        kv_bytes_per_sequence=at["context_tokens"] * at["kv_bytes_per_token"],
    )
    return float(found)


def _points(at: Values, times: Times) -> dict[str, tuple[float, Colour]]:
    """Batches at which a rack may run: where weights balance arithmetic, if it holds as many, and its fullest."""
    full = _memory_full_batch(at)
    balance = times.balance_with_kv if times.balance_with_kv < FAR * times.balance else times.balance
    found = {"balance": (balance, Colour.WEIGHTS), "memory full": (full, Colour.KV)}
    return {name: (batch, colour) for name, (batch, colour) in found.items() if 1 <= batch <= full}


def _tokens(at: Values) -> Curves:
    times, fleet, seats = step_times(at), deepseek.decode_batch(), at["seats"]
    points = _points(at, times)
    trains = {
        f"{format_quantity(time_s, 's')}: {format_quantity(float(_rate(seats, time_s)), 'count')}": time_s
        for time_s in (at["period_s"], TRAIN_S)
    }
    lines = {name: (time_s, Colour.ASIDE) for name, time_s in trains.items()}
    lines["as DeepSeek's"] = 1 / deepseek.TOKENS_PER_USER_S, Colour.OTHER
    batches = [seats, fleet, *(batch for batch, _ in points.values())]
    batch = np.union1d(np.geomspace(min(batches) / 8, 5 * max(batches), POINTS), batches)
    limits = (("KV fetch", 1 / times.kv, Colour.KV), ("compute", 1 / times.compute, Colour.COMPUTE))

    def mark(name: str, where: float, line: str, colour: Colour) -> Mark:
        time_s = lines[line][0] if line in lines else float(_step_s(at, where))
        rate = float(_rate(where, time_s))
        text = f"{name}: {format_quantity(where, 'count')}"
        return Mark(name=name, x=where, y=rate, line=line, text=text, colour=colour)

    return Curves(
        x=batch,
        lines=(
            *(Line(name=name, y=_rate(batch, time_s), colour=colour) for name, (time_s, colour) in lines.items()),
            *(Line(name=name, y=np.full_like(batch, y), colour=colour, is_floor=True) for name, y, colour in limits),
            Line(name="B / t", y=_rate(batch, _step_s(at, batch)), colour=Colour.BOUND, is_bold=True),
        ),
        marks=(
            *(mark(name, where, "B / t", colour) for name, (where, colour) in points.items()),
            mark("seats", seats, next(iter(trains)), Colour.ASIDE),
            mark("fleet", fleet, "as DeepSeek's", Colour.OTHER),
        ),
        top=3 * max(rate for _, rate, _ in limits),
        bottom=float(_rate(min(batches), max(trains.values()))) / 20,
    )


TRAFFIC = 1e8, 2e9


def _racks(at: Values) -> Curves:
    full = _memory_full_batch(at)
    months = {name: float(_rate(tokens, MONTH_S)) for name, tokens in GOOGLE_TOKENS_PER_MONTH.items()}
    x = np.union1d(np.geomspace(*TRAFFIC, POINTS), list(months.values()))
    rates = {"of the seats": (float(_rate(at["seats"], at["period_s"])), Colour.BOUND)}
    # A larger batch never writes less a second, so the fullest rack is the best; without room for a sequence none is.
    rates |= {"at best, B / t": (float(_rate(full, _step_s(at, full))), Colour.COMPUTE)} if full >= 1 else {}
    racks = {
        name: np.asarray(departures.racks_needed(tokens_per_s=x, tokens_per_s_per_rack=rate))
        for name, (rate, _) in rates.items()
    }
    places = {month: int(np.searchsorted(x, rate)) for month, rate in months.items()}
    return Curves(
        x=x,
        lines=tuple(
            Line(name=name, y=racks[name], colour=colour, is_bold=colour is Colour.BOUND)
            for name, (_, colour) in rates.items()
        ),
        marks=tuple(
            Mark(
                name=month,
                x=float(x[place]),
                y=float(racks["of the seats"][place]),
                line="of the seats",
                text=f"{month}: {racks['of the seats'][place]:,.0f}",
                colour=Colour.BOUND,
            )
            for month, place in places.items()
        ),
        top=3 * float(max(y[-1] for y in racks.values())),
        bottom=float(min(y[0] for y in racks.values())) / 3,
    )


def _period(lecture: float) -> Control:
    return Control(
        name="period_s",
        meaning="between departures",
        dimension="s",
        low=1e-3,
        high=1,
        lecture=lecture,
        careful=_sweep_s,
    )


def _seats(lecture: float) -> Control:
    return Control(
        name="seats",
        meaning="seats of a train",
        dimension="count",
        low=256,
        high=1e5,
        lecture=lecture,
        careful=controls.balance_batch,
    )


BOARDS: tuple[Board, ...] = (
    Board(
        name="departures",
        title="Waits and overflow against load",
        question="How long does a request take to its first token when trains leave with fixed seats?",
        caption="A wait for the next departure and one ride; nearly full trains leave some behind for the next."
        " One period by itself: too many come, whoever was left before.",
        formula=(
            Term(tex=r"\bar t", colour=Colour.BOUND),
            Term(tex=r"\;=\;\dfrac{T}{2}\;+\;T\;+\;\mathrm{left\ behind},\qquad"),
            Term(tex=r"t_{max}\;=\;2\,T", colour=Colour.ASIDE),
            Term(tex=r",\qquad"),
            Term(tex=r"P(A>b)\;=\;\sum_{k>b}\dfrac{m^k}{k!}\,e^{-m}", colour=Colour.COMPUTE),
        ),
        controls=(
            _period(TRAIN_S),
            _seats(BALANCE_BATCH),
            Control(
                name="load_fraction",
                meaning="of the seats taken on the mean",
                dimension="fraction",
                low=LOADS[0],
                high=LOADS[1],
                lecture=0.99,
                careful=0.99,
            ),
            Control(
                name="dispersion",
                meaning="variance over mean of bursty arrivals",
                dimension="count",
                low=1,
                high=64,
                lecture=4,
                careful=4,
            ),
        ),
        views=(
            View(
                heading="Wait",
                x=Axis(caption="load: part of the seats taken on the mean", dimension="fraction"),
                y=Axis(caption="time from arrival to token", dimension="s"),
                compute=_departures,
            ),
            View(
                heading="Overflow",
                x=Axis(caption="load: part of the seats taken on the mean", dimension="fraction"),
                y=Axis(caption="part of the trains that leave some behind", dimension="fraction", is_logarithmic=True),
                compute=_overflow,
            ),
        ),
        claims=("A15", "A16", "A17", "A18"),
        exercises=(
            "departures-sweep",
            "departures-worst",
            "departures-mean",
            "departures-overfull",
        ),
    ),
    Board(
        name="tokens",
        title="Tokens a second",
        question="How many tokens does a rack write in a second, and how many racks would serve a provider?",
        caption="A batch leaves with every step; thin lines: a train every so long, and what its seats make. Months:"
        " Google's tokens, input and small models too, as if all were written; a rack's share is one over their"
        f" number. DeepSeek's users see {deepseek.TOKENS_PER_USER_S:.0f} tokens a second.",
        formula=(
            Term(tex=r"\dfrac{B}{t(B)}", colour=Colour.BOUND),
            Term(tex=r"\;\leq\;\min(\;"),
            Term(tex=r"\dfrac{n\,F}{2\,N_a}", colour=Colour.COMPUTE),
            Term(tex=r",\;\;"),
            Term(tex=r"\dfrac{n\,W}{L\,\beta}", colour=Colour.KV),
            Term(tex=r"\;),\qquad\mathrm{trains:}\;\;"),
            Term(tex=r"\dfrac{B}{T}", colour=Colour.ASIDE),
        ),
        controls=(
            *steps(context_lecture=SHORT_TOKENS),
            controls.hbm_bytes(controls.LECTURE_HBM_BYTES_PER_S * TRAIN_S),
            _seats(SEATS),
            _period(1 / DEPARTURES_PER_S),
        ),
        views=(
            View(
                heading="One rack",
                x=Axis(caption="batch: sequences on all chips", dimension="count", is_logarithmic=True),
                y=Axis(caption="tokens a second", dimension="count", is_logarithmic=True),
                compute=_tokens,
            ),
            View(
                heading="A provider's traffic",
                x=Axis(caption="tokens a second", dimension="count", is_logarithmic=True),
                y=Axis(caption="racks that write them", dimension="count", is_logarithmic=True),
                compute=_racks,
            ),
        ),
        claims=("A14", "A18", "A19", "A20", "A26"),
        exercises=(
            "departures-rate",
            "departures-in-flight",
            "departures-racks",
        ),
    ),
)
