"""How fast plans come from a cold start, and whether the search finds what a look at everything finds.

Printed beside the machine. A cold start is a fresh process, from ``ridgeline plan`` to its last byte: wall time and,
since others may use the machine meanwhile, the process's CPU time, each the median of some. Ends with status 1 where a
search has missed something; that a gate is missed is only said, since how fast a machine is does not lie with the
code.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import brute_force
import numpy as np

import ridgeline
from ridgeline.planner.plan import plan
from ridgeline.planner.two_pools.search import plan_two_pools
from ridgeline.specs.demand import AS_MUCH_AS_IT_GIVES
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.workload import Workload

Key = TypeVar("Key")

STARTS = 5
"""Fresh processes of which the median is taken."""

WORKLOAD = Workload(prompt_tokens=4000, output_tokens=1000, tpot_s=0.05)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What is planned, and the seconds that it may take."""

    model: str
    machine: str
    chips: int
    pools: int
    gate_s: float

    @property
    def command(self) -> list[str]:
        """As it is asked for in a shell."""
        lengths = ["--prompt", str(WORKLOAD.prompt_tokens), "--output", str(WORKLOAD.output_tokens), "--tpot", "50ms"]
        where = ["--on", self.machine, "--chips", str(self.chips), "--pools", str(self.pools)]
        return [sys.executable, "-m", "ridgeline", "plan", self.model, *where, *lengths, "--json"]


JOBS = tuple(
    Job(model=model, machine=machine, chips=chips, pools=pools, gate_s=gate_s)
    for model, machine, chips, gate_s in (
        ("deepseek-v3", "h200-sxm", 64, 2.0),
        ("deepseek-v3", "gb200-nvl72", 72, 2.0),
        ("llama-3.1-70b", "h100-sxm", 32, 1.0),
    )
    for pools in (1, 2)
)

SMALL = (
    ("llama-3.1-8b", "h100-sxm", "vllm", 4, 0.02),
    ("llama-3.1-8b", "a100-80-sxm", "sglang", 4, None),
    ("llama-3.1-70b", "h100-sxm", "ideal", 6, 0.06),
    ("qwen3-30b-a3b", "h100-sxm", "vllm", 4, 0.03),
    ("qwen3-30b-a3b", "h200-sxm", "ideal", 2, 0.03),
    ("deepseek-v3", "b200-sxm", "vllm", 8, 0.05),
)
"""Spaces that are looked at in full: model, machine, engine, chips, and the limit on the time per token."""


def cold_s(command: list[str]) -> tuple[float, float]:
    """Wall time of a fresh process, and its CPU time."""
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:  # noqa: S603  this interpreter
        _, status, used = os.wait4(process.pid, 0)
        wall_s = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with status {process.returncode}")
    return wall_s, used.ru_utime + used.ru_stime


def inside(job: Job) -> tuple[int, float]:
    """Points that a search looks at, and the seconds that it takes with all imported and read, the best of three."""
    deployment = ridgeline.deploy(job.model, job.machine)

    def search() -> int:
        if job.pools == 1:
            return plan(deployment, WORKLOAD, chips=job.chips).points_evaluated
        return plan_two_pools(
            [deployment], [deployment], WORKLOAD, chips=job.chips, demand=AS_MUCH_AS_IT_GIVES
        ).points_evaluated

    return search(), min(_seconds(search) for _ in range(3))


def _seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def show_speed() -> None:
    """A line for each job."""
    for job in JOBS:
        times = [cold_s(job.command) for _ in range(STARTS)]
        wall_s, cpu_s = (statistics.median(one) for one in zip(*times, strict=True))
        points, search_s = inside(job)
        pools, verdict = ("one pool", "two pools")[job.pools - 1], "" if cpu_s <= job.gate_s else ", MISSED"
        print(
            f"{job.model} on {job.chips} {job.machine}, {pools}: {wall_s:.2f} s from a cold start, {cpu_s:.2f} s of CPU"
            f" (gate {job.gate_s:.0f} s{verdict}); inside {points:,} points in {search_s:.3f} s,"
            f" {points / search_s:,.0f}/s"
        )


def misses(deployment: Deployment, workload: Workload, chips: int) -> tuple[str, list[str]]:
    """What was looked at, and in what a search differs from a look at everything.

    Args:
        deployment: whose layout does not matter.
        workload: lengths of requests, and limits on their latency.
        chips: the budget, inside one domain.
    """
    searched = brute_force.searched_layouts(deployment, workload, chips)
    points = brute_force.every_point(deployment, workload, chips, searched)
    best, found = brute_force.best_of_each(points, workload), plan(deployment, workload, chips=chips)
    wrong = []
    planned = {one.layout: (one.batch, one.tpot_s, one.paid_chip_s_per_request) for one in found.plans}
    expected = {one.layout: (one.batch, one.tpot_s, one.paid_chip_s) for one in best}
    if not _same(planned, expected):
        wrong.append("the best batch of a layout")
    # Of costs that no model of time tells apart the simplest comes first; the cheapest then stands behind it.
    if best[0].layout not in [one.layout for one in found.plans[:2]]:
        wrong.append("the cheapest layout")
    front = {(one.layout, one.batch): (one.tpot_s, one.paid_chip_s_per_request) for one in found.front}
    not_beaten = {(one.layout, one.batch): (one.tpot_s, one.paid_chip_s) for one in brute_force.not_beaten(points)}
    if not _same(front, not_beaten):
        wrong.append("the front")
    every = [one for one in brute_force.every_layout(deployment, chips) if one not in set(searched)]
    others = brute_force.best_of_each(brute_force.every_point(deployment, workload, chips, every), workload)
    if others and others[0].paid_chip_s < best[0].paid_chip_s:
        wrong.append(f"{others[0].layout}, which is not searched and cheaper")
    pairs = {
        layout: (one.requests_per_s,)
        for layout, one in brute_force.best_pairs(deployment, workload, chips, searched).items()
    }
    pools = plan_two_pools([deployment], [deployment], workload, chips=chips, demand=AS_MUCH_AS_IT_GIVES)
    if not _same({one.decode.deployment.layout: (one.requests_per_s,) for one in pools.plans}, pairs):
        wrong.append("two pools")
    both = brute_force.not_beaten(brute_force.every_pair(deployment, workload, chips, searched))
    if not _same(dict(enumerate(_speeds(pools.front))), dict(enumerate(_speeds(both)))):
        wrong.append("the front of two pools")
    seen = (
        f"{len(searched)} layouts, {len(points):,} points, {len(not_beaten)} on the front, {len(every)} layouts beside"
        f" them, {len(pairs)} best pairs of two pools, {len(both)} on their front"
    )
    return seen, wrong


def _speeds(points: Sequence[Any]) -> list[tuple[float, float]]:
    """Time per token and cost of points of a front; which layouts read the prompts may be left to choice."""
    costs = ("paid_chip_s", "paid_chip_s_per_request")
    return [(one.tpot_s, next(getattr(one, name) for name in costs if hasattr(one, name))) for one in points]


ALIKE = 1e-12
"""Sums in another order end in other last bits."""


def _same(found: Mapping[Key, tuple[float, ...]], expected: Mapping[Key, tuple[float, ...]]) -> bool:
    """Whether the same keys have the same numbers."""
    return found.keys() == expected.keys() and all(
        np.allclose(numbers, expected[key], rtol=ALIKE, atol=0.0) for key, numbers in found.items()
    )


def main() -> int:
    """Time cold starts, then look at everything."""
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, NumPy {np.__version__}")
    if sys.dont_write_bytecode:
        print("Python writes no bytecode here (PYTHONDONTWRITEBYTECODE), so that every start compiles all sources anew")
    show_speed()
    missed = False
    for model, machine, engine, chips, tpot_s in SMALL:
        workload = Workload(prompt_tokens=4000, output_tokens=1000, tpot_s=tpot_s)
        seen, wrong = misses(ridgeline.deploy(model, machine, engine=engine), workload, chips)
        print(
            f"{model} on {chips} {machine}, {engine}: {seen}: {'differs in ' + ', '.join(wrong) if wrong else 'same'}"
        )
        missed |= bool(wrong)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
