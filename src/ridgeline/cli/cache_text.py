"""Text of ``ridgeline cache``."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.console import Console

from ridgeline.caching.envelope import Span
from ridgeline.caching.found import MEMORY, Caching, Held
from ridgeline.caching.pool_storage import PoolStorage
from ridgeline.caching.tiers import HBM, RECOMPUTE
from ridgeline.cli.cache_prices_text import show_prices
from ridgeline.cli.output import console, counted, print_table, print_text, short, show
from ridgeline.cli.window import notes_beside_window, show_doubtful_units, show_window

__all__ = ["show_caching"]

HEADERS = (
    "tier",
    "over",
    "a hit",
    "Mtok held 1 h",
    "read back",
    "first token",
    "requests/s",
    "room taken",
    "drained in",
)


def show_caching(found: Caching, price: str, *, prices: bool, details: bool) -> None:
    """Print the choice first, then the tiers, and what holds beside them."""
    out, asked, deployment = console(), found.asked, found.loaded.deployment
    longest_tokens = asked.context_tokens + asked.output_tokens
    show_window(out, deployment.model, longest_tokens)
    show_doubtful_units(out, deployment.machine)
    _show_choice(out, found)
    print_text(out, f" {_spans(found.envelope)}", head="Cheapest by hold time:")
    out.print()
    times = "once" if asked.reuse == 1 else f"{asked.reuse:g} times"
    print_text(
        out,
        f": {counted(asked.context_tokens, 'token')}, {show(found.kv_bytes, 'bytes')} of KV cache, kept for"
        f" {_lasting(asked.hold_s)} and used {times} in that time, so that"
        f" {show(found.cached.found_fraction, 'fraction', 2)} of requests find it",
        head=deployment.model.name,
    )
    print_text(
        out,
        f"on {deployment.machine.name}, {counted(deployment.layout.chips, 'chip')} in {deployment.layout}, a chip for"
        f" {show(asked.usd_per_chip_s, 'usd_per_s')} ({price})",
    )
    out.print()
    is_sized = any(one.taken_fraction is not None for one in found.tiers)
    rows = [_row(one, chosen=one.tier == found.choice, is_sized=is_sized) for one in found.tiers]
    print_table(out, HEADERS, rows, left=(0, 1), optional=(1, 8))
    _show_legend(out, found, is_sized=is_sized)
    out.print()
    _show_load(out, found)
    _show_slower(out, found)
    _show_hbm(out, found)
    _show_rules(out, found)
    if found.two_pools is not None:
        _show_pools(out, found.two_pools)
    if details:
        _show_details(out, found)
    if prices:
        show_prices(out, found)
    for note in notes_beside_window(found.notes, deployment.model, longest_tokens, [deployment.machine]):
        print_text(out, f"note: {note}", style="dim")


def _lasting(seconds: float) -> str:
    return show(seconds, "duration")


def _even(break_even_s: float) -> str:
    """Hold time from which one tier is cheaper than another, as text."""
    return "never" if math.isinf(break_even_s) else _lasting(break_even_s) if break_even_s else "always"


def _room(taken_fraction: float) -> str:
    """Part of a tier's devices that contexts take, with a mark where they have no room for all."""
    return f"{show(taken_fraction, 'fraction', 2)}{OVER if taken_fraction > 1 else ''}"


OVER = "!"
"""Mark of a tier whose devices do not keep every context for so long."""


def _show_legend(out: Console, found: Caching, *, is_sized: bool) -> None:
    """Print the meaning of the table's words."""
    said = [f"*: {found.choice}, where a hit costs least", "a hit: of one context, its part of holding it included"]
    said.append("read back: from the tier into HBM")
    if is_sized:
        said.append(
            f"room taken: of the tier's devices, by all contexts that are kept so long (-: not limited by devices);"
            f" {OVER}: over 100 %, so that the devices keep a part of them alone"
        )
    print_text(out, "; ".join(said), style="dim")


def _row(one: Held, *, chosen: bool, is_sized: bool) -> tuple[str, ...]:
    return (
        f"{'* ' if chosen else '  '}{one.tier}",
        one.link or "",
        show(one.usd_per_hit, "usd"),
        show(one.usd_per_token_s_held, "usd_per_token_s").removesuffix("/Mtok/h") if one.usd_per_token_s_held else "0",
        show(one.retrieve_s, "s") if one.retrieve_s else "0 s",
        show(one.ttft_s, "s"),
        short(one.requests_per_s),
        ("-" if is_sized else "") if one.taken_fraction is None else _room(one.taken_fraction),
        "" if one.drain_s is None else _lasting(one.drain_s),
    )


def _show_choice(out: Console, found: Caching) -> None:
    best, again = found.held(found.choice), found.held(RECOMPUTE)
    at_load = f"at the load that costs least ({counted(found.loaded.batch, 'request')} under way on a replica)"
    if found.choice == RECOMPUTE:
        kept = min((one for one in found.tiers if one.tier != RECOMPUTE), key=lambda one: one.usd_per_hit)
        said = (
            f" it: {show(again.usd_per_hit, 'usd')}, where a hit in {kept.tier}, the cheapest tier, costs"
            f" {show(kept.usd_per_hit, 'usd')}; first token on idle chips after {show(again.idle_ttft_s, 's')}, of a"
            f" hit there {show(kept.idle_ttft_s, 's')}, and {at_load} after {show(again.ttft_s, 's')}, of a hit"
            f" {show(kept.ttft_s, 's')}"
        )
        print_text(out, said, head="Recompute")
        return
    times = again.usd_per_hit / best.usd_per_hit
    said = (
        f" it in {best.tier}{_devices_needed(found, best)}: a hit costs {show(best.usd_per_hit, 'usd')}, recomputing"
        f" {show(again.usd_per_hit, 'usd')}, {times:.3g} times as much; first token on idle chips after"
        f" {show(best.idle_ttft_s, 's')}, recomputing {show(again.idle_ttft_s, 's')}, and {at_load} after"
        f" {show(best.ttft_s, 's')}, recomputing {show(again.ttft_s, 's')}"
    )
    print_text(out, said, head="Keep")
    if _is_short(best):
        keeping = [one for one in found.tiers if not (_is_short(one) or one.slower or one.overloaded)]
        other = min(keeping, key=lambda one: one.usd_per_hit)
        name = "recompute" if other.tier == RECOMPUTE else f"keep it in {other.tier}"
        print_text(out, f": {name}, {show(other.usd_per_hit, 'usd')} a hit", head="Without more devices")
    if not (best.slower or best.overloaded):
        return
    others = [one for one in found.tiers if not (one.slower or one.overloaded)]
    other = min(others, key=lambda one: one.usd_per_hit)
    worse = "gives a later first token" if best.slower else "finishes fewer requests"
    said = f" {best.tier} {worse} than recomputing; the cheapest that does not: {other.tier}, "
    print_text(out, f"{said}{show(other.usd_per_hit, 'usd')} a hit", head="But")


def _is_short(one: Held) -> bool:
    """Whether a tier's devices do not keep every context for as long as asked."""
    return one.taken_fraction is not None and one.taken_fraction > 1


def _devices_needed(found: Caching, best: Held) -> str:
    """Clause on the devices without which a tier keeps only a part of the contexts; empty where it keeps all."""
    if best.taken_fraction is None or not _is_short(best):
        return ""
    there = found.asked.owned.devices_per_chip
    needed = math.ceil(best.taken_fraction * there)
    kept = show(1 / best.taken_fraction, "fraction", 2)
    return (
        f" on {counted(needed, 'device')} a chip (--devices {needed}: {there} keep{'s' if there == 1 else ''}"
        f" {kept} of new contexts for so long)"
    )


def _spans(spans: Sequence[Span]) -> str:
    """Spans of hold times as text, each up to its end, the last from there on."""
    *others, last = spans
    if not others:
        return f"always {last.name}"
    return ", ".join(f"{one.name} to {_lasting(one.to_s)}" for one in others) + f", then {last.name}"


def _show_load(out: Console, found: Caching) -> None:
    loaded = found.loaded
    queue = (
        f"a mean queue of {show(loaded.wait_s, 's')}" if loaded.wait_s else "no queue, of which this engine has none"
    )
    print_text(
        out,
        f" {counted(loaded.batch, 'request')} under way on a replica, the batch at which one costs least; all times"
        " but read back are at it. Recomputing takes"
        f" {show(loaded.prefill_s, 's')} after {queue}, and a replica finishes {short(loaded.requests_per_s)}"
        f" requests/s, {short(found.cached.requests_per_s)} if every reuse is found. --layout takes another replica,"
        " with its own such batch; --ttft leaves out tiers whose hits are slower",
        head="Load:",
    )


def _show_slower(out: Console, found: Caching) -> None:
    """Print the tiers on which keeping a context makes things worse, and what it would take."""
    made, again_s = show(found.recompute_bytes_per_s, "bytes_per_s"), show(found.loaded.prefill_s, "s")
    brief = []
    for one in found.tiers:
        if not one.slower:
            continue
        if one.retrieve_s > found.loaded.prefill_s:
            read = show(found.kv_bytes_per_chip / one.retrieve_s, "bytes_per_s")
            said = (
                f" {one.tier} reads {read} of cache a chip where recomputing makes {made}: {show(one.retrieve_s, 's')}"
                f" against {again_s}; more --devices help"
            )
            print_text(out, said, head="Slower than recomputing:")
        elif one.link_wait_s > found.cached.last_pass_s:
            said = f" {one.tier}, whose link has a queue of {show(one.link_wait_s, 's')}; more --devices help"
            print_text(out, said, head="Slower than recomputing:")
        else:
            brief.append(one.tier)
    if brief:
        said = (
            f" {', '.join(brief)}: a hit computes the context's last token, {show(found.cached.last_pass_s, 's')}, and"
            f" recomputing all of it takes {again_s}"
        )
        print_text(out, said, head="Slower than recomputing, since the context is short:")
    full = [one for one in found.tiers if one.overloaded]
    if full:
        said = ", ".join(f"{one.tier} ({one.limited_by} allows {short(one.requests_per_s)} requests/s)" for one in full)
        said += ", if every cached context is read from it; more --devices help"
        print_text(out, f" {said}", head="Fewer requests than recomputing:")


def _show_rules(out: Console, found: Caching) -> None:
    hold, by_cost, by_drain = _lasting(found.asked.hold_s), found.choice, found.choice_by_drain
    if by_drain == by_cost:
        said = f" also takes {by_cost} for {hold}"
    else:
        one = found.held(by_drain)
        said = f" takes {by_drain} for {hold}: {show(one.usd_per_hit, 'usd')} a hit"
        if one.wear_usd:
            said += f", of which {show(one.wear_usd / found.asked.reuse, 'usd')} is wear"
        pair = found.break_even(by_cost, by_drain)
        said += f". {pair.cheaper} is cheaper than {pair.dearer} from {_even(pair.break_even_s)} on"
        if pair.without_wear_s != pair.break_even_s:
            said += f", without wear from {_even(pair.without_wear_s)}"
        if pair.by_drain_s is not None:
            said += f", by the rule from {_lasting(pair.by_drain_s)}"
    print_text(out, f" (the tier that is drained in the hold time){said}", head="The lecture's rule")


def _show_hbm(out: Console, found: Caching) -> None:
    hbm = found.hbm
    if hbm.share_fraction:
        with_it, without = short(hbm.requests_per_s), short(hbm.requests_per_s_without)
        more = hbm.requests_per_s / hbm.requests_per_s_without - 1
        gain = f"in place of {without}" if with_it != without else f"{show(more, 'fraction', 1)} more than without"
        said = (
            f" {show(hbm.share_fraction, 'fraction', 2)} of what weights leave, so that"
            f" {show(hbm.hit_fraction, 'fraction', 2)} of requests hit there and a replica finishes"
            f" {with_it} requests/s, {gain}"
        )
    else:
        said = (
            f" none: all of it would keep {show(hbm.all_kept_fraction, 'fraction', 2)} of new contexts for the hold"
            " time, and requests under way gain more from it"
        )
    print_text(out, said, head=f"{HBM} for waiting prefixes:")


def _show_pools(out: Console, pools: PoolStorage) -> None:
    print_text(
        out,
        f" {counted(pools.prefill_chips, 'chip')} of {pools.prefill_layout} for prompts and"
        f" {counted(pools.decode_chips, 'chip')} of {pools.decode_layout} for tokens serve"
        f" {short(pools.requests_per_s)} requests/s; the network ({pools.network}) carries"
        f" {short(pools.network_requests_per_s)}",
        head="Two pools:",
    )
    rows = [
        (
            one.tier,
            short(one.prompts_requests_per_s),
            short(one.tokens_requests_per_s),
            one.binds,
            f"{one.headroom:.3g}",
        )
        for one in pools.stores
    ]
    headers = ("store", "prompts' requests/s", "tokens' requests/s", "limited by", "headroom")
    print_table(out, headers, rows, left=(0, 3))
    print_text(out, "Headroom: the lowest of stores and network over what the chips serve.")


def _show_details(out: Console, found: Caching) -> None:
    out.print()
    rows = [
        (
            one.tier,
            show(one.retrieve_usd, "usd"),
            show(one.write_usd, "usd"),
            show(one.wear_usd, "usd"),
            show(one.usd_per_token_s_held * found.asked.context_tokens * found.asked.hold_s, "usd"),
            *("" if rate is None else short(rate) for rate in (one.fetches_per_s, one.writes_per_s)),
            one.limited_by if one.limited_by != MEMORY else "its size",
        )
        for one in found.tiers
    ]
    held = f"hold {_lasting(found.asked.hold_s)}"
    headers = ("tier", "read back", "write", "of it wear", held, "reads/s", "writes/s", "limited by")
    print_table(out, headers, rows, left=(0, 7), optional=(7,))
    print_text(out, "For one context; reads and writes of whole contexts by one replica.")
    out.print()
    pairs = [
        (
            one.dearer,
            one.cheaper,
            _even(one.break_even_s),
            _even(one.without_wear_s),
            "" if one.by_drain_s is None else _lasting(one.by_drain_s),
        )
        for one in found.break_evens
    ]
    columns = ("dearer to hold in", "cheaper", "cheaper from", "without wear", "by drain times")
    print_table(out, columns, pairs, left=(0, 1))
    print_text(out, f" {_spans(found.by_drain)}", head="By the lecture's rule:")
