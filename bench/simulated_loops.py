"""Closed loops that were measured, played by the simulator, which was fitted to none of them.

    python bench/simulated_loops.py ../shared/evidence [--rows 200]

Beside it the closed form of ``serving/load.py``, whose queues and waits were fitted to such rows. Rows are drawn with a
seed; each is played until five requests a user are done, all of them sent as the one before is answered.
"""

from __future__ import annotations

import dataclasses
import platform
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ridgeline import load_machine
from ridgeline.calibration.cases.case import Case, Unsupported
from ridgeline.calibration.cases.case_file import read_cases
from ridgeline.calibration.cases.model_table import ModelTable, read_model_table
from ridgeline.calibration.kinds.loads import LoadPasses, in_a_loop, loaded
from ridgeline.calibration.kinds.run import Run, as_stated, machine_of
from ridgeline.catalog.engines import engine_of
from ridgeline.estimator.memory import limits_of
from ridgeline.serving.rules import rules_of
from ridgeline.serving.tabulate import step_surface
from ridgeline.simulator.capacity import capacity_of
from ridgeline.simulator.limits import limits_for
from ridgeline.simulator.policies import policy_of
from ridgeline.simulator.replica import Finished, Replica
from ridgeline.simulator.served import served_of
from ridgeline.simulator.stretches import stretches_of
from ridgeline.specs.fidelity import MEASURED
from ridgeline.traces.requests import Requests

FAMILIES = ("closed_loop_silicon", "closed_loop_inferencex_2026")
REQUESTS_A_USER, LONGEST_CONTEXT = 5, 1 << 17
VARIED = 0.8
"""Least length of a request over the longest, where lengths vary."""


@dataclasses.dataclass(frozen=True)
class Row:
    """Errors of one row, as logarithms of predicted over measured: simulated, and in closed form."""

    family: str
    engine: str
    quantity: str
    simulated: float
    closed: float


def played(load: LoadPasses, rng: np.random.Generator) -> Finished:
    """What a replica of a row has done when all its requests are answered."""
    deployment, workload, users = load.deployment, load.pools[0].workload, int(load.users)
    capacity = capacity_of(deployment, workload.prompt_tokens + workload.output_tokens / 2)
    limits = limits_for(deployment, policy_of(limits_of(deployment)), capacity)
    limits = dataclasses.replace(limits, sequences=min(limits.sequences, users + limits.groups))
    surface = step_surface(
        deployment, most_sequences=-(-limits.sequences // limits.groups), most_prompt_tokens=limits.pass_tokens
    )
    replica, count = Replica(surface, stretches_of(surface, LONGEST_CONTEXT), limits), users * REQUESTS_A_USER
    spread = np.ones((2, count)) if load.equal_lengths else rng.uniform(VARIED, 1, (2, count)) * 2 / (1 + VARIED)
    arrivals_s = np.full(count, np.inf)
    arrivals_s[:users] = 0.0
    replica.give(
        Requests(
            arrivals_s=arrivals_s,
            prompt_tokens=whole(workload.prompt_tokens * spread[0]),
            output_tokens=whole(workload.output_tokens * spread[1]),
        )
    )
    replica.counts = replica.counts._replace(released=users)
    replica.run(float("inf"))
    return replica.take_finished()


def whole(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Numbers of tokens."""
    return np.maximum(np.round(values), 2).astype(np.int64)


def errors(case: Case, models: ModelTable, rng: np.random.Generator) -> Row:
    """Both predictions of a row beside its measurement.

    Raises:
        ValueError: nothing was measured.
    """
    measured = case.measured
    if measured is None:
        raise ValueError(f"{case.family} {case.quantity}: a row without a measurement has no error")
    machine, _ = machine_of(case, load_machine, None)
    engine = as_stated(engine_of(case.engine, kernels=None), case)
    load = in_a_loop(Run(case=case, machine=machine, fidelity=MEASURED, models=models, engine=engine))
    served, closed = served_of(played(load, rng), 0, load.deployment.engine), loaded(load, load.engine)
    held_s = 0.0
    if case.quantity == "ttft_s":
        # The benchmark's scripts let servers send tokens in chunks, which the first one waits for.
        rules = rules_of(load.engine, equal_lengths=load.equal_lengths, is_benchmark=True)
        held_s = float(rules.stream_interval_steps[0]) * float(np.nanmean(served.tpot_s))
    simulated_s = float(np.nanmean(getattr(served, case.quantity))) + held_s
    closed_s = float(getattr(closed, case.quantity)[0])
    return Row(
        family=case.family,
        engine=load.engine.name,
        quantity=case.quantity,
        simulated=float(np.log(simulated_s / measured)),
        closed=float(np.log(closed_s / measured)),
    )


def rows(evidence: Path, most: int) -> Iterator[Row]:
    """Errors of so many rows of each family and quantity."""
    models, rng = read_model_table(evidence / "models.csv"), np.random.default_rng(0)
    for family in FAMILIES:
        cases = read_cases(evidence / "open" / f"{family}.csv")
        for quantity in ("tpot_s", "ttft_s"):
            asked = [case for case in cases if case.quantity == quantity]
            for place in rng.permutation(len(asked))[:most]:
                try:
                    yield errors(asked[place], models, rng)
                except Unsupported as refusal:
                    print(f"{asked[place].case}: {refusal}", file=sys.stderr)


def show(name: str, found: Sequence[Row]) -> None:
    """Medians of errors, and of what they have in common."""
    cells = []
    for way in ("simulated", "closed"):
        values = np.array([getattr(one, way) for one in found])
        cells.append(f"{way} {np.median(np.abs(values)):.3f} ({np.median(values):+.3f})")
    print(f"{name:50} {len(found):4}  {'   '.join(cells)}")


def main() -> None:
    """Print errors by family, quantity and engine."""
    evidence = Path(sys.argv[1])
    most = int(sys.argv[sys.argv.index("--rows") + 1]) if "--rows" in sys.argv else 200
    print(f"{platform.machine()}, Python {platform.python_version()}; medians of |ln(predicted / measured)|, and of ln")
    start = time.perf_counter()
    found = list(rows(evidence, most))
    for family in FAMILIES:
        for quantity in ("tpot_s", "ttft_s"):
            here = [one for one in found if (one.family, one.quantity) == (family, quantity)]
            show(f"{family}, {quantity}", here)
            for engine in sorted({one.engine for one in here}):
                show(f"  {engine}", [one for one in here if one.engine == engine])
    print(f"{len(found)} rows in {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
