"""Layers that differ: which of a model's layers attend to the whole context, and what the others read of it."""

from __future__ import annotations

from functools import lru_cache

from ridgeline.boards.board import Facts
from ridgeline.boards.lecture import controls
from ridgeline.estimator.attention import cores
from ridgeline.estimator.kernels import work
from ridgeline.specs.model import LayerGroup, Model
from ridgeline.specs.passes import Lane

__all__ = ["are_global", "global_every", "global_layers", "is_global", "window_tokens"]

LONG_TOKENS = 2**20
"""A context beyond every window."""

MUCH = 0.5
"""Fraction of the largest read of any layer from which on a layer counts as attending to the whole context."""


def is_global(layer: int, every: int) -> bool:
    """Whether a layer, counted from 0, attends to the whole context: the last of each round, as families have it.

    >>> [layer for layer in range(12) if is_global(layer, 6)]
    [5, 11]
    """
    return (layer + 1) % every == 0


@lru_cache(maxsize=64)
def are_global(layers: int, every: int) -> tuple[bool, ...]:
    """Whether each layer attends to the whole context.

    >>> are_global(4, 2)
    (False, True, False, True)
    """
    return tuple(is_global(layer, every) for layer in range(layers))


def global_layers(layers: int, every: int) -> int:
    """Number of layers that attend to the whole context.

    >>> global_layers(62, 6)
    10
    """
    return layers // every


def global_every(facts: Facts) -> float:
    """Distance between layers that attend to everything; a model's record has their number, not their positions."""
    whole, _ = _split(facts.model)
    return round(facts.model.layers / _layers(whole))


def window_tokens(facts: Facts) -> float | None:
    """Tokens that the other layers read at most, at the bytes of a global one; a state counts as so many.

    None of a model that keeps nothing of each token; 1 of one whose layers are alike.
    """
    whole, near = _split(facts.model)
    entry_bytes = controls.kv_bytes(facts) / _layers(whole)
    if not entry_bytes:
        return None
    if not near:
        return 1.0
    read_bytes = sum(group.layers * _read_bytes(facts.model, group) for group in near) / _layers(near)
    return max(1.0, read_bytes / entry_bytes)


def _read_bytes(model: Model, group: LayerGroup) -> float:
    """Bytes that a layer reads of a long sequence to decode a token."""
    lane = Lane(sequences=1, past_tokens=LONG_TOKENS - 1)
    kernels = cores(group.attention, lane, sequences=1, tp=1, kv_format=model.precision.kv).values()
    return sum(float(work(kernel).kv_bytes) for kernel in kernels)


def _split(model: Model) -> tuple[list[LayerGroup], list[LayerGroup]]:
    """Groups of layers that read their whole context, and those that read less."""
    read_bytes = {group: _read_bytes(model, group) for group in model.groups}
    most = max(read_bytes.values())
    whole = [group for group in model.groups if read_bytes[group] >= MUCH * most]
    return whole, [group for group in model.groups if group not in whole]


def _layers(groups: list[LayerGroup]) -> int:
    return sum(group.layers for group in groups)
