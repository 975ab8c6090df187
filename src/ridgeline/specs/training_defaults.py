"""How a training framework's runs are set up where they do not say so."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["TrainingDefaults"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingDefaults:
    """Settings of runs that name none.

    Attributes:
        trainer: id of the framework.
        zero_stage: what is spread over replicas.
        hides: messages that are sent while work goes on: "gradients", "weights", "tp".
        gradients: number format of summed gradients.
        scaling: of 8-bit products, as ``Recipe`` has it.
        routing: "balanced" or "natural".
        fuses_attention: whether scores are never stored.
        fuses_loss: whether the loss is one kernel.
        dropout: whether there is any.
        sequence_parallel: whether what lies between products is divided over ``tp`` by tokens.
        selective: modules that "selective" recomputes where it names none.
    """

    trainer: str = "megatron"
    zero_stage: int = 1
    hides: tuple[str, ...] = ()
    gradients: str = "fp32"
    scaling: str = "tensor"
    routing: str = "natural"
    fuses_attention: bool = True
    fuses_loss: bool = True
    dropout: bool = False
    sequence_parallel: bool = False
    selective: tuple[str, ...] = ("core_attn",)
