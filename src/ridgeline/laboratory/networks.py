"""Networks layer by layer: whose activations lie in memory during each step of a forward and a backward pass.

A plain stack keeps every layer's, a reversible one the last, one with checkpoints computes an interval again at a time.
The peaks in closed form are those of ``equations/activations.py``.

Sources: lecture 2:12 (E3); Gomez et al. 2017, "The Reversible Residual Network" (arXiv 1707.04585); Chen et al. 2016
(arXiv 1604.06174).
"""

__all__ = ["activations_alive_checkpointed", "activations_alive_plain", "activations_alive_reversible"]


def activations_alive_plain(*, layers: int) -> tuple[int, ...]:
    """Layers' activations in memory during each step of a forward and a backward pass, counted: up, then down.

    A step is one layer's work, which needs the layer's own activations.

    >>> activations_alive_plain(layers=3)
    (1, 2, 3, 3, 2, 1)

    Derivation: every layer's gradient needs its own input (E3).
    """
    forward = range(1, layers + 1)
    return (*forward, *reversed(forward))


def activations_alive_reversible(*, layers: int) -> tuple[int, ...]:
    """Layers' activations alive at each step of a reversible stack, forward and back: one pair, whatever the depth.

    >>> activations_alive_reversible(layers=3)
    (1, 1, 1, 1, 1, 1)

    Source: Gomez et al. 2017; lecture 2:12 (E3).
    """
    return (1,) * (2 * layers)


def activations_alive_checkpointed(*, layers: int, interval: int, kept_fraction: float) -> tuple[float, ...]:
    """Layers' activations alive at each step where only the input of every ``interval``-th layer is kept.

    A kept input is ``kept_fraction`` of a layer's activations. Forward, nothing is kept of a layer but such inputs.
    Backward, a whole interval is computed again before the first of its gradients, and dropped layer by layer.

    >>> activations_alive_checkpointed(layers=4, interval=2, kept_fraction=0.5)
    (1.5, 1.5, 2.0, 2.0, 3.0, 2.0, 2.5, 1.5)

    Source: Chen et al. 2016 (arXiv 1604.06174), section 4.
    """
    kept = [kept_fraction * (1 + layer // interval) for layer in range(layers)]
    forward = [1 + held for held in kept]
    backward = [1 + layer % interval + held for layer, held in enumerate(kept)]
    return (*forward, *reversed(backward))
