"""How many requests a second are simulated, beside the machine; asserted nowhere, since machines differ.

``bench/simulator.py [TRACES]``: the folder of Azure's and Mooncake's logs; what it lacks is left out. Start-up, the
reading of logs and the tables of steps are apart.
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
import platform
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from step_by_step import Scheduler, attended

from ridgeline import deploy, read_trace
from ridgeline.serving.tabulate import step_surface
from ridgeline.simulator.arrivals import as_one
from ridgeline.simulator.capacity import capacity_of
from ridgeline.simulator.fleet import serve
from ridgeline.simulator.limits import ReplicaLimits, limits_for
from ridgeline.simulator.policies import CONTINUOUS
from ridgeline.simulator.replica import Replica
from ridgeline.simulator.routers import ROUTERS, RoundRobin
from ridgeline.simulator.simulate import fleet_of as simulated_fleet
from ridgeline.simulator.simulate import has_compiler
from ridgeline.simulator.stretches import stretches_of
from ridgeline.specs.deployment import Deployment
from ridgeline.traces.requests import Requests

TRACES = Path(__file__).parents[2] / "shared" / "reference" / "traces"
AZURE, MOONCAKE = "AzureLLMInferenceTrace_conv.csv", "mooncake_conversation_trace.jsonl"
MOONCAKE_TOKENS = 512
"""Tokens of a hashed block in Mooncake's logs."""

MANY, BLOCK = 10_000_000, 50_000
COPIES = 52
"""Times that the log is played by the compiled loop."""

FEW = 400
"""Requests that are served a step at a time, for comparison."""

LONGEST_CONTEXT = 1 << 18


def requests_of(path: Path) -> Requests:
    """A log's requests in the order of arrival."""
    log = read_trace(path)
    if log.arrivals_s is None:
        raise SystemExit(f"{path}: does not say when requests came")
    order = np.argsort(log.arrivals_s, kind="stable")
    lines = path.read_text(encoding="utf-8").splitlines() if path.suffix == ".jsonl" else None
    hashes = None if lines is None else tuple(tuple(json.loads(line)["hash_ids"]) for line in lines)
    return Requests(
        arrivals_s=log.arrivals_s - log.arrivals_s.min(),
        prompt_tokens=log.prompt_tokens.astype(np.int64),
        output_tokens=log.output_tokens.astype(np.int64),
        prefix_hashes=hashes,
    ).only(order)


def fleet_of(deployment: Deployment, count: int, hashed_tokens: int = 0) -> tuple[list[Replica], ReplicaLimits]:
    """Replicas that have served nothing yet, and what bounds them."""
    limits = limits_for(deployment, CONTINUOUS, capacity_of(deployment, 2000.0), hashed_tokens=hashed_tokens)
    surface = step_surface(deployment, most_sequences=limits.sequences, most_prompt_tokens=limits.pass_tokens)
    curves = stretches_of(surface, LONGEST_CONTEXT)
    return [Replica(surface, curves, limits) for _ in range(count)], limits


def said(name: str, count: float, wall_s: float, unit: str = "requests/s") -> None:
    """A line of the table."""
    print(f"{name:58} {count:12,.0f} in {wall_s:7.2f} s: {count / wall_s:14,.0f} {unit}", flush=True)


def azure(path: Path) -> None:
    """One replica; and its first requests a step at a time."""
    deployment, requests = deploy("llama-3.1-8b", "h100-sxm", "tp1", engine="vllm"), requests_of(path)
    best_s = math.inf
    for _ in range(3):
        (replica,), limits = fleet_of(deployment, 1)
        start = time.perf_counter()
        replica.give(requests)
        replica.run(math.inf)
        replica.take_finished()
        best_s = min(best_s, time.perf_counter() - start)
    said("Azure conversations, one replica of Llama 3.1 8B, best of 3", len(requests), best_s)
    surface = step_surface(deployment, most_sequences=limits.sequences, most_prompt_tokens=limits.pass_tokens)
    compiled(path)
    few = requests.only(np.arange(FEW))
    slow = Scheduler(surface, attended(stretches_of(surface, LONGEST_CONTEXT)), limits, few)
    start = time.perf_counter()
    slow.run()
    said("  its first ones, a step at a time in objects", FEW, time.perf_counter() - start)


def compiled(path: Path) -> None:
    """The same requests over and over, by the loop that the extra ``fast`` compiles."""
    if not has_compiler():
        print("  the extra fast is not there")
        return
    deployment, requests = deploy("llama-3.1-8b", "h100-sxm", "tp1", engine="vllm"), requests_of(path)
    limits = limits_for(deployment, CONTINUOUS, capacity_of(deployment, 2000.0))
    span_s = float(requests.arrivals_s[-1]) + 1.0
    again = [dataclasses.replace(requests, arrivals_s=requests.arrivals_s + span_s * times) for times in range(COPIES)]
    blocks = [as_one(again[at : at + 4]) for at in range(0, COPIES, 4)]
    for is_warm in (False, True):
        fleet = simulated_fleet(deployment, limits, 1, is_compiled=True)
        start = time.perf_counter()
        done = sum(len(found.number) for _, found in serve(fleet, RoundRobin(), blocks if is_warm else blocks[:1]))
        if is_warm:
            said(f"  {COPIES} times over, compiled", done, time.perf_counter() - start)


def mooncake(path: Path) -> None:
    """Eight replicas whose router looks where prefixes are."""
    requests = requests_of(path)
    replicas, _ = fleet_of(deploy("llama-3.1-70b", "h100-sxm", "tp8", engine="vllm"), 8, MOONCAKE_TOKENS)
    start = time.perf_counter()
    done = sum(len(found.number) for _, found in serve(replicas, ROUTERS["prefix-aware"], [requests]))
    said("Mooncake conversations, 8 replicas, prefix-aware", done, time.perf_counter() - start)


def alone() -> None:
    """Requests one at a time: a run of steps for each, which takes no longer than a step."""
    count, outputs = 512, 1000
    (replica,), _ = fleet_of(deploy("llama-3.1-8b", "h100-sxm", "tp1", engine="vllm"), 1)
    requests = Requests(
        arrivals_s=np.arange(0.0, 100.0 * count, 100.0, dtype=np.float64),
        prompt_tokens=np.full(count, 128),
        output_tokens=np.full(count, outputs),
    )
    start = time.perf_counter()
    replica.give(requests)
    replica.run(math.inf)
    said("512 requests one at a time, 128 in and 1,000 out", count * outputs, time.perf_counter() - start, "steps/s")


def synthetic(count: int) -> Iterator[Requests]:
    """Requests of all lengths, block by block."""
    rng, begun_s = np.random.default_rng(0), 0.0
    for _ in range(0, count, BLOCK):
        arrivals_s = begun_s + np.cumsum(rng.exponential(1 / 12.0, BLOCK))
        begun_s = float(arrivals_s[-1])
        yield Requests(
            arrivals_s=arrivals_s,
            prompt_tokens=rng.integers(1, 1000, BLOCK),
            output_tokens=rng.integers(1, 400, BLOCK),
        )


def many(count: int) -> None:
    """A long run, of which only what is under way is kept."""
    replicas, _ = fleet_of(deploy("llama-3.1-8b", "h100-sxm", "tp1", engine="vllm"), 1)
    start = time.perf_counter()
    done = sum(len(found.number) for _, found in serve(replicas, RoundRobin(), synthetic(count)))
    said("synthetic requests, 12 a second, in blocks", done, time.perf_counter() - start)
    print(f"  peak memory of the process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


def main() -> None:
    """All of them."""
    traces = Path(sys.argv[1]) if len(sys.argv) > 1 else TRACES
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, NumPy {np.__version__}")
    alone()
    for name, play in ((AZURE, azure), (MOONCAKE, mooncake)):
        if (traces / name).is_file():
            play(traces / name)
        else:
            print(f"{traces / name} is not there")
    many(MANY)


if __name__ == "__main__":
    main()
