"""The closed forms of a layer's cuts count the bytes that the detailed estimator counts."""

from __future__ import annotations

import pytest

from ridgeline.catalog import load_machine, load_model
from ridgeline.equations import cuts, experts
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.messages import AllGather, AllReduce, AllToAll, Message, Send
from ridgeline.estimator.messages.levels import message_bytes
from ridgeline.estimator.parameters import weight_bytes
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.step import step_operations
from ridgeline.specs.attention import GroupedQueryAttention
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.layout import Layout
from ridgeline.specs.model import Model
from ridgeline.specs.passes import decode

RACK = load_machine("gb200-nvl72")
DENSE, ROUTED = load_model("llama-3.1-70b"), load_model("deepseek-v3")
BATCH = 1024


def sent(model: Model, layout: Layout, *names: str) -> float:
    """Bytes that one chip sends in messages of these names, each once."""
    found = step_operations(
        deploy(model, RACK, layout, precision=model.precision),
        shares_of(decode(batch=BATCH, context_tokens=1000), layout),
    )
    messages: dict[str, Message] = {
        one.name: one.kernel for one in found if isinstance(one.kernel, (AllReduce, AllGather, AllToAll, Send))
    }
    return sum(float(sum(message_bytes(messages[name]))) for name in names)


@pytest.mark.parametrize("ranks", [2, 8, 64])
def test_tensor(ranks: int) -> None:
    expected = sent(DENSE, Layout(tp=ranks), "attention all-reduce", "dense all-reduce")
    found = cuts.tensor_bytes(tokens=BATCH, hidden=DENSE.hidden, value_bytes=2, ranks=ranks)
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("ranks", [8, 64])
def test_expert(ranks: int) -> None:
    """Over one domain, where one copy goes to each chip that a token visits."""
    block = ROUTED.groups[-1].feed_forward
    assert isinstance(block, RoutedExperts)
    copies = experts.groups_visited(
        experts=block.experts,
        active_experts=block.active_experts,
        groups=ranks,
        routing_groups=block.routing_groups,
        routed_groups=block.routed_groups,
    )
    found = cuts.expert_bytes(
        tokens=BATCH,
        copies_per_token=copies,
        hidden=ROUTED.hidden,
        dispatch_bytes=ROUTED.precision.experts.operand.bytes_per_value,
        combine_bytes=2,
        ranks=ranks,
    )
    expected = sent(ROUTED, Layout(dp=ranks, ep=ranks), "expert dispatch", "expert combine")
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("ranks", "stages"), [(1, 2), (8, 2), (8, 4)])
def test_pipeline(ranks: int, stages: int) -> None:
    """A micro-batch's hand-over, which all layers of a stage share."""
    layers = DENSE.layers / stages
    found = cuts.pipeline_bytes(
        tokens=BATCH / stages, hidden=DENSE.hidden, value_bytes=2, ranks=ranks, layers_per_stage=layers
    )
    expected = sent(DENSE, Layout(tp=ranks, pp=stages), "stage send")
    assert found * layers == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("ranks", [2, 8, 64])
def test_data(ranks: int) -> None:
    """All layers' weights, but for embedding and head."""
    ends = 2 * DENSE.vocab * DENSE.hidden * 2
    layer = (weight_bytes(DENSE, DENSE.precision) - ends) / DENSE.layers
    expected = sent(DENSE, Layout(dp=ranks, fsdp=ranks), "weights gather")
    assert cuts.data_bytes(weight_bytes=layer, ranks=ranks) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("ranks", [2, 8, 64])
def test_context(ranks: int) -> None:
    attention = DENSE.groups[0].attention
    assert isinstance(attention, GroupedQueryAttention)
    values = attention.query_heads * attention.head_dim
    found = cuts.context_bytes(tokens=BATCH, query_values=values, result_values=values, value_bytes=2, ranks=ranks)
    expected = sent(DENSE, Layout(cp=ranks), "attention queries gather", "attention partial results")
    assert found == pytest.approx(expected, rel=1e-12)
