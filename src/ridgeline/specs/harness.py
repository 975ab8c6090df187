"""How a benchmark harness runs kernels and messages, and what a benchmark under load leaves unsaid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from ridgeline.specs.frozen import freeze_mappings

__all__ = ["Benchmark", "Harness"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Harness:
    """How kernels and messages were run that somebody timed by themselves.

    Attributes:
        matrices_in_turn: copies of a weight matrix that are multiplied by in turn, so that none stays in a cache.
        flushes_caches: whether caches are flushed before each product instead.
        quantises: whether a product turned its input into a narrow format itself, within what was timed.
        splits_lone_caches: whether decode attention splits a cache that a single query head reads.
        has_own_all_reduce: whether sums are an engine's own kernels where these are faster than the library's.
        waits_in_all_reduce: whether its own sum ends with a barrier.
        launches_messages_eagerly: whether a general library is called for each message, and not a graph replayed.
        prepares_exchanges: whether the host prepares each exchange of tokens with experts within what was timed.
        exchange_units: compute units that such an exchange occupies where nothing is said.
        kv_formats: format of the cache that its recipes have beside weights in a format, where nothing is said.
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
        name: as it calls itself.
        lengths: pairs of the longest prompt and the longest output, tokens, that it is known by.
        least_length_fraction: of these, the shortest; lengths are even between.
        kv_formats: format of the cache that its scripts for one pool set beside weights in a format, by engines' names
            with ``*`` for any text.
    """

    name: str
    lengths: tuple[tuple[int, int], ...]
    least_length_fraction: float
    kv_formats: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        freeze_mappings(self)

    def kv_format(self, engine: str, weights: str) -> str | None:
        """Format of the cache that its scripts set; None where they say nothing.

        Args:
            engine: as a run calls it.
            weights: format of the weights.
        """
        return next((of.get(weights) for name, of in self.kv_formats.items() if fnmatchcase(engine, name)), None)
