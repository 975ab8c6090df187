"""How fast training layouts are searched from a cold start: two searches and their gates, beside the machine."""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import time

GATE_S = 5.0
"""Wall time of either on two cores."""

STARTS = 3
"""Fresh processes of which the median is taken."""

ASKED = {
    "Llama 3 405B on 16,384 H100": "llama-3.1-405b --on h100-sxm --chips 16384 --tokens 15.6T --batch-tokens 16M",
    "DeepSeek-V3 on 2,048 H800": "deepseek-v3 --on h800-sxm --chips 2048 --tokens 14.8T --batch-tokens 62914560"
    " --sequence 4096",
}


def main() -> None:
    """Print a line a search."""
    print(f"{os.cpu_count()} x {platform.processor() or platform.machine()}, Python {platform.python_version()}")
    for name, asked in ASKED.items():
        times = []
        for _ in range(STARTS):
            begun = time.perf_counter()
            done = subprocess.run(  # noqa: S603  ours
                [sys.executable, "-m", "ridgeline", "train", *asked.split(), "--json"], capture_output=True, check=True
            )
            times.append(time.perf_counter() - begun)
        (search,) = json.loads(done.stdout)["search"]
        median_s = statistics.median(times)
        tried = search["timed"] + search["too_large"]
        met = "met" if median_s <= GATE_S else "missed"
        print(
            f"{name}: {median_s:.1f} s ({GATE_S:g} s {met}) for {search['layouts']:,} layouts, {tried:,} of them"
            f" estimated, {tried / median_s:,.0f}/s"
        )


if __name__ == "__main__":
    main()
