"""What engines are known to run, and what is said where they do not."""

from __future__ import annotations

import dataclasses

import pytest

from ridgeline.catalog import load_machine, load_model
from ridgeline.catalog.engines import load_engine
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.engine_support import engine_faults, engine_notes, format_faults
from ridgeline.estimator.estimate import estimate
from ridgeline.estimator.precision import precision_on
from ridgeline.specs.attention import GroupedQueryAttention, SquareRootAttention
from ridgeline.specs.engine import IDEAL_ENGINE
from ridgeline.specs.fidelity import ROOFLINE
from ridgeline.specs.layout import Layout
from ridgeline.specs.passes import decode

EXPERTS, DENSE = load_model("deepseek-v3"), load_model("llama-3.1-70b")
HOPPER, AMPERE, AMD = (load_machine(name) for name in ("h200-sxm", "a100-80-sxm", "mi300x"))


@pytest.mark.parametrize(
    ("engine", "layout", "said"),
    [
        ("vllm", "tp8", None),
        ("vllm", "tp8,pp2", None),
        ("vllm", "tp2,dp4,ep8", None),
        ("vllm", "tp2,dp4", None),
        ("vllm", "dp16,ep16,redundant16", None),
        ("vllm", "tp2,dp4,ep4", "takes ep of 1 or tp*dp=8, not 4"),
        ("vllm", "tp4,tp_rows2", "vllm does not cut matrices in two dimensions (tp_rows)"),
        ("vllm", "tp8,kv_dp2", "shards each sequence's KV by tokens instead"),
        ("vllm", "tp2,cp4", "context parallelism of prefill is under development there"),
        ("sglang", "tp2,dp4,ep4", None),
        ("sglang", "tp2,cp4", "in prefill alone"),
        ("tensorrt-llm", "tp8,ep4", None),
        ("tensorrt-llm", "dp8,ep8", None),
        ("tensorrt-llm", "tp2,dp4,ep8", "has no dp beside tp: enable_attention_dp is for all chips or none"),
        ("gpt-fast", "tp8,pp2", "gpt-fast does not cut a model into stages (pp)"),
        ("vllm-2023", "tp8", "does not run latent attention (not verified)"),
    ],
)
def test_a_layout_that_an_engine_does_not_run_is_told_why(engine: str, layout: str, said: str | None) -> None:
    found = engine_faults(deploy(EXPERTS, HOPPER, Layout.from_text(layout), engine=load_engine(engine)))
    if said is None:
        assert found == ()
    else:
        assert said in "; ".join(found)


def test_the_ideal_engine_runs_all_and_one_without_facts_says_so() -> None:
    strange = Layout.from_text("tp8,tp_rows2,kv_dp2,cp2")
    ideal = deploy(DENSE, HOPPER, strange, engine=IDEAL_ENGINE)
    assert engine_faults(ideal) == ()
    assert engine_notes(ideal) == ()
    torch = deploy(DENSE, HOPPER, strange, engine=load_engine("torch"))
    assert engine_faults(torch) == ()
    assert engine_notes(torch, any_layout=True) == ("nothing is known of what torch can run",)


def test_engines_of_one_maker_do_not_run_on_anothers_chips() -> None:
    tensorrt, vllm = (deploy(DENSE, AMD, engine=load_engine(name)) for name in ("tensorrt-llm", "vllm"))
    assert engine_faults(tensorrt) == ("tensorrt-llm does not run on cdna3 chips",)
    assert engine_faults(vllm) == ()


def test_attention_that_nobody_serves_is_refused() -> None:
    (group,) = DENSE.groups
    assert isinstance(group.attention, GroupedQueryAttention)
    invented = dataclasses.replace(group, attention=SquareRootAttention(base=group.attention))
    model = dataclasses.replace(DENSE, groups=(invented,))
    assert engine_faults(deploy(model, HOPPER, engine=load_engine("vllm"))) == (
        "vllm does not run square root attention",
    )


@pytest.mark.parametrize(
    ("engine", "machine", "weights", "kv", "runs"),
    [
        ("vllm", "h200-sxm", "fp8", "fp8", True),
        ("vllm", "a100-80-sxm", "int8", None, True),
        ("vllm", "b200-sxm", "int8", None, False),
        ("sglang", "h200-sxm", "nvfp4", None, False),
        ("tensorrt-llm", "b200-sxm", "nvfp4", "fp8", True),
        ("tensorrt-llm", "l40s", "fp8_block", None, False),
        ("gpt-fast", "h100-sxm", "bf16", "fp8", False),
        ("torch", "h100-sxm", "nvfp4", None, True),
    ],
)
def test_formats_are_of_an_engine_and_a_chip(
    engine: str, machine: str, weights: str, kv: str | None, *, runs: bool
) -> None:
    where = load_machine(machine)
    precision, _ = precision_on(DENSE, where.chip, weights=weights, kv=kv)
    assert (format_faults(load_engine(engine), where, precision) == ()) is runs


def test_what_an_engine_does_not_run_is_estimated_all_the_same_and_said() -> None:
    vllm, layout = load_engine("vllm"), Layout.from_text("tp4,tp_rows2")
    step = decode(batch=8, context_tokens=2000)
    found = estimate(deploy(DENSE, HOPPER, layout, engine=vllm), step)
    assert "vllm does not cut matrices in two dimensions (tp_rows); estimated all the same" in found.notes
    assert not any("tp_rows" in note for note in estimate(deploy(DENSE, HOPPER, Layout(tp=4), engine=vllm), step).notes)
    # Where only peaks count, no engine runs.
    peaks = estimate(deploy(DENSE, HOPPER, layout, engine=vllm, fidelity=ROOFLINE), step)
    assert not any("vllm" in note for note in peaks.notes)


def test_what_is_known_from_memory_alone_is_said_where_it_counts() -> None:
    old = deploy(DENSE, AMPERE, Layout(tp=4), engine=load_engine("vllm-v0"))
    assert any("not verified" in note for note in engine_notes(old))
    assert engine_notes(dataclasses.replace(old, engine=load_engine("vllm"))) == ()
    assert engine_faults(dataclasses.replace(old, layout=Layout.from_text("tp4,cp2"))) == (
        "vllm-v0 does not share a context over chips that each hold the weights (cp) (not verified)",
    )
    assert "whether vllm-v0 runs cdna3 chips is not known" in engine_notes(
        dataclasses.replace(old, machine=AMD), any_layout=True
    )
