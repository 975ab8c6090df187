"""Weights and computation of dense and routed feed-forward blocks."""

from __future__ import annotations

from functools import lru_cache

from ridgeline.estimator.matrix import Cut, Matrix
from ridgeline.specs.feed_forward import DenseFeedForward, FeedForward, NoFeedForward, RoutedExperts
from ridgeline.specs.precision import Component

__all__ = [
    "block_matrices",
    "expert_params",
    "expert_width",
    "hidden_streams",
    "latent_matrices",
    "router",
    "shared_block",
    "whole_matrices",
]


def block_matrices(block: DenseFeedForward, hidden: int, component: Component) -> tuple[Matrix, Matrix]:
    """Up-projection (with its gate) and down-projection of a dense block."""
    up_columns = (2 if block.gated else 1) * block.ffn_hidden
    up = Matrix(component=component, inner=hidden, columns=up_columns, parts=block.ffn_hidden, parts_of="ffn_hidden")
    down = Matrix(
        component=component,
        inner=block.ffn_hidden,
        columns=hidden,
        cut=Cut.INNER,
        parts=block.ffn_hidden,
        parts_of="ffn_hidden",
    )
    return up, down


def hidden_streams(block: DenseFeedForward | RoutedExperts) -> int:
    """Number of tensors of the inner width that the activation reads and writes."""
    return 3 if block.gated else 2


@lru_cache(maxsize=256)
def shared_block(experts: RoutedExperts) -> DenseFeedForward | None:
    """The shared experts as one equivalent dense block; None where there are none."""
    return DenseFeedForward(ffn_hidden=experts.shared_hidden, gated=experts.gated) if experts.shared_hidden else None


def router(experts: RoutedExperts, hidden: int) -> Matrix:
    """Matrix that scores experts; every chip has a copy."""
    return Matrix(component=Component.ROUTER, inner=hidden, columns=experts.experts)


def latent_matrices(experts: RoutedExperts, hidden: int) -> tuple[Matrix, ...]:
    """Projections into and out of the latent width of routed experts; empty where they read the stream itself.

    They are kept like the router: every chip has a copy, in the router's format.
    """
    latent = experts.latent_hidden
    if not latent:
        return ()
    return (
        Matrix(component=Component.ROUTER, inner=hidden, columns=latent),
        Matrix(component=Component.ROUTER, inner=latent, columns=hidden),
    )


def expert_width(experts: RoutedExperts, hidden: int) -> int:
    """Width of a routed expert's input and output."""
    return experts.latent_hidden or hidden


def expert_params(experts: RoutedExperts, hidden: int) -> int:
    """Parameters of one routed expert."""
    return (3 if experts.gated else 2) * expert_width(experts, hidden) * experts.expert_hidden


def whole_matrices(block: FeedForward, hidden: int) -> tuple[Matrix, ...]:
    """Matrices of a block without its routed experts."""
    if isinstance(block, NoFeedForward):
        return ()
    if isinstance(block, DenseFeedForward):
        return block_matrices(block, hidden, Component.DENSE)
    shared = shared_block(block)
    shared_matrices = block_matrices(shared, hidden, Component.SHARED_EXPERTS) if shared else ()
    return (router(block, hidden), *latent_matrices(block, hidden), *shared_matrices)
