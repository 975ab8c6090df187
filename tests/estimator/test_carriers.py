"""What carries an estimate: every machine of the catalog has a list, and none says more than was measured."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.each import of_each

from ridgeline.catalog.engine_options import options_named, run_with
from ridgeline.catalog.engines import default_engine, load_engine
from ridgeline.catalog.kernels import KERNELS, numbers_of
from ridgeline.catalog.machines import load_machine, machine_ids
from ridgeline.catalog.models import load_model
from ridgeline.estimator.carriers import ENGINE_PARTS, HOST
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.estimate import Estimate, estimate
from ridgeline.specs.efficiency import IDEAL
from ridgeline.specs.engine import Engine, Replay
from ridgeline.specs.engine_options import EngineOptions, HostTime
from ridgeline.specs.evidence import Evidence
from ridgeline.specs.fidelity import MEASURED, NAPKIN, ROOFLINE, Fidelity
from ridgeline.specs.layout import Layout
from ridgeline.specs.passes import Pass, decode, prefill
from ridgeline.specs.provenance import Carrier, Grade, Source, heaviest_first, summary

MEASURED_MACHINES = {path.stem for path in KERNELS.glob("*.toml")} & set(machine_ids())
MODELS = ("llama-3.1-8b", "deepseek-v3.2", "minimax-m3", "qwen3.5-35b-a3b", "gpt-oss-20b", "deepseek-v4-flash")
"""Of every kind of attention that is served, and with experts in several formats."""

STEP = decode(batch=16, context_tokens=4000)
PROMPT = prefill(batch=2, prompt_tokens=2000)
ORDER = list(Grade)


def found(
    model: str,
    machine: str,
    layout: str = "tp1",
    *,
    pass_: Pass = STEP,
    fidelity: Fidelity = MEASURED,
    engine: Engine | None = None,
    weights: str | None = None,
    kv: str | None = None,
) -> Estimate:
    known = load_machine(machine)
    chosen = default_engine(known) if engine is None else engine
    asked = deploy(
        load_model(model),
        known,
        Layout.from_text(layout),
        fidelity=fidelity,
        engine=chosen,
        weights=weights,
        kv=kv,
    )
    return estimate(asked, pass_)


def of_part(carriers: tuple[Carrier, ...], part: str) -> list[Carrier]:
    return [one for one in carriers if one.part == part]


@pytest.mark.slow
@of_each("machine", machine_ids())
def test_every_machine_says_what_carries_a_step_and_a_prompt(machine: str) -> None:
    for model in MODELS:
        for pass_ in (STEP, PROMPT):
            one = found(model, machine, pass_=pass_)
            carried = one.carried_by
            # The sums are of the same times in another order.
            assert sum(part.time_s for part in carried) == pytest.approx(one.step_time_s, rel=1e-9)
            assert sum(part.time_fraction for part in carried) == pytest.approx(1, rel=1e-9)
            assert all(part.time_s > 0 and part.part and part.source.text for part in carried)
            assert len({(part.part, part.source) for part in carried}) == len(carried)
            keys = [(ORDER.index(part.source.grade), -part.time_s) for part in carried]
            assert keys == sorted(keys)


@of_each("machine", sorted(set(machine_ids()) - MEASURED_MACHINES))
def test_no_chip_without_kernels_of_its_own_is_said_to_be_measured(machine: str) -> None:
    for model in MODELS:
        carried = found(model, machine).carried_by
        assert Grade.MEASURED not in {one.source.grade for one in carried}
    if load_machine(machine).family in {"cdna2", "cdna3", "cdna4", "rubin", "tpu", "gaudi", "trainium"}:
        assert {one.source.grade for one in carried} == {Grade.ASSUMED}


@pytest.mark.parametrize("machine", sorted(MEASURED_MACHINES))
def test_what_is_said_to_be_measured_on_a_chip_has_rows_there(machine: str) -> None:
    for model in MODELS:
        for one in found(model, machine).carried_by:
            if one.source.grade is Grade.MEASURED:
                assert (one.source.machine, one.source.rows > 0) == (machine, True)
            if one.source.grade is Grade.FAMILY:
                assert one.source.machine not in {"", machine}
                assert load_machine(one.source.machine).family == load_machine(machine).family


@pytest.mark.parametrize("fidelity", [NAPKIN, ROOFLINE])
@pytest.mark.parametrize("machine", ["h100-sxm", "tpu-v5p"])
def test_at_peaks_the_spec_sheet_carries_all(fidelity: Fidelity, machine: str) -> None:
    carried = found("llama-3.1-8b", machine, "tp2", fidelity=fidelity).carried_by
    assert {one.source for one in carried} == {Source(grade=Grade.ASSUMED, note=IDEAL.status)}
    assert "spec sheet" in summary(carried)


def test_each_number_of_a_chip_says_whose_rows_moved_it() -> None:
    h200, h100, mi300x = (load_machine(name).efficiency for name in ("h200-sxm", "h100-sxm", "mi300x"))
    for efficiency in (h200, h100, mi300x):
        assert numbers_of(efficiency.fitted).keys() <= efficiency.sources.keys()
    assert h200.source_of("collectives.launch_s").grade is Grade.MEASURED
    assert h200.source_of("gemm.fraction.bf16") == dataclasses.replace(
        h100.source_of("gemm.fraction.bf16"), grade=Grade.FAMILY
    )
    # One number for all chips, and none of them is said.
    assert h100.source_of("gemm.penalty_values").grade is Grade.ASSUMED
    assert h100.source_of("gemm.penalty_values").machine == ""
    assert mi300x.source_of("gemm.fraction.bf16").grade is Grade.ASSUMED
    assert "first guess" in h100.source_of("link_fraction.scale_out").note


def test_messages_of_a_bus_are_those_of_the_machine_with_one() -> None:
    for machine, grade in (("rtx-4090", Grade.FAMILY), ("a100-80-pcie", Grade.ASSUMED)):
        source = load_machine(machine).efficiency.source_of("collectives.launch_s")
        assert (source.machine, source.grade) == ("l40s", grade)


def test_formats_and_caches_that_nobody_measured_are_assumed() -> None:
    def grade(part: str, *, weights: str | None = None, kv: str | None = None) -> set[Grade]:
        carried = found("llama-3.1-8b", "h100-sxm", weights=weights, kv=kv).carried_by
        return {one.source.grade for one in of_part(carried, part)}

    assert grade("GEMMs, bf16") == grade("GEMMs, fp8", weights="fp8") == {Grade.MEASURED}
    assert grade("GEMMs, int8", weights="int8") == grade("GEMMs, int4 weights as bf16", weights="int4")
    assert grade("GEMMs, int8", weights="int8") == {Grade.ASSUMED}
    assert grade("decode attention", kv="fp8") == grade("decode attention") == {Grade.MEASURED}
    assert grade("decode attention", kv="int4") == {Grade.ASSUMED}


def test_attention_whose_kernels_nobody_measured_is_assumed() -> None:
    parts = {
        "minimax-m3": {"an indexer's scores", "attention over chosen blocks"},
        "deepseek-v3.2": {"an indexer's scores", "attention over chosen tokens"},
        "qwen3.5-35b-a3b": {"state updates of linear attention"},
        "deepseek-v4-flash": {"attention over compressed entries"},
    }
    for model, expected in parts.items():
        assumed = {one.part for one in found(model, "b200-sxm").carried_by if one.source.grade is Grade.ASSUMED}
        assert expected <= assumed


def test_small_kernels_of_an_engine_are_told_apart_and_add_up_to_its_overhead() -> None:
    one = found("deepseek-v3.2", "b200-sxm", "dp2,ep2")
    (overhead,) = (run for run in one.operations if run.name == "engine, layers")
    parts = {part.part: part.time_s for part in one.carried_by if part.part in ENGINE_PARTS.values()}
    assert sum(parts.values()) == pytest.approx(float(overhead.time_s), rel=1e-9)
    engine, layers = one.deployment.engine, one.deployment.model.layers
    assert engine.replay is not None
    expected = engine.overhead_fraction * layers * engine.replay.token_topk_layer_s
    assert parts["small kernels that choose tokens"] == pytest.approx(expected, rel=1e-9)


def test_every_time_of_an_engine_has_a_name() -> None:
    """But for what its kernels' launches rest on, which is no time, and how it schedules requests."""
    records: dict[str, type[Engine | Replay | HostTime]] = {"": Engine, "replay.": Replay, HOST: HostTime}
    times = {
        f"{before}{one.name}"
        for before, record in records.items()
        for one in dataclasses.fields(record)
        if one.name.endswith("_s")
    }
    assert ENGINE_PARTS.keys() == times


OPTIONS: tuple[tuple[str, dict[str, object]], ...] = (
    ("vllm", {"enforce_eager": True}),
    ("vllm", {"async_scheduling": False}),
    ("vllm", {"enforce_eager": True, "async_scheduling": False}),
    ("vllm", {"max_cudagraph_capture_size": 8}),
    ("sglang", {"disable_overlap_schedule": True}),
    ("tensorrt-llm", {"cuda_graph_config": "null"}),
)


@of_each("pass_", [STEP, PROMPT], ids=["decode", "prefill"])
@of_each("machine", ["h200-sxm", "b200-sxm"])
@of_each(("name", "given"), OPTIONS)
def test_options_add_time_of_the_host_and_of_nothing_that_the_model_has_not(
    name: str, given: dict[str, object], machine: str, pass_: Pass
) -> None:
    plain = load_engine(name)
    run = run_with(plain, options_named(name, given))
    host = {part for number, part in ENGINE_PARTS.items() if number.startswith(HOST)}
    for model, layout in (("deepseek-v3", "tp8"), ("llama-3.1-8b", "tp1")):
        before, after = (found(model, machine, layout, pass_=pass_, engine=one) for one in (plain, run))
        carried = after.carried_by
        # The sums are of the same times in another order.
        assert sum(part.time_s for part in carried) == pytest.approx(after.step_time_s, rel=1e-9)
        assert sum(part.time_fraction for part in carried) == pytest.approx(1, rel=1e-9)
        added = {part.part for part in carried} - {part.part for part in before.carried_by}
        # Eager messages may be sent in another way; of the engine itself there is no more than the host's time.
        assert added & set(ENGINE_PARTS.values()) <= host
        assert not any("linear" in part.part or "choose" in part.part for part in carried)
        assert {part.source.grade for part in carried if part.part in host} <= {Grade.ASSUMED}


@pytest.mark.parametrize(
    ("given", "number"), [({"enforce_eager": True}, "eager_layer_s"), ({"async_scheduling": False}, "step_s")]
)
def test_time_that_an_option_uncovers_is_the_hosts(given: dict[str, object], number: str) -> None:
    plain = load_engine("vllm")
    run = run_with(plain, options_named("vllm", given))
    before, after = (found("llama-3.1-8b", "h100-sxm", engine=one) for one in (plain, run))
    assert not of_part(before.carried_by, ENGINE_PARTS[f"{HOST}{number}"])
    (part,) = of_part(after.carried_by, ENGINE_PARTS[f"{HOST}{number}"])
    if number == "step_s":
        assert part.time_s == pytest.approx(plain.host.step_s, rel=1e-9)


def test_launches_that_an_engine_knows_of_its_own_are_not_also_its_hosts() -> None:
    engine = dataclasses.replace(load_engine("vllm"), launch_layer_s=1e-3, options=EngineOptions(replays_graphs=False))
    parts = {one.part for one in found("llama-3.1-8b", "h100-sxm", engine=engine).carried_by}
    assert ENGINE_PARTS["launch_layer_s"] in parts
    assert ENGINE_PARTS[f"{HOST}eager_layer_s"] not in parts


def test_an_engine_is_as_sure_as_the_machines_that_it_was_measured_on() -> None:
    vllm, other = load_engine("vllm"), load_engine("vllm-0.33.0")
    for engine, machine, grade in (
        (vllm, "h100-sxm", Grade.MEASURED),
        (vllm, "gb200-nvl72", Grade.FAMILY),
        (vllm, "l40s", Grade.ASSUMED),
        (other, "h100-sxm", Grade.ASSUMED),
    ):
        carried = found("llama-3.1-8b", machine, engine=engine).carried_by
        assert {one.source.grade for one in of_part(carried, "unfused kernels of the engine")} == {grade}
    assert "newer than 0.22.0" in other.source_on("layer_s", "h100-sxm", "hopper").text
    assert Evidence().source_on("layer_s", "h100-sxm", "hopper").grade is Grade.ASSUMED


def test_a_pipeline_and_messages_between_domains_are_assumed() -> None:
    carried = found("llama-3.1-8b", "h100-sxm", "tp2,pp2").carried_by
    (bubble,) = of_part(carried, "pipeline bubbles")
    assert bubble.source.grade is Grade.ASSUMED
    carried = found("llama-3.1-8b", "h100-sxm", "tp16").carried_by
    (across,) = of_part(carried, "messages between domains")
    assert across.source.grade is Grade.ASSUMED
    inside = {one.part for one in carried if one.part.endswith("in the domain")}
    assert inside


@given(
    times=st.lists(
        st.tuples(
            st.sampled_from(["a", "b"]),
            st.builds(Source, grade=st.sampled_from(Grade), rows=st.integers(0, 3)),
            st.floats(1e-9, 1),
        ),
        min_size=1,
    )
)
def test_carriers_hold_all_of_the_time(times: list[tuple[str, Source, float]]) -> None:
    carried = heaviest_first(times)
    assert sum(one.time_s for one in carried) == pytest.approx(sum(time_s for _, _, time_s in times))
    assert sum(one.time_fraction for one in carried) == pytest.approx(1)
    assert {(one.part, one.source) for one in carried} == {(part, source) for part, source, _ in times}
