"""A torus or switches: what all-to-all loses, and the cables of a domain."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ridgeline.boards.board import Board, Term, Values, View
from ridgeline.boards.constant import filled_in
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture.layouts import controls_layouts
from ridgeline.boards.lecture.layouts.controls_layouts import count_text
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import at, curve, curves, logarithmic
from ridgeline.equations import racks
from ridgeline.quantity_text import format_number

__all__ = ["BOARD"]

FEWEST, MOST = 4.0, 9216.0
"""Chips of a domain that are drawn: up to a pod of TPU v7."""


def _torus(values: Values) -> Curves:
    def ratio(chips: Any) -> Any:  # noqa: ANN401  a number or many
        return racks.torus_over_switch(chips=chips, axes=values["axes"])

    chips, axes = values["chips"], values["axes"]
    name = f"torus of\n{count_text(axes)} axes" if axes > 1 else "ring"
    return curves(
        logarithmic(FEWEST, MOST, is_closed=True),
        curve("switch", 1.0, Colour.LINKS),
        curve(name, ratio, Colour.BOUND, is_bold=True),
        marks=[at("chips", chips, on=name, text=lambda times: f"{count_text(chips)} chips: {format_number(times)}")],
        top=2 * float(ratio(MOST)),
        bottom=0.5,
    )


def _over_chips(equation: Callable[..., Any], chips: Any, **values: float) -> Any:  # noqa: ANN401  a number or many
    return equation(chips=chips, **values)


def _cables(values: Values) -> Curves:
    chips, each = values["chips"], values["cables_per_chip"]
    switch = partial(_over_chips, racks.switch_cables, cables_per_chip=each)
    direct = partial(_over_chips, racks.direct_cables, cables_per_chip=each)
    return curves(
        logarithmic(FEWEST, MOST, is_closed=True),
        curve("one per pair", partial(_over_chips, racks.mesh_cables), Colour.ALSO),
        curve("to switches", switch, Colour.LINKS),
        curve("to neighbours", direct, Colour.BOUND, is_bold=True),
        marks=[
            at(
                "cables to neighbours", chips, on="to neighbours", text=lambda all_: f"{all_:,.0f} cables to neighbours"
            ),
            at(
                "cables to switches",
                chips,
                on="to switches",
                text=lambda all_: f"{all_:,.0f} to switches",
                colour=Colour.LINKS,
            ),
        ],
        top=2 * float(max(racks.mesh_cables(chips=MOST), switch(MOST))),
        bottom=0.5 * float(min(racks.mesh_cables(chips=FEWEST), direct(FEWEST))),
    )


BOARD = Board(
    name="wires",
    time_stamp="0:42:20",
    title="A torus, or switches",
    question="Which needs more cables, and which more time: chips joined to their neighbours, or chips on switches?",
    caption="All cables are equally fast and every chip has the same number of them, so both layouts can send the"
    " same in total. In a torus, two chips share each cable. Twice the chips need twice the cables in the same rack."
    " The torus has equal sides and rings along every axis. NVIDIA's racks have switches, Google's pods are tori.",
    formula=(
        Term(tex=r"\dfrac{t_{torus}}{t_{switch}}", colour=Colour.BOUND),
        Term(tex=r"\;=\;\dfrac{a\,n^{1/a}}{4}\,\dfrac{n}{n-1},\qquad\mathrm{cables}\;=\;"),
        Term(tex=r"\dfrac{w\,n}{2}", colour=Colour.BOUND),
        Term(tex=r"\;\;\mathrm{or}\;\;"),
        Term(tex=r"w\,n", colour=Colour.LINKS),
        Term(tex=r"\;\;\mathrm{or}\;\;"),
        Term(tex=r"\dfrac{n(n-1)}{2}", colour=Colour.ALSO),
    ),
    controls=(
        controls_layouts.chips(low=FEWEST, high=MOST, meaning="chips"),
        controls_layouts.axes(lecture=filled_in(1, why="two cables a chip join two neighbours"), high=4),
        controls_layouts.cables_per_chip(),
    ),
    views=(
        View(
            equations=(1,),
            heading="Cables of a rack",
            x=Axis(caption="chips of a rack or pod", dimension="count", is_logarithmic=True),
            y=Axis(caption="cables in total", dimension="count", is_logarithmic=True),
            compute=_cables,
        ),
        View(
            heading="Time of all-to-all",
            x=Axis(caption="chips of a rack or pod", dimension="count", is_logarithmic=True),
            y=Axis(caption="all-to-all time, relative to switches", dimension="count", is_logarithmic=True),
            compute=_torus,
        ),
    ),
    claims=("B21", "B22", "B27"),
    exercises=("racks-torus", "racks-cables"),
    has_model=False,
    first_move=FirstMove(
        control="cables_per_chip",
        to=128.0,
        then="cables to switches and to neighbours rise, and one per pair stays",
        seen=(
            Moves(what="to switches", way=Way.UP),
            Moves(what="to neighbours", way=Way.UP),
            Moves(what="one per pair", way=Way.STAYS),
        ),
    ),
)
