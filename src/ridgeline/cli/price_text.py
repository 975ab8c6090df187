"""Text of ``ridgeline price``: the answer, the point at which it runs, what a token pays for, and its lines."""

from __future__ import annotations

from rich.console import Console

from ridgeline.cli.output import console, counted, print_table, print_text, show
from ridgeline.cli.price_lists_text import answer_of, show_against, with_lists
from ridgeline.cli.window import show_doubtful_units
from ridgeline.inversion.against import of_another_model
from ridgeline.inversion.price import Pricing
from ridgeline.planner.outcome import Constraint
from ridgeline.quantity_text import format_dollars, format_number
from ridgeline.seconds import HOUR_S
from ridgeline.specs.workload import Workload
from ridgeline.verbs import TPOT_S

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
"""Words for lines of a list; others of a list have no cost here."""

ENDLESS = {"cached_input"}
"""Lines of a list, the ends of whose cost are not known."""

SAME_COST = {"batch_input": "flex_input", "batch_output": "flex_output"}
"""Lines that cost the same here, and have each its own price in a list."""

AS = {
    Constraint.MEMORY: "as memory allows",
    Constraint.ENGINE: "as the engine lets in",
    Constraint.TPOT: "as the limit on TPOT allows",
    Constraint.COST: "where more would cost no less",
}
"""Clause on what limits the requests under way, by the constraint."""

SHOWN_NOTES = 3

SPARE_FILL = 0.5
"""Filled fraction of a load's chips below which idle ones are most of the cost."""


def show_pricing(found: Pricing, *, details: bool, is_tpot_asked: bool) -> None:
    """Print the answer, then where it runs, the stack, costs by line with prices beside them, and what to do.

    Args:
        found: costs and price lists.
        details: whether to show all notes, and the source of each part.
        is_tpot_asked: whether the user gave the limit on the time per token.
    """
    out, machine = console(), found.served.deployment.machine
    show_doubtful_units(out, machine)
    _show_answer(out, found)
    model = found.served.deployment.model
    others = list(filter(None, (of_another_model(one.listing, model) for one in found.against)))
    for said in others:
        print_text(out, said, head="Another model: " if "sells" in said else "Another model? ")
    _show_asked(out, found, is_tpot_asked=is_tpot_asked)
    _show_stack(out, found, details=details)
    _show_lines(out, found)
    for number, one in enumerate(found.against, start=1):
        show_against(out, one, found, f"[{number}] " if len(found.against) > 1 else "")
    notes = [note for note in found.notes if note not in (*others, *machine.unit_doubts)]
    for note in notes if details else notes[:SHOWN_NOTES]:
        print_text(out, f"note: {note}", style="dim")
    more = ["--details", "--json"] if details or len(notes) <= SHOWN_NOTES else ["--details for all notes", "--json"]
    if not found.against:
        more.insert(0, "--against PROVIDER/MODEL for margins and the break-even with a price list")
    print_text(out, f"more: {', '.join(more)}", style="dim")


def _show_answer(out: Console, found: Pricing) -> None:
    """Print the cost of a token and of a request, and how it compares with each list."""
    costs = found.usd_per_token
    said = f"{format_dollars(costs['input_with_hits'])} in, {format_dollars(costs['output'])} out"
    # Beside a list, a request pays for keeping its cache, as the comparison counts it.
    usd = found.against[0].mix.cost_usd_per_request if len(found.against) == 1 else found.usd_per_request
    request = f" a million tokens; a request costs ${usd:.3g}"
    if len(found.against) == 1:
        print_text(out, f"{request}, {answer_of(found.against[0])}", head=said)
        return
    print_text(out, request, head=said)
    for number, one in enumerate(found.against, start=1):
        print_text(out, f"[{number}] {one.listing}: {answer_of(one)}")


def _show_asked(out: Console, found: Pricing, *, is_tpot_asked: bool) -> None:
    served, load = found.served, found.load
    point = found.operating if load is None else load.operating
    workload, deployment = served.workload, served.deployment
    hits = f", {100 * workload.hit_fraction:.1f} % of the input found" if workload.hit_fraction else ""
    print_text(
        out,
        f" on {deployment.machine.name}: {workload.prompt_tokens:,.0f} tokens in, {workload.output_tokens:,.0f}"
        f" out{hits}; {_speed(workload, point.tpot_s, is_tpot_asked=is_tpot_asked)}",
        head=deployment.model.name,
    )
    if load is not None:
        idle = ", so that most of what a token costs is idle chips" if load.filled_fraction < SPARE_FILL else ""
        print_text(
            out,
            f"this load, {_rate(load.requests_per_s)} on the mean and"
            f" {show(load.most_requests_per_s, 'count')} at its most, fills {_part(load.filled_fraction)} of its"
            f" {counted(point.chips, 'chip')}{idle}",
        )
    copies = "" if load is None or load.replicas == 1 else f"{load.replicas:,} x "
    print_text(
        out,
        f"operating point: {copies}{_layouts(point.layout)} on {counted(point.chips, 'chip')}, batch {point.batch:,},"
        f" TPOT {show(point.tpot_s, 's')} ({show(point.tpot_low_s, 's')} to {show(point.tpot_high_s, 's')}),"
        f" bound by {point.bound.text}; {show(served.usd_per_chip_s, 'usd_per_s')} a chip ({found.price_label})",
    )


def _layouts(layout: str) -> str:
    """Layout of a replica, or of both pools by what they do.

    >>> _layouts("tp8"), _layouts("tp4/tp8")
    ('tp8', 'prompts tp4, tokens tp8')
    """
    prompts, _, tokens = layout.partition("/")
    return f"prompts {prompts}, tokens {tokens}" if tokens else layout


def _speed(workload: Workload, tpot_s: float, *, is_tpot_asked: bool) -> str:
    """Print how fast a user's tokens come, and who would buy them so."""
    if workload.tpot_s is None:
        if tpot_s <= TPOT_S:
            return "no limit on TPOT"
        return (
            f"no limit on TPOT: {1 / tpot_s:.2g} tokens/s for a user, which is sold in batches alone; compare with"
            " batch prices"
        )
    default = "" if is_tpot_asked else ", unless --tpot says another (none: the cheapest, as for a batch)"
    return f"a token within {show(workload.tpot_s, 's')}{default}"


def _show_stack(out: Console, found: Pricing, *, details: bool) -> None:
    out.print()
    rows = [
        (
            one.name,
            format_dollars(one.usd_per_input_token),
            format_dollars(one.usd_per_output_token),
        )
        for one in found.stack
        if one.usd_per_input_token or one.usd_per_output_token
    ]
    both = found.usd_per_token["input_with_hits"], found.usd_per_token["output"]
    rows.append(("all", format_dollars(both[0]), format_dollars(both[1])))
    print_table(out, ("cost, $/Mtok", "in", "out"), rows)
    if found.served.workload.hit_fraction:
        said = "in: a token of a prompt, whether computed or found; all: leaves out storing the prefix cache; that has"
        print_text(out, f"{said} its own lines", style="dim")
    if details:
        for one in found.stack:
            print_text(out, f": {one.why}", head=one.name)


EXACT = 9
"""Decimals of a price of an hour, $; beyond, there is rounding error alone."""


def _show_lines(out: Console, found: Pricing) -> None:
    out.print()
    names = [name for name in LINES if name in found.costs]
    # Beside a list that sells them each has its own price there.
    sold = {line.name for one in found.against for line in one.lines}
    doubled = {
        name: other for name, other in SAME_COST.items() if {name, other} <= set(names) and not {name, other} & sold
    }
    names = [name for name in names if name not in doubled.values()]
    rows = []
    for name in names:
        one = found.costs[name]
        ends = ("-", "-") if name in ENDLESS else (format_dollars(one.low_usd), format_dollars(one.high_usd))
        label = LINES[name].replace("batch ", "batch or flex ") if name in doubled else LINES[name]
        rows.append((label, format_dollars(one.usd), *ends))
    with_lists(out, ("$/Mtok", "cost", "low", "high"), rows, names, found.against)
    rents = found.served.rents
    chips = ""
    if rents[0] < rents[1]:
        # Rounded as the price itself is, and not what is left of it by a quotient.
        per_h = (round(end * found.served.usd_per_chip_s * HOUR_S, EXACT) for end in rents)
        rented = (f"${format_number(one)}/h" for one in per_h)
        chips = f", and chips for {' to '.join(rented)}, by the prices of that year"
    print_text(out, f"low to high: the 80 % interval of the plan's times{chips}", style="dim")
    if "cached_input" in found.costs:
        said = "found: cost and margin of bringing it back; what keeping it costs is in the lines of what is kept"
        print_text(out, said, style="dim")
    fast = "" if found.fast_tpot_s is None else f"; fast: {show(found.fast_tpot_s, 's')} a token"
    print_text(out, f"batch and flex: in hours that would be idle{fast}", style="dim")
    if (long := found.long_prompts) is not None:
        ratio = long.output.usd / found.usd_per_token["output"]
        print_text(
            out,
            f"long prompts: {long.prompt_tokens:,} tokens, read on {long.read_on}, whatever their time to the first"
            f" token; answered on {long.layout} with no prompts beside, {long.batch:,} at once,"
            f" {AS.get(long.limited_by, 'as they fit')}, {show(long.tpot_s, 's')} a token: {ratio:.2g} x plain output",
            style="dim",
        )


def _rate(requests_per_s: float) -> str:
    said = show(requests_per_s, "count")
    return f"{said} request{'' if said == '1' else 's'}/s"


def _part(fraction: float) -> str:
    return f"{100 * fraction:.2g} %"
