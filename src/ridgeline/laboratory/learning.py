"""Fitting small networks: two losses with their slopes, and Adam.

Sources: Kingma and Ba 2015, "Adam" (arXiv 1412.6980), algorithm 1.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ridgeline.laboratory.glyphs import Floats
from ridgeline.laboratory.stacks import Stack, gradients, run, with_weights

__all__ = ["accuracy", "bits_slope", "class_slope", "fitted"]

RATE, FIRST, SECOND, TINY = 3e-3, 0.9, 0.999, 1e-8
"""Hyperparameters of Adam: a larger step than is usual, since networks are small; the rest as published."""

Slope = Callable[[Floats, NDArray[np.int64]], Floats]
"""Gradient of a loss by the outputs, as a function of the outputs and the targets."""


def class_slope(outputs: Floats, classes: NDArray[np.int64]) -> Floats:
    """Gradient of the mean cross-entropy of classes: predicted chances less the one-hot targets.

    >>> class_slope(np.zeros((1, 2)), np.array([1])).tolist()
    [[0.5, -0.5]]
    """
    chances = np.exp(outputs - outputs.max(axis=-1, keepdims=True))
    chances /= chances.sum(axis=-1, keepdims=True)
    chances[np.arange(len(classes)), classes] -= 1
    return np.asarray(chances / len(classes))


def bits_slope(outputs: Floats, bits: NDArray[np.int64]) -> Floats:
    """Gradient of the mean cross-entropy of bits, each by itself.

    >>> bits_slope(np.zeros((1, 2)), np.array([[0, 1]])).tolist()
    [[0.25, -0.25]]
    """
    return np.asarray((1 / (1 + np.exp(-outputs)) - bits) / bits.size)


def fitted(
    stack: Stack,
    inputs: Floats,
    wanted: NDArray[np.int64],
    *,
    slope: Slope,
    steps: int,
    batch: int,
    seed: int,
) -> Stack:
    """Network after ``steps`` steps of Adam on batches drawn at random."""
    rng = np.random.default_rng(seed)
    weights = [stack.entry, stack.layers, stack.biases, stack.leave]
    means = [np.zeros_like(one) for one in weights]
    squares = [np.zeros_like(one) for one in weights]
    for number in range(1, steps + 1):
        chosen = rng.integers(len(inputs), size=batch)
        tape = run(stack, inputs[chosen])
        found, _ = gradients(stack, tape, slope(tape.outputs, wanted[chosen]))
        for place, one in enumerate((found.entry, found.layers, found.biases, found.leave)):
            means[place] = FIRST * means[place] + (1 - FIRST) * one
            squares[place] = SECOND * squares[place] + (1 - SECOND) * one**2
            mean, square = means[place] / (1 - FIRST**number), squares[place] / (1 - SECOND**number)
            weights[place] = weights[place] - RATE * mean / (np.sqrt(square) + TINY)
        stack = with_weights(stack, weights)
    return stack


def accuracy(stack: Stack, inputs: Floats, classes: NDArray[np.int64]) -> float:
    """Fraction of the inputs whose class has the largest output."""
    return float(np.mean(run(stack, inputs).outputs.argmax(axis=-1) == classes))
