"""``ridgeline infer``: what a price list tells of the model and the machines behind it, and where it tells nothing."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ridgeline.catalog.quotes import history, hour_of
from ridgeline.cli.figure import draw_titled, figure_options, refuse_theme_alone
from ridgeline.cli.infer_text import show_inference, show_readings, show_trend
from ridgeline.cli.listing import LISTING, date_option, hour_option
from ridgeline.cli.output import json_option, print_json
from ridgeline.cli.progress import progress
from ridgeline.quantity_text import QuantityError, parse_quantity
from ridgeline.verbs import infer, lecture_readings, price_trend

if TYPE_CHECKING:
    from ridgeline.inversion.infer import Inference
    from ridgeline.inversion.readings import Readings
    from ridgeline.inversion.trend import Dated

__all__ = ["command"]


def _assumed(context: click.Context, option: click.Parameter, written: Sequence[str]) -> dict[str, float]:
    """Unknowns as ``NAME=VALUE``."""
    found: dict[str, float] = {}
    for text in written:
        name, sign, value = text.partition("=")
        if not sign or name in found:
            raise click.BadParameter(
                f"{text!r}: write NAME=VALUE once for each, such as active_params=100B", context, option
            )
        try:
            found[name] = parse_quantity(value, "count")
        except QuantityError as error:
            raise click.BadParameter(f"{name}: {error}", context, option) from None
        if found[name] <= 0:
            raise click.BadParameter(f"{name}={value} must be above 0", context, option)
    return found


@click.command("infer")
@click.argument("listing", type=LISTING)
@date_option
@hour_option
@click.option(
    "--assume",
    "assumed",
    metavar="NAME=VALUE",
    multiple=True,
    callback=_assumed,
    help="Take an unknown as known: active_params=100B, price_over_cost=3; repeatable.",
)
@click.option("--seed", type=click.IntRange(0, 2**31), default=0, show_default=True, help="The same gives the same.")
@click.option("--preview", "is_preview", is_flag=True, help="Quasi-random guesses alone: quicker, and nearly the same.")
@click.option(
    "--lecture", is_flag=True, help="Add the lecture's readings, one number from one price, and where they part."
)
@click.option(
    "--trend",
    is_flag=True,
    help="Infer it from each day on which prices of the model's line were new; --figure draws that.",
)
@click.option("--details", is_flag=True, help="Show why each prior is what it is, and who shares each multiplier.")
@figure_options("prior and posterior of every unknown, and of every question,")
@json_option
def command(
    listing: str,
    date: dt.date | None,
    hour: int | None,
    assumed: dict[str, float],
    seed: int,
    is_preview: bool,  # noqa: FBT001  a flag
    lecture: bool,  # noqa: FBT001  a flag
    trend: bool,  # noqa: FBT001  a flag
    details: bool,  # noqa: FBT001  a flag
    figure: Path | None,
    theme: str | None,
    as_json: bool,  # noqa: FBT001  a flag
) -> None:
    """Say what the prices of PROVIDER/MODEL tell of it, with prior and posterior of every unknown side by side."""
    refuse_theme_alone(figure, theme)
    time = hour_of(date, hour)
    if trend:
        _show_trend(listing, date, assumed, seed, figure, theme, as_json=as_json)
        return
    with progress("walking", None if is_preview else _steps()) as told:
        found = infer(listing, time=time, assumed=assumed, seed=seed, is_preview=is_preview, told=told)
    read = lecture_readings(listing, found, time=time, seed=seed, is_preview=is_preview) if lecture else None
    if figure is not None:
        _draw(found, figure, theme)
    if as_json:
        document = _document(found, {"listing": listing, "time": time.isoformat(), "preview": is_preview})
        print_json(document | {"lecture": None if read is None else _read_document(read)})
        return
    show_inference(found, details=details)
    if read is not None:
        show_readings(read)


def _steps() -> int:
    from ridgeline.inversion.sample import BURNED_STEPS, WALKED_STEPS  # noqa: PLC0415  loads NumPy

    return BURNED_STEPS + WALKED_STEPS


def _show_trend(
    listing: str,
    until: dt.date | None,
    assumed: dict[str, float],
    seed: int,
    figure: Path | None,
    theme: str | None,
    *,
    as_json: bool,
) -> None:
    """What the prices of a line of models told, day by day."""
    if assumed:
        raise click.BadParameter("is of one model and day; leave it out, or --trend", param_hint="--assume")
    days = history(listing, until)
    with progress("days", len(days)) as told:
        found = price_trend(listing, until=until, seed=seed, told=told)
    if figure is not None:
        # The drawing library is an extra.
        from ridgeline.figures.price_trend import price_trend_figure  # noqa: PLC0415

        newest = found[-1].inference.evidence
        title = f"What the prices of {newest.name}'s line tell, over time"
        subtitle = (
            "active parameters: middle, half and nine tenths; each model from the day on which its prices were new"
        )
        foot = (
            f"{newest.source}. Quasi-random guesses, seed {seed}. Chips cost what they did on each day; a lower price"
            " may as well be a lower margin."
        )
        words = (title, subtitle, foot)
        draw_titled(partial(price_trend_figure, found), words=words, path=figure, theme=theme)
    if as_json:
        inputs = {"listing": listing, "until": None if until is None else until.isoformat(), "seed": seed}
        print_json({"inputs": inputs, "trend": [_dated_document(one) for one in found]})
        return
    show_trend(found)


def _dated_document(one: Dated) -> dict[str, Any]:
    inference = one.inference
    return {
        "listing": one.listing,
        "date": one.date.isoformat(),
        "usd": inference.evidence.usd,
        "unknowns": [dataclasses.asdict(unknown) for unknown in inference.unknowns],
        "effective_draws": inference.effective_draws,
    }


def _read_document(read: Readings) -> dict[str, Any]:
    tiers = [{"held_s": held_s, "tier": tier} for held_s, tier in read.tiers]
    return dataclasses.asdict(read) | {"tiers": tiers}


def _draw(found: Inference, path: Path, theme: str | None) -> None:
    """Prior and posterior."""
    # The drawing library is an extra.
    from ridgeline.figures.posterior import posterior_figure  # noqa: PLC0415

    evidence = found.evidence
    title = f"What the prices of {evidence.name} tell"
    subtitle = f"prices of {evidence.date}; middle, half and nine tenths of prior and posterior"
    foot = f"{evidence.source}. {found.effective_draws:,.0f} effective draws, {found.sampler}, seed {found.seed}."
    draw_titled(partial(posterior_figure, found), words=(title, subtitle, foot), path=path, theme=theme)


def _document(found: Inference, asked: dict[str, Any]) -> dict[str, Any]:
    """Unknowns at the top, then all else."""
    from ridgeline.inversion.said import said_of  # noqa: PLC0415  loads NumPy

    evidence = found.evidence
    return {
        "inputs": {**asked, "assumed": dict(found.pins), "seed": found.seed, "usd": evidence.usd},
        "unknowns": [{**dataclasses.asdict(one), "says": said_of(one)} for one in found.unknowns],
        "predictive": [dataclasses.asdict(one) for one in found.predictive],
        "evidence": [dataclasses.asdict(one) for one in found.questions],
        "multipliers": [dataclasses.asdict(one) for one in found.multipliers],
        "step": None if evidence.step is None else dataclasses.asdict(evidence.step),
        "source": evidence.source,
        "sampler": found.sampler,
        "draws": found.draws,
        "effective_draws": found.effective_draws,
        "preview_effective_draws": found.preview_effective_draws,
        "log_evidence": found.log_evidence,
        "notes": found.notes,
    }
