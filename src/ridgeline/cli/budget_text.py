"""What ``ridgeline budget`` prints."""

from __future__ import annotations

from rich.console import Console

from ridgeline.cli.output import console, print_table, print_text, show
from ridgeline.lifecycle.answer import Answer, Budget
from ridgeline.lifecycle.costs import CHIP_S, FLOP
from ridgeline.lifecycle.demand import per_param
from ridgeline.lifecycle.goal import AsGoodAs, AtCost
from ridgeline.lifecycle.phases import MeasuredPhases, Phase
from ridgeline.lifecycle.uncertainty import Band

__all__ = ["show_budget", "subtitle_of"]

HOUR_S, MILLION, TELLING, LARGE = 3600.0, 1e6, 9.5, 1e4
HEADERS = ("law", "active", "tokens", "RL", "cost", "train, RL, serve", "over trained", "as asked", "equal split")


def show_budget(found: Budget, *, details: bool) -> None:
    """The question, a line a law, how sure they are, and what else was asked."""
    out = console()
    print_text(out, f" {subtitle_of(found)}", head=_head(found))
    out.print()
    print_table(out, HEADERS, [_row(found, one) for one in found.answers], optional=(3,))
    out.print()
    _show_legend(out, found)
    _show_experts(out, found)
    _show_beyond(out, found)
    _show_bands(out, found)
    _show_spread(out, found)
    _show_named(out, found)
    if found.phases is not None:
        _show_phases(out, found.phases)
    _show_flows(out, found)
    for one in found.answers:
        if one.solved.why:
            print_text(out, f"note: {one.solved.law.name}: {one.solved.why}", style="dim")
        if one.solved.bound_by:
            print_text(out, f"note: by {one.solved.law.name} the size is bound by {one.solved.bound_by}", style="dim")
    for note in found.notes:
        print_text(out, f"note: {note}", style="dim")
    if details:
        _show_laws(out, found)


def _head(found: Budget) -> str:
    goal = found.asked.goal
    if isinstance(goal, AsGoodAs):
        named = f"{goal.name}, " if goal.name else ""
        return (
            f"As good as {named}{show(goal.params, 'count')} active parameters on {show(goal.tokens, 'count')} tokens:"
        )
    if isinstance(goal, AtCost):
        return f"The best model for {_cost(goal.cost, found.asked.costs.unit)}:"
    return f"A loss of {goal.loss:g} for the least cost:"


def subtitle_of(found: Budget) -> str:
    """What is served and learnt, in a line."""
    asked = found.asked
    served = asked.served
    chance = "" if served.deployed_fraction == 1 else f", deployed with {show(served.deployed_fraction, 'fraction')}"
    read = f" and {show(served.input_tokens, 'count')} read" if served.input_tokens else ""
    relative = asked.costs.output / asked.costs.pretraining
    learning = asked.learning
    if learning.over_pretraining is not None:
        rl = f"RL at {learning.over_pretraining:g} times pre-training's cost"
    elif learning.tokens is None:
        first = found.first
        rl = "RL at serving's cost" + (f", {show(first.rl_tokens, 'count')} tokens" if first is not None else "")
    else:
        rl = f"{show(learning.tokens, 'count')} tokens of RL"
    return (
        f"{show(served.output_tokens, 'count')} tokens written for users{read}{chance}, each at {relative:.3g} times"
        f" the cost of one trained on; {rl}"
    )


def _cost(value: float, unit: str) -> str:
    if unit == FLOP:
        return f"{value:.2e} FLOP".replace("e+", "e")
    if unit == CHIP_S:
        return f"{show(value / HOUR_S, 'count')} chip-h"
    return f"${show(value, 'count')}"


def _row(found: Budget, answer: Answer) -> tuple[str, ...]:
    solved = answer.solved
    best = solved.best
    asked = "" if solved.as_asked_over_training is None else f"{_times(solved.as_asked_over_training)}"
    if best is None:
        return (solved.law.id, *[""] * 6, asked, "")
    shares = (best.shares.pretraining, best.shares.rl, best.shares.serving)
    lost = "" if solved.equal_lost_fraction is None else f"+{100 * solved.equal_lost_fraction:.1f} %"
    return (
        solved.law.id,
        show(best.active_params, "count"),
        show(best.tokens, "count"),
        show(best.rl_tokens, "count") if found.asked.learning.over_pretraining is not None else "",
        _cost(best.total_cost, found.asked.costs.unit).removesuffix(" FLOP"),
        "/".join(f"{100 * share:.0f}" for share in shares),
        _times(best.over_training),
        asked,
        lost,
    )


def _times(value: float) -> str:
    if value < TELLING:
        return f"{value:.2g}×"
    return f"{value:,.0f}×" if value < LARGE else f"{value:.1e}×"


def _beyond(beyond: dict[str, float]) -> str:
    """How far outside of a law's runs: the farthest."""
    short = {"active_params": "N", "tokens": "D", "experts": "E"}
    if not beyond:
        return ""
    name, times = max(beyond.items(), key=lambda one: max(one[1], 1 / one[1]))
    return f"{short[name]} {times:,.2g}×" if times < 100 else f"{short[name]} {times:,.0f}×"  # noqa: PLR2004  two digits


def _show_legend(out: Console, found: Budget) -> None:
    first = found.first
    if first is None:
        return
    _, rest = per_param(found.asked.served, found.asked.learning, found.asked.costs)
    parts = [
        "train, RL, serve: percent of the cost",
        "over trained: tokens over those best for training alone, of the cheapest model",
        "as asked: the same of the model that it is to be as good as",
        "equal split: what is lost where pre-training costs what serving does",
    ]
    if not isinstance(found.asked.goal, AsGoodAs):
        parts.pop(2)
    unit = "FLOP at training's efficiency" if found.asked.costs.unit == FLOP else ""
    costs = f"cost: {unit}; " if unit and rest else ""
    print_text(out, f"{costs}{'; '.join(parts)}", style="dim")


def _show_experts(out: Console, found: Budget) -> None:
    """Experts of the routed laws' answers."""
    routed = [one.solved for one in found.answers if one.solved.law.is_routed and one.solved.best is not None]
    if routed:
        named = ", ".join(f"{one.law.id} {one.experts:g}" for one in routed)
        print_text(out, f" for each that a token visits, the best of a law's runs: {named}", head="Experts")


def _show_beyond(out: Console, found: Budget) -> None:
    """How far the answers lie outside of what laws were fitted on."""
    outside = [f"{one.solved.law.id} {_beyond(one.solved.beyond)}" for one in found.answers if one.solved.extrapolates]
    if outside:
        print_text(
            out,
            f" by times the largest model (N) or the longest training (D) of a law's runs: {', '.join(outside)}",
            head="Extrapolates",
        )


def _show_bands(out: Console, found: Budget) -> None:
    """Four of five draws, of the laws that have errors."""
    for one in found.answers:
        if one.bands is None:
            continue
        bands = one.bands

        def ends(band: Band, dimension: str) -> str:
            return f"{show(band.low, dimension, 3)} to {show(band.high, dimension, 3)}"

        print_text(
            out,
            f" {ends(bands.active_params, 'count')} active parameters, {ends(bands.tokens, 'count')} tokens,"
            f" pre-training {ends(bands.pretraining, 'fraction')} of the cost, over-trained"
            f" {_times(bands.over_training.low)} to {_times(bands.over_training.high)} (80 % of draws from its"
            " published errors)",
            head=one.solved.law.name,
        )
    if found.answers and all(one.bands is None for one in found.answers):
        why = "none of these papers prints errors of its coefficients"
        is_reread = found.asked.unique is not None
        print_text(out, f"No band: {'text is read again' if is_reread else why}", style="dim")


def _show_spread(out: Console, found: Budget) -> None:
    if not found.spread:
        return
    spread = found.spread
    print_text(
        out,
        f" by {spread['active_params']:.3g} times on the parameters, {spread['tokens']:.3g} on the tokens,"
        f" {spread['total_cost']:.3g} on the cost and {spread['over_training']:.2g} on how over-trained that is",
        head="Dense laws disagree",
    )


def _show_named(out: Console, found: Budget) -> None:
    """What a published model's choice implies."""
    goal = found.asked.goal
    if not isinstance(goal, AsGoodAs) or not goal.name:
        return
    known = [one.implied for one in found.answers if one.implied is not None]
    if not known:
        return
    least, most = (pick(known, key=lambda one: one.later_cost_over_pretraining) for pick in (min, max))
    rule = goal.tokens / (20 * goal.params)
    print_text(
        out,
        f" {show(goal.params, 'count')} active parameters on {show(goal.tokens, 'count')} tokens are {rule:.0f} times"
        " 20 a parameter. That is the cheapest of its loss if all that comes after pre-training costs"
        f" {least.later_cost_over_pretraining:.2g} ({least.law}) to {most.later_cost_over_pretraining:.2g} times"
        f" ({most.law}) what that cost: {show(max(least.output_tokens, 0.0), 'count')} to"
        f" {show(most.output_tokens, 'count')} written tokens, RL counted as what costs alike",
        head=goal.name,
    )


def _show_phases(out: Console, phases: MeasuredPhases) -> None:
    """A line a phase."""
    rows = [
        ("pre-training", phases.pretraining),
        ("RL: written", phases.rollout),
        ("RL: scored and trained on", phases.learning),
        ("served: read", phases.input),
        ("served: written", phases.output),
    ]
    out.print()
    print_table(
        out,
        (f"{phases.model} on {phases.machine}", "chip-s a Mtok", "MFU", "layout"),
        [_phase_row(name, phase) for name, phase in rows],
        left=(0, 3),
    )
    print_text(
        out,
        f"a token of RL takes {phases.rl_flop_over_efficiency:.3g} FLOP a parameter at training's efficiency (the"
        f" lecture: 3 at a third, 9); writing reaches {show(phases.decode_relative_efficiency, 'fraction', 2)} of it"
        " (the lecture: a third)",
        style="dim",
    )


def _phase_row(name: str, phase: Phase) -> tuple[str, ...]:
    return name, f"{phase.chip_s_per_token * MILLION:,.0f}", show(phase.mfu_fraction, "fraction", 2), phase.layout


def _show_flows(out: Console, found: Budget) -> None:
    """A smaller model, and what tokens bring in."""
    unit, small, brought = found.asked.costs.unit, found.distilled, found.revenue
    if small is not None:
        pays = (
            f"{show(small.break_even_fraction, 'fraction', 2)} of what is served"
            if small.break_even_fraction <= 1
            else "more than is served: it does not pay"
        )
        print_text(
            out,
            f" {show(small.active_params, 'count')} on {show(small.tokens, 'count')} tokens,"
            f" {_cost(small.training_cost, unit)} with what its teacher reads, pays after"
            f" {show(small.break_even_tokens, 'count')} written tokens, {pays}",
            head="A distilled model",
        )
    if brought is not None:
        print_text(
            out,
            f" {_cost(brought.usd, unit)} over its life, ${brought.mean_usd_per_token * MILLION:.3g}/Mtok on the mean;"
            f" its life costs {show(brought.cost_fraction, 'fraction', 2)} of that",
            head="Revenue",
        )


def _show_laws(out: Console, found: Budget) -> None:
    """Where each law is from, and what it was fitted on."""
    out.print()
    for one in found.answers:
        law = one.solved.law
        sizes = f"{show(law.params[0], 'count')} to {show(law.params[1], 'count')} active parameters"
        tokens = " to ".join(dict.fromkeys(show(end, "count") for end in law.tokens))
        known = " (range not read in the paper)" if law.range_is_unverified else ""
        print_text(
            out,
            f" {law.id}: {law.address}, {law.locator}; fitted on {sizes}, {tokens} tokens{known}; {law.note}",
            head=law.short,
        )
