"""What ``ridgeline price`` prints."""

from __future__ import annotations

from rich.console import Console

from ridgeline.cli.output import console, counted, print_table, print_text, show
from ridgeline.inversion.against import Against
from ridgeline.inversion.price import Pricing

__all__ = ["show_pricing"]

LINES = {
    "input": "input, computed",
    "cached_input": "input, found after 5 min",
    "cache_write_5min": "input, kept for 5 min",
    "cache_write_1h": "input, kept for 1 h",
    "output": "output",
    "input_above": "input of long prompts",
    "output_above": "output of long prompts",
    "batch_input": "batch input",
    "batch_output": "batch output",
    "flex_input": "flex input",
    "flex_output": "flex output",
    "fast_input": "fast input",
    "fast_output": "fast output",
}
"""Lines of a list as they are said; others of a list have no cost here."""

SHOWN_NOTES = 3

LEAST_USD_PER_TOKEN = 1e-9
"""No list has a lower price."""


def show_pricing(found: Pricing, *, details: bool) -> None:
    """The stack, costs by line with prices beside them, and what to do."""
    out = console()
    _show_asked(out, found)
    _show_stack(out, found, details=details)
    _show_lines(out, found)
    for number, one in enumerate(found.against, start=1):
        _show_against(out, one, found, f"[{number}] " if len(found.against) > 1 else "")
    for note in found.notes if details else found.notes[:SHOWN_NOTES]:
        print_text(out, f"note: {note}", style="dim")
    more = (
        ["--details", "--json"] if details or len(found.notes) <= SHOWN_NOTES else ["--details for all notes", "--json"]
    )
    if not found.against:
        more.insert(0, "--against PROVIDER/MODEL for margins and the break-even with a price list")
    print_text(out, f"more: {', '.join(more)}", style="dim")


def _show_asked(out: Console, found: Pricing) -> None:
    served, point = found.served, found.operating
    workload, deployment = served.workload, served.deployment
    hits = f", {100 * workload.hit_fraction:.1f} % of the input found" if workload.hit_fraction else ""
    print_text(
        out,
        f" on {deployment.machine.name}: {workload.prompt_tokens:,.0f} tokens in, {workload.output_tokens:,.0f}"
        f" out{hits}",
        head=deployment.model.name,
    )
    print_text(
        out,
        f"operating point: {point.layout} on {counted(point.chips, 'chip')}, batch {point.batch:,},"
        f" TPOT {show(point.tpot_s, 's')} ({show(point.tpot_low_s, 's')} to {show(point.tpot_high_s, 's')}),"
        f" bound by {point.bound}; {show(served.usd_per_chip_s, 'usd_per_s')} a chip ({found.price_label})",
    )


def _show_stack(out: Console, found: Pricing, *, details: bool) -> None:
    out.print()
    rows = [
        (
            one.name,
            _mtok(one.usd_per_input_token),
            _mtok(one.usd_per_output_token),
        )
        for one in found.stack
        if one.usd_per_input_token or one.usd_per_output_token
    ]
    both = found.usd_per_token["input_with_hits"], found.usd_per_token["output"]
    rows.append(("all", _mtok(both[0]), _mtok(both[1])))
    print_table(out, ("cost, $/Mtok", "in", "out"), rows)
    if found.served.workload.hit_fraction:
        print_text(out, "in: a token of a prompt, whether computed or found", style="dim")
    if details:
        for one in found.stack:
            print_text(out, f": {one.why}", head=one.name)


def _show_lines(out: Console, found: Pricing) -> None:
    out.print()
    prices = [{line.name: line for line in one.lines} for one in found.against]
    headers = ["$/Mtok", "cost"]
    for number, _ in enumerate(found.against, start=1):
        headers += ["list" if len(found.against) == 1 else f"list [{number}]", "margin"]
    rows = []
    for name, said in LINES.items():
        if name not in found.usd_per_token:
            continue
        row = [said, _mtok(found.usd_per_token[name])]
        for listed in prices:
            line = listed.get(name)
            row += ["-", "-"] if line is None else [_mtok(line.usd_per_token), _percent(line.margin_fraction)]
        rows.append(tuple(row))
    print_table(out, headers, rows)
    long = f"long prompts: {found.long_prompt_tokens:,} tokens, whatever their time to the first token"
    fast = "" if found.fast_tpot_s is None else f"; fast: {show(found.fast_tpot_s, 's')} a token"
    print_text(out, f"{long}{fast}; batch and flex: in hours that would be idle", style="dim")


def _show_against(out: Console, one: Against, found: Pricing, label: str) -> None:
    out.print()
    mix, even = one.mix, one.break_even
    print_text(
        out,
        f"of this mix: a request is billed {_usd(mix.usd_per_request)} and costs {_usd(mix.cost_usd_per_request)}, a"
        f" margin of {_percent(mix.margin_fraction)}; {_percent(one.curve[0].margin_fraction)} where"
        f" {_percent(one.curve[0].hit_fraction)} of the input is found,"
        f" {_percent(one.curve[-1].margin_fraction)} where {_percent(one.curve[-1].hit_fraction)} of the input is",
        head=f"{label}{one.listing}, {one.time[:13].replace('T', ' ')} h UTC: ",
    )
    rent = f"{counted(even.chips, 'chip')} ({even.layout}) for ${even.usd_per_day:,.0f} a day"
    if even.tokens_per_day is None:
        print_text(
            out,
            f"pay by the token: it costs {_mtok(even.paid_usd_per_token)} a million, and own chips"
            f" {_mtok(even.own_usd_per_token)} even when {rent} serve all that they can,"
            f" {_tokens(even.most_tokens_per_day)} a day",
            head="Own chips or by the token? ",
        )
        return
    print_text(
        out,
        f"own chips from {_tokens(even.tokens_per_day)} a day on, input and output together: {rent},"
        f" which serve up to {_tokens(even.most_tokens_per_day)} a day at"
        f" {_percent(found.utilisation_fraction)} utilisation for {_mtok(even.own_usd_per_token)} a million; by the"
        f" token {_mtok(even.paid_usd_per_token)}",
        head="Own chips or by the token? ",
    )


def _tokens(count: float) -> str:
    return f"{show(count, 'count')} tokens"


def _mtok(usd_per_token: float) -> str:
    """Dollars a million, three digits; what is too little to bill is said so."""
    if usd_per_token < LEAST_USD_PER_TOKEN:
        return "< $0.001"
    return show(usd_per_token, "usd_per_token").removesuffix("/Mtok")


def _usd(usd: float) -> str:
    return f"${usd:.3g}"


def _percent(part: float) -> str:
    return f"{100 * part:.0f} %"
