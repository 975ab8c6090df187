"""Remedies for refusals that click words by itself: what to write, and the nearest file that there is."""

from __future__ import annotations

import re
from difflib import get_close_matches
from pathlib import Path

import click

__all__ = ["with_remedy"]

WRITTEN = {
    "LISTING": "Name a model of a provider, such as anthropic/claude-opus-4-5; ridgeline catalog prices lists them",
    "MODEL": "Name one, such as llama-3.1-70b (ridgeline catalog models lists them), or a path to a config.json",
    "DIR": "Name the folder that ridgeline sweep wrote",
    "STUDY.toml": "Name a study, such as examples/fleet.toml",
}
"""Advice on parameters that are missed, where their help does not give it."""

NO_SUCH = re.compile(r"(?:File|Directory|Path) '(?P<path>.*)' does not exist")
"""Words of click for a file or a folder that is not there."""


def with_remedy(error: click.UsageError) -> click.UsageError:
    """The refusal, with what to write instead where click does not say it."""
    if isinstance(error, click.MissingParameter):
        said = _missed(error.param) if error.param is not None else ""
        return _longer(error, ". ", said)
    if isinstance(error, click.BadParameter) and (found := NO_SUCH.search(error.message)):
        return _longer(error, ": ", _beside(Path(found["path"])))
    return error


def _longer(error: click.UsageError, joined: str, said: str) -> click.UsageError:
    """Refusal in its own words and those that follow them."""
    if not said:
        return error
    return click.UsageError(f"{error.format_message().rstrip('.')}{joined}{said}", error.ctx)


def _missed(param: click.Parameter) -> str:
    """Advice on a parameter that is missed: its help, or an example."""
    name = max(param.opts, key=len)
    shown = param.make_metavar(click.Context(click.Command(""))) if isinstance(param, click.Argument) else name
    if known := WRITTEN.get(shown):
        return known
    help_text = param.help or "" if isinstance(param, click.Option) else ""
    return help_text.split("  [")[0].rstrip(".")


def _beside(path: Path) -> str:
    """Clause on the names nearest to that of a file, in its folder, or on the part of its path that is not there.

    It is empty where the folder cannot be read.
    """
    folder = path.parent
    if not folder.is_dir():
        return f"there is no folder {folder}"
    try:
        names = sorted(one.name for one in folder.iterdir())
    except OSError:  # not for this user to read
        return ""
    near = get_close_matches(path.name, names, 3)
    where = "this folder" if folder == Path() else str(folder)
    return f"nearest in {where}: {', '.join(near)}" if near else f"nothing in {where} has a name like it"
