"""Five ways to cut a layer over chips: what each chip sends, and whether that hides behind the layer's own work."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ridgeline.boards.board import NEXT, Board, Control, Facts, Term, Values, View
from ridgeline.boards.constant import filled_in
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture import controls, residual_stream
from ridgeline.boards.lecture.layouts import controls_layouts
from ridgeline.boards.lecture.layouts.controls_layouts import count_text
from ridgeline.boards.lecture.layouts.layer_messages import SENT, layer_s, sent_bytes, width_that_hides
from ridgeline.boards.lecture.numbers import HIDDEN
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import At, Curve, at, curve, curves, logarithmic
from ridgeline.catalog import load_machine
from ridgeline.estimator.attention import cores
from ridgeline.estimator.kernels import AttentionCore
from ridgeline.quantity_text import format_quantity
from ridgeline.specs.passes import Lane

__all__ = ["BOARD"]

COLOURS = {
    "data": Colour.WEIGHTS,
    "tensor": Colour.ALSO,
    "context": Colour.KV,
    "expert": Colour.BOUND,
    "pipeline": Colour.LINKS,
}
COMPARED = "tensor", "expert"
"""Cuts with a mark at the width from which they hide."""

NARROWEST, WIDE, WIDEST = 64.0, 65536.0, 131072.0
"""Widths of an expert: those that are drawn, and the end of the control."""

LINKS = 1e9, 1e14
HIDES = "hides behind\nthe layer"


def _sent(values: Values, cut: str, width: Any, rate: Any = 1.0) -> Any:  # noqa: ANN401  a number or many
    """Bytes that a cut sends, or seconds at the links' rate."""
    return sent_bytes(values, cut, width) / rate


def _attention_values(facts: Facts) -> float:
    """Values of a token's queries and results in a layer, all heads together, on average over layers."""
    step, total = Lane(sequences=1), 0.0
    for group in facts.model.groups:
        kernels = cores(group.attention, step, sequences=1, tp=1, kv_format=facts.model.precision.kv).values()
        cuttable = [one for one in kernels if isinstance(one, AttentionCore)]
        total += sum(group.layers * float(one.query_heads * (one.query_key_dim + one.value_dim)) for one in cuttable)
    return max(1.0, total / facts.model.layers)


def _line(cut: str, form: Any) -> Curve:  # noqa: ANN401  a function over x
    return curve(cut, form, COLOURS[cut], is_bold=COLOURS[cut] is Colour.BOUND)


def _hidden_from(values: Values, cut: str) -> At:
    width = width_that_hides(values, cut)
    return at(
        f"width from which the {cut} cut is hidden",
        width,
        on=cut,
        text=f"{cut} hidden from {count_text(width)} wide",
        colour=COLOURS[cut],
    )


def _bytes_by_width(values: Values) -> Curves:
    width, end = values["expert_hidden"], max(WIDE, values["expert_hidden"])
    here = at(
        "width of an expert",
        width,
        on="data",
        text=lambda sent: f"{count_text(width)} wide: {format_quantity(sent, 'bytes')}",
        colour=COLOURS["data"],
    )
    lines = [_line(cut, partial(_sent, values, cut)) for cut in SENT]
    hides = curve(HIDES, lambda wide: layer_s(values, wide) * values["link_bytes_per_s"], Colour.ASIDE, is_floor=True)
    ends = [float(np.max(one.of(np.array(x)))) for one in (hides, *lines) for x in (NARROWEST, end)]
    return curves(
        logarithmic(NARROWEST, end),
        hides,
        *lines,
        marks=[*(_hidden_from(values, cut) for cut in reversed(COMPARED)), here],
        top=2 * max(ends),
        bottom=0.5 * max(1e-3, min(ends)),
    )


def _enough(values: Values, cut: str, floor: float) -> At:
    """Mark of the link bandwidth at which sending takes as long as the layer's work."""
    rate = float(sent_bytes(values, cut, values["expert_hidden"])) / floor
    text = f"{cut} hidden from {format_quantity(rate, 'bytes_per_s')}"
    return at(f"links that hide the {cut} cut", rate, on=cut, text=text, colour=COLOURS[cut])


def _time_by_link(values: Values) -> Curves:
    width, rate = values["expert_hidden"], values["link_bytes_per_s"]
    floor = float(layer_s(values, width))
    links = at(
        "links",
        rate,
        on="expert",
        text=lambda time_s: f"{format_quantity(rate, 'bytes_per_s')}: {format_quantity(time_s, 's')}",
        colour=COLOURS["expert"],
    )
    return curves(
        logarithmic(*LINKS),
        curve(f"the layer's own\n{format_quantity(floor, 's')}", floor, Colour.ASIDE, is_floor=True),
        *(_line(cut, partial(_sent, values, cut, width)) for cut in SENT),
        marks=[*(_enough(values, cut, floor) for cut in reversed(COMPARED)), links],
        top=2 * max(float(_sent(values, cut, width, LINKS[0])) for cut in SENT),
    )


BOARD = Board(
    name="cuts",
    time_stamp="0:47:12",
    title="Five ways to split a layer",
    question="What does each way to split a layer over chips make a chip send, and does that hide behind the layer's"
    " work?",
    caption="What a chip sends in a decode step, without latencies. Below the dashed line, a message hides behind the"
    " experts' own work. Data parallel: the weights are gathered before each layer.",
    formula=(
        Term(tex=r"\mathrm{tensor}\;=\;4\,B\,d\,b_a\,(1-1/n)", colour=COLOURS["tensor"]),
        NEXT,
        Term(tex=r"\mathrm{expert}\;=\;(B/n)\,c\,d\,(b_{disp}+b_{comb})\,(1-1/n)", colour=COLOURS["expert"]),
        NEXT,
        Term(tex=r"\mathrm{data}\;=\;3\,E\,d\,d_e\,b_w\,(1-1/n)", colour=COLOURS["data"]),
        NEXT,
        Term(tex=r"\mathrm{context}\;=\;B\,d_{qv}\,b_a\,(1-1/n)", colour=COLOURS["context"]),
        NEXT,
        Term(tex=r"\mathrm{pipeline}\;=\;(B/n)\,d\,b_a/l_s\,", colour=COLOURS["pipeline"]),
    ),
    letter_numbers=(residual_stream.HANDED_ON, residual_stream.SENT_BACK),
    controls=(
        residual_stream.batch(),
        controls_layouts.chips(low=2, meaning="chips"),
        residual_stream.hidden(),
        controls_layouts.experts(),
        controls_layouts.active_experts(),
        controls_layouts.expert_hidden(low=NARROWEST, high=WIDEST),
        Control(
            name="attention_values",
            meaning="values of queries and results",
            short="attention",
            dimension="count",
            low=1,
            high=1e7,
            lecture=filled_in(2 * HIDDEN.value, why="heads that together are as wide as the stream"),
            careful=_attention_values,
        ),
        controls_layouts.layers_per_stage(),
        controls_layouts.dispatch_bytes(lecture=filled_in(residual_stream.VALUE_BYTES, why="values of 16 bits")),
        controls.bytes_per_param(),
        controls.flop_per_s(),
        controls.hbm_bytes_per_s(),
        Control(
            name="link_bytes_per_s",
            meaning="of links",
            called="link bandwidth",
            short="link speed",
            dimension="bytes_per_s",
            low=1e9,
            high=1e13,
            lecture=filled_in(
                load_machine("h100-sxm").fabric[0].bytes_per_s, why="an H100's, whose memory is nearest his"
            ),
            careful=lambda facts: facts.machine.fabric[0].bytes_per_s,
        ),
    ),
    views=(
        View(
            equations=(1,),
            heading="Bytes, by width of an expert",
            x=Axis(caption="width of an expert", dimension="count", is_logarithmic=True),
            y=Axis(caption="bytes sent per chip and layer", dimension="bytes", is_logarithmic=True),
            compute=_bytes_by_width,
        ),
        View(
            equations=(1,),
            heading="Time, by speed of the links",
            x=Axis(caption="speed of a chip's links", dimension="bytes_per_s", is_logarithmic=True),
            y=Axis(caption="time of a layer's messages", dimension="s", is_logarithmic=True),
            compute=_time_by_link,
        ),
    ),
    claims=("B25", "B8", "B18"),
    exercises=("racks-tensor", "racks-expert", "racks-hand-over"),
    first_move=FirstMove(
        control="active_experts",
        to=2.0,
        then="the expert cut sends less and falls; the tensor cut stays",
        seen=(
            Moves(what="expert", way=Way.DOWN),
            Moves(what="tensor", way=Way.STAYS),
        ),
    ),
)
