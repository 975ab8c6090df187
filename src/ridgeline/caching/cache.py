"""Choice of the tier for a context's KV cache until its next use, or of none."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ridgeline.caching.envelope import CostLine, between, cheapest, envelope, nearest_drain, spans_by_drain
from ridgeline.caching.found import CHIPS, MEMORY, READING, WRITING, Asked, BreakEven, Caching, Held
from ridgeline.caching.hbm_share import HbmShare, hbm_share
from ridgeline.caching.loaded import LoadedMachine, WithHits, like_whole_hits, loaded_machine, with_hits
from ridgeline.caching.placed import Placed, placed_in, recomputed
from ridgeline.caching.pool_storage import pool_storage
from ridgeline.caching.provider_prices import ProviderPrices, provider_prices
from ridgeline.caching.tiers import RECOMPUTE, Tier, hbm_tier, offered, tier_of
from ridgeline.catalog.list_prices import list_prices
from ridgeline.catalog.storage import StorageDevice, device_id, device_names, price_at
from ridgeline.equations import caching
from ridgeline.equations.serving import queue_wait_s
from ridgeline.errors import RidgelineError
from ridgeline.estimator.memory import moved_cache_bytes
from ridgeline.estimator.parameters import kv_bytes_held
from ridgeline.serving.load import MOST_BUSY
from ridgeline.specs.workload import Workload

__all__ = ["Asked", "BreakEven", "Caching", "Held", "cache"]

LEAST, LONGEST_S, MOST_REUSE = 1e-9, 3.2e9, 1e9
"""Bounds of times in s, a nanosecond and a century, and of uses: far beyond them costs leave the range of floats."""


def cache(asked: Asked) -> Caching:
    """Compare all tiers for a pattern of reuse.

    Raises:
        RidgelineError: a number is invalid, or the machine cannot serve the context; the message says what to give.
    """
    _require(asked)
    workload = Workload(prompt_tokens=asked.context_tokens, output_tokens=asked.output_tokens)
    loaded = loaded_machine(
        asked.deployment, workload, layout=asked.layout, chips=asked.chips, usd_per_chip_s=asked.usd_per_chip_s
    )
    tiers, notes = _tiers(asked)
    kv_bytes = float(kv_bytes_held(loaded.deployment.model, loaded.deployment.precision, float(asked.context_tokens)))
    if not kv_bytes:
        raise RidgelineError(f"{loaded.deployment.model.name} keeps no keys and values; there is nothing to cache")
    on_chip = float(moved_cache_bytes(loaded.deployment, asked.context_tokens))
    found_fraction = float(caching.reused_fraction(reuses=asked.reuse))
    cached = with_hits(loaded, workload, found_fraction=found_fraction)
    hbm = hbm_share(loaded.deployment, workload, held_s=asked.hold_s, reuse=asked.reuse)
    placed = [placed_in(tier, loaded, asked, kv_bytes) for tier in tiers]
    placed.append(recomputed(loaded, asked))
    placed.sort(key=lambda one: -one.hold_usd_per_s)
    lines = tuple(one.line(asked.reuse) for one in placed)
    held = tuple(_held(one, lines, at, asked, loaded, cached, hbm) for at, one in enumerate(placed))
    drains_s = {one.tier.name: one.tier.drain_s for one in placed if one.tier.drain_s is not None}
    return Caching(
        asked=asked,
        kv_bytes=kv_bytes,
        choice=cheapest([line for line in lines if line.name in _in_time(held, asked.ttft_s)], asked.hold_s).name,
        tiers=held,
        lines=lines,
        envelope=envelope(lines),
        choice_by_drain=nearest_drain(drains_s, asked.hold_s),
        by_drain=spans_by_drain(drains_s),
        break_evens=_break_evens(placed, asked.reuse, drains_s),
        loaded=loaded,
        cached=cached,
        kv_bytes_per_chip=on_chip,
        recompute_bytes_per_s=on_chip / loaded.prefill_s,
        hbm=hbm,
        prices=_prices(placed, tiers, asked, loaded),
        two_pools=None
        if asked.pools == 1
        else pool_storage(
            asked.deployment,
            like_whole_hits(loaded.deployment, workload, found_fraction=found_fraction),
            tuple(tier for tier in tiers if tier.device is not None),
            found_fraction=found_fraction,
            chips=asked.chips,
            usd_per_chip_s=asked.usd_per_chip_s,
        ),
        notes=(*notes, *_ignored(asked), *loaded.notes),
    )


def _require(asked: Asked) -> None:
    """Refuse values that no pattern of reuse and no way to pay has."""
    for name, value in {"hold": asked.hold_s, "life": asked.owned.life_s}.items():
        if not LEAST <= value <= LONGEST_S:
            raise RidgelineError(f"cache: --{name} {value:g} s must be above 0 and at most {LONGEST_S:g} s, a century")
    if not 1 <= asked.owned.devices_per_chip < math.inf:
        raise RidgelineError(f"cache: --devices {asked.owned.devices_per_chip:g} must be 1 or more")
    if not LEAST <= asked.reuse <= MOST_REUSE:
        raise RidgelineError(
            f"cache: --reuse {asked.reuse:g} must be above 0 and at most {MOST_REUSE:g}; a context that is never used"
            " again is not worth keeping"
        )
    if not asked.usd_per_chip_s > 0:
        raise RidgelineError(f"cache: a price of {asked.usd_per_chip_s:g} a chip must be above 0; write --price '$2/h'")
    if not 0 <= asked.margin_fraction < 1:
        raise RidgelineError(
            f"cache: a margin of {asked.margin_fraction:g} of the price must be from 0 to below 1; write --margin 0.6"
        )
    if asked.pools not in (1, 2):
        raise RidgelineError(f"cache: {asked.pools} pools; there is one, or two: --pools 2")


def _ignored(asked: Asked) -> tuple[str, ...]:
    """Notes on options that do not apply to two pools."""
    if asked.pools == 1 or asked.layout is None:
        return ()
    return (
        f"layout {asked.layout} is of the one pool whose tiers are compared; two pools take the best layouts of both",
    )


def _in_time(held: tuple[Held, ...], ttft_s: float | None) -> set[str]:
    """Tiers within a limit on the first token.

    Raises:
        RidgelineError: no tier meets the limit; the message names the fastest.
    """
    found = {one.tier for one in held if ttft_s is None or one.ttft_s <= ttft_s}
    if not found:
        quickest = min(held, key=lambda one: one.ttft_s)
        raise RidgelineError(
            f"no tier gives a first token within {ttft_s:g} s: {quickest.tier}, the quickest, takes"
            f" {quickest.ttft_s:.3g} s on the loaded machine; allow more --ttft, or give a --layout with more chips"
        )
    return found


def _tiers(asked: Asked) -> tuple[tuple[Tier, ...], tuple[str, ...]]:
    """Tiers of the chip's own memory and the devices behind it, with notes on those left out or unverified."""
    machine = asked.deployment.machine
    notes: tuple[str, ...] = ()
    if asked.tiers:
        named = [device_id(one, machine) for one in asked.tiers]
        unknown = [one for one in named if one not in asked.devices]
        if unknown:
            raise RidgelineError(
                f"no storage device {unknown[0]!r} in the catalog; there are {device_names(asked.devices)}"
            )
        taken = {one: asked.devices[one] for one in named}
    else:
        taken, notes = offered(asked.devices, machine, asked.owned.until)
    others = tuple(tier_of(one, _name(key, taken), key, machine, asked.owned) for key, one in taken.items())
    guessed = [
        tier.name
        for tier, device in zip(others, taken.values(), strict=True)
        if (price := price_at(device, asked.owned.until)) is not None and price.unverified
    ]
    if guessed:
        notes = (*notes, f"no published price of {', '.join(guessed)} was found: DDR5's price a gigabyte stands for it")
    return (hbm_tier(machine, asked.usd_per_chip_s), *others), notes


def _name(key: str, taken: Mapping[str, StorageDevice]) -> str:
    """Name of a device's tier: its variety or its id where several are of one tier."""
    one = taken[key]
    alike = [other for other in taken.values() if other.tier == one.tier]
    if len(alike) == 1 and one.tier != "HBM":
        return one.tier
    if one.kind and [other.kind for other in alike].count(one.kind) == 1:
        return f"{one.kind} {one.tier}"
    return f"{one.tier} ({key})"


def _held(
    placed: Placed,
    lines: tuple[CostLine, ...],
    at: int,
    asked: Asked,
    loaded: LoadedMachine,
    cached: WithHits,
    hbm: HbmShare,
) -> Held:
    """Result for a context in a tier."""
    line, tier = lines[at], placed.tier
    is_last, is_kept = at + 1 == len(lines), tier.name != RECOMPUTE
    requests_per_s, limited_by = _throughput(placed, loaded, cached, hbm)
    again_s, link_wait_s = loaded.wait_s + loaded.prefill_s, _link_wait_s(placed, cached, requests_per_s)
    hit_s = cached.wait_s + link_wait_s + placed.retrieve_s + cached.last_pass_s
    ttft_s = hit_s if is_kept else again_s
    return Held(
        tier=tier.name,
        device=tier.device,
        link=tier.link,
        usd_per_hit=float(line.cost_usd(asked.hold_s)) / asked.reuse,
        retrieve_usd=placed.retrieve_usd,
        write_usd=placed.write_usd,
        wear_usd=placed.wear_usd,
        usd_per_token_s_held=placed.hold_usd_per_s / asked.context_tokens,
        retrieve_s=placed.retrieve_s,
        ttft_s=ttft_s,
        idle_ttft_s=placed.retrieve_s + cached.idle_pass_s if is_kept else loaded.idle_prefill_s,
        fetches_per_s=placed.fetches_per_s,
        writes_per_s=placed.writes_per_s,
        requests_per_s=requests_per_s,
        limited_by=limited_by,
        taken_fraction=_taken(tier, asked, loaded, (1 - cached.found_fraction) * requests_per_s),
        drain_s=tier.drain_s,
        break_even_s=None if is_last else between(line, lines[at + 1]),
        link_wait_s=link_wait_s,
        slower=ttft_s > again_s,
        overloaded=limited_by in {READING, WRITING} and requests_per_s < loaded.requests_per_s,
    )


def _throughput(placed: Placed, loaded: LoadedMachine, cached: WithHits, hbm: HbmShare) -> tuple[float, str]:
    """Requests per second of one replica with the tier, all found contexts read back and all new ones written."""
    if placed.tier.name == RECOMPUTE:
        return loaded.requests_per_s, CHIPS
    if placed.tier.device is None:
        return hbm.requests_per_s, MEMORY if hbm.requests_per_s < cached.requests_per_s else CHIPS
    found = cached.found_fraction
    limits = {
        CHIPS: cached.requests_per_s,
        READING: (placed.fetches_per_s or 0.0) / found,
        WRITING: (placed.writes_per_s or 0.0) / (1 - found),
    }
    limited_by = min(limits, key=lambda name: limits[name])
    return limits[limited_by], limited_by


def _taken(tier: Tier, asked: Asked, loaded: LoadedMachine, new_per_s: float) -> float | None:
    """Part of a tier's devices behind the replica that all contexts take if each is kept."""
    if tier.capacity_bytes is None:
        return None
    layout = loaded.deployment.layout
    return float(
        caching.taken_fraction(
            capacity_bytes=layout.dp * layout.kv_dp * tier.capacity_bytes,
            requests_per_s=new_per_s,
            held_s=asked.hold_s,
            bytes_per_request=float(moved_cache_bytes(loaded.deployment, asked.context_tokens)),
        )
    )


def _link_wait_s(placed: Placed, cached: WithHits, requests_per_s: float) -> float:
    """Mean time for which reading a context back waits for others on the tier's link.

    Those who wait for it ask for no more meanwhile, so that it is never busy all of the time.
    """
    if placed.tier.device is None or not placed.fetches_per_s:
        return 0.0
    busy = min(cached.found_fraction * requests_per_s / placed.fetches_per_s, MOST_BUSY)
    return float(queue_wait_s(busy=busy, service_s=placed.retrieve_s))


def _break_evens(placed: list[Placed], reuse: float, drains_s: Mapping[str, float]) -> tuple[BreakEven, ...]:
    """Break-evens of every two tiers, the one that is dearer to hold in first."""
    found = []
    for at, dearer in enumerate(placed):
        for cheaper in placed[at + 1 :]:
            pair = dearer, cheaper
            drains = [drains_s[one.tier.name] for one in pair if one.tier.name in drains_s]
            found.append(
                BreakEven(
                    dearer=dearer.tier.name,
                    cheaper=cheaper.tier.name,
                    break_even_s=between(*(one.line(reuse) for one in pair)),
                    without_wear_s=between(*(one.line(reuse, with_wear=False) for one in pair)),
                    by_drain_s=math.sqrt(drains[0] * drains[1]) if len(drains) > 1 else None,
                )
            )
    return tuple(found)


def _prices(placed: list[Placed], tiers: tuple[Tier, ...], asked: Asked, loaded: LoadedMachine) -> ProviderPrices:
    """Prices of a token of the context."""
    tokens = asked.context_tokens
    lines = {
        line.name: CostLine(
            name=line.name, once_usd=line.once_usd / tokens, hold_usd_per_s=line.hold_usd_per_s / tokens
        )
        for line in (one.line(asked.reuse) for one in placed)
    }
    parts = {
        one.tier.name: (one.write_usd / tokens, one.retrieve_usd / tokens, one.hold_usd_per_s / tokens)
        for one in placed
    }
    return provider_prices(
        lines,
        parts,
        tiers,
        recompute_usd=loaded.chip_s * asked.usd_per_chip_s / tokens,
        margin_fraction=asked.margin_fraction,
        lists=tuple(list_prices().values()),
    )
