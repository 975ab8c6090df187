"""One layer by itself, held against the step that runs all of them."""

from __future__ import annotations

import dataclasses

import pytest

from ridgeline.errors import RidgelineError
from ridgeline.estimator.kernels import work
from ridgeline.estimator.messages import Message
from ridgeline.estimator.on_chip import Operation
from ridgeline.estimator.parameters import layer_matrices
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.step import attention_operations, step_operations
from ridgeline.specs.attention import GroupedQueryAttention
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.feed_forward import NoFeedForward, RoutedExperts
from ridgeline.specs.model import LayerGroup
from ridgeline.specs.passes import Pass, decode
from ridgeline.verbs import deploy


def layer_operations(deployment: Deployment, pass_: Pass, group: LayerGroup) -> tuple[Operation, ...]:
    """Operations of a step whose model has one layer of a group and no other, without those beside its layers."""
    model = dataclasses.replace(deployment.model, groups=(dataclasses.replace(group, layers=1),))
    alone = dataclasses.replace(deployment, model=model)
    return tuple(one for one in step_operations(alone, shares_of(pass_, alone.layout)) if one.is_layer)


@pytest.mark.parametrize(
    ("model", "machine", "layout"),
    [
        ("llama-3.1-8b", "h100-sxm", "tp2"),
        ("deepseek-v3", "h200-sxm", "dp8,ep8"),
        ("gemma-3-27b", "h100-sxm", "tp2"),
        ("nemotron-3-super-120b-a12b", "h200-sxm", "tp2,dp2,ep4"),
    ],
)
def test_all_layers_one_by_one_are_those_of_the_step(model: str, machine: str, layout: str) -> None:
    deployment, step = deploy(model, machine, layout), decode(batch=64, context_tokens=4096)
    runs: dict[tuple[str, object], int] = {}
    for group in deployment.model.groups:
        layer = layer_operations(deployment, step, group)
        assert {operation.repeats for operation in layer} == {1}
        assert layer[0].name == "attention norm"
        for operation in layer:
            runs[operation.name, operation.kernel] = runs.get((operation.name, operation.kernel), 0) + group.layers
    expected: dict[tuple[str, object], int] = {}
    for operation in step_operations(deployment, shares_of(step, deployment.layout)):
        if operation.is_layer:
            key = operation.name, operation.kernel
            expected[key] = expected.get(key, 0) + operation.repeats
    assert runs == expected


def test_a_layer_without_a_feed_forward_block_ends_with_its_attention() -> None:
    """Neither a norm nor a message nor a byte for what is not there."""
    deployment, step = deploy("nemotron-3-nano-4b", "h100-sxm", "tp2"), decode(batch=64, context_tokens=4096)
    (alone,) = (group for group in deployment.model.groups if isinstance(group.feed_forward, NoFeedForward))
    operations = layer_operations(deployment, step, alone)
    assert operations == attention_operations(deployment, step, alone)
    assert operations[-1].name == "attention all-reduce"
    hidden, width, keys, heads = 3136, 96 * 80, 8 * 128, 96
    params = sum(matrix.params for matrix in layer_matrices(alone, hidden))
    assert params == hidden * (2 * width + 2 * keys + heads) + width * hidden


def test_nothing_is_beside_attention_that_has_no_block() -> None:
    attention = GroupedQueryAttention(query_heads=8, kv_heads=8, head_dim=64)
    with pytest.raises(RidgelineError, match="is_parallel needs a feed-forward block"):
        LayerGroup(layers=1, attention=attention, feed_forward=NoFeedForward(), is_parallel=True)


@pytest.mark.parametrize("layout", ["tp4", "tp2,dp2,ep4"])
def test_experts_of_a_latent_width_read_and_are_sent_that_much(layout: str) -> None:
    """A quarter of the stream's width, for two matrices more, of which every chip has a copy."""
    deployment, step = deploy("nemotron-3-super-120b-a12b", "h200-sxm", layout), decode(batch=64, context_tokens=4096)
    group = next(one for one in deployment.model.groups if isinstance(one.feed_forward, RoutedExperts))
    assert isinstance(group.feed_forward, RoutedExperts)
    whole = dataclasses.replace(group, feed_forward=dataclasses.replace(group.feed_forward, latent_hidden=0))

    def moved(layer: LayerGroup) -> dict[str, float]:
        """Bytes of weights that products read, and of what messages send."""
        return {
            one.name: float(
                one.kernel.buffer_bytes if isinstance(one.kernel, Message) else work(one.kernel).weight_bytes
            )
            for one in layer_operations(deployment, step, layer)
        }

    latent, plain = moved(group), moved(whole)
    assert {name: latent[name] for name in latent.keys() - plain.keys()} == {
        "latent in": 4096 * 1024 * 2,
        "latent out": 1024 * 4096 * 2,
    }
    narrowed = {"experts", "expert dispatch", "expert combine"}
    for name, plain_bytes in plain.items():
        assert latent[name] == pytest.approx(plain_bytes / (4 if name in narrowed else 1)), name
