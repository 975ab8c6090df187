"""One plan line by line."""

from __future__ import annotations

from rich.console import Console

from ridgeline.cli.carried import OF_A_REQUEST, show_carriers
from ridgeline.cli.output import capacity, counted, print_table, print_text, short, show
from ridgeline.cli.plan_table import under_way_said, when_said
from ridgeline.cli.rejected import layout_name
from ridgeline.cli.speculation import said_of_plan
from ridgeline.estimator.parameters import kv_bytes_held
from ridgeline.planner.outcome import Constraint, Energy, Plan, Planning
from ridgeline.planner.two_pools.outcome import TwoPoolPlan
from ridgeline.seconds import KWH_J
from ridgeline.specs.demand import Demand
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.fidelity import Fidelity
from ridgeline.specs.model import Model
from ridgeline.specs.provenance import summary
from ridgeline.specs.workload import Workload

__all__ = [
    "BENCHMARK",
    "DEALT_OUT",
    "WHAT_LIMITS",
    "power_said",
    "show_plan",
    "tpot_interval_said",
    "ttft_interval_said",
]

WHAT_LIMITS = {
    Constraint.MEMORY: "memory is full",
    Constraint.TPOT: "more would break the TPOT limit",
    Constraint.POWER: "more would draw more power than there is",
    Constraint.COST: "more would save less than 1 %",
    Constraint.ENGINE: "the engine takes no more in a step (--max-sequences)",
    Constraint.LOAD: "its part of the load",
}


BENCHMARK = "a benchmark of ten requests a user, all of whom begin at once"
"""Load whose first burst is in its mean: a tenth of all requests, which wait for each other."""


DEALT_OUT = "a router that deals them out in turn, as simulate's does, evens them, so that first tokens come sooner"
"""Reason why first tokens of a simulation with several replicas come sooner than a plan's; no wait was measured."""


def _what_limits(one: Plan, demand: Demand) -> str:
    """Reason why a batch is no larger."""
    if one.limited_by is Constraint.LOAD and demand.requests_per_s is not None:
        mean = f"on the mean {show(one.in_flight, 'count')} have their first token and not their last"
        return f"its part of the load while there is any, rounded up; {mean}"
    is_asked = one.limited_by is Constraint.LOAD and demand.batch is not None
    return "as asked for (--batch)" if is_asked else WHAT_LIMITS[one.limited_by]


def show_plan(
    out: Console, rank: int, one: Plan, deployment: Deployment, workload: Workload, found: Planning, *, details: bool
) -> None:
    """Print a plan line by line."""
    share = one.chip_s_per_output_token[one.bound] / sum(one.chip_s_per_output_token.values())
    model, fidelity = deployment.model, deployment.fidelity
    of_steps = "the same" if one.decode_bound is one.bound else one.decode_bound.text
    when = when_said(one, found.demand)
    if found.demand.users is not None and one.benchmark_ttft_s is not None:
        when += f"; with it, {show(one.benchmark_ttft_s, 's')} is the mean of {BENCHMARK}"
    elif found.demand.requests_per_s is not None and one.replicas > 1:
        when += f"; {DEALT_OUT}"
    rows = [
        ("TPOT", f"{show(one.tpot_s, 's')}{_step_and_prompts(one)}{tpot_interval_said(one, workload, fidelity)}"),
        ("TTFT", f"{show(one.ttft_s, 's')}{ttft_interval_said(one, fidelity)}, {when}"),
        *([] if found.demand.has_load else [("loaded TTFT", under_way_said(one, workload))]),
        (
            "bound by",
            f"{one.bound.text}, the largest share of chip time, {100 * share:.0f} %; decode steps: {of_steps}",
        ),
        (
            "replicas",
            f"{one.replicas:,}, of {counted(one.layout.chips, 'chip')} each, "
            + (f"{counted(one.idle_chips, 'chip')} {_idle_why(found)}" if one.idle_chips else "no chip idle"),
        ),
        *_load(one, workload),
        ("batch", f"{one.batch:,}: {_what_limits(one, found.demand)}"),
    ]
    if any(found.speculations):
        rows.append(("speculation", said_of_plan(one, found.speculations)))
    if one.kv_capacity_tokens is not None:
        given = f", with {show(float(one.memory.raised_bytes), 'bytes')} a chip more for the engine than by default"
        said = f"room for {_room(one.kv_capacity_tokens, model, workload, found)} a replica"
        rows.append(("KV cache", said + (given if one.is_memory_raised else "")))
    if one.energy is not None and (details or found.demand.heeds_power):
        rows.append(("power", "; ".join(_power(one, one.energy, found.demand))))
    rows.append(("carried by", summary(one.carried_by)))
    if details:
        rate = one.output_tokens_per_s_per_chip * one.layout.chips * one.replicas
        memory = {"weights": "weights", "kv": "KV cache", "activation": "activations", "free": "free"}
        parts = [f"{said} {show(getattr(one.memory, f'{name}_bytes'), 'bytes')}" for name, said in memory.items()]
        rows += [
            ("prefill", f"bound by {one.prefill_bound.text}"),
            ("all replicas", f"{rate:,.0f} output tok/s"),
            ("a chip's memory", ", ".join(parts)),
        ]
    title = f"Plan {rank}" if details else "Best plan"
    out.print()
    print_text(out, f", {layout_name(one)}", head=title)
    print_table(out, ("", ""), [(f"  {name}", said) for name, said in rows], left=(0, 1))
    if details:
        show_carriers(out, one.carried_by, of=OF_A_REQUEST)


def _step_and_prompts(one: Plan) -> str:
    """Clause on the parts of the time per token: a decode step, its tokens, and prompts of other requests.

    It is empty where a time per token is that of a step, in the digits that are shown.
    """
    is_alone = show(one.tpot_s - one.others_prompts_s, "s") == show(one.tpot_s, "s")
    over = f" / {one.speculation.accepted_tokens:.3g} tokens" if one.speculation else ""
    prompts = "" if is_alone else f" + {show(one.others_prompts_s, 's')} of others' prompts"
    return f" = decode step {show(one.decode_step_s, 's')}{over}{prompts}" if over or prompts else ""


def tpot_interval_said(one: Plan | TwoPoolPlan, workload: Workload, fidelity: Fidelity) -> str:
    """Clause on the interval of the time per token; of a bound from below, which has none, that it is one."""
    if fidelity.at_peaks:
        return ", a bound from below"
    over = "" if one.limits_met_at_high else f"; the upper end would not keep to {show(workload.tpot_s, 's')}"
    return f", 80 % interval {show(one.tpot_low_s, 's')} - {show(one.tpot_high_s, 's')}{over}"


def ttft_interval_said(one: Plan | TwoPoolPlan, fidelity: Fidelity) -> str:
    """Clause on the interval of the time to the first token; empty of a bound from below, which has none."""
    if fidelity.at_peaks:
        return ""
    return f", 80 % interval {show(one.ttft_low_s, 's')} - {show(one.ttft_high_s, 's')}"


def _room(capacity_tokens: int, model: Model, workload: Workload, found: Planning) -> str:
    """Room of the KV cache: in tokens, or in requests where of long ones not every token is kept."""
    tokens = workload.ending_tokens
    once, twice = (float(kv_bytes_held(model, found.precision, times * tokens)) for times in (1, 2))
    if twice > WHOLLY_KEPT * once:
        return f"{show(capacity_tokens, 'count')} tokens"
    return f"{counted(int(capacity_tokens / tokens), 'request')} of {tokens:,.0f} tokens, not all of them kept,"


WHOLLY_KEPT = 1.98
"""Ratio of the cache of twice the tokens to that of the tokens from which on all of them are kept."""


def _load(one: Plan, workload: Workload) -> list[tuple[str, str]]:
    """Row on how much of the load that the replicas could take they are given; none unless it is a rate."""
    most = one.most_requests_per_s
    if most is None:
        return []
    given, could = short(one.requests_per_s), capacity(most)
    has_limits = workload.tpot_s is not None or workload.ttft_s is not None
    kept = "within the limits" if has_limits else "before their queues grow without end"
    part = f"{100 * one.requests_per_s / most:.0f} %"
    single = "" if workload.tpot_s is None else "; by the mean TPOT (simulate --find-rate: by that of each request)"
    return [("load", f"{given} of the {could} requests/s that all replicas take {kept}: {part}{single}")]


def _idle_why(found: Planning) -> str:
    """Reason why chips that are paid for idle."""
    return "idle beside them, too few in a domain for one more" if found.demand.has_load or found.is_fed else "idle"


def _power(plan: Plan, one: Energy, demand: Demand) -> list[str]:
    """Power of a plan, clause by clause."""
    most_w, parts = demand.site_power_w, power_said(one, demand)
    if most_w is not None and not demand.has_load:
        fed = plan.fed_replicas(most_w)
        if fed is not None and fed > plan.replicas:
            parts.append(f"there is power for {counted(fed, 'replica')} (--chips {fed * plan.layout.chips})")
    return parts


def power_said(one: Energy, demand: Demand) -> list[str]:
    """Power of the chips, energy of tokens, and the cost of both, clause by clause."""
    site, most_w = show(one.site_power_w, "w"), demand.site_power_w
    overhead = f", with a PUE of {demand.pue:g}" if demand.pue > 1 else ""
    limit = "" if most_w is None else f" of {show(most_w, 'w')}"
    per_output, per_input = (
        1e6 * joules / KWH_J for joules in (one.energy_j_per_output_token, one.energy_j_per_input_token)
    )
    parts = [
        f"{show(one.chip_power_w, 'w')} a chip, {site} in all{limit}{overhead}",
        f"{per_output:.3g} kWh/Mtok out, {per_input:.3g} kWh/Mtok in",
    ]
    if one.electricity_usd_per_output_token is not None and one.electricity_usd_per_input_token is not None:
        costs = one.electricity_usd_per_output_token, one.electricity_usd_per_input_token
        output, read = (show(cost, "usd_per_token") for cost in costs)
        parts.append(f"electricity {output} out, {read} in, within the cost above")
    return parts
