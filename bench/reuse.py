"""How many blocks a second one pass over a log takes, to the hit rates of caches of all sizes and times held.

    python bench/reuse.py ../shared/reference/traces

Printed beside the machine, asserted nowhere. The best of five; reading the log is not among it.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ridgeline.caching.hit_rates import hit_rates
from ridgeline.caching.reuse import BlockUses, block_uses, reuse_distances
from ridgeline.traces import open_trace

TIMES = 5
MADE_UP_PROMPTS, MADE_UP_BLOCKS = 100_000, 30


def best_s(work: Callable[[], object]) -> float:
    """The quickest of some runs, s of one core, whatever else runs beside it."""
    found = []
    for _ in range(TIMES):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def made_up() -> BlockUses:
    """Ten times as many blocks as a log: prompts that go on from one of many beginnings."""
    rng = np.random.default_rng(0)
    begins = rng.zipf(1.2, MADE_UP_PROMPTS) % 20_000
    first = begins[:, None] * MADE_UP_BLOCKS + np.arange(MADE_UP_BLOCKS)
    return BlockUses(
        hashes=first.ravel(),
        blocks=np.full(MADE_UP_PROMPTS, MADE_UP_BLOCKS),
        arrivals_s=np.arange(MADE_UP_PROMPTS, dtype=float),
    )


def main() -> None:
    """The numbers, a line each."""
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    logs = sorted(Path(sys.argv[1]).glob("*.jsonl"))
    every = {path.name: block_uses(open_trace(path).blocks()) for path in logs} | {"made up": made_up()}
    for name, uses in every.items():
        blocks = len(uses.hashes)
        distances_s, all_s = best_s(lambda: reuse_distances(uses)), best_s(lambda: hit_rates(uses))  # noqa: B023
        print(
            f"{name}, {blocks:,} blocks: reuse distances in {distances_s:.3f} CPU s,"
            f" {blocks / distances_s:,.0f} blocks/s; all curves in {all_s:.3f} CPU s"
        )


if __name__ == "__main__":
    main()
