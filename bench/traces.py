"""How many requests a second are read from logs, made up, and written; and what memory a log ten times as long takes.

    python bench/traces.py ../shared/reference/traces

Printed beside the machine, asserted nowhere. A log is read as a source, block by block; the best of three.
"""

from __future__ import annotations

import os
import platform
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from ridgeline.traces import RequestSource, open_trace, paced, read_trace, synthetic
from ridgeline.traces.arrivals import Arrivals, Daily, Even, Gamma, Poisson
from ridgeline.traces.request_lengths import Drawn, Lognormal
from ridgeline.traces.trace_file import TraceFile, sorted_requests
from ridgeline.traces.write_mooncake import write_mooncake

MADE_UP = 1_000_000
LENGTHS = Lognormal(prompt_tokens=2000, output_tokens=300, prompt_variation=1.2, output_variation=0.8)
ARRIVALS: tuple[Arrivals, ...] = (Poisson(20.0), Even(20.0), Gamma(20.0, 2.0), Daily(20.0, 0.6))


def played(source: RequestSource) -> int:
    """Requests of a source, all of which are gone through."""
    return sum(len(block) for block in source.blocks())


def per_s(count: Callable[[], int], times: int) -> float:
    """Requests a second, the best of so many times."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        found.append(count() / (time.perf_counter() - start))
    return max(found)


def source_of(path: Path) -> TraceFile:
    """A log; at random, where it does not say when requests come."""
    source = open_trace(path)
    return source if source.has_arrivals else paced(source, Poisson(20.0))


def most_bytes(path: Path) -> int:
    """Memory at its highest while a log is gone through."""
    source = source_of(path)
    tracemalloc.start()
    played(source)
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found


def written_per_s(path: Path) -> float:
    """Requests a second that are sorted and written, reading included."""

    def count() -> int:
        source = source_of(path)
        requests = sorted_requests(source)
        with tempfile.TemporaryDirectory() as folder:
            write_mooncake(requests, Path(folder) / "log", block_tokens=source.block_tokens)
        return len(requests)

    return per_s(count, 1)


def main() -> None:
    """The numbers, a line each."""
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    logs = sorted(path for path in Path(sys.argv[1]).iterdir() if path.suffix in {".csv", ".jsonl"})
    for path in logs:
        source = source_of(path)
        read, planned = per_s(lambda: played(source), 3), per_s(lambda: len(read_trace(path).prompt_tokens), 3)  # noqa: B023
        rates = f"{read:,.0f} requests/s played, {planned:,.0f} planned, {written_per_s(path):,.0f} written"
        print(f"{path.name} ({source.format}), {played(source):,} requests: {rates}")
    for arrivals in ARRIVALS:
        source_ = synthetic(requests=MADE_UP, arrivals=arrivals, lengths=LENGTHS)
        print(f"{arrivals}, lognormal lengths: {per_s(lambda: played(source_), 1):,.0f} requests/s")  # noqa: B023
    drawn = synthetic(requests=MADE_UP, arrivals=Poisson(20.0), lengths=Drawn(read_trace(logs[0])))
    print(f"Poisson, lengths of {logs[0].name}: {per_s(lambda: played(drawn), 1):,.0f} requests/s")
    with tempfile.TemporaryDirectory() as folder:
        for count in (300_000, 3_000_000):
            path = Path(folder) / "log.csv"
            path.write_text("arrived_at,num_prefill_tokens,num_decode_tokens\n" + "1,1000,100\n" * count)
            print(f"memory of a log of {count:,} requests: {most_bytes(path) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
