"""Every layout at every batch, one estimate after another: what a search must find, found the slow way.

Nothing is shared with the search but the model of time itself. Each step is an estimate of a number, operation by
operation, where the search times the kernels of all layouts as grids; every batch is looked at by itself, and all
pairs of points are compared. Limits on latency are the workload's; there is no load, and the budget is in one domain.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ridgeline.estimator.divisibility import layout_faults
from ridgeline.estimator.engine_support import engine_faults
from ridgeline.estimator.memory import limits_of
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.timed import occupied_causes, time_step, timed_operations
from ridgeline.planner.candidates import candidates
from ridgeline.planner.choice import WORTH_WAITING_FOR
from ridgeline.planner.compare import asked_of_stages
from ridgeline.serving.admission import chunks_per_prompt, prompts_of_a_pass, room, tokens_per_pass
from ridgeline.serving.load import idle_first_token_s, prompts_per_s
from ridgeline.serving.passes import BATCHES
from ridgeline.serving.pool import most_sequences, pool_curves
from ridgeline.serving.pool_times import PoolTimes
from ridgeline.serving.rules import rules_of
from ridgeline.serving.transfer import cache_move_s
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.specs.passes import Pass, prefill
from ridgeline.specs.workload import Workload

__all__ = [
    "Pair",
    "Point",
    "best_of_each",
    "best_pairs",
    "every_layout",
    "every_point",
    "not_beaten",
    "searched_layouts",
]

ENOUGH = 1 - WORTH_WAITING_FOR
"""Of the most that a replica serves, what is as good where nothing limits the time per token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A layout at a batch.

    Attributes:
        layout: of one replica.
        batch: requests under way on it.
        tpot_s: time per output token.
        ttft_s: time to the first token of a lone request.
        paid_chip_s: chip-seconds of a request, idle chips of the budget among them.
    """

    layout: Layout
    batch: int
    tpot_s: float
    ttft_s: float
    paid_chip_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two pools with whole numbers of replicas.

    Attributes:
        prefill: layout of a replica that reads prompts.
        decode: layout of a replica that makes tokens.
        requests_per_s: that both serve.
        cost: chips of the budget over that, chip-seconds, with what is asked of stages that nobody measured.
    """

    prefill: Layout
    decode: Layout
    requests_per_s: float
    cost: float


def every_layout(deployment: Deployment, chips: int) -> Iterator[Layout]:
    """All layouts of up to so many chips that divide model and machine and that the engine runs, with any numbers.

    Experts are held twice only where their number does not come out even: more of them even the load out, and save less
    than two plans must differ by to be told apart.
    """
    degrees = range(1, chips + 1)
    for tp, pp, dp, cp in itertools.product(degrees, repeat=4):
        if tp * pp * dp * cp > chips:
            continue
        for ep, rows, kv_dp in itertools.product(range(1, tp * dp + 1), degrees[:tp], degrees[:tp]):
            try:
                layout = Layout(
                    tp=tp,
                    pp=pp,
                    dp=dp,
                    cp=cp,
                    ep=ep,
                    tp_rows=rows,
                    kv_dp=kv_dp,
                    redundant_experts=-_experts(deployment) % ep,
                )
            except LayoutError:
                continue
            if _serves(deployment, layout):
                yield layout


def _experts(deployment: Deployment) -> int:
    """Routed experts of a layer; 0 where there are none."""
    blocks = [group.feed_forward for group in deployment.model.groups]
    return max((block.experts for block in blocks if isinstance(block, RoutedExperts)), default=0)


def searched_layouts(deployment: Deployment, workload: Workload, chips: int) -> list[Layout]:
    """Those that the search tries, and that divide model and machine and that the engine runs."""
    tried = candidates(deployment.model, deployment.machine, chips, prompt_tokens=workload.prompt_tokens)
    return [layout for layout in tried if _serves(deployment, layout)]


def _serves(deployment: Deployment, layout: Layout) -> bool:
    laid = dataclasses.replace(deployment, layout=layout)
    return not layout_faults(deployment.model, deployment.machine, layout) and not engine_faults(laid)


def every_point(deployment: Deployment, workload: Workload, chips: int, layouts: Sequence[Layout]) -> list[Point]:
    """Every whole batch of each layout that fits, whatever the limits."""
    found = []
    for layout in layouts:
        laid = dataclasses.replace(deployment, layout=layout)
        most = most_sequences(laid, workload)
        if not most:
            continue
        times = _pool_times(laid, workload, most)
        paid_chips = chips / (chips // layout.chips)
        for sequences in range(1, most + 1):
            (curve,) = pool_curves(times, [laid], workload, [np.array([float(sequences)])])
            found.append(
                Point(
                    layout=layout,
                    batch=sequences * layout.dp,
                    tpot_s=float(curve.tpot_s[0]),
                    ttft_s=curve.first_token_s,
                    paid_chip_s=paid_chips / float(curve.requests_per_s[0]),
                )
            )
    return found


def _pool_times(deployment: Deployment, workload: Workload, most: int) -> PoolTimes:
    """What one pool's passes take: each of them an estimate by itself."""
    groups, together = deployment.layout.dp, prompts_of_a_pass(deployment, workload)
    nodes = BATCHES[: int(np.searchsorted(BATCHES, most)) + 1]

    def read(prompts: int) -> tuple[float, float]:
        return _pass_s(
            deployment,
            prefill(
                batch=prompts,
                prompt_tokens=workload.read_tokens,
                passes=chunks_per_prompt(deployment, workload),
                cached_tokens=workload.cached_tokens,
            ),
        )

    steps = [_pass_s(deployment, workload.decode_step(int(node) * groups))[0] for node in nodes]
    return PoolTimes(
        sequences=nodes,
        step_s=np.array([steps]),
        pool=np.zeros(1, dtype=int),
        lone_s=np.array([read(1)[0]]),
        latency_s=np.array([read(groups)[0]]),
        alone_s=np.array([read(groups)[1]]),
        full_s=np.array([read(groups * together)[1]]),
        most_together=np.array([float(together)]),
        chunks=np.array([workload.read_tokens / tokens_per_pass(deployment)]),
        decodes=np.array([float(limits_of(deployment).mixes_prompts)]),
        groups=np.array([float(groups)]),
        stages=np.array([float(deployment.layout.pp)]),
        waits_for_groups=np.array([float(groups > 1 and _experts(deployment) > 0)]),
        admitted=np.array([room(deployment, workload) * groups]),
        decode_steps=np.array([float(workload.decode_steps)]),
    )


def _pass_s(deployment: Deployment, pass_: Pass) -> tuple[float, float]:
    """Time of a pass, and that for which it takes up its chips where others follow it."""
    operations = timed_operations(deployment, pass_)
    occupied = occupied_causes(operations, deployment, shares_of(pass_, deployment.layout))
    return float(time_step(operations)[0]), float(sum(occupied.values()))


def best_of_each(points: Sequence[Point], workload: Workload) -> list[Point]:
    """The cheapest batch of each layout that keeps to the limits, the cheapest layout first.

    Where nothing limits the time per token, the fastest of those within 1 % of the cheapest.
    """
    tpot_s, ttft_s = (math.inf if limit is None else limit for limit in (workload.tpot_s, workload.ttft_s))
    kept: dict[Layout, list[Point]] = {}
    for point in points:
        if point.tpot_s <= tpot_s and point.ttft_s <= ttft_s:
            kept.setdefault(point.layout, []).append(point)
    slack = WORTH_WAITING_FOR if workload.tpot_s is None else 0.0
    best = []
    for mine in kept.values():
        least = min(point.paid_chip_s for point in mine)
        best.append(min((one for one in mine if one.paid_chip_s <= least * (1 + slack)), key=lambda one: one.tpot_s))
    return sorted(best, key=lambda one: one.paid_chip_s)


def not_beaten(points: Sequence[Point]) -> list[Point]:
    """Points than which no other is as fast and as cheap; each is held against all others. Fastest first."""
    tpot_s, cost = (np.array([getattr(one, name) for one in points]) for name in ("tpot_s", "paid_chip_s"))
    kept = [
        one
        for one in points
        if not np.any(
            (tpot_s <= one.tpot_s) & (cost <= one.paid_chip_s) & ((tpot_s < one.tpot_s) | (cost < one.paid_chip_s))
        )
    ]
    return sorted(kept, key=lambda one: one.tpot_s)


def best_pairs(deployment: Deployment, workload: Workload, chips: int, layouts: Sequence[Layout]) -> dict[Layout, Pair]:
    """The cheapest pair of each layout that makes tokens: with any that reads, in any split, at any batch."""
    ttft_s = math.inf if workload.ttft_s is None else workload.ttft_s
    best: dict[Layout, Pair] = {}
    readers, writers = _sides(deployment, workload, layouts)
    for (reader, read, lone_s), (writer, made) in itertools.product(readers, writers):
        if lone_s + cache_move_s(reader, writer, workload.prompt_tokens, chips=chips) > ttft_s:
            continue
        asked = 1 + asked_of_stages(max(reader.layout.pp, writer.layout.pp))
        for rate, copies in itertools.product(_kept(made, workload), range(1, chips // writer.layout.chips + 1)):
            served = _served(chips, reader, read, writer, copies, rate)
            cost = chips / served * asked if served else math.inf
            if served and (writer.layout not in best or cost < best[writer.layout].cost):
                best[writer.layout] = Pair(
                    prefill=reader.layout, decode=writer.layout, requests_per_s=served, cost=cost
                )
    return best


def every_pair(deployment: Deployment, workload: Workload, chips: int, layouts: Sequence[Layout]) -> list[Point]:
    """Every whole batch of each layout that makes tokens, with the best that reads prompts, whatever the limits."""
    readers, writers = _sides(deployment, workload, layouts)
    found = []
    for writer, made in writers:
        for sequences, (tpot_s, rate) in enumerate(made, 1):
            served = max(
                _served(chips, reader, read, writer, copies, rate)
                for reader, read, _ in readers
                for copies in range(1, chips // writer.layout.chips + 1)
            )
            if served:
                batch = sequences * writer.layout.dp
                found.append(
                    Point(layout=writer.layout, batch=batch, tpot_s=tpot_s, ttft_s=0.0, paid_chip_s=chips / served)
                )
    return found


def _served(chips: int, reader: Deployment, read: float, writer: Deployment, copies: int, rate: float) -> float:
    """Requests a second of so many replicas that make tokens, and of as many that read prompts as there is room for."""
    left = (chips - copies * writer.layout.chips) // reader.layout.chips
    return min(left * read, copies * rate)


Reads = tuple[Deployment, float, float]
"""A replica that reads prompts, prompts a second, and the time to the first token of a lone one."""

Makes = tuple[Deployment, list[tuple[float, float]]]
"""A replica that makes tokens; time per token and requests a second at each whole number of sequences of a group."""


def _sides(deployment: Deployment, workload: Workload, layouts: Sequence[Layout]) -> tuple[list[Reads], list[Makes]]:
    readers: list[Reads] = []
    writers: list[Makes] = []
    for one in (dataclasses.replace(deployment, layout=layout) for layout in layouts):
        if most := most_sequences(one, workload):
            times = _pool_times(one, workload, most)
            readers.append((one, float(prompts_per_s(times)[0]), _lone_s(one, times)))
            steps = [float(np.interp(count, times.sequences, times.step_s[0])) for count in range(1, most + 1)]
            rates = [count * one.layout.dp / (workload.decode_steps * step_s) for count, step_s in enumerate(steps, 1)]
            writers.append((one, list(zip(steps, rates, strict=True))))
    return readers, writers


def _lone_s(deployment: Deployment, times: PoolTimes) -> float:
    """Time to the first token of a prompt that comes alone."""
    rules = rules_of(deployment.engine, equal_lengths=False, is_benchmark=False)
    (found,) = idle_first_token_s(
        rules, groups=times.groups, latency_s=times.lone_s, step_s=times.step_s[:, 0], users=np.ones(1)
    )
    return float(found)


def _kept(made: list[tuple[float, float]], workload: Workload) -> list[float]:
    """Requests a second at the batches within the limit; without one, of the fastest that is as good as the best."""
    if workload.tpot_s is None:
        enough = ENOUGH * max(rate for _, rate in made)
        return [min((tpot_s, rate) for tpot_s, rate in made if rate >= enough)[1]]
    return [rate for tpot_s, rate in made if tpot_s <= workload.tpot_s]
