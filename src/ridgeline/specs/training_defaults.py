"""Default settings of a training framework's runs."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["TrainingDefaults"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingDefaults:
    """Settings of runs that do not state them.

    Attributes:
        trainer: id of the framework.
        zero_stage: ZeRO stage, which says what is sharded over replicas.
        hides: messages that are overlapped with work: "gradients", "weights", "tp".
        gradients: number format of summed gradients.
        scaling: scaling of 8-bit products, as in ``Recipe``.
        routing: "balanced" or "natural".
        fuses_attention: whether attention scores are never stored.
        fuses_loss: whether the loss is one kernel.
        dropout: whether dropout is used.
        sequence_parallel: whether activations between products are split over ``tp`` by tokens.
        selective: modules that "selective" recomputes where a run names none.
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
