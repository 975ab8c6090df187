"""Lanes of a pass: what they share, what they add, and what a pass of several owes to those of one."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.each import of_each

from ridgeline.catalog import load_machine, load_model
from ridgeline.errors import RidgelineError
from ridgeline.estimator.attention import cores
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.divisibility import layout_faults
from ridgeline.estimator.estimate import estimate
from ridgeline.estimator.kernels import AttentionCore, StateUpdate
from ridgeline.estimator.memory import pass_memory
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.timed import time_step, timed_operations
from ridgeline.specs.attention import (
    Attention,
    BlockSparseAttention,
    ChunkedAttention,
    CompressedAttention,
    CrossLayerAttention,
    GroupedQueryAttention,
    IndexedSparseAttention,
    LatentAttention,
    LinearAttention,
    SlidingWindowAttention,
    SquareRootAttention,
)
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.fidelity import FIDELITIES, MEASURED, ROOFLINE, Fidelity
from ridgeline.specs.layout import Layout
from ridgeline.specs.model import Model
from ridgeline.specs.number_format import number_format
from ridgeline.specs.passes import Lane, Pass, chunk, decode, prefill, together, verify

MACHINE = load_machine("gb200-nvl72")
BASE = load_model("llama-3.1-8b")
HEADS = GroupedQueryAttention(query_heads=32, kv_heads=8, head_dim=128)
LATENT = LatentAttention(
    query_heads=32, query_rank=1536, kv_rank=512, content_head_dim=128, position_head_dim=64, value_head_dim=128
)
KINDS: dict[str, Attention] = {
    "grouped_query": HEADS,
    "latent": LATENT,
    "sliding_window": SlidingWindowAttention(base=HEADS, window=1024),
    "chunked": ChunkedAttention(base=HEADS, window=8192),
    "cross_layer": CrossLayerAttention(base=HEADS),
    "indexed": IndexedSparseAttention(base=LATENT, index_heads=32, index_head_dim=128, top_k=2048),
    "block_sparse": BlockSparseAttention(base=HEADS, summary_stride=16, block=64, blocks=16, window=512),
    "compressed": CompressedAttention(
        query_heads=32,
        head_dim=512,
        query_rank=1024,
        output_groups=8,
        output_rank=1024,
        window=128,
        ratio=4,
        overlapping=True,
        index_heads=32,
        index_head_dim=128,
        top_k=512,
    ),
    "square_root": SquareRootAttention(base=HEADS),
    "linear": LinearAttention(key_heads=16, value_heads=32, key_head_dim=128, value_head_dim=128),
}
MODELS: dict[str, Model] = {
    **{
        name: dataclasses.replace(
            BASE, groups=tuple(dataclasses.replace(group, attention=attention) for group in BASE.groups)
        )
        for name, attention in KINDS.items()
    },
    "routed": load_model("deepseek-v3"),
}
"""A model of each kind of attention, and one with experts."""

CUTS = ("tp1", "tp4", "cp4", "dp4", "tp2,dp2,cp2", "pp4", "tp2,pp2,dp2,cp2", "tp4,kv_dp2")
ROUNDING = 1 + 1e-11
"""Sums of the same terms in another order, over as many as ten thousand tokens."""

EACH_MODEL = of_each("model", MODELS.values(), ids=MODELS)
EACH_FIDELITY = of_each("fidelity", FIDELITIES.values(), ids=FIDELITIES)


def deployments(model: Model, fidelity: Fidelity, *, staged: bool = True) -> Iterator[Deployment]:
    """The model in every cut that divides it."""
    return (one for one in every_cut(model, fidelity) if staged or one.layout.pp == 1)


@functools.cache
def every_cut(model: Model, fidelity: Fidelity) -> tuple[Deployment, ...]:
    layouts = (layout for layout in map(Layout.from_text, CUTS) if not layout_faults(model, MACHINE, layout))
    return tuple(deploy(model, MACHINE, layout, fidelity=fidelity) for layout in layouts)


def even(layout: Layout) -> int:
    """Sequences of which every group, stage and chip of a context has one."""
    return layout.dp * layout.pp * layout.cp * layout.kv_dp


def time_s(deployment: Deployment, *passes: Pass) -> float:
    """Of passes one after the other."""
    return sum(float(time_step(timed_operations(deployment, one))[0]) for one in passes)


# Decodes beside decodes.


@pytest.mark.slow
@EACH_FIDELITY
@EACH_MODEL
@settings(max_examples=2)  # of each kind in each cut
@given(first=st.integers(1, 60), second=st.integers(1, 60), context=st.integers(1, 100_000))
def test_steps_of_equal_contexts_are_one_step(
    model: Model, fidelity: Fidelity, first: int, second: int, context: int
) -> None:
    """Where groups and stages come out even."""
    for one in deployments(model, fidelity):
        a, b = first * even(one.layout), second * even(one.layout)
        apart = together(decode(batch=a, context_tokens=context), decode(batch=b, context_tokens=context))
        whole = decode(batch=a + b, context_tokens=context)
        assert time_s(one, apart) == pytest.approx(time_s(one, whole), rel=1e-11)
        memory, expected = pass_memory(one, apart), pass_memory(one, whole)
        assert float(memory.kv_bytes) == pytest.approx(float(expected.kv_bytes), rel=1e-11)
        assert float(memory.activation_bytes) == pytest.approx(float(expected.activation_bytes), rel=1e-11)


@EACH_MODEL
@settings(max_examples=2)
@given(first=st.integers(1, 90), second=st.integers(1, 90), context=st.integers(1, 100_000))
def test_steps_of_equal_contexts_are_one_step_however_they_lie(
    model: Model, first: int, second: int, context: int
) -> None:
    """Sequences have no lanes of their own on a chip: the fullest has as many of both as it has of one."""
    apart = together(decode(batch=first, context_tokens=context), decode(batch=second, context_tokens=context))
    whole = decode(batch=first + second, context_tokens=context)
    for one in deployments(model, ROOFLINE):
        assert time_s(one, apart) == pytest.approx(time_s(one, whole), rel=1e-11), one.layout


def test_a_ragged_step_of_one_sequence_a_group_fills_each_group_once() -> None:
    """Eight sequences, each a lane of its own, on eight groups: the fullest has one of them."""
    layout = Layout(dp=8)
    ragged = together(*(decode(batch=1, context_tokens=1000) for _ in range(8)))
    assert shares_of(ragged, layout).held == shares_of(decode(batch=8, context_tokens=1000), layout).held == 1


@EACH_FIDELITY
@EACH_MODEL
def test_a_ragged_step_lies_between_its_shortest_and_its_longest(model: Model, fidelity: Fidelity) -> None:
    for one in deployments(model, fidelity):
        batch, contexts = 4 * even(one.layout), (500, 3000, 8000)
        ragged = time_s(one, together(*(decode(batch=batch, context_tokens=context) for context in contexts)))
        short, long = (time_s(one, decode(batch=3 * batch, context_tokens=context)) for context in (500, 8000))
        assert short <= ragged * ROUNDING
        assert ragged <= long * ROUNDING


# Chunks of prompts.


@pytest.mark.parametrize("attention", KINDS.values(), ids=KINDS)
@given(sizes=st.lists(st.integers(1, 4000), min_size=1, max_size=6), sequences=st.integers(1, 5))
def test_pairs_of_chunks_add_up_to_those_of_the_prompt(attention: Attention, sizes: list[int], sequences: int) -> None:
    """Each token attends to what it would in one pass, whatever the cuts."""

    def amounts(pass_: Pass) -> dict[str, float]:
        (lane,) = pass_.lanes
        found = cores(attention, lane, sequences=sequences, tp=1, kv_format=number_format("bf16"))
        amounts: dict[str, float] = {}
        for name, kernel in found.items():
            if isinstance(kernel, AttentionCore):
                amounts |= {f"{name} pairs": float(kernel.pairs), f"{name} queries": float(kernel.queries)}
            else:
                assert isinstance(kernel, StateUpdate)
                amounts |= {f"{name} flop": float(kernel.flop), f"{name} tokens": float(kernel.tokens)}
        return amounts

    pasts = [sum(sizes[:number]) for number in range(len(sizes))]
    parts = [
        amounts(chunk(batch=sequences, new_tokens=size, past_tokens=past))
        for size, past in zip(sizes, pasts, strict=True)
    ]
    whole = amounts(prefill(batch=sequences, prompt_tokens=sum(sizes)))
    added = {name: sum(part[name] for part in parts) for name in whole}
    # The square root's sums are no whole numbers.
    assert added == (pytest.approx(whole, rel=1e-12) if isinstance(attention, SquareRootAttention) else whole)


def test_the_first_chunk_is_the_prompt_that_it_is() -> None:
    assert chunk(batch=3, new_tokens=700, past_tokens=0) == prefill(batch=3, prompt_tokens=700)


@EACH_MODEL
@settings(max_examples=2)
@given(count=st.integers(1, 6), size=st.integers(1, 5000), prompts=st.integers(1, 9))
def test_chunks_one_after_the_other_take_no_less_than_the_prompt_at_once(
    model: Model, count: int, size: int, prompts: int
) -> None:
    """Weights are read for each, and so is the cache; a sum of larger halves is no less than the larger sum.

    In one pass of so many parts they follow each other through the stages; each is asked for a token but there.
    """
    whole = prefill(batch=prompts, prompt_tokens=count * size)
    in_parts = prefill(batch=prompts, prompt_tokens=count * size, passes=count)
    parts = [chunk(batch=prompts, new_tokens=size, past_tokens=number * size) for number in range(count)]
    for one in deployments(model, ROOFLINE):
        assert time_s(one, whole) <= time_s(one, *parts) * ROUNDING, one.layout
        assert time_s(one, in_parts) <= time_s(one, *parts) * ROUNDING, one.layout
        assert one.layout.pp > 1 or time_s(one, whole) <= time_s(one, in_parts) * ROUNDING, one.layout


# Verification of drafted tokens.


@EACH_FIDELITY
@EACH_MODEL
@settings(max_examples=2)
@given(batch=st.integers(1, 300), context=st.integers(1, 100_000))
def test_to_verify_no_draft_is_a_step(model: Model, fidelity: Fidelity, batch: int, context: int) -> None:
    checked = verify(batch=batch, context_tokens=context, drafted_tokens=0)
    step = decode(batch=batch, context_tokens=context)
    assert checked == step
    for one in deployments(model, fidelity):
        assert estimate(one, checked) == estimate(one, step)


@pytest.mark.slow
@EACH_FIDELITY
@EACH_MODEL
@settings(max_examples=2)
@given(batch=st.integers(1, 200), drafted=st.integers(1, 8), before=st.integers(1, 50_000))
def test_to_verify_takes_from_one_step_to_all_those_that_it_saves(
    model: Model, fidelity: Fidelity, batch: int, drafted: int, before: int
) -> None:
    """At least that of its first token, at most those of each of its tokens, at the contexts that they have.

    The square root's sum is its integral: 10 % off at a token or two, under 1 % beyond a hundred.
    """
    has_root = any(isinstance(group.attention, SquareRootAttention) for group in model.groups)
    rounding = 1.01 + 0.6 / before if has_root else ROUNDING
    checked = verify(batch=batch, context_tokens=before + drafted, drafted_tokens=drafted)
    steps = [decode(batch=batch, context_tokens=before + number) for number in range(drafted + 1)]
    for one in deployments(model, fidelity):
        verified_s = time_s(one, checked)
        assert time_s(one, steps[0]) <= verified_s * rounding, one.layout
        assert verified_s <= time_s(one, *steps) * rounding, one.layout


# Chunks beside decodes.

MIXED = {
    "batch": st.integers(1, 300),
    "context": st.integers(1, 60_000),
    "prompts": st.integers(1, 4),
    "new": st.integers(1, 8000),
    "past": st.integers(0, 20_000),
}


@EACH_FIDELITY
@EACH_MODEL
@settings(max_examples=2)
@given(**MIXED)
def test_a_mixed_step_takes_at_least_each_of_its_parts(
    model: Model, fidelity: Fidelity, batch: int, context: int, prompts: int, new: int, past: int
) -> None:
    step, part = decode(batch=batch, context_tokens=context), chunk(batch=prompts, new_tokens=new, past_tokens=past)
    for one in deployments(model, fidelity, staged=False):
        mixed_s = time_s(one, together(step, part))
        assert time_s(one, step) <= mixed_s * ROUNDING, one.layout
        assert time_s(one, part) <= mixed_s * ROUNDING, one.layout


@EACH_MODEL
@settings(max_examples=2)
@given(**MIXED)
def test_a_mixed_step_takes_at_most_the_sum_of_its_parts(
    model: Model, batch: int, context: int, prompts: int, new: int, past: int
) -> None:
    """Weights are read once for both."""
    step, part = decode(batch=batch, context_tokens=context), chunk(batch=prompts, new_tokens=new, past_tokens=past)
    for one in deployments(model, ROOFLINE, staged=False):
        assert time_s(one, together(step, part)) <= time_s(one, step, part) * ROUNDING, one.layout


def test_a_pipeline_takes_prompts_and_steps_one_by_one() -> None:
    step, part = decode(batch=8, context_tokens=1000), chunk(batch=1, new_tokens=512, past_tokens=0)
    with pytest.raises(RidgelineError, match=r"layout pp4: .* micro-batches of their own; estimate each by itself"):
        time_s(deploy(BASE, MACHINE, Layout(pp=4)), together(step, part))


@EACH_MODEL
def test_lanes_are_in_no_order(model: Model) -> None:
    lanes = (
        decode(batch=64, context_tokens=4000),
        chunk(batch=1, new_tokens=512, past_tokens=1024),
        verify(batch=8, context_tokens=900, drafted_tokens=3),
        prefill(batch=2, prompt_tokens=300),
    )
    for one in deployments(model, MEASURED, staged=False):
        found = time_s(one, together(*lanes))
        assert time_s(one, together(*reversed(lanes))) == pytest.approx(found, rel=1e-11)


# More takes longer.


@pytest.mark.slow
@EACH_MODEL
@settings(max_examples=2)
@given(
    groups=st.integers(1, 100),
    more=st.integers(1, 50),
    context=st.integers(1, 50_000),
    further=st.integers(1, 20_000),
    new=st.integers(1, 5000),
    drafted=st.integers(0, 6),
)
def test_more_of_anything_takes_no_less(
    model: Model, groups: int, more: int, context: int, further: int, new: int, drafted: int
) -> None:
    """At peaks, and of batches that come out even: three micro-batches of two take less than four of one.

    Where a chunk of the context begins anew, the next token attends to fewer.
    """
    begins_anew = any(isinstance(group.attention, ChunkedAttention) for group in model.groups)
    for one in deployments(model, ROOFLINE):
        batch, larger = groups * even(one.layout), (groups + more) * even(one.layout)
        pairs = [
            (decode(batch=batch, context_tokens=context), decode(batch=larger, context_tokens=context)),
            (prefill(batch=batch, prompt_tokens=new), prefill(batch=larger, prompt_tokens=new)),
            (prefill(batch=batch, prompt_tokens=new), prefill(batch=batch, prompt_tokens=new + further)),
            (
                chunk(batch=batch, new_tokens=new, past_tokens=context),
                chunk(batch=larger, new_tokens=new, past_tokens=context),
            ),
            (
                verify(batch=batch, context_tokens=context + drafted, drafted_tokens=drafted),
                verify(batch=larger, context_tokens=context + drafted, drafted_tokens=drafted),
            ),
        ]
        if not begins_anew:
            pairs += [
                (
                    verify(batch=batch, context_tokens=context + drafted, drafted_tokens=drafted),
                    verify(batch=batch, context_tokens=context + drafted + 1, drafted_tokens=drafted + 1),
                ),
                (decode(batch=batch, context_tokens=context), decode(batch=batch, context_tokens=context + further)),
                (
                    chunk(batch=batch, new_tokens=new, past_tokens=context),
                    chunk(batch=batch, new_tokens=new, past_tokens=context + further),
                ),
                (
                    chunk(batch=batch, new_tokens=new, past_tokens=context),
                    chunk(batch=batch, new_tokens=new + further, past_tokens=context),
                ),
                (
                    verify(batch=batch, context_tokens=context + drafted, drafted_tokens=drafted),
                    verify(batch=batch, context_tokens=context + drafted + further, drafted_tokens=drafted),
                ),
            ]
        times_s = {pass_: time_s(one, pass_) for pass_ in itertools.chain.from_iterable(pairs)}
        for less, longer in pairs:
            assert times_s[less] <= times_s[longer] * ROUNDING, (one.layout, less, longer)


# What is no pass.


def test_what_is_no_pass_is_refused_and_says_what_to_write() -> None:
    in_parts = prefill(batch=1, prompt_tokens=1000, passes=2)
    with pytest.raises(RidgelineError, match="has no lanes"):
        together()
    with pytest.raises(RidgelineError, match="chunks=2 are of prompts alone"):
        together(in_parts, decode(batch=1, context_tokens=10))
    with pytest.raises(RidgelineError, match="past_tokens=-1 must be from 0 up"):
        chunk(batch=1, new_tokens=10, past_tokens=-1)
    for drafted in (-1, 10):
        with pytest.raises(RidgelineError, match=f"drafted_tokens={drafted} must be from 0"):
            verify(batch=1, context_tokens=10, drafted_tokens=drafted)


def test_a_pass_counts_what_its_lanes_have() -> None:
    mixed = together(
        decode(batch=64, context_tokens=4096),
        chunk(batch=2, new_tokens=512, past_tokens=1024),
        verify(batch=8, context_tokens=900, drafted_tokens=3),
    )
    assert (mixed.sequences, mixed.tokens, mixed.has_prompts) == (74, 64 + 2 * 512 + 8 * 4, True)
    assert [lane.context_tokens for lane in mixed.lanes] == [4096, 1536, 900]
    assert mixed.lanes[2] == Lane(sequences=8, new_tokens=4, past_tokens=896, sampled_tokens=4)
    shares = shares_of(mixed, Layout(dp=2))
    assert (shares.held, shares.rows, shares.sampled) == (32 + 1 + 4, 32 + 512 + 16, 32 + 1 + 16)
