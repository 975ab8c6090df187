"""Text of ``ridgeline budget`` on the model to be as good as: how over-trained it is, and what it is right for."""

from __future__ import annotations

from rich.console import Console

from ridgeline.cli.output import print_text, show
from ridgeline.lifecycle.answer import Budget
from ridgeline.lifecycle.goal import AsGoodAs
from ridgeline.lifecycle.named import Implied

__all__ = ["TELLING", "show_asked", "show_implied", "times"]

TELLING, LARGE = 9.5, 1e4
"""Ratios from which tenths, and from which digits, tell nothing."""


def times(value: float) -> str:
    """Ratio as text, with as many digits as tell something."""
    if value < TELLING:
        return f"{value:.2g}×"
    return f"{value:,.0f}×" if value < LARGE else f"{value:.1e}×"


def show_asked(out: Console, found: Budget) -> None:
    """Print how over-trained that model is, by each law and by those that were fitted to the same runs."""
    goal = found.asked.goal
    over = {one.solved.law: one.solved.as_asked_over_training for one in found.answers}
    known = {law: value for law, value in over.items() if value is not None}
    if not isinstance(goal, AsGoodAs) or len(known) < 2:  # noqa: PLR2004  one has nothing to differ from
        return
    least, most = min(known, key=lambda law: known[law]), max(known, key=lambda law: known[law])
    text = (
        f": for {show(goal.params, 'count')} active parameters {show(goal.tokens / known[most], 'count')} ({most.id})"
        f" to {show(goal.tokens / known[least], 'count')} ({least.id}), of which {show(goal.tokens, 'count')} are"
        f" {times(known[most])} to {times(known[least])}"
    )
    alike = [value for law, value in known.items() if law.runs == least.runs]
    if 1 < len(alike) < len(known):
        text += f"; {len(alike)} fits to the same runs ({least.runs}) say {times(min(alike))} to {times(max(alike))}"
    print_text(out, text, head="Laws disagree most on compute-optimal tokens")


def show_implied(out: Console, found: Budget) -> None:
    """Print the costs that a published model's choice implies."""
    goal = found.asked.goal
    if not isinstance(goal, AsGoodAs) or not goal.name:
        return
    known = [one.implied for one in found.answers if one.implied is not None]
    if not known:
        return
    least, most = (pick(known, key=lambda one: one.later_cost_over_pretraining) for pick in (min, max))
    ends = [least] if least is most else [least, most]
    rule = goal.over_rule_of_thumb
    ratios = " to ".join(f"{one.later_cost_over_pretraining:.2g} ({one.law})" for one in ends)
    print_text(
        out,
        f": {show(goal.tokens, 'count')} tokens are {rule:.0f} times the rule of thumb of 20 for each of its"
        f" {show(goal.params, 'count')} active parameters. It is the cheapest model of its loss if RL and serving"
        f" together cost {ratios} times its pre-training, as {' to '.join(map(_written, ends))} written tokens do",
        head=goal.name,
    )


def _written(one: Implied) -> str:
    """Served tokens that cost as much, as text; zero where training alone asks for more tokens than it had."""
    return show(max(one.output_tokens, 0.0), "count")
