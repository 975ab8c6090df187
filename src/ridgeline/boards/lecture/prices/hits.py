"""Hit rates of a cache: the size that they need, for how long it then holds, and the first token that money buys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from ridgeline.boards.board import Board, Control, Term, Values, View
from ridgeline.boards.constant import filled_in
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.numbers import ACTIVE_PARAMS, NEXT_FLOP_PER_S
from ridgeline.boards.lecture.prices.cache_prices import DDR, DISK, FLASH, LIFE_S, reached_fraction
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import at, curve, curves, logarithmic
from ridgeline.caching.tiers import Ownership, bought_tier
from ridgeline.catalog.storage import storage_device
from ridgeline.equations import caching
from ridgeline.equations.roofline import FLOP_PER_PARAM
from ridgeline.numeric import Numeric
from ridgeline.quantity_text import format_quantity
from ridgeline.seconds import DAY_S, FIVE_MINUTES_S, HOUR_S, MINUTE_S, YEAR_S

__all__ = [
    "BOARD",
    "CONVERSATION_PROMPT_TOKENS",
    "CONVERSATION_REUSED_FRACTION",
    "CONVERSATION_REUSE_S",
    "CONVERSATION_TOKENS_PER_S",
]

CONVERSATION_REUSED_FRACTION, CONVERSATION_REUSE_S = 0.366, 213.0
CONVERSATION_TOKENS_PER_S, CONVERSATION_PROMPT_TOKENS = 41.8e3, 12.3e3
"""Tokens a second and mean prompt of Mooncake's conversation trace, in blocks of 512 tokens, as ``ridgeline trace
--hit-rates`` finds them.
"""

TRACE = "Mooncake's conversation trace"

MOMENTS = {"1 min": MINUTE_S, "5 min": FIVE_MINUTES_S, "1 h": HOUR_S}
LEAST_S, MOST_S = 1.0, HOUR_S
"""Holding times that the axis covers at least, s."""
POINTS = 121
TIERS = {"DDR": (DDR, Colour.ASIDE), "flash": (FLASH, Colour.ALSO), "disk": (DISK, Colour.BOUND)}
HIT_RATE, QUICKEST = "hit rate", "quickest"
DIGITS = 2
ABOVE = 1.15
"""End of the axis, as a multiple of the longest time to a first token."""
ROOM, LEAST_TOP = 1.15, 0.05
"""Top of the upright axis of hit rates, as a multiple of the reused fraction, and the least top."""
BEYOND = 1.5
"""Least end of the size axis, as a multiple of the hosts' memory."""


def _of_log(values: Values) -> dict[str, float]:
    """Statistics of the arriving prompts and of their reuse."""
    return {
        "tokens_per_s": values["prompt_tokens_per_s"],
        "kv_bytes_per_token": values["kv_bytes_per_token"],
        "reused_fraction": values["reused_fraction"],
        "mean_reuse_s": values["mean_reuse_s"],
    }


def _found(values: Values, capacity_bytes: Numeric) -> Numeric:
    """Hit rate of a cache of a size."""
    return caching.found_fraction(
        reused_fraction=values["reused_fraction"],
        mean_reuse_s=values["mean_reuse_s"],
        held_s=caching.hold_time_s(**_of_log(values), capacity_bytes=capacity_bytes),
    )


def _held(values: Values, held_s: float) -> float:
    return float(caching.held_bytes(**_of_log(values), held_s=held_s))


@dataclass(frozen=True, slots=True, kw_only=True)
class Bought:
    """Devices of one kind, one behind each chip.

    Attributes:
        fetch_s: time to bring a token back, from all devices at once, s.
        usd_per_byte_year: cost of holding a byte for a year, $.
        colour: colour of their line.
    """

    fetch_s: float
    usd_per_byte_year: float
    colour: Colour


def _bought(values: Values) -> Mapping[str, Bought]:
    found = {}
    for name, (device, colour) in TIERS.items():
        tier = bought_tier(storage_device(device), name, owned=Ownership(life_s=LIFE_S))
        found[name] = Bought(
            fetch_s=values["kv_bytes_per_token"] / (values["chips"] * tier.bytes_per_s),
            usd_per_byte_year=YEAR_S * tier.hold_usd_per_byte_s,
            colour=colour,
        )
    return found


def _said(held: str, found: float) -> str:
    return f"held {held}: {format_quantity(found, 'fraction', DIGITS)}"


def _hits(values: Values) -> Curves:
    ddr_bytes = values["chips"] * storage_device(DDR).capacity()
    return curves(
        logarithmic(_held(values, LEAST_S), max(_held(values, MOST_S), BEYOND * ddr_bytes), points=POINTS),
        curve("seen before", values["reused_fraction"], Colour.ASIDE, is_floor=True),
        curve(HIT_RATE, partial(_found, values), Colour.KV, is_bold=True),
        marks=[
            at(
                f"held {text}",
                _held(values, held_s),
                on=HIT_RATE,
                text=partial(_said, text),
                colour=Colour.KV,
            )
            for text, held_s in MOMENTS.items()
        ]
        + [at("host memory", ddr_bytes, on=HIT_RATE, text="the hosts' DDR", colour=Colour.ASIDE, is_quiet=True)],
        top=max(ROOM * values["reused_fraction"], LEAST_TOP),
    )


def _read_s(values: Values) -> float:
    """Time to read a token, on all chips, s."""
    flop_per_s = values["chips"] * values["reached_fraction"] * values["flop_per_s"]
    return FLOP_PER_PARAM * values["active_params"] / flop_per_s


def _first_token_s(values: Values, one: Bought, usd_per_year: Numeric) -> Numeric:
    """Time to the first token with as much of a tier as money buys, s."""
    return caching.first_token_s(
        prompt_tokens=CONVERSATION_PROMPT_TOKENS,
        found_fraction=_found(values, usd_per_year / one.usd_per_byte_year),
        token_read_s=_read_s(values),
        token_fetch_s=one.fetch_s,
    )


def _quickest(values: Values, usd_per_year: Numeric) -> Numeric:
    """Least time to the first token over the tiers, each alone, s."""
    times = [np.asarray(_first_token_s(values, one, usd_per_year)) for one in _bought(values).values()]
    return np.asarray(np.minimum.reduce(times), dtype=float)


def _front(values: Values) -> Curves:
    behind, without_s = _bought(values), CONVERSATION_PROMPT_TOKENS * _read_s(values)
    prices = [one.usd_per_byte_year for one in behind.values()]
    return curves(
        logarithmic(min(prices) * _held(values, LEAST_S), max(prices) * _held(values, MOST_S), points=POINTS),
        curve("recompute", without_s, Colour.COMPUTE, is_floor=True),
        curve(QUICKEST, partial(_quickest, values), Colour.KV, is_bold=True),
        *(curve(name, partial(_first_token_s, values, one), one.colour) for name, one in behind.items()),
        marks=[
            at(
                f"{name} for 5 min",
                one.usd_per_byte_year * _held(values, FIVE_MINUTES_S),
                on=name,
                text=f"5 min in {name}",
                colour=one.colour,
            )
            for name, one in behind.items()
        ],
        top=ABOVE * without_s,
    )


BOARD = Board(
    name="hits",
    time_stamp="1:58:00",
    title="Cache size and hit rate",
    question="How large must a cache be to find most of what prompts share, and what does a faster first token cost?",
    caption="Times until reuse are exponential. The starting point is Mooncake's conversation trace: this model's hit"
    " rates are within three points of the trace's own. First token: for a prompt of 12,300 tokens without a"
    " queue, from one tier that lasts four years.",
    formula=(
        Term(tex=r"h", colour=Colour.KV),
        Term(tex=r"\;=\;r\,(1-\mathrm{e}^{-t_h/\tau}),\qquad"),
        Term(tex=r"C_{kv}\;=\;\lambda_{tok}\,\beta\,\left((1-r)\,t_h\;+\;\tau\,h\right)"),
    ),
    controls=(
        Control(
            name="prompt_tokens_per_s",
            meaning="prompt tokens per second",
            short="prompt tok/s",
            dimension="count",
            low=1e2,
            high=1e8,
            lecture=filled_in(CONVERSATION_TOKENS_PER_S, why=TRACE),
            careful=CONVERSATION_TOKENS_PER_S,
        ),
        Control(
            name="reused_fraction",
            meaning="of them came before",
            called="share of prompt tokens seen before",
            short="share reused",
            dimension="fraction",
            low=0,
            high=1,
            lecture=filled_in(CONVERSATION_REUSED_FRACTION, why=TRACE),
            careful=CONVERSATION_REUSED_FRACTION,
        ),
        Control(
            name="mean_reuse_s",
            meaning="until such a token is used again",
            called="mean time until the next use",
            short="next use in",
            dimension="duration",
            low=1,
            high=DAY_S,
            lecture=filled_in(CONVERSATION_REUSE_S, why=TRACE),
            careful=CONVERSATION_REUSE_S,
        ),
        controls.kv_bytes_per_token(),
        controls.active_params(ACTIVE_PARAMS),
        controls.flop_per_s(NEXT_FLOP_PER_S),
        reached_fraction(),
        controls.chips(filled_in(8, why="a node")),
    ),
    views=(
        View(
            compute=_hits,
            heading="Hit rate against size",
            x=Axis(caption="size of the cache", dimension="bytes", is_logarithmic=True),
            y=Axis(caption="share of prompt tokens", dimension="fraction"),
        ),
        View(
            equations=(1,),
            compute=_front,
            heading="First token against money",
            x=Axis(caption="price of the tier per year", dimension="usd", is_logarithmic=True),
            y=Axis(caption="time to first token", dimension="s"),
        ),
    ),
    claims=("D17", "D14"),
    exercises=("prices-hits", "tiers-hold"),
    opens=None,
    first_move=FirstMove(
        control="mean_reuse_s",
        to=3600.0,
        then="the hit rate falls: caches are gone before they are asked for again",
        seen=(Moves(what="", way=Way.DOWN),),
    ),
)
