"""The front of mixes is that of caches played request by request, and its ends are what they must be."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from cachetools import LRUCache
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.caching.hierarchy import Mix, TierOffer, TierSize, capacity_mixes, cheapest_within, quickest_for
from ridgeline.caching.reuse import BlockUses, block_uses
from ridgeline.errors import RidgelineError
from ridgeline.traces.requests import Requests

READ_S = 1.0
"""Time to read a block."""


def path_hashes(steps: Sequence[int]) -> tuple[int, ...]:
    """Hashes that name a block with all before it: the way to it through a tree of three branches, as a number."""
    found, way = [], 0
    for step in steps:
        way = way * 4 + 1 + step
        found.append(way)
    return tuple(found)


PROMPTS = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=6).map(path_hashes), min_size=2, max_size=25)


def uses_of(prompts: Sequence[Sequence[int]]) -> BlockUses:
    counts = np.array([len(one) for one in prompts])
    requests = Requests(
        arrivals_s=np.arange(float(len(prompts))),
        prompt_tokens=counts,
        output_tokens=np.ones_like(counts),
        prefix_hashes=tuple(map(tuple, prompts)),
    )
    return block_uses([requests])


def front_of(prompts: Sequence[Sequence[int]], offers: Sequence[TierOffer], **more: float) -> tuple[Mix, ...]:
    uses = uses_of(prompts)
    return capacity_mixes(
        uses,
        offers,
        block_bytes=1.0,
        read_s=lambda blocks: np.asarray((uses.blocks - blocks) * READ_S + 0.25, dtype=np.float64),
        memory_blocks=int(more.pop("memory_blocks", 0)),
        **more,
    )


def one_by_one(prompts: Sequence[Sequence[int]], sizes: Sequence[TierSize]) -> list[float]:
    """First tokens of a mix, from caches of another hand."""
    tiers: list[tuple[TierSize, LRUCache[int, bool]]] = [(one, LRUCache(int(one.capacity_bytes))) for one in sizes]
    found = []
    for prompt in prompts:
        best, ready, known = len(prompt) * READ_S + 0.25, 0.0, 0
        for size, cache in tiers:
            level = next((at for at, one in enumerate(prompt) if one not in cache), len(prompt))
            if level > known:
                ready = max(ready, size.latency_s + (level - known) / size.read_bytes_per_s)
                best, known = min(best, ready + (len(prompt) - level) * READ_S + 0.25), level
        for one in reversed(prompt):
            for _, cache in tiers:
                cache[one] = True
        found.append(best)
    return found


def offer(name: str, sizes: Sequence[float], *, usd: float, bytes_per_s: float, latency_s: float) -> TierOffer:
    return TierOffer(
        name=name,
        sizes=tuple(
            TierSize(capacity_bytes=size, usd_per_s=usd * size, read_bytes_per_s=bytes_per_s, latency_s=latency_s)
            for size in sizes
        ),
    )


OFFERS = (
    offer("fast", (2, 5, 9), usd=3.0, bytes_per_s=20.0, latency_s=0.01),
    offer("slow", (4, 8, 20, 60), usd=0.5, bytes_per_s=1.7, latency_s=0.6),
)


@given(PROMPTS, st.sampled_from([None, 0.5, 0.9]))
def test_the_front_is_that_of_all_mixes_played_one_by_one(prompts: list[tuple[int, ...]], part: float | None) -> None:
    played: list[tuple[float, float]] = []
    for sizes in itertools.product(*((None, *one.sizes) for one in OFFERS)):
        taken = [size for size in sizes if size is not None]
        if any(below.capacity_bytes <= above.capacity_bytes for above, below in itertools.pairwise(taken)):
            continue
        first_s = one_by_one(prompts, taken)
        usd_per_s = sum(size.usd_per_s for size in taken)
        played.append((usd_per_s, float(np.mean(first_s) if part is None else np.quantile(first_s, part))))
    best: list[tuple[float, float]] = []
    for usd_per_s, ttft_s in sorted(played):
        if ttft_s < min((one[1] for one in best), default=math.inf) - 1e-12:
            best.append((usd_per_s, ttft_s))
    found = front_of(prompts, OFFERS, **({} if part is None else {"part": part}))
    assert [one.usd_per_s for one in found] == pytest.approx([one[0] for one in best])
    assert [one.ttft_s for one in found] == pytest.approx([one[1] for one in best])


TWICE = [(1, 2, 3, 4), (11, 12, 13, 14), (1, 2, 3, 4), (11, 12, 13, 14)]


def test_money_and_time_choose_from_the_front() -> None:
    mixes = front_of(TWICE, OFFERS)
    assert mixes[0].capacities_bytes == (0.0, 0.0)
    assert mixes[0].usd_per_s == mixes[0].fetched_fraction == 0.0
    assert mixes[0].reading_s == mixes[0].ttft_s == 4.25
    # All that comes again fits into eight blocks.
    assert mixes[-1].capacities_bytes == (9.0, 0.0)
    assert mixes[-1].fetched_fraction == 0.5
    assert cheapest_within(mixes, 4.25) == mixes[0]
    assert cheapest_within(mixes, 4.0) == mixes[1]
    assert cheapest_within(mixes, mixes[-1].ttft_s - 1e-9) is None
    assert quickest_for(mixes, math.inf) == mixes[-1]
    assert quickest_for(mixes, mixes[1].usd_per_s) == mixes[1]
    assert quickest_for(mixes, -1.0) is None
    assert mixes[1].capacities_bytes == (0.0, 8.0)


def test_chips_that_read_are_paid_for_too() -> None:
    free, paid = front_of(TWICE, OFFERS), front_of(TWICE, OFFERS, usd_per_reading_s=100.0)
    # Where reading is dear, no cache is the dearest, and what saves most of it is the cheapest.
    assert free[0].fetched_fraction == 0.0
    assert paid[0].fetched_fraction == 0.5
    (same,) = (one for one in free if one.capacities_bytes == paid[0].capacities_bytes)
    # Four requests in three seconds.
    assert paid[0].usd_per_s == pytest.approx(same.usd_per_s + 4 / 3 * same.reading_s * 100.0)


def test_what_memory_keeps_is_not_bought() -> None:
    kept = front_of(TWICE, OFFERS, memory_blocks=8)
    assert [one.capacities_bytes for one in kept] == [(0.0, 0.0)]
    assert kept[0].ttft_s == pytest.approx((2 * 4.25 + 2 * 0.25) / 4)


def test_too_many_mixes_and_empty_tiers_are_refused() -> None:
    many = offer("many", range(1, 1000), usd=1.0, bytes_per_s=1.0, latency_s=0.0)
    with pytest.raises(RidgelineError, match="1,000,000 mixes"):
        front_of(TWICE, [many, many])
    with pytest.raises(RidgelineError, match="above 0"):
        TierSize(capacity_bytes=0.0, usd_per_s=1.0, read_bytes_per_s=1.0)
