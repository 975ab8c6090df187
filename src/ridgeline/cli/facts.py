"""Facts of the catalog as ``ridgeline catalog`` shows them: found by id, with source and date."""

from __future__ import annotations

from typing import Any

import click

from ridgeline.catalog import CatalogError, Fact
from ridgeline.catalog.facts import sources

__all__ = ["fact_cells", "fact_document", "found", "source_title"]


def found(read: Any, name: str) -> Any:  # noqa: ANN401  any entry
    """What ``read`` has under an id."""
    try:
        return read(name)
    except CatalogError as error:
        raise click.BadParameter(str(error), param_hint="ID") from None


def fact_document(fact: Fact) -> dict[str, Any]:
    """A fact as plain data."""
    return {**fact.model_dump(mode="json"), "date": fact.date.isoformat()}


def fact_cells(fact: Fact) -> tuple[str, str, str, str]:
    """A fact as written, its source, its date, and what to know beside it."""
    doubts = ", ".join(part for part in ("unverified" if fact.unverified else "", fact.note) if part)
    return fact.written, source_title(fact.source), fact.date.isoformat(), doubts


def source_title(source: str) -> str:
    """A source by its title, where the catalog has one for it."""
    known = sources().get(source)
    return known.title if known else source
