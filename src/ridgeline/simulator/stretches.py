"""Entries that a sequence attends to, piecewise linear in its context: full attention has one piece, a window two."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.numeric import ROUNDING
from ridgeline.serving.surface import StepSurface

__all__ = ["Stretches", "stretches_of"]

MOST = 600
"""Number of pieces beyond which a curve is interpolated between contexts at a ratio of ``APART``."""

APART = 1.02
"""Ratio of such contexts: interpolation of a square root errs by 1e-4, of compressed tokens by one entry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretches:
    """Entries by context of one kind of attention, linear from each context to the next one here.

    Attributes:
        contexts: tokens at which a piece begins, the new one included; the first is 1.
        entries: entries attended to at each of these contexts.
        slopes: entries that each further token adds.
    """

    contexts: list[int]
    entries: list[float]
    slopes: list[float]


def stretches_of(surface: StepSurface, longest_context: int) -> list[Stretches]:
    """Curves of all kinds of attention of a surface, up to a context."""
    contexts = np.arange(1.0, longest_context + 2)
    return [_straight(entries) for entries in surface.entries_over(contexts)]


def _straight(entries: NDArray[np.float64]) -> Stretches:
    """A curve over the contexts 1, 2, ... as linear pieces."""
    bends = np.abs(np.diff(entries, 2)) > ROUNDING * np.abs(entries[1:-1])
    starts = np.append(0, np.flatnonzero(bends) + 1)
    if len(starts) > MOST:
        spaced = APART ** np.arange(np.log(len(entries)) / np.log(APART))
        starts = np.unique(np.round(spaced).astype(np.intp)) - 1
        starts = starts[starts < len(entries) - 1]
    ends = np.append(starts[1:], len(entries) - 1)
    slopes = (entries[ends] - entries[starts]) / np.maximum(ends - starts, 1)
    return Stretches(contexts=(starts + 1).tolist(), entries=entries[starts].tolist(), slopes=slopes.tolist())
