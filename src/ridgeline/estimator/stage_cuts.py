"""Cuts of layers into the stages of a pipeline: by number, or so that the slowest stage is as fast as possible."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import fsum

from ridgeline.errors import RidgelineError

__all__ = ["best_cut", "even_cut", "stage_times_s"]

HALVINGS = 50
"""Bisections of the interval of the slowest stage's time: down to the precision of a float."""

ROUNDING = 1e-12
"""Relative rounding error of a sum that may exceed the limit on a stage."""

Cut = tuple[int, ...]
"""First layer of each stage, and after the last of them the number of layers."""


def even_cut(*, layers: int, stages: int) -> Cut:
    """Stages whose numbers of layers differ by one at most.

    >>> even_cut(layers=62, stages=4)
    (0, 16, 31, 46, 62)
    """
    _require_layers(layers, stages)
    return tuple(round(layers * stage / stages) for stage in range(stages + 1))


def best_cut(layers_s: Sequence[float], *, stages: int) -> Cut:
    """Stages of consecutive layers, cut so that the slowest takes the least time.

    It bisects that time: stages are filled from the first on, each with as many layers as stay within it, leaving at
    least one for every later stage.

    >>> best_cut([1, 1, 1, 5, 1, 1], stages=3)
    (0, 3, 4, 6)
    """
    _require_layers(len(layers_s), stages)
    ends_s = [0.0, *accumulate(layers_s)]
    low, high = max(*layers_s, ends_s[-1] / stages), ends_s[-1]
    best = _filled(ends_s, stages, low)
    if best is not None:
        return best
    best = even_cut(layers=len(layers_s), stages=stages)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        found = _filled(ends_s, stages, middle)
        low, high, best = (low, middle, found) if found is not None else (middle, high, best)
    return best


def stage_times_s(layers_s: Sequence[float], cut: Cut) -> tuple[float, ...]:
    """Time of each stage, the sum of its layers', s.

    >>> stage_times_s([1, 1, 1, 5, 1, 1], (0, 3, 4, 6))
    (3.0, 5.0, 2.0)
    """
    return tuple(fsum(layers_s[start:end]) for start, end in pairwise(cut))


def _filled(ends_s: Sequence[float], stages: int, limit_s: float) -> Cut | None:
    """A cut with no stage longer than the limit; None where there is none.

    Args:
        ends_s: time at which each layer ends if all run one after the other, from 0 on, s.
        stages: stages of the pipeline.
        limit_s: longest time of a stage, s.
    """
    layers, limit_s = len(ends_s) - 1, limit_s * (1 + ROUNDING)
    starts = [0]
    while len(starts) < stages:
        later = stages - len(starts)  # each of which is to have a layer
        end = min(bisect_right(ends_s, ends_s[starts[-1]] + limit_s) - 1, layers - later)
        if end == starts[-1]:
            return None
        starts.append(end)
    return (*starts, layers) if ends_s[-1] - ends_s[starts[-1]] <= limit_s else None


def _require_layers(layers: int, stages: int) -> None:
    if not 1 <= stages <= layers:
        raise RidgelineError(f"{layers} layers make no {stages} stages; give from 1 to {layers}")
