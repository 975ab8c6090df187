"""Plays of ``ridgeline simulate``: once for all that is shown, again for intervals, and at every rate it tries."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import partial
from itertools import count
from pathlib import Path

from ridgeline.cli.output import show
from ridgeline.cli.progress import Passed
from ridgeline.cli.simulate_setup import Setup
from ridgeline.errors import RidgelineError
from ridgeline.quantity_text import format_quantity
from ridgeline.simulator.bands import with_bands
from ridgeline.simulator.find_rate import FoundRate, Tried, find_rate, requests_for
from ridgeline.simulator.outcome import Simulation
from ridgeline.simulator.player import Player
from ridgeline.simulator.request_file import RequestFile
from ridgeline.simulator.served import Latency, ServedRequests
from ridgeline.simulator.tally import Tally

__all__ = ["Begin", "at_rate", "begun_otherwise", "played", "sought_until_it_lasts", "tell"]

TallyLimits = Mapping[str, float | None]
"""Limits of a ``Tally``, by name."""

Begin = Callable[[str], Passed]
"""Function that begins a bar, by its description."""


def at_rate(player: Player, scale: float) -> Player:
    """Player whose requests come ``scale`` times as fast."""
    return dataclasses.replace(player, rate_scale=scale)


def tell(passed: Passed, served: ServedRequests) -> None:
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

            def each(served: ServedRequests) -> None:
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


def sought_until_it_lasts(setup: Setup, begin: Begin) -> tuple[Setup, FoundRate]:
    """Find the highest rate that keeps the limits for long, of made-up requests with as many as that takes.

    Returns:
        Setup with the number of requests that were played, and the rate; of a log, which has no more, both as they are.

    Raises:
        RidgelineError: so few requests were asked for that they show no rate that lasts.
    """
    given, found = setup.asked.count, _sought(setup, begin)
    while not found.lasts and setup.made_up is not None:
        needed = requests_for(found, setup.made_up)
        if given is not None:
            raise RidgelineError(
                f"find-rate: {given:,} requests are too few. At {found.best.requests_per_s:.3g}/s they came for"
                f" {found.best.request_times:.2g} times as long as one takes, and replicas were filling for much of it:"
                f" the rate that lasts is lower. Give --requests {needed}, or leave it out"
            )
        setup = setup.with_requests(needed)
        found = _sought(setup, begin)
    return setup, found


def _sought(setup: Setup, begin: Begin) -> FoundRate:
    """Find the highest rate that keeps the limits."""
    nth, tallies = count(1), [Tally()]

    def at(scale: float) -> Tried:
        tally = tallies[0] = Tally(**setup.limits)
        passed = begin(f"Playing, rate {next(nth)}")
        shown = at_rate(setup.player, scale).play(tally=tally, each=partial(tell, passed))
        span_s = tally.last_arrival_s - tally.first_s
        # Requests that no replica has memory for are not served within any limits.
        return Tried(
            scale=scale,
            requests_per_s=(tally.completed - 1) / span_s if span_s else float("inf"),
            within_fraction=tally.within / shown.requests,
            request_times=span_s / shown.e2e_s.mean,
        )

    share = setup.asked.share
    return find_rate(at, share, remedy=lambda: _missed(tallies[0], setup.limits, share))


def _missed(tally: Tally, limits: TallyLimits, share: float) -> str:
    """Clause on the limits that requests miss, by how much, and which ones they would keep."""
    said = []
    for name, option in (("ttft", "--ttft"), ("tpot", "--tpot")):
        limit_s = limits[f"{name}_limit_s"]
        taken_s = float(getattr(tally, f"{name}_s").quantiles((share,))[0])
        if limit_s is not None and taken_s > limit_s:
            kept = format_quantity(_round_up(taken_s), "s").replace(" ", "")
            said.append(
                f"{name.upper()} is {show(taken_s, 's')} even so, beyond {show(limit_s, 's')}: write {option} {kept}"
            )
    return " and ".join(said) or "allow more time"


def _round_up(time_s: float) -> float:
    """A time to two digits, never less than it is.

    >>> _round_up(0.1793), _round_up(0.041)
    (0.18, 0.042)
    """
    step = 10.0 ** (math.floor(math.log10(time_s)) - 1)
    return round((math.floor(time_s / step) + 1) * step, 12)
