from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.catalog import load_machine, load_model
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.estimate import estimate
from ridgeline.estimator.precision import precision_on
from ridgeline.estimator.timing import Cause
from ridgeline.specs.fidelity import FIDELITIES, MEASURED, ROOFLINE, Fidelity
from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.specs.machine import Machine
from ridgeline.specs.passes import decode, prefill

H100 = load_machine("h100-sxm")
LLAMA = load_model("llama-3.1-70b")
STEP = decode(batch=64, context_tokens=8000)


@pytest.mark.parametrize("fidelity", FIDELITIES.values(), ids=FIDELITIES)
@given(batch=st.integers(1, 2000), context=st.integers(1, 100_000))
def test_causes_add_up_to_the_step(fidelity: Fidelity, batch: int, context: int) -> None:
    for layout in (Layout(tp=8), Layout(tp=2, dp=4, ep=8)):
        model = LLAMA if layout.dp == 1 else load_model("qwen3-30b-a3b")
        found = estimate(deploy(model, H100, layout, fidelity=fidelity), decode(batch=batch, context_tokens=context))
        assert sum(found.causes.values()) == pytest.approx(found.step_time_s, rel=1e-9)
        assert found.low_s <= found.step_time_s <= found.high_s
        assert found.causes[found.bound] == max(found.causes.values())


@given(batch=st.integers(1, 2000), context=st.integers(1, 100_000))
def test_what_machines_reach_is_slower_than_the_spec_sheet(batch: int, context: int) -> None:
    step = decode(batch=batch, context_tokens=context)
    peak = estimate(deploy(LLAMA, H100, Layout(tp=8), fidelity=ROOFLINE), step)
    reached = estimate(deploy(LLAMA, H100, Layout(tp=8), fidelity=MEASURED), step)
    assert reached.step_time_s > peak.step_time_s


@given(batch=st.integers(1, 2000), context=st.integers(1, 50_000))
def test_more_sequences_and_longer_contexts_take_longer(batch: int, context: int) -> None:
    def time_s(batch: int, context: int) -> float:
        return estimate(deploy(LLAMA, H100, Layout(tp=8)), decode(batch=batch, context_tokens=context)).step_time_s

    assert time_s(batch, context) < time_s(2 * batch, context)
    assert time_s(batch, context) < time_s(batch, 2 * context)


def _better(machine: Machine, factor: float) -> Machine:
    chip = dataclasses.replace(
        machine.chip,
        hbm_bytes_per_s=machine.chip.hbm_bytes_per_s * factor,
        flop_per_s={name: peak * factor for name, peak in machine.chip.flop_per_s.items()},
    )
    fabric = tuple(dataclasses.replace(level, bytes_per_s=level.bytes_per_s * factor) for level in machine.fabric)
    return dataclasses.replace(machine, chip=chip, fabric=fabric)


def test_a_machine_twice_as_fast_in_all_halves_a_roofline() -> None:
    now = estimate(deploy(LLAMA, H100, Layout(tp=8), fidelity=ROOFLINE), STEP).step_time_s
    then = estimate(deploy(LLAMA, _better(H100, 2), Layout(tp=8), fidelity=ROOFLINE), STEP).step_time_s
    assert now / then == pytest.approx(2)


@pytest.mark.parametrize(
    ("model_id", "layout", "said"),
    [
        ("llama-3.1-70b", "tp3", "tp=3 does not divide query_heads=64"),
        ("llama-3.1-70b", "tp8,pp96", "pp=96 stages are more than layers=80"),
        ("llama-3.1-70b", "tp8,tp_rows8,dp2,fsdp2,redundant1", "has no experts to spread; leave ep and redundant out"),
        ("deepseek-v3", "dp2,fsdp2", "fsdp=2 is for models without experts"),
        ("deepseek-v3", "dp72,ep72,redundant31", "ep=72 does not divide experts=256 and 31 redundant"),
        ("llama-3.1-70b", "tp8,ep8", "has no experts to spread"),
        ("deepseek-v3", "dp3,ep3", "ep=3 does not divide experts=256"),
        ("qwen3-30b-a3b", "dp7,ep1", "do not divide expert_hidden=768"),
        ("qwen3-30b-a3b", "dp9,ep1", "9 chips do not divide evenly over the domains of up to 8 chips"),
        ("qwen3-30b-a3b", "tp4,dp3", "tp=4 neither divides nor is a multiple of the 6 chips in each domain"),
    ],
)
def test_a_layout_that_does_not_divide_says_which_number(model_id: str, layout: str, said: str) -> None:
    with pytest.raises(LayoutError, match=said):
        estimate(deploy(load_model(model_id), H100, Layout.from_text(layout)), decode(batch=8, context_tokens=100))


def test_a_layout_over_several_domains_is_estimated() -> None:
    found = estimate(deploy(load_model("llama-3.1-405b"), H100, Layout(tp=32)), decode(batch=8, context_tokens=100))
    assert found.causes[Cause.SCALE_OUT] > 0


@pytest.mark.parametrize("text", ["tp", "8", "xp8", "tp8,tp4", "tp0", "tp-1", "tp2,ep3", ""])
def test_a_layout_that_contradicts_itself_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"layout|Layout"):
        Layout.from_text(text)


@given(st.sampled_from([1, 2, 8]), st.sampled_from([1, 4, 9]), st.sampled_from([1, 2, 4]))
def test_layouts_read_back(tp: int, dp: int, pp: int) -> None:
    layout = Layout(tp=tp, dp=dp, pp=pp, ep=tp * dp)
    assert Layout.from_text(str(layout)) == layout


def test_a_chip_without_the_arithmetic_multiplies_in_16_bits_and_says_so() -> None:
    model, a100 = load_model("deepseek-v3"), load_machine("a100-80-sxm")
    precision, notes = precision_on(model, a100.chip)
    assert precision.experts.weight.name == "fp8_block"
    assert precision.experts.operand.name == "bf16"
    assert any("no fp8 arithmetic" in note for note in notes)


def test_an_indexer_scores_in_the_arithmetic_of_its_keys_where_the_chip_has_it() -> None:
    model, prompt = load_model("deepseek-v3.2"), prefill(batch=1, prompt_tokens=8000)

    def flop_and_time(machine: Machine) -> tuple[float, float]:
        found = estimate(deploy(model, machine, Layout(tp=8, ep=8), fidelity=ROOFLINE), prompt)
        scores = [one for one in found.operations if one.name == "index scores"]
        flop = sum(float(one.timing.work.flop) * one.repeats for one in scores)
        return flop, sum(float(one.timing.causes[Cause.COMPUTE]) * one.repeats for one in scores)

    for machine_id, arithmetic in (("h200-sxm", "fp8"), ("a100-80-sxm", "bf16")):
        machine = load_machine(machine_id)
        flop, time_s = flop_and_time(machine)
        assert time_s == pytest.approx(flop / machine.chip.flop_per_s[arithmetic])


def test_another_format_is_said_and_reads_fewer_bytes() -> None:
    as_published = estimate(deploy(LLAMA, H100, Layout(tp=8)), STEP)
    narrow = estimate(deploy(LLAMA, H100, Layout(tp=8), weights="fp8", kv="fp8"), STEP)
    assert narrow.memory.kv_bytes == as_published.memory.kv_bytes / 2
    assert narrow.step_time_s < as_published.step_time_s
    assert any(note.startswith("weights in fp8, not in the published formats") for note in narrow.notes)
    assert "KV cache in fp8, not in bf16" in narrow.notes


def test_memory_adds_up_to_the_chip() -> None:
    for pass_ in (STEP, prefill(batch=4, prompt_tokens=8000)):
        memory = estimate(deploy(LLAMA, H100, Layout(tp=8)), pass_).memory
        parts = (
            memory.weights_bytes,
            memory.kv_bytes,
            memory.activation_bytes,
            memory.reserved_bytes,
            memory.free_bytes,
        )
        assert sum(float(part) for part in parts) == pytest.approx(H100.chip.hbm_bytes)


def test_messages_stay_in_the_domain_where_the_layout_does() -> None:
    found = estimate(deploy(LLAMA, H100, Layout(tp=8)), STEP)
    assert found.causes[Cause.SCALE_UP] > 0
    assert found.causes[Cause.SCALE_OUT] == 0


@pytest.mark.parametrize(("layout", "is_crossing"), [("tp8", False), ("tp16", True), ("tp8,pp2", False)])
def test_chips_that_share_matrices_beyond_a_domain_are_noted(layout: str, *, is_crossing: bool) -> None:
    deployment = deploy(load_model("llama-3.1-70b"), load_machine("h100-sxm"), Layout.from_text(layout))
    found = estimate(deployment, decode(batch=8, context_tokens=1000))
    assert any("wider than a scale-up domain of 8" in note for note in found.notes) == is_crossing
