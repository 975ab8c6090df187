"""What ``ridgeline cache`` prints."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from rich.console import Console

from ridgeline.caching.cache import Caching, Held
from ridgeline.caching.envelope import Span
from ridgeline.caching.pool_storage import PoolStorage
from ridgeline.caching.provider_prices import Asked
from ridgeline.caching.tiers import HBM, RECOMPUTE
from ridgeline.cli.output import console, counted, listed, print_table, print_text, show

__all__ = ["show_caching"]

HEADERS = ("tier", "over", "a hit", "Mtok held 1 h", "back in", "first token", "next tier from", "read once in")


def show_caching(found: Caching, price: str, *, prices: bool, details: bool) -> None:
    """The tiers, the choice and why, and what holds beside it."""
    out, asked, deployment = console(), found.asked, found.loaded.deployment
    print_text(
        out,
        f": {asked.context_tokens:,} tokens, {show(found.kv_bytes, 'bytes')} of keys and values, held for"
        f" {_lasting(asked.hold_s)} and used {'once' if asked.reuse == 1 else f'{asked.reuse:g} times'} in it",
        head=deployment.model.name,
    )
    print_text(
        out,
        f"on {deployment.machine.name}, {counted(deployment.layout.chips, 'chip')} in {deployment.layout}, a chip for"
        f" {show(asked.usd_per_chip_s, 'usd_per_s')} ({price})",
    )
    out.print()
    rows = [_row(one, chosen=one.tier == found.choice) for one in found.tiers]
    print_table(out, HEADERS, rows, left=(0, 1), optional=(1, 7))
    out.print()
    _show_choice(out, found)
    _show_times(out, found)
    _show_rules(out, found)
    _show_hbm(out, found)
    if found.two_pools is not None:
        _show_pools(out, found.two_pools)
    if details:
        _show_details(out, found)
    if prices:
        _show_prices(out, found)
    for note in found.notes:
        print_text(out, f"note: {note}", style="dim")


def _lasting(seconds: float | None) -> str:
    return "-" if seconds is None else show(seconds, "duration")


def _next(one: Held) -> str:
    """From when the next tier is the cheaper one."""
    if one.break_even_s is None:
        return ""
    return "never" if math.isinf(one.break_even_s) else _lasting(one.break_even_s) if one.break_even_s else "always"


def _row(one: Held, *, chosen: bool) -> tuple[str, ...]:
    return (
        f"{'* ' if chosen else '  '}{one.tier}",
        one.link or "",
        show(one.usd_per_hit, "usd"),
        show(one.usd_per_token_s_held, "usd_per_token_s").removesuffix("/Mtok/h") if one.usd_per_token_s_held else "0",
        show(one.retrieve_s, "s") if one.retrieve_s else "0 s",
        show(one.ttft_s, "s"),
        _next(one),
        "" if one.drain_s is None else _lasting(one.drain_s),
    )


def _show_choice(out: Console, found: Caching) -> None:
    best, again = found.held(found.choice), found.held(RECOMPUTE)
    if found.choice == RECOMPUTE:
        kept = min((one for one in found.tiers if one.tier != RECOMPUTE), key=lambda one: one.usd_per_hit)
        print_text(
            out,
            f" it anew: {show(again.usd_per_hit, 'usd')}, where keeping it in {kept.tier} takes"
            f" {show(kept.usd_per_hit, 'usd')} for each hit",
            head="Read",
        )
    else:
        print_text(
            out,
            f" it in {best.tier}: {show(best.usd_per_hit, 'usd')} a hit,"
            f" {again.usd_per_hit / best.usd_per_hit:.3g} times less than reading it anew"
            f" ({show(again.usd_per_hit, 'usd')})",
            head="Keep",
        )
    print_text(out, f" {_spans(found.envelope)}", head="Cheapest by hold:")


def _spans(spans: Sequence[Span]) -> str:
    """The first up to its end, the others from their beginning."""
    first, *others = spans
    said = [first.name if not others else f"{first.name} up to {_lasting(first.to_s)}"]
    said += [f"{one.name} from {_lasting(one.from_s)}" for one in others]
    return ", ".join(said)


def _show_times(out: Console, found: Caching) -> None:
    loaded, late = found.loaded, [one.tier for one in found.tiers if one.slower]
    full = [one.tier for one in found.tiers if one.overloaded and not one.slower]
    print_text(
        out,
        f" reading it anew takes {show(loaded.prefill_s, 's')} after a mean wait of {show(loaded.wait_s, 's')}, with"
        f" {counted(loaded.batch, 'request')} under way and {show(loaded.requests_per_s, 'count')} finished a second",
        head="On the loaded machine",
    )
    if late:
        print_text(out, f" {listed(late)}: back later than read anew; more --devices help", head="Slower with")
    if full:
        print_text(out, f" {listed(full)}: fewer come back in a second than are read anew", head="Too narrow:")


def _show_rules(out: Console, found: Caching) -> None:
    hold = _lasting(found.asked.hold_s)
    if found.choice_by_drain == found.choice:
        said = f"takes {found.choice} for {hold}, too"
    else:
        said = f"would take {found.choice_by_drain} for {hold}, which costs"
        said += f" {show(found.held(found.choice_by_drain).usd_per_hit, 'usd')} a hit"
    print_text(
        out,
        f" (a tier that is read once in the time that it holds) {said}: {_spans(found.by_drain)}",
        head="The lecture's rule",
    )


def _show_hbm(out: Console, found: Caching) -> None:
    hbm = found.hbm
    kept = show(hbm.all_kept_fraction, "fraction", 2)
    if hbm.share_fraction:
        said = (
            f" {show(hbm.share_fraction, 'fraction', 2)} of what weights leave, for {hbm.requests_per_s:.3g} requests/s"
            f" a replica in place of {hbm.requests_per_s_without:.3g}: {show(hbm.hit_fraction, 'fraction', 2)} of"
            " contexts are found"
        )
    else:
        said = f" nothing: all of it would hold {kept} of the contexts for so long, and requests need it more"
    print_text(out, said, head=f"Of {HBM} to prefixes:")


def _show_pools(out: Console, pools: PoolStorage) -> None:
    print_text(
        out,
        f" {counted(pools.prefill_chips, 'chip')} of {pools.prefill_layout} for prompts,"
        f" {counted(pools.decode_chips, 'chip')} of {pools.decode_layout} for tokens serve"
        f" {pools.requests_per_s:.3g} requests/s; the network ({pools.network}) carries"
        f" {pools.network_requests_per_s:.3g}",
        head="Two pools:",
    )
    rows = [
        (one.tier, f"{one.prompts_requests_per_s:.3g}", f"{one.tokens_requests_per_s:.3g}", one.binds)
        for one in pools.stores
    ]
    print_table(out, ("store", "prompts' requests/s", "tokens' requests/s", "binds"), rows, left=(0, 3))


def _show_details(out: Console, found: Caching) -> None:
    out.print()
    rows = [
        (
            one.tier,
            show(one.retrieve_usd, "usd"),
            show(one.write_usd, "usd"),
            show(one.wear_usd, "usd"),
            show(one.usd_per_token_s_held * found.asked.context_tokens * found.asked.hold_s, "usd"),
            "" if one.fetches_per_s is None else f"{one.fetches_per_s:.3g}",
        )
        for one in found.tiers
    ]
    headers = ("tier", "bring back", "write", "of it wear", f"hold {_lasting(found.asked.hold_s)}", "back a second")
    print_table(out, headers, rows, left=(0,))
    out.print()
    pairs = [
        (
            one.dearer,
            one.cheaper,
            "never" if math.isinf(one.break_even_s) else _lasting(one.break_even_s) if one.break_even_s else "always",
            "" if one.by_drain_s is None else _lasting(one.by_drain_s),
        )
        for one in found.break_evens
    ]
    print_table(out, ("dearer to hold in", "cheaper", "costs less from", "by drain times"), pairs, left=(0, 1))


def _show_prices(out: Console, found: Caching) -> None:
    prices = found.prices
    out.print()
    print_text(
        out,
        f" at a margin of {show(prices.margin_fraction, 'fraction')}: a token that is read"
        f" {show(prices.input_usd_per_token, 'usd_per_token')}",
        head="A provider's prices",
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
    print_table(out, headers, rows, left=(0, 1), optional=(2,))
    out.print()
    tiers = list(dict.fromkeys(tier for one in prices.lists for tier in one.implied_kv_bytes))
    print_table(
        out,
        ("list", "5 min", "1 h", "hit", "storage", *(f"a token in {tier}" for tier in tiers)),
        [_list_row(one, tiers) for one in prices.lists],
        left=(0,),
        optional=(4,),
    )
    print_text(
        out,
        "Lists are over their own price of a token that is read; storage is what they ask for an hour, or the hour's"
        " price over that of five minutes. Behind it stands how large a token would be if that were the cost of holding"
        " it there, at the same margin.",
    )
    _show_reading(out, found)


def _list_row(one: Asked, tiers: Sequence[str]) -> tuple[str, ...]:
    def ratio(value: float | None) -> str:
        return "" if value is None else f"{value:.3g}"

    stored = one.storage_usd_per_token_s
    return (
        one.model,
        ratio(one.write_5min_over_input),
        ratio(one.write_1h_over_input),
        ratio(one.hit_over_input),
        "" if stored is None else show(stored, "usd_per_token_s").removesuffix("/Mtok/h"),
        *(show(one.implied_kv_bytes[tier], "bytes", 2) if tier in one.implied_kv_bytes else "" for tier in tiers),
    )


def _show_reading(out: Console, found: Caching) -> None:
    """What lists can and cannot show, by these numbers."""
    prices, of_one = found.prices, found.kv_bytes / found.asked.context_tokens
    five, hour, *_ = prices.written
    asked = [one for one in prices.lists if one.write_5min_over_input and one.write_1h_over_input]
    pairs = Counter((one.write_5min_over_input, one.write_1h_over_input) for one in asked)
    ((short, long), count), *_ = pairs.most_common(1)
    covered = [tier for tier in asked[0].implied_kv_bytes if all(one.implied_kv_bytes[tier] >= of_one for one in asked)]
    print_text(
        out,
        f"{count} of {len(asked)} lists with both ask {short:g} and {long:g} times the input price, whatever the model;"
        f" by these costs keeping a token takes {five.over_input:.3g} times in {five.tier} and {hour.over_input:.3g}"
        f" times in {hour.tier}. One ratio for models whose tokens differ in size is a policy and tells of no tier: of"
        f" this model's {show(of_one, 'bytes')} a token every one of them pays for {listed(covered) or 'no tier'}.",
    )
