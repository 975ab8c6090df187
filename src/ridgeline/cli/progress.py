"""Progress bars of commands on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

from ridgeline.quantity_text import format_quantity

__all__ = ["Passed", "Told", "clocked", "progress", "rated"]

Told = Callable[[int], object]
"""Callback that takes the number of further steps that are done."""

Passed = Callable[[int, float], object]
"""Callback that takes the number of further requests, and the time up to which they were played, s."""


@contextmanager
def progress(words: str, total: int | None) -> Iterator[Told]:
    """Show a bar on a terminal's error stream, which goes when all is done; nothing in a pipe.

    Args:
        words: description of the work.
        total: number of steps; None where that shows at the end.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415  slow

    out = Console(stderr=True, highlight=False)
    columns = TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as bar:
        task = bar.add_task(words, total=total)
        yield lambda count: bar.advance(task, count)


@contextmanager
def rated(unit: str) -> Iterator[tuple[Callable[[int, int], object], Told]]:
    """Show a bar with a rate and the time left; yields a function that begins it and one that advances it.

    Args:
        unit: things that are counted, in the plural.
    """
    from rich.progress import (  # noqa: PLC0415  slow
        BarColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text  # noqa: PLC0415  slow

    class Counted(ProgressColumn):
        """Column with the number of steps done, and how many in a second."""

        def render(self, task: Task) -> Text:
            rate = f", {format_quantity(task.speed, 'count')}/s" if task.speed else ""
            done, total = (format_quantity(count or 0, "count") for count in (task.completed, task.total))
            return Text(f"{done} of {total} {unit}{rate}")

    out = Console(stderr=True, highlight=False)
    columns = BarColumn(), Counted(), TimeRemainingColumn(), TextColumn("left, so far"), TimeElapsedColumn()
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal, speed_estimate_period=60) as bar:
        task = bar.add_task("", total=None)
        yield (
            lambda total, done: bar.update(task, total=total, completed=done),
            lambda count: bar.advance(task, count),
        )


@contextmanager
def clocked(total: int | None) -> Iterator[Callable[[str], Passed]]:
    """Show a bar of requests with simulated beside wall time; yields a function that begins it for each play.

    Args:
        total: number of requests of a play; None where it is not known.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415  slow

    out = Console(stderr=True, highlight=False)
    played = TextColumn("{task.fields[played]} played in", markup=False)
    columns = TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn()
    with Progress(
        *columns, played, TimeElapsedColumn(), console=out, transient=True, disable=not out.is_terminal
    ) as bar:
        task = bar.add_task("", total=total, played="0 s")

        def begin(words: str) -> Passed:
            bar.reset(task, description=words, played="0 s")

            def passed(count: int, until_s: float) -> None:
                bar.update(task, advance=count, played=format_quantity(until_s, "s"))

            return passed

        yield begin
