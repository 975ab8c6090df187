"""Passes timed together take what each takes by itself."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.each import of_each

from ridgeline.catalog import load_machine, load_model
from ridgeline.catalog.engines import load_engine
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.divisibility import layout_faults
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.stacked import stacked_parts
from ridgeline.estimator.timed import time_step, timed_operations, whole_times
from ridgeline.planner.candidates import candidates
from ridgeline.specs.fidelity import FIDELITIES, Fidelity
from ridgeline.specs.layout import Layout
from ridgeline.specs.passes import Pass, decode, prefill

BATCHES = np.array([1.0, 7.0, 64.0, 513.0])
PASSES = {
    "decode": decode(batch=BATCHES, context_tokens=5000, spread_tokens=900),
    "prefill": prefill(batch=BATCHES, prompt_tokens=9000, passes=2),
}


@pytest.mark.slow
@of_each("pass_", PASSES.values(), ids=PASSES)
@of_each("fidelity", FIDELITIES.values(), ids=FIDELITIES)
@of_each(
    ("model_id", "machine_id", "chips", "engine_id"),
    [
        ("deepseek-v3", "gb200-nvl72", 72, "vllm"),
        ("llama-3.1-70b", "h100-sxm", 16, "vllm-2023"),
        ("qwen3.5-397b-a17b", "tpu-v5p", 16, "ideal"),
    ],
)
def test_all_layouts_together_take_what_each_takes_by_itself(
    model_id: str, machine_id: str, chips: int, engine_id: str, fidelity: Fidelity, pass_: Pass
) -> None:
    """Every layout of a search, on faster memory, too, so that machines differ among them."""
    model, machine = load_model(model_id), load_machine(machine_id)
    faster = dataclasses.replace(
        machine, chip=dataclasses.replace(machine.chip, hbm_bytes_per_s=1.5 * machine.chip.hbm_bytes_per_s)
    )
    layouts = list(candidates(model, machine, chips, prompt_tokens=9000))[::7]
    deployments = [
        deploy(model, where, layout, fidelity=fidelity, engine=load_engine(engine_id))
        for layout in layouts
        if not layout_faults(model, machine, layout)
        for where in (machine, faster)
    ]
    assert len(deployments) > 10
    items = [(one, shares_of(pass_, one.layout)) for one in deployments]
    for (one, shares), parts in zip(items, stacked_parts(items, len(BATCHES)), strict=True):
        time_s, _ = time_step(timed_operations(one, pass_))
        assert whole_times(parts, one, shares)[0] == pytest.approx(time_s, rel=1e-12)


@pytest.mark.parametrize("pass_", PASSES.values(), ids=PASSES)
def test_machines_and_engines_together_take_what_each_takes_by_itself(pass_: Pass) -> None:
    """Messages of one layout lie otherwise over domains of another size, and engines change some kinds of kernels."""
    model, layout = load_model("deepseek-v3"), Layout(tp=2, dp=8, ep=16)
    vllm = load_engine("vllm")
    assert vllm.replay is not None
    launching = dataclasses.replace(vllm, replay=dataclasses.replace(vllm.replay, launch_fraction=0.5))
    busy = dataclasses.replace(vllm, replay=dataclasses.replace(vllm.replay, experts_busy_fraction=1.5))
    deployments = [
        deploy(model, load_machine(machine_id), layout, engine=engine)
        for machine_id in ("h200-sxm", "gb200-nvl72", "tpu-v5p")
        for engine in (vllm, launching, busy, load_engine("sglang"))
    ]
    shares = shares_of(pass_, layout)
    alone_s = []
    for one, parts in zip(
        deployments, stacked_parts([(one, shares) for one in deployments], len(BATCHES)), strict=True
    ):
        time_s, _ = time_step(timed_operations(one, pass_))
        assert whole_times(parts, one, shares)[0] == pytest.approx(time_s, rel=1e-12)
        alone_s.append(np.asarray(time_s).tolist())
    # Of all engines on all machines those alone take equally long that differ in launches, which prompts are not.
    alike = len(deployments) // 4 if pass_ is PASSES["prefill"] else 0
    assert len({tuple(one) for one in alone_s}) == len(alone_s) - alike
