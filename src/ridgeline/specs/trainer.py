"""A training framework: its overhead beside kernels and messages, in few numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ridgeline.specs.frozen import freeze_mappings

__all__ = ["FITTED_CHIPS", "IDEAL_TRAINER", "OTHER", "Trainer"]

OTHER = "other"
"""Key of the number for families of chips that were not measured."""

FITTED_CHIPS = 512
"""Chips up to which a framework's numbers hold what scale costs: nine in ten of the fitted steps ran on no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trainer:
    """A training framework. Numbers by family of chips have one for other families, too; a family left out takes 1.

    Attributes:
        name: name that its makers give it.
        status: data that its numbers were fitted on.
        products_factor: time of 16-bit matrix products in a step over their time in isolation, by family of chips:
            clocks fall under sustained load.
        narrow_products_factor: further factor on 8-bit products, quantising of inputs included, by family of chips.
        row_scales_factor: further factor on products whose inputs have a scale for each row.
        power_exponent: exponent of the chip's power limit over its usual one by which products take longer below it.
        experts_factor: time of routed experts in a step over their time in serving, besides products' factors, by
            family of chips.
        attention_factor: time of attention's forward pass over that of the same kernels in serving, by family of chips.
        attention_backward_factor: time of attention's backward pass over its FLOP at the forward pass's rate.
        deterministic_factor: time of a bitwise reproducible backward pass, over the usual one.
        elementwise_factor: time of elementwise kernels over the least time that moving their tensors takes.
        compiled_fraction: time of elementwise kernels fused by a compiler, over that without.
        loss_streams: 16-bit tensors of the logits' size that the loss reads and writes, forward and backward.
        across_factor: time of messages between scale-up domains in a step over their time in isolation.
        hidden_gradients: part of the all-reduce of gradients over replicas that is overlapped where it may be.
        hidden_gathers: part of all-gathers and reduce-scatters of sharded weights (FSDP) that is overlapped.
        hidden_tp: part of ``tp`` all-reduces and of ``cp`` messages that is overlapped where it may be.
        hidden_dispatch: part of expert dispatch and combine that is overlapped where it may be.
        layer_host_s: host time to launch a dense layer's forward pass, s.
        experts_host_s: host time to launch a routed block's forward pass, s, by dispatcher.
        narrow_expert_host_s: host time to launch the quantising of one expert's 8-bit inputs, s.
        captured_host_fraction: host time of a routed block with its router in a CUDA graph, over that without.
        micro_batch_s: overhead of a stage for each micro-batch, s.
        step_s: further overhead of a step, s.
        scale_exponent: exponent of a step's growth with chips beyond ``FITTED_CHIPS``, at the same work a chip.
        measured_chips: median number of chips that waited for each other in the measured steps; 1 for none.
        most_chips: largest number of chips in the measured steps; 1 for none.
    """

    name: str
    status: str
    products_factor: Mapping[str, float]
    narrow_products_factor: Mapping[str, float]
    row_scales_factor: float
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
    scale_exponent: float
    measured_chips: int = 1
    most_chips: int = 1

    def __post_init__(self) -> None:
        freeze_mappings(self)

    def by_family(self, numbers: Mapping[str, float], family: str) -> float:
        """Number of one family, from numbers by family of chips."""
        return numbers.get(family, numbers.get(OTHER, 1.0))


IDEAL_TRAINER = Trainer(
    name="ideal",
    status="no time besides kernels and messages: a bound from below, not a prediction",
    products_factor={},
    narrow_products_factor={},
    row_scales_factor=1.0,
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
    scale_exponent=0.0,
)
"""An ideal framework: all that may be overlapped is, and launches take no time."""
