"""Options on speculation, and text on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ridgeline import verbs
from ridgeline.cli.output import counted, short, show
from ridgeline.errors import RidgelineError
from ridgeline.estimator.deploy import require_timed
from ridgeline.specs.fidelity import Fidelity
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.speculation import Speculation

if TYPE_CHECKING:
    from ridgeline.planner.outcome import Plan

__all__ = ["refuse_beside_speculation", "said_of_plan", "speculate_option", "speculations_asked"]

Command = TypeVar("Command", bound=Callable[..., Any])


def speculate_option(*, several: bool) -> Callable[[Command], Command]:
    """Add the option for drafts and their tokens; ``several`` where a search chooses among them."""
    also = (
        " Repeated, the plan chooses among them; auto: among none and all that was measured with the model."
        if several
        else ""
    )
    return click.option(
        "--speculate",
        metavar="DRAFT:TOKENS[=ACCEPTED]",
        multiple=several,
        help="Check drafted tokens in every step: mtp:3, eagle3:3, dspark:5, ngram:3=1.5, or a smaller model, as in"
        " qwen3-0.6b:4=2.9. Behind the = the tokens that a step adds on the mean, its own among them; left out, as"
        " measured (ridgeline catalog acceptance)." + also + "  [default: none]",
    )


def speculations_asked(
    asked: Sequence[str], model: Model, machine: Machine, fidelity: Fidelity
) -> tuple[Speculation, ...]:
    """Speculations as asked for; none where nothing was.

    Raises:
        click.BadParameter: a text is none, how much is accepted is neither given nor known, or the fidelity times no
            drafts.
    """
    try:
        found = verbs.speculations_of(asked or None, model, machine)
        for one in found:
            require_timed(one, fidelity)
    except RidgelineError as error:
        raise click.BadParameter(str(error), param_hint="--speculate") from None
    return found


def refuse_beside_speculation(asked: Sequence[Speculation], anchor: Path | None, figure: Path | None) -> None:
    """Refuse options that only hold for steps that each add one token.

    Raises:
        click.UsageError: names what to leave out.
    """
    given = {"--anchor, whose rows were measured without": anchor, "--figure of steps, drawn without": figure}
    if any(asked) and (named := [name for name, value in given.items() if value is not None]):
        raise click.UsageError(f"with --speculate leave out {' and '.join(named)}")


def said_of_plan(plan: Plan, searched: Sequence[Speculation]) -> str:
    """Text on a plan's speculation: what a step adds, and up to where in the batch it pays; or that none is better."""
    speculation = plan.speculation
    if not speculation:
        kinds = ", ".join(dict.fromkeys(one.draft_name for one in searched if one))
        if plan.layout.pp > 1 and any(one.draft is not None and one.draft.layers is not None for one in searched):
            return f"none: drafts ({kinds}) are not modelled beside pipeline stages, and without stages none is cheaper"
        return f"none: no draft that was searched ({kinds}) is cheaper"
    added = f"{counted(speculation.accepted_tokens, 'token')} a step of {show(plan.decode_step_s, 's')}"
    added += _without(plan)
    if plan.pays_from_batch is None:
        return f"{speculation}, {added}; tokens come sooner without it at every batch that fits"
    start = "" if plan.pays_from_batch <= plan.layout.dp else f"from {plan.pays_from_batch:,} on, "
    end = "at every batch that fits" if plan.pays_to_batch is None else f"up to a batch of {plan.pays_to_batch:,}"
    return f"{speculation}, {added}; tokens come sooner by it {start}{end}"


def _without(plan: Plan) -> str:
    """Clause on the same layout and batch without speculation; empty where it is not known."""
    plain_s, plain_rate = plan.plain_tpot_s, plan.plain_output_tokens_per_s_per_chip
    if plain_s is None or plain_rate is None:
        return ""
    gained = 100 * (plan.output_tokens_per_s_per_chip / plain_rate - 1)
    gain = f"{abs(gained):.0f} % {'more' if gained >= 0 else 'less'} with it"
    return (
        f"; the same layout and batch without: TPOT {show(plain_s, 's')}, {short(plain_rate)} tok/s per chip ({gain})"
    )
