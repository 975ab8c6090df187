"""Feed-forward kinds, as shapes. What each one computes is in ``estimator/feed_forward.py``."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.errors import RidgelineError
from ridgeline.glossary import require_plausible
from ridgeline.specs.expert_load import ExpertLoad

__all__ = ["DenseFeedForward", "FeedForward", "NoFeedForward", "RoutedExperts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoFeedForward:
    """A layer ends with its attention: neither a block nor its norm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DenseFeedForward:
    """Every token passes one block.

    Attributes:
        ffn_hidden: width of the hidden layer.
        gated: whether a third matrix gates the first (SwiGLU and kin).
    """

    ffn_hidden: int
    gated: bool = True

    def __post_init__(self) -> None:
        require_plausible(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutedExperts:
    """A router sends each token to a few of many small blocks.

    Attributes:
        experts: routed experts of a layer.
        active_experts: routed experts that one token visits.
        expert_hidden: width inside one expert.
        shared_hidden: width of the shared experts together, which every token visits besides; 0 where there are none.
        latent_hidden: width that tokens are projected to before the routed experts, and back from after them; 0 where
            experts read the residual stream itself.
        gated: whether a third matrix gates the first.
        routing_groups: groups that the experts are divided into; 1 where a token chooses among all.
        routed_groups: groups that the experts of one token come from (node-limited routing).
        load: imbalance of the routing; None where it is even and random.
    """

    experts: int
    active_experts: int
    expert_hidden: int
    shared_hidden: int = 0
    latent_hidden: int = 0
    gated: bool = True
    routing_groups: int = 1
    routed_groups: int = 1
    load: ExpertLoad | None = None

    def __post_init__(self) -> None:
        require_plausible(self)
        if self.active_experts > self.experts:
            raise RidgelineError(
                f"RoutedExperts: active_experts={self.active_experts} exceeds experts={self.experts};"
                " a token cannot visit more experts than there are"
            )
        if self.load is not None and self.load.weights:
            _require_loads(self.load, self.experts, self.active_experts)
        if self.experts % self.routing_groups or self.routed_groups > self.routing_groups:
            raise RidgelineError(
                f"RoutedExperts: routing_groups={self.routing_groups} must divide experts={self.experts}, and"
                f" routed_groups={self.routed_groups} must be at most as many"
            )
        if self.active_experts > self.routed_groups * self.experts // self.routing_groups:
            raise RidgelineError(
                f"RoutedExperts: active_experts={self.active_experts} exceeds the experts of"
                f" routed_groups={self.routed_groups} of routing_groups={self.routing_groups}"
            )


def _require_loads(load: ExpertLoad, experts: int, active_experts: int) -> None:
    """Refuse loads whose number of experts is not the layer's."""
    if len(load.weights) != experts:
        raise RidgelineError(
            f"expert load {load.name!r}: has {len(load.weights)} experts, and a layer of the model {experts}; give one"
            " for each, in the model's order"
        )
    if sum(weight > 0 for weight in load.weights) < active_experts:
        raise RidgelineError(
            f"expert load {load.name!r}: a token visits {active_experts} experts, and fewer have any load; give as many"
        )


FeedForward = DenseFeedForward | RoutedExperts | NoFeedForward
