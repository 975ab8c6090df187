"""Capabilities of engines: one TOML file, each fact with its source and date."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from datetime import date as Date  # noqa: N812  a field below is named date
from functools import lru_cache
from typing import Annotated, TypeVar

from pydantic import AfterValidator

from ridgeline.catalog.fact_files import known_source, read_toml
from ridgeline.catalog.facts import CATALOG, FactFile
from ridgeline.catalog.models import ATTENTION_KINDS
from ridgeline.specs.engine import IDEAL_ENGINE
from ridgeline.specs.engine_support import EngineSupport, PartSupport
from ridgeline.specs.stage_cut import SpareLayers

__all__ = ["ENGINE_SUPPORT", "facts_for", "spare_layers_of", "support_of"]

Facts = TypeVar("Facts")

ENGINE_SUPPORT = CATALOG / "engine_support.toml"


class SupportFact(FactFile):
    """Source of an engine's capability, with a remark."""

    source: Annotated[str, AfterValidator(known_source)]
    date: Date
    unverified: bool = False
    note: str = ""


class PartFact(SupportFact):
    """One degree of a layout."""

    has: bool = True
    whole: bool = False
    without: tuple[str, ...] = ()

    def spec(self) -> PartSupport:
        """The degree as a record of ``specs``."""
        return PartSupport(has=self.has, whole=self.whole, without=self.without, note=self.note)


class ListFact(SupportFact):
    """Items of a kind that an engine runs, and items that it lacks."""

    has: tuple[str, ...]
    lacks: tuple[str, ...] = ()

    def spec(self) -> dict[str, bool]:
        """Support for each item by name."""
        return dict.fromkeys(self.has, True) | dict.fromkeys(self.lacks, False)


class FormatFact(SupportFact):
    """Families of chips on which it runs a number format."""

    chips: tuple[str, ...]


class StageFact(SupportFact):
    """Placement of a model's layers on an engine's pipeline stages."""

    spare_layers: SpareLayers


class SupportFacts(FactFile):
    """The tables of one engine."""

    parts: dict[str, PartFact]
    attention: ListFact
    chips: ListFact
    weights: dict[str, FormatFact] = field(default_factory=dict)
    kv: dict[str, FormatFact] = field(default_factory=dict)
    drafts: ListFact | None = None
    stages: StageFact | None = None

    def spec(self) -> EngineSupport:
        """The capabilities as a record of ``specs``."""
        parts = {name: fact.spec() for name, fact in self.parts.items()}
        return EngineSupport(
            other_parts=parts.pop(OTHERS, None),
            parts=parts,
            attention={ATTENTION_KINDS[kind].__name__: runs for kind, runs in self.attention.spec().items()},
            chips=self.chips.spec(),
            weights={name: fact.chips for name, fact in self.weights.items()},
            kv={name: fact.chips for name, fact in self.kv.items()},
            drafts={} if self.drafts is None else self.drafts.spec(),
            unverified=tuple(self._unverified()),
        )

    def _unverified(self) -> Iterator[str]:
        """Names of capabilities known only from memory."""
        named: dict[str, SupportFact] = {"attention": self.attention, "chips": self.chips, **self.parts}
        named |= {f"{name} weights": fact for name, fact in self.weights.items()}
        named |= {f"{name} KV": fact for name, fact in self.kv.items()}
        named |= {} if self.drafts is None else {"drafts": self.drafts}
        named |= {} if self.stages is None else {"stages": self.stages}
        return (name for name, fact in named.items() if fact.unverified)


OTHERS = "others"
"""Key of the file for all degrees that it does not name."""


class SupportFile(FactFile):
    """Contents of the file; ``versions`` names the engine whose facts hold for another one without its own."""

    versions: dict[str, str]
    engines: dict[str, SupportFacts]


@lru_cache(maxsize=1)
def _file() -> SupportFile:
    return read_toml(ENGINE_SUPPORT, SupportFile)


def facts_for(engine: str, facts: Mapping[str, Facts]) -> Facts | None:
    """Facts of an engine, else of the one that it is a version of; None where there are none."""
    return facts.get(engine, facts.get(_file().versions.get(engine, "")))


def support_of(engine: str) -> EngineSupport | None:
    """Known capabilities of an engine, by its catalog name; None where none are known."""
    facts = facts_for(engine, _file().engines)
    return None if facts is None else facts.spec()


def spare_layers_of(engine: str) -> SpareLayers:
    """Stages that hold more layers, by the engine's catalog name; those of the ideal engine where unknown."""
    facts = facts_for(engine, _file().engines)
    return IDEAL_ENGINE.spare_layers if facts is None or facts.stages is None else facts.stages.spare_layers
