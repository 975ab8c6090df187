"""Cuts of layers into the stages of a pipeline: an engine's, even ones, and those with the fastest slowest stage."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from math import fsum

from ridgeline.errors import RidgelineError
from ridgeline.numeric import ROUNDING
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.stage_cut import SpareLayers

__all__ = [
    "Cut",
    "Stage",
    "best_cut",
    "cut_of",
    "different_stages",
    "engine_cut",
    "even_cut",
    "layer_counts",
    "stage_times_s",
    "stages_of",
]

HALVINGS = 50
"""Bisections of the interval of the slowest stage's time: down to the precision of a float."""

A_HAIR = 1.5 * ROUNDING
"""Relative shortening of a stage's time that is told apart from it, though sums are taken for equal within ROUNDING."""

Cut = tuple[int, ...]
"""First layer of each stage, and after the last of them the number of layers."""


_FIRST_WITH_MORE: Mapping[SpareLayers, Callable[[int, int], int]] = {
    SpareLayers.BEFORE_LAST: lambda stages, spare: stages - 1 - spare,
    SpareLayers.FIRST: lambda _stages, _spare: 0,
    SpareLayers.LAST: lambda stages, spare: stages - spare,
}
"""First stage with one more layer, as a function of the number of stages and of layers left over."""


@lru_cache(maxsize=1024)
def engine_cut(spare_layers: SpareLayers, *, layers: int, stages: int) -> Cut:
    """Stages by an engine's rule for the layers left over.

    >>> engine_cut(SpareLayers.BEFORE_LAST, layers=22, stages=4)
    (0, 5, 11, 17, 22)
    """
    _require_layers(layers, stages)
    each, spare = divmod(layers, stages)
    if spare_layers is SpareLayers.ROUNDED_UP:
        return tuple(min(stage * -(-layers // stages), layers) for stage in range(stages + 1))
    if spare_layers is SpareLayers.ALL_ON_LAST:
        return (*(stage * each for stage in range(stages)), layers)
    first = _FIRST_WITH_MORE[spare_layers](stages, spare)
    return tuple(stage * each + min(max(stage - first, 0), spare) for stage in range(stages + 1))


def layer_counts(cut: Cut) -> tuple[int, ...]:
    """Number of layers of each stage.

    >>> layer_counts((0, 5, 11, 17, 22))
    (5, 6, 6, 5)
    """
    return tuple(end - start for start, end in pairwise(cut))


def cut_of(deployment: Deployment) -> Cut:
    """Stages of a deployment, as its engine cuts them."""
    return engine_cut(deployment.engine.spare_layers, layers=deployment.model.layers, stages=deployment.layout.pp)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Part of a model in one stage of a pipeline.

    Attributes:
        layers: number of layers.
        is_first: whether the input embedding lies there.
        is_last: whether the output head lies there.
    """

    layers: int
    is_first: bool = False
    is_last: bool = False


def stages_of(deployment: Deployment) -> tuple[Stage, ...]:
    """Distinct stages of a deployment, as its engine cuts them."""
    return different_stages(cut_of(deployment))


@lru_cache(maxsize=1024)
def different_stages(cut: Cut) -> tuple[Stage, ...]:
    """Distinct stages: the first, the last, and the one with the most layers of those between.

    >>> [stage.layers for stage in different_stages((0, 5, 11, 17, 22))]
    [5, 6, 5]
    """
    counts = layer_counts(cut)
    if len(counts) == 1:
        return (Stage(layers=counts[0], is_first=True, is_last=True),)
    between = [Stage(layers=max(counts[1:-1]))] if counts[1:-1] else []
    return (Stage(layers=counts[0], is_first=True), *between, Stage(layers=counts[-1], is_last=True))


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
    least one for every later stage. It ends once none can be faster than the slowest stage found.

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
        if found is None:
            low = middle
            continue
        best, high = found, max(ends_s[end] - ends_s[start] for start, end in pairwise(found))
        if _filled(ends_s, stages, high * (1 - A_HAIR)) is None:
            break
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
