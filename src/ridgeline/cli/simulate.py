"""``ridgeline simulate``: a trace of requests through replicas of a deployment."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from ridgeline.catalog.engine_options import resolved_options
from ridgeline.cli.arguments import (
    DOLLAR_RATE,
    LAYOUT,
    MODEL,
    RATE,
    TIME,
    WHOLE,
    as_run,
    engine_for,
    engine_option,
    fidelity_option,
    ignore_unknown_option,
    json_option,
    kv_option,
    machine_option,
    operator_options,
    weights_option,
    with_load,
)
from ridgeline.cli.figure import figure_options, refuse_theme_alone
from ridgeline.cli.kernels import kernels_option, say_kernels
from ridgeline.cli.output import console, print_json, print_text
from ridgeline.cli.progress import clocked
from ridgeline.cli.simulate_picture import LATENCIES, Shown, draw_simulation, simulation_picture_option
from ridgeline.cli.simulate_play import at_rate, played, sought
from ridgeline.cli.simulate_run import OrRun
from ridgeline.cli.simulate_text import show_found_rate, show_simulation, simulation_document
from ridgeline.errors import RidgelineError
from ridgeline.estimator.memory import limits_of
from ridgeline.simulator.orders import ORDERS
from ridgeline.simulator.outcome import Simulation
from ridgeline.simulator.player import Player
from ridgeline.simulator.policies import POLICIES, departures, policy_of
from ridgeline.simulator.policy import Policy
from ridgeline.simulator.routers import ROUTERS
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import Engine
from ridgeline.specs.fidelity import Fidelity
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.precision import Component
from ridgeline.traces import RequestSource, open_trace, paced, synthetic
from ridgeline.traces.arrivals import Poisson
from ridgeline.traces.request_lengths import Fixed
from ridgeline.verbs import deploy

REQUESTS = 10_000
"""Requests that are simulated where neither their number nor a trace is given."""

ASKED_OF_A_USER = 10
"""Requests of each user of a closed loop, where their number is not given."""

SHARE = 0.99
"""Part of the requests that has to stay within the limits at the rate that is looked for."""


def _policy(name: str) -> Policy:
    """A policy by its name; departures by their period behind a colon."""
    kind, _, period = name.partition(":")
    if kind == "departures":
        try:
            return departures(TIME.convert(period or "20ms", None, None))
        except (click.BadParameter, RidgelineError) as error:
            raise click.BadParameter(f"{name!r}: {error}; write departures:20ms", param_hint="--policy") from None
    if name not in POLICIES:
        known = ", ".join([*POLICIES, "departures:20ms"])
        raise click.BadParameter(f"{name!r} is none of {known}", param_hint="--policy")
    return POLICIES[name]


def _load_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What comes."""
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
        click.option("--requests", "count", type=WHOLE, help="Simulate the first so many."),
        click.option(
            "--rate-scale",
            type=click.FloatRange(0, min_open=True),
            default=1.0,
            show_default=True,
            help="Let them come so many times as fast.",
        ),
        click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the arrivals of --rate."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def _replica_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What serves them."""
    options = (
        click.option("--layout", type=LAYOUT, required=True, help="Of one replica: tp8, or tp2,dp4,ep8."),
        click.option("--chips", type=WHOLE, help="Chips of a replica; checked against the layout, which gives them."),
        click.option(
            "--replicas", type=WHOLE, default="1", show_default=True, help="Replicas that share the requests."
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
            default="first",
            show_default=True,
            help="Who of those that wait is admitted: the first that came, or the shortest prompt.",
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
        click.option("--kv-blocks", type=WHOLE, help="Blocks of a replica's cache, as its engine logs them."),
        click.option("--block-tokens", type=WHOLE, help="Tokens of a block.  [default: as its engine has it]"),
    )
    for option in reversed(options):
        command = option(command)
    return command


def _limit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What is hoped for, and what it costs."""
    options = (
        click.option("--ttft", "ttft_s", type=TIME, help="Largest time to the first token that is good: 2s."),
        click.option("--tpot", "tpot_s", type=TIME, help="Largest time per output token that is good: 50ms."),
        click.option("--find-rate", "is_sought", is_flag=True, help="Find the highest rate that keeps --ttft, --tpot."),
        click.option(
            "--share",
            type=click.FloatRange(0, 1, min_open=True),
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
        click.option(
            "--price", "usd_per_chip_s", type=DOLLAR_RATE, help="Of a chip: '$2/h'.  [default: the catalog's]"
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


class RequestPath(click.ParamType[Path]):
    """A Parquet file whose folder is there."""

    name = "FILE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:  # noqa: ANN401
        """The path; refused where writing would fail later."""
        path = Path(value)
        if path.suffix != ".parquet":
            self.fail(
                f"{str(path)!r} does not end in .parquet; write {str(path.with_suffix('.parquet'))!r}", param, ctx
            )
        if not path.parent.is_dir():
            self.fail(f"there is no folder {str(path.parent)!r}; make it first, or name another", param, ctx)
        return path


REQUEST_FILE = RequestPath()


def _refuse_speculation(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    """Say that drafts are not simulated, rather than that there is no such option."""
    if value is not None:
        raise click.BadParameter("drafted tokens are not simulated; leave it out, or ask ridgeline plan", ctx, param)


@click.command("simulate", cls=OrRun)
@click.option(
    "--run",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    expose_value=False,
    help="Replay a recorded run, a folder with run.toml and requests.csv, with nothing beside it but --json: predicted"
    " beside measured.",
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
    model: Model,
    machine: Machine,
    fidelity: Fidelity,
    engine: Engine | None,
    kernels: Path | None,
    weights: str | None,
    kv: str | None,
    out: Path | None,
    figure: Path | None,
    picture: str,
    theme: str | None,
    as_json: bool,
    **options: Any,  # noqa: ANN401  of the groups above, and operator_options
) -> None:
    """Play a trace of requests through replicas of MODEL: latencies, throughput, cost, and where time went.

    With --run DIR alone, replay a recorded run: a folder with run.toml and requests.csv, predicted beside measured.
    """
    refuse_theme_alone(figure, theme)
    if picture != LATENCIES and figure is None:
        raise click.BadParameter("there is no figure to draw it into; add --figure FILE", param_hint="--picture")
    asked = {name: options.pop(name) for name in (*REPEATED, *OWN)}
    model = with_load(model, options)
    machine, engine = as_run(machine, fidelity, engine_for(machine, fidelity, engine, kernels), options)
    _refuse(asked, weights)
    layout: Layout = asked["layout"]
    deployment = deploy(model, machine, layout, fidelity=fidelity, engine=engine, weights=weights, kv=kv)
    player = _player(deployment, asked)
    limits = {"ttft_limit_s": asked["ttft_s"], "tpot_limit_s": asked["tpot_s"]}
    with clocked(_total(asked)) as begin:
        found = sought(player, limits, asked["share"], begin) if asked["is_sought"] else None
        if found is not None:
            player = at_rate(player, found.best.scale)
        shown, tally = played(player, limits, begin, has_bands=asked["has_bands"], out=out)
        if figure is not None:
            named = {"first token": asked["ttft_s"], "per token": asked["tpot_s"]}
            pictured = Shown(
                simulation=shown,
                tally=tally,
                player=player,
                limits={name: limit for name, limit in named.items() if limit is not None},
                trace=asked["trace"],
            )
            draw_simulation(picture, pictured, begin, path=figure, theme=theme)
    if as_json:
        inputs = _inputs(deployment, shown, asked) | {"weights": weights, "kernels": kernels}
        sought_document = None if found is None else dataclasses.asdict(found)
        print_json({"inputs": inputs, **simulation_document(shown, tally, **limits), "found_rate": sought_document})
        return
    show_simulation(shown, tally, **limits)
    if found is not None:
        show_found_rate(found)
    say_kernels(kernels, machine, engine)
    for note in (*deployment.notes, *model.caveats):
        print_text(console(), f"note: {note}", style="dim")


def _refuse(asked: dict[str, Any], weights: str | None) -> None:
    """Refuse options that contradict each other, and say which to leave out."""
    layout, chips = asked["layout"], asked["chips"]
    if weights == "auto":
        raise click.BadParameter("'auto' is for plan; name one format here", param_hint="--weights")
    if chips is not None and chips != layout.chips:
        raise click.BadParameter(
            f"{chips} chips, but layout {layout} is one of {layout.chips} (tp*pp*dp*cp); leave --chips out, and give"
            " --replicas for more",
            param_hint="--chips",
        )
    lengths = [asked["prompt_tokens"], asked["output_tokens"]]
    if asked["trace"] is not None and lengths != [None, None]:
        raise click.UsageError("--trace says how long requests are; leave --prompt and --output out")
    if asked["trace"] is None and None in lengths:
        raise click.UsageError("say what comes: --trace FILE, or --prompt and --output with --rate or --users")
    if asked["requests_per_s"] is not None and asked["users"] is not None:
        raise click.UsageError("--rate lets requests come by themselves, --users as others are answered; leave one out")
    if asked["trace"] is None and asked["requests_per_s"] is None and asked["users"] is None:
        raise click.UsageError("say when requests come: --rate 5/s, or --users 64")
    if asked["is_sought"] and asked["ttft_s"] is None and asked["tpot_s"] is None:
        raise click.UsageError("--find-rate keeps limits; give --ttft 2s, --tpot 50ms, or both")
    if asked["is_sought"] and asked["users"] is not None:
        raise click.UsageError("--find-rate changes when requests come, and those of --users come when others are done")


def _source(asked: dict[str, Any]) -> RequestSource:
    """What is asked for, as it comes; of users when does not count."""
    rate, users = asked["requests_per_s"], asked["users"]
    if rate is not None and rate <= 0:
        raise click.BadParameter(f"{rate:g} requests a second are none; write 5/s", param_hint="--rate")
    arrivals = Poisson(1.0 if rate is None else rate)
    if asked["trace"] is None:
        lengths = Fixed(prompt_tokens=asked["prompt_tokens"], output_tokens=asked["output_tokens"])
        return synthetic(requests=_synthetic_count(asked), arrivals=arrivals, lengths=lengths, seed=asked["seed"])
    try:
        found = open_trace(asked["trace"])
    except RidgelineError as error:
        raise click.BadParameter(str(error), param_hint="--trace") from None
    return found if rate is None and users is None else paced(found, arrivals, asked["seed"])


def _player(deployment: Deployment, asked: dict[str, Any]) -> Player:
    """The requests that are asked for, and the replicas that serve them."""
    policy = policy_of(limits_of(deployment)) if asked["policy"] is None else _policy(asked["policy"])
    policy = dataclasses.replace(policy, order=ORDERS[asked["order"]], is_swapped=asked["preempt"] == "swap")
    same = ("count", "rate_scale", "users", "replicas", "router", "kv_blocks", "block_tokens", "has_prefix_cache")
    return Player(
        deployment=deployment,
        requests=_source(asked),
        policy=policy,
        usd_per_chip_s=asked["usd_per_chip_s"],
        **{name: asked[name] for name in same},
    )


def _synthetic_count(asked: dict[str, Any]) -> int:
    """Requests that are made up."""
    users: int | None = asked["users"]
    return asked["count"] or (REQUESTS if users is None else ASKED_OF_A_USER * users)


def _total(asked: dict[str, Any]) -> int | None:
    """Requests that are played, where that is known before a log was read."""
    count: int | None = asked["count"]
    return _synthetic_count(asked) if asked["trace"] is None else count


def _inputs(deployment: Deployment, shown: Simulation, asked: dict[str, Any]) -> dict[str, Any]:
    """What was resolved, so that it can be run again."""
    said = {name: asked[name] for name in REPEATED}
    policy, precision = shown.limits.policy, deployment.precision
    return {
        "model": deployment.model.id,
        "machine": deployment.machine.id,
        "layout": dataclasses.asdict(deployment.layout),
        "chips": deployment.layout.chips,
        **said,
        "policy": f"{policy.name}:{policy.period_s:.12g}s" if policy.period_s else policy.name,
        "fidelity": deployment.fidelity.name,
        "engine": deployment.engine.title,
        "engine_options": resolved_options(deployment.engine, limits_of(deployment), groups=deployment.layout.dp),
        "formats": {component.value: precision.of(component).weight.name for component in Component},
        "kv": precision.kv.name,
        "model_record": dataclasses.asdict(deployment.model),
        "machine_record": dataclasses.asdict(deployment.machine),
    }


REPEATED = (
    "replicas",
    "router",
    "order",
    "preempt",
    "kv_blocks",
    "has_prefix_cache",
    "has_bands",
    "trace",
    "prompt_tokens",
    "output_tokens",
    "requests_per_s",
    "users",
    "count",
    "rate_scale",
    "seed",
    "ttft_s",
    "tpot_s",
    "share",
    "usd_per_chip_s",
)
"""Options that a document repeats as they were given."""

OWN = ("layout", "chips", "policy", "block_tokens", "is_sought")
"""The others of this command alone."""
