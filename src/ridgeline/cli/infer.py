"""``ridgeline infer``: what a price list tells of the model and the machines behind it, and where it tells nothing."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ridgeline.catalog.quotes import history, hour_of
from ridgeline.cli.assume import assume_option, assumed_text
from ridgeline.cli.figure import draw_titled, figure_options, refuse_theme_alone
from ridgeline.cli.infer_document import dated_document, infer_document, readings_document
from ridgeline.cli.infer_text import show_inference, show_trend
from ridgeline.cli.listing import LISTING, date_option, hour_option
from ridgeline.cli.output import json_option, print_json
from ridgeline.cli.progress import progress
from ridgeline.verbs import infer, lecture_readings, price_trend

if TYPE_CHECKING:
    from ridgeline.inversion.infer import Inference
    from ridgeline.inversion.published import Published

__all__ = ["command"]

FEWEST_DAYS = 2
"""Fewest days of prices that make a trend."""


@click.command("infer")
@click.argument("listing", type=LISTING)
@date_option
@hour_option
@assume_option
@click.option("--seed", type=click.IntRange(0, 2**31), default=0, show_default=True, help="The same gives the same.")
@click.option(
    "--preview",
    "is_preview",
    is_flag=True,
    help="Quasi-random guesses alone, which is faster.  [default: a walk follows where few have most of the weight]",
)
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
    assumed: dict[str, float | str],
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
    if trend:
        flags = {"--lecture": lecture, "--preview": is_preview, "--details": details}
        _refuse_beside("--trend", {"--assume": assumed, "--hour": hour, **flags})
        _show_trend(listing, date, seed, figure, theme, as_json=as_json)
        return
    if lecture:
        _refuse_beside("--lecture", {"--assume": assumed})
    time = hour_of(date, hour)
    with progress("inferring", None if is_preview else _steps()) as told:
        found = infer(listing, time=time, assumed=assumed, seed=seed, is_preview=is_preview, told=told)
    if not found.is_readable:
        raise click.ClickException(_unreadable(found))
    read = None
    if lecture:
        with progress("readings", _readings()) as told:
            read = lecture_readings(listing, found, time=time, seed=seed, is_preview=is_preview, told=told)
    known = _published(listing)
    if figure is not None:
        _draw(found, figure, theme)
    if as_json:
        document = infer_document(found, known, {"listing": listing, "time": time.isoformat(), "preview": is_preview})
        print_json(document | {"lecture": None if read is None else readings_document(read)})
        return
    show_inference(found, known, read, details=details)


def _refuse_beside(option: str, others: Mapping[str, object]) -> None:
    """Refuse options that say nothing beside another."""
    for name, value in others.items():
        if value is not None and value is not False and value != {}:
            raise click.UsageError(f"{option} takes no {name}; leave one of them out")


def _unreadable(found: Inference) -> str:
    assumed, mend = (", or what is assumed,", "; drop or change an --assume") if found.assumed.given() else ("", "")
    return (
        f"only {found.effective_draws:.0f} of {found.draws:,} guesses explain the prices of {found.evidence.name}: too"
        f" few to say anything. These prices{assumed} are far from what the priors expect{mend}"
    )


def _published(listing: str) -> Published | None:
    from ridgeline.inversion.published import published  # noqa: PLC0415  loads models

    return published(listing)


def _steps() -> int:
    from ridgeline.inversion.sample import BURNED_STEPS, WALKED_STEPS  # noqa: PLC0415  loads NumPy

    return BURNED_STEPS + WALKED_STEPS


def _readings() -> int:
    from ridgeline.inversion.readings import INFERENCES  # noqa: PLC0415  loads NumPy

    return INFERENCES


def _show_trend(
    listing: str, until: dt.date | None, seed: int, figure: Path | None, theme: str | None, *, as_json: bool
) -> None:
    """Show what the prices of a line of models told, day by day."""
    days = history(listing, until)
    if figure is not None and len(days) < FEWEST_DAYS:
        raise click.UsageError(
            f"the prices of {listing} are known of {len(days)} day{'' if len(days) == 1 else 's'}: no trend to draw;"
            " leave --figure out, or --trend"
        )
    with progress("days", len(days)) as told:
        found = price_trend(listing, until=until, seed=seed, told=told)
    if figure is not None:
        # The drawing library is an extra.
        from ridgeline.figures.price_trend import price_trend_figure  # noqa: PLC0415
        from ridgeline.inversion.findings import trend_title  # noqa: PLC0415

        newest = found.points[-1].evidence
        subtitle = (
            f"{newest.name}'s line; active parameters: middle, half and nine tenths, from each day with new prices"
        )
        foot = (
            f"{newest.source}. Quasi-random guesses, seed {seed}. Chips cost what they did on each day; a lower price"
            " may as well be a lower margin."
        )
        words = (trend_title(found), subtitle, foot)
        draw_titled(partial(price_trend_figure, found), words=words, path=figure, theme=theme)
    if as_json:
        inputs = {"listing": listing, "until": found.until.isoformat(), "seed": seed}
        points = [dated_document(one) for one in found.points]
        print_json({"inputs": inputs, "trend": points, "left_out": found.left_out})
        return
    show_trend(found)


def _draw(found: Inference, path: Path, theme: str | None) -> None:
    """Draw prior and posterior."""
    # The drawing library is an extra.
    from ridgeline.figures.posterior import posterior_figure  # noqa: PLC0415
    from ridgeline.inversion.findings import title_of  # noqa: PLC0415

    evidence = found.evidence
    given = found.assumed.given()
    assumed = f"; assumed: {assumed_text(given)}" if given else ""
    subtitle = (
        f"{evidence.name}, prices of {evidence.date}; middle, half and nine tenths of prior and posterior{assumed}"
    )
    foot = f"{evidence.source}. {found.effective_draws:,.0f} effective draws, {found.sampler}, seed {found.seed}."
    draw_titled(partial(posterior_figure, found), words=(title_of(found), subtitle, foot), path=path, theme=theme)
