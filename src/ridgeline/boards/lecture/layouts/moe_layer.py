"""A layer of experts over chips, as it is drawn first: router, experts, combine, and the residual stream."""

from __future__ import annotations

from collections.abc import Iterator

from ridgeline.boards.board import Board, Term, Values, View
from ridgeline.boards.journeys import Leg, Route, Routes
from ridgeline.boards.lecture import residual_stream
from ridgeline.boards.lecture.layouts import controls_layouts
from ridgeline.boards.lecture.layouts.controls_layouts import count_text
from ridgeline.boards.lecture.layouts.layer_messages import active
from ridgeline.boards.picture import Box, Cable, Colour, Schematic
from ridgeline.equations import experts
from ridgeline.numeric import ceil
from ridgeline.quantity_text import counted

__all__ = ["BOARD", "ROUTED_EQUATION", "chosen_experts", "slots_of_chip"]

MOST_CHIPS, MOST_SLOTS = 72, 16
"""Largest numbers of chips and of experts a chip that are drawn; more would be thinner than a line."""

NARROWEST, WIDEST = 64.0, 131072.0

WIDTH, HEIGHT = 100.0, 25.0
LEFT, RIGHT = 11.0, 79.0
"""Left and right end of the layer's boxes, between the residual stream and one enlarged expert."""

BAR = 3.0
"""Height of the boxes that all chips have a part of."""

TOP, BOTTOM = 7.5, 20.0
"""Upper and lower end of the chips."""

ABOVE, AROUND = 2.2, 0.5
"""Room for words above the chips, and between them and the frame of all."""

SPREAD = 2**0.5 % 1
"""Stride with evenly spread fractional parts of its multiples, so that the drawn visits show no pattern."""

TOKENS = 4
"""Tokens that are drawn one after another."""


def slots_of_chip(values: Values) -> int:
    """Experts that a chip has room for."""
    found = experts.slots_per_chip(
        experts=values["experts"], redundant_experts=values["redundant_experts"], chips=values["chips"]
    )
    return int(ceil(found))


def chosen_experts(values: Values, token: int = 0) -> list[int]:
    """Experts that a token of the drawing visits: one in each of as many equal parts of them."""
    count, part = active(values), values["experts"] / active(values)
    return [int(part * (place + (token * count + place + 1) * SPREAD % 1)) for place in range(count)]


def _own(values: Values, token: int) -> int:
    """The chip on which a token of the drawing lies, among those that are drawn."""
    return int(min(MOST_CHIPS, values["chips"]) * ((token + 1) * SPREAD % 1))


def _places(values: Values) -> Iterator[tuple[int, int, int]]:
    """Every expert that is drawn, its chip and its place there: the first experts on the first chip."""
    slots = slots_of_chip(values)
    for expert in range(int(values["experts"] + values["redundant_experts"])):
        chip, place = divmod(expert, slots)
        if chip < MOST_CHIPS and place < MOST_SLOTS:
            yield expert, chip, place


def _frame(chip: int, pitch: float) -> Box:
    return Box(
        x=LEFT + chip * pitch,
        y=TOP,
        width=0.9 * pitch,
        height=BOTTOM - TOP,
        text="",
        colour=Colour.ASIDE,
        is_frame=True,
    )


def _chips(values: Values) -> list[Box]:
    """Frames of chips with their experts, further copies in colour."""
    shown, rows = min(MOST_CHIPS, int(values["chips"])), min(MOST_SLOTS, slots_of_chip(values))
    pitch, row = _pitch(values), (BOTTOM - TOP) / rows
    held = [
        Box(
            x=LEFT + (chip + 0.08) * pitch,
            y=TOP + (place + 0.1) * row,
            width=0.74 * pitch,
            height=0.8 * row,
            text="",
            colour=Colour.ASIDE if expert < values["experts"] else Colour.COMPUTE,
        )
        for expert, chip, place in _places(values)
    ]
    return [_rack(values), *(_frame(chip, pitch) for chip in range(shown)), *held]


def _rack(values: Values) -> Box:
    """Frame of all chips, which says what lies in it."""
    slots = slots_of_chip(values)
    return Box(
        x=LEFT - AROUND,
        y=TOP - ABOVE,
        width=RIGHT - LEFT + 2 * AROUND,
        height=BOTTOM - TOP + ABOVE + AROUND,
        text=f"{count_text(values['chips'])} chips, each a column of {counted(slots, 'expert')}",
        colour=Colour.ASIDE,
        is_frame=True,
    )


def _bars(values: Values) -> list[Box]:
    """Boxes of router and combine, of which every chip has a part, and of the residual stream's two ends."""
    parts = f"one on each of {values['chips']:.0f} chips"
    router = f"router ({parts}): a token goes to {active(values)} of {values['experts']:.0f} experts"
    combine = "combine: the experts' results, weighted and summed on the token's own chip"
    ends = ((0.0, router, "token"), (HEIGHT - BAR, combine, "+"))
    return [
        box
        for y, wide, narrow in ends
        for box in (
            Box(x=LEFT, y=y, width=RIGHT - LEFT, height=BAR, text=wide, colour=Colour.ALSO),
            Box(x=0.0, y=y, width=LEFT - 4, height=BAR, text=narrow, colour=Colour.BOUND),
        )
    ]


def _pitch(values: Values) -> float:
    """Distance from one chip to the next."""
    return (RIGHT - LEFT) / min(MOST_CHIPS, int(values["chips"]))


def _arrow(start: tuple[float, float], end: tuple[float, float], colour: Colour) -> Cable:
    return Cable(x=start[0], y=start[1], to_x=end[0], to_y=end[1], colour=colour, is_arrow=True, width=1.6)


STREAM = (LEFT - 4) / 2
RESIDUAL = _arrow((STREAM, BAR), (STREAM, HEIGHT - BAR), Colour.BOUND)
"""Cable of the residual stream around the layer."""


def _route(values: Values, token: int, first: int, bars: int) -> Route:
    """A token to the router, to its experts and back, and into the sum.

    Args:
        values: values of the board's controls.
        token: number of the token, from 0.
        first: place of the first expert among all boxes.
        bars: position of the first bar among all boxes.
    """
    chosen = chosen_experts(values, token)
    drawn = [
        (first + box, chip, place) for box, (expert, chip, place) in enumerate(_places(values)) if expert in chosen
    ]
    chips = len({expert // slots_of_chip(values) for expert in chosen})
    own = LEFT + (_own(values, token) + 0.45) * _pitch(values)
    row = (BOTTOM - TOP) / min(MOST_SLOTS, slots_of_chip(values))
    tops = [(LEFT + (chip + 0.45) * _pitch(values), TOP + (place + 0.1) * row) for _, chip, place in drawn]
    router, begin, combine, end = range(bars, bars + 4)
    large = bars + 5
    legs = (
        Leg(
            text=f"the router picks {len(chosen)} of {values['experts']:.0f} experts",
            cables=(_arrow((LEFT - 4, BAR / 2), (LEFT, BAR / 2), Colour.BOUND),),
            boxes=(begin, router),
        ),
        Leg(
            text=f"from its own chip to {counted(len(chosen), 'expert')} on {counted(chips, 'chip')}",
            cables=tuple(_arrow((own, BAR), top, Colour.LINKS) for top in tops),
            boxes=tuple(box for box, _, _ in drawn),
        ),
        Leg(text="each of them: up, nonlinearity, down", cables=(), boxes=tuple(range(large, large + 3))),
        Leg(
            text="back to its own chip, weighted and summed",
            cables=tuple(_arrow((x, y + 0.8 * row), (own, HEIGHT - BAR), Colour.LINKS) for x, y in tops),
            boxes=(combine,),
        ),
        Leg(
            text="its values from before the layer are added",
            cables=(RESIDUAL, _arrow((LEFT, HEIGHT - BAR / 2), (LEFT - 4, HEIGHT - BAR / 2), Colour.BOUND)),
            boxes=(end,),
        ),
    )
    return Route(name=f"token {token + 1} of {TOKENS}", legs=legs)


def _one_expert(values: Values) -> list[Box]:
    """Boxes of one enlarged expert: up, the nonlinearity, down."""
    x, width, y = RIGHT + 3, WIDTH - RIGHT - 3, TOP - 3
    hidden, inside = f"{values['hidden']:.0f}", f"{values['expert_hidden']:.0f}"
    rows = (f"up: {hidden} to {inside}", "nonlinearity", f"down: {inside} to {hidden}")
    colours = Colour.COMPUTE, Colour.ASIDE, Colour.COMPUTE
    frame = Box(x=x, y=y, width=width, height=15.0, text="one expert", colour=Colour.COMPUTE, is_frame=True)
    return [
        frame,
        *(
            Box(x=x + 0.7, y=y + 3.4 + 3.8 * place, width=width - 1.4, height=BAR, text=text, colour=colour)
            for place, (text, colour) in enumerate(zip(rows, colours, strict=True))
        ),
    ]


def _text(values: Values) -> str:
    chips, slots = values["chips"], slots_of_chip(values)
    count = int(values["experts"])
    visited = experts.groups_visited(experts=count, active_experts=active(values), groups=min(chips, count))
    idle = int(chips - ceil((count + values["redundant_experts"]) / slots))
    aside = f", {idle} chips without any" if idle else ""
    drawn = f"; the first {MOST_CHIPS} are drawn" if chips > MOST_CHIPS else ""
    return (
        f"{slots} expert{'s' if slots > 1 else ''} per chip{aside}; a token's experts sit on"
        f" {count_text(float(visited))} of {chips:.0f} chips on average{drawn}"
    )


def _layer(values: Values) -> Routes:
    chips, text = _chips(values), _text(values)
    first = len(chips) - len(list(_places(values)))
    return Routes(
        schematic=Schematic(
            width=WIDTH,
            height=HEIGHT,
            boxes=(*chips, *_bars(values), *_one_expert(values)),
            cables=(RESIDUAL,),
            text=text,
        ),
        routes=tuple(_route(values, token, first, len(chips)) for token in range(TOKENS)),
        nodes=(),
        text=text,
    )


ROUTED_EQUATION = (
    Term(tex=r"\mathbf{y}", colour=Colour.BOUND),
    Term(tex=r"\;=\;\mathbf{x}\;+\;"),
    Term(tex=r"\sum_{e\,\in\,\mathrm{top}\,k}\;g_e", colour=Colour.ALSO),
    Term(tex=r"\;\mathrm{expert}_e(\mathbf{x})", colour=Colour.COMPUTE),
)
"""A layer of experts."""

BOARD = Board(
    name="moe-layer",
    time_stamp="0:32:30",
    title="One layer's experts on the chips of a rack",
    question="Where do a layer's experts sit, and which chips does a token visit?",
    caption="Each frame is a chip and each box in it an expert. Tokens visit the blue ones, and purple ones are extra"
    " copies. Routers and tokens sit on the same chips as the experts, so any chip may send to any other."
    " That is an all-to-all, once on the way to the experts and once on the way back.",
    formula=(
        Term(tex=r"\mathbf{y}", colour=Colour.BOUND),
        Term(tex=r"\;=\;\mathbf{x}\;+\;"),
        Term(tex=r"\sum_{e\,\in\,\mathrm{top}\,k}\;g_e", colour=Colour.ALSO),
        Term(tex=r"\;\mathbf{D}_e\,\sigma(\mathbf{U}_e\,\mathbf{x})", colour=Colour.COMPUTE),
    ),
    controls=(
        controls_layouts.experts(),
        controls_layouts.active_experts(),
        controls_layouts.chips(low=1, meaning="chips"),
        controls_layouts.copies(),
        residual_stream.hidden(),
        controls_layouts.expert_hidden(low=NARROWEST, high=WIDEST),
    ),
    views=(View(compute=_layer),),
    claims=("B45", "B1", "B47"),
    exercises=("racks-slots", "racks-visited"),
)
