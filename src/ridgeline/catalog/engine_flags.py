"""Flags by which engines are told what a plan says: those of one stated release of each, each with its source."""

from __future__ import annotations

from dataclasses import field
from datetime import date as Date  # noqa: N812  a field below is named date
from functools import lru_cache
from typing import Annotated

from pydantic import AfterValidator

from ridgeline.catalog.engine_support import SupportFact
from ridgeline.catalog.facts import CATALOG, FactFile, known_source, read_toml

__all__ = ["ENGINE_FLAGS", "EngineFlags", "FlagFact", "WordFact", "WorkerFacts", "flags_of", "worker_of"]

ENGINE_FLAGS = CATALOG / "engine_flags.toml"


class FlagFact(SupportFact):
    """A flag of a command line, or a key of an options file.

    Attributes:
        sets: what it sets, by the name of the quantity.
        meaning: in a clause.
        when: the value at which alone it is written; None where every value is.
        word: what is written in the place of the value.
        switch: whether it is written without a value.
        default: what the engine takes where it is not written, as far as that decides whether it is.
    """

    sets: str
    meaning: str
    when: bool | None = None
    word: str | None = None
    switch: bool = False
    default: int | None = None


class WordFact(SupportFact):
    """What an engine calls a number format."""

    word: str


class EngineFlags(FactFile):
    """The flags of one release of an engine.

    Attributes:
        version: the release.
        command: what is run, before the model and the flags.
        further_node: what is added on nodes after the first.
        unverified: whether they were read elsewhere than in that release.
        weights: what quantises a 16-bit checkpoint while it is loaded, by number format.
        kv: what formats of the KV cache are called.
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
    """What Dynamo runs an engine by.

    Attributes:
        command: before the model and the flags.
        model: flag before the model.
        framework: its name in a manifest.
        image: of the container, without a tag.
        engine: the engine's release in Dynamo's package.
        transfer: how the KV cache goes from one pool to the other, as the engine's flag for it says.
    """

    command: tuple[str, ...]
    model: str
    framework: str
    image: str
    engine: str
    transfer: str


class FlagFile(FactFile):
    """The file."""

    engines: dict[str, EngineFlags]
    workers: dict[str, WorkerFacts]


@lru_cache(maxsize=1)
def _file() -> FlagFile:
    return read_toml(ENGINE_FLAGS, FlagFile)


def flags_of(engine: str) -> EngineFlags:
    """Flags of an engine, by its catalog name; ``dynamo`` and ``dynamo-tensorrt-llm`` are Dynamo's own."""
    return _file().engines[engine]


def worker_of(engine: str) -> WorkerFacts | None:
    """What Dynamo runs an engine by; None where it does not."""
    return _file().workers.get(engine)
