"""What an engine adds to a pass: nothing where it is ideal, else what each of its numbers says."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.catalog import load_machine, load_model
from ridgeline.estimator.clock import Cause
from ridgeline.estimator.estimate import BESIDES, MEASURED, NAPKIN, ROOFLINE, Fidelity, estimate
from ridgeline.estimator.kernels import AllReduce
from ridgeline.specs.engine import IDEAL_ENGINE, Engine
from ridgeline.specs.layout import Layout
from ridgeline.specs.workload import Decode, Phase, Prefill

A100 = load_machine("a100-80-sxm")
LLAMA = load_model("llama-3.1-8b")
LAYERS = 32
STEP = Decode(batch=8, context_tokens=1000)
PROMPT = Prefill(batch=4, prompt_tokens=500)
FREE = Engine(name="free", status="made up")


def time_s(engine: Engine, phase: Phase = STEP, layout: Layout = Layout(), fidelity: Fidelity = MEASURED) -> float:  # noqa: B008  frozen
    return estimate(LLAMA, A100, layout, phase, engine=engine, fidelity=fidelity).step_time_s


def test_an_engine_without_numbers_is_the_ideal_one() -> None:
    assert time_s(FREE) == pytest.approx(time_s(IDEAL_ENGINE), rel=1e-12)
    found = estimate(LLAMA, A100, Layout(), STEP)
    assert not any(one.name in BESIDES for one in found.operations)


@pytest.mark.parametrize(
    ("number", "in_step", "in_prompt"),
    [
        ("step_s", 1, 1),
        ("sequence_s", 8, 4),
        ("request_s", 0, 1),
        ("layer_s", LAYERS, LAYERS),
        ("token_s", 8 * LAYERS, 4 * 500 * LAYERS),
    ],
)
def test_each_number_counts_so_often(number: str, in_step: int, in_prompt: int) -> None:
    numbers: dict[str, Any] = {number: 1e-6}
    engine = dataclasses.replace(FREE, **numbers)
    assert time_s(engine) - time_s(FREE) == pytest.approx(in_step * 1e-6, abs=1e-12)
    assert time_s(engine, PROMPT) - time_s(FREE, PROMPT) == pytest.approx(in_prompt * 1e-6, abs=1e-12)


def test_chips_wait_for_launches_only_where_they_are_done_sooner() -> None:
    alone_s = time_s(FREE)
    ends_s = sum(float(one.time_s) for one in estimate(LLAMA, A100, Layout(), STEP).operations if not one.is_layer)
    assert time_s(dataclasses.replace(FREE, launch_layer_s=1e-6)) == pytest.approx(alone_s, rel=1e-12)
    slow_s = time_s(dataclasses.replace(FREE, launch_layer_s=1e-2))
    assert slow_s == pytest.approx(LAYERS * 1e-2 + ends_s, rel=1e-9)


def test_a_prompt_in_passes_meets_the_host_in_each() -> None:
    engine = dataclasses.replace(FREE, step_s=1e-3, request_s=5e-3)
    long = Prefill(batch=1, prompt_tokens=8000, passes=4)
    assert time_s(engine, long) - time_s(FREE, long) == pytest.approx(9e-3, abs=1e-9)


def test_kernels_launched_one_by_one_take_longer_by_what_the_chip_says() -> None:
    eager = dataclasses.replace(FREE, is_captured=False)
    kernels = A100.efficiency.kernels
    assert kernels is not None
    operations = estimate(LLAMA, A100, Layout(), STEP).operations
    expected = kernels.products.eager_s * sum(one.repeats for one in operations)
    found = estimate(LLAMA, A100, Layout(), STEP, engine=eager)
    assert found.step_time_s - time_s(FREE) == pytest.approx(expected, rel=1e-9)
    launches = estimate(LLAMA, A100, Layout(), STEP).causes[Cause.LAUNCH]
    assert found.causes[Cause.LAUNCH] - launches == pytest.approx(expected, rel=1e-9)


def test_sums_of_the_general_library_are_slower_and_launched_too() -> None:
    layout = Layout(tp=8)
    general = dataclasses.replace(FREE, has_own_sums=False)
    eager = dataclasses.replace(general, is_captured=False)
    kernels = A100.efficiency.kernels
    assert kernels is not None

    def sums_s(engine: Engine) -> float:
        found = estimate(LLAMA, A100, layout, STEP, engine=engine)
        return sum(float(one.time_s) for one in found.operations if isinstance(one.timing.message, AllReduce))

    messages = 2 * LAYERS + 1
    assert sums_s(general) > 1.5 * sums_s(FREE)
    assert sums_s(eager) - sums_s(general) == pytest.approx(messages * kernels.links.eager_s, rel=1e-9)


@pytest.mark.parametrize("fidelity", [NAPKIN, ROOFLINE])
def test_peaks_know_no_engine(fidelity: Fidelity) -> None:
    engine = Engine(name="slow", status="made up", is_captured=False, has_own_sums=False, step_s=0.5, layer_s=0.1)
    assert time_s(engine, fidelity=fidelity) == time_s(IDEAL_ENGINE, fidelity=fidelity)


@given(
    engine=st.builds(
        Engine,
        name=st.just("any"),
        status=st.just("made up"),
        is_captured=st.booleans(),
        has_own_sums=st.booleans(),
        step_s=st.floats(0, 0.1),
        sequence_s=st.floats(0, 1e-3),
        request_s=st.floats(0, 0.1),
        layer_s=st.floats(0, 1e-3),
        token_s=st.floats(0, 1e-6),
        launch_layer_s=st.floats(0, 1e-3),
    ),
    layout=st.sampled_from([Layout(), Layout(tp=8), Layout(pp=4), Layout(tp=2, pp=2)]),
    phase=st.sampled_from([STEP, PROMPT]),
)
def test_no_engine_is_faster_than_its_kernels_and_causes_add_up(engine: Engine, layout: Layout, phase: Phase) -> None:
    found = estimate(LLAMA, A100, layout, phase, engine=engine)
    assert found.step_time_s >= time_s(IDEAL_ENGINE, phase, layout) * (1 - 1e-12)
    assert sum(found.causes.values()) == pytest.approx(found.step_time_s, rel=1e-9)
    assert any(engine.status in note for note in found.notes)


@pytest.mark.parametrize("value", [-1e-9, 1.0, float("nan")])
def test_times_that_cannot_be_are_refused(value: float) -> None:
    with pytest.raises(ValueError, match="layer_s"):
        Engine(name="odd", status="made up", layer_s=value)
