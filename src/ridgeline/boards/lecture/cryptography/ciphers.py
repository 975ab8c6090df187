"""Avalanche of one changed bit: rounds of ciphers beside layers of networks, and tables of differences."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from ridgeline.boards.board import NEXT, Board, Control, Term, Values, View
from ridgeline.boards.constant import filled_in
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture.cryptography.grids import grids
from ridgeline.boards.lecture.cryptography.mixing import (
    AES,
    PRESENT,
    ROUNDS,
    SAMPLES,
    SIGNS,
    STEP,
    SBox,
    cipher_avalanches,
    network_avalanche,
    residual_network,
)
from ridgeline.boards.picture import Axis, Colour, Curves, Table
from ridgeline.boards.pictures import Form, at, curve, curves, whole
from ridgeline.laboratory import ciphers

__all__ = ["AVALANCHE_EQUATION", "BOARD", "RESIDUAL_EQUATION"]

MOST_SAMPLES = 16

CONVERGED = 0.02
"""Distance from one half below which a block counts as mixed: the mean over a few thousand bits strays by less."""

COLOURS = {
    "AES": Colour.BOUND,
    "PRESENT": Colour.BOUND,
    "Feistel": Colour.ALSO,
    "network\nof signs": Colour.ASIDE,
    "residual\nnetwork": Colour.ALSO,
}
"""Lines that run beside each other differ; the network that keeps its input runs apart from all."""


def _avalanches(values: Values) -> dict[str, tuple[float, ...]]:
    """Fraction of the bits, or signs, that differ after each round or layer, by cipher or network."""
    samples, flipped = int(values["samples"]), int(values["flipped_bits"])
    both = SIGNS, residual_network(values["added_weight"])
    networks = (network_avalanche(one, samples, ROUNDS, flipped) for one in both)
    *by_cipher, signs, residual = COLOURS
    found = cipher_avalanches(samples, int(values["exponent"]), flipped)
    return {name: found[name] for name in by_cipher} | dict(zip((signs, residual), networks, strict=True))


def _by_round(changed: tuple[float, ...]) -> Form:
    return lambda x: [changed[int(one)] for one in np.ravel(x)]


def _avalanche(values: Values) -> Curves:
    rounds, found = int(values["rounds"]), _avalanches(values)
    mixed = {
        name: next((place for place, one in enumerate(y[: rounds + 1]) if abs(one - 0.5) < CONVERGED), None)
        for name, y in found.items()
    }
    return curves(
        whole(0, rounds, is_closed=True),
        curve("one half", 0.5, Colour.ASIDE, is_floor=True),
        *(curve(name, _by_round(y), COLOURS[name], is_bold=name == "AES") for name, y in found.items()),
        marks=[
            at(
                f"{name} mixed",
                place,
                on=name,
                text=f"{name} after {place}",
                colour=COLOURS[name],
                is_fixed=name != "Feistel",
            )
            for name, place in mixed.items()
            if place is not None and name in MARKED
        ],
        top=0.6,
        companion=grids(
            rounds=rounds,
            flipped=int(values["flipped_bits"]),
            added_weight=values["added_weight"],
            samples=int(values["samples"]),
        ),
    )


MARKED = "AES", "PRESENT", "Feistel"
"""Ciphers whose mixing is written at their line; the others show it by their position."""


@cache
def _table(s_box: SBox) -> NDArray[np.float64]:
    """Difference table without the row of no change, which holds all inputs in one cell."""
    table = np.array(ciphers.difference_table(s_box=s_box.table), dtype=np.float64)
    table[0] = 0
    return table


def _present_table(values: Values) -> Table:
    return _differences(PRESENT, len(PRESENT.table), is_written=True)


def _aes_table(values: Values) -> Table:
    return _differences(AES, int(values["changes"]), is_written=False)


def _differences(s_box: SBox, changes: int, *, is_written: bool) -> Table:
    table = _table(s_box)
    return Table(
        values=table[:changes, :changes],
        is_written=is_written,
        text=f"the darker, the more inputs: at most {table.max():.0f} of {len(table)}",
    )


AVALANCHE_EQUATION = (
    Term(tex=r"\Delta_{out}\;=\;\mathrm{AES}(i)\oplus\mathrm{AES}(i\oplus\delta)", colour=Colour.BOUND),
    Term(tex=r"\;\to\;"),
    Term(tex=r"\mathrm{one\;half\;of\;the\;bits}", colour=Colour.ASIDE),
)
"""Change of a cipher's output for a change of a few bits of its input, of one at first."""
RESIDUAL_EQUATION = (
    Term(tex=r"\mathbf{y}"),
    Term(tex=r"\;=\;\mathbf{x}\;+\;\epsilon\,\mathrm{layer}(\mathbf{x})", colour=Colour.ALSO),
    Term(
        tex=r"\;\;\Rightarrow\;\;\dfrac{\partial\mathbf{y}}{\partial\mathbf{x}}\;=\;1\;+\;\epsilon\,\mathrm{layer}'(\mathbf{x})"
    ),
)
"""Residual layer and its derivative, in which the input itself counts one."""

BOARD = Board(
    name="ciphers",
    time_stamp="2:06:17",
    title="How far one changed bit reaches",
    question="After how many rounds does one flipped bit change half of a block, as chance would?",
    caption="Rounds take their keys from the cipher's key schedule. The function of the Feistel network is a power,"
    " of which the middle bits are taken. Networks have random weights, one layer per round. Tables: how many"
    " inputs turn an input change (row) into an output change (column). The row of no change is left out.",
    formula=(
        *AVALANCHE_EQUATION,
        NEXT,
        Term(
            tex=r"\mathrm{table}(\Delta_{in},\Delta_{out})\;=\;\#\{i:\;\mathrm{S}(i)"
            r"\oplus\mathrm{S}(i\oplus\Delta_{in})=\Delta_{out}\}",
            colour=Colour.ASIDE,
        ),
    ),
    controls=(
        Control(
            name="rounds",
            meaning="rounds",
            dimension="count",
            low=2,
            high=ROUNDS,
            lecture=filled_in(ROUNDS, why="AES's"),
            careful=ROUNDS,
            is_whole=True,
        ),
        Control(
            name="flipped_bits",
            meaning="neighbouring bits flipped",
            short="bits flipped",
            dimension="count",
            low=1,
            high=16,
            lecture=filled_in(1, why="one bit, or one sign of a network"),
            careful=1,
            is_whole=True,
        ),
        Control(
            name="added_weight",
            meaning="times what a layer computes is added",
            called="weight of what a residual layer adds",
            short="weight of a layer",
            dimension="count",
            low=0.01,
            high=10,
            lecture=filled_in(STEP, why="so that all layers add as much as came in"),
            careful=STEP,
        ),
        Control(
            name="samples",
            meaning="blocks averaged over",
            called="blocks in the average",
            short="blocks averaged",
            dimension="count",
            low=1,
            high=MOST_SAMPLES,
            lecture=filled_in(SAMPLES, why="enough for a steady average"),
            careful=SAMPLES,
            is_whole=True,
        ),
        Control(
            name="exponent",
            meaning="as the power of the Feistel function",
            called="exponent of the Feistel function",
            short="exponent",
            dimension="count",
            low=1,
            high=8,
            lecture=filled_in(2, why="squaring, which nothing undoes"),
            careful=2,
            is_whole=True,
        ),
        Control(
            name="changes",
            meaning="rows of AES's table shown",
            short="AES rows",
            dimension="count",
            low=16,
            high=256,
            lecture=filled_in(64, why="as many as the drawing holds"),
            careful=64,
            is_whole=True,
        ),
    ),
    views=(
        View(
            heading="Avalanche",
            x=Axis(caption="rounds", dimension="count", is_whole=True),
            y=Axis(caption="share of bits changed", dimension="fraction"),
            compute=_avalanche,
            moved_by=("rounds", "flipped_bits", "added_weight", "samples", "exponent"),
        ),
        View(
            equations=(1,),
            heading="PRESENT's S-box",
            x=Axis(caption="change of the output", dimension="count"),
            y=Axis(caption="change of the input", dimension="count"),
            compute=_present_table,
        ),
        View(
            equations=(1,),
            heading="AES's S-box",
            x=Axis(caption="change of the output", dimension="count"),
            y=Axis(caption="change of the input", dimension="count"),
            compute=_aes_table,
        ),
    ),
    claims=("E5", "E6", "E8", "E10", "E11"),
    exercises=("ciphers-linear", "ciphers-table", "ciphers-rotation", "ciphers-permutation"),
    first_move=FirstMove(
        control="exponent",
        to=1.0,
        then="the Feistel network never mixes: its line falls, far below one half",
        seen=(Moves(what="Feistel", way=Way.DOWN),),
    ),
)
