"""A pipeline across racks: the traffic inside a stage's rack against what it hands on to the next."""

from __future__ import annotations

from typing import Any

from ridgeline.boards.board import Board, Control, Facts, Symbol, Term, Values, View
from ridgeline.boards.constant import filled_in
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.numbers import LINK_RATIO
from ridgeline.boards.lecture.pipelines import numbers
from ridgeline.boards.lecture.pipelines.hand_over import (
    VALUE_BYTES,
    copies_per_token,
    layers_of_a_stage,
    times,
)
from ridgeline.boards.picture import Axis, Box, Cable, Colour, Curves, Schematic
from ridgeline.boards.pictures import At, at, curve, curves, whole
from ridgeline.equations import racks
from ridgeline.quantity_text import format_number

__all__ = ["BOARD"]

FEWEST_LAYERS = 8
"""That the picture runs over."""

ALIKE = "bytes alike"
KINDS = {"bytes as sent": Colour.OTHER, ALIKE: Colour.BOUND}
AS_LONG = "as long as\nthe hand-over"


def _sent(values: Values, kind: str) -> dict[str, float]:
    """Bytes of a value on its way to experts, back, and to the next stage."""
    dispatch = VALUE_BYTES if kind == ALIKE else values["dispatch_bytes"]
    return {"dispatch_bytes": dispatch, "combine_bytes": VALUE_BYTES, "send_bytes": VALUE_BYTES}


def _ratio(values: Values, kind: str, layers: Any) -> Any:  # noqa: ANN401  a number or many
    """Time of a stage's all-to-all over that of its hand-over."""
    return racks.scale_up_over_scale_out(
        copies_per_token=values["copies_per_token"],
        layers_per_stage=layers,
        link_ratio=values["link_ratio"],
        **_sent(values, kind),
    )


def _marks(values: Values, kind: str, enough: float) -> list[At]:
    """The fewest layers that hide the hand-over, and those of a stage."""
    places = {"enough layers": enough, "layers of a stage": values["layers_per_stage"]}
    return [
        at(
            f"{what}, {kind}",
            layers,
            on=kind,
            text=lambda ratio, layers=layers: f"{times(layers, 'layer')}: {format_number(ratio)}",  # type: ignore[misc]
            colour=KINDS[kind],
            is_fixed=what == "enough layers",
            is_quiet=kind != ALIKE,
        )
        for what, layers in places.items()
        if what == "enough layers" or layers != enough
    ]


def _inside_over_hand_over(values: Values) -> Curves:
    enough = {kind: float(racks.layers_to_hide(ratio_of_one_layer=float(_ratio(values, kind, 1.0)))) for kind in KINDS}
    end = max(FEWEST_LAYERS, values["layers_per_stage"], *(2 * layers for layers in enough.values()))
    low, high = (
        choose(float(_ratio(values, kind, layers)) for kind in KINDS) for choose, layers in ((min, 1.0), (max, end))
    )
    return curves(
        whole(1, int(end)),
        curve(AS_LONG, 1.0, Colour.ASIDE, is_floor=True),
        *(
            curve(
                kind,
                lambda layers, kind=kind: _ratio(values, kind, layers),  # type: ignore[misc]
                colour,
                is_bold=colour is Colour.BOUND,
            )
            for kind, colour in KINDS.items()
        ),
        marks=[mark for kind in KINDS for mark in _marks(values, kind, enough[kind])],
        top=2 * max(1.0, high),
        bottom=0.5 * min(1.0, low),
    )


RACKS_DRAWN, LAYERS_DRAWN, COPIES_DRAWN = 3, 3, 8
RACK_WIDTH, RACK_HEIGHT, RACK_GAP = 4.0, 8.0, 1.6
LAYER_HEIGHT, INSET, TOP = 1.1, 0.3, 1.1


def _layers(values: Values, left: float, first: int) -> tuple[list[Box], list[Cable]]:
    """The first layers of a rack, and a token's copies from each on to the next."""
    count = min(LAYERS_DRAWN, int(values["layers_per_stage"]))
    step = (RACK_HEIGHT - TOP - INSET - LAYER_HEIGHT) / (LAYERS_DRAWN - 1)
    copies = min(COPIES_DRAWN, round(values["copies_per_token"]))
    width = RACK_WIDTH - 2 * INSET
    boxes, cables = [], []
    for place in range(count):
        y = TOP + (LAYERS_DRAWN - 1 - place) * step
        name = f"layer {first + place + 1}"
        boxes.append(Box(x=left + INSET, y=y, width=width, height=LAYER_HEIGHT, text=name, colour=Colour.COMPUTE))
        if place == count - 1:
            continue
        for copy in range(copies):
            x = left + INSET + width * (copy + 0.5) / copies
            cables.append(Cable(x=x, y=y, to_x=x, to_y=y - step + LAYER_HEIGHT, colour=Colour.LINKS, is_arrow=True))
    return boxes, cables


def _rack(number: int, left: float) -> Box:
    return Box(
        x=left,
        y=0,
        width=RACK_WIDTH,
        height=RACK_HEIGHT,
        text=f"rack {number}",
        colour=Colour.ASIDE,
        is_frame=True,
    )


def _onward(left: float) -> Cable:
    """To the rack that begins there."""
    y = RACK_HEIGHT / 2
    return Cable(x=left - RACK_GAP, y=y, to_x=left, to_y=y, colour=Colour.ALSO, text="1", is_arrow=True, width=2.5)


def _path(values: Values) -> Schematic:
    boxes: list[Box] = []
    cables: list[Cable] = []
    for rack in range(RACKS_DRAWN):
        left = rack * (RACK_WIDTH + RACK_GAP)
        layers, copies = _layers(values, left, rack * int(values["layers_per_stage"]))
        boxes += [_rack(rack + 1, left), *layers]
        cables += [*copies, *([_onward(left)] if rack else [])]
    return Schematic(
        width=RACKS_DRAWN * RACK_WIDTH + (RACKS_DRAWN - 1) * RACK_GAP,
        height=RACK_HEIGHT,
        boxes=tuple(boxes),
        cables=tuple(cables),
        text=f"in a rack {format_number(values['copies_per_token'])} copies and back, between racks 1",
    )


def _stage_layers(facts: Facts) -> float:
    return layers_of_a_stage(facts.model.layers, numbers.STAGES_DRAWN.value)


BOARD = Board(
    name="stages",
    time_stamp="0:51:00",
    title="A pipeline across racks",
    question="How many layers must a rack hold so that handing the batch on costs no extra time?",
    caption="Time of a stage's all-to-all inside its rack, over the time to hand the batch to the next rack; both"
    " networks work at the same time. The lecture counts all bytes alike; in practice values go to experts in 8 bits"
    " and come back in 16. Drawn: the first layers of each rack.",
    formula=(
        Term(tex=r"\dfrac{t_{up}}{t_{out}}", colour=Colour.BOUND),
        Term(tex=r"\;=\;\dfrac{1}{\rho}\,\cdot\,c\,\cdot\,l\,\cdot\,\dfrac{b_1+b_2}{b}\;\geq\;1"),
    ),
    symbols=(
        Symbol(tex=r"b_2", meaning=f"bytes of a value on its way back from an expert: {VALUE_BYTES:g}"),
        Symbol(tex=r"b", meaning=f"bytes of a value that is handed on: {VALUE_BYTES:g}"),
    ),
    controls=(
        Control(
            name="copies_per_token",
            meaning="copies per token",
            dimension="count",
            low=1,
            high=64,
            lecture=numbers.ACTIVE_EXPERTS,
            careful=copies_per_token,
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
        Control(
            name="link_ratio",
            meaning="times faster inside a rack",
            called="link speed, inside over outside",
            dimension="count",
            low=1,
            high=128,
            lecture=LINK_RATIO,
            careful=lambda facts: controls.link_ratio(facts.machine),
        ),
        Control(
            name="dispatch_bytes",
            meaning="per value sent to experts",
            dimension="bytes",
            low=0.5,
            high=4,
            lecture=filled_in(1),
            careful=lambda facts: facts.model.precision.experts.operand.bytes_per_value,
        ),
    ),
    views=(
        View(compute=_path, heading="What a token crosses"),
        View(
            heading="Inside over hand-over",
            x=Axis(caption="layers per stage", dimension="count", is_logarithmic=True),
            y=Axis(caption="time inside the rack, over the hand-over", dimension="count", is_logarithmic=True),
            compute=_inside_over_hand_over,
        ),
    ),
    claims=("B3", "B8"),
    exercises=("racks-slack", "racks-enough"),
)
