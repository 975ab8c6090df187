"""Recompute: parts of a forward pass that a backward pass computes again instead of keeping."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.errors import RidgelineError
from ridgeline.specs.attention import LatentAttention
from ridgeline.specs.feed_forward import DenseFeedForward, RoutedExperts
from ridgeline.specs.model import Model

__all__ = ["MODULES", "NO_RECOMPUTE", "Recompute", "recomputes_of"]

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
"""Parts of a layer that may be recomputed separately, by Megatron's names except for the last."""

WITHIN_MOE = frozenset({"moe_act", "shared_experts"})
"""Parts of a routed block."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recompute:
    """Parts of a forward pass that a backward pass computes again instead of keeping.

    Attributes:
        is_full: whether every layer is recomputed, with only its input kept.
        is_reversible: whether even the input is recovered, from the layer's output (Gomez et al. 2017).
        modules: recomputed parts of each layer, of ``MODULES``, where not every layer is.
    """

    is_full: bool = False
    is_reversible: bool = False
    modules: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if self.is_reversible and not self.is_full:
            raise RidgelineError("recompute: reversible layers are computed again in full; set is_full")
        if unknown := self.modules - set(MODULES):
            raise RidgelineError(
                f"recompute: {', '.join(map(repr, sorted(unknown)))} is not one of {', '.join(MODULES)}; write"
                " selective:core_attn, or several with + between: selective:layernorm+mlp"
            )

    def __str__(self) -> str:
        if self.is_full:
            return "reversible" if self.is_reversible else "full"
        return f"selective:{'+'.join(sorted(self.modules))}" if self.modules else "none"

    @property
    def covered(self) -> frozenset[str]:
        """Recomputed modules, and those nested within them."""
        return self.modules | (WITHIN_MOE if "moe" in self.modules else frozenset())

    @classmethod
    def from_text(cls, text: str) -> Recompute:
        """Mode from "none", "full", "reversible", "selective" (attention's scores), or "selective:core_attn+layernorm".

        Raises:
            RidgelineError: the text is none of these, or names an unknown part.

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


def recomputes_of(model: Model) -> tuple[Recompute, ...]:
    """Modes that are tried for a model: nothing, cheap parts, all blocks, and everything."""
    routed = [group.feed_forward for group in model.groups if isinstance(group.feed_forward, RoutedExperts)]
    has_latent = any(isinstance(group.attention, LatentAttention) for group in model.groups)
    has_dense = any(isinstance(group.feed_forward, DenseFeedForward) for group in model.groups)
    quick = {
        "layernorm": True,
        "moe_act": bool(routed),
        "shared_experts": any(block.shared_hidden for block in routed),
        "mla_up_proj": has_latent,
    }
    blocks = {**quick, "moe": bool(routed), "mlp": has_dense}
    parts = (frozenset(name for name, is_there in modules.items() if is_there) for modules in (quick, blocks))
    return (NO_RECOMPUTE, *(Recompute(modules=modules) for modules in parts), Recompute(is_full=True))
