"""Settings of a training step: number formats, recompute, and overlap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ridgeline.errors import RidgelineError
from ridgeline.specs.number_format import number_format
from ridgeline.training.recompute import NO_RECOMPUTE, Recompute

__all__ = ["DISPATCHERS", "GRADIENTS", "GRAPHS", "OFFLOADS", "ROUTINGS", "SCALINGS", "Recipe"]

SCALINGS = {"": "bf16", "tensor": "fp8", "delayed": "fp8", "row": "fp8_row", "block": "fp8_row", "mx": "mxfp8"}
"""Number format of the operands of layers' products, by their scaling; 16 bits without one."""

GRAPHS = ("attn", "mlp", "mamba", "moe", "moe_router", "moe_preprocess", "full_iteration")
"""Parts of a layer that are captured in CUDA graphs, as Megatron names them, or the whole step."""

OFFLOADS = ("attn_norm", "qkv_linear", "core_attn", "attn_proj", "mlp_norm", "expert_fc1", "moe_act")
"""Products and kernels of a layer whose inputs may be offloaded, as Megatron names them."""

DISPATCHERS = ("alltoall", "allgather", "deepep", "hybridep")
"""Implementations of expert dispatch, by Megatron's names."""

ROUTINGS = ("balanced", "natural")
"""Whether every expert gets the same number of tokens, or a router chooses."""

GRADIENTS = ("bf16", "fp32")
"""Number formats in which gradients are reduced."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Settings of a training step; formats by their names.

    Attributes:
        scaling: values that share a scale in 8-bit products of layers: "tensor", "delayed" (a tensor, by the scale of
            steps before), "row", "block" or "mx" (32 values); empty where layers multiply in 16 bits.
        weights: format of the weights that products read and that are gathered.
        gradients: format of the gradients that are summed over micro-batches and replicas.
        master: format of the optimizer's master weights.
        moments: format of each of Adam's two moments.
        recompute: parts that are recomputed.
        hides_gradients: whether the reduction of gradients over replicas overlaps with the last micro-batch's backward
            pass.
        hides_weights: whether gathers of weights overlap with the first micro-batch's forward pass.
        hides_tp: whether ``tp`` reductions overlap with products.
        hides_sends: whether sends between stages overlap with their work; None for the default of ``TrainingJob``.
        hides_dispatch: whether expert dispatch overlaps with another micro-batch's computing.
        graphs: parts captured in CUDA graphs, of ``GRAPHS``.
        dispatcher: implementation of expert dispatch, one of ``DISPATCHERS``.
        offloads: parts of a layer whose activations are offloaded to host memory, of ``OFFLOADS``.
        predicted_tokens: number of multi-token-prediction layers, each for one further token.
        routing: one of ``ROUTINGS``.
        capacity_factor: capacity of an expert over its mean number of tokens, padded or dropped; None for no bound.
        fuses_loss: whether the loss is one kernel.
        fuses_attention: whether attention scores are never stored.
        dropout: whether dropout is used.
        is_compiled: whether elementwise kernels are fused by a compiler.
        is_deterministic: whether steps are bitwise reproducible.
        power_limit_w: power limit that chips were set to, W; None for their usual one.
        trains_adapters: whether weights are frozen and small matrices beside them are trained (LoRA).
    """

    scaling: str = ""
    weights: str = "bf16"
    gradients: str = "fp32"
    master: str = "fp32"
    moments: str = "fp32"
    recompute: Recompute = NO_RECOMPUTE
    hides_gradients: bool = True
    hides_weights: bool = True
    hides_tp: bool = False
    hides_sends: bool | None = None
    hides_dispatch: bool = False
    graphs: frozenset[str] = frozenset()
    dispatcher: str = "alltoall"
    offloads: frozenset[str] = frozenset()
    predicted_tokens: int = 0
    routing: str = "natural"
    capacity_factor: float | None = None
    fuses_loss: bool = True
    fuses_attention: bool = True
    dropout: bool = False
    is_compiled: bool = False
    is_deterministic: bool = False
    power_limit_w: float | None = None
    trains_adapters: bool = False

    def __post_init__(self) -> None:
        for name in ("weights", "gradients", "master", "moments"):
            number_format(getattr(self, name))
        for name, known in (("dispatcher", DISPATCHERS), ("routing", ROUTINGS), ("scaling", tuple(SCALINGS))):
            _require_known(name, {getattr(self, name)}, known)
        _require_known("graphs", self.graphs, GRAPHS)
        _require_known("offloads", self.offloads, OFFLOADS)

    @property
    def is_narrow(self) -> bool:
        """Whether layers multiply in 8 bits."""
        return bool(self.scaling)

    @property
    def compute(self) -> str:
        """Arithmetic whose peak bounds layers' products."""
        return "fp8" if self.is_narrow else "bf16"

    @property
    def operand_format(self) -> str:
        """Number format of the operands of layers' products, with their scales."""
        return SCALINGS[self.scaling]

    @property
    def has_row_scales(self) -> bool:
        """Whether each row of 8-bit operands has a scale of its own."""
        return self.scaling == "row"

    @property
    def gradient_bytes(self) -> float:
        """Bytes of one value's gradient."""
        return number_format(self.gradients).bytes_per_value

    @property
    def weight_bytes(self) -> float:
        """Bytes of one weight as products read it."""
        return number_format(self.weights).bytes_per_value

    @property
    def state_bytes(self) -> float:
        """Bytes of one value's master weight, where it differs from the weight, and of its two moments."""
        master = 0.0 if self.master == self.weights else number_format(self.master).bytes_per_value
        return master + 2 * number_format(self.moments).bytes_per_value


def _require_known(name: str, given: Iterable[str], known: Sequence[str]) -> None:
    if unknown := sorted(set(given) - set(known)):
        choice = ", ".join(one or "''" for one in known)
        raise RidgelineError(f"recipe: {name}={', '.join(map(repr, unknown))} is not one of {choice}")
