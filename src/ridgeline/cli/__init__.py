"""The command line: arguments in, tables out, or one JSON document with ``--json``. No formula lives here."""

from __future__ import annotations

import io
import sys
from importlib import import_module, metadata

import click

__all__ = ["main"]

COMMANDS = {
    "plan": "ridgeline.cli.plan",
    "estimate": "ridgeline.cli.estimate",
    "validate": "ridgeline.cli.validate",
    "calibrate": "ridgeline.cli.calibrate",
    "catalog": "ridgeline.cli.catalog",
    "claims": "ridgeline.cli.claims",
    "boards": "ridgeline.cli.boards",
    "board": "ridgeline.cli.board",
    "quiz": "ridgeline.cli.quiz",
    "blackboard": "ridgeline.cli.blackboard",
}


class Commands(click.Group):
    """Commands that are imported when they are called, so that the first word is on screen at once."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's signature
        """Names in the order in which a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of that name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(COMMANDS[cmd_name]).command
        return command


@click.command(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
    epilog="Quantities carry units: 50ms, 3.35TB/s, 8k (8000), 8Ki (8192), '$2/h' (quoted, since a shell reads $2).",
)
@click.version_option(metadata.version("ridgeline"), prog_name="ridgeline")
def commands() -> None:
    """The math of how large language models are trained and served."""


def main() -> None:
    """Run the command line; an interrupt ends it without a trace, and no terminal is too old to be written to."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        commands()
    except KeyboardInterrupt:
        sys.exit(130)
