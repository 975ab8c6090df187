"""``ridgeline budget``: how large a model, how many tokens, how much reinforcement learning, for what it will serve."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ridgeline.catalog.scaling_laws import law_ids
from ridgeline.cli.arguments import (
    MACHINE,
    MODEL,
    TIME,
    WHOLE,
    NamedType,
    QuantityType,
    engine_option,
    fidelity_option,
    ignore_unknown_option,
    json_option,
)
from ridgeline.cli.budget_document import budget_document
from ridgeline.cli.budget_text import dearness_of, show_budget, subtitle_of
from ridgeline.cli.chip_price import price_option
from ridgeline.cli.completion import completes
from ridgeline.cli.figure import draw_titled, figure_options, refuse_theme_alone
from ridgeline.cli.kernels import kernels_option, refuse_at_peaks, say_kernels
from ridgeline.cli.market import market_option
from ridgeline.cli.number_range import NumberRange
from ridgeline.cli.output import print_json, show
from ridgeline.quantity_text import QuantityError, parse_quantity
from ridgeline.seconds import HOUR_S
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.verbs import budget

if TYPE_CHECKING:
    from ridgeline.lifecycle.answer import Budget

__all__ = ["command"]

LAW = NamedType("LAW", str, completes(law_ids))
PARAMS = QuantityType("count", "COUNT", of="active_params")
TOKENS = QuantityType("count", "COUNT", of="tokens")
SERVED = QuantityType("count", "COUNT", of="served_tokens", least=1e6)
WRITTEN = QuantityType("count", "COUNT", of="rl_tokens")
PART = QuantityType("fraction", "PART")
TIMES = QuantityType("fraction", "TIMES")
LASTING = QuantityType("duration", "TIME")
FLOW = QuantityType("tokens_per_s", "RATE")
TOKEN_PRICE = QuantityType("usd_per_token", "PRICE")
UNITS = {"flop": "flop", "usd": "usd", "chip-hours": "chip_s"}
UNITS_ANYWHERE = {"flop"}
"""Units of cost that need no machine."""
PICTURES = ("iso-loss", "costs", "shares", "over-training")


def _cost(text: str) -> tuple[float, bool]:
    """Cost as a number, and whether it is written in dollars: 1e26, $500M."""
    number = text.strip()
    try:
        return parse_quantity(number.removeprefix("$"), "count"), number.startswith("$")
    except QuantityError as error:
        raise ValueError(str(error)) from None


def _distilled(text: str) -> tuple[float, float]:
    """Parameters and tokens: 20B:2T."""
    params, _, tokens = text.partition(":")
    if not tokens:
        raise ValueError(f"{text!r} is not PARAMS:TOKENS, such as 20B:2T")
    try:
        return parse_quantity(params, "count"), parse_quantity(tokens, "count")
    except QuantityError as error:
        raise ValueError(str(error)) from None


@click.command("budget")
@ignore_unknown_option
@click.option("--model", type=MODEL, help="Be as good as this one, by its published tokens.")
@click.option("--params", type=PARAMS, help="Be as good as a model of so many active parameters.  [default: 100B]")
@click.option("--tokens", type=TOKENS, help="...trained on so many tokens.  [default: 200T]")
@click.option("--loss", type=NumberRange(0, min_open=True), help="Reach this loss instead, in nats a token.")
@click.option("--cost", type=NamedType("COST", _cost), help="Spend this instead, in the unit of --unit: 1e26, $500M.")
@click.option("--served", "served_output_tokens", type=SERVED, help="Tokens that it writes for users.  [default: 200T]")
@click.option("--served-input", "served_input_tokens", type=SERVED, default=0.0, help="Tokens that it reads for them.")
@click.option("--rate", "tokens_per_s", type=FLOW, help="Traffic, in place of both: 50Mtok/s; with --life.")
@click.option("--life", "lifetime_s", type=LASTING, help="Until the model is replaced: 60d.")
@click.option("--traffic", "traffic_fraction", type=PART, default=1.0, help="The model's part of --rate: 10%.")
@click.option("--read", "input_fraction", type=PART, default=0.0, help="Part of --rate that is read: 0.8.")
@click.option(
    "--cheaper", "cheaper_per_year", type=TIMES, default=1.0, help="Times by which a FLOP gets cheaper a year: 1.4."
)
@click.option("--deployed", "deployed_fraction", type=PART, default=1.0, help="Chance that it is deployed at all: 0.5.")
@click.option("--rl-tokens", type=WRITTEN, help="Tokens that RL writes.  [default: as many as cost what serving costs]")
@click.option(
    "--rl-cost", "rl_over_pretraining", type=TIMES, help="RL's cost over pre-training's, in place of its tokens: 0.1."
)
@click.option(
    "--rl-flop",
    "rl_flop_per_param",
    type=NumberRange(0),
    default=3.0,
    show_default=True,
    help="FLOP of a parameter and an RL token, 2 to 6; without --on.",
)
@click.option(
    "--efficiency",
    "relative_efficiency_fraction",
    type=PART,
    default=1 / 3,
    help="Efficiency of writing over training's; without --on.  [default: 1/3]",
)
@click.option(
    "--law",
    "laws",
    type=LAW,
    multiple=True,
    help="Ask this law alone, or several: besiroglu-2024.  [default: all but variants]",
)
@click.option(
    "--experts", type=NumberRange(1), help="Experts of routed laws, for each that a token visits.  [default: the best]"
)
@click.option(
    "--unique", "unique_tokens", type=TOKENS, help="Tokens of text that there are, before it is read again: 30T."
)
@click.option("--on", "machine", type=MACHINE, help="Machine on which it is trained and served: costs in dollars.")
@click.option("--like", type=MODEL, help="Model whose phases are timed there.  [default: --model, else llama-3.1-70b]")
@click.option("--unit", type=click.Choice(list(UNITS)), help="Unit of costs.  [default: flop; usd with --on]")
@click.option("--within-domain", is_flag=True, help="Its weights fit into one scale-up domain of --on.")
@click.option("--tpot", "tpot_s", type=TIME, help="Longest time per output token, alone on a scale-up domain.")
@click.option(
    "--chips",
    "train_chips",
    type=WHOLE,
    default="1024",
    show_default=True,
    help="Chips of the training run that is timed.",
)
@click.option("--batch-tokens", type=WHOLE, default="16Mi", show_default=True, help="Batch of its step, in tokens.")
@click.option(
    "--prompt", "prompt_tokens", type=WHOLE, default="4000", show_default=True, help="Tokens that a request reads."
)
@click.option(
    "--output", "output_tokens", type=WHOLE, default="1000", show_default=True, help="Tokens that it is answered with."
)
@click.option(
    "--rl-prompt", "rl_prompt_tokens", type=WHOLE, default="200", show_default=True, help="Prompt of an RL sample."
)
@click.option(
    "--rl-output", "rl_output_tokens", type=WHOLE, default="4000", show_default=True, help="Tokens that it writes."
)
@click.option(
    "--trained", "trained_fraction", type=PART, default=1.0, help="Part of RL's samples that are trained on: 0.5."
)
@fidelity_option
@engine_option
@kernels_option
@price_option
@market_option(is_kept=True)
@click.option("--distil", type=NamedType("PARAMS:TOKENS", _distilled), help="A smaller model that it teaches: 20B:2T.")
@click.option("--sell", "usd_per_token", type=TOKEN_PRICE, help="Price of a written token today: '$2/Mtok'.")
@click.option(
    "--price-falls", "price_falls_per_year", type=TIMES, default=1.0, help="Times by which that falls a year: 3."
)
@click.option(
    "--draws", type=WHOLE, default="2000", show_default=True, help="Draws of coefficients from their published errors."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the draws.")
@click.option("--details", is_flag=True, help="Show each law's source and range, and what each phase takes.")
@figure_options("one of the pictures")
@click.option("--picture", type=click.Choice(PICTURES), default=PICTURES[0], show_default=True, help="Which one.")
@json_option
def command(
    *,
    model: Model | None,
    machine: Machine | None,
    as_json: bool,
    details: bool,
    figure: Path | None,
    theme: str | None,
    picture: str,
    market: str | None,
    unit: str | None,
    cost: tuple[float, bool] | None,
    **asked: Any,  # noqa: ANN401  as verbs.budget has them
) -> None:
    """Find how large a model, how many tokens, and how much RL, for what it will serve.

    Without an argument: the lecture's own example, by every law.
    """
    refuse_theme_alone(figure, theme)
    asked["cost"] = _spent(cost, unit)
    counted = "usd" if cost is not None and cost[1] else unit
    if counted not in {None, *UNITS_ANYWHERE} and machine is None:
        raise click.UsageError(f"costs in {counted} are those of a machine: add --on h100-sxm, or another one")
    refuse_at_peaks(asked["kernels"], asked["fidelity"])
    if asked["kernels"] is not None and machine is None:
        raise click.BadParameter("is of a machine, and none is given; add --on MACHINE", param_hint="--kernels")
    found = budget(model, machine=machine, unit=None if counted is None else UNITS[counted], **asked)
    if figure is not None:
        _draw(found, picture, figure, theme)
    if as_json:
        given = {"model": None if model is None else model.id, "machine": None if machine is None else machine.id}
        print_json(budget_document(found, {**given, **asked, "market": market}))
    else:
        show_budget(found, details=details)
        say_kernels(asked["kernels"], machine, asked["engine"])
    if found.first is None:
        laws: dict[str, list[str]] = {}
        for one in found.answers:
            laws.setdefault(one.solved.why, []).append(one.solved.law.id)
        reasons = "; ".join(f"{', '.join(ids)}: {why}" for why, ids in laws.items())
        raise click.ClickException(f"no law has an answer; {reasons}")


def _spent(cost: tuple[float, bool] | None, unit: str | None) -> float | None:
    """The cost that was asked for, in base units.

    Raises:
        click.UsageError: it is in dollars where costs are not.
    """
    if cost is None:
        return None
    value, in_dollars = cost
    if in_dollars and unit not in {None, "usd"}:
        raise click.UsageError(f"--cost is in dollars, and costs are in {unit}; leave out --unit")
    return value * HOUR_S if unit == "chip-hours" else value


def _draw(found: Budget, picture: str, path: Path, theme: str | None) -> None:
    """Draw one of the pictures of a budget."""
    # The drawing library is an extra.
    from ridgeline.figures import budget as figures  # noqa: PLC0415
    from ridgeline.lifecycle import sweeps  # noqa: PLC0415

    make: Callable[..., Any]
    if picture == "iso-loss":
        lines = sweeps.level_lines(found)
        make, law, title = partial(figures.iso_loss_figure, lines), lines.law, "Models of one loss, and what they cost"
    elif picture == "costs":
        sizes = sweeps.size_curves(found)
        make, law, title = (
            partial(figures.sizes_figure, sizes),
            sizes.law,
            "A smaller model costs more before, less after",
        )
    elif picture == "shares":
        shares = sweeps.share_curves(found)
        make, law, title = partial(figures.shares_figure, shares), shares.law, "What each phase takes as more is served"
    else:
        over = sweeps.over_training_curves(found)
        make, law = partial(figures.over_training_figure, over), over.placed_by
        title = "How far past the optimum of training it pays to train"
        subtitle = f"by each dense law, for models of any size; a written token is {dearness_of(found)} trained on"
        foot = (
            "Points: published tokens over the rule of 20 a parameter, at the written tokens for which they are optimal"
            f" by {law.name}; RL counts as the written tokens of its cost. All laws extrapolate."
        )
        draw_titled(make, words=(title, subtitle, foot), path=path, theme=theme)
        return
    ends = f"{show(law.params[1], 'count')} parameters and {show(law.tokens[1], 'count')} tokens"
    foot = f"{law.name}, {law.address}. Fitted on at most {ends}; beyond, it extrapolates."
    draw_titled(make, words=(title, subtitle_of(found), foot), path=path, theme=theme)
