"""Prices of caches as evidence: where they wait before any price, as he reads it, by two prices, by the whole list."""

from __future__ import annotations

from collections.abc import Mapping

from ridgeline.boards.beliefs import Beliefs, Row
from ridgeline.boards.board import Board, Control, Term, Values, View
from ridgeline.boards.constant import filled_in, said
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.numbers import TRAIN_S
from ridgeline.boards.lecture.prices.believed import (
    BEFORE,
    CACHE_LIST,
    by_list,
    chance_text,
    machines,
    models_alike,
    number,
    rounding_of,
)
from ridgeline.boards.lecture.prices.cache_prices import (
    DDR,
    DISK,
    FLASH,
    HIT_USD,
    LIFE_S,
    byte_cost,
)
from ridgeline.boards.picture import Axis, Colour
from ridgeline.boards.scene import Tick
from ridgeline.caching.envelope import nearest_drain
from ridgeline.inversion.alone.tiers import CachePrices, held_over_cost, tiers_alone, tiers_as_costs, tiers_before
from ridgeline.inversion.machines import TIERS
from ridgeline.inversion.priors import priors
from ridgeline.quantity_text import format_quantity
from ridgeline.seconds import FIVE_MINUTES_S, HOUR_S

__all__ = ["BOARD"]

LISTED = by_list(CACHE_LIST)


def _beliefs(values: Values) -> Beliefs:
    known, of = priors(), machines(CACHE_LIST)
    prices = CachePrices(
        cached_usd=values["usd_per_cached_token"],
        hold_usd_per_s=values["usd_per_held_token_s"],
        cached_log_sd=rounding_of(CACHE_LIST, "cached_input"),
        hold_log_sd=rounding_of(CACHE_LIST, "hold"),
    )
    kv_bytes = values["kv_bytes_per_token"]
    before = tiers_before(known)
    drained = nearest_drain(_drains_s(values), values["held_s"])
    alone = tiers_alone(known, of, prices, is_policy=values["models_alike"] > 1)
    over = held_over_cost(of, prices, kv_bytes_per_token=kv_bytes)
    held = format_quantity(values["held_s"], "duration", 2)
    return Beliefs(
        x=tuple(float(place) for place in range(len(TIERS))),
        is_whole=True,
        rows=(
            _row(BEFORE, before, Colour.ASIDE),
            _row(
                "his reading of how long",
                {name: float(name == drained) for name in TIERS},
                Colour.BOUND,
                more=f"sold for {held}: what is read through in about that time",
                is_bold=True,
            ),
            _row(
                "if prices were costs",
                tiers_as_costs(known, of, prices, kv_bytes_per_token=kv_bytes),
                Colour.ALSO,
                more=f"of {number(kv_bytes, 'bytes')} a token; even HBM costs less than is asked"
                if over["HBM"] > 1
                else f"of {number(kv_bytes, 'bytes')} a token",
                is_bold=True,
            ),
            _row("both prices alone, margins free", alone, Colour.MONEY),
            _row(f"all prices of {LISTED.name}", LISTED.questions["tier"], Colour.MONEY, more=f"list of {LISTED.date}"),
        ),
        marks=(),
        x_ticks=tuple(Tick(at=float(place), text=name) for place, name in enumerate(TIERS)),
        text=_said(before, alone, over, number(kv_bytes, "bytes")),
    )


def _drains_s(values: Values) -> dict[str, float]:
    """Drain time of each tier, s; caches are not sold for times as short as the first two."""
    return {
        "HBM": float(TRAIN_S),
        "DDR": byte_cost(DDR, life_s=LIFE_S).drain_s,
        "flash": values["flash_drain_s"],
        "disk": values["disk_drain_s"],
    }


def _row(name: str, chances: Mapping[str, float], colour: Colour, *, more: str = "", is_bold: bool = False) -> Row:
    ordered = [chances[one] for one in TIERS]
    return Row(
        name=name,
        text=more,
        colour=colour,
        heights=tuple(ordered),
        labels=tuple(chance_text(one) if one > LEAST else "~0" for one in ordered),
        is_bold=is_bold,
    )


LEAST = 0.001
RULED_OUT, LEFT = 0.2, 0.5
"""Ratios of a tier's probability to the one before: below the first it is ruled out, from the second on left open."""
MANY = 9.5


def _times(ratio: float) -> str:
    """Text of a ratio before "its cost"."""
    times = max(ratio, 1 / ratio)
    rounded = float(f"{times:.2g}")
    written = f"{rounded:,.0f}" if times > MANY else f"{rounded:g}"
    return f"{written} times" if ratio >= 1 else f"1/{written} of"


def _said(before: Mapping[str, float], alone: Mapping[str, float], over: Mapping[str, float], cache: str) -> str:
    """Text on the tiers that both prices rule out, and why they tell the others apart so badly."""
    out = [name for name in TIERS if alone[name] < RULED_OUT * before[name]]
    left = [name for name in TIERS if alone[name] >= LEFT * before[name]]
    against = f"speak against {_listed(out, 'and')}" if out else "rule out no tier"
    kept = f" and leave {_listed(left, 'or')} open" if left and out else ""
    return (
        f"The two prices {against}{kept}. Holding {cache} a token is sold at {_times(over['HBM'])} its cost in HBM,"
        f" {_times(over['flash'])} that in flash: with margins so free, its price tells little"
        f"{' of the others' if out else ''}. For how long a cache is sold enters his row alone."
    )


def _listed(names: list[str], word: str) -> str:
    *others, last = names
    return f"{', '.join(others)} {word} {last}" if others else last


BOARD = Board(
    name="tier-evidence",
    title="What cache prices say",
    question="In which memory do the caches wait that are sold, to judge by their prices and times?",
    caption="Each bar says how likely a tier is. He matches the time for which a cache is sold with the time it takes"
    " to read a device through. If prices are taken for costs, they point to the dearest memory and still lie far above"
    " it. With margins left open, prices tell little. The chances before prices are ours, written down before"
    " any score was taken.",
    formula=(
        Term(tex=r"\mathrm{Pr}(i\,|\,\$)", colour=Colour.MONEY),
        Term(tex=r"\;\propto\;"),
        Term(tex=r"\mathrm{Pr}(i)", colour=Colour.ASIDE),
        Term(tex=r"\;\phi(\,\ln\dfrac{\$_{hit}}{\beta\,r_i},\;\ln\dfrac{\$_{hold}}{\beta\,h_i}\,),\qquad"),
        Term(tex=r"i^{*}=\arg\min_i|\ln\dfrac{t_h}{C_i/W_i}|", colour=Colour.BOUND),
    ),
    controls=(
        Control(
            name="held_s",
            meaning="for which a cache is sold",
            called="time for which a cache is sold",
            short="sold for",
            dimension="duration",
            low=60,
            high=86400,
            lecture=said(FIVE_MINUTES_S, "2:02:20", beside="D15"),
            careful=FIVE_MINUTES_S,
        ),
        Control(
            name="flash_drain_s",
            meaning="to read a whole flash drive",
            called="time to read a whole flash drive",
            short="flash drain",
            dimension="duration",
            low=10,
            high=86400,
            lecture=said(60.0, "2:02:20", hedge="plausibly; not memorised", claim="D15"),
            careful=byte_cost(FLASH, life_s=LIFE_S).drain_s,
        ),
        Control(
            name="disk_drain_s",
            meaning="to read a whole disk",
            called="time to read a whole disk",
            short="disk drain",
            dimension="duration",
            low=60,
            high=864000,
            lecture=said(HOUR_S, "2:02:20", hedge="plausibly", beside="D15"),
            careful=byte_cost(DISK, life_s=LIFE_S).drain_s,
        ),
        Control(
            name="usd_per_cached_token",
            meaning="for a token read from the cache",
            called="price of a token read from the cache",
            short="hit price",
            dimension="usd_per_token",
            low=1e-9,
            high=1e-4,
            lecture=HIT_USD,
            careful=LISTED.usd["cached_input"],
        ),
        Control(
            name="usd_per_held_token_s",
            meaning="for holding a token",
            called="price of holding a token",
            short="holding",
            dimension="usd_per_token_s",
            low=1e-12,
            high=1e-6,
            lecture=filled_in(LISTED.usd["hold"], why="a price list that sells holding by the hour"),
            careful=LISTED.usd["hold"],
        ),
        controls.kv_bytes_per_token(),
        models_alike(LISTED.shared_by["hold"]),
    ),
    views=(
        View(
            equations=(1,),
            compute=_beliefs,
            x=Axis(caption="where a cache waits", dimension="count"),
            y=Axis(caption="chance of each tier", dimension="fraction"),
        ),
    ),
    claims=("D15", "D13", "D12"),
    exercises=("evidence-tier",),
    first_move=FirstMove(
        control="held_s",
        to=86400.0,
        then="his reading moves to disk",
        seen=(Moves(what="rows.1.heights.3", way=Way.UP),),
    ),
)
