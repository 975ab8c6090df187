"""Tables for people, one JSON document for programs."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import click
from rich import box
from rich.console import Console
from rich.table import Table

from ridgeline.quantity_text import format_quantity

__all__ = ["console", "print_json", "show", "table"]

PIPE_WIDTH = 180
"""Columns in a pipe, where there is no terminal to ask."""


def console() -> Console:
    """Where tables go: as wide as the terminal, and wide in a pipe so that no cell is cut."""
    return Console(width=None if sys.stdout.isatty() else PIPE_WIDTH, highlight=False, soft_wrap=True)


def table(headers: Sequence[str], rows: Iterable[Sequence[str]], *, left: Sequence[int] = (0,)) -> Table:
    """A plain table; columns are right-aligned but those in ``left``."""
    made = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for index, header in enumerate(headers):
        made.add_column(header, justify="left" if index in left else "right", overflow="fold")
    for row in rows:
        made.add_row(*row)
    return made


def show(value: float | None, dimension: str, digits: int = 3) -> str:
    """A quantity as text; a dash where there is none."""
    return "-" if value is None else format_quantity(value, dimension, digits)


def print_json(document: dict[str, Any]) -> None:
    """Print one document; what is not finite is null, since JSON has no word for it."""
    click.echo(json.dumps(_plain(document), indent=2, allow_nan=False))


def _plain(value: Any) -> Any:  # noqa: ANN401  any JSON value
    if isinstance(value, dict):
        return {str(key): _plain(held) for key, held in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(held) for held in value]
    if isinstance(value, bool) or value is None or isinstance(value, (int, str)):
        return value
    return float(value) if math.isfinite(float(value)) else None
