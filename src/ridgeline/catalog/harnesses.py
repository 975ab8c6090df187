"""Harnesses of kernel and message timings, and public benchmarks: one TOML file, each fact sourced."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Annotated, Any, Generic, TypeVar

from pydantic import Field

from ridgeline.catalog.engine_support import SupportFact
from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.facts import CATALOG, FactFile
from ridgeline.specs.harness import Benchmark, Harness

__all__ = ["HARNESSES", "benchmark_of", "harness_of"]

HARNESSES = CATALOG / "harnesses.toml"

Value = TypeVar("Value")


class Stated(SupportFact, Generic[Value]):
    """A value with its source."""

    value: Value


Count = Annotated[int, Field(ge=1)]


class HarnessFacts(FactFile):
    """Known facts about runs of some names, with the fields of ``Harness``."""

    matrices_in_turn: Stated[Count] | None = None
    flushes_caches: Stated[bool] | None = None
    quantises: Stated[bool] | None = None
    splits_lone_caches: Stated[bool] | None = None
    has_own_all_reduce: Stated[bool] | None = None
    waits_in_all_reduce: Stated[bool] | None = None
    launches_messages_eagerly: Stated[bool] | None = None
    prepares_exchanges: Stated[bool] | None = None
    exchange_units: Stated[Count] | None = None
    kv_formats: Stated[dict[str, str]] | None = None
    unserved_kinds: Stated[tuple[str, ...]] | None = None


class BenchmarkFacts(FactFile):
    """Known facts about a benchmark, with the fields of ``Benchmark`` without its name."""

    lengths: Stated[tuple[tuple[Count, Count], ...]]
    least_length_fraction: Stated[Annotated[float, Field(gt=0, le=1)]]
    kv_formats: Stated[dict[str, dict[str, str]]] | None = None


class HarnessFile(FactFile):
    """Contents of the file."""

    harnesses: dict[str, HarnessFacts]
    benchmarks: dict[str, BenchmarkFacts]


@lru_cache(maxsize=1)
def _file() -> HarnessFile:
    return read_toml(HARNESSES, HarnessFile)


@lru_cache(maxsize=1024)
def harness_of(run: str) -> Harness:
    """Harness in which a run's kernels and messages were timed, by the run's name for its engine, version included.

    >>> harness_of("trtllm-1.3.0rc20").matrices_in_turn, harness_of("").matrices_in_turn
    (5, 1)
    """
    stated: dict[str, Any] = {}
    for name, facts in sorted(_file().harnesses.items(), key=lambda one: len(one[0])):
        if fnmatchcase(run, name):
            stated |= {field: fact.value for field, fact in facts.given().items()}
    return Harness(**stated)


@lru_cache(maxsize=1)
def _benchmarks() -> tuple[Benchmark, ...]:
    return tuple(
        Benchmark(name=name, **{field: fact.value for field, fact in facts.given().items()})
        for name, facts in _file().benchmarks.items()
    )


def benchmark_of(prompt_tokens: float, output_tokens: float) -> Benchmark | None:
    """Benchmark with these longest lengths; None where none is known."""
    return next((one for one in _benchmarks() if (prompt_tokens, output_tokens) in one.lengths), None)
