"""From rack to rack: the parts that a batch passes, how long that takes, and what it adds to a token."""

from __future__ import annotations

from functools import partial
from typing import Any

from ridgeline.boards.board import Board, Control, Symbol, Term, Values, View
from ridgeline.boards.constant import filled_in
from ridgeline.boards.lecture.numbers import HOP_S, PORT_BYTES_PER_S, TRAIN_S
from ridgeline.boards.lecture.pipelines import numbers
from ridgeline.boards.lecture.pipelines.hand_over import batch, hidden, stages, times
from ridgeline.boards.lecture.pipelines.hop_time import LATENCY_S, MOST_PORTS, hop_s, latency_of, ports_of
from ridgeline.boards.picture import Axis, Box, Cable, Colour, Curves, Schematic
from ridgeline.boards.pictures import at, curve, curves, logarithmic, whole
from ridgeline.equations import pipelines
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARD", "token_time_s"]

LEAST_STAGES = 8
"""That the picture of a token's time runs to."""

HAND_OVER, HIS = "computed", f"lecture:\n{format_quantity(float(HOP_S), 's')}"
TENTH, TENFOLD = "a tenth\nof it", "ten times"

PARTS = ("GPU", "network card", "top-of-rack\nswitch")
"""Of a rack, in the order in which a batch leaves it."""
WIDTH, HEIGHT, STEP, FRAME = 4.4, 1.5, 2.3, 0.4
HEADING, TOP, AWAY = 0.5, 2.6, 0.6
"""For a rack's name, for what lies above racks, and from a switch's edge to a cable that leads up."""
ABOVE = "data-centre\nswitch"
RIGHT = WIDTH + 2 * FRAME + 1.4
"""Where the other rack begins."""


def token_time_s(*, period_s: Any, stages: Any, hop_s: Any) -> Any:  # noqa: ANN401  numbers or many
    """Of a decode step in equal stages with a micro-batch each: they have the step's time together, and a hop each."""
    return pipelines.loop_time_s(path_s=period_s + stages * hop_s, slowest_s=period_s / stages, micro_batches=stages)


def _hop_s(values: Values, ports: Any) -> Any:  # noqa: ANN401  a number or many
    return hop_s(
        batch=values["batch"],
        hidden=values["hidden"],
        ports=ports,
        port_bytes_per_s=values["port_bytes_per_s"],
        latency_s=values["latency_s"],
    )


def _rack(name: str, left: float, top: float) -> tuple[list[Box], list[Cable]]:
    """Its parts, from the chip at the foot to the switch at the top."""
    last = len(PARTS) - 1
    frame = Box(
        x=left,
        y=top,
        width=WIDTH + 2 * FRAME,
        height=last * STEP + HEIGHT + 2 * FRAME + HEADING,
        text=name,
        colour=Colour.ASIDE,
        is_frame=True,
    )
    ys = [top + FRAME + HEADING + (last - place) * STEP for place in range(len(PARTS))]
    boxes = [
        Box(x=left + FRAME, y=y, width=WIDTH, height=HEIGHT, text=part, colour=Colour.LINKS)
        for part, y in zip(PARTS, ys, strict=True)
    ]
    return [frame, *boxes], [_between(left, y, is_down=left > 0) for y in ys[:-1]]


def _between(left: float, lower: float, *, is_down: bool) -> Cable:
    """From a part to the one above it, or the other way."""
    x, ends = left + FRAME + WIDTH / 2, (lower, lower - STEP + HEIGHT)
    y, to_y = reversed(ends) if is_down else ends
    return Cable(x=x, y=y, to_x=x, to_y=to_y, colour=Colour.BOUND, is_arrow=True, width=2.0)


def _switch(middle: float, y: float) -> tuple[Box, Cable, Cable]:
    """The way round that a data centre may take, from the upper edges of both top-of-rack switches."""
    box = Box(x=middle - WIDTH / 2, y=0, width=WIDTH, height=HEIGHT, text=ABOVE, colour=Colour.ASIDE)
    beside = middle - FRAME - WIDTH + AWAY
    up, down = (
        Cable(x=middle - far, y=y, to_x=middle - near, to_y=HEIGHT, colour=Colour.ASIDE, is_dashed=True)
        for far, near in ((beside, 1.0), (-beside, -1.0))
    )
    return box, up, down


def _path(values: Values) -> Schematic:
    (here, inside), (there, beyond) = (_rack(f"rack {number}", left, TOP) for number, left in ((1, 0.0), (2, RIGHT)))
    width, y = RIGHT + WIDTH + 2 * FRAME, TOP + FRAME + HEADING
    switch, *around = _switch(width / 2, y)
    across = Cable(
        x=FRAME + WIDTH,
        y=y + HEIGHT / 2,
        to_x=RIGHT + FRAME,
        to_y=y + HEIGHT / 2,
        colour=Colour.BOUND,
        is_arrow=True,
        width=2.0,
    )
    return Schematic(
        width=width,
        height=TOP + here[0].height,
        boxes=(*here, *there, switch),
        cables=(*inside, *beyond, across, *around),
        text=f"all parts: {format_quantity(values['latency_s'], 's')} of latency",
    )


def _hop(values: Values) -> Curves:
    ports = values["ports"]
    low, high = float(HOP_S.low or HOP_S.value), float(HOP_S.high or HOP_S.value)
    one = float(_hop_s(values, 1.0))

    def text(count: float) -> Any:  # noqa: ANN401  what makes a text from a height
        return lambda found: f"{times(count, 'port')}: {format_quantity(found, 's')}"

    return curves(
        logarithmic(1.0, MOST_PORTS),
        curve(TENFOLD, high, Colour.ASIDE, is_floor=True),
        curve(TENTH, low, Colour.ASIDE, is_floor=True),
        curve(HIS, float(HOP_S), Colour.OTHER),
        curve(HAND_OVER, lambda count: _hop_s(values, count), Colour.BOUND, is_bold=True),
        marks=[
            at("one port", 1.0, on=HAND_OVER, text=text(1.0), is_fixed=True),
            at("ports", ports, on=HAND_OVER, text=text(ports)),
        ],
        top=2 * max(high, one),
        bottom=0.2 * min(values["latency_s"], float(_hop_s(values, float(MOST_PORTS)))),
    )


def _token(values: Values) -> Curves:
    count, period = int(values["stages"]), values["period_s"]
    ours = float(_hop_s(values, values["ports"]))
    his, mine = "his hops", "computed"

    def line(each_s: float) -> Any:  # noqa: ANN401  a line's function
        return lambda counts: token_time_s(period_s=period, stages=counts, hop_s=each_s)

    return curves(
        whole(1, max(LEAST_STAGES, count)),
        curve(mine, line(ours), Colour.BOUND, is_bold=True),
        curve(his, line(float(HOP_S)), Colour.OTHER),
        marks=(
            at("stages, his hops", count, on=his, text=partial(_seconds, his), colour=Colour.OTHER),
            at("stages", count, on=mine, text=partial(_seconds, mine)),
        ),
        top=1.2 * float(line(float(HOP_S))(max(LEAST_STAGES, count))),
    )


def _seconds(whose: str, found: float) -> str:
    return f"{whose}: {format_quantity(found, 's')}"


BOARD = Board(
    name="hop",
    time_stamp="1:15:00",
    title="A hop to the next rack",
    question="How long does it take to hand a batch to the next rack, and how much do hops add to a token?",
    caption="A few milliseconds, he says, but not with authority: it could be off by an order of magnitude either"
    " way. He lists the parts of a hop without numbers. Computed here: the batch's activations in 16 bits over all the"
    " ports used, plus one latency for all parts.",
    formula=(
        Term(tex=r"t_{hop}", colour=Colour.BOUND),
        Term(tex=r"\;=\;\alpha+\dfrac{B\,d\,b}{m\,W_{port}},\qquad t\;=\;T+p\,t_{hop}"),
    ),
    symbols=(
        Symbol(tex=r"b", meaning="bytes of a value: 2"),
        Symbol(tex=r"W_{port}", meaning="bandwidth of a port"),
        Symbol(tex=r"t", meaning="time of a token with hops"),
    ),
    controls=(
        batch(),
        hidden(),
        Control(
            name="ports",
            meaning="ports",
            dimension="count",
            low=1,
            high=MOST_PORTS,
            lecture=filled_in(64),
            careful=ports_of,
            is_whole=True,
        ),
        Control(
            name="port_bytes_per_s",
            meaning="per port",
            dimension="bytes_per_s",
            low=1e9,
            high=1e12,
            lecture=PORT_BYTES_PER_S,
            careful=lambda facts: facts.machine.fabric[-1].bytes_per_s,
        ),
        Control(
            name="latency_s",
            meaning="of latency",
            called="latency",
            dimension="s",
            low=1e-7,
            high=1e-3,
            lecture=LATENCY_S,
            careful=latency_of,
        ),
        stages(numbers.STAGES_ASSUMED, numbers.STAGES_ASSUMED.value),
        Control(
            name="period_s",
            meaning="of a token without hops",
            called="token time without hops",
            dimension="s",
            low=1e-4,
            high=1,
            lecture=TRAIN_S,
            careful=float(TRAIN_S),
        ),
    ),
    views=(
        View(heading="The way", compute=_path),
        View(
            heading="Time of a hop",
            x=Axis(caption="ports that carry it", dimension="count", is_logarithmic=True),
            y=Axis(caption="time from rack to rack", dimension="s", is_logarithmic=True),
            compute=_hop,
        ),
        View(
            heading="Time of a token",
            x=Axis(caption="stages", dimension="count"),
            y=Axis(caption="time of a token", dimension="s"),
            compute=_token,
        ),
    ),
    claims=("B11", "B16", "B39"),
    exercises=("racks-hop",),
)
