"""How fast a step is looked up, and how far that is off the estimate: printed beside the machine, asserted nowhere."""

from __future__ import annotations

import os
import platform
import time
import timeit

import numpy as np

from ridgeline import chunk, decode, deploy, together
from ridgeline.estimator.timed import time_step, timed_operations
from ridgeline.serving.surface import StepSurface
from ridgeline.serving.tabulate import step_surface

DEPLOYMENTS = (
    ("llama-3.1-70b", "h100-sxm", "tp8"),
    ("gemma-3-27b", "h100-sxm", "tp2"),
    ("deepseek-v3", "h200-sxm", "dp8,ep8"),
    ("deepseek-v3.2", "h200-sxm", "dp8,ep8"),
    ("deepseek-v4-flash", "h200-sxm", "dp8,ep8"),
)
MOST_SEQUENCES, MOST_TOKENS = 512, 8192
SAMPLES, CALLS = 150, 50_000


def _look_up_s(surface: StepSurface, entries: list[float], more: tuple[int, ...]) -> float:
    """Time of one look-up, the best of three means."""
    return min(timeit.repeat(lambda: surface.step_s(64, entries, *more), number=CALLS, repeat=3)) / CALLS


def main() -> None:
    """Tabulate deployments, look steps up, and hold some against their estimates."""
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, NumPy {np.__version__}")
    rng = np.random.default_rng(0)
    for names in DEPLOYMENTS:
        deployment = deploy(*names)
        groups = deployment.layout.dp
        start = time.perf_counter()
        surface = step_surface(deployment, most_sequences=MOST_SEQUENCES, most_prompt_tokens=MOST_TOKENS)
        built_s = time.perf_counter() - start
        errors: list[float] = []
        for _ in range(SAMPLES):
            count, context, new = (
                int(np.exp(rng.uniform(0, np.log(most)))) for most in (MOST_SEQUENCES, 100_000, MOST_TOKENS)
            )
            entries = [count * each for each in surface.entries(context)]
            step = decode(batch=count * groups, context_tokens=context)
            mixed = together(step, chunk(batch=groups, new_tokens=new, past_tokens=new))
            for pass_, found_s in (
                (step, surface.step_s(count, entries)),
                (mixed, surface.step_s(count, entries, new, new)),
            ):
                errors.append(abs(found_s / float(time_step(timed_operations(deployment, pass_))[0]) - 1))
        entries = [64 * each for each in surface.entries(4000)]
        step_s, mixed_s = (_look_up_s(surface, entries, more) for more in ((), (512, 1024)))
        counts = rng.integers(1, MOST_SEQUENCES, 1_000_000).astype(np.float64)
        arrays = [np.asarray(counts * each, dtype=np.float64) for each in surface.entries(4000)]
        start = time.perf_counter()
        surface.steps_s(counts, arrays)
        many_s = time.perf_counter() - start
        print(
            f"{' '.join(names)}: built in {built_s * 1e3:.0f} ms; a step {step_s * 1e6:.2f} us, with a chunk"
            f" {mixed_s * 1e6:.2f} us, {len(counts) / many_s:,.0f}/s in arrays; off by {np.median(errors):.3%} in the"
            f" median, {np.max(errors):.2%} at worst"
        )


if __name__ == "__main__":
    main()
