"""What an engine adds to a pass: nothing where it is ideal, else what each of its numbers says."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ridgeline.catalog import load_machine, load_model
from ridgeline.catalog.engines import load_engine
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.estimate import Estimate, estimate
from ridgeline.estimator.messages import AllReduce
from ridgeline.estimator.timed import OVERHEAD
from ridgeline.estimator.timing import Cause
from ridgeline.specs.attention import CompressedAttention
from ridgeline.specs.engine import IDEAL_ENGINE, Engine, Replay
from ridgeline.specs.fidelity import MEASURED, NAPKIN, ROOFLINE, Fidelity
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.passes import Pass, decode, prefill

A100 = load_machine("a100-80-sxm")
LLAMA = load_model("llama-3.1-8b")
LAYERS = 32
STEP = decode(batch=8, context_tokens=1000)
PROMPT = prefill(batch=4, prompt_tokens=500)
FREE = Engine(name="free", status="made up")


def time_s(engine: Engine, pass_: Pass = STEP, layout: Layout = Layout(), fidelity: Fidelity = MEASURED) -> float:  # noqa: B008  frozen
    return estimate(deploy(LLAMA, A100, layout, engine=engine, fidelity=fidelity), pass_).step_time_s


def test_an_engine_without_numbers_is_the_ideal_one() -> None:
    assert time_s(FREE) == pytest.approx(time_s(IDEAL_ENGINE), rel=1e-12)
    found = estimate(deploy(LLAMA, A100, Layout()), STEP)
    assert not any(one.name in OVERHEAD for one in found.operations)


@pytest.mark.parametrize(
    ("number", "in_step", "in_prompt"),
    [
        ("step_s", 1, 1),
        ("sequence_s", 8, 4),
        ("prefill_pass_s", 0, 1),
        ("layer_s", LAYERS, LAYERS),
        ("layer_token_s", 8 * LAYERS, 4 * 500 * LAYERS),
    ],
)
def test_each_number_counts_so_often(number: str, in_step: int, in_prompt: int) -> None:
    numbers: dict[str, Any] = {number: 1e-6}
    engine = dataclasses.replace(FREE, **numbers)
    assert time_s(engine) - time_s(FREE) == pytest.approx(in_step * 1e-6, abs=1e-12)
    assert time_s(engine, PROMPT) - time_s(FREE, PROMPT) == pytest.approx(in_prompt * 1e-6, abs=1e-12)


def test_chips_wait_for_launches_only_where_they_are_done_sooner() -> None:
    alone_s = time_s(FREE)
    ends_s = sum(
        float(one.time_s) for one in estimate(deploy(LLAMA, A100, Layout()), STEP).operations if not one.is_layer
    )
    assert time_s(dataclasses.replace(FREE, launch_layer_s=1e-6)) == pytest.approx(alone_s, rel=1e-12)
    slow_s = time_s(dataclasses.replace(FREE, launch_layer_s=1e-2))
    assert slow_s == pytest.approx(LAYERS * 1e-2 + ends_s, rel=1e-9)


def test_a_prompt_in_passes_meets_the_host_in_each() -> None:
    engine = dataclasses.replace(FREE, step_s=1e-3, prefill_pass_s=5e-3)
    long = prefill(batch=1, prompt_tokens=8000, passes=4)
    assert time_s(engine, long) - time_s(FREE, long) == pytest.approx(9e-3, abs=1e-9)


def test_kernels_launched_one_by_one_take_longer_by_what_the_chip_says() -> None:
    eager = dataclasses.replace(FREE, is_captured=False)
    kernels = A100.efficiency.kernels
    assert kernels is not None
    operations = estimate(deploy(LLAMA, A100, Layout()), STEP).operations
    expected = kernels.gemm.eager_launch_s * sum(one.repeats for one in operations)
    found = estimate(deploy(LLAMA, A100, Layout(), engine=eager), STEP)
    assert found.step_time_s - time_s(FREE) == pytest.approx(expected, rel=1e-9)
    launches = estimate(deploy(LLAMA, A100, Layout()), STEP).causes[Cause.LAUNCH]
    assert found.causes[Cause.LAUNCH] - launches == pytest.approx(expected, rel=1e-9)


def test_sums_of_the_general_library_are_slower_and_launched_too() -> None:
    layout = Layout(tp=8)
    general = dataclasses.replace(FREE, has_custom_all_reduce=False)
    eager = dataclasses.replace(general, is_captured=False)
    kernels = A100.efficiency.kernels
    assert kernels is not None

    def sums_s(engine: Engine) -> float:
        found = estimate(deploy(LLAMA, A100, layout, engine=engine), STEP)
        return sum(float(one.time_s) for one in found.operations if isinstance(one.timing.message, AllReduce))

    messages = 2 * LAYERS + 1
    assert sums_s(general) > 1.5 * sums_s(FREE)
    assert sums_s(eager) - sums_s(general) == pytest.approx(messages * kernels.collectives.eager_launch_s, rel=1e-9)


@pytest.mark.parametrize("fidelity", [NAPKIN, ROOFLINE])
def test_peaks_know_no_engine(fidelity: Fidelity) -> None:
    engine = Engine(
        name="slow", status="made up", is_captured=False, has_custom_all_reduce=False, step_s=0.5, layer_s=0.1
    )
    assert time_s(engine, fidelity=fidelity) == time_s(IDEAL_ENGINE, fidelity=fidelity)


@given(
    engine=st.builds(
        Engine,
        name=st.just("any"),
        status=st.just("made up"),
        is_captured=st.booleans(),
        has_custom_all_reduce=st.booleans(),
        step_s=st.floats(0, 0.1),
        sequence_s=st.floats(0, 1e-3),
        prefill_pass_s=st.floats(0, 0.1),
        layer_s=st.floats(0, 1e-3),
        layer_token_s=st.floats(0, 1e-6),
        launch_layer_s=st.floats(0, 1e-3),
    ),
    layout=st.sampled_from([Layout(), Layout(tp=8), Layout(pp=4), Layout(tp=2, pp=2)]),
    pass_=st.sampled_from([STEP, PROMPT]),
)
def test_no_engine_is_faster_than_its_kernels_and_causes_add_up(engine: Engine, layout: Layout, pass_: Pass) -> None:
    found = estimate(deploy(LLAMA, A100, layout, engine=engine), pass_)
    assert found.step_time_s >= time_s(IDEAL_ENGINE, pass_, layout) * (1 - 1e-12)
    assert sum(found.causes.values()) == pytest.approx(found.step_time_s, rel=1e-9)
    assert any(engine.status in note for note in found.notes)


# Replayed steps.

SAME_AS_MEASURED = Replay(
    launch_fraction=1.0,
    attention_launch_fraction=1.0,
    experts_launch_fraction=1.0,
    experts_busy_fraction=1.0,
    quantise_fraction=1.0,
    latent_attention_layer_s=0.0,
    linear_attention_layer_s=0.0,
    token_topk_layer_s=0.0,
    block_topk_layer_s=0.0,
    compressed_attention_layer_s=0.0,
    dispatch_s=0.0,
    dispatch_sequence_s=0.0,
    prefill_gap_fraction=0.0,
)
H100 = load_machine("h100-sxm")
B200 = load_machine("b200-sxm")
DEEPSEEK = load_model("deepseek-v3")
GLM, MINIMAX = load_model("glm-5"), load_model("minimax-m3")
QWEN = load_model("qwen3.5-397b-a17b")
OSS = load_model("gpt-oss-120b")


def replaying(
    model: Model,
    machine: Machine,
    layout: Layout,
    pass_: Pass,
    *,
    layer_s: float = 0.0,
    weights: str | None = None,
    **numbers: Any,  # noqa: ANN401  numbers of a replay
) -> Estimate:
    replay = dataclasses.replace(SAME_AS_MEASURED, **numbers)
    engine = dataclasses.replace(FREE, replay=replay, dequantise_layer_s=layer_s)
    return estimate(deploy(model, machine, layout, engine=engine, weights=weights), pass_)


def test_a_step_whose_kernels_are_those_of_a_benchmark_takes_as_long() -> None:
    for model, pass_ in ((LLAMA, STEP), (LLAMA, PROMPT), (DEEPSEEK, STEP)):
        found = replaying(model, B200, Layout(tp=8), pass_).step_time_s
        assert found == pytest.approx(estimate(deploy(model, B200, Layout(tp=8)), pass_).step_time_s, rel=1e-12)


@pytest.mark.parametrize(
    ("number", "kinds"),
    [
        ("launch_fraction", {"gemm", "elementwise"}),
        ("attention_launch_fraction", {"decode_attention", "latent_attention"}),
        ("experts_launch_fraction", {"experts"}),
    ],
)
def test_launches_of_a_kind_take_their_part_in_a_step_and_all_in_a_prompt(number: str, kinds: set[str]) -> None:
    """In 16 bits, where launches have no quantising of inputs among them."""

    def timed(model: Model, pass_: Pass, part: float) -> Estimate:
        return replaying(model, B200, Layout(tp=8), pass_, weights="bf16", **{number: part})

    for model in (LLAMA, DEEPSEEK):
        before, half = timed(model, STEP, 1.0), timed(model, STEP, 0.5)
        launches = sum(
            float(one.runs * one.timing.causes[Cause.LAUNCH]) for one in before.operations if one.timing.kind in kinds
        )
        assert before.step_time_s - half.step_time_s == pytest.approx(launches / 2, rel=1e-9, abs=1e-15)
        assert (launches > 0) == (kinds != {"experts"} or model is DEEPSEEK)
        assert timed(model, PROMPT, 1.0).step_time_s == timed(model, PROMPT, 0.5).step_time_s


def test_experts_take_their_part_of_the_time_at_work_in_both_kinds_of_passes() -> None:
    for pass_ in (STEP, PROMPT):
        before, faster = (
            replaying(DEEPSEEK, B200, Layout(tp=8), pass_, experts_busy_fraction=part) for part in (1.0, 0.8)
        )
        at_work = sum(
            float(one.time_s - one.runs * one.timing.causes[Cause.LAUNCH])
            for one in before.operations
            if one.timing.kind == "experts"
        )
        assert before.step_time_s - faster.step_time_s == pytest.approx(0.2 * at_work, rel=1e-9)


def test_inputs_are_narrowed_in_the_kernel_before_where_that_can_be() -> None:
    """With one scale a matrix; blocks of 8 bits are narrowed by themselves, whatever the engine."""
    for weights, is_part in (("fp8", True), ("fp8_block", False)):
        numbers = [dataclasses.replace(SAME_AS_MEASURED, quantise_fraction=part) for part in (1.0, 0.0)]
        slow, fast = (
            estimate(deploy(LLAMA, H100, Layout(), weights=weights, engine=dataclasses.replace(FREE, replay=one)), STEP)
            for one in numbers
        )
        kernels = H100.efficiency.kernels
        assert kernels is not None
        # Of a product's launches, all but the one that every kernel has.
        quantising = sum(
            float(one.runs * (one.timing.causes[Cause.LAUNCH] - kernels.gemm.launch_s))
            for one in slow.operations
            if one.timing.kind == "gemm"
        )
        saved = quantising if is_part else 0.0
        assert quantising > 0
        assert slow.step_time_s - fast.step_time_s == pytest.approx(saved, rel=1e-9, abs=1e-15)


LATENT_LAYERS = 61
EXPERT_LAYERS = 58
LINEAR_LAYERS = 45
GROUPS = Layout(dp=8, ep=8)


@pytest.mark.parametrize(
    ("number", "model", "layout", "in_step", "in_prompt"),
    [
        ("latent_attention_layer_s", DEEPSEEK, Layout(tp=8), LATENT_LAYERS, LATENT_LAYERS),
        ("latent_attention_layer_s", LLAMA, Layout(tp=8), 0, 0),
        ("linear_attention_layer_s", QWEN, Layout(tp=8), LINEAR_LAYERS, LINEAR_LAYERS),
        ("linear_attention_layer_s", DEEPSEEK, Layout(tp=8), 0, 0),
        ("token_topk_layer_s", GLM, Layout(tp=8), GLM.layers, GLM.layers),
        ("latent_attention_layer_s", GLM, Layout(tp=8), GLM.layers, GLM.layers),
        ("block_topk_layer_s", GLM, Layout(tp=8), 0, 0),
        ("block_topk_layer_s", MINIMAX, Layout(tp=8), MINIMAX.layers - 3, MINIMAX.layers - 3),
        ("token_topk_layer_s", MINIMAX, Layout(tp=8), 0, 0),
        ("dispatch_s", DEEPSEEK, GROUPS, EXPERT_LAYERS, 0),
        ("dispatch_s", DEEPSEEK, Layout(tp=8), 0, 0),
        ("dispatch_s", LLAMA, Layout(dp=8), 0, 0),
        ("dispatch_sequence_s", DEEPSEEK, GROUPS, 2 * EXPERT_LAYERS, 0),
    ],
)
def test_each_number_of_a_replay_counts_so_often(
    number: str, model: Model, layout: Layout, in_step: int, in_prompt: int
) -> None:
    step, prompt = decode(batch=16, context_tokens=1000), prefill(batch=8, prompt_tokens=500)
    for pass_, count in ((step, in_step), (prompt, in_prompt)):
        numbers: list[dict[str, Any]] = [{number: value} for value in (0.0, 1e-5)]
        bare, more = (replaying(model, B200, layout, pass_, **one).step_time_s for one in numbers)
        assert more - bare == pytest.approx(count * 1e-5, abs=1e-10)


@pytest.mark.parametrize("model_id", ["deepseek-v4-flash", "deepseek-v4-pro"])
def test_compressed_attention_has_small_kernels_under_an_engine(model_id: str) -> None:
    """DeepSeek-V4 under vLLM: making and choosing entries takes time in every layer of a step."""
    model, vllm = load_model(model_id), load_engine("vllm")
    assert {type(group.attention) for group in model.groups} == {CompressedAttention}
    assert vllm.replay is not None
    without = dataclasses.replace(vllm, replay=dataclasses.replace(vllm.replay, compressed_attention_layer_s=0.0))
    for pass_ in (STEP, PROMPT):
        more, less = (estimate(deploy(model, B200, Layout(tp=8), engine=one), pass_) for one in (vllm, without))
        expected = vllm.overhead_fraction * model.layers * vllm.replay.compressed_attention_layer_s
        assert more.step_time_s - less.step_time_s == pytest.approx(expected, rel=1e-9)
        assert sum(float(one.time_s) for one in more.operations if one.name == OVERHEAD[0]) >= expected > 0


def test_a_prompt_in_passes_meets_other_attention_in_each() -> None:
    long = prefill(batch=1, prompt_tokens=8000, passes=4)
    bare, more = (
        replaying(DEEPSEEK, B200, Layout(tp=8), long, latent_attention_layer_s=value).step_time_s for value in (0, 1e-5)
    )
    assert more - bare == pytest.approx(4 * LATENT_LAYERS * 1e-5, rel=1e-6)


def test_widening_is_a_number_of_the_engine_and_not_of_the_benchmark() -> None:
    """Weights of 4 bits on a chip that multiplies 16: the benchmark's time to widen goes, the engine's comes."""
    layout = Layout(tp=2)
    bare = estimate(deploy(OSS, H100, layout), STEP)
    dequantising = sum(float(one.runs * one.timing.causes.get(Cause.DEQUANTISE, 0.0)) for one in bare.operations)
    found = replaying(OSS, H100, layout, STEP)
    assert dequantising > 0
    assert bare.causes[Cause.DEQUANTISE] == pytest.approx(dequantising)
    assert found.causes[Cause.DEQUANTISE] == 0
    assert sum(found.causes.values()) == pytest.approx(found.step_time_s)
    assert bare.step_time_s - found.step_time_s == pytest.approx(dequantising, rel=1e-9)
    widened = replaying(OSS, H100, layout, STEP, layer_s=1e-5)
    assert widened.step_time_s - found.step_time_s == pytest.approx(36 * 1e-5, rel=1e-6)
    as_they_are = [replaying(DEEPSEEK, H100, Layout(tp=8), STEP, layer_s=layer_s).step_time_s for layer_s in (0, 1e-5)]
    assert as_they_are[0] == as_they_are[1]  # experts in 8 bits are multiplied so


@given(
    replay=st.builds(
        Replay,
        launch_fraction=st.floats(0, 2),
        attention_launch_fraction=st.floats(0, 2),
        experts_launch_fraction=st.floats(0, 2),
        experts_busy_fraction=st.floats(0.1, 2),
        quantise_fraction=st.floats(0, 1),
        latent_attention_layer_s=st.floats(0, 1e-4),
        linear_attention_layer_s=st.floats(0, 1e-4),
        token_topk_layer_s=st.floats(0, 1e-4),
        block_topk_layer_s=st.floats(0, 1e-4),
        compressed_attention_layer_s=st.floats(0, 1e-4),
        dispatch_s=st.floats(0, 1e-4),
        dispatch_sequence_s=st.floats(0, 1e-6),
        prefill_gap_fraction=st.floats(0, 1),
    ),
    model=st.sampled_from([LLAMA, DEEPSEEK, QWEN, OSS]),
    layout=st.sampled_from([Layout(tp=8), Layout(dp=4, tp=2, ep=8)]),
    machine=st.sampled_from([H100, B200]),
    pass_=st.sampled_from([STEP, PROMPT]),
)
def test_causes_of_a_replayed_step_add_up_and_none_is_negative(
    replay: Replay, model: Model, layout: Layout, machine: Machine, pass_: Pass
) -> None:
    assume(layout.ep == 1 or model is not LLAMA)  # which has no experts to spread
    engine = dataclasses.replace(FREE, replay=replay, layer_s=1e-5, dequantise_layer_s=1e-5)
    found = estimate(deploy(model, machine, layout, engine=engine), pass_)
    assert sum(found.causes.values()) == pytest.approx(found.step_time_s, rel=1e-9)
    assert min(found.causes.values()) >= -1e-15
    assert all(
        float(np.min(one.timing.time_s)) >= 0
        and min(float(np.min(part)) for part in one.timing.causes.values()) >= -1e-15
        for one in found.operations
    )


@pytest.mark.parametrize("value", [-1e-9, 1.0, float("nan")])
def test_times_that_cannot_be_are_refused(value: float) -> None:
    with pytest.raises(ValueError, match="layer_s"):
        Engine(name="odd", status="made up", layer_s=value)
