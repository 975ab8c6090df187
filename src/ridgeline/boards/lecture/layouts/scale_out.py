"""Experts over more than one rack: the slower network decides how long the all-to-all takes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ridgeline.boards.board import Board, Term, Values, View
from ridgeline.boards.companions import TwoNetworks
from ridgeline.boards.first_move import FirstMove, Moves, Says, Way
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.layouts import controls_layouts
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import at, curve, curves, whole
from ridgeline.equations import collectives
from ridgeline.quantity_text import format_number

__all__ = ["BOARD", "between", "inside"]

MOST_RACKS = 8


def between(values: Values, racks: Any) -> Any:  # noqa: ANN401  a number or many
    """Time of the traffic that leaves a rack, over slower links, over the time of all traffic inside one rack."""
    return values["link_ratio"] * np.asarray(collectives.others_fraction(ranks=racks))


def inside(racks: Any) -> Any:  # noqa: ANN401  a number or many
    """Time of the traffic that stays in a rack, over the same time."""
    return 1 - np.asarray(collectives.others_fraction(ranks=racks))


def _racks(values: Values, ratio: float) -> str:
    count = values["racks"]
    return f"{count:.0f} rack{'s' if count > 1 else ''}: {format_number(ratio)} times"


def _networks(values: Values) -> TwoNetworks:
    """Both networks under the traffic of the racks that are set."""
    racks, ratio = round(values["racks"]), values["link_ratio"]
    of = f"1/{racks} of a rack's traffic" if racks > 1 else "all traffic"
    slower = f"{format_number(ratio)} times slower" if ratio > 1 else "no slower"
    return TwoNetworks(
        racks=racks,
        link_ratio=ratio,
        inside=float(inside(racks)),
        between=float(between(values, racks)),
        inside_text=f"{of} stays inside it",
        between_text=f"{racks - 1}/{racks} leaves it, {slower}" if racks > 1 else "none leaves it",
        text="Times beside that of all traffic inside one rack",
    )


def _scale_out(values: Values) -> Curves:
    return curves(
        whole(1, MOST_RACKS),
        curve("the links' ratio", values["link_ratio"], Colour.ASIDE, is_floor=True),
        curve("between racks", lambda racks: between(values, racks), Colour.AWAY),
        curve("inside a rack", inside, Colour.LINKS),
        curve(
            "all-to-all",
            lambda racks: np.maximum(inside(racks), between(values, racks)),
            Colour.BOUND,
            is_bold=True,
        ),
        marks=[
            at("racks", values["racks"], on="all-to-all", text=lambda ratio: _racks(values, ratio)),
            at(
                "one rack",
                1.0,
                on="inside a rack",
                text="1 rack: 1",
                colour=Colour.LINKS,
                is_fixed=True,
                crosses="all-to-all",
            ),
        ],
        top=1.1 * max(1.0, values["link_ratio"]),
        companion=_networks(values),
    )


BOARD = Board(
    name="scale-out",
    time_stamp="0:39:40",
    title="Experts on more than one rack",
    question="How much longer does the all-to-all take when a layer's experts are spread over several racks?",
    caption="Both networks are busy at once, so the slower one decides. Tokens choose experts evenly, and each"
    " rack holds an equal share of them.",
    formula=(
        Term(tex=r"\dfrac{t_{a2a}}{t_{rack}}", colour=Colour.BOUND),
        Term(tex=r"\;=\;\max(\;"),
        Term(tex=r"\dfrac{1}{n_r}", colour=Colour.LINKS),
        Term(tex=r",\;\;"),
        Term(tex=r"\rho\,\dfrac{n_r-1}{n_r}", colour=Colour.AWAY),
        Term(tex=r"\;)"),
    ),
    controls=(
        controls_layouts.racks(MOST_RACKS),
        controls.link_speeds(),
    ),
    views=(
        View(
            x=Axis(caption="racks that share the experts", dimension="count"),
            y=Axis(caption="all-to-all time, relative to one rack", dimension="count"),
            compute=_scale_out,
        ),
    ),
    claims=("B46", "B3", "B4", "B22"),
    exercises=("racks-links", "racks-two-racks"),
    has_model=False,
    first_move=FirstMove(
        control="link_ratio",
        to=2.0,
        then="the curve falls: two racks take no longer than one",
        seen=(
            Moves(what="", way=Way.DOWN),
            Says(text="2 racks: 1 times"),
        ),
    ),
)
