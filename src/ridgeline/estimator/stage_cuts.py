"""Layers cut into the stages of a pipeline: by their number, or so that the slowest stage is as fast as can be."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import fsum

from ridgeline.errors import RidgelineError

__all__ = ["best_cut", "even_cut", "stage_times_s"]

HALVINGS = 60
"""Of the interval in which the slowest stage's time is sought: to the last digits of a float."""

Cut = tuple[int, ...]
"""Where stages begin, and after the last of them the number of layers."""


def even_cut(*, layers: int, stages: int) -> Cut:
    """Stages whose numbers of layers differ by one at most.

    >>> even_cut(layers=62, stages=4)
    (0, 16, 31, 46, 62)
    """
    _require_layers(layers, stages)
    return tuple(round(layers * stage / stages) for stage in range(stages + 1))


def best_cut(layers_s: Sequence[float], *, stages: int) -> Cut:
    """Stages, each of neighbouring layers, whose slowest takes the least time.

    Bisection on that time: stages are filled from the first on, each with as many layers as stay within it, and enough
    is left for every later stage to have one.

    >>> best_cut([1, 1, 1, 5, 1, 1], stages=3)
    (0, 3, 4, 6)
    """
    _require_layers(len(layers_s), stages)
    low, high = max(*layers_s, sum(layers_s) / stages), float(sum(layers_s))
    best = even_cut(layers=len(layers_s), stages=stages)
    for _ in range(HALVINGS):
        found = _filled(layers_s, stages, low)
        if found is not None:
            return found
        middle = (low + high) / 2
        found = _filled(layers_s, stages, middle)
        low, high, best = (low, middle, found) if found is not None else (middle, high, best)
    return best


def stage_times_s(layers_s: Sequence[float], cut: Cut) -> tuple[float, ...]:
    """Time of each stage: the sum of its layers'.

    >>> stage_times_s([1, 1, 1, 5, 1, 1], (0, 3, 4, 6))
    (3.0, 5.0, 2.0)
    """
    return tuple(fsum(layers_s[start:end]) for start, end in pairwise(cut))


def _filled(layers_s: Sequence[float], stages: int, limit_s: float) -> Cut | None:
    """A cut none of whose stages takes longer than the limit; None where there is none."""
    starts, taken_s = [0], 0.0
    for layer, layer_s in enumerate(layers_s):
        needed = stages - len(starts)  # later stages, each of which is to have a layer
        is_full = taken_s + layer_s > limit_s or len(layers_s) - layer <= needed
        if layer and taken_s and is_full:
            starts.append(layer)
            taken_s = 0.0
        taken_s += layer_s
    return (*starts, len(layers_s)) if len(starts) == stages else None


def _require_layers(layers: int, stages: int) -> None:
    if not 1 <= stages <= layers:
        raise RidgelineError(f"{layers} layers make no {stages} stages; give from 1 to {layers}")
