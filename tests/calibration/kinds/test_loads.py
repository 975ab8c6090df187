"""Rows under load: each kind is predicted from its facts alone, and what is taken for granted is said."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.each import of_each

from ridgeline.calibration.cases import Case, Unsupported
from ridgeline.calibration.cases.model_table import model_row
from ridgeline.calibration.kinds.kind import KINDS, LoadKind
from ridgeline.calibration.kinds.loads import in_a_loop, loaded, over_two_pools, without_end
from ridgeline.calibration.kinds.predict import Prediction, predict
from ridgeline.calibration.kinds.run import Run, machine_of, precision_of
from ridgeline.catalog import load_machine, load_model
from ridgeline.catalog.engines import as_of, engine_of, load_engine
from ridgeline.catalog.models import MODELS
from ridgeline.errors import RidgelineError
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.estimate import estimate
from ridgeline.estimator.parameters import kv_bytes_held
from ridgeline.estimator.precision import checkpoint_precision
from ridgeline.serving.interval import LEAST_SURE, asked_of, load_width, tpot_interval, ttft_interval
from ridgeline.serving.load import closed_loop
from ridgeline.serving.passes import pool_passes, pool_times
from ridgeline.serving.rules import rules_of
from ridgeline.specs.engine import IDEAL_ENGINE, Engine
from ridgeline.specs.evidence import Evidence
from ridgeline.specs.fidelity import MEASURED, ROOFLINE, Fidelity
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Chip
from ridgeline.specs.passes import prefill
from ridgeline.specs.precision import Component
from ridgeline.specs.workload import Workload

FACTS = {
    "model": "llama-3.1-70b",
    "chips": "8",
    "tp": "8",
    "weight_dtype": "bf16",
    "kv_dtype": "bf16",
    "batch": "32",
    "prompt_tokens": "2000",
    "output_tokens": "500",
    "engine": "vllm-0.12",
}
POOLS = {
    "prefill": {"tp": 4, "workers": 2, "batch": 2},
    "decode": {"tp": 8, "workers": 1, "batch": 64},
}


def case(
    kind: str = "closed_loop",
    quantity: str = "tpot_s",
    attributes: Mapping[str, object] | None = None,
    **facts: Any,  # noqa: ANN401  columns
) -> Case:
    """A row; facts that are None are left out."""
    given: dict[str, Any] = {name: text for name, text in (FACTS | facts).items() if text is not None}
    if kind == "disaggregated":
        given = {name: text for name, text in given.items() if name != "tp"} | {"chips": "16"}
    if kind == "saturated":
        given.pop("batch", None)
    return Case(
        name="made",
        family="made",
        kind=kind,
        quantity=quantity,
        machine="h100-sxm",
        measured=None,
        **given,
        attributes=dict(POOLS if kind == "disaggregated" and attributes is None else attributes or {}),
    )


def predicted(one: Case, fidelity: Fidelity = MEASURED) -> Prediction:
    return predict(one, {}, fidelity)


LOADS = {name: kind.quantities for name, kind in KINDS.items() if isinstance(kind, LoadKind)}
EVERY = [(kind, quantity) for kind, quantities in LOADS.items() for quantity in quantities]


@of_each(("kind", "quantity"), EVERY)
def test_each_quantity_of_each_kind_is_predicted_with_its_interval(kind: str, quantity: str) -> None:
    found = predicted(case(kind, quantity))
    assert 0 < found.low < found.value < found.high < math.inf
    assert found.value / found.low == pytest.approx(found.high / found.value)
    assert found.is_time == (quantity in {"tpot_s", "ttft_s"})
    assert not found.warnings


@pytest.mark.parametrize("kind", LOADS)
def test_rates_are_one_rate_of_more_or_fewer_tokens_over_more_or_fewer_chips(kind: str) -> None:
    chips = 16 if kind == "disaggregated" else 8
    rates = {name: predicted(case(kind, name)).value for name in LOADS[kind] if name.endswith(("_per_s", "_per_chip"))}
    assert rates["total_tokens_per_s"] == pytest.approx(rates["output_tokens_per_s"] * 2500 / 500)
    for whole in ("output_tokens_per_s", "total_tokens_per_s"):
        assert rates[f"{whole}_per_chip"] == pytest.approx(rates[whole] / chips)


def test_a_closed_loop_is_the_closed_form_of_its_passes() -> None:
    engine = engine_of(FACTS["engine"])
    deployment = deploy(load_model("llama-3.1-70b"), load_machine("h100-sxm"), Layout(tp=8), engine=engine)
    passes = pool_passes(deployment, Workload(prompt_tokens=2000, output_tokens=500), 32)
    times = pool_times([deployment], passes.workload, 32)
    expected = closed_loop(times, rules_of(engine, equal_lengths=True, is_benchmark=True), np.array([32.0]))
    assert predicted(case()).value == pytest.approx(float(expected.tpot_s[0]), rel=1e-12)
    assert predicted(case(quantity="ttft_s")).value == pytest.approx(float(expected.ttft_s[0]), rel=1e-12)
    rate = float(expected.requests_per_s[0]) * 500
    assert predicted(case(quantity="output_tokens_per_s")).value == pytest.approx(rate, rel=1e-12)
    farther = engine.evidence.widening(asked_of(passes.run_by(engine)), "tpot_s")
    assert farther < engine.evidence.widening(dataclasses.replace(asked_of(passes), model="new"), "tpot_s")
    width = farther * math.hypot(passes.run_by(engine).kernel_widths[0], engine.widths["tpot_s"])
    assert math.log(predicted(case()).high / predicted(case()).value) == pytest.approx(width, rel=1e-9)


@of_each(("kind", "quantity"), EVERY)
def test_a_prediction_sees_the_facts_of_the_run_alone(kind: str, quantity: str) -> None:
    blind = case(kind, quantity)
    seen = dataclasses.replace(
        blind,
        name="another",
        family="others",
        measured=1.0,
        unknown_columns=("colour",),
    )
    assert predicted(seen) == predicted(blind)


# Lengths.


def test_lengths_of_the_public_benchmark_vary_and_others_do_not() -> None:
    varied, equal = case(prompt_tokens="1024", output_tokens="1024"), case(prompt_tokens="1024", output_tokens="1000")
    assert any("lengths are taken as 0.8 to 1" in one for one in predicted(varied).warnings)
    assert not predicted(equal).warnings
    assert _workload(varied) == (Workload(prompt_tokens=922, output_tokens=922), False)
    assert _workload(equal) == (Workload(prompt_tokens=1024, output_tokens=1000), True)


def test_a_row_may_say_how_its_lengths_vary() -> None:
    half = case(attributes={"length_ratio_min": 0.5})
    assert _workload(half) == (Workload(prompt_tokens=1500, output_tokens=375), False)
    whole = case(attributes={"length_ratio_min": 1.0}, prompt_tokens="1024", output_tokens="1024")
    assert _workload(whole) == (Workload(prompt_tokens=1024, output_tokens=1024), True)
    assert not predicted(whole).warnings


def test_requests_without_end_are_as_long_as_they_say() -> None:
    assert _workload(case("saturated", prompt_tokens="1024", output_tokens="1024"))[1]


def _run(one: Case, engine: Engine | None = None) -> Run:
    known = engine or engine_of(one.engine)
    return Run(case=one, machine=machine_of(one)[0], fidelity=MEASURED, models={}, engine=known)


def _workload(one: Case) -> tuple[Workload, bool]:
    passes = (in_a_loop if one.kind == "closed_loop" else without_end)(_run(one))
    return passes.pools[0].workload, passes.equal_lengths


# Engines.


@pytest.mark.parametrize("engine", [None, "deepseek-internal"])
def test_an_engine_that_is_not_known_is_taken_as_vllm_aloud(engine: str | None) -> None:
    strange = predicted(case(engine=engine))
    said = f"engine {engine!r} is not known" if engine else "no engine is named"
    assert f"{said}: taken as vllm as of {as_of()}" in strange.warnings
    usual = predicted(case(engine="vllm"))
    assert strange.value == pytest.approx(usual.value, rel=1e-12)
    assert strange.low < usual.low < usual.high < strange.high


def test_engines_differ_though_they_share_their_passes() -> None:
    """Both launch alike, of releases that came out together, so that passes are timed once for both."""
    names = ("sglang", "vllm")
    sglang, vllm = (in_a_loop(_run(case(engine=name))) for name in names)
    assert sglang.pools[0] is vllm.pools[0]
    tokens = [predicted(case(engine=name)).value for name in names]
    assert tokens[0] != tokens[1]


def test_passes_of_models_that_share_a_name_are_not_mixed_up() -> None:
    """A model with heads added to it, and one of a table that was edited, keep their names."""
    padded = case(attributes={"padded_heads": 128})
    assert predicted(padded).value > 1.01 * predicted(case()).value
    cells = {"model": "mine", "layers": "8", "hidden": "4096", "query_heads": "32", "kv_heads": "8", "head_dim": "128"}
    cells |= {"ffn_hidden": "14336", "gated": "1", "vocab": "32000", "tied_embeddings": "0", "attention": "gqa"}
    mine = case(model="mine")
    shallow, deep = (
        predict(mine, {"mine": model_row(cells | {"layers": layers})}, MEASURED).value for layers in ("8", "80")
    )
    assert deep > 5 * shallow


def test_what_was_never_measured_of_an_engine_is_as_unsure_as_the_least_sure_that_was() -> None:
    passes = in_a_loop(_run(case())).pools[-1]
    engine = dataclasses.replace(load_engine("vllm"), evidence=Evidence())
    bare = dataclasses.replace(engine, widths={})
    of_step, of_prompt = passes.run_by(engine).kernel_widths
    assert load_width(passes.run_by(bare), "tpot_s") == pytest.approx(math.hypot(of_step, math.log(2)))
    some = dataclasses.replace(engine, widths={"tpot_s": 0.1, "step": 0.4})
    assert load_width(passes.run_by(some), "tpot_s") == pytest.approx(math.hypot(of_step, 0.1))
    assert load_width(passes.run_by(some), "disaggregated_tpot_s") == pytest.approx(math.hypot(of_step, 0.4))
    # Passes, and the other latency, tell nothing of first tokens under load.
    assert load_width(passes.run_by(some), "ttft_s") == pytest.approx(math.hypot(of_prompt, LEAST_SURE["ttft_s"]))
    of_passes = dataclasses.replace(engine, widths={"step": 0.0})
    assert load_width(passes.run_by(of_passes), "tpot_s") == pytest.approx(math.hypot(of_step, math.log(2)))


def test_first_tokens_without_an_engine_are_as_unsure_as_loads_showed() -> None:
    passes = in_a_loop(_run(case())).pools[-1].run_by(IDEAL_ENGINE)
    low, high = ttft_interval(passes)
    assert high == pytest.approx(1 / low)
    assert math.log(high) >= LEAST_SURE["ttft_s"]
    assert tpot_interval(passes)[1] < 2


@pytest.mark.parametrize(
    ("engine", "weights", "attributes", "kv"),
    [
        ("trt", "fp8", {"length_ratio_min": 0.8}, "fp8"),
        ("vllm-0.11.0", "fp8", {}, "fp8"),
        ("sglang", "nvfp4", {}, "fp8"),
        ("sglang", "fp8", {}, "bf16"),  # its scripts set it by chip
        ("vllm", "bf16", {}, "bf16"),
        ("trt", "fp8", {"length_ratio_min": 1.0}, "bf16"),  # somebody else's run of such lengths
    ],
)
def test_a_benchmark_keeps_its_cache_as_its_scripts_say(
    engine: str, weights: str, attributes: dict[str, object], kv: str
) -> None:
    lengths: dict[str, Any] = {"prompt_tokens": 1024, "output_tokens": 1024}
    one = case(attributes=attributes, engine=engine, weight_dtype=weights, kv_dtype=None, **lengths)
    precision, warnings = precision_of(_run(one), load_model("llama-3.1-70b"))
    assert precision.kv.name == kv
    assert any(f"kv_dtype is empty: taken as {kv}" in text for text in warnings)


# Deployments.


def test_copies_of_a_pool_share_its_users() -> None:
    """Where the choice of layouts is free, the best is taken, replicas of one chip among them."""
    rate, model = "output_tokens_per_s", "llama-3.1-8b"
    eight = case(quantity=rate, attributes={"layout_free": True}, model=model, tp=None)
    one = case(quantity=rate, batch="4", model=model, tp=None, chips="1")
    # The best layout of the eight is no worse than eight by themselves.
    assert predicted(eight).value > 0.99 * 8 * predicted(one).value


def test_sequences_without_end_are_bounded_by_memory() -> None:
    short, long = (predicted(case("saturated", "output_tokens_per_s", prompt_tokens=text)) for text in ("500", "9000"))
    assert short.value > 2 * long.value


def test_two_pools_need_their_layouts_and_read_their_workers_and_limits() -> None:
    tokens = case("disaggregated")
    passes = over_two_pools(_run(tokens))
    assert [pool.deployment.layout for pool in passes.pools] == [Layout(tp=4), Layout(tp=8)]
    assert (passes.workers, passes.limits) == ((2.0, 1.0), (2.0, 64.0))
    cache = kv_bytes_held(load_model("llama-3.1-70b"), load_model("llama-3.1-70b").precision, 2000, tp=1)
    assert passes.move_s == pytest.approx(cache / (4 * load_machine("h100-sxm").fabric[-1].bytes_per_s))
    for pool in ("prefill", "decode"):
        without = {name: value for name, value in POOLS.items() if name != pool}
        with pytest.raises(Unsupported, match=r"need case\.prefill and case\.decode"):
            predicted(case("disaggregated", attributes=without))


def test_two_pools_have_first_tokens_from_one_and_others_from_the_other() -> None:
    read = prefill(batch=1, prompt_tokens=2000)
    model, machine = load_model("llama-3.1-70b"), load_machine("h100-sxm")
    alone = estimate(deploy(model, machine, Layout(tp=4), engine=load_engine("vllm")), read).step_time_s
    assert predicted(case("disaggregated", "ttft_s", batch="1")).value > alone
    slower = {**POOLS, "prefill": {**POOLS["prefill"], "tp": 2}}
    first, tokens = (
        [predicted(case("disaggregated", quantity, batch="1", attributes=pools)).value for pools in (POOLS, slower)]
        for quantity in ("ttft_s", "tpot_s")
    )
    assert first[1] > 1.3 * first[0]
    assert tokens[1] == tokens[0]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (case(batch=None), "closed_loop rows need batch"),
        (case(prompt_tokens=None), "closed_loop rows need prompt_tokens"),
        (case("saturated", "output_tokens_per_s", output_tokens=None), "saturated rows need output_tokens"),
        (case("saturated", "ttft_s"), "quantity 'ttft_s' of saturated is not predicted"),
        (case(tp="3", chips="3"), "tp=3 does not divide"),
        (case(tp="4"), "but the run has 8 chips"),
        (case(attributes={"length_ratio_min": "many"}), "case.length_ratio_min from 0 to 1, not 'many'"),
        (case(attributes={"length_ratio_min": 1.5}), "case.length_ratio_min from 0 to 1"),
        (case("disaggregated", attributes={**POOLS, "prefill": {"tp": "some"}}), "disaggregated: "),
        (case("disaggregated", attributes={**POOLS, "prefill": {"tp": 4, "workers": 0}}), "workers of a pool"),
        (case("disaggregated", attributes={**POOLS, "decode": {"tp": 4, "batch": "all"}}), "batch of a pool"),
        (case("disaggregated", attributes={**POOLS, "decode": {"tp": 3}}), "tp=3 does not divide"),
    ],
)
def test_rows_that_lack_something_say_what(row: Case, reason: str) -> None:
    with pytest.raises(Unsupported, match=reason.replace("(", r"\(")):
        predicted(row)


def test_a_batch_of_requests_without_end_is_said_to_be_passed_over() -> None:
    plain = case("saturated", "output_tokens_per_s")
    batched = dataclasses.replace(plain, batch=64)
    assert any("batch is not modelled" in one for one in predicted(batched).warnings)
    assert predicted(batched).value == predicted(plain).value


def test_at_peaks_tokens_know_no_engine() -> None:
    at_peak, measured = (
        [predicted(case(engine=name), fidelity).value for name in ("vllm-0.12", "sglang-0.5.9")]
        for fidelity in (ROOFLINE, MEASURED)
    )
    assert at_peak[0] == pytest.approx(at_peak[1], rel=1e-12)
    assert measured[0] != measured[1]
    assert max(at_peak) < min(measured)


def test_two_passes_of_a_row_are_made_once() -> None:
    first, second = (in_a_loop(_run(case(batch=users))) for users in ("17", "32"))
    assert first.pools[0] is second.pools[0]
    assert loaded(first, first.engine).tpot_s < loaded(second, second.engine).tpot_s


# Formats of checkpoints that are known by one name.

H100, B200 = load_machine("h100-sxm").chip, load_machine("b200-sxm").chip


def formats(model: str, chip: Chip, weights: str) -> dict[str, tuple[str, str]]:
    precision = checkpoint_precision(load_model(model), chip, weights)
    return {
        one.value: (precision.of(one).weight.name, precision.of(one).operand.name)
        for one in (Component.ATTENTION, Component.DENSE, Component.EXPERTS, Component.HEAD)
    }


def test_mxfp4_holds_experts_alone_and_is_multiplied_as_the_chip_can() -> None:
    for chip, narrow in ((H100, "bf16"), (B200, "mxfp8")):
        found = formats("gpt-oss-120b", chip, "mxfp4")
        assert found.pop("experts") == ("mxfp4", narrow)
        assert set(found.values()) == {("bf16", "bf16")}
    assert formats("llama-3.1-8b", B200, "mxfp4")["dense"][0] == "mxfp4"


def test_nvfp4_leaves_latent_attention_in_16_bits() -> None:
    latent, plain = (formats(model, B200, "nvfp4") for model in ("deepseek-v3", "qwen3-235b-a22b"))
    assert latent["attention"] == ("bf16", "bf16")
    assert plain["attention"][0] == latent["experts"][0] == "nvfp4"
    assert latent["head"] == plain["head"] == ("bf16", "bf16")


def test_fp8_comes_in_blocks_with_experts_and_where_makers_publish_no_other() -> None:
    names = {
        model: formats(model, H100, "fp8")["attention"][0] for model in ("deepseek-v3", "qwen3-32b", "llama-3.1-70b")
    }
    assert names == {"deepseek-v3": "fp8_block", "qwen3-32b": "fp8_block", "llama-3.1-70b": "fp8"}


def test_a_models_own_file_says_in_which_eight_bits_it_is_published_and_its_name_does_not(tmp_path: Path) -> None:
    catalog = (MODELS / "qwen3-32b.toml").read_text()
    (line,) = (one for one in catalog.splitlines() if one.startswith("eight_bits"))
    own = tmp_path / "qwen3-mine.toml"
    for said, name in (("", "fp8"), ('eight_bits = { value = "fp8_row" }', "fp8_row"), (line, "fp8_block")):
        own.write_text(catalog.replace('"qwen3-32b"', '"qwen3-mine"').replace(line, said))
        assert formats(str(own), H100, "fp8")["attention"][0] == name
    own.write_text(catalog.replace('"fp8_block"', '"fp9"'))
    with pytest.raises(RidgelineError, match="fp9"):
        load_model(str(own))


@pytest.mark.parametrize("weights", ["mxfp4", "nvfp4", "fp8", "int4", "bf16"])
def test_a_checkpoint_keeps_the_models_cache(weights: str) -> None:
    model = load_model("gpt-oss-120b")
    assert checkpoint_precision(model, B200, weights).kv == model.precision.kv


def test_a_stated_stream_interval_holds_back_the_first_token_of_the_engine_that_waits_for_it() -> None:
    """SGLang's first chunk has as many tokens as are sent together; vLLM sends the first one by itself."""

    def ttft_s(engine: str, interval: int | None) -> float:
        attributes = {} if interval is None else {"stream_interval": interval}
        return predicted(case(quantity="ttft_s", engine=engine, attributes=attributes)).value

    assert ttft_s("vllm-0.18.0", 30) == ttft_s("vllm-0.18.0", None)
    one, eleven, twenty_one = (ttft_s("sglang-0.5.9", interval) for interval in (1, 11, 21))
    assert one < eleven
    assert twenty_one - eleven == pytest.approx(eleven - one, rel=1e-9)
    assert one < ttft_s("sglang-0.5.9", None) < ttft_s("sglang-0.5.9", 100)


def test_options_that_a_row_states_are_those_of_its_engine() -> None:
    """Facts of how the run was set up, as a user's options are."""

    def with_option(engine: str, quantity: str, **attributes: object) -> float:
        return predicted(case(quantity=quantity, engine=engine, attributes=attributes)).value

    for engine, option in (("vllm-0.18.0", "enforce_eager"), ("sglang-0.5.9", "disable_cuda_graph")):
        plain, eager, other = (
            with_option(engine, "tpot_s", **one) for one in ({}, {option: True}, {"disable_overlap_scheduler": True})
        )
        assert plain == other < eager  # TensorRT-LLM's is no option of theirs
    held, plain = (with_option("trtllm-1.2.0", "ttft_s", **one) for one in ({"batch_wait_timeout_iters": 20}, {}))
    assert held > plain
    with pytest.raises(Unsupported, match="max_num_seqs"):
        with_option("vllm-0.18.0", "tpot_s", max_num_seqs=0)
    found = predicted(case(engine="vllm-0.18.0", attributes={"disable_cuda_graph": True}))
    assert "closed_loop: case.disable_cuda_graph is not modelled" in found.warnings
    assert not any("stream_interval" in one for one in predicted(case(attributes={"stream_interval": 9})).warnings)
