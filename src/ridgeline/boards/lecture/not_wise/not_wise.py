"""Benefits and costs of more stages, one beside the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ridgeline.boards.board import NEXT, Board, Control, Term, Values, View
from ridgeline.boards.companions import Bar, BarGroup, Bars, Length
from ridgeline.boards.constant import filled_in
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.flows import Facet, Facets
from ridgeline.boards.lecture.not_wise.stage_times import (
    MACHINE,
    MODEL,
    WHY_MODEL,
    controls_of,
    even_times_s,
    idle_fraction,
    kv_bytes_per_sequence,
)
from ridgeline.boards.lecture.pipelines import numbers
from ridgeline.boards.lecture.pipelines.hand_over import MOST_STAGES
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import at, curve, curves, whole
from ridgeline.boards.scale import rounded_up
from ridgeline.boards.scene import Tick
from ridgeline.boards.written import flat
from ridgeline.equations import memory, pipelines
from ridgeline.quantity_text import format_quantity

__all__ = ["ALL", "BOARD", "FEW", "PASSED_ON_EQUATION", "PLAIN", "handed_on"]

CAREFUL_TOKENS = 32e3
TICKED = (4, 8, 12, MOST_STAGES)
"""Numbers of stages on the axes of the small frames."""
ALL, FEW, PLAIN = "look back at all\nearlier layers", "a few layers back", "no look-back"
FEW_BORDERS = 3
"""Largest number of borders between stages whose vectors are added up in words."""
LESS = ((FEW, Colour.ALSO), (PLAIN, Colour.LINKS))
"""Lines of layers that look back less, with their colours."""


def handed_on(*, layers: float, stages: float, attended_layers: float) -> float:
    """Vectors of a token that all stages together hand on to the next."""
    return sum(_by_border(layers=layers, stages=stages, attended_layers=attended_layers))


def _by_border(*, layers: float, stages: float, attended_layers: float) -> list[float]:
    """Vectors of a token that each stage but the last hands on to the next."""
    return [
        float(pipelines.handed_on_outputs(layers_before=layers * stage / stages, attended_layers=attended_layers))
        for stage in range(1, int(stages))
    ]


def _bytes(values: Values, stages: int) -> tuple[float, float]:
    """Bytes of a chip's weights, and of its keys and values."""
    weights, kv = memory.bytes_per_chip(
        weight_bytes=values["weight_bytes"],
        kv_bytes_per_sequence=kv_bytes_per_sequence(values, values["context_tokens"]),
        batch=values["batch_per_stage"] * stages,
        chips_per_stage=values["chips_per_stage"],
        stages=stages,
    )
    return float(weights), float(kv)


def _by_stages(values: Values) -> Facets:
    """Quantities that shrink, stay and grow, up to the most stages that a picture has room for."""
    stages = range(1, MOST_STAGES + 1)
    chosen = int(values["stages"]) - 1
    weights, kv = zip(*(_bytes(values, count) for count in stages), strict=True)
    waits = [idle_fraction(even_times_s(values, values["context_tokens"], count)) for count in stages]
    bubbles = [
        float(pipelines.training_bubble_fraction(stages=count, micro_batches=values["micro_batches"]))
        for count in stages
    ]
    few, all_of_them = (
        [handed_on(layers=values["layers"], stages=count, attended_layers=attended) for count in stages]
        for attended in (values["attended_layers"], values["layers"])
    )
    facets = (
        _facet("weights per chip", weights, "bytes", Colour.WEIGHTS, chosen),
        _facet("KV cache per chip", kv, "bytes", Colour.KV, chosen),
        _facet("wait for the slowest", waits, "fraction", Colour.COMPUTE, chosen),
        _facet("bubble in training", bubbles, "fraction", Colour.ASIDE, chosen),
        _facet("vectors, a few layers back", few, "count", Colour.ALSO, chosen),
        _facet("vectors, all layers", all_of_them, "count", Colour.BOUND, chosen),
    )
    return Facets(
        x=tuple(float(count) for count in stages),
        chosen=chosen,
        facets=facets,
        x_ticks=tuple(Tick(at=float(count), text=str(count)) for count in (1, *TICKED)),
        text="weights shrink, the KV cache stays, the rest grows",
    )


def _facet(name: str, y: Sequence[float], dimension: str, colour: Colour, chosen: int) -> Facet:
    """Facet with an axis up to the next round number above its highest value."""
    top = rounded_up(max(y)) if max(y) > 0 else 1.0
    return Facet(
        name=name,
        y=tuple(y),
        top=top,
        top_text=format_quantity(top, dimension),
        text=format_quantity(y[chosen], dimension),
        colour=colour,
    )


def _traffic(values: Values) -> Curves:
    layers = values["layers"]

    def vectors(attended: float) -> Any:  # noqa: ANN401  a line's function of many numbers of stages
        return lambda counts: [handed_on(layers=layers, stages=count, attended_layers=attended) for count in counts]

    count = int(values["stages"])
    return curves(
        whole(2, MOST_STAGES, is_closed=True),
        curve(PLAIN, vectors(1), Colour.LINKS),
        curve(FEW, vectors(values["attended_layers"]), Colour.ALSO),
        curve(ALL, vectors(layers), Colour.BOUND, is_bold=True),
        marks=(
            at("stages", count, on=ALL, text=lambda found: f"{count} stages: {found:,.0f}"),
            *(
                at(flat(line), count, on=line, text=lambda found: f"{found:,.0f}", colour=colour)
                for line, colour in LESS
            ),
        ),
        bottom=0.5,
        companion=_handed_on_bars(values),
    )


def _handed_on_bars(values: Values) -> Bars:
    """Vectors of a token as lengths, in as many parts as there are borders between stages."""
    layers, stages = values["layers"], values["stages"]

    def bar(name: str, attended: float, colour: Colour) -> Bar:
        parts = _by_border(layers=layers, stages=stages, attended_layers=attended)
        count = f"{sum(parts):,.0f}"
        added = " + ".join(f"{part:g}" for part in parts)
        return Bar(
            name=name,
            parts=tuple(Length(colour=colour, length=part) for part in parts),
            ends=(f"{count} = {added}", count) if 1 < len(parts) <= FEW_BORDERS else (count,),
            is_strong=True,
        )

    few = values["attended_layers"]
    return Bars(
        groups=(
            BarGroup(
                names=(),
                bars=(
                    bar("no look-back", 1, Colour.LINKS),
                    bar(f"{few:g} layer{'s' if few > 1 else ''} back", few, Colour.ALSO),
                    bar("all layers", layers, Colour.BOUND),
                ),
            ),
        ),
        heads=(
            "vectors that stages hand on for a token: one part for each border between two stages",
            "vectors handed on",
        ),
        text="What a token takes from stage to stage",
    )


PASSED_ON_EQUATION = (
    Term(tex=r"\mathrm{vectors}"),
    Term(tex=r"\;=\;"),
    Term(tex=r"\sum_{i<p}\,\min(A,\,l_i)", colour=Colour.BOUND),
)
"""Vectors that stages pass on for a token."""

BOARD = Board(
    name="not-wise",
    time_stamp="0:54:27",
    title="What pipeline stages save, and what they cost",
    question="Is pipelining wise for this model: what shrinks with more stages, and what grows?",
    caption="With more stages, the weights per chip shrink, the KV cache stays, and waiting grows. Where layers attend"
    " to the outputs of earlier ones (Kimi: arXiv 2603.15031), stages have to pass all of those on.",
    formula=(
        *PASSED_ON_EQUATION,
        NEXT,
        Term(tex=r"\mathrm{weights}\;=\;\dfrac{M_w}{n_s\,p}", colour=Colour.WEIGHTS),
        NEXT,
        Term(tex=r"\mathrm{KV}\;=\;\dfrac{b\,L\,\beta}{n_s}", colour=Colour.KV),
        Term(
            tex=r",\qquad\mathrm{waiting}\;=\;1-\dfrac{\bar t_s}{t_{slow}},\qquad\mathrm{idle}\;=\;\dfrac{p-1}{m+p-1}"
        ),
    ),
    controls=(
        *controls_of(CAREFUL_TOKENS),
        Control(
            name="micro_batches",
            meaning="micro-batches trained on",
            called="micro-batches in training",
            short="micro-batches",
            dimension="count",
            low=1,
            high=1024,
            lecture=numbers.MICRO_BATCHES,
            careful=32,
            is_whole=True,
        ),
        Control(
            name="attended_layers",
            meaning="layers back",
            called="earlier layers attended to",
            short="earlier layers",
            dimension="count",
            low=1,
            high=256,
            lecture=filled_in(4, why="a few, for the drawing"),
            careful=4,
            is_whole=True,
        ),
    ),
    views=(
        View(
            equations=(1,),
            heading="By the number of stages",
            x=Axis(caption="stages", dimension="count"),
            compute=_by_stages,
        ),
        View(
            heading="Vectors passed on",
            x=Axis(caption="stages", dimension="count"),
            y=Axis(caption="vectors passed on per token, all stages", dimension="count", is_logarithmic=True),
            compute=_traffic,
        ),
    ),
    claims=("B35", "B36", "B37"),
    exercises=("pipelines-residuals",),
    model=MODEL,
    machine=MACHINE,
    why_model=WHY_MODEL,
    first_move=FirstMove(
        control="stages",
        to=8.0,
        then="a chip holds fewer bytes of weights, and the bubble of training is larger",
        seen=(
            Moves(what="facets.0.text", way=Way.DOWN),
            Moves(what="facets.3.text", way=Way.UP),
        ),
    ),
)
