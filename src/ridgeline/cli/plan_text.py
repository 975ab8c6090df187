"""Text of ``ridgeline plan``: the table, the best plan in full, why others lose, and the board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console

from ridgeline.cli.demand import limits_said, load_said
from ridgeline.cli.output import counted, listed, print_text, show
from ridgeline.cli.plan_changes import show_elasticities, show_speeds, show_steps
from ridgeline.cli.plan_in_full import show_plan
from ridgeline.cli.plan_table import show_table
from ridgeline.cli.rejected import layout_name, show_rejected
from ridgeline.cli.uncounted import naming_option
from ridgeline.cli.unknown_formats import show_unknown_formats
from ridgeline.cli.window import notes_beside_window, show_doubtful_units, show_window
from ridgeline.estimator.notes import STAGES_UNMEASURED, UNCOUNTED, standing_notes
from ridgeline.estimator.parameters import main_format
from ridgeline.planner.cheaper_ways import CheaperWay
from ridgeline.planner.chip_steps import ChipStep
from ridgeline.planner.compare import INDISTINCT, paid_chip_s_per_output_token, tied, times_the_cost, why_dearer
from ridgeline.planner.held_back import held_back
from ridgeline.planner.outcome import Constraint, Plan, Planning, WhyNot
from ridgeline.planner.plan import DRAFTS_UNSTAGED
from ridgeline.planner.two_pools.outcome import TwoPoolPlan
from ridgeline.seconds import HOUR_S
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import is_ideal
from ridgeline.specs.fidelity import Fidelity
from ridgeline.specs.provenance import Grade, main_grade
from ridgeline.specs.workload import Workload

__all__ = ["price_said", "show_asked", "show_found", "show_more"]


def show_asked(
    out: Console,
    deployment: Deployment,
    workload: Workload,
    found: Planning,
    cheaper: Sequence[CheaperWay],
    *,
    is_default_budget: bool,
) -> None:
    """Print the question and its terms, and at once whether two pools cost less than the one that is planned."""
    model, engine, fidelity = deployment.model, deployment.engine, deployment.fidelity
    limits = [*limits_said(workload), *load_said(found.demand)]
    budget = ", one scale-up domain (--chips N sets another budget)," if is_default_budget else ""
    # A load that nothing serves takes no number of chips, and power feeds each plan as many as it does.
    is_open = found.is_fed or (found.demand.has_load and not found.plans)
    taken = found.plans[0].all_chips if found.demand.has_load and found.plans else found.chips
    most = "at most " if taken < found.chips else ""
    chips = "" if is_open else f"{most}{counted(found.chips, 'chip')}{budget} of "
    show_window(out, model, workload.longest_tokens)
    show_doubtful_units(out, deployment.machine)
    print_text(
        out,
        f" on {chips}{deployment.machine.name}:"
        f" {workload.prompt_tokens:,.0f} tokens in, {workload.output_tokens:,.0f} out" + "".join(limits),
        head=model.name,
    )
    cost = price_said(found.usd_per_chip_s, found.price_label, None if is_open else taken)
    print_text(
        out,
        f"weights {main_format(model, found.precision)}, KV cache {found.precision.kv.name}; engine {engine.title},"
        f" {fidelity_said(fidelity, found)}; {cost}",
    )
    show_unknown_formats(out, deployment)
    if pools := next((way for way in cheaper if isinstance(way.plan, TwoPoolPlan)), None):
        said = f": with a second one, which reads prompts ({pools.option}), a request {_less(pools)}"
        print_text(out, said, head="One pool")
    if is_ideal(engine) and fidelity.at_peaks:
        print_text(
            out,
            f"times are those at the spec sheet's peaks (fidelity {fidelity.name}), which no server reaches",
            head="No engine: ",
        )
    elif is_ideal(engine):
        print_text(
            out,
            "these times are those of kernels, each as benchmarked alone (engine ideal); machines compare only with"
            " others at --engine ideal",
            head="No engine: ",
        )


def fidelity_said(fidelity: Fidelity, found: Planning) -> str:
    """Fidelity by its name, with where those measurements were made that most of the best plan's time rests on."""
    grade = main_grade(found.plans[0].carried_by) if found.plans and not fidelity.at_peaks else Grade.MEASURED
    return f"fidelity {fidelity.name}{NOT_HERE[grade]}"


NOT_HERE = {
    Grade.MEASURED: "",
    Grade.FAMILY: " (on chips of its family)",
    Grade.ASSUMED: " (on other chips)",
}
"""Clauses on measurements that were made elsewhere."""


def price_said(price: float | None, label: str, chips: int | None) -> str:
    """Price of a chip and of all in words, with its source.

    Args:
        price: price of a chip, dollars a second; None where none is known.
        label: source of the price.
        chips: chips that are paid; None where that is open.
    """
    if price is None:
        return f"{label} (give one with --price)"
    if chips is None:
        return f"{show(price, 'usd_per_s')} a chip ({label})"
    if chips == 1:
        return f"{show(price, 'usd_per_s')} for 1 chip ({label})"
    return f"{show(price * chips, 'usd_per_s')} for {counted(chips, 'chip')}, {show(price, 'usd_per_s')} each ({label})"


def show_found(
    out: Console,
    deployment: Deployment,
    workload: Workload,
    found: Planning,
    top: int,
    steps: Sequence[ChipStep],
    cheaper: Sequence[CheaperWay],
    within: int | None,
    *,
    details: bool,
) -> None:
    """Print the plans, the best of them in full, what was rejected and why, and the board's numbers beside them.

    With ``--why-not`` the answer comes first, and beside it the table alone.

    Args:
        out: console to print to.
        deployment: deployment that was planned.
        workload: workload that was asked for.
        found: result of the search.
        top: number of plans to show.
        steps: best plans on fewer chips and on more of them.
        cheaper: ways of serving that cost less.
        within: largest batch of the best plan's layout whose first tokens keep to their limit with all of it under
            way, where those of its own batch do not; None where none does.
        details: whether each plan is shown in full.
    """
    shown = found.plans[:top]
    is_answer = found.why_not is not None and not details
    if found.why_not is not None:
        _show_why_not(out, found.why_not)
    if shown:
        show_table(out, workload, found, shown, within)
    if not is_answer:
        _show_cheaper(out, deployment, found, cheaper)
        for rank, one in enumerate(shown if details else shown[:1], start=1):
            show_plan(out, rank, one, deployment, workload, found, details=details)
        _show_losers(out, found, top)
        show_rejected(out, found.rejected, undivided=found.undivided, details=details)
        if shown and details:
            show_speeds(out, found)
            show_steps(out, found, steps)
            show_elasticities(out, found)
        _show_board(out, found, details=details)
    out.print()
    notes = notes_beside_window(found.notes, deployment.model, workload.longest_tokens, [deployment.machine])
    news = notes if details else _news(notes, deployment, cheaper)
    _show_notes(out, found, shown, naming_option(news, deployment.model, deployment.machine))


def show_more(out: Console, found: Planning, *, details: bool) -> None:
    """Print the options that show more, at the end of all else."""
    if not details:
        more = "without --why-not the best plan in full; --details, --json"
        is_answer = found.why_not is not None
        print_text(out, f"more: {more if is_answer else '--details, --why-not LAYOUT, --json'}", style="dim")


def _news(notes: Iterable[str], deployment: Deployment, cheaper: Sequence[CheaperWay]) -> list[str]:
    """Notes without those that stand beside every plan, and without that on drafts where a cheaper way has them."""
    standing, is_drafted = standing_notes(deployment), any("--speculate" in way.option for way in cheaper)
    return [one for one in notes if one not in standing and not (is_drafted and one.startswith(UNCOUNTED))]


def _show_notes(out: Console, found: Planning, shown: Sequence[Plan], notes: Iterable[str]) -> None:
    """Print the notes that no table has said, and that are of what it shows."""
    said = {DRAFTS_UNSTAGED} if found.plans else set()
    is_held = any(one.needed_fraction for one in held_back(shown, has_load=found.demand.has_load))
    if is_held or not any(one.layout.pp > 1 for one in shown):
        said.add(STAGES_UNMEASURED)
    for note in notes:
        if note not in said:
            print_text(out, f"note: {note}", style="dim")


def _show_cheaper(out: Console, deployment: Deployment, found: Planning, cheaper: Sequence[CheaperWay]) -> None:
    """Print ways to serve the same load that cost less than the table's first plan, each with how it is laid out."""
    for number, way in enumerate(cheaper):
        if number == 0:
            engine, weights = deployment.engine, main_format(deployment.model, found.precision)
            run = " with the options given" if engine.options.given else " by its defaults"
            out.print()
            print_text(
                out,
                f", which is one pool, {engine.title}{'' if is_ideal(engine) else run}, {weights} weights; add the"
                " option in parentheses to its command",
                head="Cheaper than plan 1",
            )
        plan = way.plan
        costs = [
            f"{show(cost, 'usd_per_token')} {phase}"
            for cost, phase in ((plan.usd_per_input_token, "in"), (plan.usd_per_output_token, "out"))
            if cost is not None
        ]
        paid = ", idle chips paid" if plan.idle_chips or found.plans[0].idle_chips else ""
        said = f"{way.name} ({way.option}): {_of_load(plan, found)}a request {_less(way)}{paid}"
        print_text(out, "; ".join(filter(None, (said, ", ".join(costs), *way.cautions))), indent=2, hang=2)
        times = f"TPOT {show(plan.tpot_s, 's')}, TTFT {show(plan.ttft_s, 's')}"
        print_text(out, f"{_laid(plan)}; batch {plan.batch:,}, {times}", indent=4, hang=2)


def _of_load(plan: Plan | TwoPoolPlan, found: Planning) -> str:
    """Clause on the chips that a load takes in place of those of the best plan; empty without a load."""
    if not found.demand.has_load:
        return ""
    best = found.plans[0]
    said = f"{counted(plan.all_chips, 'chip')} in place of {best.all_chips:,}"
    if plan.usd_per_h is not None and best.usd_per_h is not None:
        mine, theirs = (show(one / HOUR_S, "usd_per_s") for one in (plan.usd_per_h, best.usd_per_h))
        said += f", {mine} in place of {theirs}"
    return f"{said}; "


def _laid(plan: Plan | TwoPoolPlan) -> str:
    """Replicas, layouts and chips of a plan in brief, of two pools each."""
    if isinstance(plan, Plan):
        return f"{plan.replicas:,} x {plan.layout}, {counted(plan.replicas * plan.layout.chips, 'chip')}"
    parts = (("prompts", plan.prefill), ("tokens", plan.decode))
    return "; ".join(
        f"{name} {part.replicas:,} x {part.deployment.layout}, {counted(part.chips, 'chip')}" for name, part in parts
    )


def _less(way: CheaperWay) -> str:
    """Clause on what a request costs less than by plan 1, or on its chip time, where chips have no price."""
    if way.plan.usd_per_request is None:
        return f"takes {100 * (1 - 1 / way.times_cheaper):.1f} % less chip time"
    return times_the_cost(1 / way.times_cheaper)


def _show_losers(out: Console, found: Planning, top: int) -> None:
    if min(len(found.plans), top) <= 1:
        return
    has_load, alike = found.demand.has_load, _tied(found, top)
    # What those cost that lack a saving, the table has said.
    held = {one.rank for one in held_back(found.plans[:top], has_load=has_load) if one.needed_fraction and not has_load}
    told = [(rank, one) for rank, one in enumerate(found.plans[1:top], start=2) if rank not in held]
    if not told and not alike:
        return
    out.print()
    ranked = "; in the order of the chips that the load takes" if has_load else ""
    in_all = show(paid_chip_s_per_output_token(found.plans[0]), "s")
    said = f" (a whole request, idle chips paid{ranked}; an output token of plan 1 takes {in_all} of chip time in all)"
    print_text(out, said + alike, head="What the runners-up cost")
    for rank, one in told:
        why = why_dearer(one, found.plans[0], has_load=has_load)
        print_text(out, f"{rank}  {layout_name(one)}: {why}", indent=2, hang=3)


def _tied(found: Planning, top: int) -> str:
    """Sentence on the shown plans that cost the same, and on how many others do; empty where none does."""
    alike = tied(found)
    shown = [one for one in alike if one in found.plans[:top]]
    if len(alike) == 1:
        return ""
    ranks = [str(found.plans.index(one) + 1) for one in shown]
    more = len(alike) - len(shown)
    others = "another one" if more == 1 else f"{more:,} others"
    ranks += [f"{others} (--top {found.plans.index(alike[-1]) + 1})"] if more else []
    better = [_shortest(found, alike, name) for name in ("TPOT", "TTFT")]
    choose = ": " * any(better) + ", ".join(filter(None, better))
    plans = "plan" if len(shown) == 1 else "plans"
    return f"; {plans} {listed(ranks)} cost the same within {100 * INDISTINCT:.0f} %{choose}"


def _shortest(found: Planning, alike: Sequence[Plan], name: str) -> str:
    """Clause on which of several plans has the shortest of a time, and how long the longest is; empty if all alike."""
    times = {found.plans.index(one) + 1: one.tpot_s if name == "TPOT" else one.ttft_s for one in alike}
    rank = min(times, key=lambda one: times[one])
    least, most = times[rank], max(times.values())
    if most <= (1 + INDISTINCT) * least:
        return ""
    return f"{name} shortest in plan {rank} ({show(least, 's')}, against up to {show(most, 's')})"


def _show_why_not(out: Console, asked: WhyNot) -> None:
    breaks = WHAT_IT_BREAKS.get(asked.kind) if asked.kind else None
    said = [f"it breaks the constraint on {breaks}: {asked.reason}" if breaks else asked.reason]
    if one := asked.plan:
        said.append(
            f"at its best batch of {one.batch:,}, TPOT {show(one.tpot_s, 's')} and TTFT {show(one.ttft_s, 's')}"
        )
        said.append(f"bound by {one.bound.text}" + (f"; plan {asked.rank} of those found" if asked.rank else ""))
    out.print()
    print_text(out, f": {'; '.join(said)}", head=f"Why not {asked.layout}")


WHAT_IT_BREAKS = {
    Constraint.MEMORY: "memory",
    Constraint.TTFT: "time to the first token",
    Constraint.TPOT: "time per output token",
    Constraint.CHIPS: "chips",
    Constraint.POWER: "power",
    Constraint.BATCH: "requests at once",
}


BOUNDS = "Bounds of the lecture's blackboard"
"""Heading of the lecture's numbers, which are beside the plan and no part of it."""


def _whole(batch: float) -> str:
    """Batch as a number, with a fraction where that matters."""
    return f"{batch:,.0f}" if batch >= SEVERAL else f"{batch:.3g}"


def _memory_full(batch: float) -> str:
    """Clause on the requests whose KV cache fills memory, of which there may be less than one."""
    if batch < 1:
        return f"the KV cache of one request does not fit: the memory-full batch is {batch:.2g}"
    shown = _whole(batch)
    return f"at {shown} {'request' if shown == '1' else 'requests'}, the memory-full batch, the KV cache fills memory"


SEVERAL = 10
"""Requests from which on a part of one more is not worth saying."""


def _show_board(out: Console, found: Planning, *, details: bool) -> None:
    bounds = found.bounds
    out.print()
    if not bounds.memory_full_batch:
        print_text(out, f": the weights alone do not fit {counted(bounds.chips, 'chip')}", head=BOUNDS)
        return
    if not details:
        print_text(
            out,
            f" (--details): latency floor {show(bounds.floor_step_time_s, 's')}, balance batch"
            f" {bounds.balance_batch:,.0f}, memory-full batch {_whole(bounds.memory_full_batch)}",
            head=BOUNDS,
        )
        return
    with_kv = (
        "with KV reads counted, no batch is bound by compute"
        if bounds.balance_batch_with_kv is None
        else f"{bounds.balance_batch_with_kv:,.0f} with KV reads counted"
    )
    alone = f", {show(bounds.floor_one_sequence_s, 's')} for those of one sequence" if bounds.has_experts else ""
    replica, of_replica = found.replica_bounds, ""
    if replica is not None and replica.chips != bounds.chips:
        floor = show(replica.floor_step_time_s, "s")
        of_replica = f", and {floor} on the {counted(replica.chips, 'chip')} of a replica of the best plan"
    print_text(
        out,
        f", {counted(bounds.chips, 'chip')} as one replica at the spec sheet's peaks: no step is faster than"
        f" {show(bounds.floor_step_time_s, 's')}, the latency floor (every weight read once{alone}){of_replica}; from"
        f" {bounds.balance_batch:,.0f} requests in a step, the balance batch, computing takes longer than reading"
        f" weights ({with_kv}); {_memory_full(bounds.memory_full_batch)}",
        head=BOUNDS,
    )
    if bounds.weights_usd_per_step is not None and bounds.floor_usd_per_output_token is not None:
        print_text(
            out,
            f"cost of decode: a batch shares the {show(bounds.weights_usd_per_step, 'usd')} of a step's weight reads;"
            f" no batch is cheaper than {show(bounds.floor_usd_per_output_token, 'usd_per_token')}"
            f" (compute {show(bounds.compute_usd_per_output_token, 'usd_per_token')},"
            f" KV reads {show(bounds.kv_usd_per_output_token, 'usd_per_token')})",
            indent=2,
        )
