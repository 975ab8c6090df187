"""A Feistel round there and back, as drawn on the board, and what rounds leave as it was."""

from __future__ import annotations

from ridgeline.boards.board import Board, Control, Term, Values, View
from ridgeline.boards.constant import filled_in
from ridgeline.boards.first_move import FirstMove, Says
from ridgeline.boards.flows import Flip, Halves
from ridgeline.boards.lecture.cryptography import mixing
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import Form, at, curve, curves, whole
from ridgeline.laboratory import ciphers
from ridgeline.quantity_text import counted, format_quantity

__all__ = ["BOARD"]

HALVES = 3, 5
"""Pair of halves that the drawing takes through its rounds."""

BITS = (mixing.BYTE - 1).bit_length()
"""Bits of a half."""

MOST_ROUNDS = 16

STAYS, CHANGES = Colour.ALSO, Colour.BOUND
"""Colours of the half that stays, and of the half that is added to."""


def _through(exponent: int, halves: tuple[int, int], rounds: int) -> list[tuple[int, int]]:
    """Both halves before each round, and after the last."""
    function = mixing.power_of_byte(exponent)
    return [mixing.byte_rounds(function, halves, count) for count in range(rounds + 1)]


def _flip(exponent: int, without: list[tuple[int, int]], bit: int) -> Flip:
    """Rounds with one bit of the pair flipped, counted from the lowest of the right half."""
    left, right = HALVES
    flipped = (left ^ (1 << bit >> BITS), right ^ (1 << bit) % mixing.BYTE)
    found = _through(exponent, flipped, len(without) - 1)
    differing = tuple(
        sum((one ^ other).bit_count() for one, other in zip(here, there, strict=True))
        for here, there in zip(found, without, strict=True)
    )
    lefts, rights = zip(*found, strict=True)
    rounds = counted(len(without) - 1, "round")
    return Flip(
        left=lefts,
        right=rights,
        differing=differing,
        text=f"one bit flipped: {differing[-1]} of {2 * BITS} bits differ after {rounds}",
    )


def _rounds(values: Values) -> Halves:
    exponent, rounds = int(values["exponent"]), int(values["rounds"])
    function = mixing.power_of_byte(exponent)
    there = _through(exponent, HALVES, rounds)
    back = [there[-1]]
    for _ in range(rounds):
        left, right = back[-1]
        found = ciphers.feistel_inverse(left=left, right=right, round_functions=[function], modulus=mixing.BYTE)
        back.append((int(found[0]), int(found[1])))
    lefts, rights = zip(*there, strict=True)
    lefts_back, rights_back = zip(*back, strict=True)
    return Halves(
        left=lefts,
        right=rights,
        left_back=lefts_back,
        right_back=rights_back,
        through=tuple(int(function(left)) for left in lefts[:-1]),
        function=f"x^{exponent}",
        modulus=mixing.BYTE,
        bits=BITS,
        flips=tuple(_flip(exponent, there, bit) for bit in reversed(range(len(HALVES) * BITS))),
        text=f"{lefts[0]} and {rights[0]} become {lefts[-1]} and {rights[-1]}, and again {lefts_back[-1]} and"
        f" {rights_back[-1]}",
    )


def _as_they_were(function: tuple[int, ...]) -> Form:
    """Fraction of the halves that come out as one that went in, by rounds."""
    return lambda rounds: [mixing.left_as_they_were_fractions(function, MOST_ROUNDS)[int(one) - 1] for one in rounds]


def _left(values: Values) -> Curves:
    rounds, exponent = int(values["rounds"]), int(values["exponent"])
    powers = tuple(map(int, map(mixing.power_of_byte(exponent), range(mixing.BYTE))))
    chance = 2 / mixing.BYTE
    return curves(
        whole(1, rounds, is_closed=True),
        curve("by chance", chance, Colour.ASIDE, is_floor=True),
        curve(f"power {exponent}", _as_they_were(powers), Colour.COMPUTE),
        curve("AES's S-box", _as_they_were(mixing.AES.table), Colour.BOUND, is_bold=True),
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
    caption="The first half goes through f, and the result is added to the second. The first half is also kept as it"
    " is, so that f of it can be subtracted again. f is only ever run forwards. After each round the halves,"
    " here of a byte, change places.",
    formula=(
        Term(tex=r"(x_1,\,x_2)\;\to\;("),
        Term(tex=r"x_2+f(x_1)", colour=Colour.BOUND),
        Term(tex=r",\;"),
        Term(tex=r"x_1", colour=Colour.ALSO),
        Term(tex=r"),\qquad"),
        Term(tex=r"x_2\;=\;y_1-f(x_1)", colour=Colour.ALSO),
    ),
    controls=(
        Control(
            name="rounds",
            meaning="rounds",
            dimension="count",
            low=2,
            high=MOST_ROUNDS,
            lecture=filled_in(6, why="a few, for the drawing"),
            careful=6,
            is_whole=True,
        ),
        Control(
            name="exponent",
            meaning="as the power that f takes",
            called="exponent of f",
            dimension="count",
            low=1,
            high=8,
            lecture=filled_in(2, why="squaring, which nothing undoes"),
            careful=2,
            is_whole=True,
        ),
    ),
    views=(
        View(heading="There and back", compute=_rounds),
        View(
            equations=(1,),
            heading="What rounds leave unchanged",
            x=Axis(caption="rounds", dimension="count"),
            y=Axis(caption="share of the half", dimension="fraction"),
            compute=_left,
        ),
    ),
    claims=("E1", "E2", "E7"),
    exercises=("ciphers-forward", "ciphers-back"),
    first_move=FirstMove(
        control="rounds",
        to=12.0,
        then="3 and 5 become 163 and 5, and still come back",
        seen=(Says(text="3 and 5 become 163 and 5, and again 3 and 5"),),
    ),
)
