"""How many steps a second are estimated: every operation of DeepSeek-V3 at the spec sheet's peaks.

Printed beside the machine, asserted nowhere. A grid is batches by contexts by layouts; each point is a whole step with
its causes and its memory.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import ridgeline

LAYOUTS = [ridgeline.Layout(tp=tp, dp=64 // tp, ep=64) for tp in (1, 2, 4, 8)]
BATCHES = np.arange(64, 64 * 257, 64)
CONTEXTS = np.arange(256, 256 * 257, 256)


def seconds(run: Callable[[], object], times: int) -> float:
    """Best of five means over ``times`` calls."""
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(times):
            run()
        best = min(best, (time.perf_counter() - start) / times)
    return best


def main() -> None:
    """Time grids on one core and on all, and single calls."""
    cores = os.cpu_count() or 1
    print(f"{platform.machine()}, {cores} cores, Python {platform.python_version()}, NumPy {np.__version__}")
    model, machine = ridgeline.load_model("deepseek-v3"), ridgeline.load_machine("gb200-nvl72")
    roofline = ridgeline.FIDELITIES["roofline"]

    def grid(layouts: list[ridgeline.Layout]) -> int:
        found = ridgeline.estimate_grid(
            model, machine, layouts, batch=BATCHES, context_tokens=CONTEXTS, fidelity=roofline
        )
        return int(found.step_time_s.size)

    points = grid(LAYOUTS)
    one_s = seconds(lambda: grid(LAYOUTS), 1)
    shape = f"{len(LAYOUTS)} layouts x {len(BATCHES)} batches x {len(CONTEXTS)} contexts"
    print(f"grid, {shape}: {points / one_s:,.0f} step estimates/s on one core")
    with ThreadPoolExecutor(cores) as pool:
        all_s = seconds(lambda: list(pool.map(grid, ([layout] for layout in LAYOUTS))), 1)
    print(f"grid, the same: {points / all_s:,.0f} step estimates/s on {cores} cores")
    step = ridgeline.decode(batch=4096, context_tokens=4500)
    single_s = seconds(lambda: ridgeline.estimate(model, machine, LAYOUTS[0], step, fidelity=roofline), 200)
    print(f"single calls of ridgeline.estimate: {1 / single_s:,.0f}/s")


if __name__ == "__main__":
    main()
