"""Text of ``ridgeline infer``."""

from __future__ import annotations

from rich.console import Console

from ridgeline.catalog.quotes import as_of
from ridgeline.cli.assume import assumed_text
from ridgeline.cli.output import console, print_table, print_text, show
from ridgeline.inversion.findings import answer, how_right, said_of_published, said_of_trend
from ridgeline.inversion.infer import Inference, Unknown
from ridgeline.inversion.intervals import INFORMED_DEVIATIONS, INFORMED_WIDTH, Interval
from ridgeline.inversion.published import Published
from ridgeline.inversion.readings import Reading, Readings
from ridgeline.inversion.said import (
    LINE_WORDS,
    NAMED,
    percent,
    said_of_check,
    said_of_multiplier,
    said_of_price,
    said_of_question,
    said_of_step,
    shown,
    shown_range,
)
from ridgeline.inversion.trend import Trend

__all__ = ["show_inference", "show_trend"]

MILLION = 1e6
"""Factor beyond which a chance is shown as "more than a million" times less."""


def show_inference(found: Inference, known: Published | None, read: Readings | None, *, details: bool) -> None:
    """Print the answer, prices, prior and posterior, questions, the check on each price, and the lecture's readings."""
    out = console()
    asked, known_until = found.evidence.date, as_of()
    beyond = f", the last that are known (not of {asked})" if asked > known_until else ""
    print_text(out, f", prices of {min(asked, known_until)}{beyond}. {answer(found)}", head=found.evidence.name)
    print_text(out, how_right())
    if known is not None:
        print_text(out, said_of_published(found, known))
    out.print()
    _show_prices(out, found)
    out.print()
    _show_unknowns(out, found)
    out.print()
    for question in found.questions:
        print_text(out, said_of_question(question))
        options = ", ".join(
            f"{one.name} {percent(one.posterior)} (before {percent(one.prior)})" for one in question.options
        )
        print_text(out, options, indent=2, hang=0)
    out.print()
    _show_predicted(out, found)
    if details:
        _show_reasons(out, found)
    if read is not None:
        _show_readings(out, read)
    for note in found.notes:
        print_text(out, f"note: {note}", style="dim")
    draws = f"{found.effective_draws:,.0f} effective draws ({found.sampler}, seed {found.seed})"
    if found.sampler != "quasi-random":
        draws += f"; the quick preview (--preview) has {found.preview_effective_draws:,.0f}"
    print_text(out, draws, style="dim")
    print_text(out, f"more: {'' if details else '--details, '}--assume, --figure FILE, --json", style="dim")


def _show_prices(out: Console, found: Inference) -> None:
    evidence = found.evidence
    doubts = {"hold": " (unverified)"} if "not verified" in evidence.hold_formula else {}
    listed = ", ".join(
        f"{LINE_WORDS[name]} {_usd(name, usd)}{doubts.get(name, '')}" for name, usd in evidence.usd.items()
    )
    print_text(out, f"prices: {listed}; from {evidence.source}")
    if evidence.hold_formula:
        print_text(out, f"the price of holding is that of {evidence.hold_formula}", style="dim")
    for one in evidence.multipliers:
        if one.is_policy:
            print_text(out, said_of_multiplier(one))
    if step := said_of_step(evidence):
        print_text(out, step)
    if given := found.assumed.given():
        print_text(out, f"assumed: {assumed_text(given)}")


def _usd(name: str, usd: float) -> str:
    return show(usd, "usd_per_token_s" if name == "hold" else "usd_per_token")


def _show_unknowns(out: Console, found: Inference) -> None:
    """Print prior and posterior side by side."""
    rows = [
        (NAMED[one.name].words, _interval(one.name, one.prior), _interval(one.name, one.posterior), _news(one))
        for one in found.unknowns
    ]
    print_table(out, ("unknown", "before the prices", "with them", "news"), rows, left=(0, 3))
    print_text(
        out,
        f"the middle, and 5 % to 95 %; news: the prices moved the middle by {INFORMED_DEVIATIONS:.2g} standard"
        f" deviations, or narrowed the interval to {100 * INFORMED_WIDTH:.0f} %, or as much of both; for total"
        " parameters they also tell as much of total over active ones",
        style="dim",
    )
    if any(one.misleads for one in found.unknowns):
        print_text(
            out,
            "misleading: on open models the estimate with prices was further off than the one without; do not use it",
            style="dim",
        )


def _interval(name: str, at: Interval) -> str:
    return f"{shown(name, at.p50)} ({shown_range(name, at.p05, at.p95)})"


def _news(one: Unknown) -> str:
    if one.misleads:
        return "misleading"
    return "yes" if one.informed else "no"


def _show_predicted(out: Console, found: Inference) -> None:
    """Print each price beside what all others lead to expect."""
    rows = [
        (
            LINE_WORDS[one.line],
            _usd(one.line, one.usd),
            *(_usd(one.line, getattr(one.expected, end)) for end in ("p05", "p50", "p95")),
            percent(min(one.chance_beyond, 1.0)),
        )
        for one in found.predictive
    ]
    headers = ("price, by all others", "listed", "5 %", "50 %", "95 %", "chance of one as unusual")
    print_table(out, headers, rows)
    print_text(out, said_of_check(found))


def _show_reasons(out: Console, found: Inference) -> None:
    out.print()
    for one in found.unknowns:
        if one.reason:
            print_text(out, f": {one.reason}", head=NAMED[one.name].words)
    for price in found.predictive:
        print_text(out, said_of_price(price))


def _show_readings(out: Console, read: Readings) -> None:
    """Print the lecture's readings beside the joint posterior, and what both of them together take."""
    out.print()
    rows = [_reading_row(one) for one in (read.step, read.decode, read.decode_with_caches) if one is not None]
    if rows:
        headers = ("the lecture reads", "by the board", "pinned, 5 % to 95 %", "from all prices, 5 % to 95 %")
        print_table(out, headers, rows, left=(0,))
    for held_s, tier in read.tiers:
        print_text(out, f"a cache that is sold for {show(held_s, 'duration')} waits in {tier}, by drain times")
    if read.together_factor is None or read.batch_for_both is None:
        print_text(out, "the list has not both a step and an output above input: nothing to contradict")
        return
    print_text(out, _contradiction(read.together_factor, read.batch_for_both), head="They contradict (D7): ")


def _contradiction(factor: float, batch: float) -> str:
    """Clause on what it takes for both readings to hold at once."""
    over = 1 / max(factor, 1e-300)
    times = "more than a million" if over > MILLION else f"{over:,.1f}"
    if batch >= 1:
        return f"both hold at {batch:.2g} balance batches; together they are {times} times less likely than apart"
    return (
        f"an output as dear takes {batch:.2g} of a balance batch, and below one balance batch reading always takes"
        f" longer than computing: then no context is where it overtakes, and the step is none. With his assumptions and"
        f" one batch both prices together are {times} times less likely than each by itself"
    )


def _reading_row(one: Reading) -> tuple[str, ...]:
    return (
        one.said,
        shown(one.name, one.by_formula),
        shown_range(one.name, one.pinned.p05, one.pinned.p95),
        shown_range(one.name, one.joint.p05, one.joint.p95),
    )


def show_trend(found: Trend) -> None:
    """Print the trend, and a line a day: prices, and active parameters after them."""
    out = console()
    print_text(out, said_of_trend(found))
    out.print()
    rows = []
    for one in found.points:
        usd, active = one.evidence.usd, one.unknown("active_params")
        middle, low, high = (shown("active_params", getattr(active.posterior, end)) for end in ("p50", "p05", "p95"))
        margin = one.unknown("output_price_over_cost").posterior.p50
        rows.append(
            (
                one.date.isoformat(),
                one.listing.partition("/")[2],
                _usd("input", usd["input"]).removesuffix("/Mtok"),
                _usd("output", usd["output"]).removesuffix("/Mtok"),
                middle,
                f"{low} to {high}",
                shown("output_price_over_cost", margin),
            )
        )
    headers = ("from", "model", "input", "output", "active", "5 % to 95 %", "output over cost")
    print_table(out, headers, rows, left=(0, 1))
    print_text(out, "dollars a million tokens; active parameters after the prices, and price over cost", style="dim")
    if len(rows) == 1:
        print_text(out, "note: no earlier day of these prices is known, nor of a model before it", style="dim")
    if found.left_out:
        print_text(out, f"note: models without a first day are left out: {', '.join(found.left_out)}", style="dim")
