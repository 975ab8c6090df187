"""Options and result of ``cache``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ridgeline.caching.envelope import CostLine, Span
from ridgeline.caching.hbm_share import HbmShare
from ridgeline.caching.loaded import LoadedMachine, WithHits
from ridgeline.caching.pool_storage import PoolStorage
from ridgeline.caching.provider_prices import ProviderPrices
from ridgeline.caching.tiers import Ownership
from ridgeline.catalog.storage import StorageDevice
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout

__all__ = ["CHIPS", "MEMORY", "READING", "WRITING", "Asked", "BreakEven", "Caching", "Held"]

CHIPS, READING, WRITING, MEMORY = "chips", "reading", "writing", "memory"
"""Possible limits on a replica's requests with a tier: its chips, the tier's bandwidths, or its chips' memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A pattern of reuse on a machine.

    Attributes:
        deployment: model and machine; its layout is ignored.
        context_tokens: tokens of the context whose cache is kept.
        output_tokens: output tokens of a request.
        hold_s: time for which a context's cache is kept, s.
        reuse: mean uses of it within that time, after the one that wrote it.
        layout: layout of a replica; None for the cheapest.
        chips: budget over which layouts are searched; None for one scale-up domain.
        usd_per_chip_s: price of a chip, $/s.
        devices: storage devices by id.
        tiers: ids of the devices to consider; empty for all that the machine can have.
        owned: how devices are paid for.
        ttft_s: longest time to the first token of a context that is found, s; None for no limit.
        pools: 1, or 2 for a prefill pool and a decode pool.
        margin_fraction: a provider's margin as a fraction of its prices.
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
        tier: name of the tier; "recompute" where nothing is kept.
        device: id of its device; None for the chip's own memory, and where nothing is kept.
        link: link of the machine over which it is read; None where there is none.
        usd_per_hit: cost of a hit on the whole context: reading it back, and its share of writing, wear and holding.
        retrieve_usd: cost of reading the context back once: device time, and the chip memory that it lands in.
        write_usd: cost of writing it once, device time and wear.
        wear_usd: part of ``write_usd`` that is wear.
        usd_per_token_s_held: cost of holding one token for a second.
        retrieve_s: time to read the whole context back, or to recompute it.
        ttft_s: time to the first token under load: queues, reading back, and the pass over the context's last token.
        idle_ttft_s: time to the first token where no other request is under way, s.
        fetches_per_s: contexts that one replica can read back per second; None for the chip's own memory.
        writes_per_s: contexts that it can write per second; None for the chip's own memory, and where nothing is kept.
        requests_per_s: requests that one replica finishes per second with this tier, every found context read back; in
            the chips' own memory with the best share of it for prefixes.
        limited_by: limit on these requests: "chips", "reading", "writing" or, of the chips' own, "memory".
        taken_fraction: part of the replica's devices that all new contexts take if each is kept for the hold time;
            above 1 where it needs more of them; None for the chip's own memory, and where storage is rented by the
            byte.
        drain_s: time to read all that the tier holds, s; None where nothing is kept, or storage is rented by the byte.
        break_even_s: hold time from which the next tier in order of holding cost is cheaper; 0 where it always is,
            infinite where it never is, None for the last.
        link_wait_s: mean time for which reading back waits for other contexts on the tier's link, s.
        slower: whether the first token under load comes later than by recomputing.
        overloaded: whether the tier's bandwidth lets the replica finish fewer requests than recomputing does.
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
    idle_ttft_s: float
    fetches_per_s: float | None
    writes_per_s: float | None
    requests_per_s: float
    limited_by: str
    taken_fraction: float | None
    drain_s: float | None
    break_even_s: float | None
    link_wait_s: float
    slower: bool
    overloaded: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakEven:
    """Two tiers, and the hold time from which the one that is cheaper to hold in costs less.

    Attributes:
        dearer: name of the tier that is dearer to hold in.
        cheaper: name of the other one.
        break_even_s: hold time from which the cheaper one costs less, s; 0 where it always does, infinite where it
            never does.
        without_wear_s: break-even hold time if drives did not wear out, s.
        by_drain_s: hold time at which the lecture's rule changes between them, the geometric mean of their drain times;
            None where one has none.
    """

    dearer: str
    cheaper: str
    break_even_s: float
    without_wear_s: float
    by_drain_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Caching:
    """Tiers for a context's cache, with the cheapest one.

    Attributes:
        asked: the pattern of reuse.
        kv_bytes: bytes of the whole context's cache.
        choice: name of the tier with the cheapest hit, of those within the limit on the first token.
        tiers: all tiers, the dearest to hold in first, recomputing last.
        lines: cost of each over the hold time.
        envelope: cheapest tier for each hold time.
        choice_by_drain: tier that the lecture's rule takes: the one whose drain time is nearest to the hold time.
        by_drain: tier that the lecture's rule takes, for each hold time.
        break_evens: break-even hold times of every two tiers.
        loaded: replica that recomputes every context.
        cached: replica that finds them in the cache.
        kv_bytes_per_chip: bytes of the context's cache on each chip that keeps a part.
        recompute_bytes_per_s: bytes of cache that recomputing makes per second on each chip: a tier with a lower read
            bandwidth is slower than recomputing.
        hbm: best share of the chips' memory for prefixes.
        prices: prices that a provider would have to charge.
        two_pools: stores and networks as limits of two pools; None with one pool.
        notes: omissions and assumptions, with reasons.
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
    cached: WithHits
    kv_bytes_per_chip: float
    recompute_bytes_per_s: float
    hbm: HbmShare
    prices: ProviderPrices
    two_pools: PoolStorage | None
    notes: tuple[str, ...]

    def held(self, tier: str) -> Held:
        """The tier of that name."""
        return next(one for one in self.tiers if one.tier == tier)

    def break_even(self, one: str, other: str) -> BreakEven:
        """The break-even of two tiers, in either order."""
        return next(pair for pair in self.break_evens if {pair.dearer, pair.cheaper} == {one, other})
