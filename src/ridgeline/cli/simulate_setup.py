"""Options of ``ridgeline simulate`` as requests, replicas and limits; contradictions are refused."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import click

from ridgeline.catalog.engine_options import resolved_options
from ridgeline.cli.arguments import TIME, as_run, engine_for, with_load
from ridgeline.cli.cache_tiers import tiers_of
from ridgeline.cli.output import show
from ridgeline.cli.simulate_asked import REPEATED, AskedSimulation
from ridgeline.errors import RidgelineError
from ridgeline.estimator.memory import limits_of
from ridgeline.estimator.notes import length_caveat
from ridgeline.simulator.orders import ORDERS
from ridgeline.simulator.outcome import Simulation
from ridgeline.simulator.player import Player, PromptReplicas
from ridgeline.simulator.policies import POLICIES, departures, policy_of
from ridgeline.simulator.policy import Policy
from ridgeline.simulator.simulate import COMPILED_FROM, has_compiler
from ridgeline.simulator.tally import Tally
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.precision import Component
from ridgeline.traces import RequestSource, classed, open_trace, paced, synthetic
from ridgeline.traces.arrivals import Poisson
from ridgeline.traces.request_lengths import Fixed
from ridgeline.verbs import deploy

__all__ = ["Setup", "setup_of"]

REQUESTS = 10_000
"""Number of requests that are simulated where neither it nor a trace is given."""

ASKED_OF_A_USER = 10
"""Number of requests of each user of a closed loop, where it is not given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """Simulation that the options ask for.

    Attributes:
        asked: options that were given.
        player: player of the requests, through the replicas.
    """

    asked: AskedSimulation
    player: Player

    @property
    def limits(self) -> dict[str, float | None]:
        """Limits that requests are held against, as ``Tally`` takes them."""
        return {"ttft_limit_s": self.asked.ttft_s, "tpot_limit_s": self.asked.tpot_s}

    @property
    def total(self) -> int | None:
        """Number of requests that are played, where that is known before a log was read."""
        return self.asked.count if self.made_up is None else self.made_up

    @property
    def made_up(self) -> int | None:
        """Number of requests that are made up; None of a log."""
        return _synthetic_count(self.asked) if self.asked.trace is None else None

    def with_requests(self, count: int) -> Setup:
        """Setup with another number of requests."""
        return setup_of(dataclasses.replace(self.asked, count=count))

    def notes(self, shown: Simulation, tally: Tally) -> list[str]:
        """Notes on the numbers, each once."""
        pool, deployment = self.player.prompt_pool, self.player.deployment
        notes = [*length_caveat(deployment.model, tally.longest_tokens)]
        notes += [*([] if pool is None else pool.deployment.notes), *deployment.notes, *deployment.model.caveats]
        keeps = shown.capacity if shown.prompt_pool is None else shown.prompt_pool.capacity
        kept_bytes = keeps.tokens * shown.tier_token_bytes
        notes += [
            f"cache tier {tier.name} has {show(tier.capacity_bytes, 'bytes')}, and the replica's own memory has room"
            f" for {show(kept_bytes, 'bytes')}: it finds little that memory does not"
            for tier in self.player.tiers
            if tier.capacity_bytes <= kept_bytes
        ]
        if self.player.tiers and shown.requests >= COMPILED_FROM and has_compiler():
            notes.append("requests with a prefix cache and its tiers are played by the interpreted loop, uncompiled")
        readers = shown.limits if shown.prompt_pool is None else shown.prompt_pool.limits
        if readers.hashed_tokens and readers.groups > 1:
            notes.append(
                "the groups of dp share one prefix cache here; an engine has one of each, and finds less unless"
                " requests with the same beginning go to the same group"
            )
        scheduling, has_experts = deployment.engine.scheduling, deployment.model.is_routed
        if self.asked.starts_together and readers.groups > 1 and scheduling.starts_prefills_alone and has_experts:
            notes.append(
                "users who begin together stay in waves for many rounds, so that groups of dp read their prompts in the"
                " same steps; users who are spread, as plans take them, make all groups wait more often"
            )
        return list(dict.fromkeys(notes))

    def inputs(self, shown: Simulation) -> dict[str, Any]:
        """Options as they were resolved, so that the command can be run again."""
        deployment, policy = self.player.deployment, shown.limits.policy
        precision, pool = deployment.precision, self.player.prompt_pool
        return {
            "model": deployment.model.id,
            "machine": deployment.machine.id,
            "layout": dataclasses.asdict(deployment.layout),
            "chips": deployment.layout.chips,
            "replicas": self.player.replicas,
            "kv_blocks": self.player.kv_blocks,
            "prompt_pool": None
            if pool is None
            else {
                "layout": dataclasses.asdict(pool.deployment.layout),
                "chips": pool.deployment.layout.chips,
                "replicas": pool.replicas,
                "kv_blocks": pool.kv_blocks,
            },
            **{name: getattr(self.asked, name) for name in REPEATED},
            "cache": [dataclasses.asdict(tier) for tier in self.player.tiers],
            "order": _order(self.asked),
            "policy": f"{policy.name}:{policy.period_s:.12g}s" if policy.period_s else policy.name,
            "fidelity": deployment.fidelity.name,
            "engine": deployment.engine.title,
            "engine_options": resolved_options(deployment.engine, limits_of(deployment), groups=deployment.layout.dp),
            "formats": {component.value: precision.of(component).weight.name for component in Component},
            "kv": precision.kv.name,
            "model_record": dataclasses.asdict(deployment.model),
            "machine_record": dataclasses.asdict(deployment.machine),
        }


def setup_of(asked: AskedSimulation) -> Setup:
    """Setup from the options of the command line.

    Raises:
        click.UsageError: options contradict each other, or one is missing; says which.
        RidgelineError: the deployment cannot run.
    """
    _refuse(asked)
    _refuse_of_pools(asked)
    return Setup(asked=asked, player=_player(asked))


def _refuse(asked: AskedSimulation) -> None:
    """Refuse options that contradict each other, and say which to leave out."""
    if asked.trace is None:
        _lengths(asked)
    elif asked.prompt_tokens is not None or asked.output_tokens is not None:
        raise click.UsageError("--trace says how long requests are; leave --prompt and --output out")
    if asked.requests_per_s is not None and asked.users is not None:
        raise click.UsageError("--rate lets requests come by themselves, --users as others are answered; leave one out")
    comes = asked.trace, asked.requests_per_s, asked.users
    if not asked.is_sought and all(one is None for one in comes):
        raise click.UsageError("say when requests come: --rate 5/s, or --users 64")
    if asked.starts_together and asked.users is None:
        raise click.UsageError("--start-together is of users; give --users 64")
    if asked.order == "classes" and asked.classes is None:
        raise click.UsageError("--order classes needs some; add --classes fast:0.2,standard:0.6,batch:0.2")
    if asked.is_sought and asked.ttft_s is None and asked.tpot_s is None:
        raise click.UsageError("--find-rate keeps limits; give --ttft 2s, --tpot 50ms, or both")
    if asked.is_sought and asked.users is not None:
        raise click.UsageError("--find-rate changes when requests come, and those of --users come when others are done")


def _refuse_of_pools(asked: AskedSimulation) -> None:
    """Refuse options that do not go with one pool, or with two."""
    layouts, chips = asked.layouts, asked.chips
    if len(layouts) > 2:  # noqa: PLR2004  prompts and tokens
        raise click.BadParameter("names more than two pools; write PROMPTS/TOKENS: tp1/tp8", param_hint="--layout")
    for hint, numbers in (("--replicas", asked.replicas), ("--kv-blocks", asked.kv_blocks)):
        if numbers is not None and len(numbers) > len(layouts):
            raise click.BadParameter(f"has more numbers than --layout has pools ({len(layouts)})", param_hint=hint)
    if len(layouts) == 1:
        if chips is not None and chips != layouts[0].chips:
            raise click.BadParameter(
                f"{chips} chips, but layout {layouts[0]} is one of {layouts[0].chips} (tp*pp*dp*cp); leave --chips out,"
                " and give --replicas for more",
                param_hint="--chips",
            )
        return
    if chips is not None:
        raise click.BadParameter("two pools have the chips of their layouts; leave it out", param_hint="--chips")
    if asked.users is not None:
        raise click.UsageError("two pools are given requests as they come, and not by --users; give --rate 5/s")


def _source(asked: AskedSimulation) -> RequestSource:
    """Source of the requests, with their classes; arrival times do not count where users are given."""
    shares = _shares(asked.classes)
    source = _unclassed(asked, None if shares else asked.classes)
    try:
        return classed(source, shares, asked.seed) if shares else source
    except RidgelineError as error:
        raise click.BadParameter(str(error), param_hint="--classes") from None


def _unclassed(asked: AskedSimulation, column: str | None) -> RequestSource:
    """Source of the requests, with classes only where a log's column has them."""
    rate, users = asked.requests_per_s, asked.users
    if rate is not None and rate <= 0:
        raise click.BadParameter(f"{rate:g} requests a second are none; write 5/s", param_hint="--rate")
    arrivals = Poisson(1.0 if rate is None else rate)
    if asked.trace is None:
        if column is not None:
            raise click.BadParameter(
                f"there is no log with a column {column!r}; write fast:0.2,standard:0.6,batch:0.2",
                param_hint="--classes",
            )
        return synthetic(requests=_synthetic_count(asked), arrivals=arrivals, lengths=_lengths(asked), seed=asked.seed)
    try:
        found = open_trace(asked.trace, classes=column)
    except RidgelineError as error:
        raise click.BadParameter(str(error), param_hint="--trace") from None
    return found if rate is None and users is None else paced(found, arrivals, asked.seed)


def _lengths(asked: AskedSimulation) -> Fixed:
    """Lengths of requests without a log.

    Raises:
        click.UsageError: one is missing.
    """
    if asked.prompt_tokens is None or asked.output_tokens is None:
        raise click.UsageError("say what comes: --trace FILE, or --prompt and --output with --rate or --users")
    return Fixed(prompt_tokens=asked.prompt_tokens, output_tokens=asked.output_tokens)


def _shares(classes: str | None) -> dict[str, float]:
    """Shares of classes; empty where there are none, or a column is named."""
    parts = [part.partition(":") for part in (classes or "").split(",") if ":" in part]
    try:
        return {name.strip(): float(share) for name, _, share in parts}
    except ValueError:
        raise click.BadParameter(
            f"{classes!r} has a share that is no number; write fast:0.2,standard:0.6,batch:0.2",
            param_hint="--classes",
        ) from None


def _player(asked: AskedSimulation) -> Player:
    """Player of the requests that are asked for, through their replicas."""
    *prompts, deployment = _deployments(asked)
    keeps = prompts[0] if prompts else deployment
    replicas, kv_blocks = asked.replicas, asked.kv_blocks or (None,)
    pool = None
    if prompts:
        pool = PromptReplicas(deployment=prompts[0], replicas=replicas[0], kv_blocks=kv_blocks[0])
    return Player(
        deployment=deployment,
        requests=_source(asked),
        policy=_policy(asked, deployment),
        replicas=replicas[-1],
        kv_blocks=kv_blocks[-1],
        prompt_pool=pool,
        tiers=tiers_of(asked.cache, keeps.machine, chips=keeps.layout.chips, replicas=replicas[0]),
        count=asked.count,
        rate_scale=asked.rate_scale,
        users=asked.users,
        starts_together=asked.starts_together,
        router=asked.router,
        block_tokens=asked.block_tokens,
        has_prefix_cache=asked.has_prefix_cache,
        usd_per_chip_s=asked.usd_per_chip_s,
    )


def _deployments(asked: AskedSimulation) -> list[Deployment]:
    """Deployment of each pool, that of prompts first."""
    fidelity, model = asked.fidelity, with_load(asked.model, asked.operated)
    engine = engine_for(asked.machine, fidelity, asked.engine, asked.kernels)
    machine, engine = as_run(asked.machine, fidelity, engine, asked.operated)
    return [
        deploy(model, machine, layout, fidelity=fidelity, engine=engine, weights=asked.weights, kv=asked.kv)
        for layout in asked.layouts
    ]


def _policy(asked: AskedSimulation, deployment: Deployment) -> Policy:
    """Policy that was named, or its engine's, in the order that is asked for."""
    named = policy_of(limits_of(deployment)) if asked.policy is None else _named_policy(asked.policy)
    order = _order(asked)
    return dataclasses.replace(
        named, order=ORDERS[order], is_ranked=order == "classes", is_swapped=asked.preempt == "swap"
    )


def _order(asked: AskedSimulation) -> str:
    """Order of admission; by default that of classes where there are any, else the first to come."""
    return asked.order or ("first" if asked.classes is None else "classes")


def _named_policy(name: str) -> Policy:
    """Policy by its name; departures by their period behind a colon."""
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


def _synthetic_count(asked: AskedSimulation) -> int:
    """Number of made-up requests."""
    return asked.count or (REQUESTS if asked.users is None else ASKED_OF_A_USER * asked.users)
