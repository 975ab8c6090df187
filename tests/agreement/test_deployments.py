"""A deployment is a value: equal ones hash alike and give the same numbers to the last bit, in any process."""

from __future__ import annotations

import copy
import dataclasses
import functools
import multiprocessing
import pickle

import pytest

from ridgeline.catalog import load_machine, load_model, model_ids
from ridgeline.catalog.engines import load_engine
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.divisibility import layout_faults
from ridgeline.estimator.estimate import estimate
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import IDEAL_ENGINE
from ridgeline.specs.layout import Layout
from ridgeline.specs.passes import Pass, chunk, decode, prefill, together

MACHINES = [load_machine(name) for name in ("h100-sxm", "gb200-nvl72", "mi300x", "tpu-v5p")]
LAYOUTS = [Layout.from_text(text) for text in ("tp1", "tp2", "tp4", "tp8", "tp8,pp2", "tp8,pp4", "tp8,pp8")]
STEP = decode(batch=1, context_tokens=1000)
PASSES = (
    STEP,
    prefill(batch=2, prompt_tokens=3000, passes=2),
    together(decode(batch=7, context_tokens=900), chunk(batch=1, new_tokens=512, past_tokens=256)),
)


def passes_of(deployment: Deployment) -> tuple[Pass, ...]:
    """Those that it takes: a pipeline takes prompts and steps one by one."""
    return PASSES if deployment.layout.pp == 1 else PASSES[:2]


@functools.cache
def deployments_of(model_id: str) -> tuple[Deployment, ...]:
    """The model on each machine that holds it, in the smallest layout that does."""
    model = load_model(model_id)
    found = []
    for machine in MACHINES:
        engine = IDEAL_ENGINE if machine.efficiency.kernels is None else load_engine("vllm")
        laid_out = (
            deploy(model, machine, layout, engine=engine)
            for layout in LAYOUTS
            if not layout_faults(model, machine, layout)
        )
        found += [next((one for one in laid_out if estimate(one, STEP).fits), None)]
    return tuple(one for one in found if one is not None)


@pytest.mark.slow
def test_a_copy_is_equal_hashes_alike_and_gives_the_same_numbers(every_model_id: str) -> None:
    assert deployments_of(every_model_id)
    for one in deployments_of(every_model_id):
        expected = [estimate(one, pass_) for pass_ in passes_of(one)]
        for other in (copy.deepcopy(one), pickle.loads(pickle.dumps(one))):  # noqa: S301  our own
            assert other is not one
            assert other == one
            assert hash(other) == hash(one)
            assert len({one, other}) == 1
            assert [estimate(other, pass_) for pass_ in passes_of(one)] == expected


@pytest.mark.slow
def test_a_hash_is_kept_and_goes_nowhere() -> None:
    """Text hashes differently in each process, so that a hash of one is wrong in another."""
    fresh = dataclasses.replace(load_model("deepseek-v3"))
    before = pickle.dumps(fresh)
    assert hash(fresh) == hash(fresh) == hash(pickle.loads(before))  # noqa: S301  our own
    assert pickle.dumps(fresh) == before
    assert hash(dataclasses.replace(fresh, hidden=fresh.hidden + 128)) != hash(fresh)


@pytest.mark.slow
def test_another_process_gives_the_same_numbers() -> None:
    """A new one, with its own hashes and caches; what comes back is compared field by field, to the last bit."""
    asked = [(one, pass_) for model_id in model_ids() for one in deployments_of(model_id) for pass_ in passes_of(one)]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.starmap(estimate, asked) == [estimate(one, pass_) for one, pass_ in asked]


def test_deployments_that_differ_are_told_apart() -> None:
    every = [one for model_id in model_ids() for one in deployments_of(model_id)]
    assert len(set(every)) == len(every)
