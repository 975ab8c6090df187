"""A look-up of a step is what its estimate says, over the whole domain."""

from __future__ import annotations

import functools
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ridgeline import verbs
from ridgeline.catalog import load_machine, load_model
from ridgeline.catalog.engines import load_engine
from ridgeline.errors import RidgelineError
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.timed import time_step, timed_operations
from ridgeline.serving.surface import StepSurface
from ridgeline.serving.tabulate import step_surface
from ridgeline.specs.fidelity import NAPKIN
from ridgeline.specs.layout import Layout
from ridgeline.specs.passes import Pass, chunk, decode, together

MOST_SEQUENCES, MOST_TOKENS = 300, 4096
CASES = {
    "full": ("llama-3.1-70b", "h100-sxm", "tp8", "vllm"),
    "windows": ("gemma-3-27b", "h100-sxm", "tp2", "vllm"),
    "latent": ("deepseek-v3", "h200-sxm", "dp8,ep8", "sglang"),
    "indexer": ("deepseek-v3.2", "h200-sxm", "tp2,dp4,ep8", "vllm"),
    "compressed": ("deepseek-v4-flash", "h200-sxm", "dp8,ep8", "vllm"),
    "linear": ("qwen3.5-397b-a17b", "b200-sxm", "tp8", "tensorrt-llm"),
    "ideal": ("gpt-oss-120b", "b200-sxm", "tp2,dp2,ep4", "ideal"),
    "napkin": ("llama-3.1-70b", "h100-sxm", "tp8", "napkin"),
    "napkin, windows": ("gemma-3-27b", "h100-sxm", "tp2", "napkin"),
    "napkin, states": ("qwen3.5-397b-a17b", "b200-sxm", "tp2,dp4,ep8", "napkin"),
}
EACH = pytest.mark.parametrize("case", CASES)


@functools.cache
def surface(case: str) -> StepSurface:
    model, machine, layout, engine = CASES[case]
    if engine == "napkin":
        deployment = deploy(load_model(model), load_machine(machine), Layout.from_text(layout), fidelity=NAPKIN)
    else:
        run_by = load_engine(engine)
        deployment = deploy(load_model(model), load_machine(machine), Layout.from_text(layout), engine=run_by)
    return step_surface(deployment, most_sequences=MOST_SEQUENCES, most_prompt_tokens=MOST_TOKENS)


def estimated_s(found: StepSurface, pass_: Pass) -> float:
    return float(time_step(timed_operations(found.deployment, pass_))[0])


WORST = 0.02
"""What a look-up may be off by at worst; the median is held below."""


@EACH
@settings(max_examples=40)
@given(
    contexts=st.lists(st.integers(20, 120_000), min_size=1, max_size=4),
    each=st.integers(1, MOST_SEQUENCES // 4),
    new=st.integers(0, MOST_TOKENS),
    past=st.integers(0, 60_000),
)
def test_a_look_up_is_the_estimate_of_a_ragged_step_with_and_without_a_chunk(
    case: str, contexts: list[int], each: int, new: int, past: int
) -> None:
    found = surface(case)
    groups = found.deployment.layout.dp
    passes = [decode(batch=each * groups, context_tokens=context) for context in contexts]
    if new:
        passes.append(chunk(batch=groups, new_tokens=new, past_tokens=past))
    of_each = [found.entries(context) for context in contexts]
    entries = [each * sum(kind) for kind in zip(*of_each, strict=True)]
    looked_up = found.step_s(each * len(contexts), entries, new, past)
    assert looked_up == pytest.approx(estimated_s(found, together(*passes)), rel=WORST)


@EACH
def test_a_step_that_only_reads_is_its_estimate(case: str) -> None:
    found = surface(case)
    groups = found.deployment.layout.dp
    for new, past in ((1, 0), (300, 0), (MOST_TOKENS, 0), (300, 5000)):
        pass_ = chunk(batch=groups, new_tokens=new, past_tokens=past)
        assert found.step_s(0, (), new, past) == pytest.approx(estimated_s(found, pass_), rel=WORST)


@pytest.mark.slow
@EACH
def test_half_of_all_look_ups_are_within_half_a_percent(case: str) -> None:
    found, rng = surface(case), np.random.default_rng(7)
    groups, errors = found.deployment.layout.dp, []
    for _ in range(60):
        count, context, new = (int(np.exp(rng.uniform(0, np.log(most)))) for most in (MOST_SEQUENCES, 1e5, MOST_TOKENS))
        step = decode(batch=count * groups, context_tokens=context)
        mixed = together(step, chunk(batch=groups, new_tokens=new, past_tokens=3 * new))
        entries = [count * kind for kind in found.entries(context)]
        errors += [found.step_s(count, entries) / estimated_s(found, step) - 1]
        errors += [found.step_s(count, entries, new, 3 * new) / estimated_s(found, mixed) - 1]
    assert np.median(np.abs(errors)) < 0.005
    assert np.max(np.abs(errors)) < WORST


@EACH
def test_many_look_ups_are_each_of_them(case: str) -> None:
    found = surface(case)
    counts, contexts = np.array([1, 7, 64, MOST_SEQUENCES]), (30.0, 700.0, 9000.0, 50_000.0)
    of_each = [found.entries(context) for context in contexts]
    entries = [counts * np.array(kind) for kind in zip(*of_each, strict=True)]
    singles = [found.step_s(int(count), [float(kind[place]) for kind in entries]) for place, count in enumerate(counts)]
    assert found.steps_s(counts, entries) == pytest.approx(singles, rel=1e-12)


def test_a_surface_is_a_value() -> None:
    found = surface("full")
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301  our own


def test_entries_are_what_kernels_attend_to() -> None:
    assert surface("full").entries(4000) == (4000,)
    assert sorted(surface("windows").entries(4000)) == [1024, 4000]
    # Every entry is scored, and the best 2,048 are read.
    assert sorted(surface("indexer").entries(4000)) == [2048, 4000]


WHOLE = {
    "stages": ("llama-3.1-70b", "h100-sxm", "tp4,pp2", "vllm"),
    "shared contexts": ("llama-3.1-70b", "h100-sxm", "tp4,cp2", "vllm"),
    "sequences kept apart": ("llama-3.1-70b", "h100-sxm", "tp8,kv_dp4", "vllm"),
    "eager": ("llama-3.1-70b", "h100-sxm", "tp8", "vllm-2023"),
}


@pytest.mark.parametrize("case", WHOLE)
def test_steps_that_are_no_sums_are_estimated_whole(case: str) -> None:
    model, machine, text, engine = WHOLE[case]
    layout = Layout.from_text(text)
    deployment = deploy(load_model(model), load_machine(machine), layout, engine=load_engine(engine))
    found = step_surface(deployment, most_sequences=MOST_SEQUENCES, most_prompt_tokens=MOST_TOKENS)
    rng = np.random.default_rng(3)
    errors = []
    for _ in range(40):
        count, context = (int(np.exp(rng.uniform(0, np.log(most)))) for most in (MOST_SEQUENCES, 1e5))
        entries = [count * one for one in found.entries(context)]
        errors.append(
            found.step_s(count, entries) / estimated_s(found, decode(batch=count, context_tokens=context)) - 1
        )
    # Micro-batches and groups of sequences round up, which straight lines between nodes do not.
    assert np.median(np.abs(errors)) < 0.01
    assert np.max(np.abs(errors)) < 0.06
    # Prompts follow each other through the stages, and a step beside which one is read is that much longer.
    one, stages = found.step_s(0, (), 2000, 3000), layout.pp
    lone_s, together_s = (
        estimated_s(found, chunk(batch=count, new_tokens=2000, past_tokens=3000)) for count in (1, stages)
    )
    each_s = lone_s if stages == 1 else (together_s - lone_s) / (stages - 1)  # what every further one adds
    assert one == pytest.approx(each_s, rel=WORST)
    entries = [64 * each for each in found.entries(4000)]
    assert found.step_s(64, entries, 2000, 3000) == pytest.approx(found.step_s(64, entries) + one, rel=1e-9)


def test_drafted_tokens_are_refused() -> None:
    drafting = verbs.deploy("deepseek-v3", "h200-sxm", "dp8,ep8", speculate="mtp:1")
    with pytest.raises(RidgelineError, match="checks several tokens of a sequence"):
        step_surface(drafting, most_sequences=8)
