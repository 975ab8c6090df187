"""Flags by which engines take the settings of a plan, for one stated release of each, each with its source."""

from __future__ import annotations

from dataclasses import field
from datetime import date as Date  # noqa: N812  a field below is named date
from functools import lru_cache
from typing import Annotated

from pydantic import AfterValidator

from ridgeline.catalog.engine_support import SupportFact
from ridgeline.catalog.fact_files import known_source, read_toml
from ridgeline.catalog.facts import CATALOG, FactFile

__all__ = ["ENGINE_FLAGS", "EngineFlags", "FlagFact", "WordFact", "WorkerFacts", "flags_of", "worker_of"]

ENGINE_FLAGS = CATALOG / "engine_flags.toml"


class FlagFact(SupportFact):
    """A flag of a command line, or a key of an options file.

    Attributes:
        sets: name of the quantity that it sets.
        meaning: meaning in a clause.
        when: only value for which it is written; None where it is written for every value.
        word: text that is written in place of the value.
        switch: whether it is written without a value.
        default: engine's default, as far as it decides whether the flag is written.
    """

    sets: str
    meaning: str
    when: bool | None = None
    word: str | None = None
    switch: bool = False
    default: int | None = None


class WordFact(SupportFact):
    """An engine's name for a number format."""

    word: str


class EngineFlags(FactFile):
    """The flags of one release of an engine.

    Attributes:
        version: version of the release.
        command: command before the model and the flags.
        further_node: arguments added on nodes after the first.
        unverified: whether they were read elsewhere than in that release.
        weights: arguments that quantise a 16-bit checkpoint at load time, by number format.
        kv: names for formats of the KV cache.
    """

    version: str
    command: tuple[str, ...]
    further_node: tuple[str, ...] = ()
    source: Annotated[str, AfterValidator(known_source)]
    date: Date
    unverified: bool = False
    note: str = ""
    flags: dict[str, FlagFact]
    weights: dict[str, WordFact] = field(default_factory=dict)
    kv: dict[str, WordFact] = field(default_factory=dict)


class WorkerFacts(SupportFact):
    """Settings by which Dynamo runs an engine.

    Attributes:
        command: command before the model and the flags.
        model: flag before the model.
        framework: name of the engine in a manifest.
        image: image of the container, without a tag.
        engine: release of the engine in Dynamo's package.
        transfer: transfer of the KV cache between pools, as a value of the engine's flag for it.
    """

    command: tuple[str, ...]
    model: str
    framework: str
    image: str
    engine: str
    transfer: str


class FlagFile(FactFile):
    """Contents of the file."""

    engines: dict[str, EngineFlags]
    workers: dict[str, WorkerFacts]


@lru_cache(maxsize=1)
def _file() -> FlagFile:
    return read_toml(ENGINE_FLAGS, FlagFile)


def flags_of(engine: str) -> EngineFlags:
    """Flags of an engine, by its catalog name; ``dynamo`` and ``dynamo-tensorrt-llm`` are Dynamo's own."""
    return _file().engines[engine]


def worker_of(engine: str) -> WorkerFacts | None:
    """Settings by which Dynamo runs an engine; None where it does not."""
    return _file().workers.get(engine)
