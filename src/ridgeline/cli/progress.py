"""How far a command is, while somebody looks on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

__all__ = ["Told", "progress"]

Told = Callable[[int], object]
"""Takes how many more are done."""


@contextmanager
def progress(words: str, total: int | None) -> Iterator[Told]:
    """A bar on a terminal's error stream, which goes when all is done; nothing in a pipe.

    Args:
        words: what is done.
        total: how many there are; None where that shows at the end.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415  slow

    out = Console(stderr=True, highlight=False)
    columns = TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as bar:
        task = bar.add_task(words, total=total)
        yield lambda count: bar.advance(task, count)
