"""Experts and their copies over the chips of racks: the busiest chip, and the visits that leave their rack."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from ridgeline.boards.board import NEXT, Board, Control, Term, Values, View
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture.layouts import controls_layouts, numbers
from ridgeline.boards.lecture.layouts.traffic import leaving_fraction, traffic, visits
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import Curve, Form, Span, at, curve, curves, whole
from ridgeline.equations import collectives
from ridgeline.estimator import expert_placement
from ridgeline.quantity_text import format_number, format_quantity

__all__ = ["BOARD", "LEAVING_EQUATION"]

STEPS = 33
"""Numbers of copies that a placement is computed for."""

MOST_RACKS = 8
DIGITS = 9
"""Decimals of a load over the mean; further ones are rounding errors."""
GREEDY = "greedy\nplacement"
ONCE, TWICE = "one copy", "two copies"

Copies = tuple[int, ...]

KEPT = 1024
"""Placements that are kept: a turned control leaves most of a picture's as they were."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    """Result of placing a number of copies on the chips of one rack.

    Attributes:
        busiest: visits to the busiest chip over the mean, as placed.
        least: lower bound of that for any placement.
        slots: experts that a chip has room for.
        copies: further copies that are held; the others are left out.
    """

    busiest: float
    least: float
    slots: int
    copies: int


def _held(values: Values, skew: float, redundant_experts: int) -> _Held:
    """Placement with all copies held, on one rack."""
    return _placed(visits(values, skew), int(values["chips"]), redundant_experts)


@lru_cache(maxsize=KEPT)
def _placed(sought: tuple[float, ...], chips: int, redundant_experts: int) -> _Held:
    copies = expert_placement.copies_of_experts(visits=sought, redundant_experts=redundant_experts)
    holders = expert_placement.holders_of_experts(visits=sought, copies=copies, chips=chips)
    (arriving,) = expert_placement.arriving_visits(visits=sought, holders=holders, chips=chips)
    return _Held(
        busiest=expert_placement.load_over_mean(loads=arriving),
        least=expert_placement.least_load_over_mean(visits=sought, copies=copies, chips=chips),
        slots=expert_placement.slots_of_chips(copies=copies, chips=chips),
        copies=redundant_experts,
    )


def _best(values: Values, counts: Sequence[int]) -> Callable[[float], _Held]:
    """Best placement over numbers of copies up to a limit.

    A further copy can need one slot more on every chip, which leaves the greedy placement worse off: it is left out.
    Of numbers that are as good but for rounding, the least is taken.
    """
    held = cache(lambda count: _held(values, values["skew"], count))
    return cache(
        lambda room: min((held(count) for count in counts if count <= room), key=lambda one: round(one.busiest, DIGITS))
    )


def _each(form: Callable[[float], float]) -> Form:
    def over(x: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.array([form(float(one)) for one in x])

    return over


def _text(held: _Held, room: int) -> str:
    copies = f"{held.copies} copies" if held.copies else "no copies"
    left_out = f" of {room}" if held.copies < room else ""
    return f"{copies}{left_out}: {format_number(held.busiest)}\n{held.slots} experts a chip"


def _busiest(values: Values) -> Curves:
    here = int(values["redundant_experts"])
    span = np.unique([*np.linspace(0, max(values["experts"] / 4, 2 * here), STEPS).round(), here])
    best = _best(values, [int(count) for count in span])
    alike = _held(values, numbers.ALIKE.value, 0).busiest
    return curves(
        Span(x=span),
        curve("all equally\npopular", alike, Colour.ASIDE, is_floor=True),
        curve(
            "lower bound",
            _each(lambda room: min(best(room).least, best(room).busiest)),
            Colour.ASIDE,
            is_floor=True,
        ),
        curve(GREEDY, _each(lambda room: best(room).busiest), Colour.BOUND, is_bold=True),
        marks=[at("copies", here, on=GREEDY, text=_text(best(here), here))],
        top=1 + 1.25 * max(0.2, max(alike, best(0).busiest) - 1),
        bottom=0.0,
    )


def _leaving(values: Values, copies: Copies, racks: int) -> float:
    """Part of all visits that leave the rack of their token, where copies in the own rack are preferred."""
    return _leaving_of(visits(values, values["skew"]), copies, racks * int(values["chips"]), racks)


@lru_cache(maxsize=KEPT)
def _leaving_of(sought: tuple[float, ...], copies: Copies, chips: int, racks: int) -> float:
    holders = expert_placement.holders_of_experts(visits=sought, copies=copies, chips=chips)
    arriving = expert_placement.arriving_visits(visits=sought, holders=holders, chips=chips, racks=racks)
    return leaving_fraction(arriving)


def _leaves(name: str, part: float) -> str:
    return f"{name}: {format_quantity(part, 'fraction', 2)}"


def _line(values: Values, name: str, copies: Copies, colour: Colour) -> Curve:
    return curve(name, _each(lambda racks: _leaving(values, copies, int(racks))), colour)


def _traffic(values: Values) -> Curves:
    experts, more = int(values["experts"]), int(values["redundant_experts"])
    some = expert_placement.copies_of_experts(visits=visits(values, values["skew"]), redundant_experts=more)
    held = [_line(values, f"{more} copies", some, Colour.ALSO)] if more else []
    marked = [("racks", ONCE, Colour.BOUND), *(("with copies", one.name, one.colour) for one in held)]
    return curves(
        whole(1, MOST_RACKS, is_closed=True),
        *held,
        _line(values, TWICE, (2,) * experts, Colour.ASIDE),
        curve(ONCE, lambda racks: collectives.others_fraction(ranks=racks), Colour.BOUND, is_bold=True),
        marks=[
            at(what, values["racks"], on=line, text=partial(_leaves, line), colour=colour)
            for what, line, colour in marked
        ],
        top=1.0,
    )


LEAVING_EQUATION = (
    Term(tex=r"\mathrm{leaving}", colour=Colour.BOUND),
    Term(tex=r"\;=\;1-\dfrac{1}{n_r}"),
)
"""Share of a token's visits that leave its rack, where experts lie evenly over racks."""

BOARD = Board(
    name="experts",
    time_stamp="0:34:00",
    title="Experts and their copies on chips",
    question="How evenly do a layer's experts load the chips, and what share of a token's visits leaves its rack?",
    caption="An expert's popularity falls as its rank to the power of -skew. In the lecture all experts are equally"
    " popular. The skew here is an assumption. A copy shares the visits of its expert. One that would add to the load"
    " of the busiest chip is left out. Tokens use the copy in their own rack where there is one.",
    formula=(
        Term(tex=r"\mathrm{busiest}", colour=Colour.BOUND),
        Term(tex=r"\;=\;\dfrac{\max_{\,i}\;u_i}{\bar u}"),
        Term(tex=r",\qquad u_i=\sum_{e\,\in\,i}\;\dfrac{u_e}{c_e}"),
        Term(tex=r",\qquad u_e\propto r_e^{-z}"),
        NEXT,
        *LEAVING_EQUATION,
    ),
    controls=(
        controls_layouts.experts(),
        controls_layouts.active_experts(),
        controls_layouts.chips(low=1, meaning="chips per rack"),
        controls_layouts.copies(),
        Control(
            name="skew",
            meaning="skew",
            called="skew of expert popularity",
            short="popularity skew",
            dimension="count",
            low=0,
            high=2,
            lecture=numbers.SKEW,
            careful=numbers.SKEW.value,
        ),
        controls_layouts.racks(MOST_RACKS),
    ),
    views=(
        View(heading="Racks under traffic", compute=traffic),
        View(
            heading="The busiest chip of a rack",
            x=Axis(caption="slots for extra copies of experts", dimension="count"),
            y=Axis(caption="visits to the busiest chip, relative to the mean", dimension="count"),
            compute=_busiest,
            moved_by=("experts", "active_experts", "chips", "redundant_experts", "skew"),
        ),
        View(
            heading="Visits that leave their rack",
            x=Axis(caption="racks that share the experts", dimension="count"),
            y=Axis(caption="share of a token's visits", dimension="fraction"),
            equations=(3,),
            compute=_traffic,
            moved_by=("experts", "active_experts", "chips", "redundant_experts", "skew", "racks"),
        ),
    ),
    claims=("B1", "B4"),
    exercises=("racks-slots", "racks-busiest", "racks-copies", "racks-local", "sparsity-touched", "sparsity-hot"),
    first_move=FirstMove(
        control="racks",
        to=4.0,
        then="most visits leave their rack",
        seen=(Moves(what="leaving_fraction", way=Way.UP),),
    ),
)
