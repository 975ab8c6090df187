"""How many points of a study are swept in a second, at what memory, and whether a sweep that is killed loses any.

``uv run python bench/studies.py`` sweeps 4 million points at either resolution; ``--points 100M`` as many as are asked
for. Rates are of the wall clock and of processor time, since other work may share the machine. ``--kill 3`` ends a
further sweep of the same study so often by SIGKILL at random moments, carries it on, and compares the bytes.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import platform
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Self

from ridgeline.quantity_text import format_quantity, parse_quantity
from ridgeline.studies.query import query
from ridgeline.studies.read import read_study
from ridgeline.studies.sweep import Swept, sweep

STUDY = """
name = "bench"
models = ["llama-3.1-8b", "llama-3.1-70b", "qwen3-235b-a22b", "deepseek-v3"]
machines = ["h100-sxm", "b200-sxm", "next"]
layouts = ["tp1", "tp2", "tp4", "tp8"]
fidelity = "{fidelity}"
batch = {{ from = 1, to = {batches}, step = 1 }}
context_tokens = {{ from = 100, to = 125000, step = 100 }}

[machine.next]
like = "b200-sxm"
hbm_bytes_per_s = ["8 TB/s", "12 TB/s", "16 TB/s"]
usd_per_chip_s = {{ sum = ["$1/h", "$0.3/h per TB/s of hbm_bytes_per_s"] }}
"""
POINTS_A_BATCH = 4 * 5 * 4 * 1250
"""Models by machines by layouts by contexts: every one of them has a row."""

SAMPLE_S = 0.2


class Memory:
    """The largest sum of what this process and its children hold, sampled while a block runs."""

    def __init__(self) -> None:
        self.most_bytes = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(SAMPLE_S):
            self.most_bytes = max(self.most_bytes, sum(map(_held_bytes, [os.getpid(), *_children(os.getpid())])))


def _held_bytes(process: int) -> int:
    try:
        lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


def _children(process: int) -> list[int]:
    try:
        found = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="utf-8").split()
    except OSError:
        return []
    return [int(one) for one in found] + [inner for one in found for inner in _children(int(one))]


def _cpu_s() -> float:
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def _swept(study: Path, folder: Path, workers: int) -> Swept:
    """One sweep, printed with its rates and its memory."""
    load, cpu_s = os.getloadavg()[0], _cpu_s()
    with Memory() as memory:
        found = sweep(read_study(study), folder, workers=workers)
    cpu_s = _cpu_s() - cpu_s
    shards_bytes = sum(one.file_bytes for one in found.manifest.done)
    print(
        f"{found.new_points:,} points, {found.rows:,} rows in {found.wall_s:.1f} s on {workers} workers:"
        f" {found.points_per_s:,.0f} points/s; {found.new_points / cpu_s:,.0f} points per CPU-second;"
        f" memory of all processes {format_quantity(memory.most_bytes, 'bytes')};"
        f" files {format_quantity(shards_bytes, 'bytes')}, {shards_bytes / found.rows:.1f} bytes a row;"
        f" load {load:.1f} before, {os.getloadavg()[0]:.1f} after",
        flush=True,
    )
    return found


def _killed(study: Path, whole: Swept, folder: Path, times: int) -> None:
    """A sweep that is killed at random moments and carried on, held against the one that was not."""
    chosen = random.Random()  # noqa: S311  moments
    command = [sys.executable, "-m", "ridgeline", "sweep", str(study), "--out", str(folder)]
    for _ in range(times):
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL)  # noqa: S603  our own
        moment_s = chosen.uniform(0.1, 0.9) * whole.wall_s / times
        end_s = time.monotonic() + moment_s
        while time.monotonic() < end_s and running.poll() is None:
            time.sleep(0.01)
        running.send_signal(signal.SIGKILL)
        running.wait()
        there = len(list(folder.glob("shards/*.parquet")))
        print(f"killed after {moment_s:.1f} s, with {there} of {whole.manifest.shards} shards", flush=True)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603  our own
    names = sorted(str(path.relative_to(whole.folder)) for path in whole.folder.rglob("*") if path.is_file())
    there_too = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    same, *others = filecmp.cmpfiles(whole.folder, folder, names, shallow=False)
    is_same = names == there_too and len(same) == len(names) and not any(others)
    print(f"carried on: {'the same bytes' if is_same else 'OTHER BYTES'} in {len(names)} files", flush=True)
    if not is_same:
        raise SystemExit(1)


def main() -> None:
    """Sweep, print, compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", default="4M")
    parser.add_argument("--fidelity", default="roofline,measured")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--kill", type=int, default=0)
    asked = parser.parse_args()
    batches = max(round(parse_quantity(asked.points, "count") / POINTS_A_BATCH), 2)
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    for fidelity in asked.fidelity.split(","):
        with tempfile.TemporaryDirectory() as there:
            study = Path(there) / "bench.toml"
            study.write_text(STUDY.format(fidelity=fidelity, batches=batches), encoding="utf-8")
            print(f"{fidelity}: ", end="")
            whole = _swept(study, Path(there) / "whole", asked.workers)
            start_s = time.perf_counter()
            rows = len(query(whole.folder, "SELECT * FROM cheapest").rows)
            print(
                f"query of the cheapest of each group: {rows} rows in {time.perf_counter() - start_s:.1f} s", flush=True
            )
            if asked.kill:
                _killed(study, whole, Path(there) / "killed", asked.kill)


if __name__ == "__main__":
    main()
