"""``ridgeline claims``: the lecture's claims, what the equations make of them, and how one rests on another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

import click
from rich.console import Console

from ridgeline.boards import lecture
from ridgeline.boards.argument import (
    ImplausibleNumberError,
    Outcome,
    UnknownNumberError,
    argument_picture,
    dimension,
    follow,
    links,
    resolved,
)
from ridgeline.boards.claim import Claim
from ridgeline.boards.constant import Constant, Origin
from ridgeline.boards.lecture.document import ClaimRowDocument, bridge_document, claim_document, graph_document
from ridgeline.boards.lecture.left_open import ambiguities
from ridgeline.boards.verdict import Contradicted, Verdict
from ridgeline.cli.completion import completes
from ridgeline.cli.figure import draw_argument, draw_bridge, figure_options, refuse_theme_alone
from ridgeline.cli.output import console, counted, json_option, print_json, print_table, print_text
from ridgeline.quantity_text import QuantityError, parse_quantity

__all__ = ["command"]

GIVES = {Origin.SAID: "The lecture says", Origin.IMPLIED: "The lecture implies", Origin.FILLED_IN: "Filled in here:"}
"""Beginning of a sentence on a number, by the number's origin."""

LEGEND = (
    "lecture: the number that was said or implied, - where there is none; ours: the same number computed with the"
    " lecture's own constants; ours, careful: with the catalog's facts"
)
"""Meanings of the table's heads."""

MARGIN = 4
"""Columns of margin before the lines of a claim."""


@click.command("claims")
@click.option(
    "--board",
    metavar="BOARD",
    shell_complete=completes(lecture.names),
    help="Only the claims of one board, as `ridgeline boards` lists them, or of a chapter: context, training, ...",
)
@click.option(
    "--bridge",
    metavar="ID",
    shell_complete=completes(lambda: [one.id for one in lecture.CLAIMS]),
    help="From the lecture's number to the careful one, a changed assumption a step: A11.",
)
@click.option("--graph", is_flag=True, help="Which claim rests on which; with --set, which verdicts turn.")
@click.option(
    "--set",
    "changed",
    metavar="NUMBER=VALUE",
    multiple=True,
    help="With --graph: change a claim's number or a constant, as A10=250 or kv_bytes_per_token=70kB.",
)
@click.option(
    "--details", is_flag=True, help="Tell each claim in full: what is claimed, why the verdict, what is left open."
)
@figure_options("the bridge or the graph")
@json_option
def command(
    *,
    board: str | None,
    bridge: str | None,
    graph: bool,
    changed: Sequence[str],
    details: bool,
    figure: Path | None,
    theme: str | None,
    as_json: bool,
) -> None:
    """Compute every claim of the lecture: with its own constants, and with the catalog's facts."""
    refuse_theme_alone(figure, theme)
    if sum((board is not None, bridge is not None, graph)) > 1:
        raise click.UsageError("--board, --bridge and --graph each show something else; ask for one at a time")
    if changed and not graph:
        raise click.UsageError("--set changes a number that claims start from, --graph shows what follows; give both")
    if figure is not None and bridge is None and not graph:
        raise click.BadParameter("draws a bridge or the graph; add --bridge ID or --graph", param_hint="--figure")
    if details and (bridge is not None or graph):
        raise click.BadParameter("tells claims in full; leave out --bridge and --graph", param_hint="--details")
    if bridge is not None:
        _bridge(bridge, figure, theme, as_json=as_json)
    elif graph:
        _graph(changed, figure, theme, as_json=as_json)
    else:
        _ledger(board, details=details, as_json=as_json)


def _ledger(board: str | None, *, details: bool, as_json: bool) -> None:
    try:
        chosen = lecture.claims(board)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--board") from None
    if as_json:
        print_json({"inputs": {"board": board}, "claims": [claim_document(claim) for claim in chosen]})
        return
    out = console()
    chosen = tuple(sorted(chosen, key=_place))
    documents = [claim_document(claim) for claim in chosen]
    _count(out, chosen)
    out.print()
    if not details:
        links = [one["link"] for one in documents]
        headers = ("id", "lecture", "ours", "ours, careful", "verdict")
        print_table(out, headers, [_row(one) for one in chosen], left=range(5), optional=(3,), links=links)
        out.print()
        print_text(out, LEGEND, style="dim")
        print_text(out, "what is claimed, and why each verdict: --details, --bridge ID", style="dim")
        return
    for place, (claim, document) in enumerate(zip(chosen, documents, strict=True)):
        if place:
            out.print()
        _tell(out, claim, document)


def _place(claim: Claim) -> tuple[str, int, str]:
    """Place of a claim in a list by number: A2 before A10."""
    letters, digits, rest = re.split(r"(\d+)", claim.id, maxsplit=1)
    return letters, int(digits), rest


def _count(out: Console, chosen: Sequence[Claim]) -> None:
    """Print the number of claims of each verdict, with the ids of those that do not reproduce."""
    ids = {verdict: [claim.id for claim in chosen if claim.verdict is verdict] for verdict in Verdict}
    rows = [
        (f"{len(found)}", verdict.value, "" if verdict is Verdict.REPRODUCES else ", ".join(found))
        for verdict, found in ids.items()
        if found
    ]
    print_text(out, counted(len(chosen), "claim"), style="bold")
    print_table(out, ("", "", ""), rows, left=(1, 2))
    against = [(one, [claim.id for claim in chosen if claim.contradicts() is one]) for one in Contradicted]
    if told := [f"{', '.join(found)} {_verb(found)} {one.value}" for one, found in against if found]:
        print_text(out, "; ".join(told))


def _verb(claims: Sequence[str]) -> str:
    return "contradicts" if len(claims) == 1 else "contradict"


def _row(claim: Claim) -> tuple[str, ...]:
    """Row of a claim: its numbers, their quantity stated once, and how they compare."""
    his = None if claim.lecture is None else float(claim.lecture)
    _, *ours = claim.measure().texts((his, claim.lecture_mode(), claim.careful()))
    return (claim.id, claim.stated(), *ours, claim.verdict.value)


def _is_told(claim: Claim) -> bool:
    """Whether the numbers alone would mislead: they differ, are of different things, or can be read in two ways."""
    is_other = bool(claim.careful_of or claim.contrast)
    return claim.verdict is not Verdict.REPRODUCES or is_other or bool(ambiguities([claim.id]))


def _tell(out: Console, claim: Claim, document: ClaimRowDocument) -> None:
    """Print the claim, its verdict in a line, the reason, and what limits it."""
    said = f"At {claim.time_stamp}: {claim.claim}"
    print_text(out, said, head=f"{claim.id}  ", hang=MARGIN, link=document["link"])
    lines = [claim.note().sentence()]
    if _is_told(claim):
        lines.append(claim.why)
    careful = document["texts"]["ours_careful"]
    if claim.careful_of:
        lines.append(f"{'published' if claim.note().published else 'careful'}: {careful}, {claim.careful_of}")
    if claim.contrast:
        lines.append(f"beside it, not instead of it: {careful}, {claim.contrast}")
    if claim.lecture is not None and claim.lecture.hedge:
        lines.append(f"hedged: {claim.lecture.hedge}")
    lines += [f"left open: {one.text}" for one in ambiguities([claim.id])]
    for line in filter(None, lines):
        print_text(out, line, indent=MARGIN, hang=0)


NEAR = 0.6
"""Likeness, by ``difflib``, from which a claim's id is named where another was asked for."""


def _bridge(name: str, figure: Path | None, theme: str | None, *, as_json: bool) -> None:
    try:
        claim = lecture.claim(name)
    except ValueError as error:
        near = get_close_matches(name.upper(), [one.id for one in lecture.CLAIMS], cutoff=NEAR)
        meant = f"; near it are {', '.join(near)}" if near else ""
        raise click.BadParameter(f"{error}{meant}; `ridgeline claims` lists them", param_hint="--bridge") from None
    if claim.compute is None:
        raise click.BadParameter(f"nothing is computed of {claim.id}: {claim.why}", param_hint="--bridge")
    steps = bridge_document(claim)
    of = claim.contrast or claim.careful_of
    if figure is not None:
        draw_bridge(claim, path=figure, theme=theme)
    if as_json:
        print_json({"inputs": {"claim": claim.id}, "claim": claim_document(claim), "steps": steps})
        return
    out = console()
    print_text(out, claim.told(), head=f"{claim.id}  ")
    if claim.lecture is not None:
        print_text(out, _stated(claim, claim.lecture))
    out.print()
    print_table(out, ("changed assumption", "number"), [(one["change"], one["text"]) for one in steps], left=(0,))
    out.print()
    print_text(out, claim.note().sentence())
    print_text(out, f"{claim.verdict.value}: {claim.why}")
    if of:
        print_text(out, f"{'beside it' if claim.contrast else 'careful'}: {of}", style="dim")
    if len(steps) == 1:
        print_text(out, "The catalog adds nothing to it: no assumption of the claim is one of a model or a machine.")


def _stated(claim: Claim, lecture: Constant) -> str:
    """Lecture's number, with its origin and its limits."""
    hedge = f" ({lecture.hedge})" if lecture.hedge else ""
    when = f", at {lecture.time_stamp}" if lecture.time_stamp else ""
    return f"{GIVES[lecture.origin]} {claim.stated()}{hedge}{when}."


def _graph(changed: Sequence[str], figure: Path | None, theme: str | None, *, as_json: bool) -> None:
    try:
        numbers = dict(_number(text) for text in changed)
        outcomes = follow(lecture.CLAIMS, numbers) if numbers else ()
    except (UnknownNumberError, ImplausibleNumberError) as error:
        raise click.BadParameter(str(error), param_hint="--set") from None
    if figure is not None:
        draw_argument(argument_picture(lecture.CLAIMS, outcomes), is_changed=bool(numbers), path=figure, theme=theme)
    if as_json:
        print_json({"inputs": {"set": numbers}, **graph_document(lecture.CLAIMS, outcomes)})
    elif numbers:
        _print_outcomes(console(), outcomes)
    else:
        _print_links(console())


def _number(text: str) -> tuple[str, float]:
    given, is_set, value = text.partition("=")
    if not is_set:
        raise click.BadParameter(f"{text!r} has no value; write A10=250", param_hint="--set")
    name = resolved(lecture.CLAIMS, given.strip())
    try:
        return name, parse_quantity(value, dimension(lecture.CLAIMS, name))
    except QuantityError as error:
        raise click.BadParameter(f"{name}: {error}", param_hint="--set") from None


def _print_outcomes(out: Console, outcomes: Sequence[Outcome]) -> None:
    moved = [one for one in outcomes if one.is_moved or one.is_turned]
    rows = [
        (
            one.claim.id,
            one.claim.text(None if one.claim.lecture is None else float(one.claim.lecture)),
            one.claim.text(one.before),
            one.claim.text(one.after),
            ("turns: " + ("holds now" if one.stands else "holds no more")) if one.is_turned else "",
        )
        for one in moved
    ]
    if rows:
        print_table(out, ("id", "lecture", "before", "after", "verdict"), rows, left=range(5))
        out.print()
    turned = sum(one.is_turned for one in outcomes)
    stays = [one.claim.id for one in outcomes if one not in moved]
    said = f"; {', '.join(stays)} {'does' if len(stays) == 1 else 'do'} not" if stays else ""
    reached = counted(len(outcomes), "number")
    print_text(out, f"{reached} reached: {len(moved)} of them move, {turned} to another verdict{said}.", style="dim")
    print_text(out, "what each claims: ridgeline claims --details", style="dim")


def _print_links(out: Console) -> None:
    by_id = {claim.id: claim for claim in lecture.CLAIMS}
    ordered = sorted(links(lecture.CLAIMS), key=lambda one: (_place(by_id[one.source]), _place(by_id[one.target])))
    rows = [(one.source, one.target, ", ".join(one.inputs), by_id[one.target].claim) for one in ordered]
    print_table(out, ("number of", "goes into", "as", "claim"), rows, left=(0, 1, 2, 3), optional=(2,))
    out.print()
    print_text(out, "Change one and see what turns: ridgeline claims --graph --set A10=250", style="dim")
