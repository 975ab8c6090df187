"""``ridgeline simulate --figure``: latencies, a time line, or steps as departures; a table of what draws each."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ridgeline.cli.figure import draw_titled
from ridgeline.cli.output import counted, show
from ridgeline.cli.simulate_play import Begin, tell
from ridgeline.simulator.journal import StepWatch
from ridgeline.simulator.outcome import Simulation
from ridgeline.simulator.player import Player
from ridgeline.simulator.tally import Tally
from ridgeline.simulator.timeline import TimelineWatch

if TYPE_CHECKING:
    from ridgeline.figures.theme import Theme

__all__ = ["LATENCIES", "Shown", "draw_simulation", "simulation_picture_option"]

ENOUGH = 4096
"""Number of requests from which the first steps are the same, however many more come."""

LATENCIES = "latencies"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Simulation to draw.

    Attributes:
        simulation: result of the simulation.
        tally: distributions of latencies.
        player: player of the requests, to play them again for an observer.
        limits: limits of latencies, s, by their name in pictures.
        trace: the log; None where requests were made up.
    """

    simulation: Simulation
    tally: Tally
    player: Player
    limits: dict[str, float]
    trace: Path | None


Make = Callable[..., Any]
"""Function that draws, given title, subtitle, foot and theme."""


def _latencies(shown: Shown, begin: Begin) -> tuple[str, str, Make]:
    """Picture of the latencies of requests."""

    def make(*, title: str, subtitle: str, foot: str, theme: Theme) -> Any:  # noqa: ANN401  a figure of the drawing library, which is an extra
        from ridgeline.figures.latencies import latencies_figure  # noqa: PLC0415  slow

        tally = shown.tally
        spreads = {"first token": tally.ttft_s, "per token": tally.tpot_s, "end to end": tally.e2e_s}
        return latencies_figure(spreads, shown.limits, title=title, subtitle=subtitle, foot=foot, theme=theme)

    return "how long requests take", "Simulated", make


def _timeline(shown: Shown, begin: Begin) -> tuple[str, str, Make]:
    """Picture of batch, memory and queue over time."""
    watch, tally, passed = TimelineWatch(), Tally(), begin("Playing, time line")
    shown.player.play(tally=tally, each=lambda served: tell(passed, served), watch=watch)
    found = watch.timeline(tally.first_s, tally.last_s)

    def make(*, title: str, subtitle: str, foot: str, theme: Theme) -> Any:  # noqa: ANN401  a figure of the drawing library, which is an extra
        from ridgeline.figures.timeline import timeline_figure  # noqa: PLC0415  slow

        return timeline_figure(found, title=title, subtitle=subtitle, foot=foot, theme=theme)

    of = " and over replicas" if shown.simulation.replicas > 1 else ""
    return "batch, memory and queue", f"Simulated: means over {show(found.slice_s, 's')}{of}", make


def _departures(shown: Shown, begin: Begin) -> tuple[str, str, Make]:
    """Picture of the first steps, and of who is in them."""
    watch, player = StepWatch(), shown.player
    first = max(ENOUGH, player.users or 0)
    dataclasses.replace(
        player,
        count=first if player.count is None else min(player.count, first),
        kv_blocks=player.capacity.blocks,
        block_tokens=player.capacity.block_tokens,
    ).play(watch=watch)
    found = watch.journal().together()

    def make(*, title: str, subtitle: str, foot: str, theme: Theme) -> Any:  # noqa: ANN401  a figure of the drawing library, which is an extra
        from ridgeline.figures.departures import departures_figure  # noqa: PLC0415  slow

        return departures_figure(found, title=title, subtitle=subtitle, foot=foot, theme=theme)

    of = " of the first replica" if shown.simulation.replicas > 1 else ""
    seen = (
        f"{counted(len(found.steps), 'step')}{of} from {show(found.steps[0].start_s, 's')} on, and the first"
        f" {counted(len(found.passengers), 'request')} in them"
    )
    return "steps as departures", f"Simulated: {seen}", make


PICTURES = {LATENCIES: _latencies, "timeline": _timeline, "departures": _departures}
"""Drawing functions by the picture's name."""


def simulation_picture_option(command: Callable[..., None]) -> Callable[..., None]:
    """Add the option for the picture to draw."""
    return click.option(
        "--picture",
        type=click.Choice(list(PICTURES)),
        default=LATENCIES,
        show_default=True,
        help="What --figure draws: latencies of all requests; batch, memory and queue over time; or the first steps and"
        " who is in each.",
    )(command)


def draw_simulation(picture: str, shown: Shown, begin: Begin, *, path: Path, theme: str | None) -> None:
    """Draw one of the pictures, write and say where."""
    what, foot, make = PICTURES[picture](shown, begin)
    found = shown.simulation
    deployment = found.deployment
    came = f"{found.completed:,} requests" + ("" if shown.trace is None else f" of {shown.trace.name}")
    pools = [one for one in (found.prompt_pool, found) if one is not None]
    fleet = " and ".join(f"{counted(one.replicas, 'replica')} in layout {one.deployment.layout}" for one in pools)
    words = (
        f"{deployment.model.name} on {deployment.machine.name}: {what}",
        f"{came}, {found.requests_per_s:.3g}/s; {fleet}, {found.limits.policy.name}",
        f"{foot}; engine {deployment.engine.title}, fidelity {deployment.fidelity.name}.",
    )
    draw_titled(make, words=words, path=path, theme=theme)
