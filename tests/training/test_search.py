"""The search finds what trying everything finds."""

from __future__ import annotations

import dataclasses
import itertools

import pytest
from tests.training.jobs import job

from ridgeline.catalog.trainers import load_trainer
from ridgeline.errors import RidgelineError
from ridgeline.specs.layout import LayoutError
from ridgeline.training.degrees import require_divides
from ridgeline.training.job import TrainingJob
from ridgeline.training.layout import TrainingLayout
from ridgeline.training.plan import TrainingPlan
from ridgeline.training.recompute import NO_RECOMPUTE, Recompute
from ridgeline.training.schedules import SCHEDULES
from ridgeline.training.search import Space, search

MEGATRON = load_trainer("megatron")
FEW = (NO_RECOMPUTE, Recompute(is_full=True))


def all_plans(one: TrainingJob, chips: int, schedules: tuple[str, ...]) -> list[TrainingPlan]:
    """Every layout of powers of two that fits, made by its text."""
    degrees = [2**power for power in range(chips.bit_length())]
    found = []
    for tp, pp, cp, vpp, mb, ep, zero, name, recompute in itertools.product(
        degrees, degrees, degrees, range(1, 35), degrees, degrees, (1, 3), schedules, FEW
    ):
        if chips % (tp * pp * cp) or (vpp > 1) != (name == "interleaved" and pp > 1) or pp * vpp > 34:
            continue
        dp = chips // (tp * pp * cp)
        if ep > 1 and one.model.id == "llama-3.1-8b":
            continue
        text = f"tp{tp},pp{pp},cp{cp},dp{dp},vpp{vpp},zero{zero},mb{mb},ep{ep}"
        try:
            layout = TrainingLayout.from_text(text)
            recipe = dataclasses.replace(one.recipe, recompute=recompute)
            laid = dataclasses.replace(one, layout=layout, schedule=SCHEDULES[name] if pp > 1 else None, recipe=recipe)
            require_divides(laid)
            laid.require_whole()
        except RidgelineError:
            continue
        plan = TrainingPlan(job=laid)
        if plan.fits:
            found.append(plan)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("batch", [16, 48])
def test_nothing_is_faster_than_what_is_found(batch: int) -> None:
    one = job(trainer=MEGATRON, batch=batch, sequence_tokens=8192)
    found = search(one, 8, Space(recomputes=FEW), count=1)
    everything = all_plans(one, 8, ("1f1b", "interleaved"))
    assert len(everything) > 100
    assert found.plans[0].time.step_time_s <= min(plan.time.step_time_s for plan in everything) + 1e-12


@pytest.mark.slow
def test_plans_fit_and_come_in_order_each_with_another_layout() -> None:
    found = search(job("llama-3.1-70b", trainer=MEGATRON, batch=256), 64, Space(), count=6)
    times = [plan.time.step_time_s for plan in found.plans]
    assert times == sorted(times)
    assert all(plan.fits and plan.job.layout.chips == 64 for plan in found.plans)
    assert len({(plan.job.layout, plan.job.pipeline.id) for plan in found.plans}) == 6
    assert found.timed + found.too_large <= found.layouts
    more = search(job("llama-3.1-70b", trainer=MEGATRON, batch=256), 64, Space(), count=9)
    assert more.plans[0].time.step_time_s == times[0]


@pytest.mark.slow
def test_a_larger_space_is_no_slower() -> None:
    one = job("deepseek-v3", trainer=MEGATRON, batch=1024, dispatcher="deepep")
    small = search(one, 256, Space(), count=1)
    large = search(
        one, 256, Space(schedules=tuple(SCHEDULES[name] for name in ("1f1b", "interleaved", "zb-v"))), count=1
    )
    assert large.layouts > small.layouts
    assert large.plans[0].time.step_time_s <= small.plans[0].time.step_time_s


def test_what_fits_nowhere_comes_with_the_smallest() -> None:
    found = search(job("llama-3.1-405b", batch=8), 8, Space(), count=1)
    assert found.plans == ()
    assert found.smallest is not None
    assert found.smallest.memory.total_bytes > found.smallest.room_bytes


def test_chips_that_do_not_divide_the_batch_are_refused() -> None:
    with pytest.raises(LayoutError, match="no layout divides 37 chips"):
        search(job(batch=64), 37, Space(), count=1)
