"""Options of engines by their own names: what each sets, what is refused, and what an engine is with them."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from ridgeline.catalog import CatalogError, load_machine, load_model
from ridgeline.catalog.engine_options import (
    host_time_of,
    options_named,
    options_of,
    options_stated,
    resolved_options,
    run_with,
)
from ridgeline.catalog.engines import load_engine
from ridgeline.errors import RidgelineError
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.estimate import estimate
from ridgeline.estimator.memory import limits_of
from ridgeline.serving.rules import rules_of
from ridgeline.specs.engine import Engine, Limits
from ridgeline.specs.engine_options import EngineOptions, HostTime
from ridgeline.specs.layout import Layout
from ridgeline.specs.passes import decode, prefill

H100, B200, LLAMA = load_machine("h100-sxm"), load_machine("b200-sxm"), load_model("llama-3.1-8b")
SERVERS = ("vllm", "sglang", "tensorrt-llm")

CHANGED = {
    "step_tokens": 1024,
    "sequences": 7,
    "all_step_tokens": 1024,
    "all_sequences": 7,
    "memory_fraction": 0.5,
    "stream_interval": 9,
    "captured_sequences": 4,
    "aligned_prompt_steps": 4,
    "decode_steps_after_prompts": 3,
    "prompt_hold_steps": 20,
}
"""A value of each field that counts, none of them a default."""


def step_s(engine: Engine, sequences: int = 16) -> float:
    deployment = deploy(LLAMA, H100, Layout(), engine=engine)
    return estimate(deployment, decode(batch=sequences, context_tokens=1000)).step_time_s


@pytest.mark.parametrize("engine", SERVERS)
def test_every_option_changes_what_predictions_are_made_of(engine: str) -> None:
    """The limits, the rules of a load, or the time of a step."""
    plain = load_engine(engine)
    for name, fact in options_of(engine).items():
        value = CHANGED.get(fact.sets, not fact.default)
        run = run_with(plain, options_named(engine, {name: value}))
        assert run.options.given.keys() == {fact.sets}
        of_load = [rules_of(one, equal_lengths=False, is_benchmark=False) for one in (plain, run)]
        assert run.limits != plain.limits or of_load[0] != of_load[1] or step_s(run) > step_s(plain), name


@pytest.mark.parametrize("engine", SERVERS)
def test_what_is_set_to_the_default_changes_nothing(engine: str) -> None:
    plain = load_engine(engine)
    for name, fact in options_of(engine).items():
        if fact.default is None:
            continue
        run = run_with(plain, options_named(engine, {name: fact.default}))
        assert run.limits == plain.limits
        assert step_s(run) == step_s(plain)
        of_load = [rules_of(one, equal_lengths=False, is_benchmark=False) for one in (plain, run)]
        assert of_load[0] == of_load[1], name


def test_names_are_read_as_they_are_typed() -> None:
    found = options_named("vllm", {"--max-num-batched-tokens": "16k", "enforce_eager": "true", "max_num_seqs": 64})
    assert found == EngineOptions(step_tokens=16000, replays_graphs=False, sequences=64)
    assert options_named("tensorrt-llm", {"cuda_graph_config": "null"}) == EngineOptions(replays_graphs=False)
    assert options_named("sglang-waves", {"stream_interval": 5}) == EngineOptions(stream_interval=5)  # SGLang's own


@pytest.mark.parametrize(
    ("engine", "given", "said"),
    [
        ("vllm", {"chunked_prefill_size": 1}, "no option 'chunked_prefill_size' .* max_num_batched_tokens"),
        ("vllm", {"enforce_eagr": 1}, "nearest: enforce_eager"),
        ("vllm", {"stream_interval": 10}, "changes no prediction: the first token is sent at once"),
        ("vllm", {"enforce_eager": "maybe"}, "neither true nor false"),
        ("vllm", {"max_num_seqs": "0.5"}, "must be a whole number from 1 up"),
        ("vllm", {"max_num_seqs": "many"}, "max_num_seqs"),
        ("vllm", {"max_num_seqs": True}, "is not a number"),
        ("vllm", {"max_num_seqs": 8, "max-num-seqs": 9}, "set the same; keep one"),
        ("gpt-fast", {"max_num_seqs": 8}, "has no options of its own"),
        ("sglang", {"mem_fraction_static": 1.5}, "above 0 and at most 1"),
    ],
)
def test_what_an_engine_does_not_take_is_refused(engine: str, given: dict[str, object], said: str) -> None:
    with pytest.raises(CatalogError, match=said):
        options_named(engine, given)


def test_facts_of_a_run_that_are_no_options_are_passed_over() -> None:
    stated = {"max_num_seqs": 8, "length_ratio_min": 0.8, "stream_interval": 10}
    assert options_stated("vllm", stated) == EngineOptions(sequences=8)


def test_steps_beyond_the_largest_graph_and_without_graphs_wait_for_the_host() -> None:
    plain = load_engine("vllm")
    eager, captured = (
        run_with(plain, options_named("vllm", one))
        for one in ({"enforce_eager": True}, {"max_cudagraph_capture_size": 16})
    )
    launched_s = LLAMA.layers * host_time_of("vllm").eager_layer_s
    assert step_s(plain) < launched_s < step_s(eager)
    assert step_s(captured) == step_s(plain)
    # Both wait for the same launches, but for those of the head.
    assert step_s(captured, 17) == pytest.approx(step_s(eager, 17), rel=1e-3)


def test_a_host_that_does_not_overlap_adds_its_time_to_every_step() -> None:
    plain = load_engine("sglang")
    run = run_with(plain, options_named("sglang", {"disable_overlap_schedule": True}))
    assert step_s(run) - step_s(plain) == pytest.approx(host_time_of("sglang").step_s, rel=1e-9)


def test_sglang_leaves_less_memory_for_larger_chunks() -> None:
    """1.5 MiB for each token more (``engine_limits.toml``), unless it is told how much of the memory to take."""
    plain = load_engine("sglang")
    run = run_with(plain, EngineOptions(step_tokens=10_000))
    for before, after in zip(plain.limits, run.limits, strict=True):
        more = 1.5 * 2**20 * (10_000 - before.pass_tokens)
        assert after.reserved_bytes - before.reserved_bytes == pytest.approx(more)
    told = run_with(plain, EngineOptions(step_tokens=10_000, memory_fraction=0.8))
    assert {one.reserved_bytes for one in told.limits} == {0.0}
    one_by_one = [EngineOptions(step_tokens=10_000), EngineOptions(memory_fraction=0.8)]
    for first, second in (one_by_one, reversed(one_by_one)):
        assert run_with(run_with(plain, first), second) == told


def test_options_are_said_by_the_engines_names_with_what_stands_by_default() -> None:
    engine = run_with(load_engine("vllm"), options_named("vllm", {"enforce_eager": True, "max_num_seqs": 7}))
    found = resolved_options(engine, limits_of(deploy(LLAMA, H100, Layout(), engine=engine)), groups=1)
    assert found.keys() == options_of("vllm").keys()
    assert found["enforce_eager"] == found["async_scheduling"] == True  # noqa: E712  not only truthy
    assert (found["max_num_seqs"], found["max_num_batched_tokens"]) == (7, 8192)
    assert found["gpu_memory_utilization"] == 0.92
    assert found["max_cudagraph_capture_size"] is None


def test_sglang_divides_its_limits_among_data_parallel_groups() -> None:
    """Those that an operator sets, and the default of its chunks; of a group they are as they are said of a group."""
    deepseek, layout, plain = load_model("deepseek-v3"), Layout(dp=8, ep=8), load_engine("sglang")

    def of_group(engine: Engine, layout: Layout) -> Limits:
        return limits_of(deploy(deepseek, B200, layout, engine=engine))

    by_default = of_group(plain, Layout(tp=8))
    assert of_group(plain, layout).pass_tokens == by_default.pass_tokens // 8 == 2048
    assert of_group(plain, layout).sequences == by_default.sequences
    named = run_with(plain, options_named("sglang", {"max_running_requests": 100, "chunked_prefill_size": 32768}))
    assert (of_group(named, layout).sequences, of_group(named, layout).pass_tokens) == (12, 4096)
    assert (of_group(named, Layout(tp=8)).sequences, of_group(named, Layout(tp=8)).pass_tokens) == (100, 32768)
    said = resolved_options(named, of_group(named, layout), groups=8)
    assert (said["max_running_requests"], said["chunked_prefill_size"]) == (100, 32768)
    said = resolved_options(plain, of_group(plain, layout), groups=8)
    assert said["chunked_prefill_size"] == by_default.pass_tokens
    # However the same is said, as much memory is set aside for it.
    told = run_with(plain, EngineOptions(sequences=12, step_tokens=4096))
    assert of_group(told, layout) == of_group(named, layout)
    assert run_with(named, EngineOptions(sequences=12, step_tokens=4096)).options == told.options
    with pytest.raises(RidgelineError, match="keep one"):
        EngineOptions(sequences=12, all_sequences=96)


def test_an_engine_without_captured_graphs_is_eager_in_steps_and_in_prompts() -> None:
    plain = load_engine("vllm")
    eager, none = (
        run_with(plain, options_named("vllm", one))
        for one in ({"enforce_eager": True}, {"max_cudagraph_capture_size": 0})
    )
    assert none.options.unmeasured == eager.options.unmeasured
    for pass_ in (decode(batch=16, context_tokens=1000), prefill(batch=1, prompt_tokens=100)):
        by_default, *others = (
            estimate(deploy(LLAMA, H100, Layout(), engine=one), pass_).step_time_s for one in (plain, eager, none)
        )
        assert others[0] == others[1] > by_default


@pytest.mark.parametrize("model", ["llama-3.1-8b", "deepseek-v3"])
@pytest.mark.parametrize("given", [{"enforce_eager": True}, {"async_scheduling": False}])
def test_a_pass_with_time_that_nobody_measured_is_no_surer_than_one_without(
    model: str, given: dict[str, object]
) -> None:
    """The host's time has no band, and would thin out those of the kernels."""
    plain = load_engine("vllm")
    layout = Layout(tp=8)
    for pass_ in (decode(batch=16, context_tokens=1000), prefill(batch=1, prompt_tokens=1000)):
        before, after = (
            estimate(deploy(load_model(model), H100, layout, engine=one), pass_)
            for one in (plain, run_with(plain, options_named("vllm", given)))
        )
        assert after.step_time_s > before.step_time_s
        assert after.high_s / after.step_time_s >= (before.high_s / before.step_time_s) * (1 - 1e-12)
        assert after.low_s / after.step_time_s <= (before.low_s / before.step_time_s) * (1 + 1e-12)


def test_what_is_said_later_holds_and_the_rest_stays() -> None:
    first = run_with(load_engine("vllm"), EngineOptions(sequences=7, overlaps_host=False))
    second = run_with(first, EngineOptions(sequences=9))
    assert second.options == EngineOptions(sequences=9, overlaps_host=False)
    assert {one.sequences for one in second.limits} == {9}
    assert run_with(second, EngineOptions()) is second


@pytest.mark.parametrize(
    "wrong",
    [{"sequences": 0}, {"sequences": 1.5}, {"memory_fraction": 0}, {"stream_interval": True}, {"overlaps_host": "no"}],
)
def test_a_record_holds_no_value_that_is_none(wrong: dict[str, Any]) -> None:
    with pytest.raises(RidgelineError, match=next(iter(wrong))):
        dataclasses.replace(EngineOptions(), **wrong)


def test_the_hosts_time_is_seconds() -> None:
    with pytest.raises(RidgelineError, match="eager_layer_s"):
        HostTime(eager_layer_s=-1.0)
