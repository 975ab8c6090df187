"""``ridgeline boards``: the lecture's boards, one a line."""

from __future__ import annotations

import sys

import click

from ridgeline.boards.lecture import BOARDS
from ridgeline.cli.output import console, json_option, print_json, print_table

__all__ = ["command"]


@click.command("boards")
@json_option
def command(as_json: bool) -> None:  # noqa: FBT001  a flag
    """List the lecture's boards, each with the question that it answers."""
    if as_json:
        listed = [
            {"name": one.name, "title": one.title, "question": one.question, "claims": list(one.claims)}
            for one in BOARDS
        ]
        print_json({"inputs": {}, "boards": listed})
        return
    # A pipe gets no header: names first, and what wraps is indented.
    headers = ("board", "question") if sys.stdout.isatty() else ("", "")
    print_table(console(), headers, [(one.name, one.question) for one in BOARDS], left=(0, 1))
