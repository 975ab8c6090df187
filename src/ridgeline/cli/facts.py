"""Facts of the catalog as ``ridgeline catalog`` shows them: found by id, with source and date."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import click
from rich.console import Console

from ridgeline.catalog import CatalogError, Fact
from ridgeline.catalog.fact_files import sources
from ridgeline.cli.output import print_table, print_text

__all__ = ["fact_document", "found", "print_facts", "source_title"]


def found(read: Any, name: str) -> Any:  # noqa: ANN401  any entry
    """Entry that ``read`` has under an id."""
    try:
        return read(name)
    except CatalogError as error:
        raise click.BadParameter(str(error), param_hint="ID") from None


def fact_document(fact: Fact) -> dict[str, Any]:
    """Fact as a JSON document."""
    return {**asdict(fact), "date": fact.date.isoformat()}


def print_facts(out: Console, facts: Sequence[tuple[str, Fact]]) -> None:
    """Print facts, each with its date, the number of its source, and its note."""
    titles = list(dict.fromkeys(source_title(fact.source) for _, fact in facts))
    rows = [
        (
            name,
            fact.written,
            fact.date.isoformat(),
            f"[{titles.index(source_title(fact.source)) + 1}]",
            ", ".join(part for part in ("unverified" if fact.unverified else "", fact.note) if part),
        )
        for name, fact in facts
    ]
    print_table(out, ("fact", "value", "date", "source", "remarks"), rows, left=(0, 2, 3, 4))
    for number, title in enumerate(titles, start=1):
        print_text(out, f"[{number}] {title}", hang=len(f"[{number}] "))


def source_title(source: str) -> str:
    """A source by its title, where the catalog has one for it."""
    known = sources().get(source)
    return known.title if known else source
