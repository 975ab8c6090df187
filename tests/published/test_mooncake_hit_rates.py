"""Hit rates of the traces that Mooncake published, for which their authors and others have given numbers.

Source: Qin et al. 2024, "Mooncake" (arXiv 2407.00079), whose FAST25 release has the traces; an unlimited cache hits
36.6 % of the blocks of the conversation trace, and 64.0 % of the synthetic one's, to the digits given.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from cachetools import LRUCache

from ridgeline.boards.lecture.prices import hits
from ridgeline.caching.hit_rates import hit_rates
from ridgeline.caching.reuse import BlockUses, block_uses
from ridgeline.equations import caching
from ridgeline.traces import open_trace, read_trace


def uses_of(traces: Path, name: str) -> BlockUses:
    return block_uses(open_trace(traces / f"mooncake_{name}_trace.jsonl").blocks())


@pytest.mark.parametrize(
    ("name", "blocks", "unlimited"), [("conversation", 288_500, 0.366), ("synthetic", 121_877, 0.640)]
)
def test_an_unlimited_cache_hits_what_was_published(traces: Path, name: str, blocks: int, unlimited: float) -> None:
    rates = hit_rates(uses_of(traces, name))
    assert rates.uses == blocks
    assert round(rates.unlimited, 3) == unlimited
    assert rates.unlimited == read_trace(traces / f"mooncake_{name}_trace.jsonl").prefix_hit_fraction


def one_by_one(uses: BlockUses) -> BlockUses:
    """The same blocks, each a prompt of its own, used in the order of the prompts."""
    return BlockUses(hashes=uses.hashes, blocks=np.ones_like(uses.hashes), arrivals_s=uses.arrivals_s[uses.prompts])


def test_blocks_one_by_one_hit_what_was_measured_of_them(traces: Path) -> None:
    # A Fenwick tree over the conversation trace, each block by itself: 4.4, 21.1, 35.5 and 36.6 %.
    found = hit_rates(one_by_one(uses_of(traces, "conversation"))).of_blocks([1_000, 10_000, 50_000, 288_500])
    assert np.round(found, 3).tolist() == [0.044, 0.211, 0.355, 0.366]


@pytest.mark.parametrize(
    ("name", "hits"),
    [("conversation", (12_831, 60_921, 102_290)), ("synthetic", (10_050, 51_614, 77_953))],
)
def test_blocks_one_by_one_hit_as_in_a_cache_simulator(traces: Path, name: str, hits: tuple[int, ...]) -> None:
    """Hits that libcachesim 0.3.5 counted, its LRU of so many blocks given all blocks of the trace, each of size 1."""
    rates = hit_rates(one_by_one(uses_of(traces, name)))
    found = rates.of_blocks([1_000, 10_000, 50_000]) * rates.uses
    assert tuple(round(one) for one in found.tolist()) == hits


@pytest.mark.slow
@pytest.mark.parametrize(("name", "most"), [("conversation", 0.0005), ("synthetic", 0.007)])
def test_prefixes_dropped_from_their_ends_hit_little_more_than_blocks_one_by_one(
    traces: Path, name: str, most: float
) -> None:
    # Blocks of a prompt used in its order are lost together; from their ends, what is left of them still hits.
    uses, sizes = uses_of(traces, name), [200, 1_000, 3_000, 10_000, 30_000]
    more = hit_rates(uses).of_blocks(sizes) - hit_rates(one_by_one(uses)).of_blocks(sizes)
    assert (more >= 0).all()
    assert 0 < more.max() < most


@pytest.mark.slow
@pytest.mark.parametrize("size", [1_000, 10_000, 50_000])
def test_the_whole_trace_hits_as_in_a_cache_of_another_hand(traces: Path, size: int) -> None:
    uses = uses_of(traces, "conversation")
    cache: LRUCache[int, bool] = LRUCache(size)
    hits, hashes = 0, uses.hashes.tolist()
    for start, count in zip(uses.starts.tolist(), uses.blocks.tolist(), strict=True):
        prompt = hashes[start : start + count]
        hits += next((place for place, one in enumerate(prompt) if one not in cache), count)
        for one in reversed(prompt):
            cache[one] = True
    assert hits == round(float(hit_rates(uses).of_blocks(size)) * len(hashes))


@pytest.mark.parametrize(("name", "most"), [("conversation", 0.03), ("synthetic", 0.06)])
def test_exponential_times_to_the_next_use_are_a_model_of_the_curves(traces: Path, name: str, most: float) -> None:
    """Of the traces' own part, mean time and rate: what the text of the board and of the equation says."""
    uses = uses_of(traces, name)
    rates, held_s = hit_rates(uses), np.array([10.0, 60.0, 300.0, 600.0, 1800.0])
    reuse = {"reused_fraction": rates.unlimited, "mean_reuse_s": float(rates.intervals_s.mean())}
    found = caching.found_fraction(**reuse, held_s=held_s)
    assert np.abs(found - rates.of_hold(held_s)).max() < most
    sizes = caching.held_bytes(tokens_per_s=rates.uses / rates.span_s, kv_bytes_per_token=1.0, **reuse, held_s=held_s)
    assert np.abs(found - rates.of_blocks(np.asarray(sizes).astype(np.int64))).max() < most


def test_the_board_starts_from_the_conversation_trace(traces: Path) -> None:
    uses = uses_of(traces, "conversation")
    rates = hit_rates(uses)
    assert round(rates.unlimited, 3) == hits.CONVERSATION_REUSED_FRACTION
    assert round(float(rates.intervals_s.mean())) == hits.CONVERSATION_REUSE_S
    assert round(512 * rates.uses / rates.span_s, -2) == hits.CONVERSATION_TOKENS_PER_S
    assert round(512 * float(uses.blocks.mean()), -2) == hits.CONVERSATION_PROMPT_TOKENS


def test_the_pages_table_is_what_one_pass_finds(traces: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "hit_rates.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (conversation|synthetic) \| ([\d,]+) \| (.*) \|$", page, re.MULTILINE)
    assert len(rows) == 2
    for name, blocks, cells in rows:
        rates = hit_rates(uses_of(traces, name))
        found = [*rates.of_blocks([1_000, 10_000, 50_000]).tolist(), rates.unlimited, *rates.of_hold([60.0, 300.0])]
        assert blocks == f"{rates.uses:,}"
        assert cells.split(" | ") == [f"{100 * part:.1f} %" for part in found]
