"""Hit rates from one pass are those of caches that are played block by block, of every size and every time held."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from cachetools import LRUCache, TTLCache
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.caching.hit_rates import HitRates, hit_rates
from ridgeline.caching.reuse import NEVER_USED, BlockUses, block_uses, reuse_distances, reuse_intervals_s
from ridgeline.errors import RidgelineError
from ridgeline.traces.requests import Requests


def uses_of(prompts: Sequence[Sequence[int]], arrivals_s: Sequence[float] | None = None) -> BlockUses:
    times = np.arange(float(len(prompts))) if arrivals_s is None else np.array(arrivals_s)
    counts = np.array([len(one) for one in prompts])
    requests = Requests(
        arrivals_s=times,
        prompt_tokens=np.maximum(counts, 1),
        output_tokens=np.ones(len(prompts), dtype=np.int64),
        prefix_hashes=tuple(map(tuple, prompts)),
    )
    return block_uses([requests])


def path_hashes(steps: Sequence[int]) -> list[int]:
    """Hashes that name a block with all before it: the way to it through a tree of three branches, as a number."""
    found, way = [], 0
    for step in steps:
        way = way * 4 + 1 + step
        found.append(way)
    return found


BLOCKS = st.lists(st.integers(0, 12), min_size=1, max_size=120)
PREFIXES = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=7).map(path_hashes), min_size=2, max_size=40)
UNNAMED = st.lists(st.lists(st.integers(0, 12), min_size=1, max_size=6, unique=True), min_size=2, max_size=30)


@st.composite
def timed(draw: st.DrawFn) -> tuple[list[list[int]], list[float]]:
    prompts = draw(PREFIXES)
    gaps_s = draw(st.lists(st.sampled_from([0.0, 0.5, 1.0, 7.0]), min_size=len(prompts) - 1, max_size=len(prompts) - 1))
    return prompts, np.cumsum([0.0, *gaps_s]).tolist()


def lru_hits(prompts: Sequence[Sequence[int]], blocks: int) -> int:
    """Hits of a cache of another hand: a prompt is looked up up to its first miss, and then used from its end."""
    cache: LRUCache[int, bool] = LRUCache(blocks)
    hits = 0
    for prompt in prompts:
        for one in prompt:
            if one not in cache:
                break
            hits += 1
        for one in reversed(prompt):
            cache[one] = True
    return hits


@given(BLOCKS, st.integers(1, 14))
def test_single_blocks_hit_as_in_an_lru_cache(blocks: list[int], size: int) -> None:
    cache: LRUCache[int, bool] = LRUCache(size)
    found = []
    for one in blocks:
        found.append(one in cache)
        cache[one] = True
    assert (reuse_distances(uses_of([[one] for one in blocks])) <= size).tolist() == found


@given(PREFIXES, st.integers(1, 30))
def test_prefixes_hit_as_in_an_lru_cache(prompts: list[list[int]], size: int) -> None:
    assert int((reuse_distances(uses_of(prompts)) <= size).sum()) == lru_hits(prompts, size)


@given(UNNAMED, st.integers(1, 14))
def test_blocks_behind_a_miss_do_not_hit_where_hashes_do_not_name_what_is_before(
    prompts: list[list[int]], size: int
) -> None:
    assert int((reuse_distances(uses_of(prompts)) <= size).sum()) == lru_hits(prompts, size)


@given(timed(), st.sampled_from([0.25, 0.5, 1.5, 6.0, 7.0, 100.0]))
def test_prefixes_hit_as_in_a_cache_that_drops_by_time(of: tuple[list[list[int]], list[float]], hold_s: float) -> None:
    prompts, arrivals_s = of
    now_s = 0.0
    # It drops at the very end of the time, and here a block may be used at it.
    cache: TTLCache[int, bool] = TTLCache(1 << 20, ttl=hold_s + 1e-9, timer=lambda: now_s)
    hits, held_s = 0, 0.0
    for number, (prompt, now_s) in enumerate(zip(prompts, arrivals_s, strict=True)):
        hits += sum(one in cache for one in prompt)
        cache.update(dict.fromkeys(prompt, True))
        later = arrivals_s[number + 1 :]
        for one in prompt:
            again = (when for when, other in zip(later, prompts[number + 1 :], strict=True) if one in other)
            held_s += min(next(again, arrivals_s[-1]) - now_s, hold_s)
    if not arrivals_s[-1]:
        with pytest.raises(RidgelineError, match="all prompts came at once"):
            hit_rates(uses_of(prompts, arrivals_s))
        return
    rates = hit_rates(uses_of(prompts, arrivals_s))
    assert float(rates.of_hold(hold_s)) * rates.uses == pytest.approx(hits)
    assert float(rates.held_blocks(hold_s)) * rates.span_s == pytest.approx(held_s)


@given(PREFIXES)
def test_larger_caches_hit_more_and_an_unlimited_one_all_that_came_before(prompts: list[list[int]]) -> None:
    uses = uses_of(prompts)
    rates = hit_rates(uses)
    sizes = np.arange(1, rates.different + 1)
    assert (np.diff(rates.of_blocks(sizes)) >= 0).all()
    assert len(rates.distances) == rates.uses - rates.different
    assert rates.of_blocks(rates.most_blocks) == rates.unlimited
    assert rates.of_hold(np.inf) == rates.unlimited
    assert rates.held_blocks(np.inf) <= rates.different
    # Every cache holds whole prefixes: along a prompt distances do not fall.
    distances = reuse_distances(uses)
    for start, count in zip(uses.starts.tolist(), uses.blocks.tolist(), strict=True):
        assert (np.diff(distances[start : start + count]) >= 0).all()


@given(PREFIXES, st.lists(st.integers(1, 12), min_size=1, max_size=4))
def test_tiers_hit_together_what_one_cache_does(prompts: list[list[int]], more: list[int]) -> None:
    rates = hit_rates(uses_of(prompts))
    sizes = np.cumsum(more).tolist()
    inclusive, exclusive = rates.of_tiers(sizes), rates.of_tiers(more, is_exclusive=True)
    assert inclusive.tolist() == exclusive.tolist()
    assert inclusive.sum() == pytest.approx(float(rates.of_blocks(sizes[-1])))
    assert (inclusive >= 0).all()


def test_inclusive_tiers_grow() -> None:
    rates: HitRates = hit_rates(uses_of([[1], [1]]))
    with pytest.raises(RidgelineError, match="a tier of 5 blocks below one of 5 holds nothing else"):
        rates.of_tiers([5, 5])
    assert rates.of_tiers([5, 5], is_exclusive=True).tolist() == [0.5, 0.0]


def test_blocks_that_a_prompt_does_not_fill_may_be_left_out() -> None:
    requests = Requests(
        arrivals_s=np.arange(3.0),
        prompt_tokens=np.array([1024, 1030, 100]),
        output_tokens=np.ones(3, dtype=np.int64),
        prefix_hashes=((1, 2), (1, 2, 3), (4,)),
    )
    assert block_uses([requests]).blocks.tolist() == [2, 3, 1]
    full = block_uses([requests], full_tokens=512)
    assert full.blocks.tolist() == [2, 2]
    assert full.unnamed == 1
    assert reuse_distances(full).tolist() == [NEVER_USED, NEVER_USED, 1, 2]
    assert reuse_intervals_s(full).tolist() == [np.inf, np.inf, 1.0, 1.0]


def test_logs_without_blocks_are_refused() -> None:
    none = Requests(
        arrivals_s=np.zeros(1), prompt_tokens=np.ones(1, dtype=np.int64), output_tokens=np.ones(1, dtype=np.int64)
    )
    with pytest.raises(RidgelineError, match="names no blocks"):
        block_uses([none])
    with pytest.raises(RidgelineError, match="no request names a block"):
        uses_of([[]])
    with pytest.raises(RidgelineError, match="hash 7 stands twice"):
        uses_of([[7, 7]])
