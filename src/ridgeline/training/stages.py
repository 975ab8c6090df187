"""The layers of a model in their order, and their assignment to the stages of a pipeline."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import lru_cache

from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.model import LayerGroup

__all__ = ["ENDS", "is_even", "layer_order", "staged"]

ENDS = 2
"""Ends of a model, embedding and loss, each of which may count as a layer where layers are cut into parts."""


@lru_cache(maxsize=256)
def layer_order(groups: tuple[LayerGroup, ...]) -> tuple[int, ...]:
    """Layers from the first to the last, each as the index of its group.

    Where some are routed, dense ones come first, as in DeepSeek-V3; other kinds are mixed evenly.
    """
    routed = [isinstance(group.feed_forward, RoutedExperts) for group in groups]
    first = [place for place, is_routed in enumerate(routed) if any(routed) and not is_routed]
    mixed = sorted(
        ((number + 0.5) / group.layers, place)
        for place, group in enumerate(groups)
        if place not in first
        for number in range(group.layers)
    )
    return (*(place for place in first for _ in range(groups[place].layers)), *(place for _, place in mixed))


@lru_cache(maxsize=4096)
def staged(
    layers: tuple[int, ...], stages: int, virtual_stages: int, place: Callable[[int, int], int]
) -> tuple[tuple[int, ...], ...]:
    """Layers of each stage, all of its parts together.

    Where the layers do not divide, embedding and loss count as one each, so that both ends have less work.

    Args:
        layers: layers in their order.
        stages: stages of the pipeline.
        virtual_stages: parts of the layers that each holds.
        place: stage of a part, by part and number of stages.

    >>> staged((0,) * 6, 4, 1, lambda part, _: part)
    ((0,), (0, 0), (0, 0), (0,))
    """
    parts = stages * virtual_stages
    ends = ENDS // 2 if stages > 1 and len(layers) % parts else 0
    padded: list[int | None] = [*([None] * ends), *layers, *([None] * ends)]
    edges = [round(len(padded) * part / parts) for part in range(parts + 1)]
    held: list[list[int]] = [[] for _ in range(stages)]
    for part, (start, end) in enumerate(itertools.pairwise(edges)):
        held[place(part, stages)] += [layer for layer in padded[start:end] if layer is not None]
    return tuple(tuple(stage) for stage in held)


def is_even(layers: int, parts: int) -> bool:
    """Whether all parts hold equally many layers, where both ends of the model may count as a layer."""
    return layers % parts == 0 or (layers + ENDS) % parts == 0
