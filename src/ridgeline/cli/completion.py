"""Shell completions: names of the catalog, boards, formats."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem

__all__ = ["Completes", "completes"]

Completes = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def completes(names: Callable[[], Iterable[str]], *, or_files: bool = False) -> Completes:
    """Completion by names that begin with the word; where none does, by files, where a path may stand."""

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        found = [CompletionItem(name) for name in names() if name.startswith(incomplete.lower())]
        return found if found or not or_files else [CompletionItem(incomplete, type="file")]

    return complete
