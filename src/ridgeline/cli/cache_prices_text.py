"""Text of ``ridgeline cache --prices``: what a provider would have to charge, beside published lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console

from ridgeline.caching.envelope import nearest_drain
from ridgeline.caching.found import Caching
from ridgeline.caching.provider_prices import Listed
from ridgeline.caching.tiers import HBM
from ridgeline.cli.output import listed, print_table, print_text, show
from ridgeline.seconds import DAY_S, FIVE_MINUTES_S, HOUR_S

__all__ = ["show_prices"]

HALF_HOUR_S, HALF_DAY_S = HOUR_S / 2, DAY_S / 2
HELD_S = (FIVE_MINUTES_S, HALF_HOUR_S, HOUR_S, HALF_DAY_S, DAY_S)


def show_prices(out: Console, found: Caching) -> None:
    """Print prices by cost at a margin, the lists, and what these can show."""
    _show_own(out, found)
    _show_lists(out, found)
    _show_sizes(out, found)
    _show_reading(out, found)


def _lasting(seconds: float) -> str:
    return show(seconds, "duration")


def _show_own(out: Console, found: Caching) -> None:
    prices = found.prices
    out.print()
    print_text(
        out,
        f" at a margin of {show(prices.margin_fraction, 'fraction')}: an input token costs"
        f" {show(prices.input_usd_per_token, 'usd_per_token')}",
        head="Prices by cost",
    )
    rows = [
        (
            _lasting(one.held_s),
            one.tier,
            show(one.usd_per_token, "usd_per_token"),
            f"{one.over_input:.3g}",
            show(one.hit_usd_per_token, "usd_per_token"),
            f"{one.hit_over_input:.2g}",
            show(one.storage_usd_per_token_s, "usd_per_token_s"),
        )
        for one in prices.written
    ]
    headers = ("kept for", "in", "write", "over input", "hit", "over input", "storage")
    print_table(out, headers, rows, left=(0, 1), optional=(2, 4))


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"


def _show_lists(out: Console, found: Caching) -> None:
    """Print writes and hits over the input price, by cost and on the lists."""
    out.print()
    written = {one.held_s: one for one in found.prices.written}
    cost = (
        "by cost, here",
        *(_ratio(written[held_s].over_input) if held_s in written else "" for held_s in HELD_S),
        _ratio(written[FIVE_MINUTES_S].hit_over_input),
        "",
    )
    rows = [
        (
            one.model,
            *(_ratio(one.writes_over_input.get(held_s)) for held_s in HELD_S),
            _ratio(one.hit_over_input),
            ""
            if one.storage_usd_per_token_s is None
            else show(one.storage_usd_per_token_s, "usd_per_token_s").removesuffix("/Mtok/h"),
        )
        for one in found.prices.lists
    ]
    headers = ("over its input price", *(f"{_lasting(held_s)}" for held_s in HELD_S), "hit", "Mtok stored 1 h")
    print_table(out, headers, [cost, *rows], left=(0,), optional=(7,))
    print_text(
        out,
        "A write is the price of a token that is read and kept for the time; 30 min is at least, 12 h is over. Storage"
        " is as listed, or what the longest write costs beyond the shortest one, by the time between.",
    )
    for kept, lists in _where_kept(found.prices.lists).items():
        print_text(out, f" {kept}", head=f"{', '.join(lists)}:", style="dim")


def _where_kept(lists: Sequence[Listed]) -> dict[str, list[str]]:
    """Models of the lists by how long and where their provider says that it keeps caches."""
    found: dict[str, list[str]] = {}
    for one in lists:
        if one.kept:
            found.setdefault(one.kept, []).append(one.model)
    return found


def _show_sizes(out: Console, found: Caching) -> None:
    """Print the size of a token's cache if storage were sold at this cost."""
    out.print()
    lists = [one for one in found.prices.lists if one.implied_kv_bytes]
    tiers = list(dict.fromkeys(tier for one in lists for tier in one.implied_kv_bytes))
    rows = [
        (
            one.model,
            *(show(one.implied_kv_bytes[tier], "bytes", 2) if tier in one.implied_kv_bytes else "" for tier in tiers),
        )
        for one in lists
    ]
    print_table(out, ("size of a token, if held in", *tiers), rows, left=(0,))
    print_text(
        out,
        "The size at which a list's storage price would be the cost of holding a token there, at the same margin. Known"
        f" models keep some 2 to 500 kB; this one {show(found.kv_bytes / found.asked.context_tokens, 'bytes')}.",
    )


def _show_reading(out: Console, found: Caching) -> None:
    """Print what lists can and cannot show by these numbers, and the lecture's reading of them."""
    prices, of_one = found.prices, found.kv_bytes / found.asked.context_tokens
    written = {one.held_s: one for one in prices.written}
    five, hour = written[FIVE_MINUTES_S], written[HOUR_S]
    asked = [one for one in prices.lists if one.write_5min_over_input and one.write_1h_over_input]
    pairs = Counter((one.write_5min_over_input, one.write_1h_over_input) for one in asked)
    ((short, long), count), *_ = pairs.most_common(1)
    covered = [tier for tier in asked[0].implied_kv_bytes if all(one.implied_kv_bytes[tier] >= of_one for one in asked)]
    drains_s = {one.tier: one.drain_s for one in found.tiers if one.drain_s is not None}
    by_drain = [nearest_drain(drains_s, held_s) for held_s in (FIVE_MINUTES_S, HOUR_S)]
    drained = ", ".join(f"{name} {_lasting(drain_s)}" for name, drain_s in drains_s.items())
    out.print()
    print_text(
        out,
        " as drain times: first HBM and DDR, then one tier down, 5 min flash and 1 h disk. Drain times here:"
        f" {drained}. By that rule 5 min is {by_drain[0]} and 1 h {by_drain[1]}, by cost {five.tier} and {hour.tier}.",
        head="The lecture reads 5 min and 1 h",
    )
    print_text(
        out,
        f" a hit of {min(one.hit_over_input or 1.0 for one in prices.lists):.2g} to"
        f" {max(one.hit_over_input or 0.0 for one in prices.lists):.2g} of the input price is an upper bound on what is"
        " read for it, and prices by the hour say that holding is billed.",
        head="What lists show:",
    )
    print_text(
        out,
        f" the tier. {count} of {len(asked)} lists with both ask {short:g} and {long:g} times the input price, whatever"
        f" the size of a token, where the cost is {five.over_input:.3g} times in {five.tier} and {hour.over_input:.3g}"
        f" times in {hour.tier}. Each of them pays for this model's tokens in"
        f" {listed(covered) or 'no tier'}{', but not in ' + HBM if HBM not in covered else ''}.",
        head="What they cannot show:",
    )
