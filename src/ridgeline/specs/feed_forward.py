"""Feed-forward kinds, as shapes. What each one computes is in ``estimator/feed_forward.py``."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.glossary import require_plausible

__all__ = ["DenseFeedForward", "FeedForward", "RoutedExperts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DenseFeedForward:
    """Every token passes one block.

    Attributes:
        ffn_hidden: width inside.
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
        active_experts: of these, how many one token visits.
        expert_hidden: width inside one expert.
        shared_hidden: width of the shared experts together, which every token visits besides; 0 where there are none.
        gated: whether a third matrix gates the first.
    """

    experts: int
    active_experts: int
    expert_hidden: int
    shared_hidden: int = 0
    gated: bool = True

    def __post_init__(self) -> None:
        require_plausible(self)
        if self.active_experts > self.experts:
            raise ValueError(
                f"RoutedExperts: active_experts={self.active_experts} exceeds experts={self.experts};"
                " a token cannot visit more experts than there are"
            )


FeedForward = DenseFeedForward | RoutedExperts
