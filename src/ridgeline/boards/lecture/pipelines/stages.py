"""A pipeline across racks: the traffic inside a stage's rack against what it hands on to the next."""

from __future__ import annotations

from functools import partial
from typing import Any

from ridgeline.boards.board import Board, Control, Facts, LetterNumber, Term, Values, View
from ridgeline.boards.constant import filled_in
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.flows import Crossing
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.pipelines import numbers
from ridgeline.boards.lecture.pipelines.hand_over import copies_per_token, layers_of_a_stage, times
from ridgeline.boards.lecture.residual_stream import HANDED_ON, SENT_BACK, VALUE_BYTES
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import At, at, curve, curves, whole
from ridgeline.boards.scale import LINEAR
from ridgeline.boards.scene import Tick
from ridgeline.equations import racks
from ridgeline.quantity_text import format_number

__all__ = ["AS_SENT", "BOARD", "BOTH_WAYS_EQUATION", "ENOUGH", "traffic_ratio"]

FEWEST_LAYERS = 8
"""Least right end of the picture, in layers."""

ALIKE, AS_SENT = "2 B each way", "bytes as sent"
KINDS = {AS_SENT: Colour.ALSO, ALIKE: Colour.BOUND}
ENOUGH = "enough layers"
AS_LONG = "time of the\nhand-over"


def _sent(values: Values, kind: str) -> dict[str, float]:
    """Bytes of a value on its way to experts, back, and to the next stage."""
    dispatch = VALUE_BYTES if kind == ALIKE else values["dispatch_bytes"]
    return {"dispatch_bytes": dispatch, "combine_bytes": VALUE_BYTES, "send_bytes": VALUE_BYTES}


def traffic_ratio(values: Values, kind: str, layers: Any) -> Any:  # noqa: ANN401  a number or many
    """Time of a stage's all-to-all over that of its hand-over."""
    return racks.scale_up_over_scale_out(
        copies_per_token=values["copies_per_token"],
        layers_per_stage=layers,
        link_ratio=values["link_ratio"],
        **_sent(values, kind),
    )


def _marks(values: Values, kind: str, enough: float) -> list[At]:
    """The fewest layers that hide the hand-over, and those of a stage."""
    places = {ENOUGH: enough, "layers of a stage": values["layers_per_stage"]}
    return [
        at(
            f"{what}, {kind}",
            layers,
            on=kind,
            text=partial(_told, what, layers),
            colour=KINDS[kind],
            is_fixed=what == ENOUGH,
            is_quiet=kind != ALIKE,
        )
        for what, layers in places.items()
        if what == ENOUGH or layers != enough
    ]


def _told(what: str, layers: float, ratio: float) -> str:
    """Text of a mark: that so many layers are enough, or for how many hand-overs they talk."""
    counted = times(layers, "layer")
    if what == ENOUGH:
        return f"{counted}\n{'is' if layers == 1 else 'are'} enough"
    return f"{counted}: {format_number(ratio)} times"


def _inside_over_hand_over(values: Values) -> Curves:
    enough = {
        kind: float(racks.layers_to_hide(ratio_of_one_layer=float(traffic_ratio(values, kind, 1.0)))) for kind in KINDS
    }
    end = max(FEWEST_LAYERS, values["layers_per_stage"], *(2 * layers for layers in enough.values()))
    low, high = (
        choose(float(traffic_ratio(values, kind, layers)) for kind in KINDS)
        for choose, layers in ((min, 1.0), (max, end))
    )
    return curves(
        whole(1, int(end)),
        curve(AS_LONG, 1.0, Colour.ASIDE, is_floor=True),
        *(
            curve(
                kind,
                lambda layers, kind=kind: traffic_ratio(values, kind, layers),  # type: ignore[misc]
                colour,
                is_bold=colour is Colour.BOUND,
            )
            for kind, colour in KINDS.items()
        ),
        marks=[mark for kind in KINDS for mark in _marks(values, kind, enough[kind])],
        top=2 * max(1.0, high),
        bottom=0.5 * min(1.0, low),
    )


def _ways(values: Values) -> float:
    """Bytes of a value to an expert and back, over those of one handed on."""
    sent = _sent(values, AS_SENT)
    return (sent["dispatch_bytes"] + sent["combine_bytes"]) / sent["send_bytes"]


def _path(values: Values) -> Crossing:
    """A stage's time in hand-overs: every layer's copies to experts and back, while a batch is handed on."""
    kind, layers = AS_SENT, values["layers_per_stage"]
    sent = _sent(values, kind)
    each, ratio = (float(traffic_ratio(values, kind, count)) for count in (1.0, layers))
    ways = _ways(values)
    there = each * sent["dispatch_bytes"] / (ways * sent["send_bytes"])
    factors = values["copies_per_token"], layers, ways
    product = " × ".join(format_number(one) for one in factors)
    found = format_number(ratio)
    return Crossing(
        copies=round(values["copies_per_token"]),
        layers=int(layers),
        there=there,
        back=each - there,
        link_ratio=values["link_ratio"],
        ratio_text=f"{product} / {format_number(values['link_ratio'])} = {found}",
        so_text="the hand-over costs no extra time" if ratio >= 1 else "the rack waits for the hand-over",
        ticks=tuple(Tick(at=at, text=format_number(at)) for at in LINEAR.ticks(0.0, max(1.0, ratio))),
        text=f"inside a rack {found} times as long as the hand-over to the next,"
        f" {format_number(values['copies_per_token'])} copies of a token there and back in {times(layers, 'layer')}",
    )


def _stage_layers(facts: Facts) -> float:
    return layers_of_a_stage(facts.model.layers, numbers.STAGES_DRAWN.value)


BOTH_WAYS_EQUATION = (
    Term(tex=r"\dfrac{t_{in}}{t_{out}}", colour=Colour.BOUND),
    Term(tex=r"\;=\;\dfrac{c\,l_s\,n_{way}}{\rho}"),
)
"""Formula of the same ratio with bytes counted as ways, which are two where all values have as many."""

BOARD = Board(
    name="stages",
    time_stamp="0:51:00",
    title="A pipeline across racks",
    question="How many layers must a rack hold so that handing the batch on costs no extra time?",
    caption="Time of a stage's all-to-all inside its rack, over the time to hand the batch to the next rack. Both"
    " networks work at the same time. The lecture counts all bytes alike. In practice values go to experts in 8 bits"
    " and come back in 16. Drawn: each layer's copies to experts and back, while the token before is handed on.",
    formula=(
        Term(tex=r"\dfrac{t_{in}}{t_{out}}", colour=Colour.BOUND),
        Term(tex=r"\;=\;\dfrac{c\,l_s}{\rho}\,\cdot\,\dfrac{b_{disp}+b_{comb}}{b_a}\;\geq\;1"),
    ),
    letter_numbers=(HANDED_ON, SENT_BACK, LetterNumber(tex="n_{way}", value=_ways)),
    controls=(
        Control(
            name="copies_per_token",
            meaning="copies per token",
            dimension="count",
            low=1,
            high=64,
            lecture=numbers.ACTIVE_EXPERTS,
            careful=copies_per_token,
            is_whole=True,
        ),
        # DeepSeek-V3's 61 layers over the lecture's four racks.
        Control(
            name="layers_per_stage",
            meaning="layers per stage",
            dimension="count",
            low=1,
            high=100,
            lecture=numbers.LAYERS_PER_STAGE,
            careful=_stage_layers,
            is_whole=True,
        ),
        controls.link_speeds(),
        Control(
            name="dispatch_bytes",
            meaning="per value sent to experts",
            short="value sent",
            dimension="bytes",
            low=0.5,
            high=4,
            lecture=filled_in(1, why="values of 8 bits"),
            careful=lambda facts: facts.model.precision.experts.operand.bytes_per_value,
        ),
    ),
    views=(
        View(
            heading="What a token crosses",
            x=Axis(caption="time, in hand-overs to the next rack", dimension="count"),
            compute=_path,
        ),
        View(
            heading="Inside over hand-over",
            x=Axis(caption="layers per stage", dimension="count", is_logarithmic=True),
            y=Axis(caption="time inside the rack, over the hand-over", dimension="count", is_logarithmic=True),
            compute=_inside_over_hand_over,
        ),
    ),
    claims=("B3", "B8"),
    exercises=("racks-slack", "racks-enough"),
    first_move=FirstMove(
        control="layers_per_stage",
        to=4.0,
        then="less time passes in the rack for each hand-over to the next",
        seen=(Moves(what="text", way=Way.DOWN),),
    ),
)
