"""Stack of coupled sub-layers, and three ways to compute its gradients.

Layers couple two streams as a Feistel network couples two halves: ``(x, y) -> (y + f(x), x)``, f being attention and
the feed-forward sub-layer in turn. All forms compute the same function:

- plain: whatever the gradients need is kept;
- checkpointed: each layer's input is kept, and the layer computed again on the way back;
- reversible: nothing is kept but the last pair of streams; each layer's input is computed from its output.

Sources: Gomez et al. 2017 (arXiv 1707.04585); Kitaev et al. 2020, "Reformer" (arXiv 2001.04451), section 3; Chen et al.
2016 (arXiv 1604.06174).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from ridgeline.laboratory.coupling import coupled, uncoupled
from ridgeline.laboratory.reversible.transformer import SUB_LAYERS, Array, Weights

__all__ = ["FORMS", "Form", "Pair"]

Pair = tuple[Array, Array]
"""Two streams of a stack."""

Form = Callable[..., Pair]
"""Function from stacked weights of layers and a pair of streams, by their ``heads``, to the last pair."""


def _layer(pair: Pair, layer: Weights, *, heads: int) -> Pair:
    left, right = pair
    return coupled(left=left, right=right, functions=[partial(one, layer, heads=heads) for one in SUB_LAYERS])


def plain(layers: Weights, pair: Pair, *, heads: int) -> Pair:
    """Run the stack layer by layer; the library keeps what it needs for gradients."""
    import jax

    def body(carried: Pair, layer: Weights) -> tuple[Pair, None]:
        return _layer(carried, layer, heads=heads), None

    last: Pair = jax.lax.scan(body, pair, layers)[0]
    return last


def checkpointed(layers: Weights, pair: Pair, *, heads: int) -> Pair:
    """Run the stack with each layer computed again on the way back."""
    import jax

    def body(carried: Pair, layer: Weights) -> tuple[Pair, None]:
        return jax.checkpoint(partial(_layer, heads=heads))(carried, layer), None

    last: Pair = jax.lax.scan(body, pair, layers)[0]
    return last


def reversible(layers: Weights, pair: Pair, *, heads: int) -> Pair:
    """Run the stack with each layer undone on the way back."""
    import jax

    stack = jax.custom_vjp(partial(plain, heads=heads))

    def forward(layers: Weights, pair: Pair) -> tuple[Pair, tuple[Weights, Pair]]:
        last = plain(layers, pair, heads=heads)
        return last, (layers, last)

    def backward(kept: tuple[Weights, Pair], slopes: Pair) -> tuple[Weights, Pair]:
        layers, last = kept

        def body(carried: tuple[Pair, Pair], layer: Weights) -> tuple[tuple[Pair, Pair], Weights]:
            before, behind, of_layer = undone(carried[0], carried[1], layer, heads=heads)
            return (before, behind), of_layer

        (_, first), found = jax.lax.scan(body, (last, slopes), layers, reverse=True)
        return found, first

    stack.defvjp(forward, backward)
    last: Pair = stack(layers, pair)
    return last


def undone(pair: Pair, slopes: Pair, layer: Weights, *, heads: int) -> tuple[Pair, Pair, Weights]:
    """Undo a layer: the streams before it, their gradients, and those of its weights.

    Each sub-layer is run once, for its value, which is subtracted, and for its gradients.
    """
    import jax

    pulls: list[Callable[[Array], tuple[Weights, Array]]] = []

    def noted(sub_layer: Callable[..., Array], stream: Array) -> Array:
        value, pull = jax.vjp(partial(sub_layer, heads=heads), layer, stream)
        pulls.append(pull)
        return value

    before = uncoupled(left=pair[0], right=pair[1], functions=[partial(noted, one) for one in SUB_LAYERS])
    of_layer = None
    for pull in pulls:  # the last sub-layer first
        of_weights, through = pull(slopes[0])
        slopes = slopes[1] + through, slopes[0]
        of_layer = (
            of_weights if of_layer is None else jax.tree.map(lambda one, other: one + other, of_layer, of_weights)
        )
    return before, slopes, of_layer or {}


FORMS: Mapping[str, Form] = {"plain": plain, "checkpointed": checkpointed, "reversible": reversible}
"""Forms by name, from the one that keeps most to the one that keeps least."""
