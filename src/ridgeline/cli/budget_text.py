"""Text of ``ridgeline budget``."""

from __future__ import annotations

import math

from rich.console import Console

from ridgeline.cli.budget_reference import TELLING, show_asked, show_implied, times
from ridgeline.cli.output import console, print_table, print_text, show
from ridgeline.lifecycle.answer import Answer, Budget
from ridgeline.lifecycle.budget import Solved
from ridgeline.lifecycle.costs import CHIP_S, FLOP
from ridgeline.lifecycle.goal import AsGoodAs, AtCost
from ridgeline.lifecycle.phases import MeasuredPhases, Phase
from ridgeline.lifecycle.uncertainty import Band
from ridgeline.seconds import HOUR_S

__all__ = ["dearness_of", "show_budget", "subtitle_of"]

MILLION = 1e6
HEADERS = (
    "law",
    "active",
    "tokens",
    "RL",
    "cost",
    "train, RL, serve",
    "best, over trained",
    "asked, over trained",
    "equal split",
)


def show_budget(found: Budget, *, details: bool) -> None:
    """Print the question, a line a law, how sure they are, and what else was asked."""
    out = console()
    print_text(out, f": {subtitle_of(found)}", head=_head(found))
    out.print()
    print_table(out, HEADERS, [_row(found, one) for one in found.answers], optional=(3,))
    out.print()
    _show_legend(out, found)
    show_asked(out, found)
    _show_experts(out, found)
    _show_beyond(out, found)
    _show_bands(out, found)
    _show_spread(out, found)
    show_implied(out, found)
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
        named, embedding = (f"{goal.name}, ", ", the input embedding included,") if goal.name else ("", "")
        return (
            f"The cheapest model as good as {named}{show(goal.params, 'count')} active parameters{embedding} trained on"
            f" {show(goal.tokens, 'count')} tokens"
        )
    if isinstance(goal, AtCost):
        return f"The best model for {_cost(goal.cost, found.asked.costs.unit)}"
    return f"The cheapest model with a loss of {goal.loss:g}"


def dearness_of(found: Budget) -> str:
    """Cost of a written token against one of pre-training, in words."""
    relative = found.asked.costs.output / found.asked.costs.pretraining
    return "as much as one" if math.isclose(relative, 1.0) else f"{relative:.3g} times as much as one"


def subtitle_of(found: Budget) -> str:
    """Line on the tokens that are served and learnt."""
    asked = found.asked
    served = asked.served
    chance = "" if served.deployed_fraction == 1 else f", deployed with {show(served.deployed_fraction, 'fraction')}"
    read = f" and {show(served.input_tokens, 'count')} read" if served.input_tokens else ""
    learning = asked.learning
    if learning.over_pretraining is not None:
        rl = f"RL at {learning.over_pretraining:g} times the cost of pre-training"
    elif learning.tokens is None:
        first = found.first
        rl = "RL costing as much as serving" + (
            f" ({show(first.rl_tokens, 'count')} tokens)" if first is not None else ""
        )
    else:
        rl = f"{show(learning.tokens, 'count')} tokens of RL"
    written = f"{show(served.output_tokens, 'count')} tokens written for users{read}{chance}"
    return f"{written}, each costing {dearness_of(found)} trained on; {rl}"


def _cost(value: float, unit: str) -> str:
    if unit == FLOP:
        return f"{value:.2e} FLOP".replace("e+", "e")
    if unit == CHIP_S:
        return f"{show(value / HOUR_S, 'count')} chip-h"
    return f"${show(value, 'count')}"


def _row(found: Budget, answer: Answer) -> tuple[str, ...]:
    solved = answer.solved
    best = solved.best
    asked = "" if solved.as_asked_over_training is None else f"{times(solved.as_asked_over_training)}"
    if best is None:
        return (solved.law.id, *[""] * 6, asked, "")
    shares = (best.shares.pretraining, best.shares.rl, best.shares.serving)
    lost = "" if solved.equal_lost_fraction is None else _percent_more(solved.equal_lost_fraction)
    return (
        solved.law.id,
        show(best.active_params, "count"),
        show(best.tokens, "count"),
        show(best.rl_tokens, "count") if found.asked.learning.over_pretraining is not None else "",
        _cost(best.total_cost, found.asked.costs.unit).removesuffix(" FLOP"),
        "/".join(f"{100 * share:.0f}" for share in shares),
        times(best.over_training),
        asked,
        lost,
    )


def _percent_more(fraction: float) -> str:
    """Percent that is lost, to two digits or a tenth of a percent."""
    percent = 100 * fraction
    return f"+{percent:.1f} %" if percent < TELLING else f"+{percent:.0f} %"


def _beyond(beyond: dict[str, float]) -> str:
    """Farthest distance of an answer from a law's runs, as text."""
    short = {"active_params": "N", "tokens": "D", "experts": "E"}
    if not beyond:
        return ""
    name, times = max(beyond.items(), key=lambda one: max(one[1], 1 / one[1]))
    return f"{short[name]} {times:,.2g}×" if times < 100 else f"{short[name]} {times:,.0f}×"  # noqa: PLR2004  two digits


def _show_legend(out: Console, found: Budget) -> None:
    """Print the meaning of the columns, and why their rows differ."""
    if found.first is None:
        return
    unit = "in FLOP at training's efficiency" if found.asked.costs.unit == FLOP else "of the whole life"
    is_asked = isinstance(found.asked.goal, AsGoodAs)
    models = " (best: the cheapest model; asked: the one to be as good as)" if is_asked else ""
    lost = "loss" if isinstance(found.asked.goal, AtCost) else "cost"
    print_text(
        out,
        f"cost: {unit}; train, RL, serve: percent of it; over trained: tokens as a multiple of the compute-optimal"
        f" ones, those best if only training cost anything{models}; equal split: extra {lost} of a model"
        " whose pre-training costs what its serving does",
        style="dim",
    )
    if len(found.answers) > 1:
        routed = " Routed laws answer with experts, which are worth parameters that no token pays for."
        print_text(
            out,
            ": each law was fitted to other sizes and mostly other text and tokenizers, and is asked for the loss that"
            f" it itself predicts.{routed if _routed(found) else ''}",
            head="Rows are not to be averaged",
        )


def _routed(found: Budget) -> list[Solved]:
    """Answers of routed laws."""
    return [one.solved for one in found.answers if one.solved.law.is_routed and one.solved.best is not None]


def _show_experts(out: Console, found: Budget) -> None:
    """Print the numbers of experts of the routed laws' answers."""
    if routed := _routed(found):
        named = ", ".join(f"{one.law.id} {one.experts:g}" for one in routed)
        print_text(out, f" for each that a token visits, the best number of a law's runs: {named}", head="Experts")


def _show_beyond(out: Console, found: Budget) -> None:
    """Print how far the answers lie outside of what laws were fitted on."""
    outside = [f"{one.solved.law.id} {_beyond(one.solved.beyond)}" for one in found.answers if one.solved.extrapolates]
    if outside:
        print_text(
            out,
            ", in multiples of the largest model (N) or longest training (D) that a law was fitted to:"
            f" {', '.join(outside)}",
            head="Extrapolation",
        )


def _show_bands(out: Console, found: Budget) -> None:
    """Print the 80 % bands of the draws, of the laws that have errors."""
    for one in found.answers:
        if one.bands is None:
            continue
        bands = one.bands

        def ends(band: Band, dimension: str) -> str:
            return f"{show(band.low, dimension, 3)} to {show(band.high, dimension, 3)}"

        print_text(
            out,
            f": 80 % of draws from its published errors give {ends(bands.active_params, 'count')} active parameters,"
            f" {ends(bands.tokens, 'count')} tokens,"
            f" pre-training {ends(bands.pretraining, 'fraction')} of the cost, over-training"
            f" {times(bands.over_training.low)} to {times(bands.over_training.high)}",
            head=one.solved.law.name,
        )
    if found.first is not None and all(one.bands is None for one in found.answers):
        why = "none of these papers prints errors of its coefficients"
        is_reread = found.asked.unique is not None
        print_text(out, f"No band: {'text is read again' if is_reread else why}", style="dim")


def _show_spread(out: Console, found: Budget) -> None:
    if not found.spread:
        return
    spread = found.spread
    print_text(
        out,
        f" on its parameters by a factor of {spread['active_params']:.3g}, on its tokens by {spread['tokens']:.3g},"
        f" on its cost by {spread['total_cost']:.3g}, on its over-training by {spread['over_training']:.2g}",
        head="On the best model dense laws disagree",
    )


def _show_phases(out: Console, phases: MeasuredPhases) -> None:
    """Print the costs of the phases, a line a phase."""
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
        (f"{phases.model} on {phases.machine}", "chip-s a Mtok", "parameters' MFU", "layout"),
        [_phase_row(name, phase) for name, phase in rows],
        left=(0, 3),
    )
    print_text(
        out,
        "parameters' MFU: FLOP of the parameters alone, so that phases compare; ridgeline train counts attention, too,"
        " and says more of the same pre-training step",
        style="dim",
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
    """Print when a distilled model pays, and what tokens bring in."""
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
            f" {show(small.break_even_tokens, 'count')} served tokens, {pays}",
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
    """Print the source of each law, and what it was fitted on."""
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
