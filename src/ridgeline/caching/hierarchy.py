r"""The cheapest mix of tiers below a replica's memory: best sizes for a budget or for a time to first token.

The reuse distances of a log give the blocks that every request finds in a tier of any size. Each request takes the
fastest way to its first token: it prefills what memory does not have, or fetches as far down the tiers as pays, each
tier's part over a link of its own, and prefills the rest:

.. math:: \mathrm{TTFT} = \min_k \Big( \max_{j \le k} \big( \alpha_j + n_j \beta / W_j \big) + r(c_k) \Big)

with :math:`n_j` tokens in tier :math:`j` beyond those above it, :math:`c_k` in all down to tier :math:`k`, and
:math:`r(c)` the time to prefill the prompt from there. Tiers are inclusive, as in ``hit_rates``, and may be left out.
Costs are those of capacities, and of the chips while they prefill.

The search is exact: every mix of the offered capacities is tried on every request, and the Pareto front of cost and
time is kept. Queues are left out: a simulation plays them.

Source: Mattson et al. 1970 (one pass for all sizes); Wang et al. 2025, "KVCache cache in the wild" (arXiv 2506.02634),
on what sizes real traces want.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.caching.reuse import BlockUses, reuse_distances
from ridgeline.errors import RidgelineError

__all__ = ["Mix", "TierOffer", "TierSize", "capacity_mixes", "cheapest_within", "quickest_for"]

Array = NDArray[np.float64]
Whole = NDArray[np.int64]

MOST_MIXES = 200_000
"""Limit on the mixes that are tried: a minute or two for a log of ten thousand requests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TierSize:
    """A size that a tier comes in.

    Attributes:
        capacity_bytes: capacity of the tier, bytes.
        usd_per_s: price of the tier, $/s.
        read_bytes_per_s: read bandwidth, bytes/s.
        latency_s: time to the first byte, s.
    """

    capacity_bytes: float
    usd_per_s: float
    read_bytes_per_s: float
    latency_s: float = 0.0

    def __post_init__(self) -> None:
        for field in ("capacity_bytes", "read_bytes_per_s"):
            if not getattr(self, field) > 0:
                raise RidgelineError(f"TierSize: {field}={getattr(self, field)!r} must be above 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class TierOffer:
    """A tier in the sizes that it comes in; it may always be left out.

    Attributes:
        name: name of the tier.
        sizes: sizes that it comes in.
    """

    name: str
    sizes: tuple[TierSize, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mix:
    """Capacities of tiers, with their cost and effect.

    Attributes:
        capacities_bytes: capacity of each tier in the order of the offers, bytes; 0 where it is left out.
        tiers_usd_per_s: price of the tiers, $/s.
        usd_per_s: price of the tiers, and of the chips while they prefill, $/s.
        ttft_s: time to the first token without a queue, the mean or the quantile that was asked for, s.
        reading_s: mean prefill time of a request, s.
        fetched_fraction: fraction of all blocks that are fetched.
    """

    capacities_bytes: tuple[float, ...]
    tiers_usd_per_s: float
    usd_per_s: float
    ttft_s: float
    reading_s: float
    fetched_fraction: float


def capacity_mixes(
    uses: BlockUses,
    offers: Sequence[TierOffer],
    *,
    block_bytes: float,
    read_s: Callable[[Whole], Array],
    memory_blocks: int = 0,
    usd_per_reading_s: float = 0.0,
    part: float | None = None,
) -> tuple[Mix, ...]:
    """Pareto front of mixes in cost and time to the first token, the cheapest first.

    Args:
        uses: blocks of a log.
        offers: tiers, the fastest first.
        block_bytes: KV cache of a block, bytes.
        read_s: time to prefill each prompt behind a number of cached blocks, s; it rises with the rest.
        memory_blocks: blocks of prompts that the replica's own memory keeps.
        usd_per_reading_s: price of the chips that prefill, $/s.
        part: quantile of the first token that counts, such as 0.9; None for the mean.

    Raises:
        RidgelineError: the offers have too many mixes to try.
    """
    count = math.prod(len(one.sizes) + 1 for one in offers)
    if count > MOST_MIXES:
        raise RidgelineError(f"{count:,} mixes are more than {MOST_MIXES:,}; offer fewer capacities of each tier")
    log = _Log(uses, block_bytes, read_s)
    memory = log.found(memory_blocks)
    begun = _Begun(
        capacities=(),
        usd_per_s=0.0,
        least=memory_blocks,
        found=memory,
        ready_s=np.zeros(len(memory)),
        best=log.of(memory),
    )
    rate = len(memory) / uses.span_s if uses.span_s else 0.0
    mixes = [
        Mix(
            capacities_bytes=one.capacities,
            tiers_usd_per_s=one.usd_per_s,
            usd_per_s=one.usd_per_s + rate * float(one.best.reading_s.mean()) * usd_per_reading_s,
            ttft_s=float(one.best.first_s.mean() if part is None else np.quantile(one.best.first_s, part)),
            reading_s=float(one.best.reading_s.mean()),
            fetched_fraction=float((one.best.blocks - memory).sum() / len(uses.hashes)),
        )
        for one in _mixes(log, offers, begun)
    ]
    return tuple(_front(mixes))


def cheapest_within(mixes: Iterable[Mix], ttft_s: float) -> Mix | None:
    """The cheapest mix whose first token comes in time; None where none does."""
    return min((one for one in mixes if one.ttft_s <= ttft_s), key=lambda one: one.usd_per_s, default=None)


def quickest_for(mixes: Iterable[Mix], usd_per_s: float) -> Mix | None:
    """The mix with the earliest first token for a budget; None where all cost more."""
    return min((one for one in mixes if one.usd_per_s <= usd_per_s), key=lambda one: one.ttft_s, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Best:
    """The fastest way for each request: its first token, its prefill, and the blocks that it need not prefill."""

    first_s: Array
    reading_s: Array
    blocks: Whole


@dataclass(frozen=True, slots=True, kw_only=True)
class _Begun:
    """The first tiers of a mix: blocks that each request has found so far, their arrival, and its fastest way."""

    capacities: tuple[float, ...]
    usd_per_s: float
    least: int
    found: Whole
    ready_s: Array
    best: _Best


class _Log:
    """Blocks that requests find in tiers of a size, and the prefill of the rest, each computed once."""

    def __init__(self, uses: BlockUses, block_bytes: float, read_s: Callable[[Whole], Array]) -> None:
        self.block_bytes = block_bytes
        self._distances, self._starts, self._read_s = reuse_distances(uses), uses.starts, read_s
        self._found: dict[int, Whole] = {}
        self._reading_s: dict[int, Array] = {}

    def found(self, blocks: int) -> Whole:
        """Blocks that each request finds in a cache of ``blocks`` blocks."""
        if blocks not in self._found:
            self._found[blocks] = np.add.reduceat(self._distances <= blocks, self._starts, dtype=np.int64)
        return self._found[blocks]

    def reading_s(self, blocks: int) -> Array:
        """Time to read the rest of each request, s."""
        if blocks not in self._reading_s:
            self._reading_s[blocks] = self._read_s(self.found(blocks))
        return self._reading_s[blocks]

    def of(self, found: Whole) -> _Best:
        """Best ways of requests that fetch nothing."""
        reading_s = self._read_s(found)
        return _Best(first_s=reading_s, reading_s=reading_s, blocks=found)


def _mixes(log: _Log, offers: Sequence[TierOffer], begun: _Begun) -> Iterator[_Begun]:
    """All mixes that begin with some tiers: the next one is left out, or has any capacity above the previous one's."""
    if not offers:
        yield begun
        return
    offer, rest = offers[0], offers[1:]
    yield from _mixes(log, rest, dataclasses.replace(begun, capacities=(*begun.capacities, 0.0)))
    for size in offer.sizes:
        blocks = int(size.capacity_bytes // log.block_bytes)
        if blocks > begun.least:
            yield from _mixes(log, rest, _below(log, begun, size, blocks))


def _below(log: _Log, begun: _Begun, size: TierSize, blocks: int) -> _Begun:
    """The mix with one more tier."""
    found, reading_s, best = log.found(blocks), log.reading_s(blocks), begun.best
    more = found - begun.found
    moved_s = size.latency_s + more * (log.block_bytes / size.read_bytes_per_s)
    ready_s = np.where(more > 0, np.maximum(begun.ready_s, moved_s), begun.ready_s)
    first_s = ready_s + reading_s
    is_sooner = first_s < best.first_s
    return _Begun(
        capacities=(*begun.capacities, size.capacity_bytes),
        usd_per_s=begun.usd_per_s + size.usd_per_s,
        least=blocks,
        found=found,
        ready_s=ready_s,
        best=_Best(
            first_s=np.where(is_sooner, first_s, best.first_s),
            reading_s=np.where(is_sooner, reading_s, best.reading_s),
            blocks=np.where(is_sooner, found, best.blocks),
        ),
    )


def _front(mixes: Iterable[Mix]) -> Iterator[Mix]:
    """Mixes that are faster than all cheaper ones, the cheapest first."""
    least_s = math.inf
    for one in sorted(mixes, key=lambda one: (one.usd_per_s, one.ttft_s)):
        if one.ttft_s < least_s:
            least_s = one.ttft_s
            yield one
