"""How fast plans come: printed beside the machine, asserted nowhere."""

from __future__ import annotations

import os
import platform
import time

import ridgeline


def seconds(run: object, times: int) -> float:
    """Best of three means over ``times`` calls."""
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        for _ in range(times):
            run()  # type: ignore[operator]  # any callable
        best = min(best, (time.perf_counter() - start) / times)
    return best


def main() -> None:
    """Time the main job."""
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    model, machine = ridgeline.load_model("deepseek-v3"), ridgeline.load_machine("gb200-nvl72")
    workload = ridgeline.Workload(prompt_tokens=4000, output_tokens=1000, tpot_s=0.05)
    found = ridgeline.plan(model, machine, workload)
    plan_s = seconds(lambda: ridgeline.plan(model, machine, workload), 1)
    print(f"plan: {plan_s:.2f} s, {found.points_evaluated / plan_s:,.0f} step estimates/s (every operation)")


if __name__ == "__main__":
    main()
