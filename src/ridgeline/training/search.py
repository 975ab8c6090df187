"""Search for the fastest layouts of a training step: all layouts, schedules, recompute modes and micro-batches.

Layouts that differ in stages, replicas and sharding do the same work in their layers. That work, spread evenly over all
chips, is a lower bound on their time: families are searched in its order, and the search ends at the first whose bound
is above the plans found. No better layout is missed.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from ridgeline.errors import RidgelineError
from ridgeline.estimator.placement import UnevenError
from ridgeline.quantity_text import counted
from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.training.breakdown import Factors, total_s
from ridgeline.training.degrees import context_degrees, divisors, expert_degrees, powers, tensor_degrees
from ridgeline.training.framework import factors, lengthening
from ridgeline.training.job import TrainingJob
from ridgeline.training.layout import ZERO_WEIGHTS, TrainingLayout
from ridgeline.training.plan import MEMORY_FRACTION, TrainingPlan
from ridgeline.training.recipe import Recipe
from ridgeline.training.recompute import Recompute, recomputes_of
from ridgeline.training.schedules import SCHEDULES, Schedule
from ridgeline.training.stages import ENDS, is_even
from ridgeline.training.step_work import LayerTable, LayerWork

__all__ = ["Found", "Space", "pipelines", "search"]

MOST_ROWS = 2**18
"""Maximum tokens of a micro-batch in the search; beyond, kernels gain nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """Options that a search varies.

    Attributes:
        schedules: pipeline schedules to try.
        recomputes: recompute modes to try; empty for those of ``recomputes_of``.
        zero_stages: ZeRO stages to try.
        micro_batches: sequences of a micro-batch; empty for all powers of two.
    """

    schedules: tuple[Schedule, ...] = (SCHEDULES["1f1b"], SCHEDULES["interleaved"])
    recomputes: tuple[Recompute, ...] = ()
    zero_stages: tuple[int, ...] = (1, ZERO_WEIGHTS)
    micro_batches: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Result of a search.

    Attributes:
        plans: plans that fit, the fastest first.
        layouts: number of ways to run the step in the search space.
        too_large: number of those that were found not to fit.
        uneven: number of those whose groups do not lie evenly over the machine's domains.
        timed: number of those that were timed; all others are slower than ``plans`` by a bound.
        smallest: plan with the least memory among those that do not fit; None where some fit.
    """

    plans: tuple[TrainingPlan, ...]
    layouts: int
    too_large: int
    uneven: int
    timed: int
    smallest: TrainingPlan | None


class _Family(NamedTuple):
    """Choices that determine a layer's work."""

    tp: int
    cp: int
    ep: int
    expert_tp: int
    micro_batch: int


class _Member(NamedTuple):
    """Further choices that determine a layout."""

    pp: int
    replicas: int
    virtual_stages: int
    schedule: Schedule
    zero_stage: int
    shards: int | None


def search(
    job: TrainingJob, chips: int, space: Space, *, count: int, memory_fraction: float = MEMORY_FRACTION
) -> Found:
    """The fastest ways to run a job's step on a number of chips that fit.

    Args:
        job: job to run; its layout, schedule and recompute mode are ignored.
        chips: chips of the run.
        space: options to vary.
        count: number of plans to find.
        memory_fraction: part of a chip's memory that may be used.

    Raises:
        LayoutError: no layout divides the chips and the batch.
    """
    table = LayerTable()
    recipes = [dataclasses.replace(job.recipe, recompute=one) for one in space.recomputes or recomputes_of(job.model)]
    families = _families(job, chips, space)
    if not families:
        raise LayoutError(_nothing_divides(job, chips, space))
    bounded: list[_Bounded] = []
    for family, members in families.items():
        # Of the smallest micro-batches: a layer's gradients are not accumulated where there is only one.
        first = min(members, key=lambda member: job.batch // (member.replicas * family.micro_batch))
        for recipe in recipes:
            own = _job(job, family, first, recipe)
            with suppress(UnevenError):  # no member of the family can be placed
                bounded.append(_Bounded(_bound_s(own, table, chips), len(bounded), family, own))
    bounded.sort(key=lambda one: (one.bound_s, one.number))
    fastest = _Fastest(count)
    smallest: TrainingPlan | None = None
    too_large = timed = uneven = 0
    for bound_s, _, family, own in bounded:
        if bound_s >= fastest.slowest_s:
            break
        for member in families[family]:
            plan = TrainingPlan(job=_job(own, family, member, own.recipe), memory_fraction=memory_fraction, table=table)
            if not plan.is_placed:
                uneven += 1
            elif plan.fits:
                timed += 1
                fastest.offer((family, member.pp, member.replicas), plan)
            else:
                too_large += 1
                smallest = plan if smallest is None else min(smallest, plan, key=_needed_bytes)
    return Found(
        plans=fastest.plans,
        layouts=sum(len(families[one.family]) for one in bounded),
        too_large=too_large,
        uneven=uneven,
        timed=timed,
        smallest=None if fastest.plans else smallest,
    )


def _nothing_divides(job: TrainingJob, chips: int, space: Space) -> str:
    said = f"training: no layout divides {counted(chips, 'chip')} and {counted(job.batch, 'sequence')} among replicas"
    if space.micro_batches and _families(job, chips, dataclasses.replace(space, micro_batches=())):
        micro = " or ".join(map(str, space.micro_batches))
        return f"{said} in micro-batches of {micro}; leave that out, or give a power of two that the batch has"
    below = 2 ** int(math.log2(chips))
    near = [f"{number:,}" for number in (below, 2 * below) if number != chips and _families(job, number, space)]
    if near:
        numbers = " and ".join(near)
        return (
            f"{said}; give a number of chips whose factors the batch has too, or a power of two (there are {numbers})"
        )
    whole = 2 ** round(math.log2(job.batch))
    return (
        f"{said}; give a number of chips whose factors the batch has too, or a batch of a power of two:"
        f" {counted(whole, 'sequence')} are {whole * job.sequence_tokens:,} tokens"
    )


class _Bounded(NamedTuple):
    """A family with one recompute mode, and a lower bound on its members' time, s."""

    bound_s: float
    number: int
    family: _Family
    job: TrainingJob


class _Fastest:
    """The fastest plans so far; for equal degrees only the best cut, schedule and recompute mode."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._best: dict[tuple[_Family, int, int], TrainingPlan] = {}
        self.slowest_s = math.inf

    def offer(self, degrees: tuple[_Family, int, int], plan: TrainingPlan) -> None:
        """Keep a plan if it is among the fastest."""
        known = self._best.get(degrees)
        if plan.time.step_time_s >= (self.slowest_s if known is None else _time_s(known)):
            return
        self._best[degrees] = plan
        if len(self._best) > self._count:
            del self._best[max(self._best, key=lambda one: _time_s(self._best[one]))]
        if len(self._best) == self._count:
            self.slowest_s = max(map(_time_s, self._best.values()))

    @property
    def plans(self) -> tuple[TrainingPlan, ...]:
        """Plans, the fastest first."""
        return tuple(sorted(self._best.values(), key=_time_s))


def _time_s(plan: TrainingPlan) -> float:
    return plan.time.step_time_s


def _needed_bytes(plan: TrainingPlan) -> float:
    return plan.memory.total_bytes


def _bound_s(job: TrainingJob, table: LayerTable, chips: int) -> float:
    """Work of all layers and both ends, spread evenly over all chips, s: a lower bound for a family's layouts."""
    by = factors(job)
    layers = sum(count * _work_s(table.layer(job, place), by) for place, count in Counter(job.layers).items())
    ends = sum(_work_s(end, by) for end in table.ends(job))
    groups = chips / (job.layout.layout.tp * job.layout.layout.cp)
    return job.batch / job.layout.micro_batch * (layers + ends) / groups * lengthening(job, chips)


def _work_s(work: LayerWork, by: Factors) -> float:
    return sum(total_s(times, by) for times in (work.forward, work.recomputed, work.back, work.weights))


def _job(job: TrainingJob, family: _Family, member: _Member, recipe: Recipe) -> TrainingJob:
    layout = TrainingLayout(
        layout=Layout(tp=family.tp, pp=member.pp, cp=family.cp),
        replicas=member.replicas,
        ep=family.ep,
        expert_tp=family.expert_tp,
        zero_stage=member.zero_stage,
        shards=member.shards,
        virtual_stages=member.virtual_stages,
        sequence_parallel=family.tp > 1,
        micro_batch=family.micro_batch,
    )
    return dataclasses.replace(job, layout=layout, schedule=member.schedule, recipe=recipe)


def _families(job: TrainingJob, chips: int, space: Space) -> dict[_Family, list[_Member]]:
    """All ways to run a step, by the choices that determine a layer's work."""
    found: dict[_Family, list[_Member]] = {}
    for tp, cp in itertools.product(tensor_degrees(job), context_degrees(job)):
        if chips % (tp * cp):
            continue
        for pp in divisors(chips // (tp * cp)):
            replicas = chips // (tp * cp * pp)
            if pp > len(job.layers) or job.batch % replicas:
                continue
            sequences = job.batch // replicas
            degrees = list(expert_degrees(job.model, tp=tp, stage_chips=tp * cp * replicas))
            for micro_batch in _micro_batches(job, space, sequences, cp):
                members = list(_members(job, space, pp, replicas, cp=cp, micro_batches=sequences // micro_batch))
                for ep, expert_tp in degrees:
                    found.setdefault(_Family(tp, cp, ep, expert_tp, micro_batch), []).extend(members)
    return {family: members for family, members in found.items() if members}


def _members(
    job: TrainingJob, space: Space, pp: int, replicas: int, *, cp: int, micro_batches: int
) -> Iterator[_Member]:
    domain = job.machine.scale_up_chips
    state_chips = cp * replicas
    turns = [(space.schedules[0], 1)] if pp == 1 else list(pipelines(job, space.schedules, pp, micro_batches))
    for zero_stage in space.zero_stages if state_chips > 1 else (1,):
        spread_over = (
            [None, domain] if zero_stage > 1 and state_chips > domain and state_chips % domain == 0 else [None]
        )
        for (schedule, virtual_stages), shards in itertools.product(turns, spread_over):
            yield _Member(pp, replicas, virtual_stages, schedule, zero_stage, shards)


def pipelines(
    job: TrainingJob, schedules: Iterable[Schedule], pp: int, micro_batches: int
) -> Iterator[tuple[Schedule, int]]:
    """Possible ones of several schedules, with the parts of the layers that a stage holds."""
    layers = len(job.layers)
    for schedule in schedules:
        parts = [schedule.virtual_stages]
        if schedule.chooses_virtual_stages:
            parts = [number for number in range(2, (layers + ENDS) // pp + 1) if is_even(layers, pp * number)]
        for virtual_stages in parts:
            if pp * virtual_stages > layers + ENDS * is_even(layers, pp * virtual_stages):
                continue
            try:
                schedule.shape(stages=pp, micro_batches=micro_batches, virtual_stages=virtual_stages)
            except RidgelineError:
                continue
            yield schedule, virtual_stages


def _micro_batches(job: TrainingJob, space: Space, sequences: int, cp: int) -> list[int]:
    """Sequences of a micro-batch; only one with ``cp``, since half of both sends less and is otherwise equal."""
    most = 1 if cp > 1 else max(1, MOST_ROWS // job.sequence_tokens)
    tried = space.micro_batches or powers(min(sequences, most))
    return [size for size in tried if sequences % size == 0]
