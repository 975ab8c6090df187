"""What one percent more of a machine, of its price or of the limit on the time per token does.

Two questions, kept apart. What a request costs is asked of all good plans together, each with its batch chosen anew:
the cheapest of several costs has no jump where two plans change places. A batch is a real number here, up to the last
fraction of a sequence that memory and the limit allow, so that no step between whole numbers shows; and a plan that
meets the limit on the first token now stays. How long tokens take, and what input and output tokens cost by themselves,
is asked of the best plan with its layout and its batch.

No part of a machine that is faster by one percent shortens a plan's times by more. Where a limit on the time per token
holds the batch down, a larger batch uses up what is saved; so a cost falls by no more than one percent and by what one
percent more of the limit saves, which stands beside it as ``chip_s_per_request:tpot_s``.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ridgeline.planner.outcome import Plan
from ridgeline.planner.search import Served
from ridgeline.serving.passes import pool_passes
from ridgeline.serving.pool import PoolCurve, pool_curve, room, sequence_grid
from ridgeline.specs.machine import Machine

__all__ = ["CONTENDERS", "QUANTITIES", "STEP", "elasticities", "least_chip_s", "raised_machines"]

Grid = NDArray[np.float64]

STEP = 1.01
"""One percent, as it is said: small against the kinks where another term comes to bind."""

CONTENDERS = 4
"""Plans whose cheapest counts: one percent moves none from farther down to the top."""

OF_THE_PLAN: dict[str, Callable[[PoolCurve, float], float]] = {
    "tpot_s": lambda curve, _: float(curve.tpot_s[0]),
    "ttft_s": lambda curve, _: curve.first_token_s,
    "usd_per_output_token": lambda curve, steps: _shares(curve, steps)[0] / float(curve.requests_per_s[0]),
    "usd_per_input_token": lambda curve, steps: _shares(curve, steps)[1] / float(curve.requests_per_s[0]),
}
"""What changes of the best plan as it is, by its curve and a request's decode steps; in proportion."""


def _shares(curve: PoolCurve, steps: float) -> tuple[float, float]:
    """Parts of a request's pool time that are its decode steps' and its prompt's."""
    decode_s, prompt_s = steps * float(curve.decode_step_s[0] / curve.in_flight[0]), float(curve.prompt_s[0])
    return decode_s / (decode_s + prompt_s), prompt_s / (decode_s + prompt_s)


QUANTITIES = ("chip_s_per_request", "usd_per_request", *OF_THE_PLAN)
"""What changes; dollars where there is a price."""


def _faster_memory(machine: Machine, by: float) -> Machine:
    chip = dataclasses.replace(machine.chip, hbm_bytes_per_s=machine.chip.hbm_bytes_per_s * by)
    return dataclasses.replace(machine, chip=chip)


def _larger_memory(machine: Machine, by: float) -> Machine:
    chip = machine.chip
    chip = dataclasses.replace(chip, hbm_bytes=chip.hbm_bytes * by)
    return dataclasses.replace(machine, chip=chip)


def _faster_arithmetic(machine: Machine, by: float) -> Machine:
    peaks = {name: peak * by for name, peak in machine.chip.flop_per_s.items()}
    return dataclasses.replace(machine, chip=dataclasses.replace(machine.chip, flop_per_s=peaks))


def _faster_links(machine: Machine, by: float, *, is_scale_up: bool) -> Machine:
    fabric = tuple(
        dataclasses.replace(level, bytes_per_s=level.bytes_per_s * by) if (index == 0) is is_scale_up else level
        for index, level in enumerate(machine.fabric)
    )
    return dataclasses.replace(machine, fabric=fabric)


CHANGES: dict[str, Callable[[Machine, float], Machine]] = {
    "hbm_bytes_per_s": _faster_memory,
    "flop_per_s": _faster_arithmetic,
    "hbm_bytes": _larger_memory,
    "scale_up_bytes_per_s": lambda machine, by: _faster_links(machine, by, is_scale_up=True),
    "scale_out_bytes_per_s": lambda machine, by: _faster_links(machine, by, is_scale_up=False),
}


def raised_machines(machine: Machine, by: float = STEP) -> dict[str, Machine]:
    """The machine with one percent more of each, by what it has more of."""
    return {raised: change(machine, by) for raised, change in CHANGES.items()}


def elasticities(contenders: Sequence[Served], best: Plan, price: float | None) -> dict[str, float]:
    """Percent of change for one percent more, by ``"what changes:what is raised"``.

    Args:
        contenders: the layouts of the best plans, the best first.
        best: the best plan.
        price: of a chip, in dollars a second; without one there are no dollars to change.
    """
    first, machine = contenders[0], contenders[0].deployment.machine
    leaves = any(one.chips > machine.scale_up_chips for one in contenders)

    def on(where: Machine) -> dict[str, float]:
        chip_s = least_chip_s(contenders, where)
        return {"chip_s_per_request": chip_s, "usd_per_request": chip_s} | _of_the_plan(first, best, where)

    now = on(machine)
    found: dict[str, float] = {}
    for raised, changed in raised_machines(machine).items():
        # Links out of a domain that nobody leaves need no search.
        then = on(changed) if leaves or raised != "scale_out_bytes_per_s" else now
        found |= {f"{name}:{raised}": _percent(now[name], then[name]) for name in QUANTITIES}
    if first.workload.tpot_s is not None:
        longer = least_chip_s(contenders, machine, limit_s=first.workload.tpot_s * STEP)
        saved = _percent(now["chip_s_per_request"], longer)
        found |= {"chip_s_per_request:tpot_s": saved, "usd_per_request:tpot_s": saved}
    found |= {f"{name}:usd_per_chip_s": float(name.startswith("usd")) for name in QUANTITIES}
    return found if price is not None else {name: change for name, change in found.items() if "usd" not in name}


def _percent(before: float, after: float) -> float:
    return math.log(after / before) / math.log(STEP)


def least_chip_s(contenders: Sequence[Served], machine: Machine, *, limit_s: float | None = None) -> float:
    """Paid chip-seconds of a request by the cheapest of the contenders' layouts on a machine, at any real batch.

    Args:
        contenders: layouts, each with what it serves and where.
        machine: in place of theirs.
        limit_s: on the time per token, in place of theirs.
    """
    return min(_least_chip_s(one, machine, limit_s or one.workload.tpot_s or math.inf) for one in contenders)


def _on(served: Served, machine: Machine, sequences: Grid) -> PoolCurve:
    """The curve of a contender's layout on a machine."""
    deployment = dataclasses.replace(served.deployment, machine=machine)
    return pool_curve(pool_passes(deployment, served.workload, float(sequences[-1])), sequences)


def _least_chip_s(served: Served, machine: Machine, limit_s: float) -> float:
    most = room(dataclasses.replace(served.deployment, machine=machine), served.workload)
    # Whole numbers of sequences that one percent more memory does not move.
    sequences = sequence_grid(served.most_sequences)
    sequences = np.concatenate([sequences, np.arange(served.most_sequences + 1, math.ceil(most) + 1)])
    curve = _on(served, machine, sequences)
    groups = served.deployment.layout.dp
    cycles_s = sequences / (curve.requests_per_s / groups)
    paid_chips = served.budget / served.replicas
    return paid_chips / groups * _least_share(sequences, curve.tpot_s, cycles_s, most, limit_s)


def _least_share(sequences: Grid, tpot_s: Grid, cycles_s: Grid, most: float, limit_s: float) -> float:
    """Least time of a request over the sequences that share it, on lines through a curve's points, up to two limits.

    A line's share of a sequence rises or falls all along, so that the least is at one of its ends: at a point of the
    curve, where its time per token crosses the limit, or where room ends.
    """
    inside = sequences <= most
    counts = np.append(sequences[inside], most)
    times, cycles = (np.append(values[inside], np.interp(most, sequences, values)) for values in (tpot_s, cycles_s))
    shares = np.where(times <= limit_s, cycles / counts, np.inf)
    low, high = np.minimum(times[:-1], times[1:]), np.maximum(times[:-1], times[1:])
    crossed = np.flatnonzero((low <= limit_s) & (limit_s < high))
    part = (limit_s - times[crossed]) / (times[crossed + 1] - times[crossed])
    at, cycle = (values[crossed] + part * (values[crossed + 1] - values[crossed]) for values in (counts, cycles))
    return float(min(shares.min(), np.min(cycle / at, initial=np.inf)))


def _of_the_plan(served: Served, best: Plan, machine: Machine) -> dict[str, float]:
    """The best plan's times on a machine, with its layout and batch."""
    curve, steps = _on(served, machine, np.array([best.batch / best.layout.dp])), float(served.workload.decode_steps)
    return {name: value(curve, steps) for name, value in OF_THE_PLAN.items()}
