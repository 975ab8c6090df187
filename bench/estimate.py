"""How many steps a second are estimated: every operation of DeepSeek-V3 at the spec sheet's peaks.

Printed beside the machine, asserted nowhere. A grid is batches by contexts by layouts; each point is a whole step with
its causes and its memory.
"""

from __future__ import annotations

import itertools
import os
import platform
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import ridgeline
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.passes import Pass

LAYOUTS = [ridgeline.Layout(tp=tp, dp=64 // tp, ep=64) for tp in (1, 2, 4, 8)]
BATCHES = np.arange(64, 64 * 257, 64)
CONTEXTS = np.arange(256, 256 * 257, 256)


SERIES: dict[str, Iterator[Pass]] = {
    "the same step again": itertools.repeat(ridgeline.decode(batch=4096, context_tokens=4500)),
    "a new context each": (ridgeline.decode(batch=4096, context_tokens=4500 + more) for more in itertools.count()),
    "a new batch each": (ridgeline.decode(batch=4096 + 64 * more, context_tokens=4500) for more in itertools.count()),
}
"""Steps as they are asked for one by one: what depends on the batch alone is kept from one to the next."""


def series_s(model: Model, machine: Machine, fidelity: str, steps: Iterator[Pass]) -> float:
    """Seconds of a call."""
    return seconds(lambda: ridgeline.estimate(model, machine, LAYOUTS[0], next(steps), fidelity=fidelity), 200)


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
    for fidelity in ("roofline", "measured"):
        for what, steps in SERIES.items():
            one_s = series_s(model, machine, fidelity, steps)
            print(f"single calls of ridgeline.estimate, {fidelity}, {what}: {1 / one_s:,.0f}/s")


if __name__ == "__main__":
    main()
