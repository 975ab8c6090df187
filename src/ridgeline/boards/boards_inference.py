"""Boards of the lecture's first twenty minutes: latency and cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ridgeline.boards.board import Board, Control, Term, Values, View
from ridgeline.boards.lecture import controls
from ridgeline.boards.old_numbers import EXPANSION, SHORT_TOKENS
from ridgeline.boards.picture import Axis, Colour, Curves, Line, Mark
from ridgeline.equations import experts, modes, pricing, roofline
from ridgeline.numeric import Numeric
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARDS", "Times", "step_times", "steps"]

POINTS = 401
BATCHES_SHOWN = 2.2
"""Balance batches that a picture is wide."""


def steps(*, context_lecture: float) -> tuple[Control, ...]:
    """What a decode step depends on."""
    return (
        controls.active_params(37e9),
        controls.expansion(EXPANSION),
        controls.bytes_per_param(),
        controls.flop_per_s(),
        controls.hbm_bytes_per_s(),
        controls.chips(),
        controls.context_tokens(lecture=context_lecture, careful=1000),
        controls.kv_bytes_per_token(),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """Of a step, in seconds: what stands in the board's maximum.

    Attributes:
        weights: to read all of them.
        compute: for one sequence.
        kv: to read one sequence's context.
        balance: batch from which computing takes longer, without KV.
        balance_with_kv: the same with KV; infinite where no batch does.
    """

    weights: float
    compute: float
    kv: float
    balance: float
    balance_with_kv: float


def step_times(at: Values) -> Times:
    """By the values of the controls of a step."""
    rate, flop_per_s = at["chips"] * at["hbm_bytes_per_s"], at["chips"] * at["flop_per_s"]
    weights = roofline.memory_time_s(
        batch=1,
        weight_bytes=at["active_params"] * at["expansion"] * at["bytes_per_param"],
        kv_bytes_per_sequence=0,
        hbm_bytes_per_s=rate,
    )
    kv = roofline.memory_time_s(
        batch=1,
        weight_bytes=0,
        kv_bytes_per_sequence=at["context_tokens"] * at["kv_bytes_per_token"],
        hbm_bytes_per_s=rate,
    )
    compute = roofline.compute_time_s(tokens=1, active_params=at["active_params"], flop_per_s=flop_per_s)
    ratio = roofline.balance_ratio(flop_per_s=flop_per_s, hbm_bytes_per_s=rate, bytes_per_param=at["bytes_per_param"])
    with_kv = roofline.balance_batch_with_kv(
        weight_time_s=weights, compute_time_per_sequence_s=compute, kv_time_per_sequence_s=kv
    )
    return Times(
        weights=float(weights),
        compute=float(compute),
        kv=float(kv),
        balance=float(roofline.balance_batch(balance_ratio=ratio, expansion=at["expansion"])),
        balance_with_kv=float(with_kv),
    )


def _read_fraction(at: Values, batch: Numeric) -> Numeric:
    """Part of the weights that steps of these batches read."""
    return experts.read_fraction(expert_share=at["expert_share"], expansion=at["expansion"], tokens=batch)


def _widest(times: Times) -> tuple[float, bool]:
    """Batch at which a picture ends, and whether the balance batch is on it: not far beyond that of weights alone."""
    is_near = times.balance_with_kv < 10 * times.balance
    return max(2.0, BATCHES_SHOWN * (times.balance_with_kv if is_near else times.balance)), is_near


def _latency(at: Values) -> Curves:
    times = step_times(at)
    end, has_balance = _widest(times)
    batch = np.union1d(np.linspace(0.0, end, POINTS), [times.balance_with_kv] if has_balance else [])
    work: dict[str, Numeric] = {
        "batch": batch,
        "active_params": at["active_params"],
        "weight_bytes": at["active_params"] * at["expansion"] * at["bytes_per_param"] * _read_fraction(at, batch),
        "kv_bytes_per_sequence": at["context_tokens"] * at["kv_bytes_per_token"],
        "flop_per_s": at["chips"] * at["flop_per_s"],
        "hbm_bytes_per_s": at["chips"] * at["hbm_bytes_per_s"],
    }
    bound, serial = np.asarray(roofline.step_time_s(**work)), np.asarray(roofline.serial_step_time_s(**work))
    marks = []
    if has_balance:
        marks.append(
            Mark(
                name="balance batch",
                x=times.balance_with_kv,
                y=times.balance_with_kv * times.compute,
                line="step",
                text=f"balance: {times.balance_with_kv:,.0f}\n"
                f"{format_quantity(times.balance_with_kv * times.compute, 's')}",
                colour=Colour.BOUND,
            )
        )
    return Curves(
        x=batch,
        lines=(
            Line(name="without overlap", y=serial, colour=Colour.ASIDE),
            Line(name="step", y=bound, high=serial, colour=Colour.BOUND, is_bold=True),
            Line(name="compute", y=batch * times.compute, colour=Colour.COMPUTE),
            Line(
                name="KV fetch" + ("" if times.kv < times.compute else ":\nbinds at any batch"),
                y=batch * times.kv,
                colour=Colour.KV,
            ),
            Line(
                name=f"weight fetch:\nfloor {format_quantity(times.weights, 's')}",
                y=times.weights * np.asarray(_read_fraction(at, batch)) * np.ones_like(batch),
                colour=Colour.WEIGHTS,
                is_floor=True,
            ),
        ),
        marks=tuple(marks),
        top=1.05 * float(np.max(serial)),
    )


def _cost(at: Values) -> Curves:
    times, chips = step_times(at), at["chips"]
    end, has_balance = _widest(times)

    def usd(time_s: float) -> float:
        """Of a token that takes all chips so long."""
        found = pricing.usd_per_token(time_s=time_s, chips=chips, tokens=1, usd_per_chip_s=at["usd_per_chip_s"])
        return float(found)

    floor = usd(max(times.compute, times.kv))
    computes = times.compute >= times.kv
    cached = "KV fetch" + ("" if computes else ": the floor")
    extra = [times.balance_with_kv] if has_balance else []
    batch = np.union1d(np.geomspace(1.0, end, POINTS), [b for b in extra if b >= 1])
    over = modes.cost_over_floor(
        batch=batch,
        weight_time_s=times.weights * _read_fraction(at, batch),
        compute_time_per_sequence_s=times.compute,
        kv_time_per_sequence_s=times.kv,
    )
    bound = np.asarray(over) * floor
    marks = [
        Mark(
            name="one sequence",
            x=1.0,
            y=float(bound[0]),
            line="cost",
            text=f"alone: {bound[0] / floor:,.0f} times\nthe floor",
            colour=Colour.BOUND,
        )
    ]
    if has_balance and times.balance_with_kv >= 1:
        y = usd(times.compute)
        marks.append(
            Mark(
                name="balance batch",
                x=times.balance_with_kv,
                y=y,
                line="cost",
                text=f"balance: {times.balance_with_kv:,.0f}\n{format_quantity(y, 'usd_per_token')}",
                colour=Colour.BOUND,
            )
        )
    return Curves(
        x=batch,
        lines=(
            Line(name="cost", y=bound, colour=Colour.BOUND, is_bold=True),
            Line(
                name="compute" + (": the floor" if computes else ""),
                y=np.full_like(batch, usd(times.compute)),
                colour=Colour.COMPUTE,
                is_floor=computes,
            ),
            Line(
                name=cached,
                y=np.full_like(batch, usd(times.kv)),
                colour=Colour.KV,
                is_floor=not computes,
            ),
            Line(
                name="weight fetch",
                y=usd(times.weights) * np.asarray(_read_fraction(at, batch)) / batch,
                colour=Colour.WEIGHTS,
            ),
        ),
        marks=tuple(marks),
        top=2 * float(bound[0]),
        bottom=0.3 * min(floor, max(usd(min(times.compute, times.kv)), floor / 100)),
    )


BOARDS: tuple[Board, ...] = (
    Board(
        name="latency",
        title="Latency against batch",
        question="How long does a decode step take, and from which batch on is it bound by arithmetic?",
        caption="Step: the larger of compute and weight fetch + KV fetch, at the spec sheet's peaks; their sum where"
        " they do not overlap.",
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
        controls=(*steps(context_lecture=SHORT_TOKENS), controls.expert_share()),
        views=(
            View(
                x=Axis(caption="batch: sequences on all chips", dimension="count"),
                y=Axis(caption="time of a decode step", dimension="s"),
                compute=_latency,
            ),
        ),
        claims=("A1", "A2", "A3", "A5", "A6", "A10", "A11", "A12", "A14", "A20", "A25"),
        exercises=(
            "roofline-floor",
            "roofline-compute",
            "roofline-ratio",
            "roofline-balance",
            "roofline-step",
            "roofline-balance-with-caches",
            "memory-balance-time",
        ),
    ),
    Board(
        name="cost",
        title="Cost against batch",
        question="What does a token cost, and how much of it does a larger batch save?",
        caption="Cost: chip-time of a step over its batch. No batch is cheaper than the floor.",
        formula=(
            Term(tex=r"\dfrac{\$}{\mathrm{token}}", colour=Colour.BOUND),
            Term(tex=r"\;=\;p\;\max(\;"),
            Term(tex=r"\dfrac{2\,N_a}{F}", colour=Colour.COMPUTE),
            Term(tex=r",\;\;"),
            Term(tex=r"\dfrac{N_t\,b_w}{B\,W}", colour=Colour.WEIGHTS),
            Term(tex=r"\;+\;"),
            Term(tex=r"\dfrac{L\,\beta}{W}", colour=Colour.KV),
            Term(tex=r"\;)"),
        ),
        controls=(
            *steps(context_lecture=SHORT_TOKENS),
            controls.expert_share(),
            controls.usd_per_chip_s(),
        ),
        views=(
            View(
                x=Axis(caption="batch: sequences on all chips", dimension="count", is_logarithmic=True),
                y=Axis(caption="cost of a million output tokens", dimension="usd_per_token", is_logarithmic=True),
                compute=_cost,
            ),
        ),
        claims=("A4", "A9", "A13", "A21", "A22"),
        exercises=(
            "modes-batch",
            "modes-limit",
            "modes-saving",
            "modes-small-batch",
            "prices-token",
        ),
    ),
)
