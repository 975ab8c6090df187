"""Places of a cache: the cost of each memory to bring it back and to hold it, and the time to read it whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np

from ridgeline.boards.board import NEXT, Board, Term, Values, View
from ridgeline.boards.constant import said
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.numbers import (
    ACTIVE_PARAMS,
    NEXT_CHIP,
    NEXT_FLOP_PER_S,
    NEXT_HBM_BYTES,
)
from ridgeline.boards.lecture.prices.cache_places import HELD_S, TOKENS, Place, cost_lines, places_of
from ridgeline.boards.lecture.prices.cache_prices import (
    HIT_USD,
    INPUT_USD,
    MOMENTS,
    WRITE_HOUR_USD,
    WRITE_USD,
    reached_fraction,
)
from ridgeline.boards.lecture.prices.drain_times import DIGITS, DRAIN_EQUATION, NUMBERS, VIEW, drained
from ridgeline.boards.lecture.prices.stores import hold_text, retrieve_text, stores
from ridgeline.boards.picture import Axis, Colour, Curves, Dots, Sheet
from ridgeline.boards.pictures import At, at, curve, curves, logarithmic
from ridgeline.caching.envelope import cheapest, envelope
from ridgeline.numeric import Numeric
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARD", "HIT_EQUATION", "TOKENS", "changes", "drain_text"]

CHEAPEST = "cheapest"
NEXT_HBM_BYTES_PER_S = said(20e12, "0:24:22", of=NEXT_CHIP, beside="A16")
FOOT = 0.15
"""Start of the axis as a part of the least cost of bringing a cache back: below it lies HBM alone."""


def _least(places: Mapping[str, Place], held_s: Numeric) -> Numeric:
    costs = [np.asarray(place.cost_usd(held_s)) + 0 * held_s for place in places.values()]
    return np.asarray(np.minimum.reduce(costs), dtype=float)


def _best(places: Mapping[str, Place], held_s: float) -> str:
    """Name of the cheapest place for a holding time."""
    return cheapest(cost_lines(places), held_s).name


def _changes(places: Mapping[str, Place]) -> dict[tuple[str, str], float]:
    """Times at which the cheapest place changes, s, by the old and the new place, as far as is drawn."""
    spans = [span for span in envelope(cost_lines(places)) if span.to_s > HELD_S[0] and span.from_s < HELD_S[1]]
    return {(here.name, there.name): there.from_s for here, there in pairwise(spans)}


def changes(values: Values) -> tuple[tuple[tuple[str, str], float], ...]:
    """Changes of the cheapest place by the values of the board's controls, in their order."""
    return tuple(_changes(places_of(values)).items())


def _marks(places: Mapping[str, Place]) -> list[At]:
    """Marks where the cheapest place changes, and at the two times for which caches are sold."""
    moments = [
        at(f"{text} in the cheapest", held_s, on=CHEAPEST, text=text, colour=Colour.ASIDE, is_fixed=True, is_quiet=True)
        for text, held_s in MOMENTS.items()
    ]
    changes = [
        at(
            f"{here} to {there}",
            held_s,
            on=CHEAPEST,
            text=f"{there} from {format_quantity(held_s, 'duration', DIGITS)}",
            colour=places[there].colour,
            is_fixed=here != "HBM",  # the others hang on prices alone
        )
        for (here, there), held_s in _changes(places).items()
    ]
    return changes + moments


def _list_prices() -> Dots:
    """List prices of a cache that is written, kept and hit once, beyond reading it the first time."""
    asked = [TOKENS * (write.value - INPUT_USD.value + HIT_USD.value) for write in (WRITE_USD, WRITE_HOUR_USD)]
    return Dots(
        name="list price, kept and hit once",
        x=np.array(list(MOMENTS.values())),
        y=np.array(asked),
        labels=tuple(f"list, {text}" for text in MOMENTS),
        colour=Colour.MONEY,
    )


def _tiers(values: Values) -> Curves:
    places = places_of(values)
    costs, listed = [place.cost_usd(HELD_S[1]) for place in places.values()], _list_prices()
    return curves(
        logarithmic(*HELD_S),
        curve(CHEAPEST, partial(_least, places), Colour.MONEY, is_bold=True),
        *(curve(name, place.cost_usd, place.colour) for name, place in places.items()),
        curve("list: uncached", TOKENS * INPUT_USD.value, Colour.ASIDE, is_floor=True),
        marks=_marks(places),
        dots=(listed,),
        top=2 * max(*map(float, costs), *map(float, listed.y)),
        bottom=FOOT * min(place.retrieve_usd for place in places.values() if place.retrieve_usd),
        companion=stores(places),
    )


def _row(name: str, place: Place) -> tuple[str, ...]:
    held, retrieve = hold_text(place), retrieve_text(place)
    # Four columns are little room.
    read = "-" if place.drain_s is None else drained(place.drain_s).replace(" minutes", " min").replace(" hours", " h")
    return name, retrieve, held, read


def drain_text(values: Values, tier: str) -> str:
    """Time to read all of a tier that holds something, as claims have it."""
    drain_s = places_of(values)[tier].drain_s
    if drain_s is None:
        raise ValueError(f"{tier} holds nothing to read; ask for HBM, DDR, flash or disk")
    return drained(drain_s)


def _table(values: Values) -> Sheet:
    places = places_of(values)
    best = {text: _best(places, held_s) for text, held_s in MOMENTS.items()}
    return Sheet(
        columns=("", "retrieve", "hold 1 h", "drain"),
        rows=tuple(_row(name, place) for name, place in places.items()),
        text="1B tokens; best " + ", ".join(f"{text}: {name}" for text, name in best.items()),
        bold=tuple(sorted({list(places).index(name) for name in best.values()})),
    )


HIT_EQUATION = (
    Term(tex=r"\dfrac{\$}{\mathrm{hit}}", colour=Colour.MONEY),
    Term(tex=r"\;=\;\min(\;"),
    Term(tex=r"\dfrac{\beta\,t_h}{C}\,\$_{chip}", colour=Colour.KV),
    Term(tex=r",\;r_i+h_i\,t_h,\;"),
    Term(tex=r"\dfrac{2\,N_a}{\eta_F\,F}\,\$_{chip}", colour=Colour.COMPUTE),
    Term(tex=r"\;)"),
)
"""Cost of a hit in the cheapest place; what a chip costs that holds a cache, or computes it again, is written out."""

BOARD = Board(
    name="tiers",
    time_stamp="1:56:50",
    title="Where a KV cache waits",
    question="Which memory is cheapest to keep a cache in until its next use?",
    caption="Cost of a hit: fetching a cache once, and holding it until then. He goes by the time in which each tier"
    " can be read whole, the last picture. A chip is rented. DDR, flash and disk are bought at"
    " the catalog's price and last four years. You pay only for the share of a device that you use. List"
    " prices are Claude Opus 4.5's.",
    formula=(
        Term(tex=r"\dfrac{\$}{\mathrm{hit}}", colour=Colour.MONEY),
        Term(tex=r"\;=\;\min_i\,(r_i\;+\;h_i\,t_h)"),
        Term(
            tex=r",\qquad r_i=\dfrac{\beta}{W_i}\,\$_i,\qquad h_i=\dfrac{\beta}{C_i}\,\$_i"
            r",\qquad t_h^{*}=\dfrac{r_j-r_i}{h_i-h_j}"
        ),
        NEXT,
        *DRAIN_EQUATION,
    ),
    controls=(
        controls.active_params(ACTIVE_PARAMS),
        controls.flop_per_s(NEXT_FLOP_PER_S),
        reached_fraction(),
        controls.usd_per_chip_s(),
        controls.hbm_bytes(NEXT_HBM_BYTES),
        replace(controls.hbm_bytes_per_s(), lecture=NEXT_HBM_BYTES_PER_S),
        controls.kv_bytes_per_token(),
    ),
    views=(
        View(
            compute=_tiers,
            heading="Cost of a hit",
            x=Axis(
                caption="time until the next use",
                dimension="duration",
                is_logarithmic=True,
            ),
            y=Axis(caption="cost of a billion tokens", dimension="usd", is_logarithmic=True),
        ),
        View(equations=(1, 2), compute=_table, heading="To retrieve and to hold"),
        VIEW,
    ),
    letter_numbers=NUMBERS,
    claims=("D12", "D13", "D14", "D21", "D15", "D16", "D17", "D24", "D25", "D26", "E9"),
    exercises=("tiers-drain", "tiers-hold", "tiers-recompute", "tiers-break-even", "prices-hits"),
    first_move=FirstMove(
        control="kv_bytes_per_token",
        to=200e3,
        then="every store rises, and computing again stays",
        seen=(
            Moves(what="", way=Way.UP),
            Moves(what="recompute", way=Way.STAYS),
        ),
    ),
)
