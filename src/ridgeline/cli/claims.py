"""``ridgeline claims``: what the lecture says, and what the equations make of it."""

from __future__ import annotations

import click

from ridgeline.boards.claim import Claim, Verdict
from ridgeline.boards.lecture import BOARDS, claims
from ridgeline.boards.lecture.document import claim_document
from ridgeline.boards.lecture.left_open import ambiguities
from ridgeline.cli.completion import completes
from ridgeline.cli.output import console, counted, json_option, print_json, print_table, print_text

__all__ = ["command"]


@click.command("claims")
@click.option(
    "--board",
    metavar="BOARD",
    shell_complete=completes(lambda: [one.name for one in BOARDS]),
    help="Only the claims of one board, as `ridgeline boards` lists them, or of a chapter: context, training, ...",
)
@json_option
def command(board: str | None, as_json: bool) -> None:  # noqa: FBT001  a flag
    """Compute every claim of the lecture: with its own constants, and with the catalog's facts."""
    try:
        chosen = claims(board)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--board") from None
    documents = [claim_document(claim) for claim in chosen]
    if as_json:
        print_json({"inputs": {"board": board}, "claims": documents})
        return
    out = console()
    rows = [
        (
            one["id"],
            one["time_stamp"],
            *one["texts"].values(),
            one["verdict"],
            one["claim"],
        )
        for one in documents
    ]
    # Where a verdict needs words, it is told again below.
    headers = ("id", "time", "lecture", "ours, its constants", "ours, careful", "verdict", "claim")
    print_table(out, headers, rows, left=(0, 5, 6), optional=(1, 5))
    told = [claim for claim in chosen if _is_told(claim)]
    if told:
        out.print()
    for claim in told:
        print_text(out, f"{claim.id}  {claim.verdict.value}: {claim.why}", hang=4)
        if claim.careful_of or claim.contrast:
            head = "beside it" if claim.contrast else "careful"
            print_text(out, f"{head}: {claim.contrast or claim.careful_of}", indent=4)
        for one in ambiguities([claim.id]):
            print_text(out, f"left open: {one.text}", indent=4)
    out.print()
    counts = {verdict: sum(claim.verdict is verdict for claim in chosen) for verdict in Verdict}
    found = ", ".join(f"{count} {verdict.value}" for verdict, count in counts.items() if count)
    print_text(
        out,
        f"{counted(len(chosen), 'claim')}: {found}. Numbers without a unit are ratios or counts.",
        style="dim",
    )


def _is_told(claim: Claim) -> bool:
    """Whether the numbers alone would mislead: they differ, are of different things, or can be read in two ways."""
    return (
        claim.verdict is not Verdict.REPRODUCES
        or bool(claim.careful_of or claim.contrast)
        or bool(ambiguities([claim.id]))
    )
