"""How a benchmark harness runs kernels and messages, and defaults for benchmarks under load."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from ridgeline.specs.frozen import freeze_mappings

__all__ = ["Benchmark", "Harness"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Harness:
    """Conditions under which isolated kernels and messages were timed.

    Attributes:
        matrices_in_turn: copies of a weight matrix that are multiplied in turn, so that none stays in a cache.
        flushes_caches: whether caches are flushed before each product instead.
        quantises: whether the timed product included quantising its input.
        splits_lone_caches: whether decode attention splits a cache that a single query head reads.
        has_own_all_reduce: whether all-reduces are an engine's own kernels where these are faster than the library's.
        waits_in_all_reduce: whether that all-reduce ends with a barrier.
        launches_messages_eagerly: whether collectives are launched one by one by a library, and not replayed from a
            graph.
        prepares_exchanges: whether the timed exchange of tokens with experts included the host's preparation.
        exchange_units: compute units that such an exchange occupies where a case does not say.
        kv_formats: format of the KV cache by format of the weights, where a case does not say.
        unserved_kinds: kinds of cases left out of fits: kernels that no engine serves with.
    """

    matrices_in_turn: int = 1
    flushes_caches: bool = False
    quantises: bool = True
    splits_lone_caches: bool = True
    has_own_all_reduce: bool = False
    waits_in_all_reduce: bool = True
    launches_messages_eagerly: bool = False
    prepares_exchanges: bool = False
    exchange_units: int = 1
    kv_formats: Mapping[str, str] = field(default_factory=dict)
    unserved_kinds: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        freeze_mappings(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """A public benchmark of engines under load.

    Attributes:
        name: name that the benchmark has for itself.
        lengths: pairs of the longest prompt and the longest output that it is run with, tokens.
        least_length_fraction: shortest length over the longest; lengths are uniform between.
        kv_formats: format of the KV cache that its scripts for one pool set, by format of the weights, by engine name
            with ``*`` for any text.
    """

    name: str
    lengths: tuple[tuple[int, int], ...]
    least_length_fraction: float
    kv_formats: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        freeze_mappings(self)

    def kv_format(self, engine: str, weights: str) -> str | None:
        """Format of the KV cache that its scripts set; None where they set none.

        Args:
            engine: engine name as in the run.
            weights: number format of the weights.
        """
        return next((of.get(weights) for name, of in self.kv_formats.items() if fnmatchcase(engine, name)), None)
