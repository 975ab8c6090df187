"""Plays of ``ridgeline simulate``: once for all that is shown, again for intervals, and at every rate it tries."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import partial
from itertools import count
from pathlib import Path

from ridgeline.cli.progress import Passed
from ridgeline.simulator.bands import with_bands
from ridgeline.simulator.find_rate import FoundRate, Tried, find_rate
from ridgeline.simulator.outcome import Simulation
from ridgeline.simulator.player import Player
from ridgeline.simulator.request_file import RequestFile
from ridgeline.simulator.served import Latency, Served
from ridgeline.simulator.tally import Tally

__all__ = ["Begin", "at_rate", "begun_otherwise", "played", "sought", "tell"]

TallyLimits = Mapping[str, float | None]
"""Limits of a ``Tally``, by name."""

Begin = Callable[[str], Passed]
"""Function that begins a bar, by its description."""


def at_rate(player: Player, scale: float) -> Player:
    """Player whose requests come ``scale`` times as fast."""
    return dataclasses.replace(player, rate_scale=scale)


def tell(passed: Passed, served: Served) -> None:
    """Report how far a play is."""
    if len(served):
        passed(len(served), float(served.arrivals_s[-1]))


def played(
    player: Player, limits: TallyLimits, begin: Begin, *, has_bands: bool, out: Path | None
) -> tuple[Simulation, Tally]:
    """Play requests, with intervals where asked for; rows of requests are written as they are done.

    Args:
        player: player of the requests.
        limits: limits that requests are held against.
        begin: function that shows that a play begins.
        has_bands: whether requests are played again, for intervals.
        out: Parquet file of the rows; None to write none.
    """
    nth = count(1)

    def at(step_factor: float) -> tuple[Simulation, Tally]:
        tally = Tally(**limits)
        if step_factor != 1.0:
            passed = begin(f"Playing, interval {next(nth)}")
            return player.play(step_factor, tally=tally, each=partial(tell, passed)), tally
        passed = begin("Playing")
        with RequestFile(out) if out is not None else nullcontext() as file:

            def each(served: Served) -> None:
                tell(passed, served)
                if file is not None:
                    file.add(served)

            return player.play(tally=tally, each=each), tally

    return with_bands(at) if has_bands else at(1.0)


QUICKLY_PLAYED = 10_000
"""Requests up to which all are played a second time for one number beside the others."""


def begun_otherwise(player: Player, shown: Simulation, begin: Begin) -> Latency | None:
    """Times to the first token where users begin the other way: at once, or one after the other.

    None without users, and where the requests that were played are too many to be played again.
    """
    if player.users is None or shown.requests > QUICKLY_PLAYED:
        return None
    other = dataclasses.replace(player, starts_together=not player.starts_together)
    return other.play(each=partial(tell, begin("Playing, users begin otherwise"))).ttft_s


def sought(player: Player, limits: TallyLimits, share: float, begin: Begin) -> FoundRate:
    """Find the highest rate that keeps the limits."""
    nth = count(1)

    def at(scale: float) -> Tried:
        tally = Tally(**limits)
        passed = begin(f"Playing, rate {next(nth)}")
        shown = at_rate(player, scale).play(tally=tally, each=partial(tell, passed))
        span_s = tally.last_arrival_s - tally.first_s
        # Requests that no replica has memory for are not served within any limits.
        return Tried(
            scale=scale,
            requests_per_s=(tally.completed - 1) / span_s if span_s else float("inf"),
            within_fraction=tally.within / shown.requests,
        )

    return find_rate(at, share)
