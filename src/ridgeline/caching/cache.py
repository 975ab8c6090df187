"""Where to keep the cache of a context until its next use: in which tier, or nowhere."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ridgeline.caching.envelope import CostLine, Span, between, cheapest, envelope, nearest_drain, spans_by_drain
from ridgeline.caching.hbm_share import HbmShare, hbm_share
from ridgeline.caching.loaded import LoadedMachine, loaded_machine
from ridgeline.caching.pool_storage import PoolStorage, pool_storage
from ridgeline.caching.provider_prices import ProviderPrices, provider_prices
from ridgeline.caching.tiers import RECOMPUTE, Ownership, Tier, hbm_tier, offered, tier_of
from ridgeline.catalog.list_prices import list_prices
from ridgeline.catalog.storage import StorageDevice
from ridgeline.equations import caching
from ridgeline.errors import RidgelineError
from ridgeline.estimator.memory import sequence_cache_bytes
from ridgeline.estimator.parameters import kv_bytes_held
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout
from ridgeline.specs.workload import Workload

__all__ = ["Asked", "BreakEven", "Caching", "Held", "cache"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A pattern of reuse on a machine.

    Attributes:
        deployment: of model and machine; its layout is not looked at.
        context_tokens: whose cache is kept.
        output_tokens: of an answer.
        hold_s: for which a context waits.
        reuse: times that it is used within that, on the mean.
        layout: of a replica; None for the cheapest.
        chips: budget over which layouts are sought; None for one scale-up domain.
        usd_per_chip_s: price of a chip.
        devices: where caches can wait, by id.
        tiers: ids of those to look at; empty for all that the machine can have.
        owned: how they are paid for.
        ttft_s: longest time to the first token of a context that is found; None for no limit.
        pools: one, or two between which caches move.
        margin_fraction: of a provider's prices.
    """

    deployment: Deployment
    context_tokens: int
    output_tokens: int
    hold_s: float
    reuse: float
    layout: Layout | None
    chips: int | None
    usd_per_chip_s: float
    devices: Mapping[str, StorageDevice]
    tiers: tuple[str, ...]
    owned: Ownership
    ttft_s: float | None
    pools: int
    margin_fraction: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A context's cache in one tier.

    Attributes:
        tier: name of it; "recompute" where nothing is held.
        device: id of its device; None for the chip's own memory, and where nothing is held.
        link: of the machine, over which it is brought back; None where there is none.
        usd_per_hit: of the whole context: bringing it back, and for each use a part of writing, wear and holding.
        retrieve_usd: of that, bringing it back once: device-time, and the chip's memory that waits for it.
        write_usd: of writing it once, before each hold, device-time and wear.
        wear_usd: of that, what it takes of a drive that wears.
        usd_per_token_s_held: of holding one token for a second.
        retrieve_s: until all of it is back, or read anew.
        ttft_s: time to the first token on the loaded machine: its wait, and that.
        fetches_per_s: contexts that one replica can bring back.
        drain_s: time to read all that the tier holds; None where nothing is, or it is rented by the byte.
        break_even_s: hold from which on the next cheaper tier to hold in costs less; 0 where it always does, None for
            the last.
        slower: whether it brings a context back later than reading it anew would.
        overloaded: whether it brings back fewer contexts in a second than the replica reads anew.
    """

    tier: str
    device: str | None
    link: str | None
    usd_per_hit: float
    retrieve_usd: float
    write_usd: float
    wear_usd: float
    usd_per_token_s_held: float
    retrieve_s: float
    ttft_s: float
    fetches_per_s: float | None
    drain_s: float | None
    break_even_s: float | None
    slower: bool
    overloaded: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakEven:
    """Two tiers: the hold from which on the one that is cheaper to hold in costs less.

    Attributes:
        dearer: to hold in.
        cheaper: to hold in.
        break_even_s: 0 where the cheaper always costs less; infinite where it never does.
        by_drain_s: what the lecture's rule has: the geometric mean of their drain times; None where one has none.
    """

    dearer: str
    cheaper: str
    break_even_s: float
    by_drain_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Caching:
    """Where a context's cache should wait.

    Attributes:
        asked: the pattern.
        kv_bytes: of the whole context.
        choice: name of the tier that costs least for a hit, of those that are in time.
        tiers: the dearest to hold in first, recomputing last.
        lines: what each costs over the time that it holds.
        envelope: which costs least for each hold.
        choice_by_drain: what the lecture's rule takes: the tier whose drain time is nearest to the hold.
        by_drain: the same for each hold.
        break_evens: of every two tiers.
        loaded: the machine without a cache.
        hbm: what share of the chips' memory to give to prefixes.
        prices: what a provider would have to charge.
        two_pools: which store binds; None with one pool.
        notes: what was left out, and why.
    """

    asked: Asked
    kv_bytes: float
    choice: str
    tiers: tuple[Held, ...]
    lines: tuple[CostLine, ...]
    envelope: tuple[Span, ...]
    choice_by_drain: str
    by_drain: tuple[Span, ...]
    break_evens: tuple[BreakEven, ...]
    loaded: LoadedMachine
    hbm: HbmShare
    prices: ProviderPrices
    two_pools: PoolStorage | None
    notes: tuple[str, ...]

    def held(self, tier: str) -> Held:
        """One of the tiers."""
        return next(one for one in self.tiers if one.tier == tier)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Placed:
    """A context in a tier, before tiers are compared."""

    tier: Tier
    retrieve_s: float
    retrieve_usd: float
    write_usd: float
    wear_usd: float
    hold_usd_per_s: float
    fetches_per_s: float | None

    def line(self, reuse: float) -> CostLine:
        """What it costs over the time that it holds."""
        once_usd = float(caching.cost_usd(retrieve_usd=self.retrieve_usd, hold_usd_per_s=0.0, held_s=0.0, reuses=reuse))
        return CostLine(name=self.tier.name, once_usd=self.write_usd + once_usd, hold_usd_per_s=self.hold_usd_per_s)


def cache(asked: Asked) -> Caching:
    """Compare all tiers for a pattern of reuse.

    Raises:
        RidgelineError: a number is refused, or the machine serves no such context; says what to give instead.
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
    placed = [_placed(tier, loaded, asked, kv_bytes) for tier in tiers]
    placed.append(_recomputed(loaded, asked))
    placed.sort(key=lambda one: -one.hold_usd_per_s)
    lines = tuple(one.line(asked.reuse) for one in placed)
    held = tuple(_held(one, lines, at, loaded, asked) for at, one in enumerate(placed))
    drains_s = {one.tier.name: one.tier.drain_s for one in placed if one.tier.drain_s is not None}
    in_time = {one.tier for one in held if asked.ttft_s is None or one.ttft_s <= asked.ttft_s}
    if not in_time:
        quickest = min(held, key=lambda one: one.ttft_s)
        raise RidgelineError(
            f"no tier gives a first token within {asked.ttft_s:g} s: {quickest.tier}, the quickest, takes"
            f" {quickest.ttft_s:.3g} s, of which {loaded.wait_s:.3g} s are the wait on the loaded machine; allow more"
            " --ttft, or give the machine a --layout with more chips"
        )
    found_fraction = min(asked.reuse / (1 + asked.reuse), 1.0)
    return Caching(
        asked=asked,
        kv_bytes=kv_bytes,
        choice=cheapest([line for line in lines if line.name in in_time], asked.hold_s).name,
        tiers=held,
        lines=lines,
        envelope=envelope(lines),
        choice_by_drain=nearest_drain(drains_s, asked.hold_s),
        by_drain=spans_by_drain(drains_s),
        break_evens=_break_evens(lines, drains_s),
        loaded=loaded,
        hbm=hbm_share(loaded.deployment, workload, held_s=asked.hold_s, reuse=asked.reuse),
        prices=_prices(placed, tiers, asked, loaded),
        two_pools=None
        if asked.pools == 1
        else pool_storage(
            asked.deployment,
            Workload(
                prompt_tokens=asked.context_tokens, output_tokens=asked.output_tokens, hit_fraction=found_fraction
            ),
            tuple(tier for tier in tiers if tier.device is not None),
            found_fraction=found_fraction,
            chips=asked.chips,
            usd_per_chip_s=asked.usd_per_chip_s,
        ),
        notes=(*notes, *loaded.notes),
    )


def _require(asked: Asked) -> None:
    """Refuse what no pattern of reuse has."""
    positive = {"hold": asked.hold_s, "reuse": asked.reuse}
    for name, value in positive.items():
        if not 0 < value < math.inf:
            raise RidgelineError(
                f"cache: --{name} {value:g} must be above 0; a context that is never used again is not worth keeping"
            )
    if not 0 <= asked.margin_fraction < 1:
        raise RidgelineError(
            f"cache: a margin of {asked.margin_fraction:g} of the price must be from 0 to below 1; write --margin 0.6"
        )
    if asked.pools not in (1, 2):
        raise RidgelineError(f"cache: {asked.pools} pools; there is one, or two: --pools 2")


def _tiers(asked: Asked) -> tuple[tuple[Tier, ...], tuple[str, ...]]:
    """The chip's own memory, and the devices behind it; and what was left out."""
    machine = asked.deployment.machine
    notes: tuple[str, ...] = ()
    if asked.tiers:
        unknown = [one for one in asked.tiers if one not in asked.devices]
        if unknown:
            raise RidgelineError(
                f"no storage device {unknown[0]!r} in the catalog; there are {', '.join(asked.devices)}"
            )
        taken = {one: asked.devices[one] for one in asked.tiers}
    else:
        taken, notes = offered(asked.devices, machine, asked.owned.until)
    kinds = [one.tier for one in taken.values()]
    named = {
        key: one.tier if kinds.count(one.tier) == 1 and one.tier != "HBM" else f"{one.tier} ({key})"
        for key, one in taken.items()
    }
    others = tuple(tier_of(one, named[key], key, machine, asked.owned) for key, one in taken.items())
    return (hbm_tier(machine, asked.usd_per_chip_s), *others), notes


def _placed(tier: Tier, loaded: LoadedMachine, asked: Asked, kv_bytes: float) -> _Placed:
    """A context that waits in a tier: each chip that keeps a part of it brings that back over its own link."""
    layout, on_chip = loaded.deployment.layout, float(sequence_cache_bytes(loaded.deployment, asked.context_tokens))
    if tier.device is None:
        return _Placed(
            tier=tier,
            retrieve_s=0.0,
            retrieve_usd=0.0,
            write_usd=0.0,
            wear_usd=0.0,
            hold_usd_per_s=kv_bytes * tier.hold_usd_per_byte_s,
            fetches_per_s=None,
        )
    retrieve_s = float(
        caching.retrieve_time_s(kv_bytes=on_chip, bytes_per_s=tier.bytes_per_s, latency_s=tier.latency_s)
    )
    # The chip's memory that it comes into is taken from the first byte on.
    waiting = caching.hold_usd_per_token_s(
        kv_bytes_per_token=kv_bytes,
        capacity_bytes=loaded.deployment.machine.chip.hbm_bytes,
        usd_per_s=asked.usd_per_chip_s,
    )
    wear_usd = kv_bytes * tier.wear_usd_per_byte
    at_once = layout.dp * layout.kv_dp
    return _Placed(
        tier=tier,
        retrieve_s=retrieve_s,
        retrieve_usd=kv_bytes * tier.read_usd_per_byte + float(waiting) * retrieve_s,
        write_usd=kv_bytes * tier.write_usd_per_byte + wear_usd,
        wear_usd=wear_usd,
        hold_usd_per_s=kv_bytes * tier.hold_usd_per_byte_s,
        fetches_per_s=at_once * float(caching.carried_per_s(bytes_per_s=tier.bytes_per_s, bytes_per_request=on_chip)),
    )


def _recomputed(loaded: LoadedMachine, asked: Asked) -> _Placed:
    """A context that is not kept."""
    return _Placed(
        tier=Tier(name=RECOMPUTE, hold_usd_per_byte_s=0.0, drain_s=None),
        retrieve_s=loaded.prefill_s,
        retrieve_usd=loaded.chip_s * asked.usd_per_chip_s,
        write_usd=0.0,
        wear_usd=0.0,
        hold_usd_per_s=0.0,
        fetches_per_s=loaded.requests_per_s,
    )


def _held(placed: _Placed, lines: tuple[CostLine, ...], at: int, loaded: LoadedMachine, asked: Asked) -> Held:
    """What is said of a context in a tier."""
    line, tier, fetches = lines[at], placed.tier, placed.fetches_per_s
    is_last = at + 1 == len(lines)
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
        ttft_s=loaded.wait_s + placed.retrieve_s,
        fetches_per_s=fetches,
        drain_s=tier.drain_s,
        break_even_s=None if is_last else between(line, lines[at + 1]),
        slower=placed.retrieve_s > loaded.prefill_s,
        overloaded=fetches is not None and fetches < loaded.requests_per_s,
    )


def _break_evens(lines: tuple[CostLine, ...], drains_s: Mapping[str, float]) -> tuple[BreakEven, ...]:
    """Of every two tiers, the one that is dearer to hold in first."""
    found = []
    for at, dearer in enumerate(lines):
        for cheaper in lines[at + 1 :]:
            drains = [drains_s[one.name] for one in (dearer, cheaper) if one.name in drains_s]
            by_drain_s = math.sqrt(drains[0] * drains[1]) if len(drains) > 1 else None
            found.append(
                BreakEven(
                    dearer=dearer.name,
                    cheaper=cheaper.name,
                    break_even_s=between(dearer, cheaper),
                    by_drain_s=by_drain_s,
                )
            )
    return tuple(found)


def _prices(placed: list[_Placed], tiers: tuple[Tier, ...], asked: Asked, loaded: LoadedMachine) -> ProviderPrices:
    """Of a token, one of the context's."""
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
