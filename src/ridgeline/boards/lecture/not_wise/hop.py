"""Hop from rack to rack: the parts that a batch passes, how long that takes, and what it adds to a token."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from ridgeline.boards.board import Board, Control, Term, Values, View
from ridgeline.boards.companions import Abreast
from ridgeline.boards.constant import filled_in
from ridgeline.boards.first_move import FirstMove, Moves, Says, Way
from ridgeline.boards.flows import Message, Passage, Stay, Strip
from ridgeline.boards.in_a_sentence import count_text
from ridgeline.boards.lecture.numbers import HOP_S, PORT_BYTES_PER_S, TRAIN_S
from ridgeline.boards.lecture.pipelines import numbers
from ridgeline.boards.lecture.pipelines.hand_over import stages, times
from ridgeline.boards.lecture.pipelines.hop_time import LATENCY_S, MOST_PORTS, hop_s, latency_of, ports_of
from ridgeline.boards.lecture.residual_stream import HANDED_ON, VALUE_BYTES, batch, hidden
from ridgeline.boards.note import DIGITS
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import at, curve, curves, logarithmic, whole
from ridgeline.boards.scale import LINEAR, rounded_up
from ridgeline.boards.scene import Tick
from ridgeline.equations import pipelines
from ridgeline.quantity_text import format_number, format_quantity

__all__ = ["BOARD", "HOP_EQUATION", "hop_time_s", "token_time_s"]

LEAST_STAGES = 8
"""Least right end of the picture of a token's time, in stages."""

HAND_OVER, HIS = "computed", f"his guess:\n{format_quantity(float(HOP_S), 's')}"
TENTH, TENFOLD = "a tenth\nof it", "ten times"

PARTS = ("GPU", "network card", "rack switch")
"""Parts of a rack in the order in which a batch leaves it; the other rack has them in the opposite order."""
ROOM = 1.05
"""End of an axis, as a multiple of the last thing on it."""


def token_time_s(*, period_s: Any, stages: Any, hop_s: Any) -> Any:  # noqa: ANN401  numbers or many
    """Time of a token through equal stages with a micro-batch each, s: the step's time, and a hop for each stage."""
    return pipelines.loop_time_s(path_s=period_s + stages * hop_s, slowest_s=period_s / stages, micro_batches=stages)


def hop_time_s(values: Values, ports: Any) -> Any:  # noqa: ANN401  a number or many
    """Time of a hop of the board's batch over ``ports`` ports, s."""
    return hop_s(
        batch=values["batch"],
        hidden=values["hidden"],
        ports=ports,
        port_bytes_per_s=values["port_bytes_per_s"],
        latency_s=values["latency_s"],
    )


def _way(values: Values) -> Passage:
    """A token through all stages, and one of its hops enlarged: the first byte's way, then the bytes behind it."""
    hop_of_one_s = float(hop_time_s(values, values["ports"]))
    token, hop = _token_strip(values, hop_of_one_s), _hop_strip(values, hop_of_one_s)
    larger = format_number(token.end / hop.end)
    return Passage(
        strips=(token, replace(hop, name=f"One of the hops, {larger} times as wide")),
        text=f"a hop takes {_seconds(hop_of_one_s)}, {_seconds(values['latency_s'])} of them latency",
    )


def _token_strip(values: Values, hop_s: float) -> Strip:
    count, period_s = int(values["stages"]), values["period_s"]
    each_s = period_s / count
    starts = [stage * (each_s + hop_s) for stage in range(count)]
    mine, his = (float(token_time_s(period_s=period_s, stages=count, hop_s=one)) for one in (hop_s, float(HOP_S)))
    end = ROOM * max(mine, his)
    return Strip(
        name=f"A token through {times(count, 'stage')}",
        places=tuple(f"rack {stage + 1}" for stage in range(count)),
        stays=tuple(
            Stay(row=stage, start=start, end=start + each_s, text=_seconds(each_s), colour=Colour.COMPUTE)
            for stage, start in enumerate(starts)
        ),
        messages=tuple(
            _message(values, row=stage, to_row=(stage + 1) % count, start_s=start + each_s, hop_s=hop_s)
            for stage, start in enumerate(starts)
        ),
        limits=(
            Tick(at=mine, text=f"token: {_seconds(mine)}"),
            Tick(at=his, text=f"with hops of {_seconds(float(HOP_S))}, as he guesses: {_seconds(his)}"),
        ),
        end=end,
        ticks=_ticks(end),
    )


def _hop_strip(values: Values, hop_s: float) -> Strip:
    end = rounded_up(ROOM * hop_s)
    last = 2 * len(PARTS) - 1
    return Strip(
        name="One of the hops",
        places=(*PARTS, *reversed(PARTS)),
        stays=(),
        messages=(_message(values, row=0, to_row=last, start_s=0.0, hop_s=hop_s),),
        limits=(
            Tick(at=values["latency_s"], text=f"first byte: {_seconds(values['latency_s'])}"),
            Tick(at=hop_s, text=f"last byte: {_seconds(hop_s)}"),
        ),
        end=end,
        ticks=_ticks(end),
    )


def _message(values: Values, *, row: int, to_row: int, start_s: float, hop_s: float) -> Message:
    latency_s = values["latency_s"]
    return Message(
        row=row,
        to_row=to_row,
        start=start_s,
        long=hop_s - latency_s,
        latency=latency_s,
        text=f"{_sequences(values['batch'])} over {times(values['ports'], 'port')}",
        colour=Colour.LINKS,
    )


def _sequences(count: float) -> str:
    """Text of a batch, as rounded as in the walk's sentences."""
    return f"{count_text(count, DIGITS)} sequence{'' if count == 1 else 's'}"


def _ticks(end: float) -> tuple[Tick, ...]:
    return tuple(Tick(at=at, text=_seconds(at)) for at in LINEAR.ticks(0.0, end))


def _hop(values: Values) -> Curves:
    ports = values["ports"]
    low, high = float(HOP_S.low or HOP_S.value), float(HOP_S.high or HOP_S.value)
    one = float(hop_time_s(values, 1.0))

    def text(count: float) -> Any:  # noqa: ANN401  what makes a text from a height
        return lambda found: f"{times(count, 'port')}: {format_quantity(found, 's')}"

    return curves(
        logarithmic(1.0, MOST_PORTS),
        curve(TENFOLD, high, Colour.ASIDE, is_floor=True),
        curve(TENTH, low, Colour.ASIDE, is_floor=True),
        curve(HIS, float(HOP_S), Colour.ALSO),
        curve(HAND_OVER, lambda count: hop_time_s(values, count), Colour.BOUND, is_bold=True),
        marks=[
            at("one port", 1.0, on=HAND_OVER, text=text(1.0), is_fixed=True),
            at("ports", ports, on=HAND_OVER, text=text(ports)),
        ],
        top=2 * max(high, one),
        bottom=0.2 * min(values["latency_s"], float(hop_time_s(values, float(MOST_PORTS)))),
        companion=Abreast(
            line=HAND_OVER,
            first=1,
            count=int(ports),
            things=("port", "ports"),
            limit=HIS,
            whole_text=format_quantity(values["batch"] * values["hidden"] * VALUE_BYTES, "bytes"),
            text="A batch on its way to the next rack: through a network card, a switch and a card again",
        ),
    )


def _token(values: Values) -> Curves:
    count, period = int(values["stages"]), values["period_s"]
    ours = float(hop_time_s(values, values["ports"]))
    his, mine = "his hops", "computed"

    def line(each_s: float) -> Any:  # noqa: ANN401  a line's function
        return lambda counts: token_time_s(period_s=period, stages=counts, hop_s=each_s)

    return curves(
        whole(1, max(LEAST_STAGES, count)),
        curve(mine, line(ours), Colour.BOUND, is_bold=True),
        curve(his, line(float(HOP_S)), Colour.ALSO),
        marks=(
            at("stages, his hops", count, on=his, text=partial(_said, his), colour=Colour.ALSO),
            at("stages", count, on=mine, text=partial(_said, mine)),
        ),
        top=1.2 * float(line(float(HOP_S))(max(LEAST_STAGES, count))),
    )


def _said(whose: str, found: float) -> str:
    return f"{whose}: {_seconds(found)}"


def _seconds(found: float) -> str:
    return format_quantity(found, "s")


HOP_EQUATION = (
    Term(tex=r"t_{hop}", colour=Colour.BOUND),
    Term(tex=r"\;=\;t_0+\dfrac{B\,d\,b_a}{n_{port}\,W_{port}}"),
)
"""Time of a hop."""

BOARD = Board(
    name="hop",
    time_stamp="1:15:00",
    title="A hop to the next rack",
    question="How long does it take to hand a batch to the next rack, and how much do hops add to a token?",
    caption="A few milliseconds, he says, but not with authority: it could be off by an order of magnitude either"
    " way. He lists the parts of a hop without numbers. We compute the batch's activations in 16 bits over"
    " all ports used, plus one latency for all parts. In the picture a width is a time, and a band's slant is"
    " the latency.",
    formula=(
        *HOP_EQUATION,
        Term(tex=r",\qquad t_{way}\;=\;T+p\,t_{hop}"),
    ),
    letter_numbers=(HANDED_ON,),
    controls=(
        batch(),
        hidden(is_whole=True),
        Control(
            name="ports",
            meaning="ports",
            dimension="count",
            low=1,
            high=MOST_PORTS,
            lecture=filled_in(64, why="one for each chip of a rack"),
            careful=ports_of,
            is_whole=True,
        ),
        Control(
            name="port_bytes_per_s",
            meaning="per port",
            short="per port",
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
            short="token time",
            dimension="s",
            low=1e-4,
            high=1,
            lecture=TRAIN_S,
            careful=float(TRAIN_S),
        ),
    ),
    views=(
        View(heading="The way", x=Axis(caption="time", dimension="s"), compute=_way),
        View(
            heading="Time of a hop",
            x=Axis(caption="ports that carry it", dimension="count", is_logarithmic=True),
            y=Axis(caption="time from rack to rack", dimension="s", is_logarithmic=True),
            compute=_hop,
        ),
        View(
            equations=(1,),
            heading="Time of a token",
            x=Axis(caption="stages", dimension="count"),
            y=Axis(caption="time of a token", dimension="s"),
            compute=_token,
        ),
    ),
    claims=("B11", "B16", "B39"),
    exercises=("racks-hop",),
    first_move=FirstMove(
        control="ports",
        to=1.0,
        then="the whole batch leaves through one port, and a hop takes longer",
        seen=(
            Says(text="over 1 port"),
            Moves(what="text", way=Way.UP),
        ),
    ),
)
