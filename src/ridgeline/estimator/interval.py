"""The 80 % interval of a time, from the bands of the kinds of kernels and messages that make it up.

Errors of kernels of one kind are correlated, those of different kinds independent: a step's band combines those of its
kinds, each weighted by its share of the time; the error that a whole step adds to its kernels comes on top.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ridgeline.numeric import Numeric, exp, log, maximum, sqrt
from ridgeline.specs.band import PREFILL, STEP, Band
from ridgeline.specs.engine import Engine

__all__ = ["DECODE_ERRORS", "PREFILL_ERRORS", "WAITED", "Part", "bands_with", "interval_factors", "total_s"]


DECODE_ERRORS, PREFILL_ERRORS = (STEP, "tpot_s"), (PREFILL, STEP, "ttft_s")
"""Quantities of an engine whose errors apply to a pass, the closest first."""

WAITED = "wait"
"""Kind of the time in which a chip waits for other stages of its pipeline."""


class Part(NamedTuple):
    """A part of a time.

    Attributes:
        kind: kind of kernel or message; empty for one that is not measured by itself, and ``WAITED`` for a wait on
            other stages, which has their errors.
        time_s: time of all runs, s.
        once_s: time of one run of its kernel, s.
    """

    kind: str
    time_s: Numeric
    once_s: Numeric


def total_s(parts: Iterable[Part]) -> Numeric:
    """Time of all parts, s."""
    return sum((part.time_s for part in parts), start=0.0)


def bands_with(bands: Mapping[str, Band], engine: Engine, quantities: Sequence[str]) -> Mapping[str, Band]:
    """Bands of a machine's kernels, with the spread that an engine adds.

    Args:
        bands: bands of the kernels.
        engine: engine with the widths of its measured quantities.
        quantities: quantities whose errors apply; the first that was measured of the engine counts.
    """
    width = next((engine.widths[name] for name in quantities if name in engine.widths), None)
    return bands if width is None else {**bands, STEP: Band(below=width, above=width)}


def interval_factors(parts: Iterable[Part], bands: Mapping[str, Band], *, is_step: bool) -> tuple[Numeric, Numeric]:
    """Factors on the sum of the parts for both ends of its interval.

    Args:
        parts: parts of the time.
        bands: bands by kind; a kind without one adds nothing.
        is_step: whether the parts are a whole step, and not isolated kernels.
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
    """Combined width of independent errors."""
    return sqrt(sum((width * width for width in widths), start=0.0))
