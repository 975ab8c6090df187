"""Entries that a sequence attends to, as straight stretches over its context: full attention has one, a window two."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.serving.surface import StepSurface

__all__ = ["Stretches", "stretches_of"]

MOST = 600
"""Stretches beyond which a curve is taken as straight between contexts that lie ``APART``."""

APART = 1.02
"""Ratio of such contexts: between them a square root is off by 1e-4, and entries of compressed tokens by one."""

ROUNDING = 1e-9
"""Part of its entries by which a straight line may seem to bend."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretches:
    """Entries by context of one kind of attention, straight from each context to the next one here.

    Attributes:
        contexts: tokens at which a stretch begins, the new one included; the first is 1.
        entries: attended to there.
        slopes: entries that each further token adds.
    """

    contexts: list[int]
    entries: list[float]
    slopes: list[float]


def stretches_of(surface: StepSurface, longest_context: int) -> list[Stretches]:
    """The curves of all kinds of attention of a surface, up to a context."""
    contexts = np.arange(1.0, longest_context + 2)
    return [_straight(entries) for entries in surface.entries_over(contexts)]


def _straight(entries: NDArray[np.float64]) -> Stretches:
    """A curve over the contexts 1, 2, ... as stretches."""
    bends = np.abs(np.diff(entries, 2)) > ROUNDING * np.abs(entries[1:-1])
    starts = np.append(0, np.flatnonzero(bends) + 1)
    if len(starts) > MOST:
        spaced = APART ** np.arange(np.log(len(entries)) / np.log(APART))
        starts = np.unique(np.round(spaced).astype(np.intp)) - 1
        starts = starts[starts < len(entries) - 1]
    ends = np.append(starts[1:], len(entries) - 1)
    slopes = (entries[ends] - entries[starts]) / np.maximum(ends - starts, 1)
    return Stretches(contexts=(starts + 1).tolist(), entries=entries[starts].tolist(), slopes=slopes.tolist())
