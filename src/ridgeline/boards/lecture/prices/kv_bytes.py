"""KV bytes a token of all models of the catalog, beside those for which the crossover lies at the price step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import isclose

import numpy as np

from ridgeline.boards.board import Board, LetterNumber, Term, Values, View
from ridgeline.boards.companions import Bar, BarGroup, Bars, Length
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.numbers import ACTIVE_PARAMS, BALANCE_RATIO, STEP_TOKENS
from ridgeline.boards.lecture.prices.shapes import ACTIVE, Shape, shapes
from ridgeline.boards.picture import Axis, Colour, Curves, Dots
from ridgeline.boards.pictures import at, curve, curves, logarithmic
from ridgeline.equations import pricing
from ridgeline.numeric import Numeric
from ridgeline.quantity_text import format_number, format_quantity

__all__ = ["BOARD", "CROSSOVER_EQUATION", "own_crossover_bytes"]

FEWEST_PARAMS, MOST_PARAMS = 4e8, 2e12
FEWEST_BYTES, MOST_BYTES = 3e2, 2e7
GROUPS = {
    Colour.KV: "reads the whole KV cache",
    Colour.ALSO: "windows or states in most layers",
    Colour.BOUND: "reads a part (index, summaries)",
}
"""Names of groups of kinds of attention, by the colour that they share."""
SHORT_NAMES = {"deepseek-v4-pro": "V4-Pro"}
"""Names of models between the lines, where the family's is only said at another."""
FEW = 2
"""Number of models that are drawn beside the board's."""
NEAR_PARAMS, NEAR_BYTES = 1.12, 1.15
"""Factors within which two models share a name's place."""


def _crossover_bytes(values: Values, params: Numeric) -> Numeric:
    """KV bytes per token at which reading the context takes as long as computing a token of so many parameters."""
    return pricing.kv_bytes_at_crossover(
        active_params=params,
        bytes_per_param=values["bytes_per_param"],
        balance_ratio=values["balance_ratio"],
        context_tokens=values["context_tokens"],
    )


def own_crossover_bytes(values: Values) -> float:
    """KV bytes per token at which the board's own model crosses over at its context."""
    return float(_crossover_bytes(values, values["active_params"]))


def _kv_bytes(values: Values) -> Curves:
    params, crossover_bytes = values["active_params"], partial(_crossover_bytes, values)
    here = format_quantity(own_crossover_bytes(values), "bytes")
    count = format_quantity(params, "count", 3)
    context = format_quantity(values["context_tokens"], "count", 3)
    crossover = f"crossover\nat {context} tokens"
    there = shapes(values["context_tokens"])
    return curves(
        logarithmic(FEWEST_PARAMS, MOST_PARAMS),
        curve(f"at the crossover: {here}", own_crossover_bytes(values), Colour.ASIDE, is_floor=True),
        curve(crossover, crossover_bytes, Colour.BOUND, is_bold=True),
        marks=[at("crossover at that context", params, on=crossover, text=f"{count} active: {here}")],
        # The largest group, which lies in many places, finds room for its names last.
        dots=tuple(sorted(_dots(there, own_crossover_bytes(values)), key=lambda dots: len(dots.x))),
        top=MOST_BYTES,
        bottom=FEWEST_BYTES,
        companion=_both_times(values, there),
    )


def _both_times(values: Values, there: Sequence[Shape]) -> Bars:
    """Computing of a token beside reading its context: of the board's model, and of those that read least."""
    own, params = own_crossover_bytes(values), values["active_params"]
    context = format_quantity(values["context_tokens"], "count", 3)

    def group(name: str, active_params: float, read_bytes: float, *, answers: bool | None = None) -> BarGroup:
        computing, reading = active_params / params, read_bytes / own
        ratio = reading / computing
        size, cache = format_quantity(active_params, "count", 3), format_quantity(read_bytes, "bytes", 3)
        short = name.split("-", 1)[-1]
        than = "as long" if isclose(ratio, 1) else f"{format_number(ratio, 2)}× computing"
        return BarGroup(
            names=(
                f"{name}{size} active, {cache} a token",
                f"{short}{size} active, {cache} a token",
                f"{name}{size}",
                short.rstrip(": ") or size,
            ),
            bars=(
                Bar(
                    name="computing",
                    parts=(Length(colour=Colour.COMPUTE, length=computing),),
                    ends=("",),
                    is_strong=ratio <= 1 or isclose(ratio, 1),
                    answers=answers,
                ),
                Bar(
                    name="reading",
                    parts=(Length(colour=Colour.KV, length=reading),),
                    ends=(than,),
                    is_strong=ratio >= 1 or isclose(ratio, 1),
                    answers=answers,
                ),
            ),
        )

    return Bars(
        groups=(
            group("", params, own),
            *(group(f"{one.model.name}: ", one.active_params, one.read_bytes, answers=True) for one in _least(there)),
        ),
        heads=(f"time to compute a token, and to read {context} before it", f"a token, and {context} before it"),
        text="Where reading takes longer than computing at that context, the two were equal at a shorter one",
    )


def _least(there: Sequence[Shape]) -> list[Shape]:
    """Models that read the fewest bytes."""
    return sorted(there, key=lambda one: one.read_bytes)[:FEW]


def _dots(there: Sequence[Shape], floor_bytes: float) -> Iterator[Dots]:
    """Dots of all models, a group for each colour; models that lie on each other are named at the first of them.

    Those that the drawing above compares, whose bytes are fewest, have their names before all others.
    """
    least = _least(there)
    for colour, kinds in GROUPS.items():
        places = _places([one for one in there if one.kind.colour is colour], there)
        # First those of which the walk speaks: they read as few bytes as the line has at the board's model. Next to it
        # there is least room.
        ordered = sorted(places, key=lambda place: _apart_below(place[0], floor_bytes))
        told = tuple(_together(place) for place in ordered if any(one in least for one in place))
        models = [one for place in ordered for one in place]
        labels = [label for place in ordered for label in (_together(place), *[""] * (len(place) - 1))]
        yield Dots(
            name=kinds,
            x=np.array([one.active_params for one in models]),
            y=np.array([one.read_bytes for one in models]),
            labels=tuple(labels),
            colour=colour,
            is_named=True,
            names=tuple(one.model.name for one in models),
            told=told or None,
        )


def _places(found: Sequence[Shape], there: Sequence[Shape]) -> list[list[Shape]]:
    """Models in groups that cannot be told apart, first those in the densest part of all, which find little room."""
    places: list[list[Shape]] = []
    for one in found:
        near = next((place for place in places if _is_near(place[0], one)), None)
        if near is None:
            places.append([one])
        else:
            near.append(one)
    return sorted(places, key=lambda place: sum(_apart(place[0], one) for one in there))


def _apart_below(one: Shape, floor_bytes: float) -> float:
    """The less, the nearer below a floor a model reads; zero above it."""
    return -one.read_bytes if one.read_bytes <= floor_bytes else 0.0


def _is_near(one: Shape, other: Shape) -> bool:
    params, size = (
        abs(np.log(mine / theirs))
        for mine, theirs in ((one.active_params, other.active_params), (one.read_bytes, other.read_bytes))
    )
    return bool(params <= np.log(NEAR_PARAMS) and size <= np.log(NEAR_BYTES))


def _apart(one: Shape, other: Shape) -> float:
    """Distance of two dots, capped where they no longer crowd."""
    return min(
        1.0,
        float(np.hypot(np.log10(one.active_params / other.active_params), np.log10(one.read_bytes / other.read_bytes))),
    )


def _together(place: Sequence[Shape]) -> str:
    return ", ".join(SHORT_NAMES.get(one.model.id, ACTIVE.sub("", one.model.name)) for one in place)


CROSSOVER_EQUATION = (
    Term(tex=r"\beta^{*}", colour=Colour.BOUND),
    Term(tex=r"\;=\;\dfrac{N_a\,b_w}{R\,L}"),
)
"""KV bytes per token at which reading a context takes as long as computing a token."""

BOARD = Board(
    name="kv-bytes",
    time_stamp="1:37:30",
    title="KV bytes per token",
    question="Which models read as few bytes of KV cache per token as a price step implies?",
    caption="Each dot is a model of the catalog: the bytes of KV cache that a decode step reads, per token of"
    " context. Layers with a window or a state count with what they keep. On the line, reading takes as long"
    " as computing.",
    formula=(
        Term(tex=r"\beta", colour=Colour.KV),
        Term(tex=r"\;=\;\dfrac{2\,l\,n_{kv}\,d_h\,b_{kv}}{s_{kv}},\qquad"),
        *CROSSOVER_EQUATION,
    ),
    letter_numbers=(LetterNumber(tex=r"\beta^{*}", value=own_crossover_bytes, dimension="bytes"),),
    controls=(
        controls.context_tokens(lecture=STEP_TOKENS, careful=float(STEP_TOKENS), low=1e3, high=1e7),
        controls.active_params(ACTIVE_PARAMS),
        controls.bytes_per_param(),
        controls.parameters_per_read(BALANCE_RATIO),
    ),
    views=(
        View(
            equations=(1,),
            compute=_kv_bytes,
            x=Axis(caption="active parameters", dimension="count", is_logarithmic=True),
            y=Axis(caption="KV bytes read per token of context", dimension="bytes", is_logarithmic=True),
        ),
    ),
    claims=("D3", "D4", "D5", "D19"),
    exercises=("contexts-cache", "contexts-shared", "prices-cache-bytes"),
    first_move=FirstMove(
        control="context_tokens",
        to=1e6,
        then="the bytes that a crossover there implies fall",
        seen=(Moves(what="crossover at that context", way=Way.DOWN),),
    ),
)
