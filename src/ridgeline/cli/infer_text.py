"""What ``ridgeline infer`` prints."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from ridgeline.cli.output import chance, console, print_table, print_text, show
from ridgeline.inversion.evidence import Multiplier
from ridgeline.inversion.infer import Inference
from ridgeline.inversion.readings import Reading, Readings
from ridgeline.inversion.said import LINES, NAMED, said_of, said_of_price, said_of_question, shown
from ridgeline.inversion.trend import Dated

__all__ = ["show_inference", "show_readings", "show_trend"]


def show_inference(found: Inference, *, details: bool) -> None:
    """Prices, prior and posterior, questions, the check on each price, and what they say nothing of."""
    out = console()
    _show_prices(out, found)
    out.print()
    rows = [
        (
            NAMED[one.name].words,
            *(shown(one.name, getattr(one.prior, end)) for end in ("p05", "p50", "p95")),
            *(shown(one.name, getattr(one.posterior, end)) for end in ("p05", "p50", "p95")),
            "yes" if one.informed else "no",
        )
        for one in found.unknowns
    ]
    headers = ("unknown", "prior 5 %", "prior 50 %", "prior 95 %", "5 %", "50 %", "95 %", "news")
    print_table(out, headers, rows, optional=(2,))
    print_text(out, "news: whether the prices moved or narrowed what was believed before", style="dim")
    out.print()
    for question in found.questions:
        print_text(out, said_of_question(question))
        options = ", ".join(
            f"{one.name} {chance(one.posterior)} (before {chance(one.prior)})" for one in question.options
        )
        print_text(out, options, indent=2, hang=0)
    out.print()
    _show_predicted(out, found)
    out.print()
    for one in found.unknowns:
        if not one.informed:
            print_text(out, said_of(one))
    if details:
        _show_reasons(out, found)
    for note in found.notes:
        print_text(out, f"note: {note}", style="dim")
    print_text(
        out,
        f"{found.effective_draws:,.0f} effective draws ({found.sampler}, seed {found.seed}); the quick preview has"
        f" {found.preview_effective_draws:,.0f}",
        style="dim",
    )
    print_text(out, f"more: {'' if details else '--details, '}--assume, --figure FILE, --json", style="dim")


def _show_prices(out: Console, found: Inference) -> None:
    evidence = found.evidence
    print_text(out, f", prices of {evidence.date}, from {evidence.source}", head=evidence.name)
    listed = ", ".join(f"{LINES[name]} {_usd(name, usd)}" for name, usd in evidence.usd.items())
    print_text(out, listed)
    for one in evidence.multipliers:
        if one.is_policy:
            print_text(out, _policy(one))
    if evidence.step is not None:
        step = evidence.step
        shared = (
            f"; {step.shared_by} of the vendor's models at other prices have theirs there, of which the dearest asks"
            f" {step.input_span:.0f} times as much as the cheapest"
            if step.shared_by > 1
            else ""
        )
        print_text(out, f"a step at {show(step.threshold_tokens, 'count')} tokens reprices the whole request{shared}")
    if found.pins:
        print_text(out, f"assumed: {', '.join(f'{name} {value:.4g}' for name, value in found.pins.items())}")


def _usd(name: str, usd: float) -> str:
    return show(usd, "usd_per_token_s" if name == "hold" else "usd_per_token")


def _policy(one: Multiplier) -> str:
    """Who shares a multiplier."""
    what = "an hour of holding" if one.line == "hold" else LINES[one.line]
    ratio = one.ratio * 3600 if one.line == "hold" else one.ratio
    return (
        f"{what} is {ratio:.3g} times input in {one.shared_by} of {one.of} of the vendor's models, whose inputs span"
        f" {one.input_span:.0f} times: a policy, taken as one observation of all of them"
    )


def _show_predicted(out: Console, found: Inference) -> None:
    """Each price by all others."""
    rows = [
        (
            LINES[one.line],
            _usd(one.line, one.usd),
            *(_usd(one.line, getattr(one.expected, end)) for end in ("p05", "p50", "p95")),
            chance(min(one.chance_beyond, 1.0)),
        )
        for one in found.predictive
    ]
    headers = ("price, by all others", "listed", "5 %", "50 %", "95 %", "as far out")
    print_table(out, headers, rows)
    for one in found.predictive:
        if "does not" in (said := said_of_price(one)):
            print_text(out, said)


def _show_reasons(out: Console, found: Inference) -> None:
    out.print()
    for one in found.unknowns:
        if one.reason:
            print_text(out, f": {one.reason}", head=NAMED[one.name].words)


def show_readings(read: Readings) -> None:
    """The lecture's readings beside the joint posterior, and what both of them together take."""
    out = console()
    out.print()
    rows = [_reading_row(one) for one in (read.step, read.decode) if one is not None]
    if rows:
        headers = ("the lecture reads", "by the board", "pinned, 5 % to 95 %", "from all prices, 5 % to 95 %")
        print_table(out, headers, rows, left=(0,))
    for held_s, tier in read.tiers:
        print_text(out, f"a cache that is sold for {show(held_s, 'duration')} waits in {tier}, by drain times")
    if read.together is None or read.together_factor is None or read.batch_for_both is None:
        print_text(out, "the list has not both a step and an output above input: nothing to contradict")
        return
    print_text(
        out,
        f"both at once hold for a batch of {read.batch_for_both:.2f} of the balance batch and no other (inferred:"
        f" {shown('balance_batches', read.together.p05)} to {shown('balance_batches', read.together.p95)}), where the"
        " step's reading takes a batch so large that weights do not matter: with his assumptions both prices together"
        f" are {1 / read.together_factor:.1f} times less likely than each by itself",
        head="They contradict (D7): ",
    )


def _reading_row(one: Reading) -> tuple[str, ...]:
    return (
        one.said,
        shown(one.name, one.by_formula),
        f"{shown(one.name, one.pinned.p05)} to {shown(one.name, one.pinned.p95)}",
        f"{shown(one.name, one.joint.p05)} to {shown(one.name, one.joint.p95)}",
    )


def show_trend(found: Sequence[Dated]) -> None:
    """A line a day: prices, and active parameters after them."""
    out = console()
    rows = []
    for one in found:
        usd, active = one.inference.evidence.usd, one.inference.unknown("active_params")
        middle, low, high = (shown("active_params", getattr(active.posterior, end)) for end in ("p50", "p05", "p95"))
        margin = one.inference.unknown("output_price_over_cost").posterior.p50
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
