"""A training framework: what it takes besides kernels and messages, in few numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ridgeline.specs.frozen import freeze_mappings

__all__ = ["IDEAL_TRAINER", "OTHER", "Trainer"]

OTHER = "other"
"""Key of the number for families of chips that were not measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trainer:
    """A training framework. Numbers by family of chips have one for others, too; a family left out takes 1.

    Attributes:
        name: as its makers write it.
        status: what its numbers rest on.
        products_factor: time of 16-bit matrix products in a step over that of the same alone, by family of chips:
            clocks fall under a load that lasts.
        narrow_products_factor: time of 8-bit products, with the making of their inputs, besides that factor.
        fine_scales_factor: the same besides, where rows or blocks of the inputs have scales of their own.
        power_exponent: power of a chip's power limit with which products take longer below its usual one.
        experts_factor: time of routed experts in a step over that of the same in serving, besides products' factors,
            by family of chips.
        attention_factor: time of attention's forward pass over the same kernels in serving, by family of chips.
        attention_backward_factor: time of its backward pass over what its FLOP say at the forward pass' rate.
        deterministic_factor: time of a backward pass that gives the same bits each time, over the usual.
        elementwise_factor: time of elementwise kernels over the least that moving their tensors takes.
        compiled_fraction: the same where a compiler fused them, over where none did.
        loss_streams: 16-bit tensors of the logits' size that the loss reads and writes, forward and back.
        across_factor: time of messages between scale-up domains in a step over that of the same alone.
        hidden_gradients: part of the sum of gradients over replicas that is hidden where it may be.
        hidden_gathers: part of gathers and sums with weights spread over replicas (FSDP) that is hidden.
        hidden_tp: part of the sums over ``tp`` that is hidden where it may be, and of what ``cp`` sends.
        hidden_dispatch: part of the way to experts and back that is hidden where it may be.
        layer_host_s: time in which the host launches a dense layer's forward pass, s.
        experts_host_s: the same of a routed block, by dispatcher, s.
        narrow_expert_host_s: the same of making one expert's 8-bit inputs, s.
        captured_host_fraction: a routed block's launches with its router in a CUDA graph, over those without.
        micro_batch_s: a stage's own time for each micro-batch, s.
        step_s: time of a step besides all that, s.
        measured_chips: chips that waited for each other in the steps that its numbers come from, in the median; 1 for
            none.
    """

    name: str
    status: str
    products_factor: Mapping[str, float]
    narrow_products_factor: Mapping[str, float]
    fine_scales_factor: float
    power_exponent: float
    experts_factor: Mapping[str, float]
    attention_factor: Mapping[str, float]
    attention_backward_factor: float
    deterministic_factor: float
    elementwise_factor: float
    compiled_fraction: float
    loss_streams: float
    across_factor: float
    hidden_gradients: float
    hidden_gathers: float
    hidden_tp: float
    hidden_dispatch: float
    layer_host_s: float
    experts_host_s: Mapping[str, float]
    narrow_expert_host_s: float
    captured_host_fraction: float
    micro_batch_s: float
    step_s: float
    measured_chips: int = 1

    def __post_init__(self) -> None:
        freeze_mappings(self)

    def by_family(self, numbers: Mapping[str, float], family: str) -> float:
        """Of numbers by family of chips, that of one."""
        return numbers.get(family, numbers.get(OTHER, 1.0))


IDEAL_TRAINER = Trainer(
    name="ideal",
    status="no time besides kernels and messages: a bound from below, not a prediction",
    products_factor={},
    narrow_products_factor={},
    fine_scales_factor=1.0,
    power_exponent=0.0,
    experts_factor={},
    attention_factor={},
    attention_backward_factor=1.0,
    deterministic_factor=1.0,
    elementwise_factor=1.0,
    compiled_fraction=1.0,
    loss_streams=4.0,
    across_factor=1.0,
    hidden_gradients=1.0,
    hidden_gathers=1.0,
    hidden_tp=1.0,
    hidden_dispatch=1.0,
    layer_host_s=0.0,
    experts_host_s={},
    narrow_expert_host_s=0.0,
    captured_host_fraction=0.0,
    micro_batch_s=0.0,
    step_s=0.0,
)
"""All that may be hidden is, and nothing is launched."""
