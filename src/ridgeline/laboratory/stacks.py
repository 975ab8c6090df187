r"""Small networks of NumPy alone, layer by layer, with their gradients by hand.

.. math::

    x_{l+1} = k\,x_l + s\,\tanh(W_l\,n(x_l) + b_l)

:math:`k` is 1 with residual connections and 0 without, :math:`n` normalises (LayerNorm without a gain) or leaves its
input as it is. The first layer reads the input, the last one is read.

Sources: lecture 2:05-2:07 (E6, E8, E10); He et al. 2016 (arXiv 1603.05027); Ba et al. 2016 (arXiv 1607.06450).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ridgeline.laboratory.glyphs import Floats

__all__ = ["Stack", "Tape", "draw_stack", "gradients", "jacobian", "run", "stretches", "with_weights"]

TINY = 1e-6
"""Constant that is added to a variance, so that a stream without variance can be divided by it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """A network and its weights.

    Attributes:
        entry: weights of the input, inputs by width.
        layers: weights of the layers, layers by width by width.
        biases: biases of the layers, layers by width.
        leave: weights of the output, width by outputs.
        has_residual: whether a layer adds to what it was given.
        has_norm: whether a layer sees its input normalised, and so do the outputs the last stream.
    """

    entry: Floats
    layers: Floats
    biases: Floats
    leave: Floats
    has_residual: bool
    has_norm: bool

    @property
    def step(self) -> float:
        """Factor of a layer's output, by which all layers together add as much as came in."""
        return len(self.layers) ** -0.5 if self.has_residual else 1.0

    @property
    def name(self) -> str:
        """Name of the network by its residual connections and norms."""
        parts = [word for word, has in (("residual", self.has_residual), ("norm", self.has_norm)) if has]
        return " and ".join(parts) or "plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tape:
    """Inputs, streams and outputs of a forward pass, as the backward pass needs them.

    Attributes:
        inputs: inputs of the network, a row each.
        streams: streams before the first layer and after each.
        outputs: outputs of the last layer.
    """

    inputs: Floats
    streams: tuple[Floats, ...]
    outputs: Floats


def draw_stack(
    *, inputs: int, width: int, layers: int, outputs: int, has_residual: bool, has_norm: bool, seed: int
) -> Stack:
    """Random weights that keep the mean size of a stream."""
    rng = np.random.default_rng(seed)
    return Stack(
        entry=rng.standard_normal((inputs, width)) / inputs**0.5,
        layers=rng.standard_normal((layers, width, width)) / width**0.5,
        biases=np.zeros((layers, width)),
        leave=rng.standard_normal((width, outputs)) / width**0.5,
        has_residual=has_residual,
        has_norm=has_norm,
    )


def run(stack: Stack, inputs: Floats) -> Tape:
    """Forward pass of rows of inputs, with every stream kept."""
    streams = [inputs @ stack.entry]
    for weights, bias in zip(stack.layers, stack.biases, strict=True):
        added = stack.step * np.tanh(_seen(stack, streams[-1]) @ weights + bias)
        streams.append(streams[-1] + added if stack.has_residual else added)
    return Tape(inputs=inputs, streams=tuple(streams), outputs=_seen(stack, streams[-1]) @ stack.leave)


def _seen(stack: Stack, stream: Floats) -> Floats:
    return _normalised(stream)[0] if stack.has_norm else stream


def _normalised(stream: Floats) -> tuple[Floats, Floats]:
    """Stream normalised to mean 0 and variance 1, and the deviation that it was divided by."""
    centred = stream - stream.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + TINY)
    return centred / deviation, deviation


def _back_through_norm(stack: Stack, stream: Floats, slope: Floats) -> Floats:
    """Gradient by a stream from that by its normalised form: mean and size do not matter."""
    if not stack.has_norm:
        return slope
    seen, deviation = _normalised(stream)
    along = (slope * seen).mean(axis=-1, keepdims=True)
    return np.asarray((slope - slope.mean(axis=-1, keepdims=True) - seen * along) / deviation)


def gradients(stack: Stack, tape: Tape, slope: Floats) -> tuple[Stack, Floats]:
    """Gradients of a loss by all weights, and by the inputs, from those by the outputs.

    Gradients by the weights are sums over all rows, in a stack of the same shape.
    """
    leave = _seen(stack, tape.streams[-1]).T @ slope
    behind = _back_through_norm(stack, tape.streams[-1], slope @ stack.leave.T)
    layers, biases = np.empty_like(stack.layers), np.empty_like(stack.biases)
    for place in reversed(range(len(stack.layers))):
        stream = tape.streams[place]
        seen = _seen(stack, stream)
        bent = stack.step * (1 - np.tanh(seen @ stack.layers[place] + stack.biases[place]) ** 2) * behind
        layers[place], biases[place] = seen.T @ bent, bent.sum(axis=0)
        through = _back_through_norm(stack, stream, bent @ stack.layers[place].T)
        behind = behind + through if stack.has_residual else through
    found = replace(stack, entry=tape.inputs.T @ behind, layers=layers, biases=biases, leave=leave)
    return found, behind @ stack.entry.T


def jacobian(stack: Stack, image: Floats) -> Floats:
    """Derivative of every output by every input at one input: outputs by inputs."""
    outputs = stack.leave.shape[-1]
    tape = run(stack, np.broadcast_to(image, (outputs, len(image))))
    return gradients(stack, tape, np.eye(outputs))[1]


def stretches(stack: Stack, image: Floats) -> Floats:
    """Largest stretch of a small change of the input, before the first layer and after each.

    The largest singular value of the stream's derivative by the input: a lower bound of the Lipschitz constant.
    """
    derivative, found = stack.entry.T, [float(np.linalg.norm(stack.entry, 2))]
    for place, stream in enumerate(run(stack, image[np.newaxis]).streams[:-1]):
        slopes = 1 - np.tanh(_seen(stack, stream) @ stack.layers[place] + stack.biases[place]) ** 2
        back = _back_through_norm(stack, stream, (stack.layers[place] * slopes).T)
        own = stack.step * back
        derivative = own @ derivative + (derivative if stack.has_residual else 0.0)
        found.append(float(np.linalg.norm(derivative, 2)))
    return np.array(found)


def with_weights(stack: Stack, weights: list[Floats]) -> Stack:
    """Copy of a network with other weights, in the order of its fields."""
    entry, layers, biases, leave = weights
    return replace(stack, entry=entry, layers=layers, biases=biases, leave=leave)
