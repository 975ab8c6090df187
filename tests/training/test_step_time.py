"""A step's time: its parts, and what more of each thing does."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from tests.training.jobs import job

from ridgeline.catalog.trainers import load_trainer
from ridgeline.estimator.raised import raised_machines
from ridgeline.specs.trainer import FITTED_CHIPS
from ridgeline.training.job import TrainingJob
from ridgeline.training.recompute import Recompute
from ridgeline.training.schedules import SCHEDULES
from ridgeline.training.step_time import step_time
from ridgeline.training.step_work import LayerTable, step_work

MEGATRON = load_trainer("megatron")

JOBS = {
    "dense": job(layout="dp8", trainer=MEGATRON),
    "sharded": job(layout="dp64,zero3,shards8", trainer=MEGATRON, batch=128),
    "stages": job("llama-3.1-70b", "tp4,pp4,dp8,vpp2", trainer=MEGATRON, batch=128),
    "turning": job("llama-3.1-70b", "tp4,pp4,dp8,vpp2", trainer=MEGATRON, batch=128, schedule=SCHEDULES["zb-v"]),
    "long": job("llama-3.1-70b", "tp8,pp4,cp2", trainer=MEGATRON, batch=16, sequence_tokens=65_536),
    "routed": job("deepseek-v3", "pp4,dp64,ep64", trainer=MEGATRON, batch=512, dispatcher="deepep"),
}


@pytest.mark.parametrize("name", JOBS)
def test_parts_add_up_and_no_framework_is_faster_than_none(name: str) -> None:
    one = JOBS[name]
    found = step_time(one)
    assert sum(found.parts_s.values()) == pytest.approx(found.step_time_s)
    assert min(found.parts_s.values()) > 0
    # Part of the whole step, as tables, pictures and --details have it; of the pipeline's time alone it is more.
    assert found.bubble_fraction == found.parts_s.get("pipeline bubble", 0.0) / found.step_time_s
    assert found.bubble_fraction <= found.pipeline_bubble_fraction < 1
    assert step_time(job_by_none(name)).step_time_s < found.step_time_s
    assert step_time(one, step_work(one)).step_time_s == found.step_time_s


def job_by_none(name: str) -> TrainingJob:
    """The same without a framework's time."""
    return dataclasses.replace(JOBS[name], trainer=load_trainer("ideal"))


@pytest.mark.parametrize("name", JOBS)
def test_more_work_takes_longer_and_a_faster_machine_no_longer(name: str) -> None:
    one, before = JOBS[name], step_time(JOBS[name]).step_time_s
    more = dataclasses.replace(one.recipe, recompute=Recompute(is_full=True))
    assert step_time(dataclasses.replace(one, recipe=more)).step_time_s > before
    twice = dataclasses.replace(one, batch=2 * one.batch)
    assert before < step_time(twice).step_time_s <= 2 * before + 1e-9
    for machine in raised_machines(one.machine).values():
        assert 0.99 * before < step_time(dataclasses.replace(one, machine=machine)).step_time_s <= before + 1e-12


def test_beyond_the_fitted_chips_a_step_of_the_same_work_a_chip_lengthens() -> None:
    """By its own number alone: with as many sequences a replica, messages aside, nothing else of a step changes."""
    few, many = (job(layout=f"dp{chips}", trainer=MEGATRON, batch=chips) for chips in (FITTED_CHIPS, 8 * FITTED_CHIPS))
    assert "loss at scale" not in step_time(few).parts_s
    found = step_time(many)
    lost_s = found.parts_s["loss at scale"]
    assert found.step_time_s / (found.step_time_s - lost_s) == pytest.approx(8**MEGATRON.scale_exponent)


def test_a_table_of_layers_changes_nothing() -> None:
    table = LayerTable()
    for _ in range(2):
        for name in ("stages", "turning"):
            one = JOBS[name]
            assert step_time(one, step_work(one, table)).step_time_s == step_time(one).step_time_s


@pytest.mark.parametrize(
    ("part", "setting"),
    [("gradient sums", "hides_gradients"), ("tensor parallel messages", "hides_tp"), ("pipeline sends", "hides_sends")],
)
def test_what_is_hidden_is_seen_less(part: str, setting: str) -> None:
    one = job("llama-3.1-70b", "tp4,pp4,dp8", trainer=MEGATRON, batch=128)
    seen = []
    settings: tuple[dict[str, Any], ...] = ({setting: True}, {setting: False})
    for changed in settings:
        recipe = dataclasses.replace(one.recipe, **changed)
        seen.append(step_time(dataclasses.replace(one, recipe=recipe)).parts_s.get(part, 0.0))
    assert seen[0] < seen[1]


def test_graphs_take_the_waits_for_launches() -> None:
    """Of many experts on a chip, whose launches outlast a small micro-batch."""
    waits = []
    for graphs in (frozenset(), frozenset({"full_iteration"})):
        one = job("deepseek-v3", "pp16,dp64,ep8", trainer=MEGATRON, batch=64, sequence_tokens=256, graphs=graphs)
        waits.append(step_time(one).parts_s.get("waiting for launches", 0.0))
    assert waits[0] > waits[1] == 0


def test_zero_bubble_idles_less() -> None:
    fractions = [
        step_time(job("llama-3.1-70b", "tp4,pp8", batch=32, schedule=SCHEDULES[name])).bubble_fraction
        for name in ("1f1b", "zb-h1", "zb-h2")
    ]
    assert fractions[0] > fractions[1] > fractions[2]


def test_what_predicts_ahead_runs_on_the_last_stage_and_has_its_optimizer() -> None:
    plain, ahead = (job("deepseek-v3", "pp4,dp64,ep64", batch=512, predicted_tokens=count) for count in (0, 2))
    works = step_work(plain), step_work(ahead)
    assert works[0].stages[:-1] == works[1].stages[:-1]
    # Two layers, two products before them and two heads more than there were.
    counts = [sum(count for _, count in work.stages[-1]) for work in works]
    assert counts[1] - counts[0] == 6
    assert works[1].optimizer_s > works[0].optimizer_s
    assert step_time(ahead).step_time_s > step_time(plain).step_time_s
