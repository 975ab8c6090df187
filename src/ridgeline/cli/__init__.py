"""The command line: arguments in, tables out, or one JSON document with ``--json``. No formula lives here."""

from __future__ import annotations

import gc
import io
import json
import os
import shutil
import sys
import textwrap
from difflib import get_close_matches
from importlib import import_module

import click
from click.shell_completion import CompletionItem

from ridgeline.cli.remedies import with_remedy
from ridgeline.errors import RidgelineError, UnservedError
from ridgeline.glossary import ImplausibleError

__all__ = ["COMMANDS", "CONTROLS", "SEARCHED_FOR_GARBAGE", "commands", "main"]

COMMANDS = {
    "plan": "Find the best ways to serve MODEL: layout, batch, speed, cost, what binds",
    "estimate": "Estimate one step of MODEL: time and bound of every operation",
    "simulate": "Play a trace of requests through replicas: latencies, throughput, cost",
    "expect": "Say what a deployment should give, and what could make the difference of a measurement",
    "train": "Find the fastest ways to train MODEL: layout, step time, memory, days, cost",
    "price": "Say what a token of MODEL costs to serve, line by line of a price list",
    "infer": "Say what the prices of PROVIDER/MODEL tell of it",
    "budget": "Find how large a model, how many tokens, how much RL, for what it will serve",
    "cache": "Say in which tier to keep a context's KV cache until its next use",
    "schedules": "Compare pipeline schedules: how long stages idle, what they keep, hold and send",
    "trace": "Show what a log of requests has, or write it in Mooncake's format",
    "validate": "Hold predictions against measured cases",
    "calibrate": "Fit what your kernels, messages and engines take",
    "measure": "Time this machine's kernels and messages, and fit its numbers on them",
    "sweep": "Estimate every point of a study: models, machines, workloads, chips that do not exist yet",
    "query": "Ask a study by SQL: tables, heat maps, fronts, the command behind each row",
    "catalog": "Show models, machines, storage and list prices, with sources",
    "claims": "Compute every claim of the lecture",
    "boards": "List the lecture's boards, each with the question that it answers",
    "board": "Show one of the lecture's boards: its curves, and its claims",
    "quiz": "Ask questions on the lecture, and check answers",
    "blackboard": "Open the lecture's boards as a page of this machine",
    "lab": "Run experiments on what ciphers and networks share",
}
"""Help of each command, in the order in which a newcomer meets them; ``ridgeline.cli.NAME`` has it."""

FILES = {"trace": "convert_trace"}
"""Modules of commands by name, where the module of that name belongs to an option of other commands."""

SEARCHED_FOR_GARBAGE = 50_000
"""Records made between two searches for garbage: by default 700, which takes a tenth of the time of a plan."""

INTERRUPTED, UNREAD, NOT_WRITTEN = 130, 141, 74
"""Exit codes: 128 and the number of SIGINT and of SIGPIPE, as a shell gives them; the EX_IOERR of sysexits.h."""

CONTROLS = dict.fromkeys([code for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"], "\ufffd")
"""Replacements for characters that would command a terminal, where names and files hold them."""


class Commands(click.Group):
    """Group of commands that are imported when they are called, so that the list of them is fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's signature
        """Names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Command of a name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"ridgeline.cli.{FILES.get(cmd_name, cmd_name)}").command
        if not gc.isenabled():  # as at the start: imported objects stay, and need not be scanned again
            gc.freeze()
            gc.set_threshold(SEARCHED_FOR_GARBAGE)
            gc.enable()
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Command that is asked for; an unknown one is refused with the nearest names."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = get_close_matches(args[0], COMMANDS, 1)
            if not near:
                raise
            raise click.UsageError(f"{error.message} Did you mean {near[0]!r}?", ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the commands into the help."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Completions: commands and options that begin with the word."""
        found = [CompletionItem(name, help=what) for name, what in COMMANDS.items() if name.startswith(incomplete)]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def invoke(self, ctx: click.Context) -> object:
        """Run the command, with its refusals in its own words; where nothing serves, a document is printed, too."""
        arguments = list(ctx.args)
        try:
            return super().invoke(ctx)
        except ImplausibleError as error:
            raise click.UsageError(error.fault) from None  # quantities have units here, and base units in Python alone
        except UnservedError as error:
            if "--json" in arguments:
                click.echo(json.dumps({"inputs": {"arguments": arguments}, "unserved": str(error)}, indent=2))
            raise click.ClickException(str(error)) from None
        except RidgelineError as error:
            raise click.UsageError(str(error)) from None
        except click.UsageError as error:
            raise with_remedy(error) from None


@click.command(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
    epilog="Quantities carry units: 50ms, 3.35TB/s, 8k (8000), 8Ki (8192), '$2/h' (quoted, since a shell reads $2).",
)
@click.version_option(package_name="ridgeline", prog_name="ridgeline")
def commands() -> None:
    """The math of how large language models are trained and served."""


def main() -> int:
    """Run the command line, and give its exit code.

    Any terminal can be written to; an interrupt, a closed reader and a full disk end it without a traceback.
    """
    if sys.stdout is None:  # closed by the shell
        click.echo("Error: standard output is closed; send it to a file, or to /dev/null", err=True)
        return NOT_WRITTEN
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        code = _run()
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return UNREAD
    except OSError as error:
        _drop_output()
        click.echo(f"Error: {error.filename or 'standard output'}: {error.strerror}", err=True)
        return NOT_WRITTEN
    return code


def _run() -> int:
    """Run the command, and return its exit code."""
    try:
        return commands.main(prog_name="ridgeline", standalone_mode=False) or 0
    except click.ClickException as error:
        said = io.StringIO()
        error.show(file=said)
        click.echo(_broken(said.getvalue().translate(CONTROLS)), err=True, nl=False)
        return error.exit_code
    except click.Abort:  # click's word for an interrupt inside of a command
        return INTERRUPTED
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0


def _broken(text: str) -> str:
    """Text with its lines broken between words on a terminal; in a file each line stays whole."""
    if not sys.stderr.isatty():
        return text
    width = shutil.get_terminal_size().columns
    lines = (
        textwrap.fill(line, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
        for line in text.split("\n")
    )
    return "\n".join(lines)


def _drop_output() -> None:
    """Drop output that could not be written; the interpreter would try again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
