"""The fastest ways to lay a training step over chips: all layouts, schedules, recompute modes and micro-batches.

Layouts that differ in stages, replicas and what these spread do the same work in their layers. That work, spread evenly
over all chips, is a time that none of them is below: families are taken in its order, and the search ends at the first
whose bound is above what was found. Nothing better is left out.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ridgeline.errors import RidgelineError
from ridgeline.specs.attention import GroupedQueryAttention, LatentAttention
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.specs.model import Model
from ridgeline.training.bill import Bill, factors, seconds
from ridgeline.training.job import TrainingJob
from ridgeline.training.layout import TrainingLayout
from ridgeline.training.plan import MEMORY_FRACTION, TrainingPlan
from ridgeline.training.recipe import NO_RECOMPUTE, Recipe, Recompute
from ridgeline.training.schedules import SCHEDULES, Schedule
from ridgeline.training.step import LayerTable, LayerWork

__all__ = ["Found", "Space", "recomputes_of", "require_divides", "search"]

MOST_ROWS = 2**18
"""Tokens of a micro-batch that are tried at most: from there on kernels gain nothing."""

ENDS = 2
"""Ends of a model, which may stand for a layer each."""

LEAST_ROWS = 1024
"""Tokens of a sequence that a chip of a ``cp`` group has at least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """What is tried.

    Attributes:
        schedules: ways in which stages take turns.
        recomputes: what is computed again; empty for those of ``recomputes_of``.
        zero_stages: what is spread over replicas.
        micro_batches: sequences of a micro-batch; empty for all powers of two.
    """

    schedules: tuple[Schedule, ...] = (SCHEDULES["1f1b"], SCHEDULES["interleaved"])
    recomputes: tuple[Recompute, ...] = ()
    zero_stages: tuple[int, ...] = (1, 3)
    micro_batches: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a search found.

    Attributes:
        plans: the fastest that fit, the fastest first.
        layouts: ways to run the step that the space has.
        too_large: those that were found not to fit.
        timed: those that were timed; all others are slower than ``plans`` by a bound.
        smallest: of those that do not fit, the one that needs least; None where some fit.
    """

    plans: tuple[TrainingPlan, ...]
    layouts: int
    too_large: int
    timed: int
    smallest: TrainingPlan | None


class _Family(NamedTuple):
    """What sets a layer's work."""

    tp: int
    cp: int
    ep: int
    expert_tp: int
    micro_batch: int


class _Member(NamedTuple):
    """What else sets a layout."""

    pp: int
    replicas: int
    virtual_stages: int
    schedule: Schedule
    zero_stage: int
    shards: int | None


def recomputes_of(model: Model) -> tuple[Recompute, ...]:
    """Nothing, what is cheap, whole blocks, and everything."""
    routed = any(isinstance(group.feed_forward, RoutedExperts) for group in model.groups)
    latent = any(isinstance(group.attention, LatentAttention) for group in model.groups)
    cheap = (
        {"layernorm"} | ({"moe_act", "shared_experts"} if routed else set()) | ({"mla_up_proj"} if latent else set())
    )
    blocks = cheap | ({"moe"} if routed else set()) | {"mlp"}
    return (
        NO_RECOMPUTE,
        Recompute(modules=frozenset(cheap)),
        Recompute(modules=frozenset(blocks)),
        Recompute(is_full=True),
    )


def search(
    job: TrainingJob, chips: int, space: Space, *, count: int, memory_fraction: float = MEMORY_FRACTION
) -> Found:
    """The fastest ways to run a job's step on so many chips that fit.

    Args:
        job: the step; its layout and schedule are not read, nor what its recipe recomputes.
        chips: of the run.
        space: what is tried.
        count: plans to find.
        memory_fraction: part of a chip's memory that may be used.

    Raises:
        LayoutError: no layout divides the chips and the batch.
    """
    table = LayerTable()
    recipes = [dataclasses.replace(job.recipe, recompute=one) for one in space.recomputes or recomputes_of(job.model)]
    families = _families(job, chips, space)
    if not families:
        raise LayoutError(
            f"training: no layout divides {chips} chips and {job.batch} sequences among its replicas; give a number of"
            " chips whose factors the batch has too, or a power of two"
        )
    ordered: list[tuple[float, int, _Family, TrainingJob]] = []
    for family, members in families.items():
        # Of least micro-batches: a layer's gradients are not added up where there is one alone.
        first = min(members, key=lambda member: job.batch // (member.replicas * family.micro_batch))
        for recipe in recipes:
            own = _job(job, family, first, recipe)
            ordered.append((_bound_s(own, table, chips), len(ordered), family, own))
    ordered.sort(key=lambda one: one[:2])
    return _searched(ordered, families, table, count, memory_fraction)


def _searched(
    ordered: list[tuple[float, int, _Family, TrainingJob]],
    families: dict[_Family, list[_Member]],
    table: LayerTable,
    count: int,
    memory_fraction: float,
) -> Found:
    best: dict[tuple[TrainingLayout, str], TrainingPlan] = {}
    slowest_s = math.inf
    smallest: TrainingPlan | None = None
    too_large = timed = 0
    for bound_s, _, family, own in ordered:
        if bound_s >= slowest_s:
            break
        for member in families[family]:
            plan = TrainingPlan(job=_job(own, family, member, own.recipe), memory_fraction=memory_fraction, table=table)
            if not plan.fits:
                too_large += 1
                if smallest is None or plan.memory.total_bytes < smallest.memory.total_bytes:
                    smallest = plan
                continue
            timed += 1
            # Of a layout and its schedule, what is recomputed the best way.
            key = (plan.job.layout, plan.job.pipeline.id)
            known = best.get(key)
            if plan.time.step_time_s < (slowest_s if known is None else known.time.step_time_s):
                best[key] = plan
                if len(best) > count:
                    del best[max(best, key=lambda one: best[one].time.step_time_s)]
                if len(best) == count:
                    slowest_s = max(one.time.step_time_s for one in best.values())
    return Found(
        plans=tuple(sorted(best.values(), key=lambda plan: plan.time.step_time_s)),
        layouts=sum(len(families[family]) for _, _, family, _ in ordered),
        too_large=too_large,
        timed=timed,
        smallest=None if best else smallest,
    )


def _bound_s(job: TrainingJob, table: LayerTable, chips: int) -> float:
    """Work of all layers and both ends, spread evenly over all chips: no layout of a family takes less."""
    by = factors(job)
    layers = sum(count * _work_s(table.layer(job, place), by) for place, count in Counter(job.layers).items())
    ends = sum(_work_s(end, by) for end in table.ends(job))
    groups = chips / (job.layout.layout.tp * job.layout.layout.cp)
    return job.batch / job.layout.micro_batch * (layers + ends) / groups


def _work_s(work: LayerWork, by: Bill) -> float:
    return sum(seconds(bill, by) for bill in (work.forward, work.again, work.back, work.weights))


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
    """All ways to run a step, by what sets a layer's work."""
    found: dict[_Family, list[_Member]] = {}
    for tp, cp in itertools.product(_tensor_degrees(job), _context_degrees(job)):
        if chips % (tp * cp):
            continue
        for pp in _divisors(chips // (tp * cp)):
            replicas = chips // (tp * cp * pp)
            if pp > len(job.layers) or job.batch % replicas:
                continue
            sequences = job.batch // replicas
            degrees = list(_expert_degrees(job.model, tp=tp, stage_chips=tp * cp * replicas))
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
    pipelines = [(space.schedules[0], 1)] if pp == 1 else list(_pipelines(job, space, pp, micro_batches))
    for zero_stage in space.zero_stages if state_chips > 1 else (1,):
        spread_over = (
            [None, domain] if zero_stage > 1 and state_chips > domain and state_chips % domain == 0 else [None]
        )
        for (schedule, virtual_stages), shards in itertools.product(pipelines, spread_over):
            yield _Member(pp, replicas, virtual_stages, schedule, zero_stage, shards)


def _pipelines(job: TrainingJob, space: Space, pp: int, micro_batches: int) -> Iterator[tuple[Schedule, int]]:
    """Schedules that can be had, with the parts of the layers that a stage holds."""
    layers = len(job.layers)
    for schedule in space.schedules:
        parts = [schedule.virtual_stages]
        if schedule.chooses_virtual_stages:
            parts = [number for number in range(2, (layers + ENDS) // pp + 1) if _is_even(layers, pp * number)]
        for virtual_stages in parts:
            if pp * virtual_stages > layers + ENDS * _is_even(layers, pp * virtual_stages):
                continue
            try:
                schedule.shape(stages=pp, micro_batches=micro_batches, virtual_stages=virtual_stages)
            except RidgelineError:
                continue
            yield schedule, virtual_stages


def _is_even(layers: int, parts: int) -> bool:
    """Whether parts hold as many layers each, both ends of the model perhaps as one layer."""
    return layers % parts == 0 or (layers + ENDS) % parts == 0


def require_divides(job: TrainingJob) -> None:
    """Refuse a layout whose degrees do not divide the model.

    Raises:
        LayoutError: names the degrees that do.
    """
    layout = job.layout
    tensor = _tensor_degrees(job)
    if layout.layout.tp not in tensor:
        raise LayoutError(
            f"training layout {layout}: tp={layout.layout.tp} does not divide the heads of {job.model.id}, or is larger"
            f" than a scale-up domain; those that can be had are {', '.join(map(str, tensor))}"
        )
    if job.sequence_tokens % layout.layout.cp:
        raise LayoutError(
            f"training layout {layout}: cp={layout.layout.cp} does not divide the {job.sequence_tokens} tokens of a"
            " sequence; powers of two do"
        )
    experts = [
        group.feed_forward.experts for group in job.model.groups if isinstance(group.feed_forward, RoutedExperts)
    ]
    if not experts and layout.ep > 1:
        raise LayoutError(f"training layout {layout}: {job.model.id} has no routed experts to spread; leave out ep")
    if any(count % layout.ep for count in experts):
        degrees = [ep for ep in _divisors(min(experts)) if layout.stage_chips % ep == 0]
        raise LayoutError(
            f"training layout {layout}: ep={layout.ep} does not divide {min(experts)} experts; those that do are"
            f" {', '.join(map(str, degrees))}"
        )
    _ = job.stages


def _tensor_degrees(job: TrainingJob) -> list[int]:
    """Those that divide the heads of all kinds of attention, within a scale-up domain."""
    heads = [
        group.attention.query_heads
        for group in job.model.groups
        if isinstance(group.attention, GroupedQueryAttention | LatentAttention)
    ]
    most = min([job.machine.scale_up_chips, *heads])
    return [tp for tp in _powers(most) if all(count % tp == 0 for count in heads)]


def _context_degrees(job: TrainingJob) -> list[int]:
    return [cp for cp in _powers(max(1, job.sequence_tokens // LEAST_ROWS)) if job.sequence_tokens % (2 * cp) == 0]


def _expert_counts(model: Model) -> list[int]:
    """Routed experts of the layers of each group that has any."""
    return [group.feed_forward.experts for group in model.groups if isinstance(group.feed_forward, RoutedExperts)]


def _expert_degrees(model: Model, *, tp: int, stage_chips: int) -> Iterator[tuple[int, int]]:
    """Groups of chips that experts are spread over, and chips that share one."""
    counts = _expert_counts(model)
    if not counts:
        yield 1, tp
        return
    for ep in _divisors(min(counts)):
        for expert_tp in {1, tp}:
            if all(count % ep == 0 for count in counts) and stage_chips % (ep * expert_tp) == 0:
                yield ep, expert_tp


def _micro_batches(job: TrainingJob, space: Space, sequences: int, cp: int) -> list[int]:
    """Sequences of a micro-batch; with ``cp`` one: half of both sends less and else is the same."""
    most = 1 if cp > 1 else max(1, MOST_ROWS // job.sequence_tokens)
    tried = space.micro_batches or _powers(min(sequences, most))
    return [size for size in tried if sequences % size == 0]


def _powers(most: int) -> list[int]:
    """Powers of two up to a number."""
    return [2**power for power in range(most.bit_length())]


def _divisors(number: int) -> list[int]:
    small = [one for one in range(1, int(number**0.5) + 1) if number % one == 0]
    return sorted({*small, *(number // one for one in small)})
