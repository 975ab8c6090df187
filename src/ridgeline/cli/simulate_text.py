"""Result of a simulation, in words and as a document."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from rich.console import Console

from ridgeline.cli.carried import show_summary
from ridgeline.cli.output import console, counted, percent, print_table, print_text, show
from ridgeline.cli.window import show_doubtful_units, show_window
from ridgeline.estimator.notes import beyond_default
from ridgeline.estimator.parameters import main_format
from ridgeline.quantity_text import format_dollars, format_number
from ridgeline.serving.request_carriers import request_carriers
from ridgeline.simulator.capacity import Capacity
from ridgeline.simulator.find_rate import FoundRate
from ridgeline.simulator.orders import ORDERS
from ridgeline.simulator.outcome import OfClass, OfTier, PromptPool, Simulation, Steady
from ridgeline.simulator.policy import Policy
from ridgeline.simulator.served import Latency
from ridgeline.simulator.tally import Tally
from ridgeline.specs.provenance import Carrier, heaviest_first
from ridgeline.specs.workload import Workload

__all__ = [
    "LATENCIES",
    "dealt_words",
    "fleet_words",
    "show_found_rate",
    "show_simulation",
    "simulation_document",
    "users_words",
]

WORTH_SAYING = 0.05
"""Part of the chips' time that idles from which on the price of the chips at work is said beside that of all."""


def simulation_document(
    found: Simulation, tally: Tally, *, ttft_limit_s: float | None, tpot_limit_s: float | None
) -> dict[str, Any]:
    """JSON document of a simulation, by name."""
    left_out = {"arrivals_s", "deployment", "limits", "capacity", "prompt_pool", "classes", "tiers", "tier_token_bytes"}
    left_out |= {"in_order"}
    own = {field.name: getattr(found, field.name) for field in dataclasses.fields(found) if field.name not in left_out}
    has_limits = (ttft_limit_s, tpot_limit_s) != (None, None)
    return own | {
        "pools": _pools(found),
        "classes": [_class(one, found.simulated_s, has_limits=has_limits) for one in found.classes],
        "ttft_s": dataclasses.asdict(found.ttft_s),
        "tpot_s": dataclasses.asdict(found.tpot_s),
        "e2e_s": dataclasses.asdict(found.e2e_s),
        "by_replica": [dataclasses.asdict(one) for one in found.by_replica],
        "tiers": [dataclasses.asdict(one) | _tier_bytes(one, found) for one in found.tiers],
        "bands": None if found.bands is None else dataclasses.asdict(found.bands),
        "output_tokens_per_s": found.output_tokens_per_s,
        "requests_per_s": found.requests_per_s,
        "chip_busy_fraction": found.chip_busy_fraction,
        "usd_per_request": found.usd_per_request,
        "usd_per_output_token": found.usd_per_output_token,
        "usd_per_input_token": found.usd_per_input_token,
        "at_work_usd_per_output_token": found.at_work_usd_per_output_token,
        "at_work_usd_per_input_token": found.at_work_usd_per_input_token,
        **_capacity(found.capacity),
        "within_fraction": tally.within / found.requests if has_limits else None,
        "goodput_requests_per_s": tally.within / found.simulated_s if has_limits else None,
        "is_overloaded": found.is_overloaded,
        "steady": _steady_document(found.steady, has_limits=has_limits),
        "carried_by": [one.to_row() for one in _carriers(found)],
    }


def _steady_document(steady: Steady | None, *, has_limits: bool) -> dict[str, Any] | None:
    """JSON document of a second of steady load; None where there was none."""
    if steady is None:
        return None
    own = dataclasses.asdict(steady)
    return own if has_limits else own | {"goodput_requests_per_s": None}


def _tier_bytes(one: OfTier, found: Simulation) -> dict[str, float]:
    """Bytes fetched from a tier and written to it."""
    return {f"{name}_bytes": getattr(one, f"{name}_tokens") * found.tier_token_bytes for name in ("fetched", "written")}


def _capacity(capacity: Capacity) -> dict[str, Any]:
    """JSON document of the room in a replica's cache, and how it was computed."""
    return {
        "kv_capacity_tokens": capacity.tokens,
        "kv_blocks": capacity.blocks,
        "block_tokens": capacity.block_tokens,
        "kv_is_stated": capacity.is_stated,
        "kv_token_bytes": capacity.token_bytes,
        "memory": dataclasses.asdict(capacity.memory),
    }


def _pools(found: Simulation) -> dict[str, Any] | None:
    """JSON document of both pools; None where there is one."""
    pool = found.prompt_pool
    if pool is None:
        return None
    same = ("router", "busy_fraction", "mean_waiting", "evicted_blocks", "usd_per_s")
    return {
        name: {
            "layout": dataclasses.asdict(one.deployment.layout),
            "chips": one.deployment.layout.chips,
            "replicas": one.replicas,
            **{field: getattr(one, field) for field in same},
            "staged_fraction": pool.staged_fraction if one is pool else None,
            **_capacity(one.capacity),
        }
        for name, one in (("prefill", pool), ("decode", found))
    }


def _class(one: OfClass, simulated_s: float, *, has_limits: bool) -> dict[str, Any]:
    """JSON document of the requests of a class."""
    own = dataclasses.asdict(one)
    within = own.pop("within")
    return own | {
        "within_fraction": within / one.completed if has_limits else None,
        "goodput_requests_per_s": within / simulated_s if has_limits else None,
    }


def _carriers(found: Simulation) -> tuple[Carrier, ...]:
    """Carriers of the time of a mean request in a mean batch; of two pools by the time of their chips."""
    workload = Workload(
        prompt_tokens=max(round(found.prompt_tokens / found.completed), 1),
        output_tokens=max(round(found.output_tokens / found.completed), 1),
    )
    carriers = request_carriers(
        found.deployment,
        workload,
        batch=max(round(found.mean_batch), 1),
        decode_s=1 - found.reading_fraction,
        prompt_s=found.reading_fraction,
    )
    pool = found.prompt_pool
    if pool is None:
        return carriers
    reading = request_carriers(pool.deployment, workload, batch=1, decode_s=0.0, prompt_s=1.0)
    chips = [one.deployment.layout.chips * one.replicas * one.busy_fraction for one in (found, pool)]
    return heaviest_first(
        (one.part, one.source, one.time_fraction * busy)
        for part, busy in zip((carriers, reading), chips, strict=True)
        for one in part
    )


def users_words(*, starts_together: bool, otherwise: Latency | None, are_equal: bool) -> str:
    """Sentence on how users began, from which their first tokens' waits come, and on the other way.

    Args:
        starts_together: whether all began at once.
        otherwise: times to the first token where they begin the other way; None where that was not played.
        are_equal: whether all requests are equally long.
    """
    ways = ["one after the other, over a request's time (without --start-together)"]
    ways.append("all at once, as a benchmark's do (--start-together)")
    began, other = reversed(ways) if starts_together else ways
    said = "" if otherwise is None else f": first token {show(otherwise.mean, 's')} at the mean, p90 "
    said += "" if otherwise is None else show(otherwise.p90, "s")
    # Nothing jitters here: equal requests meet in no round, or in each.
    unlike = (
        "; equal requests that begin apart seldom wait for each other here, and such as begin together do so in every"
        " round; plan and expect give the waits of measured loops"
    )
    alike = unlike if are_equal else ""
    return f"began {began.partition(' (')[0]}; {other}{said}{alike}"


def dealt_words(found: Simulation) -> str:
    """Sentence on what a router that deals requests out does to random arrivals; empty where it does not."""
    pool = found.prompt_pool
    replicas = found.replicas if pool is None else pool.replicas
    if replicas == 1 or found.router not in EVENING:
        return ""
    return (
        f"at random, and dealt out to {counted(replicas, 'replica')} ({found.router}), which evens them; a plan takes"
        " them at random at each replica, so that its first tokens come later. Waits of neither were measured"
    )


EVENING = frozenset({"round-robin", "least-loaded"})
"""Routers after which a replica's requests come more evenly than at random."""


def show_simulation(
    found: Simulation,
    tally: Tally,
    *,
    ttft_limit_s: float | None,
    tpot_limit_s: float | None,
    users: str = "",
    arrivals: str = "",
) -> None:
    """Print the memory first, which all else hangs on; then latencies, throughput, cost, and where time went."""
    out, deployment = console(), found.deployment
    model, pool = deployment.model, found.prompt_pool
    show_window(out, model, tally.longest_tokens)
    show_doubtful_units(out, deployment.machine)
    print_text(out, f" {fleet_words(found)}", head=model.name)
    if pool is not None:
        print_text(out, f" of prompts {_memory(pool)}", head="KV cache")
    print_text(out, f" {'' if pool is None else 'of tokens '}{_memory(found)}", head="KV cache")
    print_text(
        out,
        f"weights {main_format(model, deployment.precision)}, KV cache {deployment.precision.kv.name}; engine"
        f" {deployment.engine.title}, fidelity {deployment.fidelity.name}; {_policy(found.limits.policy)}",
    )
    out.print()
    _latencies(out, found)
    out.print()
    rows = [(name, said) for name, said in (("users", users), ("arrivals", arrivals)) if said]
    rows += _rows(found, _goodput(found, tally, ttft_limit_s, tpot_limit_s))
    print_table(out, ("", ""), [(f"  {name}", said) for name, said in rows], left=(0, 1))
    if found.tiers:
        out.print()
        _tiers(out, found)
    if found.classes:
        out.print()
        _classes(out, found, has_limits=(ttft_limit_s, tpot_limit_s) != (None, None))
    show_summary(out, _carriers(found))


def fleet_words(found: Simulation) -> str:
    """Replicas that serve, in words."""
    pool = found.prompt_pool
    is_spread = found.replicas > 1 or (pool is not None and pool.replicas > 1)
    spread = f", {found.router}" if is_spread else ""
    machine = found.deployment.machine.name
    if pool is None:
        return f"in layout {found.deployment.layout} on {machine}: {_replicas(found)}{spread}"
    return (
        f"on {machine}: {_replicas(pool)} in layout {pool.deployment.layout} for prompts, {_replicas(found)} in layout"
        f" {found.deployment.layout} for tokens{spread}"
    )


def _replicas(one: Simulation | PromptPool) -> str:
    return f"{counted(one.replicas, 'replica')} of {counted(one.deployment.layout.chips, 'chip')}"


def _policy(policy: Policy) -> str:
    """Policy in words, with what its name does not say."""
    says = [f"{policy.name}: {policy.says}"]
    says += [said for name, said in ORDER_WORDS.items() if ORDERS[name] is policy.order]
    if policy.is_swapped:
        says.append("who gives up memory has the cache moved to the host")
    return "; ".join(says)


ORDER_WORDS = {"shortest": "the shortest prompt first", "classes": "fast before standard before batch"}
"""Words for orders of admission other than that of arrival."""


def _memory(found: Simulation | PromptPool) -> str:
    """Sentence on how many tokens there is room for, and why."""
    capacity, chip = found.capacity, found.deployment.machine.chip
    if not capacity.is_bounded:
        return "does not grow with the context: any number of tokens a replica"
    size = f"{capacity.tokens:,} tokens a replica, {counted(capacity.blocks, 'block')} of {capacity.block_tokens}"
    if capacity.is_stated:
        return f"{size}, as stated"
    memory = capacity.memory
    parts = " - ".join(
        f"{name} {show(float(value), 'bytes')}"
        for name, value in (
            ("memory", chip.hbm_bytes),
            ("weights", memory.weights_bytes),
            ("activations", memory.activation_bytes),
            ("reserved", memory.reserved_bytes),
        )
    )
    each = f"{show(capacity.token_bytes, 'bytes')} a token of a request of {capacity.of_tokens:,.0f}"
    free = f"{show(float(memory.free_bytes), 'bytes')} ({parts}){beyond_default(memory, found.deployment)}"
    return f"{size}: of each chip {free}, {each}; --kv-blocks states it"


def _latencies(out: Console, found: Simulation) -> None:
    """Print means and percentiles, the mean and the last with their intervals."""
    bands, rows = found.bands, []
    for name, field in LATENCIES.items():
        latency: Latency = getattr(found, field)
        if math.isnan(latency.mean):  # no request had a second token
            continue
        cells = [show(getattr(latency, part), "s") for part in ("mean", "p50", "p90", "p99")]
        if bands is not None:
            low, high = getattr(bands, field)
            cells.insert(1, _interval(low.mean, high.mean))
            cells.append(_interval(low.p99, high.p99))
        rows.append((name, *cells))
    heads: tuple[str, ...] = ("mean", "p50", "p90", "p99")
    if bands is not None:
        heads = ("mean", "80 % interval", "p50", "p90", "p99", "80 % interval")
    print_table(out, ("", *heads), rows, left=(0,))
    if bands is not None:
        said = "80 % intervals: of the mean, and of p99, with steps as fast and as slow as theirs; "
        why = "slower steps also let more requests gather, so that these are wider than a plan's, whose batch is fixed"
        print_text(out, said + why, style="dim")


def _interval(low_s: float, high_s: float) -> str:
    """Ends of an interval, with one unit where both have the same.

    >>> _interval(0.033, 0.059), _interval(0.9, 1.2)
    ('33 - 59 ms', '900 ms - 1.2 s')
    """
    low, high = (show(end, "s", 2) for end in (low_s, high_s))
    number, _, unit = low.partition(" ")
    return f"{number if high.partition(' ')[2] == unit else low} - {high}"


def _classes(out: Console, found: Simulation, *, has_limits: bool) -> None:
    """Print the latencies of each class."""
    heads = [f"{name}, {part}" for name in LATENCIES for part in ("mean", "p99")]
    rows = []
    for one in found.classes:
        latencies = [getattr(one, field) for field in LATENCIES.values()]
        numbers = [getattr(latency, part) for latency in latencies for part in ("mean", "p99")]
        cells = ["" if math.isnan(number) else show(number, "s") for number in numbers]
        rows.append((one.name, f"{one.completed:,}", percent(one.within / one.completed) if has_limits else "", *cells))
    print_table(out, ("", "served", "within", *heads), rows, left=(0,))


LATENCIES = {"first token": "ttft_s", "per token": "tpot_s", "end to end": "e2e_s"}
"""Fields of the latencies that clients see, by their names here."""


def _goodput(found: Simulation, tally: Tally, ttft_s: float | None, tpot_s: float | None) -> str:
    """Requests within limits in words; empty without limits."""
    limits = [f"{name} {show(limit, 's')}" for name, limit in (("TTFT", ttft_s), ("TPOT", tpot_s)) if limit is not None]
    if not limits:
        return ""
    rate = f"{tally.within / found.simulated_s:.4g} requests/s"
    return f"{rate}: {percent(tally.within / found.requests)} within {' and '.join(limits)}"


def _rows(found: Simulation, goodput: str) -> list[tuple[str, str]]:
    """Rows of a simulation's single numbers."""
    came = f"{found.requests:,} came, {found.completed:,} served"
    if found.refused:
        came += f", {found.refused:,} refused: no replica has memory for them"
    if found.failed:
        came += f"; {found.failed:,} without output left out"
    rate = f"{found.requests_per_s:.4g} requests/s, {found.output_tokens_per_s:,.0f} output tokens/s"
    rate += f", over {show(found.simulated_s, 's')} from the first arrival to the last token"
    rows = [("requests", came), ("throughput", rate + _with_ramps(found))]
    rows += [("overload", _overload(found)), ("goodput", goodput)]
    rows += [("cost", _cost(found)), ("steady", _steady(found, has_limits=bool(goodput)))]
    rows += [("prompt pool", _staged(found)), ("time", _where(found)), ("while busy", _while_busy(found))]
    rows.append(("replicas", _apart(found)))
    if found.cached_fraction:
        rows.append(("prefix cache", f"{percent(found.cached_fraction)} of prompt tokens were there{_of_which(found)}"))
    played = f"{found.completed / found.wall_s:,.0f} requests a second"
    rows.append(("simulating", f"took {show(found.wall_s, 's')} of this machine's time: {played}"))
    return [(name, said) for name, said in rows if said]


def _cost(found: Simulation) -> str:
    """Price of tokens in words, and that of the chips at work where many idle; empty without a price."""
    paid = found.usd_per_output_token, found.usd_per_input_token
    at_work = found.at_work_usd_per_output_token, found.at_work_usd_per_input_token
    said = [_prices(written, read) for written, read in (paid, at_work) if written is not None and read is not None]
    idle = 1 - found.chip_busy_fraction
    if said and idle >= WORTH_SAYING:
        return (
            f"{said[0]}: all chips are paid, and {percent(idle, 0)} of their time is idle; without idle time {said[1]}"
        )
    return said[0] if said else ""


def _steady(found: Simulation, *, has_limits: bool) -> str:
    """Sentence on what a steady load gives and costs; empty without one, and where ramp-up and drain matter little."""
    steady = found.steady
    if steady is None or steady.requests_per_s < found.requests_per_s * (1 + WORTH_SAYING):
        return ""
    said = f"{steady.requests_per_s:.4g} requests/s, {steady.output_tokens_per_s:,.0f} output tokens/s"
    if has_limits:
        said += f", goodput {steady.goodput_requests_per_s:.4g} requests/s"
    if steady.usd_per_output_token is not None and steady.usd_per_input_token is not None:
        said += f", {_prices(steady.usd_per_output_token, steady.usd_per_input_token)}"
    return f"{said}: without the ramp-up and drain that all above has in it"


def _with_ramps(found: Simulation) -> str:
    """Clause that ramp-up and drain are in it, and on the rate at which requests came."""
    if not found.arrivals_per_s or found.is_overloaded:
        return ", ramp-up and drain in it"
    came = f"at {found.arrivals_per_s:.4g}/s from the first to the last"
    if found.is_steady or found.arrivals_per_s < found.requests_per_s * (1 + WORTH_SAYING):
        return f", ramp-up and drain in it; requests came {came}"
    return (
        f": ramp-up and drain are in it, since requests came for {show(found.arrivals_s, 's')} alone, {came}; with more"
        " --requests, a steady load is told apart"
    )


def _prices(usd_per_output_token: float, usd_per_input_token: float) -> str:
    output, read = map(format_dollars, (usd_per_output_token, usd_per_input_token))
    return f"{output}/Mtok of output, {read} of input"


def _overload(found: Simulation) -> str:
    """Sentence that more came than was served; empty where it was not."""
    if not found.is_overloaded:
        return ""
    return (
        f"{found.arrivals_per_s:.3g} requests/s came, more than are served: {found.first_tokens_per_s:.3g} a second got"
        " their first token. The queue grew for as long as they came, and with more of them the wait is longer without"
        " end. Give more --replicas, or a lower rate; --find-rate finds the highest that keeps --ttft and --tpot"
    )


def _of_which(found: Simulation) -> str:
    """Share of cached tokens in memory and in tiers; empty where there is memory alone."""
    if not found.tiers:
        return ""
    fetched = sum(one.fetched_tokens for one in found.tiers) / found.prompt_tokens
    return f": {percent(found.cached_fraction - fetched)} in memory, {percent(fetched)} fetched"


def _tiers(out: Console, found: Simulation) -> None:
    """Print the hits of each tier, of the blocks that those above it did not have."""
    rows = [
        (
            f"{one.name}, shared" if one.is_shared else one.name,
            show(one.capacity_bytes, "bytes"),
            show(one.read_bytes_per_s, "bytes_per_s"),
            percent(one.hit_tokens / (one.hit_tokens + one.missed_tokens)),
            percent(one.fetched_tokens / one.hit_tokens) if one.hit_tokens else "-",
            show(one.written_tokens * found.tier_token_bytes, "bytes"),
            show(one.evicted_tokens * found.tier_token_bytes, "bytes"),
            percent(one.busy_fraction, 2),
        )
        for one in found.tiers
    ]
    heads = ("tier", "holds", "read", "hits", "of them fetched", "written", "evicted", "link busy")
    print_table(out, heads, rows, left=(0,))


def _where(found: Simulation) -> str:
    """Shares of the replicas' time in words."""
    busy, reading = found.busy_fraction, found.reading_fraction
    return f"decoding {percent(busy * (1 - reading))}, prompts {percent(busy * reading)}, idle {percent(1 - busy)}"


def _staged(found: Simulation) -> str:
    """Clause on how busy and full the pool of prompts was; empty where there is none."""
    pool = found.prompt_pool
    if pool is None:
        return ""
    return (
        f"busy {percent(pool.busy_fraction)}, {_few(pool.mean_waiting)} wait meanwhile; {percent(pool.staged_fraction)}"
        " of its KV cache holds what is to be moved; what follows is of the pool of tokens"
    )


def _while_busy(found: Simulation) -> str:
    """Means over the steps in words."""
    batch = format_number(found.mean_batch)
    batch += f" {'sequence decodes' if batch == '1' else 'sequences decode'}, {_few(found.mean_waiting)} wait"
    memory = f"KV cache {percent(found.kv_used_fraction, 0)} in use, " if found.capacity.is_bounded else ""
    return f"{batch}; {memory}{counted(found.preemptions, 'preemption')}"


def _few(requests: float) -> str:
    """Mean number of requests in words; none where it rounds to none.

    >>> _few(56.52), _few(2958.7), _few(0.0442), _few(5.25e-06)
    ('56.5 requests', '2,960 requests', '0.0442 requests', 'no requests')
    """
    return "no requests" if requests < FEW else f"{format_number(requests)} requests"


FEW = 0.001
"""Mean number of requests below which none is said."""


def _apart(found: Simulation) -> str:
    """Clause on how unlike replicas are; empty for one replica."""
    if found.replicas == 1:
        return ""
    busy = [one.busy_fraction for one in found.by_replica]
    batch = [one.mean_batch for one in found.by_replica]
    decode = f"{format_number(min(batch))} to {format_number(max(batch))} decode"
    return f"busy {percent(min(busy))} to {percent(max(busy))} of the time; {decode}"


def _below(rate: float) -> str:
    """A rate to five digits, rounded down: a little more misses what the rate itself keeps.

    >>> _below(19.1317), _below(0.123456), _below(123456.0)
    ('19.131', '0.12345', '123450')
    """
    step = 10.0 ** (math.floor(math.log10(rate)) - 4)
    return f"{math.floor(rate / step) * step:.10g}"


def _too_short(found: FoundRate) -> str:
    """Sentence that a log ends too soon for its rate to be one that lasts; empty where it goes on."""
    if found.lasts:
        return ""
    return (
        f". The log ends {found.best.request_times:.2g} request times after it began: replicas fill for a part of it,"
        " and the rate that lasts is lower"
    )


def show_found_rate(found: FoundRate, given_per_s: float | None, requests: int | None, *, limits_tokens: bool) -> None:
    """Print the rate that was looked for, and those that were tried, the lowest first.

    Args:
        found: rates that were tried.
        given_per_s: rate at which made-up requests come unscaled, 1/s; None for those of a log.
        requests: number of requests that it took beyond the usual ones; None where it took none.
        limits_tokens: whether the time per token is limited: that of each request, where a plan's is a mean.
    """
    single = ". --tpot is each request's limit here, and that of the mean of all in a plan" if limits_tokens else ""
    out, best = console(), found.best
    asked_per_s = None if given_per_s is None else given_per_s * best.scale
    again = f"--rate-scale {_below(best.scale)}" if asked_per_s is None else f"--rate {_below(asked_per_s)}/s"
    again += "" if requests is None else f" --requests {requests}"
    out.print()
    print_text(
        out,
        f" {best.requests_per_s:.4g} requests/s is the highest at which {found.share:.6g} of the requests keep the"
        f" limits{_missing(found)}; all above is at that rate{_too_short(found)}{single}",
        head="rate",
    )
    again += f" plays it again{_by_chance(best.requests_per_s, asked_per_s)}"
    print_text(out, again, indent=2, hang=2, style="dim")
    tried = sorted(found.tried, key=lambda one: one.scale)
    heads: tuple[str, ...] = ("requests/s", "within", "limits")
    rows: list[tuple[str, ...]] = [
        (
            f"{one.requests_per_s:.4g}",
            percent(one.within_fraction, 2),
            "found" if one is best else "kept" if one.within_fraction >= found.share else "missed",
        )
        for one in tried
    ]
    if given_per_s is None:
        heads, rows = ("rate scale", *heads), [(f"{one.scale:.5g}", *row) for one, row in zip(tried, rows, strict=True)]
    print_table(out, heads, rows, left=(len(heads) - 1,))


def _missing(found: FoundRate) -> str:
    """Clause on the lowest rate above the one that was found, at which too few keep the limits."""
    above = [one.requests_per_s for one in found.tried if one.scale > found.best.scale]
    return f", and {min(above):.4g} is too many" if above else ""


def _by_chance(came_per_s: float, asked_per_s: float | None) -> str:
    """Clause on how far random arrivals came at another rate than was asked for; empty of a log, and where they agree.

    >>> _by_chance(4.288, 4.3433), _by_chance(4.288, 4.288)
    (': arrivals are drawn at random, and of these 4.288 a second come where 4.343 are asked for', '')
    """
    came, asked = (f"{one:.4g}" for one in (came_per_s, asked_per_s or came_per_s))
    return (
        ""
        if came == asked
        else f": arrivals are drawn at random, and of these {came} a second come where {asked} are asked for"
    )
