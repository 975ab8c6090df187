r"""Networks with random weights, as they run: how far a changed sign spreads, and what their derivative looks like.

.. math::

    x \to k\,x + s\,\tanh(W x), \qquad x \to \mathrm{sign}(W x)

With :math:`k = 1` and a small :math:`s` a layer adds a little to a residual stream, with :math:`k = 0` and
:math:`s = 1` nothing of its input passes as it is. Nothing is trained here.

Sources: lecture 2:05-2:06 (E8, E10); Webster and Tavares 1985, the strict avalanche criterion.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "random_signs",
    "random_weights",
    "residual_layer",
    "sign_avalanche_fractions",
    "sign_layer",
    "signs_of_layers",
    "stretch_ratio",
]

Floats = NDArray[np.float64]


def random_weights(*, layers: int, width: int, seed: int) -> Floats:
    """Square matrices, one a layer, that keep the mean size of what passes through.

    >>> random_weights(layers=3, width=64, seed=0).shape
    (3, 64, 64)

    Derivation: sums of ``width`` independent terms, each of variance ``1 / width``.
    """
    return np.asarray(np.random.default_rng(seed).standard_normal((layers, width, width)) / width**0.5)


def random_signs(*, inputs: int, width: int, seed: int) -> Floats:
    """Inputs of ones and minus ones, each as likely.

    >>> random_signs(inputs=2, width=4, seed=0).shape
    (2, 4)

    Derivation: the definition.
    """
    return np.random.default_rng(seed).choice((-1.0, 1.0), size=(inputs, width))


def sign_layer(*, stream: Floats, weights: Floats) -> Floats:
    """Signs to signs, for one stream or many, one in each row.

    >>> sign_layer(stream=np.array([1.0, -1.0]), weights=np.array([[2.0, 1.0], [1.0, 2.0]])).tolist()
    [1.0, -1.0]

    Derivation: the definition.
    """
    return np.asarray(np.sign(stream @ weights.T))


def residual_layer(*, stream: Floats, weights: Floats, kept: float, step: float) -> Floats:
    """Residual stream after a layer, or many streams, one in each row: ``k x + s tanh(W x)``.

    >>> residual_layer(stream=np.array([1.0]), weights=np.array([[0.0]]), kept=1.0, step=0.5).tolist()
    [1.0]

    Derivation: the definition.
    """
    return np.asarray(kept * stream + step * np.tanh(stream @ weights.T))


def sign_avalanche_fractions(
    *, layers: Sequence[Callable[[Floats], Floats]], inputs: Floats, flipped: int = 1
) -> tuple[float, ...]:
    """Part of a stream's signs that one changed sign of the input changes, before any layer and after each.

    The mean over ``inputs`` and all of their places; 1/2 where it is well mixed. ``flipped`` neighbours are changed
    together, the last a neighbour of the first. A layer that turns all signs round spreads nothing:

    >>> sign_avalanche_fractions(layers=[lambda stream: -stream], inputs=np.ones((1, 8)))
    (0.125, 0.125)

    Source: Webster and Tavares 1985; lecture 2:05 (E8).
    """
    first, places = inputs[:, np.newaxis, :], np.arange(inputs.shape[-1])
    is_changed = (places - places[:, np.newaxis]) % len(places) < flipped
    second = first * (1 - 2.0 * is_changed)
    changed = [float(np.mean((first > 0) != (second > 0)))]
    for layer in layers:
        first, second = layer(first), layer(second)
        changed.append(float(np.mean((first > 0) != (second > 0))))
    return tuple(changed)


def signs_of_layers(*, layers: Sequence[Callable[[Floats], Floats]], start: Floats) -> tuple[tuple[bool, ...], ...]:
    """Whether each place of a stream lies above zero, before any layer and after each.

    >>> signs_of_layers(layers=[lambda stream: -stream], start=np.array([1.0, -1.0]))
    ((True, False), (False, True))

    Derivation: the definition.
    """
    streams = accumulate(layers, lambda stream, layer: layer(stream), initial=start)
    return tuple(tuple(bool(one > 0) for one in stream) for stream in streams)


def stretch_ratio(*, weights: Floats, start: Floats, kept: float, step: float) -> float:
    """How many times as far a stack of residual layers stretches one small change of ``start`` as another, at most.

    The condition number of its derivative there: 1 where all changes pass alike, as through a stack that adds nothing.

    >>> stretch_ratio(weights=np.ones((3, 2, 2)), start=np.ones(2), kept=1.0, step=0.0)
    1.0

    Derivation: the chain rule, ``k I + s diag(1 - tanh(W x)^2) W`` a layer; largest over smallest singular value.
    """
    derivative, stream = np.eye(len(start)), start
    for layer in weights:
        slopes = 1 - np.tanh(layer @ stream) ** 2
        derivative = kept * derivative + step * (slopes[:, np.newaxis] * layer) @ derivative
        stream = residual_layer(stream=stream, weights=layer, kept=kept, step=step)
    stretches = np.linalg.svd(derivative, compute_uv=False)
    return float(stretches[0] / stretches[-1])
