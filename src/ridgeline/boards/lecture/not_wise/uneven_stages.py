"""Stages whose layers differ: windows beside layers that attend to everything."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import accumulate
from typing import Any

import numpy as np

from ridgeline.boards.board import Board, Term, Values, View
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.journeys import Loop
from ridgeline.boards.lecture.not_wise.layer_kinds import is_global
from ridgeline.boards.lecture.not_wise.stage_times import (
    MACHINE,
    MODEL,
    WHY_MODEL,
    controls_of,
    idle_fraction,
    layer_times_s,
    layers_of,
)
from ridgeline.boards.loops import loop
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import at, curve, curves, logarithmic
from ridgeline.boards.scene import Cells
from ridgeline.estimator.stage_cuts import Cut, best_cut, stage_times_s
from ridgeline.quantity_text import format_quantity
from ridgeline.training.schedules import Run

__all__ = ["BOARD"]

POINTS = 81
"""Number of contexts that are drawn: the best cut is searched for each."""

CONTEXTS = 1e3, 1e6
CAREFUL_TOKENS = 32e3
LEAST_TOP = 0.05
"""Least top of the upright axis, where the idle fraction is next to nothing."""
EVEN = "equal layers\nper stage"
KEPT, ANEW = "best split for\nthis context", "best split for\neach context"


def _stages(values: Values) -> Loop:
    """Loop with as many batches as stages; each stage works through its layers, and waits for the slowest."""
    layers_s, cut = layer_times_s(values, values["context_tokens"]), layers_of(values)
    times_s = stage_times_s(layers_s, cut)
    return loop(
        times_s,
        batches=len(times_s),
        name=f"{len(times_s)} batches in flight",
        idle_fraction=idle_fraction(times_s),
        cells=partial(_layers, layers_s=layers_s, cut=cut, every=int(values["global_every"])),
        colours=(Colour.COMPUTE,),
        dimension="s",
    )


def _layers(runs: Sequence[Run], *, layers_s: Sequence[float], cut: Cut, every: int) -> Iterator[Cells]:
    """Work of the stages by kind of layer."""
    for part, colour, is_whole in (("window", Colour.ALSO, False), ("whole context", Colour.KV, True)):
        found = [
            (run.device, start, min(end, run.end_s))
            for run in runs
            for layer, start, end in _layers_of(run, layers_s, cut)
            if is_global(layer, every) is is_whole and start < run.end_s
        ]
        if found:
            rows, starts, ends = zip(*found, strict=True)
            yield Cells(part=part, colour=colour, rows=rows, starts=starts, ends=ends, numbers=())


def _layers_of(run: Run, layers_s: Sequence[float], cut: Cut) -> Iterator[tuple[int, float, float]]:
    """Layers of a stage, one after another from when it begins."""
    layers = range(cut[run.device], cut[run.device + 1])
    ends = list(accumulate((layers_s[layer] for layer in layers), initial=run.start_s))
    yield from zip(layers, ends, ends[1:], strict=False)


def _of_each(idle: Callable[[float], float]) -> Callable[[Any], Any]:
    """Function of one context, applied to many."""
    return lambda contexts: np.array([idle(float(tokens)) for tokens in contexts])


def _forms(values: Values) -> dict[str, Callable[[Any], Any]]:
    """Idle fraction over contexts, by the cut of layers into stages."""
    # Three lines ask for the same contexts.
    count, times_s = int(values["stages"]), cache(partial(layer_times_s, values))
    even = layers_of(values)
    kept = best_cut(times_s(values["context_tokens"]), stages=count)

    def anew(tokens: float) -> float:
        layers_s = times_s(tokens)
        return idle_fraction(stage_times_s(layers_s, best_cut(layers_s, stages=count)))

    return {
        EVEN: _of_each(lambda tokens: idle_fraction(stage_times_s(times_s(tokens), even))),
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
        curve(KEPT, forms[KEPT], Colour.ALSO),
        curve(EVEN, forms[EVEN], Colour.BOUND, is_bold=True),
        marks=(at("context", here, on=EVEN, text=text),),
        top=1.4 * max(highest, LEAST_TOP),
    )


BOARD = Board(
    name="uneven-stages",
    time_stamp="0:54:40",
    title="Stages with uneven layers",
    question="What does a pipeline lose when layers with a window alternate with layers that attend to everything?",
    caption="Layer by layer, at the roofline. The last layer of each round is global: it attends to the whole"
    " context. A split that suits one context length does not suit the next.",
    formula=(
        Term(tex=r"\mathrm{waiting}", colour=Colour.BOUND),
        Term(tex=r"\;=\;1-\dfrac{\bar t_s}{t_{slow}}"),
    ),
    controls=controls_of(CAREFUL_TOKENS),
    views=(
        View(
            heading="The slowest stage holds the others",
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
    why_model=WHY_MODEL,
    first_move=FirstMove(
        control="context_tokens",
        to=1e6,
        then="more of the time is idle, as the slowest stage holds the others",
        seen=(Moves(what="text", way=Way.UP),),
    ),
)
