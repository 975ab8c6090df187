"""How fast plans and estimates come: printed beside the machine, asserted nowhere."""

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
    """Time the main job and single estimates."""
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    model, machine = ridgeline.load_model("deepseek-v3"), ridgeline.load_machine("gb200-nvl72")
    workload = ridgeline.Workload(prompt_tokens=4000, output_tokens=1000, tpot_s=0.05)
    found = ridgeline.plan(model, machine, workload)
    plan_s = seconds(lambda: ridgeline.plan(model, machine, workload), 1)
    print(f"plan: {plan_s:.2f} s, {found.points_evaluated / plan_s:,.0f} step estimates/s (every operation)")
    layout, step = ridgeline.Layout(dp=64, ep=64), ridgeline.Decode(batch=4096, context_tokens=4500)
    estimate_s = seconds(lambda: ridgeline.estimate(model, machine, layout, step), 200)
    print(f"estimate: {1 / estimate_s:,.0f} single calls/s")


if __name__ == "__main__":
    main()
