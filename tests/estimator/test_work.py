"""What a step computes and moves, held against counts made another way."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.each import of_each

from ridgeline.catalog import load_machine, load_model, model_ids
from ridgeline.equations.experts import experts_touched
from ridgeline.estimator.attention import cores
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.feed_forward import expert_params
from ridgeline.estimator.kernels import ExpertMatmul, Work, work
from ridgeline.estimator.messages import Message
from ridgeline.estimator.parameters import active_params, embedding_params, layer_matrices, weight_bytes
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.step import step_operations
from ridgeline.numeric import Numeric
from ridgeline.specs.feed_forward import DenseFeedForward, RoutedExperts
from ridgeline.specs.layout import Layout
from ridgeline.specs.model import Model
from ridgeline.specs.passes import Pass, decode, prefill

MODELS = model_ids()
MACHINE = load_machine("gb200-nvl72")
SHAPES = st.tuples(st.integers(1, 4096), st.integers(1, 200_000))


def step_work(model: Model, pass_: Pass, layout: Layout) -> list[tuple[int, Work]]:
    """Repeats and work of every kernel of a step."""
    operations = step_operations(deploy(model, MACHINE, layout, precision=model.precision), shares_of(pass_, layout))
    return [(one.repeats, work(one.kernel)) for one in operations if not isinstance(one.kernel, Message)]


def total(model: Model, pass_: Pass, of: Callable[[Work], Numeric], layout: Layout | None = None) -> float:
    """A step's sum over its kernels on one chip."""
    return sum(float(of(done)) * repeats for repeats, done in step_work(model, pass_, layout or Layout()))


def attention_flop(model: Model, pass_: Pass) -> float:
    """FLOP between the projections of all layers; test_attention.py holds each kind's to its formula."""
    (lane,) = pass_.lanes
    found = 0.0
    for group in model.groups:
        for kernel in cores(
            group.attention, lane, sequences=lane.sequences, tp=1, kv_format=model.precision.kv
        ).values():
            found += group.layers * float(work(kernel).flop)
    return found


@given(shape=SHAPES)
def test_decode_costs_two_flop_per_active_parameter_and_attention(varied_model_id: str, shape: tuple[int, int]) -> None:
    batch, context = shape
    model = load_model(varied_model_id)
    step = decode(batch=batch, context_tokens=context)
    expected = batch * 2 * (active_params(model) - embedding_params(model)) + attention_flop(model, step)
    found = total(model, step, lambda done: done.flop)
    assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.slow
@given(shape=st.tuples(st.integers(1, 64), st.integers(1, 32_768)))
def test_prefill_costs_the_same_for_each_token_but_the_head(varied_model_id: str, shape: tuple[int, int]) -> None:
    batch, prompt = shape
    model = load_model(varied_model_id)
    head = model.vocab * model.hidden
    layers = active_params(model) - embedding_params(model) - head
    step = prefill(batch=batch, prompt_tokens=prompt)
    expected = batch * (prompt * 2 * layers + 2 * head) + attention_flop(model, step)
    found = total(model, step, lambda done: done.flop)
    assert found == pytest.approx(expected, rel=1e-9)


def embedding_bytes(model: Model) -> float:
    return embedding_params(model) * model.precision.embedding.weight.bytes_per_value


@given(batch=st.integers(1, 5000))
def test_weights_read_are_all_but_those_of_untouched_experts(varied_model_id: str, batch: int) -> None:
    model = load_model(varied_model_id)
    untouched = 0.0
    for group in model.groups:
        block = group.feed_forward
        if isinstance(block, RoutedExperts):
            touched = experts_touched(experts=block.experts, active_experts=block.active_experts, tokens=batch)
            per_value = model.precision.experts.weight.bytes_per_value
            untouched += float(
                group.layers * (block.experts - touched) * expert_params(block, model.hidden) * per_value
            )
    found = total(model, decode(batch=batch, context_tokens=1), lambda done: done.weight_bytes)
    every = weight_bytes(model, model.precision) - embedding_bytes(model)
    assert found == pytest.approx(every - untouched, rel=1e-9)


@of_each("model_id", MODELS)
def test_every_parameter_is_read_where_every_expert_is_touched(model_id: str) -> None:
    model = load_model(model_id)
    found = total(model, decode(batch=1_000_000, context_tokens=1), lambda done: done.weight_bytes)
    assert found == pytest.approx(weight_bytes(model, model.precision) - embedding_bytes(model), rel=1e-12)


def test_one_sequence_wakes_three_percent_of_deepseeks_experts() -> None:
    """Batch 1 reads 8 of 256."""
    model = load_model("deepseek-v3")
    block = model.groups[1].feed_forward
    assert isinstance(block, RoutedExperts)
    few = total(model, decode(batch=1, context_tokens=1), lambda done: done.weight_bytes)
    rest = 58 * (256 - 8) * expert_params(block, model.hidden) * model.precision.experts.weight.bytes_per_value
    assert few + rest == pytest.approx(weight_bytes(model, model.precision) - embedding_bytes(model), rel=1e-9)


@of_each("model_id", MODELS)
def test_tensor_parallel_chips_share_all_work_that_can_be_cut(model_id: str) -> None:
    """Up to as many chips as stored heads, only matrices that are copied, and an indexer's scores, are done twice."""
    model = load_model(model_id)
    layout = Layout(tp=2)
    pass_ = decode(batch=64, context_tokens=1000)
    alone = total(model, pass_, lambda done: done.flop)
    together = layout.chips * total(model, pass_, lambda done: done.flop, layout)
    copied = 0.0
    for group in model.groups:
        copied += group.layers * sum(
            2 * 64 * matrix.params for matrix in layer_matrices(group, model.hidden) if matrix.parts == 1
        )
        between = cores(group.attention, pass_.lanes[0], sequences=64, tp=1, kv_format=model.precision.kv)
        copied += group.layers * sum(
            float(work(kernel).flop) for name, kernel in between.items() if name == "index scores"
        )
    assert together == pytest.approx(alone + (layout.chips - 1) * copied, rel=1e-12)


def routed(model: Model, layout: Layout, batch: int) -> ExpertMatmul:
    pass_ = decode(batch=batch, context_tokens=100)
    operations = step_operations(deploy(model, MACHINE, layout, precision=model.precision), shares_of(pass_, layout))
    return next(one.kernel for one in operations if isinstance(one.kernel, ExpertMatmul))


@pytest.mark.parametrize("model_id", ["mixtral-8x7b", "qwen3-30b-a3b", "deepseek-v3"])
@pytest.mark.parametrize("layout", [Layout(dp=8, ep=8), Layout(tp=2, dp=4, ep=8), Layout(tp=8, ep=4)])
@given(batch=st.integers(1, 1_000_000))
def test_the_busiest_group_does_its_share_and_more(model_id: str, layout: Layout, batch: int) -> None:
    """At least the mean and one visit, at most what all tokens could ask of it; many tokens even out."""
    model = load_model(model_id)
    block = model.groups[-1].feed_forward
    assert isinstance(block, RoutedExperts)
    here, everywhere = routed(model, layout, batch), routed(model, Layout(), batch)
    mean = float(everywhere.visits) / layout.ep
    assert max(mean, 1) <= float(here.visits) * (1 + 1e-9)
    assert float(here.visits) <= batch * min(block.active_experts, block.experts / layout.ep)
    assert max(float(everywhere.experts_touched) / layout.ep, 1) <= float(here.experts_touched) * (1 + 1e-9)
    assert float(here.experts_touched) <= block.experts / layout.ep
    if batch > 500_000:
        assert float(here.visits) == pytest.approx(mean, rel=0.01)  # 1 % lies beyond 2 sigma of that many
    assert float(here.expert_hidden) * layout.expert_tp == block.expert_hidden


def test_one_token_still_wakes_a_whole_expert() -> None:
    """Mixtral with an expert a chip: the busiest chip reads one of 352 MB in each of 32 layers."""
    kernel = routed(load_model("mixtral-8x7b"), Layout(tp=8, ep=8), 1)
    assert 32 * float(work(kernel).weight_bytes) == pytest.approx(32 * 3 * 4096 * 14336 * 2)


def test_stored_heads_are_copied_beyond_their_number() -> None:
    model = load_model("llama-3.1-70b")
    pass_ = decode(batch=8, context_tokens=1000)
    at_8 = total(model, pass_, lambda done: done.kv_bytes, Layout(tp=8))
    at_16 = total(model, pass_, lambda done: done.kv_bytes, Layout(tp=16))
    assert at_8 == at_16 == pytest.approx(total(model, pass_, lambda done: done.kv_bytes) / 8)


def test_dense_blocks_cost_what_their_matrices_do() -> None:
    """A model without experts reads the same weights at any batch."""
    model = load_model("llama-3.1-8b")
    assert all(isinstance(group.feed_forward, DenseFeedForward) for group in model.groups)
    read = {total(model, decode(batch=batch, context_tokens=1), lambda done: done.weight_bytes) for batch in (1, 1000)}
    assert len(read) == 1


def test_untied_and_tied_models_differ_by_the_looked_up_table() -> None:
    model = load_model("llama-3.1-8b")
    tied = dataclasses.replace(model, tied_embeddings=True)
    assert weight_bytes(model, model.precision) - weight_bytes(tied, model.precision) == embedding_bytes(model)
