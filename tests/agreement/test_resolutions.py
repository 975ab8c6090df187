"""The napkin and the detailed estimate are the same functions at two resolutions."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ridgeline.catalog import load_machine, load_model
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.estimate import estimate
from ridgeline.estimator.timing import Cause
from ridgeline.specs.fidelity import NAPKIN, ROOFLINE
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.passes import decode

GB200 = load_machine("gb200-nvl72")


def extreme(*, flop: float = 1.0, hbm: float = 1.0) -> Machine:
    """The machine with arithmetic or memory so fast that the other binds everywhere."""
    chip = GB200.chip
    changed = dataclasses.replace(
        chip,
        flop_per_s={name: peak * flop for name, peak in chip.flop_per_s.items()},
        hbm_bytes_per_s=chip.hbm_bytes_per_s * hbm,
    )
    return dataclasses.replace(GB200, chip=changed)


@settings(max_examples=10)  # of each of some twenty kinds of models
@given(context=st.integers(1, 100_000))
def test_where_reading_binds_both_read_for_the_same_time(varied_model_id: str, context: int) -> None:
    """Every expert is touched; activations are counted apart."""
    model = load_model(varied_model_id)
    step = decode(batch=3000, context_tokens=context)
    machine = extreme(flop=100)
    napkin = estimate(deploy(model, machine, Layout(), fidelity=NAPKIN), step)
    detailed = estimate(deploy(model, machine, Layout(), fidelity=ROOFLINE), step)
    assert detailed.causes[Cause.COMPUTE] == 0
    read_s = detailed.causes[Cause.WEIGHTS] + detailed.causes[Cause.KV]
    assert read_s == pytest.approx(napkin.step_time_s, rel=1e-9)
    assert detailed.step_time_s == pytest.approx(read_s + detailed.causes[Cause.ACTIVATIONS], rel=1e-9)


@pytest.mark.parametrize("model_id", ["llama-3.1-8b", "llama-3.1-405b", "qwen3-32b", "gpt3-175b"])
@settings(max_examples=15)  # of each of four models
@given(batch=st.integers(1, 64), context=st.integers(1, 100_000))
def test_dense_models_of_small_batch_are_bound_by_reading(model_id: str, batch: int, context: int) -> None:
    """The same on the machine as it is."""
    model = load_model(model_id)
    step = decode(batch=batch, context_tokens=context)
    napkin = estimate(deploy(model, GB200, Layout(), fidelity=NAPKIN), step)
    detailed = estimate(deploy(model, GB200, Layout(), fidelity=ROOFLINE), step)
    assert detailed.causes[Cause.COMPUTE] == 0
    read_s = detailed.causes[Cause.WEIGHTS] + detailed.causes[Cause.KV]
    assert read_s == pytest.approx(napkin.step_time_s, rel=1e-9)


@settings(max_examples=10)
@given(batch=st.integers(1_000, 100_000))
def test_where_computing_binds_both_compute_for_the_same_time(varied_model_id: str, batch: int) -> None:
    """Attention's own arithmetic, and what only streams over memory, are counted apart."""
    model = load_model(varied_model_id)
    step = decode(batch=batch, context_tokens=1)
    machine = extreme(hbm=1000)
    napkin = estimate(deploy(model, machine, Layout(), fidelity=NAPKIN), step)
    detailed = estimate(deploy(model, machine, Layout(), fidelity=ROOFLINE), step)
    assert napkin.bound is Cause.COMPUTE
    products_s = sum(
        one.repeats * float(one.timing.causes[Cause.COMPUTE])
        for one in detailed.operations
        if one.name not in {"attention core", "index scores", "attention state"}
    )
    assert products_s == pytest.approx(napkin.step_time_s, rel=1e-9)


@given(batch=st.integers(1, 10_000), context=st.integers(1, 200_000))
def test_the_napkin_is_never_slower_than_the_roofline(batch: int, context: int) -> None:
    """Overlap of all operations is the best case; on one chip nothing else differs for a dense model."""
    model = load_model("llama-3.1-8b")
    step = decode(batch=batch, context_tokens=context)
    napkin = estimate(deploy(model, GB200, Layout(), fidelity=NAPKIN), step).step_time_s
    detailed = estimate(deploy(model, GB200, Layout(), fidelity=ROOFLINE), step).step_time_s
    assert napkin <= detailed * (1 + 1e-9)
