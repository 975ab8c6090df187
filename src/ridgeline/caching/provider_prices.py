"""Prices that a provider would have to charge for cached tokens, beside published price lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ridgeline.caching.envelope import CostLine, cheapest
from ridgeline.caching.tiers import HBM, RECOMPUTE, Tier
from ridgeline.catalog.list_prices import ListPrice
from ridgeline.seconds import DAY_S, FIVE_MINUTES_S, HOUR_S, MINUTE_S

__all__ = ["Listed", "ProviderPrices", "WrittenFor", "provider_prices"]

WRITES_S = {
    "cache_write_5min": FIVE_MINUTES_S,
    "cache_write_30min": 30 * MINUTE_S,
    "cache_write_1h": HOUR_S,
    "cache_write_12h": 12 * HOUR_S,
}
"""Time for which each write of a price list is kept, s."""

MEDIA = (HBM, "DDR", "flash", "disk")
"""Tiers whose holding cost price lists are compared with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenFor:
    """A token that is read and kept for a time, in the tier that costs least for it.

    Attributes:
        held_s: time for which it is kept, s.
        tier: name of the tier.
        usd_per_token: price of reading and keeping it.
        over_input: ``usd_per_token`` over the price of an input token.
        hit_usd_per_token: price of reading it back from there.
        hit_over_input: ``hit_usd_per_token`` over the price of an input token.
        storage_usd_per_token_s: price of holding it there for a second.
    """

    held_s: float
    tier: str
    usd_per_token: float
    over_input: float
    hit_usd_per_token: float
    hit_over_input: float
    storage_usd_per_token_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A price list over its own price of an input token; None where it has no such price.

    Attributes:
        model: name of the model, as its provider writes it.
        date: date of the list.
        kept: time and place that its provider states for its caches; empty where it states neither.
        input_usd_per_token: price of an input token.
        write_5min_over_input: price of a token that is read and kept for five minutes.
        write_30min_over_input: price of a token that is read and kept for half an hour or longer.
        write_1h_over_input: price of a token that is read and kept for an hour.
        write_12h_over_input: price of a token that is read and kept for more than twelve hours.
        hit_over_input: price of a token that is found.
        storage_usd_per_token_s: price of keeping a token for a second: as listed, or the difference of the longest and
            the shortest write over the time between.
        implied_kv_bytes: bytes per token at which holding it would cost as much, by tier.
    """

    model: str
    date: str
    kept: str
    input_usd_per_token: float
    write_5min_over_input: float | None
    write_30min_over_input: float | None
    write_1h_over_input: float | None
    write_12h_over_input: float | None
    hit_over_input: float | None
    storage_usd_per_token_s: float | None
    implied_kv_bytes: Mapping[str, float]

    @property
    def writes_over_input(self) -> dict[float, float]:
        """Prices of a token that is read and kept, by the time in s."""
        return {
            held_s: ratio
            for field, held_s in WRITES_S.items()
            if (ratio := getattr(self, f"{field.removeprefix('cache_')}_over_input")) is not None
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderPrices:
    """Prices at a margin, and lists beside them.

    Attributes:
        margin_fraction: margin as a fraction of each price.
        input_usd_per_token: price of an input token.
        written: prices of tokens that are kept, by hold time.
        lists: published price lists.
    """

    margin_fraction: float
    input_usd_per_token: float
    written: tuple[WrittenFor, ...]
    lists: tuple[Listed, ...]


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
        lines: cost of a token in each tier over the hold time, written once and used as often as asked.
        parts: costs of writing a token, reading it back once, and holding it for a second, by tier.
        tiers: all tiers, for their cost of a byte.
        recompute_usd: cost of computing a token.
        margin_fraction: margin as a fraction of each price.
        lists: published price lists.
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
        lists=tuple(_listed(one, tiers, margin_fraction) for one in lists if one.cache_read is not None),
    )


def _listed(listed: ListPrice, tiers: Sequence[Tier], margin_fraction: float) -> Listed:
    """A list's ratios, and the bytes per token at which its prices would equal the cost of holding."""

    def over_input(usd: float | None) -> float | None:
        return None if usd is None else usd / listed.input

    storage = _storage_usd_per_token_s(listed)
    implied = (
        {}
        if storage is None
        else {
            tier.name: storage * (1 - margin_fraction) / tier.hold_usd_per_byte_s
            for tier in tiers
            if tier.medium in MEDIA
        }
    )
    return Listed(
        model=listed.name,
        date=listed.date.isoformat(),
        kept=listed.cache_kept,
        input_usd_per_token=listed.input,
        write_5min_over_input=over_input(listed.cache_write_5min),
        write_30min_over_input=over_input(listed.cache_write_30min),
        write_1h_over_input=over_input(listed.cache_write_1h),
        write_12h_over_input=over_input(listed.cache_write_12h),
        hit_over_input=over_input(listed.cache_read),
        storage_usd_per_token_s=storage,
        implied_kv_bytes=implied,
    )


def _storage_usd_per_token_s(listed: ListPrice) -> float | None:
    """Price of keeping a token for a second; None where a list has fewer than two writes and no price of storage."""
    writes = [(held_s, usd) for field, held_s in WRITES_S.items() if (usd := getattr(listed, field)) is not None]
    if listed.cache_storage is not None or len(writes) < 2:  # noqa: PLR2004  a difference takes two
        return listed.cache_storage
    (short_s, short_usd), *_, (long_s, long_usd) = writes
    return float(long_usd - short_usd) / (long_s - short_s)
