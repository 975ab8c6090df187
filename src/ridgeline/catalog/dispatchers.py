"""Kernels for expert dispatch, by name: one TOML file, each fact sourced."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.facts import CATALOG, CatalogError, Fact, FactFile, reads
from ridgeline.catalog.harnesses import Count, Stated
from ridgeline.specs.dispatcher import Dispatcher

__all__ = ["DISPATCHERS", "load_dispatcher"]

DISPATCHERS = CATALOG / "dispatchers.toml"


class _DispatcherFacts(FactFile):
    units: Stated[Count]
    unit_bytes_per_s: Annotated[Fact, reads("bytes_per_s")] | None = None


class _DispatcherFile(FactFile):
    dispatchers: dict[str, _DispatcherFacts]


@lru_cache(maxsize=16)
def load_dispatcher(name: str) -> Dispatcher:
    """A dispatcher by Megatron's name for it.

    Raises:
        CatalogError: the name is unknown; the message lists the known ones.

    >>> load_dispatcher("deepep")
    Dispatcher(units=20, unit_bytes_per_s=None)
    """
    known = read_toml(DISPATCHERS, _DispatcherFile).dispatchers
    if name not in known:
        raise CatalogError(f"dispatcher {name!r} is not in the catalog; known: {', '.join(known)}")
    facts = known[name]
    rate = facts.unit_bytes_per_s
    return Dispatcher(units=facts.units.value, unit_bytes_per_s=None if rate is None else rate.value)
