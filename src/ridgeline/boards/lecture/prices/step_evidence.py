"""The step of a price list as evidence: bytes a token before it, as he reads it, by itself, and by the whole list."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ridgeline.boards.beliefs import Beliefs, Row
from ridgeline.boards.board import Board, Control, LetterNumber, Term, Values, View
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.numbers import ACTIVE_PARAMS, BALANCE_RATIO, STEP_TOKENS
from ridgeline.boards.lecture.prices.believed import (
    BEFORE,
    STEP_LIST,
    UNBROKEN,
    by_list,
    chance_text,
    decades,
    models_alike,
    number,
    row,
    rows_x,
    ticks,
)
from ridgeline.boards.lecture.prices.believed import machines as machines_of
from ridgeline.boards.lecture.prices.shapes import shapes
from ridgeline.boards.picture import Axis, Colour
from ridgeline.boards.scene import Tick
from ridgeline.equations import pricing
from ridgeline.inversion.alone.belief import Belief
from ridgeline.inversion.alone.step import StepAlone, read_bytes_before, step_alone, step_pinned
from ridgeline.inversion.intervals import INFORMED_NATS
from ridgeline.inversion.priors import priors
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARD", "read_bytes", "usual_bytes"]

ENDS = 300.0, 2e7
"""Ends of the axis, bytes, unless a reading lies beyond."""
READ = "read_bytes_per_token"
MODEL = "active_params", "bytes_per_param", "balance_ratio"


def read_bytes(values: Values) -> float:
    """Bytes a token by his formula."""
    model = {name: values[name] for name in MODEL}
    return float(pricing.kv_bytes_at_crossover(context_tokens=values["price_step_tokens"], **model))


def usual_bytes(context_tokens: float) -> float:
    """Bytes a token that half of the catalog's models read or more."""
    return float(np.median([one.read_bytes for one in shapes(context_tokens)]))


def _beliefs(values: Values) -> Beliefs:
    known, listed = priors(), by_list(STEP_LIST)
    model = {name: values[name] for name in MODEL}
    before = read_bytes_before(known)
    pinned = step_pinned(known, step_tokens=values["price_step_tokens"], **model)
    alone = step_alone(
        known,
        machines_of(STEP_LIST),
        step_tokens=values["price_step_tokens"],
        models=values["models_alike"],
    )
    read = read_bytes(values)
    whole = listed.unknowns[READ]
    ends = decades(*ENDS, pinned.interval(), replace(pinned.interval(), p05=read, p95=read))
    x = rows_x(ends)
    prior = chance_text(known.chances.crossover)
    return Beliefs(
        x=tuple(x.tolist()),
        is_whole=False,
        rows=(
            _models(values["price_step_tokens"], x),
            row(BEFORE, before, x, "bytes", Colour.ASIDE, more=f"a step is a crossover: {prior}"),
            row(
                "his reading of the step",
                pinned,
                x,
                "bytes",
                Colour.BOUND,
                is_bold=True,
                more="a crossover, drawn to what was likely before",
            ),
            row(
                "the step alone, nothing assumed",
                alone.read_bytes,
                x,
                "bytes",
                Colour.MONEY,
                more=f"a crossover: {chance_text(alone.crossover_chance)}",
            ),
            row(
                f"all prices of {listed.name}",
                whole,
                x,
                "bytes",
                Colour.MONEY,
                more=f"a crossover: {chance_text(listed.questions['step']['crossover'])}; list of {listed.date}",
            ),
        ),
        marks=(Tick(at=read, text=f"by his formula {_exact(read)}"),),
        x_ticks=ticks(ends, "bytes"),
        text=_said(before, alone, read),
    )


def _exact(read: float) -> str:
    """Text of his number, to as many digits as he gives."""
    return format_quantity(read, "bytes", 3).replace(" ", UNBROKEN)


def _models(context_tokens: float, x: NDArray[np.float64]) -> Row:
    """Row of models whose bytes are known, to compare with."""
    read = sorted((one.read_bytes, one.model.name) for one in shapes(context_tokens))
    seen = [(size, name) for size, name in read if x[0] <= size <= x[-1]]
    return Row(
        name="models of known shape",
        text=f"{len(read)} of the catalog; half of them read {number(usual_bytes(context_tokens), 'bytes')} or more",
        colour=Colour.KV,
        heights=tuple(0.0 for _ in x),
        points=tuple(size for size, _ in seen),
        names=tuple(name for _, name in seen),
    )


def _said(before: Belief, alone: StepAlone, read: float) -> str:
    """Text on what the step tells of the bytes, and which part of his number is assumed."""
    found = alone.read_bytes
    then, now = before.interval(), found.interval()
    spans = (
        f"{number(now.p05, 'bytes')} to {number(now.p95, 'bytes')} with it,"
        f" {number(then.p05, 'bytes')} to {number(then.p95, 'bytes')} before"
    )
    if found.learnt_nats(before) > INFORMED_NATS:
        return f"The step by itself says something of the bytes a token: {spans}."
    his = "" if _exact(read) == _exact(HIS_BYTES) else f" (with his own numbers {_exact(HIS_BYTES)})"
    return (
        f"The step by itself tells next to nothing of the bytes a token: {spans}. What narrows them to"
        f" {_exact(read)}{his} is what he assumes."
    )


CONTROLS = (
    Control(
        name="price_step_tokens",
        meaning="tokens at the price step",
        short="price step",
        dimension="count",
        low=1e4,
        high=1e7,
        lecture=STEP_TOKENS,
        careful=by_list(STEP_LIST).step_tokens or float(STEP_TOKENS),
    ),
    models_alike(by_list(STEP_LIST).step_shared_by),
    replace(controls.active_params(ACTIVE_PARAMS), low=1e9),
    controls.bytes_per_param(),
    controls.parameters_per_read(BALANCE_RATIO),
)

HIS_BYTES = read_bytes({control.name: float(control.lecture) for control in CONTROLS})
"""Bytes a token that he reads from the step, by his own numbers."""

BOARD = Board(
    name="step-evidence",
    title="What a price step says",
    question="Does a price step tell how large a token's KV cache is, or do the assumptions?",
    caption="Each curve says how likely each size of the cache is: higher is likelier. See whether the step's curve is"
    " narrower than the one before any price: if not, the step tells nothing, and what narrows it is assumed. His"
    f" formula gives {_exact(HIS_BYTES)} for his own numbers. A step that the vendor's other models share is a policy"
    " rather than a crossover. The chances before prices are ours.",
    formula=(
        Term(tex=r"\mathrm{Pr}(\beta\,|\,L_{\$})", colour=Colour.MONEY),
        Term(tex=r"\;\propto\;"),
        Term(tex=r"\mathrm{Pr}(\beta)", colour=Colour.ASIDE),
        Term(tex=r"\,[\,\pi\,\omega^{M-1}\,"),
        Term(tex=r"\phi(\ln\dfrac{\beta}{\beta^{*}})", colour=Colour.BOUND),
        Term(tex=r"+(1-\pi)\,\phi_0\,],\qquad"),
        Term(tex=r"\beta^{*}", colour=Colour.BOUND),
        Term(tex=r"\;=\;\dfrac{N_a\,b_w}{R\,L_{\$}}"),
    ),
    letter_numbers=(LetterNumber(tex=r"\beta^{*}", value=read_bytes, dimension="bytes"),),
    controls=CONTROLS,
    views=(
        View(
            equations=(1,),
            compute=_beliefs,
            x=Axis(caption="KV bytes read per token of context", dimension="bytes", is_logarithmic=True),
            y=Axis(caption="chance (bars hold 90 %)", dimension="fraction"),
        ),
    ),
    claims=("D3", "D2", "D1", "D5"),
    exercises=("evidence-crossover",),
    first_move=FirstMove(
        control="price_step_tokens",
        to=1e6,
        then="the value by his formula moves left, to fewer bytes",
        seen=(Moves(what="marks.0.at", way=Way.LEFT),),
    ),
)
