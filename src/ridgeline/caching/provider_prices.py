"""What a provider would have to charge for cached tokens, beside what price lists ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ridgeline.caching.envelope import CostLine, cheapest
from ridgeline.caching.tiers import HBM, RECOMPUTE, Tier
from ridgeline.catalog.list_prices import ListPrice

__all__ = ["DAY_S", "FIVE_MINUTES_S", "HOUR_S", "Asked", "ProviderPrices", "WrittenFor", "provider_prices"]

FIVE_MINUTES_S, HOUR_S, DAY_S = 300.0, 3600.0, 86400.0
"""For which caches are sold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenFor:
    """A token that is read and kept for a time, in the tier that costs least for it.

    Attributes:
        held_s: for which it is kept.
        tier: where.
        usd_per_token: price of reading and keeping it.
        over_input: price over that of reading it alone.
        hit_usd_per_token: price of bringing it back from there.
        hit_over_input: the same over that of reading it.
        storage_usd_per_token_s: price of holding it there.
    """

    held_s: float
    tier: str
    usd_per_token: float
    over_input: float
    hit_usd_per_token: float
    hit_over_input: float
    storage_usd_per_token_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A price list over its own price of a token that is read; None where it has no such price.

    Attributes:
        model: as its provider writes it.
        date: of the list.
        input_usd_per_token: a token read.
        write_5min_over_input: a token read and kept for five minutes.
        write_1h_over_input: for an hour.
        hit_over_input: a token found.
        storage_usd_per_token_s: of keeping one: as listed, or the hour's price over that of five minutes.
        implied_kv_bytes: bytes of a token for which that would be the price of holding it, by tier.
    """

    model: str
    date: str
    input_usd_per_token: float
    write_5min_over_input: float | None
    write_1h_over_input: float | None
    hit_over_input: float | None
    storage_usd_per_token_s: float | None
    implied_kv_bytes: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderPrices:
    """Prices at a margin, and lists beside them.

    Attributes:
        margin_fraction: of each price.
        input_usd_per_token: price of a token that is read.
        written: by the time for which it is kept.
        lists: of providers.
    """

    margin_fraction: float
    input_usd_per_token: float
    written: tuple[WrittenFor, ...]
    lists: tuple[Asked, ...]


def provider_prices(
    lines: Mapping[str, CostLine],
    parts: Mapping[str, tuple[float, float, float]],
    tiers: Sequence[Tier],
    *,
    recompute_usd: float,
    margin_fraction: float,
    lists: Sequence[ListPrice],
) -> ProviderPrices:
    """Prices of a token, each its cost at one margin.

    Args:
        lines: what a token costs in each tier over time, written once and used as often as asked.
        parts: of it what writing, bringing back once, and holding for a second costs, by tier.
        tiers: of them, for what a byte costs.
        recompute_usd: of reading a token.
        margin_fraction: of each price.
        lists: of providers.
    """

    def price(cost_usd: float) -> float:
        return cost_usd / (1 - margin_fraction)

    written = []
    for held_s in (FIVE_MINUTES_S, HOUR_S, DAY_S):
        best = cheapest([line for name, line in lines.items() if name != RECOMPUTE], held_s)
        write_usd, retrieve_usd, hold_usd_per_s = parts[best.name]
        kept_usd = recompute_usd + write_usd + hold_usd_per_s * held_s
        written.append(
            WrittenFor(
                held_s=held_s,
                tier=best.name,
                usd_per_token=price(kept_usd),
                over_input=kept_usd / recompute_usd,
                hit_usd_per_token=price(retrieve_usd),
                hit_over_input=retrieve_usd / recompute_usd,
                storage_usd_per_token_s=price(hold_usd_per_s),
            )
        )
    return ProviderPrices(
        margin_fraction=margin_fraction,
        input_usd_per_token=price(recompute_usd),
        written=tuple(written),
        lists=tuple(_asked(one, tiers, margin_fraction) for one in lists if one.cache_read is not None),
    )


def _asked(listed: ListPrice, tiers: Sequence[Tier], margin_fraction: float) -> Asked:
    """A list's ratios, and how large a token would be if it asked what holding costs."""

    def over_input(usd: float | None) -> float | None:
        return None if usd is None else usd / listed.input

    storage = listed.cache_storage
    if storage is None and listed.cache_write_5min is not None and listed.cache_write_1h is not None:
        storage = (listed.cache_write_1h - listed.cache_write_5min) / (HOUR_S - FIVE_MINUTES_S)
    implied = (
        {}
        if storage is None
        else {
            tier.name: storage * (1 - margin_fraction) / tier.hold_usd_per_byte_s
            for tier in tiers
            if tier.name in {HBM, "DDR", "flash", "disk"}
        }
    )
    return Asked(
        model=listed.name,
        date=listed.date.isoformat(),
        input_usd_per_token=listed.input,
        write_5min_over_input=over_input(listed.cache_write_5min),
        write_1h_over_input=over_input(listed.cache_write_1h),
        hit_over_input=over_input(listed.cache_read),
        storage_usd_per_token_s=storage,
        implied_kv_bytes=implied,
    )
