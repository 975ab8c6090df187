"""How a training step is run: formats, what is computed again, what is hidden behind what."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.errors import RidgelineError
from ridgeline.specs.number_format import number_format

__all__ = ["DISPATCHERS", "GRAPHS", "MODULES", "NO_RECOMPUTE", "Recipe", "Recompute"]

MODULES = {
    "core_attn": "scores and values of attention",
    "layernorm": "norms",
    "mla_up_proj": "up-projections of latent attention",
    "mlp": "dense feed-forward blocks",
    "moe_act": "activations of experts",
    "moe": "routed blocks whole, messages among them",
    "shared_experts": "shared experts",
    "products": "every second matrix product, as TorchTitan's selective mode by operator has it",
}
"""Parts of a layer that may be computed again by themselves; but for the last, as Megatron names them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recompute:
    """What a backward pass computes again in place of keeping it.

    Attributes:
        is_full: whether that is every layer, of which its input alone is kept.
        is_reversible: whether even that is found again, from what the layer put out (Gomez et al. 2017).
        modules: parts of each layer, where it is not every layer.
    """

    is_full: bool = False
    is_reversible: bool = False
    modules: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if unknown := self.modules - set(MODULES):
            raise RidgelineError(
                f"recompute: {', '.join(sorted(unknown))} is not one of {', '.join(MODULES)}; write selective:core_attn"
            )

    def __str__(self) -> str:
        if self.is_full:
            return "reversible" if self.is_reversible else "full"
        return f"selective:{'+'.join(sorted(self.modules))}" if self.modules else "none"

    @classmethod
    def from_text(cls, text: str) -> Recompute:
        """From "none", "full", "reversible", "selective" (attention's scores), or "selective:core_attn+layernorm".

        Raises:
            RidgelineError: it is none of these, or names a part that is not known.

        >>> str(Recompute.from_text("selective"))
        'selective:core_attn'
        """
        kind, _, modules = text.strip().lower().partition(":")
        if kind == "selective":
            return cls(modules=frozenset(modules.split("+")) if modules else frozenset({"core_attn"}))
        if kind not in {"none", "full", "reversible"} or modules:
            raise RidgelineError(
                f"recompute {text!r} is not known; write none, full, reversible, selective, or"
                " selective:core_attn+layernorm"
            )
        return cls(is_full=kind != "none", is_reversible=kind == "reversible")


NO_RECOMPUTE = Recompute()

GRAPHS = ("attn", "mlp", "mamba", "moe", "moe_router", "moe_preprocess", "full_iteration")
"""Parts of a layer that are captured in CUDA graphs, as Megatron names them, or the whole step."""

OFFLOADS = ("attn_norm", "qkv_linear", "core_attn", "attn_proj", "mlp_norm", "expert_fc1", "moe_act")
"""Products and kernels of a layer whose inputs may be offloaded, as Megatron names them."""

DISPATCHERS = ("alltoall", "allgather", "deepep", "hybridep")
"""What sends tokens to their experts, as Megatron names them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Settings of a training step; formats by their names.

    Attributes:
        compute: of the products of layers.
        scaling: of 8-bit products: "tensor" (one scale a tensor), "delayed", "row", "block" or "mx"; empty for none.
        weights: of the weights that products read and that are gathered.
        gradients: of the gradients that are summed over micro-batches and replicas.
        master: of the optimizer's own copy of the weights.
        moments: of each of Adam's two.
        recompute: what is computed again.
        hides_gradients: whether gradients are summed over replicas while the last micro-batch goes back.
        hides_weights: whether weights are gathered while the first micro-batch goes forward.
        hides_tp: whether sums over ``tp`` are sent while products run.
        hides_sends: whether what stages hand on is sent while they work; None for as ``TrainingJob`` has it.
        hides_dispatch: whether tokens travel to their experts while another micro-batch computes.
        graphs: what is captured in CUDA graphs; of ``GRAPHS``.
        dispatcher: what sends tokens to experts; one of ``DISPATCHERS``.
        offloads: parts of a layer whose activations wait in the host's memory; of ``OFFLOADS``.
        predicted_tokens: tokens after the next that further layers learn to predict.
        routing: "balanced" where every expert is made to have the same number of tokens, "natural" where a router
            chooses.
        capacity_factor: places of an expert over its mean number of tokens, filled up or dropped; None for no bound.
        fuses_loss: whether the loss is one kernel.
        fuses_attention: whether scores are never stored.
        dropout: whether there is any.
        is_compiled: whether elementwise kernels are fused by a compiler.
        is_deterministic: whether a step gives the same bits each time.
        power_limit_w: to which chips were set; None for their usual one.
        trains_adapters: whether weights stay as they are and small matrices beside them are trained (LoRA).
    """

    compute: str = "bf16"
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
        for name in ("compute", "weights", "gradients", "master", "moments"):
            number_format(getattr(self, name))
        for name, known in (
            ("dispatcher", DISPATCHERS),
            ("routing", ("balanced", "natural")),
            ("scaling", ("", "tensor", "delayed", "row", "block", "mx")),
        ):
            if getattr(self, name) not in known:
                raise RidgelineError(f"recipe: {name}={getattr(self, name)!r} is not one of {', '.join(known)}")

    @property
    def is_narrow(self) -> bool:
        """Whether layers multiply in 8 bits."""
        return bool(self.scaling)

    @property
    def has_fine_scales(self) -> bool:
        """Whether rows or blocks of 8-bit operands have scales of their own, which the chip does not apply itself."""
        return self.scaling in {"row", "block"}

    @property
    def gradient_bytes(self) -> float:
        """Of one value's gradient."""
        return number_format(self.gradients).bytes_per_value

    @property
    def weight_bytes(self) -> float:
        """Of one value as products read it."""
        return number_format(self.weights).bytes_per_value

    @property
    def state_bytes(self) -> float:
        """Of one value's master copy, where it is another than the weights, and its two moments."""
        master = 0.0 if self.master == self.weights else number_format(self.master).bytes_per_value
        return master + 2 * number_format(self.moments).bytes_per_value
