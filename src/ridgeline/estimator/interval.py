"""The 80 % interval of a time, from the bands of the kinds of kernels and messages that it is made of.

Kernels of one kind err together, kinds each for themselves: a step's band is that of its kinds, each weighted by its
share of the time, joined as independent errors are; and what a whole step adds to its kernels comes on top.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ridgeline.numeric import Numeric, exp, log, maximum, sqrt
from ridgeline.specs.band import PREFILL, STEP, Band
from ridgeline.specs.engine import Engine

__all__ = ["DECODE_ERRORS", "PREFILL_ERRORS", "WAITED", "Part", "bands_with", "interval_factors", "total_s"]


DECODE_ERRORS, PREFILL_ERRORS = (STEP, "tpot_s"), (PREFILL, STEP, "ttft_s")
"""Quantities of an engine that show how far off a pass is, the nearest first."""

WAITED = "wait"
"""The kind of a time in which a chip waits for others of its pipeline."""


class Part(NamedTuple):
    """What a part of a time is made of.

    Attributes:
        kind: of kernels or messages; empty where it is none of those that are measured by themselves, and ``WAITED``
            where it is a wait for others like it, which errs as they do.
        time_s: all of it.
        once_s: of one run of its kernel.
    """

    kind: str
    time_s: Numeric
    once_s: Numeric


def total_s(parts: Iterable[Part]) -> Numeric:
    """The time of all parts."""
    return sum((part.time_s for part in parts), start=0.0)


def bands_with(bands: Mapping[str, Band], engine: Engine, quantities: Sequence[str]) -> Mapping[str, Band]:
    """The bands of a machine's kernels, with what an engine adds to them.

    Args:
        bands: of the kernels.
        engine: with the widths of what was measured of it.
        quantities: those whose errors a time has; the first that was measured of the engine counts.
    """
    width = next((engine.widths[name] for name in quantities if name in engine.widths), None)
    return bands if width is None else {**bands, STEP: Band(below=width, above=width)}


def interval_factors(parts: Iterable[Part], bands: Mapping[str, Band], *, is_step: bool) -> tuple[Numeric, Numeric]:
    """What the sum of the parts is to be multiplied by for both ends of its interval.

    Args:
        parts: of the time.
        bands: by kind; a kind that has none adds nothing.
        is_step: whether the parts are a whole step, and not kernels by themselves.
    """
    whole_s: Numeric = 0.0
    below_s: dict[str, Numeric] = {}
    above_s: dict[str, Numeric] = {}
    for kind, time_s, once_s in parts:
        if kind != WAITED:
            whole_s = whole_s + time_s
        band = bands.get(kind)
        if band is None:
            continue
        wider = band.growth * log(maximum(once_s / band.longest_s, 1.0)) if band.growth else 0.0
        below_s[kind] = below_s.get(kind, 0.0) + time_s * (band.below + wider)
        above_s[kind] = above_s.get(kind, 0.0) + time_s * (band.above + wider)
    whole_s = maximum(whole_s, 1e-30)
    below, above = ([one_s / whole_s for one_s in widths_s.values()] for widths_s in (below_s, above_s))
    if is_step or not below:
        below.append(bands[STEP].below)
        above.append(bands[STEP].above)
    return exp(-_joined(below)), exp(_joined(above))


def _joined(widths: Iterable[Numeric]) -> Numeric:
    """Widths of independent errors, together."""
    return sqrt(sum((width * width for width in widths), start=0.0))
