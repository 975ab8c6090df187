"""A Feistel round there and back, as drawn on the board, and what rounds leave as it was."""

from __future__ import annotations

from functools import cache

from ridgeline.boards.board import Board, Control, Symbol, Term, Values, View
from ridgeline.boards.constant import filled_in
from ridgeline.boards.lecture.cryptography import mixing
from ridgeline.boards.picture import Axis, Box, Cable, Colour, Curves, Schematic
from ridgeline.boards.pictures import at, curve, curves, whole
from ridgeline.laboratory import ciphers
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARD"]

HALVES = 3, 5
"""That the drawing takes through a round."""

WIDTH, HEIGHT = 12.0, 11.6
LEFT, MIDDLE, RIGHT = 0.4, 4.6, 8.4
WIDE, NARROW, TALL = 3.2, 2.8, 1.2
ROWS = 0.4, 2.9, 5.4, 7.9, 10.0
"""Upper edges: what goes in, its round, what comes out, the round back, what was recovered."""


def _box(x: float, row: int, text: str, colour: Colour, width: float = WIDE) -> Box:
    return Box(x=x, y=ROWS[row], width=width, height=TALL, text=text, colour=colour)


def _down(x: float, row: int, to_x: float) -> Cable:
    """From a box to one of the next row."""
    return Cable(
        x=x + WIDE / 2,
        y=ROWS[row] + TALL,
        to_x=to_x + WIDE / 2,
        to_y=ROWS[row + 1],
        colour=Colour.BOUND,
        is_arrow=True,
    )


def _across(row: int, start: float, to_x: float) -> Cable:
    """Between neighbours of one row."""
    middle = ROWS[row] + TALL / 2
    return Cable(x=start, y=middle, to_x=to_x, to_y=middle, colour=Colour.COMPUTE, is_arrow=True)


def _into(x: float, row: int) -> Cable:
    """From a half to the function."""
    return Cable(
        x=x + WIDE / 2,
        y=ROWS[row] + TALL,
        to_x=MIDDLE + NARROW / 2,
        to_y=ROWS[row + 1],
        colour=Colour.COMPUTE,
        is_arrow=True,
    )


def _round(values: Values) -> Schematic:
    exponent = int(values["exponent"])
    function = mixing.power_of_byte(exponent)
    left, right = HALVES
    out, kept = mixing.byte_rounds(function, HALVES, 1)
    again, back = ciphers.feistel_inverse(left=out, right=kept, round_functions=[function], modulus=mixing.BYTE)
    shown = f"f: {function(left):.0f}"
    boxes = (
        _box(LEFT, 0, f"x = {left}", Colour.KV),
        _box(RIGHT, 0, f"y = {right}", Colour.WEIGHTS),
        _box(MIDDLE, 1, shown, Colour.COMPUTE, NARROW),
        _box(RIGHT, 1, "+", Colour.BOUND),
        _box(LEFT, 2, f"z = y + f(x) = {out}", Colour.BOUND),
        _box(RIGHT, 2, f"x = {kept}", Colour.KV),
        _box(LEFT, 3, "\N{MINUS SIGN}", Colour.BOUND),
        _box(MIDDLE, 3, shown, Colour.COMPUTE, NARROW),
        _box(LEFT, 4, f"y = z \N{MINUS SIGN} f(x) = {back:.0f}", Colour.WEIGHTS),
        _box(RIGHT, 4, f"x = {again:.0f}", Colour.KV),
    )
    return Schematic(width=WIDTH, height=HEIGHT, boxes=boxes, cables=_cables(), text=f"f is power {exponent}, mod 256")


def _cables() -> tuple[Cable, ...]:
    """There, with the halves exchanged, and back; nothing goes backwards through f."""
    stays = RIGHT + WIDE / 2
    return (
        _into(LEFT, 0),
        _down(RIGHT, 0, RIGHT),
        _across(1, MIDDLE + NARROW, RIGHT),
        _down(RIGHT, 1, LEFT),
        Cable(x=LEFT + WIDE / 2, y=ROWS[0] + TALL, to_x=stays, to_y=ROWS[2], colour=Colour.KV, is_arrow=True),
        _into(RIGHT, 2),
        _down(LEFT, 2, LEFT),
        _across(3, MIDDLE, LEFT + WIDE),
        _down(LEFT, 3, LEFT),
        Cable(x=stays, y=ROWS[2] + TALL, to_x=stays, to_y=ROWS[4], colour=Colour.KV, is_arrow=True),
    )


@cache
def _as_it_was(exponent: int | None, rounds: int) -> float:
    """By a power, or by AES's substitution."""
    function = (lambda half: mixing.AES.table[int(half)]) if exponent is None else mixing.power_of_byte(exponent)
    return mixing.left_as_it_was_fraction(function, rounds)


def _left(values: Values) -> Curves:
    rounds, exponent = int(values["rounds"]), int(values["exponent"])
    chance = 2 / mixing.BYTE
    return curves(
        whole(1, rounds),
        curve("by chance", chance, Colour.ASIDE, is_floor=True),
        curve(f"power {exponent}", lambda x: [_as_it_was(exponent, int(one)) for one in x], Colour.COMPUTE),
        curve("AES's S-box", lambda x: [_as_it_was(None, int(one)) for one in x], Colour.BOUND, is_bold=True),
        marks=[at("one round", 1, on="AES's S-box", text=lambda y: format_quantity(y, "fraction", 2))],
        top=1.0,
    )


BOARD = Board(
    name="feistel",
    time_stamp="2:08:29",
    title="A round that can be undone",
    question="How does a function that cannot be inverted become part of one that can?",
    caption="One half goes through f and is added to the other; it is kept, so that f of it can be taken off again. f"
    " is only ever run forwards. Halves are bytes and change places; a half that comes out as one that went in may do"
    " so by chance.",
    formula=(
        Term(tex=r"(x,\,y)\;\to\;("),
        Term(tex=r"y+f(x)", colour=Colour.BOUND),
        Term(tex=r",\;"),
        Term(tex=r"x", colour=Colour.KV),
        Term(tex=r"),\qquad"),
        Term(tex=r"y\;=\;z-f(x)", colour=Colour.WEIGHTS),
    ),
    symbols=(
        Symbol(tex=r"x,\,y", meaning="halves that go in"),
        Symbol(tex=r"z", meaning="half that comes out beside x"),
        Symbol(tex=r"f", meaning="any function of a half"),
    ),
    controls=(
        Control(
            name="rounds",
            meaning="rounds",
            dimension="count",
            low=2,
            high=16,
            lecture=filled_in(6),
            careful=6,
            is_whole=True,
        ),
        Control(
            name="exponent",
            meaning="as the power that f takes",
            dimension="count",
            low=1,
            high=8,
            lecture=filled_in(2),
            careful=2,
            is_whole=True,
        ),
    ),
    views=(
        View(heading="There and back", compute=_round),
        View(
            heading="What rounds leave as it was",
            x=Axis(caption="rounds", dimension="count"),
            y=Axis(caption="part of the halves", dimension="fraction"),
            compute=_left,
        ),
    ),
    claims=("E1", "E2", "E7"),
    exercises=("ciphers-forward", "ciphers-back"),
)
