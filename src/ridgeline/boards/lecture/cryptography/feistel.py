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

WIDTH, HEIGHT = 20.0, 11.6
LEFT, MIDDLE, RIGHT = 0.4, 7.8, 13.2
WIDE, NARROW, TALL = 6.4, 4.4, 1.2
ROWS = 0.4, 2.8, 5.2, 7.6, 10.0
"""Upper edges: what goes in, its round, what comes out, the round back, what was recovered."""
STAYS, CHANGES = Colour.ALSO, Colour.OTHER
"""The half that is kept as it is, and the one that is added to."""


def _box(x: float, row: int, text: str, colour: Colour, width: float = WIDE) -> Box:
    return Box(x=x, y=ROWS[row], width=width, height=TALL, text=text, colour=colour)


def _arrow(start: tuple[float, float], end: tuple[float, float], colour: Colour) -> Cable:
    return Cable(x=start[0], y=start[1], to_x=end[0], to_y=end[1], colour=colour, is_arrow=True)


def _down(x: float, row: int, to_row: int, colour: Colour) -> Cable:
    """From a box to one below."""
    return _arrow((x + WIDE / 2, ROWS[row] + TALL), (x + WIDE / 2, ROWS[to_row]), colour)


def _through_f(row: int) -> tuple[Cable, Cable]:
    """From the half that stays into f, and from f to the half that changes; the same way there and back."""
    middle = ROWS[row] + TALL / 2
    return (
        _arrow((LEFT + WIDE / 2, middle), (MIDDLE, middle), Colour.COMPUTE),
        _arrow((MIDDLE + NARROW, middle), (RIGHT, middle), Colour.COMPUTE),
    )


CABLES = (
    *(_down(LEFT, row, row + 2, STAYS) for row in (0, 2)),
    *(_down(RIGHT, row, row + 1, Colour.BOUND) for row in range(len(ROWS) - 1)),
    *(one for row in (1, 3) for one in _through_f(row)),
)
"""The half that stays goes straight down; nothing goes backwards through f."""


def _round(values: Values) -> Schematic:
    exponent = int(values["exponent"])
    function = mixing.power_of_byte(exponent)
    left, right = HALVES
    out, kept = mixing.byte_rounds(function, HALVES, 1)
    again, back = ciphers.feistel_inverse(left=out, right=kept, round_functions=[function], modulus=mixing.BYTE)
    shown = f"f(x) = {function(left):.0f}"
    boxes = (
        _box(LEFT, 0, f"x = {left}", STAYS),
        _box(RIGHT, 0, f"y = {right}", CHANGES),
        _box(MIDDLE, 1, shown, Colour.COMPUTE, NARROW),
        _box(RIGHT, 1, "+", Colour.BOUND),
        _box(LEFT, 2, f"x = {kept}", STAYS),
        _box(RIGHT, 2, f"z = y + f(x) = {out}", Colour.BOUND),
        _box(MIDDLE, 3, shown, Colour.COMPUTE, NARROW),
        _box(RIGHT, 3, "\N{MINUS SIGN}", Colour.BOUND),
        _box(LEFT, 4, f"x = {again:.0f}", STAYS),
        _box(RIGHT, 4, f"y = z \N{MINUS SIGN} f(x) = {back:.0f}", CHANGES),
    )
    return Schematic(width=WIDTH, height=HEIGHT, boxes=boxes, cables=CABLES, text=f"f is power {exponent}, mod 256")


@cache
def _as_it_was(exponent: int | None, rounds: int) -> float:
    """By a power, or by AES's substitution."""
    function = (lambda half: mixing.AES.table[int(half)]) if exponent is None else mixing.power_of_byte(exponent)
    return mixing.left_as_it_was_fraction(function, rounds)


def _left(values: Values) -> Curves:
    rounds, exponent = int(values["rounds"]), int(values["exponent"])
    chance = 2 / mixing.BYTE
    return curves(
        whole(1, rounds, is_closed=True),
        curve("by chance", chance, Colour.ASIDE, is_floor=True),
        curve(f"power {exponent}", lambda x: [_as_it_was(exponent, int(one)) for one in x], Colour.COMPUTE),
        curve("AES's S-box", lambda x: [_as_it_was(None, int(one)) for one in x], Colour.BOUND, is_bold=True),
        marks=[
            at(
                "one round",
                1,
                on="AES's S-box",
                text=lambda y: f"1 round: {format_quantity(y, 'fraction', 2)}",
                is_fixed=True,
            )
        ],
        top=1.0,
    )


BOARD = Board(
    name="feistel",
    time_stamp="2:08:29",
    title="A round that can be undone",
    question="How can a function that has no inverse be part of a step that has one?",
    caption="One half goes through f and is added to the other; it is also kept as it is, so that f of it can be"
    " subtracted again. f is only ever run forwards. After each round the halves, here of a byte, change places.",
    formula=(
        Term(tex=r"(x,\,y)\;\to\;("),
        Term(tex=r"y+f(x)", colour=Colour.BOUND),
        Term(tex=r",\;"),
        Term(tex=r"x", colour=STAYS),
        Term(tex=r"),\qquad"),
        Term(tex=r"y\;=\;z-f(x)", colour=CHANGES),
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
            called="exponent in f",
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
            heading="What rounds leave unchanged",
            x=Axis(caption="rounds", dimension="count"),
            y=Axis(caption="share of the half", dimension="fraction"),
            compute=_left,
        ),
    ),
    claims=("E1", "E2", "E7"),
    exercises=("ciphers-forward", "ciphers-back"),
)
