"""``ridgeline simulate``: a trace of requests through replicas of a deployment."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from ridgeline.cli.arguments import (
    LAYOUTS,
    MODEL,
    RATE,
    TIME,
    WHOLE,
    WHOLES,
    engine_option,
    fidelity_option,
    ignore_unknown_option,
    json_option,
    kv_option,
    machine_option,
    operator_options,
    weights_option,
)
from ridgeline.cli.cache_tiers import CACHE_TIERS
from ridgeline.cli.chip_price import price_option
from ridgeline.cli.figure import figure_options, refuse_theme_alone
from ridgeline.cli.kernels import kernels_option, say_kernels
from ridgeline.cli.market import market_option
from ridgeline.cli.number_range import NumberRange
from ridgeline.cli.output import console, print_json, print_text
from ridgeline.cli.progress import clocked
from ridgeline.cli.simulate_another import OrAnother
from ridgeline.cli.simulate_asked import simulation_asked
from ridgeline.cli.simulate_picture import LATENCIES, Shown, draw_simulation, simulation_picture_option
from ridgeline.cli.simulate_play import at_rate, begun_otherwise, played, sought_until_it_lasts
from ridgeline.cli.simulate_setup import ASKED_OF_A_USER, REQUESTS, setup_of
from ridgeline.cli.simulate_text import (
    dealt_words,
    show_found_rate,
    show_simulation,
    simulation_document,
    users_words,
)
from ridgeline.cli.window import notes_beside_window
from ridgeline.simulator.orders import ORDERS
from ridgeline.simulator.routers import ROUTERS

SHARE = 0.99
"""Fraction of the requests that has to stay within the limits at the rate that is looked for."""


def _load_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options on the requests that come."""
    options = (
        click.option(
            "--trace",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="Log of requests: when they came, and how long they are (docs/traces.md has the formats).",
        ),
        click.option("--prompt", "prompt_tokens", type=WHOLE, help="Input tokens of every request, without --trace."),
        click.option("--output", "output_tokens", type=WHOLE, help="Output tokens of every request, without --trace."),
        click.option("--rate", "requests_per_s", type=RATE, help="Requests come independently, so many a second: 5/s."),
        click.option("--users", type=WHOLE, help="So many users ask again as soon as they are answered."),
        click.option(
            "--start-together",
            "starts_together",
            is_flag=True,
            help="Let all users begin at once, as a benchmark's client does, and not one after the other.",
        ),
        click.option(
            "--requests",
            "count",
            type=WHOLE,
            help="Simulate the first so many."
            f"  [default: all of --trace; {REQUESTS:,}, or {ASKED_OF_A_USER} a user; with --find-rate as many as come"
            " for long enough]",
        ),
        click.option(
            "--rate-scale",
            type=NumberRange(0, min_open=True),
            default=1.0,
            show_default=True,
            help="Let them come so many times as fast.",
        ),
        click.option(
            "--seed",
            type=click.IntRange(0),
            default=0,
            show_default=True,
            help="Of the arrivals of --rate, and of --classes.",
        ),
        click.option(
            "--classes",
            metavar="SHARES|COLUMN",
            help="Classes of requests, by chance: fast:0.2,standard:0.6,batch:0.2; or the log's column that has them.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def _replica_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options on the replicas that serve them."""
    options = (
        click.option(
            "--layout",
            "layouts",
            type=LAYOUTS,
            required=True,
            help="Of one replica: tp8, or tp2,dp4,ep8; of two pools, that of prompts first: tp1/tp8.",
        ),
        click.option("--chips", type=WHOLE, help="Chips of a replica; checked against the layout, which gives them."),
        click.option(
            "--replicas",
            type=WHOLES,
            default="1",
            show_default=True,
            help="Replicas that share the requests; of two pools 2/1, or one number for either.",
        ),
        click.option(
            "--router", type=click.Choice(list(ROUTERS)), default="round-robin", show_default=True, help="How."
        ),
        click.option(
            "--policy",
            help="How a replica schedules: continuous, prompts-first, static or departures:20ms."
            "  [default: as its engine does]",
        ),
        click.option(
            "--order",
            type=click.Choice(list(ORDERS)),
            help="Who of those that wait is admitted: the first that came, the shortest prompt, or fast before standard"
            " before batch.  [default: classes where there are any, else first]",
        ),
        click.option(
            "--preempt",
            type=click.Choice(["recompute", "swap"]),
            default="recompute",
            show_default=True,
            help="What becomes of the cache of a request that gives up its memory.",
        ),
        click.option(
            "--no-prefix-cache",
            "has_prefix_cache",
            flag_value=False,
            default=True,
            help="Keep no blocks of prompts, where a log names them.",
        ),
        click.option(
            "--cache",
            "cache",
            type=CACHE_TIERS,
            default=(),
            help="Tiers below a replica's prefix cache, the fastest first: ddr=2TB,tlc=30TB; of other devices the size,"
            " a replica's bandwidth and the latency: pool=50TB@100GB/s+50us; shared:pool=... for one store of all.",
        ),
        click.option(
            "--kv-blocks",
            type=WHOLES,
            help="Blocks of a replica's cache, as its engine logs them; of two pools 5000/20000, or one"
            " number for either.",
        ),
        click.option("--block-tokens", type=WHOLE, help="Tokens of a block.  [default: as its engine has it]"),
    )
    for option in reversed(options):
        command = option(command)
    return command


def _limit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options on limits of latency, and on costs."""
    options = (
        click.option("--ttft", "ttft_s", type=TIME, help="Largest time to the first token that is good: 2s."),
        click.option("--tpot", "tpot_s", type=TIME, help="Largest mean time per token of a good request: 50ms."),
        click.option(
            "--find-rate",
            "is_sought",
            is_flag=True,
            help="Find the highest rate that keeps --ttft, --tpot. A --rate beside it is where the search begins.",
        ),
        click.option(
            "--share",
            type=NumberRange(0, 1, min_open=True),
            default=SHARE,
            show_default=True,
            help="Part of the requests that has to keep them.",
        ),
        click.option(
            "--no-bands",
            "has_bands",
            flag_value=False,
            default=True,
            help="Leave out the 80 % intervals, for which requests are played again by faster and slower steps.",
        ),
        price_option,
        market_option(is_kept=True),
    )
    for option in reversed(options):
        command = option(command)
    return command


class RequestPath(click.ParamType[Path]):
    """Path of a Parquet file whose folder exists."""

    name = "FILE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:  # noqa: ANN401
        """Path as checked; refused where writing would fail later."""
        path = Path(value)
        if path.suffix != ".parquet":
            self.fail(
                f"{str(path)!r} does not end in .parquet; write {str(path.with_suffix('.parquet'))!r}", param, ctx
            )
        if path.is_dir():
            self.fail(f"{str(path)!r} is a folder; name a file in it: {str(path / 'requests.parquet')!r}", param, ctx)
        if not path.parent.is_dir():
            self.fail(f"there is no folder {str(path.parent)!r}; make it first, or name another", param, ctx)
        return path


REQUEST_FILE = RequestPath()


def _refuse_speculation(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    """Refuse drafts with the reason that they are not simulated."""
    if value is not None:
        raise click.BadParameter("drafted tokens are not simulated; leave it out, or ask ridgeline plan", ctx, param)


@click.command("simulate", cls=OrAnother)
@click.option(
    "--run",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    expose_value=False,
    help="Replay a recorded run, a folder with run.toml and requests.csv, with nothing beside it but --json: predicted"
    " beside measured.",
)
@click.option(
    "--compare",
    is_flag=True,
    expose_value=False,
    help="Play the same requests through what each of several .toml files asks for, which name these options without"
    " dashes: ridgeline simulate --compare A.toml B.toml",
)
@click.argument("model", type=MODEL)
@ignore_unknown_option
@machine_option
@_replica_options
@_load_options
@_limit_options
@fidelity_option
@engine_option
@kernels_option
@weights_option
@kv_option
@operator_options
@click.option("--speculate", hidden=True, expose_value=False, callback=_refuse_speculation)
@click.option("--out", type=REQUEST_FILE, help="Write a row for every request into a .parquet file.")
@figure_options("what --picture names")
@simulation_picture_option
@json_option
def command(
    *,
    out: Path | None,
    figure: Path | None,
    picture: str,
    theme: str | None,
    as_json: bool,
    **options: Any,  # noqa: ANN401  those of AskedSimulation
) -> None:
    """Play a trace of requests through replicas of MODEL: latencies, throughput, cost, and where time went.

    With --run DIR alone, replay a recorded run; with --compare A.toml B.toml, play the same requests through several
    deployments.
    """
    refuse_theme_alone(figure, theme)
    if picture != LATENCIES and figure is None:
        raise click.BadParameter("there is no figure to draw it into; add --figure FILE", param_hint="--picture")
    asked = simulation_asked(options)
    setup = setup_of(asked)
    if picture != LATENCIES and setup.player.prompt_pool is not None:
        raise click.BadParameter("is of one pool; of two, --picture latencies is drawn", param_hint="--picture")
    found = None
    with clocked(setup.total) as begin:
        if asked.is_sought:
            setup, found = sought_until_it_lasts(setup, begin)
        player = setup.player if found is None else at_rate(setup.player, found.best.scale)
        shown, tally = played(player, setup.limits, begin, has_bands=asked.has_bands, out=out)
        otherwise = begun_otherwise(player, shown, begin)
        if figure is not None:
            named = {"first token": asked.ttft_s, "per token": asked.tpot_s}
            pictured = Shown(
                simulation=shown,
                tally=tally,
                player=player,
                limits={name: limit for name, limit in named.items() if limit is not None},
                trace=asked.trace,
            )
            draw_simulation(picture, pictured, begin, path=figure, theme=theme)
    if as_json:
        document = {"inputs": setup.inputs(shown), **simulation_document(shown, tally, **setup.limits)}
        sought_rate = None if found is None else dataclasses.asdict(found)
        begun = None if otherwise is None else dataclasses.asdict(otherwise)
        more = {"found_rate": sought_rate, "begun_otherwise_ttft_s": begun, "notes": setup.notes(shown, tally)}
        print_json(document | more)
        return
    began = {"starts_together": player.starts_together, "are_equal": setup.made_up is not None}
    users = None if player.users is None else users_words(**began, otherwise=otherwise)
    dealt = dealt_words(shown) if player.users is None and setup.made_up is not None else ""
    show_simulation(shown, tally, users=users or "", arrivals=dealt, **setup.limits)
    if found is not None:
        unscaled_per_s = None if asked.trace is not None else 1.0
        played_for_long = setup.asked.count if asked.count is None else None
        given_per_s, limits_tokens = asked.requests_per_s or unscaled_per_s, asked.tpot_s is not None
        show_found_rate(found, given_per_s, played_for_long, limits_tokens=limits_tokens)
    deployment = player.deployment
    say_kernels(asked.kernels, deployment.machine, deployment.engine)
    notes = setup.notes(shown, tally)
    for note in notes_beside_window(notes, deployment.model, tally.longest_tokens, [deployment.machine]):
        print_text(console(), f"note: {note}", style="dim")
