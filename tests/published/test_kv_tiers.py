"""Times to the first token of a context of 64k tokens from each tier, as one author measured them.

Source: gitea.gahow.org/gahow/agentic-kvc, 2026-05-30: Qwen3-Coder-30B-A3B on H20, 0.11 s where HBM has the context,
0.27 s from the host's DRAM at 54 GB/s, 0.97 s from a store over RDMA that gives 5 to 7 GB/s, 15.2 s computed again.
Neither engine, layout nor load is given: what tiers add to HBM's time is compared, and recomputing is bracketed.
"""

from __future__ import annotations

import pytest

import ridgeline
from ridgeline.caching.found import Caching
from ridgeline.equations.caching import retrieve_time_s

CONTEXT_TOKENS = 65_536
HBM_S, DRAM_S, STORE_S, RECOMPUTE_S = 0.11, 0.27, 0.97, 15.2
STORE_BYTES_PER_S = 5e9, 7e9


def asked(layout: str) -> Caching:
    return ridgeline.cache(
        "qwen3-30b-a3b",
        "h20-sxm",
        context_tokens=CONTEXT_TOKENS,
        hold_s=300,
        reuse=1,
        layout=layout,
        tiers=("ddr",),
        usd_per_chip_s=1 / 3600,
    )


def test_reading_back_takes_what_was_measured_and_recomputing_far_longer() -> None:
    one, two = asked("tp1"), asked("tp2")
    # A third: what is stated is the link's rate, and an engine copies layer by layer on top of it.
    assert one.held("DDR").retrieve_s == pytest.approx(DRAM_S - HBM_S, rel=0.34)
    slow_s, quick_s = (float(retrieve_time_s(kv_bytes=one.kv_bytes, bytes_per_s=rate)) for rate in STORE_BYTES_PER_S)
    # A tenth: rates are stated with one digit.
    assert 0.9 * quick_s < STORE_S - HBM_S < slow_s
    assert two.loaded.prefill_s < RECOMPUTE_S < one.loaded.prefill_s
    assert not one.held("DDR").slower
