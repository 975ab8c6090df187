"""Fields of the documents of ``cache``: what is run to see them, and what they mean."""

from __future__ import annotations

from typing import Any

from json_fields.fields import Fields
from ridgeline.caching.envelope import Span
from ridgeline.caching.found import Asked as CacheAsked
from ridgeline.caching.found import BreakEven, Caching, Held
from ridgeline.caching.hbm_share import HbmShare
from ridgeline.caching.loaded import LoadedMachine, WithHits
from ridgeline.caching.pool_storage import PoolStorage, StoreLimits
from ridgeline.caching.provider_prices import Listed, ProviderPrices, WrittenFor
from ridgeline.caching.tiers import Ownership

CACHED = "cache llama-3.1-70b --on h100-sxm --hold 5min --reuse 0.3 --context 20k"
EXAMPLES = {
    "cache": (
        f"{CACHED} --layout tp4 --ttft 60s --tiers ddr5-over-pcie,flash-tlc-31tb",
        f"{CACHED} --pools 2 --market list --date 2026-06 --weights fp8 --kv fp8 --kernels OWN --chips 8",
        f"{CACHED} --price $2/h --storage STORED --life 1095d",
    )
}
RECORDS: dict[str, tuple[type[Any], ...]] = {
    "cache:": (Caching,),
    "cache:inputs": (CacheAsked, Ownership),
    "cache:tiers[]": (Held,),
    "cache:envelope[]": (Span,),
    "cache:by_drain[]": (Span,),
    "cache:break_evens[]": (BreakEven,),
    "cache:loaded": (LoadedMachine,),
    "cache:cached": (WithHits,),
    "cache:hbm": (HbmShare,),
    "cache:prices": (ProviderPrices,),
    "cache:prices.written[]": (WrittenFor,),
    "cache:prices.lists[]": (Listed,),
    "cache:two_pools": (PoolStorage,),
    "cache:two_pools.stores[]": (StoreLimits,),
}
WORDS = {
    "cache:inputs.device_usd": "prices of devices that were given, by the name that was written",
    "implied_kv_bytes.*": "of the tier",
}
NAMED = frozenset({"cache:prices.lists[].implied_kv_bytes"})
FIELDS = Fields(examples=EXAMPLES, records=RECORDS, words=WORDS, named=NAMED)
