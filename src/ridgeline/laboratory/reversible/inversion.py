"""Errors of streams and gradients when layers are undone: none in fixed point, small ones in floats.

The same sub-layers run forward over streams in some number format, and gradients are computed twice on the way back: at
streams that were kept, and at streams that were computed again. Rounding a sub-layer's output to fixed point is passed
straight through by gradients.

Sources: lecture 2:09-2:12 (E1, E3); Gomez et al. 2017, section 3.2; MacKay et al. 2018, "Reversible Recurrent Neural
Networks" (arXiv 1810.10999), on finite precision.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np

from ridgeline.laboratory.coupling import coupled, uncoupled
from ridgeline.laboratory.reversible.forms import Pair
from ridgeline.laboratory.reversible.transformer import SUB_LAYERS, Array, Shape, Weights, draw_weights

__all__ = ["FORMATS", "Inversion", "Streams", "inversions"]

FRACTION_BITS = 16
"""Fraction bits of a fixed-point number of 32 bits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Streams:
    """Number format in which a stack's streams are held.

    Attributes:
        name: name of the format.
        held: conversion from 32-bit floats to the format.
        read: conversion from the format to numbers.
    """

    name: str
    held: Callable[[Array], Array]
    read: Callable[[Array], Array]


def _cast(values: Array, name: str) -> Array:
    return values.astype(name)


def _fixed(values: Array) -> Array:
    import jax.numpy as jnp

    return jnp.round(values * 2.0**FRACTION_BITS).astype("int32")


def _unfixed(values: Array) -> Array:
    return values.astype("float32") / 2.0**FRACTION_BITS


FORMATS = (
    Streams(name="bfloat16", held=partial(_cast, name="bfloat16"), read=partial(_cast, name="float32")),
    Streams(name="float32", held=partial(_cast, name="float32"), read=partial(_cast, name="float32")),
    Streams(name="fixed point", held=_fixed, read=_unfixed),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inversion:
    """Errors of undoing a stack in one format.

    Attributes:
        streams: format that they are held in.
        layers: number of layers of the stack.
        stream_error: largest difference of the first streams from the recovered ones, over their largest value.
        gradient_error: largest difference of any gradient from that at streams that were kept, over the largest
            gradient of its kind; 0 where all are equal to the last bit.
    """

    streams: str
    layers: int
    stream_error: float
    gradient_error: float


def inversions(*, shape: Shape, layers: tuple[int, ...], seed: int) -> tuple[Inversion, ...]:
    """Undo stacks of each number of layers in each format.

    Args:
        shape: shape of the stacks but for the number of layers.
        layers: number of layers of each stack.
        seed: seed of weights and streams.
    """
    rng = np.random.default_rng(seed)
    size = (shape.sequences, shape.sequence_tokens, shape.width)
    first = tuple(rng.standard_normal(size).astype(np.float32) for _ in range(2))
    found = []
    for count in layers:
        stacked = draw_weights(replace(shape, layers=count), seed=seed)["layers"]
        each = [{name: values[place] for name, values in stacked.items()} for place in range(count)]
        found += [_inverted(each, (first[0], first[1]), streams, shape.heads) for streams in FORMATS]
    return tuple(found)


def _inverted(layers: list[Weights], first: Pair, streams: Streams, heads: int) -> Inversion:
    import jax.numpy as jnp

    begin = streams.held(jnp.asarray(first[0])), streams.held(jnp.asarray(first[1]))
    kept, _ = _there_and_back(layers, begin, streams, heads, keep=True)
    again, back = _there_and_back(layers, begin, streams, heads, keep=False)
    return Inversion(
        streams=streams.name,
        layers=len(layers),
        stream_error=max(
            _error(streams.read(one), streams.read(other)) for one, other in zip(back, begin, strict=True)
        ),
        gradient_error=max(
            _error(one[name], other[name]) for one, other in zip(again, kept, strict=True) for name in one
        ),
    )


def _error(one: Array, other: Array) -> float:
    """Largest difference over the largest value; weights that a sub-layer does not use have no gradient."""
    return float(abs(one - other).max()) / (float(abs(other).max()) or 1.0)


def _there_and_back(
    layers: list[Weights], begin: Pair, streams: Streams, heads: int, *, keep: bool
) -> tuple[list[Weights], Pair]:
    """Gradients of half the sum of squares by each sub-layer's weights, the last first, and the first streams."""
    steps = [
        (layer, _compiled(place, heads), _pulled(place, heads)) for layer in layers for place in range(len(SUB_LAYERS))
    ]
    pairs = [begin]
    for layer, value, _ in steps:
        left, right = pairs[-1]
        pair = coupled(left=left, right=right, functions=[partial(_added, streams, value, layer)])
        pairs = [*pairs, pair] if keep else [pair]
    pair = pairs.pop()
    slopes = streams.read(pair[0]), streams.read(pair[1])
    found: list[Weights] = []
    for layer, value, pull in reversed(steps):
        function = partial(_added, streams, value, layer)
        pair = pairs.pop() if keep else uncoupled(left=pair[0], right=pair[1], functions=[function])
        of_weights, through = pull(layer, streams.read(pair[0]), slopes[0])
        slopes = slopes[1] + through, slopes[0]
        found.append(of_weights)
    return found, pair


def _added(streams: Streams, value: Callable[..., Array], layer: Weights, stream: Array) -> Array:
    """Output that a sub-layer adds to a stream, in the streams' format."""
    return streams.held(value(layer, streams.read(stream)))


@cache
def _compiled(place: int, heads: int) -> Callable[..., Array]:
    """A sub-layer, compiled once: the same instructions each time it is run."""
    import jax

    compiled: Callable[..., Array] = jax.jit(partial(SUB_LAYERS[place], heads=heads))
    return compiled


@cache
def _pulled(place: int, heads: int) -> Callable[..., tuple[Weights, Array]]:
    """Compiled gradients of a sub-layer by its weights and by its stream."""
    import jax

    def pulled(layer: Weights, stream: Array, slope: Array) -> tuple[Weights, Array]:
        _, pull = jax.vjp(partial(SUB_LAYERS[place], heads=heads), layer, stream)
        of_weights, through = pull(slope)
        return of_weights, through

    compiled: Callable[..., tuple[Weights, Array]] = jax.jit(pulled)
    return compiled
