"""Stages whose layers differ: windows beside layers that attend to everything."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ridgeline.boards.board import Board, Symbol, Term, Values, View
from ridgeline.boards.lecture.not_wise.layer_kinds import is_global
from ridgeline.boards.lecture.not_wise.stage_times import (
    MACHINE,
    MODEL,
    controls_of,
    even_times_s,
    idle_fraction,
    layer_times_s,
    layers_of,
)
from ridgeline.boards.picture import Axis, Block, Colour, Curves, Timeline
from ridgeline.boards.pictures import at, curve, curves, logarithmic
from ridgeline.estimator.stage_cuts import best_cut, stage_times_s
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARD"]

POINTS = 81
"""Contexts that are drawn: each has a best cut, which is sought."""

CONTEXTS = 1e3, 1e6
CAREFUL_TOKENS = 32e3
LEAST_TOP = 0.05
"""Of the upright axis, where next to nothing is waited."""
EVEN = "as many\nlayers each"
KEPT, ANEW = "best cut for\nthis context", "best cut for\neach context"


def _stages(values: Values) -> Timeline:
    """Each stage's layers one after another, as long as each takes."""
    layers_s, every = layer_times_s(values, values["context_tokens"]), int(values["global_every"])
    cut = layers_of(values)
    blocks = []
    for stage in range(len(cut) - 1):
        start = 0.0
        for layer in range(cut[stage], cut[stage + 1]):
            end = start + layers_s[layer]
            colour = Colour.KV if is_global(layer, every) else Colour.ALSO
            blocks.append(Block(row=stage, start=start, end=end, text="", colour=colour))
            start = end
    idle = idle_fraction(stage_times_s(layers_s, cut))
    return Timeline(
        rows=tuple(f"{stage + 1}" for stage in range(len(cut) - 1)),
        blocks=tuple(blocks),
        text=f"waiting for the slowest: {format_quantity(idle, 'fraction')} of the time",
    )


def _of_each(idle: Callable[[float], float]) -> Callable[[Any], Any]:
    """A function of one context, over many."""
    return lambda contexts: np.array([idle(float(tokens)) for tokens in contexts])


def _forms(values: Values) -> dict[str, Callable[[Any], Any]]:
    """Waiting over contexts, by how layers are cut into stages."""
    count, times_s = int(values["stages"]), partial(layer_times_s, values)
    kept = best_cut(times_s(values["context_tokens"]), stages=count)

    def anew(tokens: float) -> float:
        layers_s = times_s(tokens)
        return idle_fraction(stage_times_s(layers_s, best_cut(layers_s, stages=count)))

    return {
        EVEN: _of_each(lambda tokens: idle_fraction(even_times_s(values, tokens))),
        KEPT: _of_each(lambda tokens: idle_fraction(stage_times_s(times_s(tokens), kept))),
        ANEW: _of_each(anew),
    }


def _idle(values: Values) -> Curves:
    here, forms = values["context_tokens"], _forms(values)
    low, high = min(CONTEXTS[0], here), max(CONTEXTS[1], here)
    waiting = forms[EVEN](np.array([low, here, high]))
    highest = max(float(waiting.max()), float(forms[KEPT](np.array([low, high])).max()))
    text = f"{format_quantity(here, 'count')}: {format_quantity(float(waiting[1]), 'fraction')}"
    return curves(
        logarithmic(low, high, points=POINTS),
        curve(ANEW, forms[ANEW], Colour.ASIDE, is_floor=True),
        curve(KEPT, forms[KEPT], Colour.OTHER),
        curve(EVEN, forms[EVEN], Colour.BOUND, is_bold=True),
        marks=(at("context", here, on=EVEN, text=text),),
        top=1.4 * max(highest, LEAST_TOP),
    )


BOARD = Board(
    name="uneven-stages",
    time_stamp="0:54:40",
    title="Stages of uneven layers",
    question="What does a pipeline lose when layers with a window alternate with layers that attend to everything?",
    caption="Layer by layer, at the roofline. The last layer of each round is global: it attends to the whole"
    " context. A split that suits one context length does not suit the next.",
    formula=(
        Term(tex=r"\mathrm{waiting}", colour=Colour.BOUND),
        Term(tex=r"\;=\;1-\dfrac{\bar{t}}{t_{max}}\qquad"),
        Term(tex=r"\mathrm{window}", colour=Colour.ALSO),
        Term(tex=r",\;\;"),
        Term(tex=r"\mathrm{whole\ context}", colour=Colour.KV),
    ),
    symbols=(
        Symbol(tex=r"\bar{t}", meaning="time of a micro-batch in a stage, on average over stages"),
        Symbol(tex=r"t_{max}", meaning="its time in the slowest stage"),
    ),
    controls=controls_of(CAREFUL_TOKENS),
    views=(
        View(
            heading="A micro-batch in each stage",
            x=Axis(caption="time", dimension="s"),
            y=Axis(caption="stage", dimension="count"),
            compute=_stages,
        ),
        View(
            heading="Waiting, by context",
            x=Axis(caption="tokens of context", dimension="count", is_logarithmic=True),
            y=Axis(caption="share of time stages wait", dimension="fraction"),
            compute=_idle,
        ),
    ),
    claims=("B35",),
    exercises=("pipelines-uneven",),
    model=MODEL,
    machine=MACHINE,
)
