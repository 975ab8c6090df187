"""The first drawing: the time of a decode step against its batch."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import isclose
from typing import Any

import numpy as np

from ridgeline.boards.board import Board, Term, Values, View
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.in_a_sentence import count_text
from ridgeline.boards.lecture.batch.opened import opened
from ridgeline.boards.lecture.batch.read_experts import read_experts
from ridgeline.boards.lecture.batch.step import (
    BALANCE_BATCHES,
    NUMBERS,
    StepTimes,
    drawn_balance_batch,
    read_fraction,
    shown_batches,
    step_times,
    weight_bytes,
)
from ridgeline.boards.lecture.batch.trains import fewest_chips, full_batch, full_marks, rack_controls
from ridgeline.boards.lecture.numbers import EXPANSION
from ridgeline.boards.note import DIGITS
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import At, Curve, at, curve, curves, linear
from ridgeline.equations import roofline
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARD", "work"]


MOST_OF_ALL, NEARLY_ALL = 0.5, 0.95
"""Fractions of the weights: beyond the first, read for one sequence, their line is flat from the start; beyond the
second it becomes flat.
"""
BEYOND_FULL = 2.0
"""Largest batch of a picture over the largest that fits the memory, where that is less than what is shown otherwise."""
ALIKE = 1e-3
"""Relative difference of two balance batches below which they are one dot on the screen."""
FEW = 1000
"""Batch by which nearly all weights are read, for any model of today."""


def work(values: Values, batch: Any) -> dict[str, Any]:  # noqa: ANN401  a number or many
    """Arguments of the roofline's maximum."""
    return {
        "batch": batch,
        "active_params": values["active_params"],
        "weight_bytes": weight_bytes(values) * read_fraction(values, batch),
        "kv_bytes_per_sequence": values["context_tokens"] * values["kv_bytes_per_token"],
        "flop_per_s": values["chips"] * values["flop_per_s"],
        "hbm_bytes_per_s": values["chips"] * values["hbm_bytes_per_s"],
    }


def _floor_name(times: StepTimes) -> str:
    return f"weight fetch:\nfloor {format_quantity(times.weights_s, 's')}"


def _marks(times: StepTimes) -> list[At]:
    """Marks where computing takes over: from the weights alone, as he computes it, and from weights and contexts."""
    alone = at(
        "balance batch without contexts",
        times.balance_batch,
        on="compute",
        text=f"weights alone: {count_text(times.balance_batch, DIGITS)}",
        colour=Colour.COMPUTE,
        crosses=_floor_name(times),
    )
    balance = drawn_balance_batch(times)
    if balance is None or isclose(balance, times.balance_batch, rel_tol=ALIKE):
        return [alone]
    return [alone, at("balance batch", balance, on="step", text=partial(_balance_text, balance))]


def _few_experts(values: Values, times: StepTimes) -> list[At]:
    """Mark of the batch up to which experts stay unread: the line of weights is flat only beyond it."""
    alone = float(read_fraction(values, 1.0))
    batches = np.arange(1.0, FEW)
    reached = batches[read_fraction(values, batches) > NEARLY_ALL]
    if alone > MOST_OF_ALL or not len(reached):
        return []
    flat = int(reached[0])
    text = f"below {flat}: under {100 * NEARLY_ALL:.2g} %\nof weights are read"
    return [
        at(
            "nearly all experts",
            flat,
            on=_floor_name(times),
            text=text,
            colour=Colour.WEIGHTS,
            is_fixed=True,
        )
    ]


def _balance_text(batch: float, time_s: float) -> str:
    return f"with contexts: {count_text(batch, DIGITS)}\n{format_quantity(time_s, 's')}"


def _end(values: Values, times: StepTimes) -> float:
    """Largest batch of the picture: where compute takes over, or where the memory is full if that comes first."""
    most, full = shown_batches(times), full_batch(values)
    return min(most, max(2.0, BEYOND_FULL * full)) if full else most


def _latency(values: Values) -> Curves:
    times = step_times(values)
    end = _end(values, times)
    binds = "" if times.kv_s < times.compute_s else ":\nbinds at any batch"
    return curves(
        linear(0.0, end),
        curve("without overlap", lambda batch: roofline.serial_step_time_s(**work(values, batch)), Colour.ASIDE),
        curve(
            "step",
            lambda batch: roofline.step_time_s(**work(values, batch)),
            Colour.BOUND,
            high=lambda batch: roofline.serial_step_time_s(**work(values, batch)),
            is_bold=True,
        ),
        curve("compute", lambda batch: batch * times.compute_s, Colour.COMPUTE),
        curve(f"KV fetch{binds}", lambda batch: batch * times.kv_s, Colour.KV),
        curve(
            _floor_name(times),
            lambda batch: times.weights_s * read_fraction(values, batch),
            Colour.WEIGHTS,
            is_floor=True,
        ),
        marks=[*full_marks(values, on="step", least=0.0), *_marks(times), *_few_experts(values, times)],
        fits_to=full_batch(values),
        top=1.05 * float(roofline.serial_step_time_s(**work(values, end))),
    )


def _sparsities(values: Values) -> Curves:
    """Weights of his sparsity and of the one that is set, each with the batch that takes as long to compute."""
    times, his_times = step_times(values), step_times({**values, "expansion": float(EXPANSION)})
    here = "weight fetch:\n" + _sparsity_text(values["expansion"])
    lines, marks = [_weights(values, times, here, is_bold=True)], [_alone(times, values["expansion"], here)]
    batches = {float(EXPANSION): his_times.balance_batch, values["expansion"]: times.balance_batch}
    if not isclose(times.balance_batch, his_times.balance_batch, rel_tol=ALIKE):
        his = f"his weights:\n{_sparsity_text(float(EXPANSION))}"
        lines.append(_weights(values, his_times, his, is_floor=True))
        one = _alone(his_times, float(EXPANSION), his)
        marks.append(replace(one, name="his balance batch"))
    end = BALANCE_BATCHES * max(times.balance_batch, his_times.balance_batch)
    return curves(
        linear(0.0, end),
        curve("compute", lambda batch: batch * times.compute_s, Colour.COMPUTE),
        *lines,
        marks=marks,
        top=end * times.compute_s,
        companion=read_experts(values, batches),
    )


def _weights(values: Values, times: StepTimes, name: str, *, is_bold: bool = False, is_floor: bool = False) -> Curve:
    return curve(
        name,
        lambda batch: times.weights_s * read_fraction(values, batch),
        Colour.WEIGHTS,
        is_bold=is_bold,
        is_floor=is_floor,
    )


def _alone(times: StepTimes, expansion: float, line: str) -> At:
    return at(
        "balance batch without contexts",
        times.balance_batch,
        on="compute",
        text=f"at {format_quantity(expansion, 'count')}: {count_text(times.balance_batch, 3)} sequences",
        colour=Colour.COMPUTE,
        crosses=line,
    )


def _sparsity_text(expansion: float) -> str:
    return f"sparsity {format_quantity(expansion, 'count')}"


BOARD = Board(
    name="latency",
    time_stamp="0:09:10",
    title="Latency against batch",
    question="How long does a decode step take, and above what batch does compute limit it?",
    caption="The step is the larger of compute and weight fetch + KV fetch, at the spec sheet's peaks. Without"
    " overlap it is their sum.",
    formula=(
        Term(tex=r"t", colour=Colour.BOUND),
        Term(tex=r"\;\geq\;\max(\;"),
        Term(tex=r"\dfrac{2\,B\,N_a}{n\,F}", colour=Colour.COMPUTE),
        Term(tex=r",\;\;"),
        Term(tex=r"\dfrac{N_t\,b_w}{n\,W}", colour=Colour.WEIGHTS),
        Term(tex=r"\;+\;"),
        Term(tex=r"\dfrac{B\,L\,\beta}{n\,W}", colour=Colour.KV),
        Term(tex=r"\;)"),
    ),
    letter_numbers=NUMBERS,
    controls=rack_controls(),
    views=(
        View(
            heading="Latency",
            compute=_latency,
            x=Axis(caption="batch: sequences on all chips", dimension="count", is_whole=True),
            y=Axis(caption="time of a decode step", dimension="s"),
        ),
        View(
            heading="Balance by sparsity",
            compute=_sparsities,
            x=Axis(caption="batch: sequences on all chips", dimension="count", is_whole=True),
            y=Axis(caption="time of a decode step without contexts", dimension="s"),
        ),
    ),
    opened=opened,
    fewest_chips=fewest_chips,
    claims=("A1", "A2", "A3", "A5", "A6", "A11", "A12", "A14", "A20", "A25", "A29"),
    exercises=(
        "roofline-floor",
        "roofline-compute",
        "roofline-balance",
        "roofline-lecture-balance",
        "roofline-deepseek-balance",
        "roofline-step",
        "roofline-balance-with-caches",
        "memory-balance-time",
    ),
    first_move=FirstMove(
        control="context_tokens",
        to=100e3,
        then="the line of KV fetch rises above compute, so that no batch is large enough for compute to bind",
        seen=(Moves(what="KV fetch", way=Way.UP),),
    ),
)
