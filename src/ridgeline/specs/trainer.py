"""A training framework: what it takes besides kernels and messages, in few numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ridgeline.specs.frozen import freeze_mappings

__all__ = ["IDEAL_TRAINER", "Trainer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trainer:
    """A training framework.

    Attributes:
        name: as its makers write it.
        status: what its numbers rest on.
        products_factor: time of matrix products in a step over that of the same alone, by the chip's family: clocks
            fall under a load that lasts.
        attention_factor: time of attention, over the same kernels in serving.
        attention_backward_factor: time of attention's backward pass over what its FLOP say at the forward pass' rate.
        elementwise_factor: what elementwise kernels move, over the least that they could.
        experts_factor: time of routed experts with their permutations, over the same kernels in serving.
        loss_streams: 16-bit tensors of the logits' size that the loss reads and writes, forward and back.
        quantise_factor: time of making 8-bit inputs, over once a product.
        hidden_gradients: part of the sum of gradients that is hidden where it may be.
        hidden_gathers: part of the gathers of spread weights that is hidden.
        hidden_tp: part of the sums over ``tp`` that is hidden where it may be.
        hidden_dispatch: part of the way to experts that is hidden where it may be.
        layer_host_s: time in which the host launches one dense layer's forward pass.
        experts_host_s: the same of a routed block, by dispatcher.
        graphs_host_fraction: part of the host's time that is left where part of a layer is captured in graphs.
        micro_batch_s: a stage's own time for each micro-batch.
        step_s: time of a step besides all that.
    """

    name: str
    status: str
    products_factor: Mapping[str, float]
    attention_factor: Mapping[str, float]
    attention_backward_factor: float
    elementwise_factor: float
    experts_factor: float
    loss_streams: float
    quantise_factor: float
    hidden_gradients: float
    hidden_gathers: float
    hidden_tp: float
    hidden_dispatch: float
    layer_host_s: float
    experts_host_s: Mapping[str, float]
    expert_host_s: float
    compiled_fraction: float
    deterministic_factor: float
    power: float
    across_factor: float
    graphs_host_fraction: float
    micro_batch_s: float
    step_s: float

    def __post_init__(self) -> None:
        freeze_mappings(self)


IDEAL_TRAINER = Trainer(
    name="ideal",
    status="no time besides kernels and messages: a bound from below, not a prediction",
    products_factor={},
    attention_factor={},
    attention_backward_factor=1.0,
    elementwise_factor=1.0,
    experts_factor=1.0,
    loss_streams=4.0,
    quantise_factor=1.0,
    hidden_gradients=1.0,
    hidden_gathers=1.0,
    hidden_tp=1.0,
    hidden_dispatch=1.0,
    layer_host_s=0.0,
    experts_host_s={},
    expert_host_s=0.0,
    compiled_fraction=1.0,
    deterministic_factor=1.0,
    power=0.0,
    across_factor=1.0,
    graphs_host_fraction=0.0,
    micro_batch_s=0.0,
    step_s=0.0,
)
