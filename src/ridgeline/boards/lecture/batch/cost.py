"""The second drawing: what a token costs, against the batch."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import isclose, isinf

from ridgeline.boards.board import Board, Term, Values, View
from ridgeline.boards.companions import Bar, BarGroup, Bars, Length
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.in_a_sentence import count_text
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.batch.opened import opened
from ridgeline.boards.lecture.batch.speed import speed_picture
from ridgeline.boards.lecture.batch.step import (
    NUMBERS,
    StepTimes,
    read_fraction,
    shown_batches,
    step_times,
)
from ridgeline.boards.lecture.batch.trains import fewest_chips, full_batch, full_marks, rack_controls
from ridgeline.boards.note import DIGITS
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import At, Curve, at, curve, curves, logarithmic
from ridgeline.equations import modes, pricing
from ridgeline.numeric import Numeric
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARD"]


ALIKE = 1e-6
"""Relative difference of two costs that is rounding."""
ONE_CHIP = {"chips": 1.0}
"""Chips that a cost is counted on: more chips take proportionally less time, so a token costs the same on all of them.
"""


def _usd(values: Values, time_s: Numeric) -> Numeric:
    """Cost of a token that takes a chip for ``time_s``, $."""
    return pricing.usd_per_token(time_s=time_s, **ONE_CHIP, tokens=1, usd_per_chip_s=values["usd_per_chip_s"])


def _usd_at(values: Values, times: StepTimes, batch: Numeric) -> Numeric:
    """Cost of a token in a batch, $."""
    over = modes.cost_over_floor(
        batch=batch,
        weight_time_s=times.weights_s * read_fraction(values, batch),
        compute_time_per_sequence_s=times.compute_s,
        kv_time_per_sequence_s=times.kv_s,
    )
    return over * _usd(values, max(times.compute_s, times.kv_s))


def _marks(times: StepTimes, floor_usd: float) -> list[At]:
    def alone(usd: float) -> str:
        return f"alone: {usd / floor_usd:,.0f} times\nthe floor"

    def balance(usd: float) -> str:
        return f"balance: {count_text(times.balance_batch_with_kv, DIGITS)}\n{format_quantity(usd, 'usd_per_token')}"

    return [
        at("one sequence", 1.0, on="cost", text=alone, colour=Colour.MONEY, is_fixed=True),
        at("balance batch", times.balance_batch_with_kv, on="cost", text=balance, colour=Colour.MONEY),
        at("twice as many", 2 * _balance(times), on="cost", text="twice as many", colour=Colour.MONEY, is_quiet=True),
    ]


def _balance(times: StepTimes) -> float:
    """Batch from which computing is the limit; where reading is the limit in any, that of the weights alone."""
    found = times.balance_batch_with_kv
    return times.balance_batch if isinf(found) else found


def _twice(values: Values, times: StepTimes) -> Bars:
    """Bars of a token's cost in the balance batch, and in one twice as large."""

    def group(batch: float, more: str, *, answers: bool | None) -> BarGroup:
        weights_s = times.weights_s * float(read_fraction(values, batch)) / batch
        weights, kv, compute = (float(_usd(values, time_s)) for time_s in (weights_s, times.kv_s, times.compute_s))
        read = format_quantity(weights + kv, "usd_per_token")
        parts = " + ".join(f"{name} {_number(usd)}" for name, usd in (("weights", weights), ("KV", kv)))
        # Of two that are alike both are paid.
        alike = isclose(weights + kv, compute, rel_tol=ALIKE)
        return BarGroup(
            names=(f"a token of {count_text(batch, DIGITS)} sequences{more}", f"{count_text(batch, DIGITS)} sequences"),
            bars=(
                Bar(
                    name="computing",
                    parts=(Length(colour=Colour.COMPUTE, length=compute),),
                    ends=(format_quantity(compute, "usd_per_token"),),
                    is_strong=alike or compute > weights + kv,
                    answers=answers,
                ),
                Bar(
                    name="reading",
                    parts=(Length(colour=Colour.WEIGHTS, length=weights), Length(colour=Colour.KV, length=kv)),
                    ends=(f"{read}: {parts}", read),
                    is_strong=alike or compute < weights + kv,
                    answers=answers,
                ),
            ),
        )

    balance = _balance(times)
    return Bars(
        groups=(group(balance, "", answers=None), group(2 * balance, ", twice as many", answers=True)),
        heads=(
            "cost of a million tokens; paid: the longer of computing and reading",
            "cost of a token; paid: the longer",
        ),
        text="What a token costs in a batch, and in one twice as large",
    )


def _number(usd: float) -> str:
    """A part of a cost, without the unit that all of it has."""
    return format_quantity(usd, "usd_per_token").lstrip("$").partition("/")[0]


def _cost(values: Values) -> Curves:
    times = step_times({**values, **ONE_CHIP})
    computes = times.compute_s >= times.kv_s
    compute_usd, kv_usd = (float(_usd(values, time_s)) for time_s in (times.compute_s, times.kv_s))
    floor_usd = max(compute_usd, kv_usd)
    compute, kv = curve("compute", compute_usd, Colour.COMPUTE), curve("KV fetch", kv_usd, Colour.KV)
    weights = curve(
        "weight fetch",
        lambda batch: _usd(values, times.weights_s) * read_fraction(values, batch) / batch,
        Colour.WEIGHTS,
    )
    return curves(
        logarithmic(1.0, shown_batches(times)),
        curve("cost", partial(_usd_at, values, times), Colour.MONEY, is_bold=True),
        _floor(compute) if computes else compute,
        kv if computes else _floor(kv),
        weights,
        marks=[*full_marks(values, on="cost", least=1.0), *_marks(times, floor_usd)],
        fits_to=full_batch(values),
        takes_over_at=times.balance_batch_with_kv,
        top=2 * float(_usd_at(values, times, 1.0)),
        bottom=0.3 * max(min(compute_usd, kv_usd), floor_usd / 100),
        bill=((compute,), (weights, kv)),
        companion=_twice(values, times),
    )


def _floor(line: Curve) -> Curve:
    return replace(line, name=f"{line.name}: the floor", is_floor=True)


BOARD = Board(
    name="cost",
    time_stamp="0:13:00",
    title="Cost against batch",
    question="What does a token cost, and how much of that does a larger batch save?",
    caption="A token costs the chip-time of a step divided by its batch. No batch gets below the floor.",
    formula=(
        Term(tex=r"\dfrac{\$}{\mathrm{token}}", colour=Colour.MONEY),
        Term(tex=r"\;=\;\$_{chip}\,\max(\;"),
        Term(tex=r"\dfrac{2\,N_a}{F}", colour=Colour.COMPUTE),
        Term(tex=r",\;\;"),
        Term(tex=r"\dfrac{N_t\,b_w}{B\,W}", colour=Colour.WEIGHTS),
        Term(tex=r"\;+\;"),
        Term(tex=r"\dfrac{L\,\beta}{W}", colour=Colour.KV),
        Term(tex=r"\;)"),
    ),
    letter_numbers=NUMBERS,
    controls=(
        *rack_controls(),
        controls.usd_per_chip_s(),
    ),
    views=(
        View(
            heading="Cost",
            compute=_cost,
            x=Axis(caption="batch: sequences on all chips", dimension="count", is_logarithmic=True, is_whole=True),
            y=Axis(caption="cost of a million output tokens", dimension="usd_per_token", is_logarithmic=True),
        ),
        View(
            heading="Speed",
            compute=speed_picture,
            x=Axis(caption="batch: sequences on all chips", dimension="count", is_logarithmic=True, is_whole=True),
            y=Axis(caption="tokens per second of each sequence", dimension="count", is_logarithmic=True),
        ),
    ),
    opened=opened,
    fewest_chips=fewest_chips,
    claims=("A4", "A9", "A13", "A21", "A28"),
    exercises=("cost-weights", "cost-contexts", "prices-token"),
    first_move=FirstMove(
        control="kv_bytes_per_token",
        to=200e3,
        then="KV fetch rises above compute and becomes the floor, which no batch lowers",
        seen=(Moves(what="KV fetch", way=Way.UP),),
    ),
)
