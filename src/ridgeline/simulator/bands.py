"""Intervals of a simulation: it is played again with steps as slow and as fast as their own interval allows.

Errors of estimated steps are correlated: where one is too fast, all of that deployment are. The same arrivals are
played with steps of other speeds, so that only the steps differ; a queue turns a small error of a step into a large one
of a wait. First tokens are less certain than steps, by the spread that loads of an engine were measured to add to a
lone prompt.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import TypeVar

from ridgeline.serving.interval import load_interval, tpot_interval, ttft_interval
from ridgeline.serving.passes import pool_passes
from ridgeline.simulator.outcome import Bands, Simulation
from ridgeline.simulator.served import Latency, ServedRequests
from ridgeline.simulator.tally import Tally
from ridgeline.specs.workload import Workload

__all__ = ["Intervals", "intervals_of", "with_bands"]

BETWEEN = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Positions in the steps' log interval at which requests are played: its ends, and points for nonlinear results."""

PARTS = tuple(field.name for field in dataclasses.fields(Latency))

Seen = TypeVar("Seen", ServedRequests, Tally)
"""Type of the results for single requests."""

Intervals = tuple[tuple[float, float], tuple[float, float]]
"""Factors on steps, and on lone first tokens, for both ends of their 80 % intervals."""


def intervals_of(found: Simulation) -> Intervals:
    """Intervals of steps and lone first tokens of a simulation's deployment, at its mean lengths and batch."""
    workload = Workload(
        prompt_tokens=max(round(found.prompt_tokens / found.completed), 1),
        output_tokens=max(round(found.output_tokens / found.completed), 2),
    )
    passes = pool_passes(found.deployment, workload, max(found.mean_batch / found.limits.groups, 1.0))
    if found.prompt_pool is None:
        return tpot_interval(passes), ttft_interval(passes)
    reading = pool_passes(found.prompt_pool.deployment, workload, 1.0)
    return load_interval(passes, "disaggregated_tpot_s"), load_interval(reading, "disaggregated_ttft_s")


def with_bands(
    play: Callable[[float], tuple[Simulation, Seen]], intervals: Intervals | None = None
) -> tuple[Simulation, Seen]:
    """A simulation with its bands.

    Args:
        play: plays the same requests with all steps multiplied by a factor.
        intervals: intervals of steps and of lone first tokens; left out, the deployment's.
    """
    middle, served = play(1.0)
    (low, high), first = intervals_of(middle) if intervals is None else intervals
    factors: list[float] = [low ** (1 - at) * high**at for at in BETWEEN]
    others = [middle, *(play(factor)[0] for factor in factors if factor != 1.0)]
    bands = Bands(
        ttft_s=_beside(_around([one.ttft_s for one in others]), float(served.ttft_s.min()), (low, high), first),
        tpot_s=_around([one.tpot_s for one in others]),
        e2e_s=_around([one.e2e_s for one in others]),
        output_tokens_per_s=_ends([one.output_tokens_per_s for one in others]),
    )
    return dataclasses.replace(middle, bands=bands), served


def _ends(values: Sequence[float]) -> tuple[float, float]:
    return min(values), max(values)


def _around(found: Sequence[Latency]) -> tuple[Latency, Latency]:
    ends = {part: _ends([getattr(one, part) for one in found]) for part in PARTS}
    low, high = (Latency(**{part: both[end] for part, both in ends.items()}) for end in (0, 1))
    return low, high


def _beside(
    both: tuple[Latency, Latency], lone_s: float, step: tuple[float, float], first: tuple[float, float]
) -> tuple[Latency, Latency]:
    """Interval of first tokens, with the extra error of an idle system's over that of steps; both are independent."""
    below, above = (
        math.sqrt(max(math.log(of_first) ** 2 - math.log(of_step) ** 2, 0.0))
        for of_first, of_step in zip(first, step, strict=True)
    )
    less_s, more_s = lone_s * (1 - math.exp(-below)), lone_s * (math.exp(above) - 1)
    low, high = both
    return (
        Latency(**{part: max(getattr(low, part) - less_s, 0.0) for part in PARTS}),
        Latency(**{part: getattr(high, part) + more_s for part in PARTS}),
    )
