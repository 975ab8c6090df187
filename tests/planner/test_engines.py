"""Under an engine's name only what it runs is ranked; what is left out is said."""

from __future__ import annotations

import dataclasses
import functools

import pytest

from ridgeline.catalog import load_machine, load_model
from ridgeline.catalog.engines import load_engine
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.divisibility import layout_faults
from ridgeline.estimator.engine_support import engine_faults
from ridgeline.planner.candidates import candidates
from ridgeline.planner.compare import remedy
from ridgeline.planner.outcome import Constraint, Planning
from ridgeline.planner.plan import plan
from ridgeline.specs.engine import IDEAL_ENGINE
from ridgeline.specs.fidelity import ROOFLINE
from ridgeline.specs.layout import Layout
from ridgeline.specs.workload import Workload

SHORT = Workload(prompt_tokens=2000, output_tokens=500, tpot_s=0.06)
ROWS = Layout.from_text("tp4,tp_rows2")


@functools.cache
def on_l40s(engine: str, why_not: Layout | None = None) -> Planning:
    model, machine = load_model("qwen3-32b"), load_machine("l40s")
    return plan(deploy(model, machine, engine=load_engine(engine)), SHORT, chips=4, why_not=why_not)


def test_the_best_plan_is_one_that_the_engine_runs() -> None:
    """Matrices cut both ways are cheapest here, and no engine does that."""
    found = on_l40s("vllm")
    assert all(one.layout.tp_rows == 1 for one in found.plans)
    assert {one.layout for one in found.rejected if one.kind is Constraint.ENGINE} >= {ROWS}
    everything = on_l40s("ideal")
    assert everything.plans[0].layout.tp_rows > 1
    assert not any(one.kind is Constraint.ENGINE for one in everything.rejected)


def test_a_better_layout_that_is_left_out_is_named_with_its_gain() -> None:
    (said,) = (note for note in on_l40s("vllm").notes if note.startswith("left out"))
    assert str(ROWS) in said
    assert "% cheaper, but vllm does not cut matrices in two dimensions (tp_rows)" in said
    assert not any(note.startswith("left out") for note in on_l40s("ideal").notes)


def test_the_gain_is_what_the_layout_would_have_cost() -> None:
    """By a search with an engine of the same times that runs everything."""
    model, machine = load_model("qwen3-32b"), load_machine("l40s")
    runs_all = dataclasses.replace(load_engine("vllm"), support=None)
    everything = plan(deploy(model, machine, engine=runs_all), SHORT, chips=4).plans
    assert everything[0].layout == ROWS
    gain = 1 - everything[0].paid_chip_s_per_request / on_l40s("vllm").plans[0].paid_chip_s_per_request
    assert any(f"{ROWS} would be {100 * gain:.0f} % cheaper" in note for note in on_l40s("vllm").notes)


def test_why_not_answers_with_the_engines_reason() -> None:
    found = on_l40s("vllm", why_not=ROWS).why_not
    assert found is not None
    assert found.kind is Constraint.ENGINE
    assert found.reason == "vllm does not cut matrices in two dimensions (tp_rows)"


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["vllm", "sglang", "tensorrt-llm"])
def test_every_layout_is_ranked_or_left_out_for_a_reason(engine: str) -> None:
    model, machine = load_model("deepseek-v3"), load_machine("h200-sxm")
    found = plan(deploy(model, machine, engine=load_engine(engine)), SHORT, chips=8)
    every = [one for one in candidates(model, machine, 8) if not layout_faults(model, machine, one)]
    runs = {one for one in every if not engine_faults(deploy(model, machine, one, engine=load_engine(engine)))}
    assert {one.layout for one in found.plans} <= runs
    left_out = [one for one in found.rejected if one.kind is Constraint.ENGINE]
    assert {one.layout for one in left_out} == set(every) - runs
    assert all(engine in one.reason for one in left_out)
    assert found.plans


def test_an_engine_that_cannot_run_there_says_what_to_name_instead() -> None:
    found = plan(
        deploy(load_model("llama-3.1-8b"), load_machine("mi300x"), engine=load_engine("tensorrt-llm")), SHORT, chips=2
    )
    assert not found.plans
    assert remedy(found) == "tensorrt-llm does not run on cdna3 chips: name another --engine, or ideal, which runs all"


def test_where_only_peaks_count_no_engine_leaves_anything_out() -> None:
    model, machine = load_model("qwen3-32b"), load_machine("l40s")
    both = [
        plan(deploy(model, machine, engine=engine, fidelity=ROOFLINE), SHORT, chips=4)
        for engine in (load_engine("vllm"), IDEAL_ENGINE)
    ]
    assert both[0] == both[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model_id", "machine_id", "engine", "chips", "formats"),
    [
        # 8-bit floats a scale a matrix, as dense models are quantised; in blocks where makers publish those.
        ("llama-3.1-70b", "h100-sxm", "vllm", 2, {None, "fp8", "int8"}),
        ("qwen3-32b", "h100-sxm", "vllm", 2, {None, "fp8_block", "int8"}),
        ("llama-3.1-70b", "a100-80-sxm", "vllm", 2, {None, "int8"}),
        # vLLM has no 8-bit integers on Blackwell, though the chip does.
        ("llama-3.1-70b", "b200-sxm", "vllm", 2, {None, "fp8", "nvfp4"}),
        ("llama-3.1-70b", "b200-sxm", "ideal", 2, {None, "fp8", "int8", "nvfp4"}),
        ("deepseek-v3", "b200-sxm", "vllm", 8, {None, "bf16", "nvfp4"}),
    ],
)
def test_auto_searches_what_the_chip_and_the_engine_have(
    model_id: str, machine_id: str, engine: str, chips: int, formats: set[str | None]
) -> None:
    found = plan(
        deploy(load_model(model_id), load_machine(machine_id), engine=load_engine(engine)),
        Workload(prompt_tokens=1000, output_tokens=1000),
        chips=chips,
        weights="auto",
    )
    searched = {one.weights for one in found.plans} | {one.weights for one in found.rejected}
    assert searched == formats
    assert any("quality of answers is not judged" in note for note in found.notes)
