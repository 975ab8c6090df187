"""A layer of experts over chips, as it is drawn first: router, experts, combine, and the residual stream."""

from __future__ import annotations

from collections.abc import Iterator

from ridgeline.boards.board import Board, Term, Values, View
from ridgeline.boards.first_move import FirstMove, Says
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
"""Limits of the hidden size inside an expert."""

ENLARGED = 15.0
"""Height of the frame in which one expert is enlarged."""

WIDTH, HEIGHT = 100.0, 25.0
LEFT, RIGHT = 13.0, 73.0
"""Left and right end of the layer's boxes, between the residual stream and one enlarged expert."""

BAR = 3.0
"""Height of the boxes that all chips have a part of."""

TOP, BOTTOM = 4.5, 20.5
"""Upper and lower end of the chips."""

TALL = 2.0
"""Height over width at which a unit square is shown, about, on a wide screen and on a phone alike."""

RAGGED = 2.0
"""Factor by which places of a full grid may be longer than those of one whose last row is not full."""

TILE, EXPERT = 0.9, 0.78
"""Part of its place that a chip takes up, and an expert."""

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


def _grid(count: int, width: float, height: float) -> tuple[int, int]:
    """Columns and rows of so many places in a box, those that make them most nearly square as they are shown."""

    def unlike_square(rows: int) -> tuple[float, int]:
        columns = -(-count // rows)
        across, down = width / columns, TALL * height / rows
        # A ragged last row would look as if chips were missing.
        return max(across / down, down / across) * (RAGGED if columns * rows > count else 1.0), rows

    rows = min(range(1, count + 1), key=unlike_square)
    return -(-count // rows), rows


def _frame(values: Values, chip: int) -> Box:
    """Frame of a chip: chips lie in rows, from the upper left on."""
    columns, rows = _grid(min(MOST_CHIPS, int(values["chips"])), RIGHT - LEFT, BOTTOM - TOP)
    row, column = divmod(chip, columns)
    wide, high = (RIGHT - LEFT) / columns, (BOTTOM - TOP) / rows
    gap = (1 - TILE) / 2 * wide
    return Box(
        x=LEFT + column * wide + gap,
        y=TOP + row * high + gap / TALL,
        width=wide - 2 * gap,
        height=high - 2 * gap / TALL,
        text="",
        colour=Colour.ASIDE,
        is_frame=True,
    )


def _held(values: Values, frame: Box, expert: int, place: int) -> Box:
    """Box of an expert in its chip's frame."""
    columns, rows = _grid(min(MOST_SLOTS, slots_of_chip(values)), frame.width, frame.height)
    row, column = divmod(place, columns)
    wide, high = frame.width / columns, frame.height / rows
    return Box(
        x=frame.x + (column + (1 - EXPERT) / 2) * wide,
        y=frame.y + (row + (1 - EXPERT) / 2) * high,
        width=EXPERT * wide,
        height=EXPERT * high,
        text="",
        colour=Colour.COMPUTE if expert < values["experts"] else Colour.ASIDE,
    )


def _chips(values: Values) -> tuple[list[Box], list[Box]]:
    """Frames of chips, and the boxes of their experts, further copies grey."""
    frames = [_frame(values, chip) for chip in range(min(MOST_CHIPS, int(values["chips"])))]
    return frames, [_held(values, frames[chip], expert, place) for expert, chip, place in _places(values)]


def _drawn(values: Values) -> str:
    """How many experts and chips are drawn, where it is only some of them."""
    copies = int(values["experts"] + values["redundant_experts"])
    shown = sum(1 for _ in _places(values))
    return f"; {shown:,} of {count_text(copies)} drawn" if shown < copies else ""


def _bars(values: Values) -> list[Box]:
    """Boxes of router and combine, of which every chip has a part, and of the residual stream's two ends."""
    chips = count_text(values["chips"])
    where = "on its one chip" if values["chips"] == 1 else f"on each of {chips} chips"
    router = f"router ({where}): a token goes to {active(values)} of {values['experts']:.0f}{_drawn(values)}"
    combine = "combine: the experts' results, weighted and summed"
    ends = ((0.0, router, "token"), (HEIGHT - BAR, combine, "+"))
    return [
        box
        for y, wide, narrow in ends
        for box in (
            Box(x=LEFT, y=y, width=RIGHT - LEFT, height=BAR, text=wide, colour=Colour.ALSO),
            Box(x=0.0, y=y, width=LEFT - 4, height=BAR, text=narrow, colour=Colour.BOUND),
        )
    ]


def _middle(box: Box) -> tuple[float, float]:
    return box.x + box.width / 2, box.y + box.height / 2


def _arrow(start: tuple[float, float], end: tuple[float, float], colour: Colour) -> Cable:
    return Cable(x=start[0], y=start[1], to_x=end[0], to_y=end[1], colour=colour, is_arrow=True, width=1.6)


STREAM = (LEFT - 4) / 2
RESIDUAL = _arrow((STREAM, BAR), (STREAM, HEIGHT - BAR), Colour.BOUND)
"""Cable of the residual stream around the layer."""


def _route(values: Values, token: int, frames: list[Box], held: list[Box]) -> Route:
    """A token to the router on its own chip, to its experts and back, and into the sum.

    Args:
        values: values of the board's controls.
        token: number of the token, from 0.
        frames: frames of the chips, the first of all boxes.
        held: boxes of the experts, which follow them.
    """
    chosen, own = chosen_experts(values, token), _own(values, token)
    places = list(_places(values))
    drawn = [at for at, (expert, _, _) in enumerate(places) if expert in chosen]
    chips = len({expert // slots_of_chip(values) for expert in chosen})
    bars = len(frames) + len(held)
    router, begin, combine, end = range(bars, bars + 4)
    large = bars + 5
    frame = frames[own]
    home = _middle(frame)
    ways = [(home, _middle(held[at])) for at in drawn]
    legs = (
        Leg(
            text=f"the router picks {len(chosen)} of {values['experts']:.0f} experts, on the token's own chip",
            cables=(
                _arrow((LEFT - 4, BAR / 2), (LEFT, BAR / 2), Colour.BOUND),
                _arrow((home[0], BAR), (home[0], frame.y), Colour.BOUND),
            ),
            boxes=(begin, router, own),
        ),
        Leg(
            text=f"from its own chip to {counted(len(chosen), 'expert')} on {counted(chips, 'chip')}",
            cables=tuple(_arrow(start, to, Colour.LINKS) for start, to in ways),
            boxes=tuple(len(frames) + at for at in drawn),
        ),
        Leg(text="each of them: up, nonlinearity, down", cables=(), boxes=tuple(range(large, large + 3))),
        Leg(
            text="back to its own chip, weighted and summed",
            cables=tuple(_arrow(to, start, Colour.LINKS) for start, to in ways),
            boxes=(combine,),
        ),
        Leg(
            text="its values from before the layer are added",
            cables=(
                RESIDUAL,
                _arrow((home[0], frame.y + frame.height), (home[0], HEIGHT - BAR), Colour.BOUND),
                _arrow((LEFT, HEIGHT - BAR / 2), (LEFT - 4, HEIGHT - BAR / 2), Colour.BOUND),
            ),
            boxes=(end,),
        ),
    )
    return Route(name=f"token {token + 1} of {TOKENS}", legs=legs)


def _one_expert(values: Values) -> list[Box]:
    """Boxes of one enlarged expert: up, the nonlinearity, down."""
    x, width, y = RIGHT + 3, WIDTH - RIGHT - 3, (TOP + BOTTOM - ENLARGED) / 2
    hidden, inside = f"{values['hidden']:.0f}", f"{values['expert_hidden']:.0f}"
    rows = (f"up: {hidden} to {inside}", "nonlinearity", f"down: {inside} to {hidden}")
    colours = Colour.COMPUTE, Colour.ASIDE, Colour.COMPUTE
    frame = Box(x=x, y=y, width=width, height=ENLARGED, text="one expert", colour=Colour.COMPUTE, is_frame=True)
    return [
        frame,
        *(
            Box(x=x + 0.7, y=y + 3.4 + 3.8 * place, width=width - 1.4, height=BAR, text=text, colour=colour)
            for place, (text, colour) in enumerate(zip(rows, colours, strict=True))
        ),
    ]


def _lens(held: list[Box], frame: Box) -> tuple[Cable, ...]:
    """Lines from the expert nearest to the enlarged one to its frame, which say that the two are one."""
    right = max(box.x for box in held)
    # In the last column and halfway down, so that the lines cross no other expert.
    last = [box for box in held if right - box.x < box.width]
    expert = min(last, key=lambda box: abs(_middle(box)[1] - _middle(frame)[1]))
    x = expert.x + expert.width
    return (
        Cable(x=x, y=expert.y, to_x=frame.x, to_y=frame.y, colour=Colour.COMPUTE),
        Cable(x=x, y=expert.y + expert.height, to_x=frame.x, to_y=frame.y + frame.height, colour=Colour.COMPUTE),
    )


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
    (frames, held), large, text = _chips(values), _one_expert(values), _text(values)
    return Routes(
        schematic=Schematic(
            width=WIDTH,
            height=HEIGHT,
            boxes=(*frames, *held, *_bars(values), *large),
            cables=(RESIDUAL, *_lens(held, large[0])),
            text=text,
        ),
        routes=tuple(_route(values, token, frames, held) for token in range(TOKENS)),
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
    caption="Each frame is a chip and each square in it an expert: strong blue where the token goes, grey for an extra"
    " copy. Routers and tokens sit on the same chips as the experts, so any chip may send to any other. That is an"
    " all-to-all, once on the way to the experts and once on the way back.",
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
    first_move=FirstMove(
        control="active_experts",
        to=2.0,
        then="a token goes to 2 of 256 experts, on fewer chips",
        seen=(Says(text="a token goes to 2 of 256"),),
    ),
)
