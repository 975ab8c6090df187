"""Tiers below a replica's prefix cache: evicted prompts are fetched, where that is faster than recomputing.

Tiers are inclusive: a prompt's computed blocks are written to all of them, and each evicts its own least recently used
ones, a prompt's end first. A tier that is no larger than the one above it thus adds nothing.

An admitted request is given its memory, and its prefix is looked up there and in the tiers below. Its cache is fetched
as far down as gives its first token soonest, each tier's part over a link of its own, behind others' fetches there; the
rest is recomputed, at the time of its passes alone. Other requests are served meanwhile, and a request that shares
blocks still being fetched waits for them.

A shared tier is one store that all replicas write to; each fetches from it over a link of its own.

Assumptions: hashed blocks are known as soon as their request is admitted, as in the prefix cache, and to other
replicas, too, where the tier is shared; and writing takes no time of the replica.

Source: vLLM's documentation, v0.20, ``v1.kv_offload.abstract`` (the longest run of blocks from the first one is looked
up; those that memory has are used there, too, so that they stay) and ``kv_connector.v1.base`` (memory is given before a
cache is loaded, while others go on); Liu et al. 2025, "LMCache" (arXiv 2510.09665).
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import pairwise

from ridgeline.catalog.storage import StorageDevice, link_rate
from ridgeline.errors import RidgelineError
from ridgeline.quantity_text import format_quantity
from ridgeline.specs.cache_tier import CacheTier
from ridgeline.specs.machine import Machine

__all__ = ["CacheTiers", "Kept", "TierCounts", "require_growing", "tier_behind"]


@dataclass(slots=True, kw_only=True)
class TierCounts:
    """Counts of one tier; requests that are admitted again count once.

    Attributes:
        hit_tokens: prompt tokens found in it and not in the tiers above.
        missed_tokens: prompt tokens that were looked up and not found in it.
        fetched_tokens: tokens that were fetched from it.
        written_tokens: tokens that were written to it.
        evicted_tokens: tokens that were evicted from it.
        kept_tokens: tokens that it holds.
        busy_s: time for which its link was busy, s.
    """

    hit_tokens: int = 0
    missed_tokens: int = 0
    fetched_tokens: int = 0
    written_tokens: int = 0
    evicted_tokens: int = 0
    kept_tokens: int = 0
    busy_s: float = 0.0


Kept = OrderedDict[int, None]
"""Blocks of a tier, the next to be evicted first."""


class _Tier:
    """Blocks of one tier, and the replica's link to it."""

    __slots__ = ("blocks", "counts", "free_s", "kept", "tier")

    def __init__(self, tier: CacheTier, block_bytes: float, shared: dict[str, Kept]) -> None:
        self.tier, self.blocks = tier, int(min(tier.capacity_bytes // block_bytes, 1 << 62))
        self.kept: Kept = shared.setdefault(tier.name, OrderedDict()) if tier.is_shared else OrderedDict()
        self.counts = TierCounts()
        self.free_s = 0.0


@dataclass(slots=True, kw_only=True)
class _Fetch:
    """A request whose cache is being fetched: blocks that memory had, first block fetched, and time of arrival."""

    own_blocks: int
    first: int
    ready_s: float


class CacheTiers:
    """Tiers of one replica, by the indices at which it keeps its requests.

    Args:
        tiers: tiers of the replica, the fastest first.
        hashed_tokens: tokens of a hashed block.
        token_bytes: cache of a token, over all chips, bytes.
        read_s: time to read a prompt from one token count to another, s.
        shared: blocks of shared tiers by name, the same object for all replicas; missing tiers are added.

    Raises:
        RidgelineError: a tier holds no more than the one above it, or less than a block.
    """

    def __init__(
        self,
        tiers: Sequence[CacheTier],
        *,
        hashed_tokens: int,
        token_bytes: float,
        read_s: Callable[[int, int], float],
        shared: dict[str, Kept] | None = None,
    ) -> None:
        require_growing(tiers)
        self._tokens, self._bytes, self._read_s = hashed_tokens, hashed_tokens * token_bytes, read_s
        shared = {} if shared is None else shared
        self._tiers = [_Tier(one, self._bytes, shared) for one in tiers]
        for one in self._tiers:
            if not one.blocks:
                raise RidgelineError(
                    f"cache tier {one.tier.name!r} of {format_quantity(one.tier.capacity_bytes, 'bytes')} holds no"
                    f" block of {hashed_tokens} tokens, which has {format_quantity(self._bytes, 'bytes')}; give it more"
                )
        self._found: dict[int, int] = {}
        self._away: dict[int, _Fetch] = {}
        self._coming: list[tuple[float, int]] = []

    def __len__(self) -> int:
        """Number of requests whose caches are being fetched."""
        return len(self._away)

    @property
    def counts(self) -> list[TierCounts]:
        """Counts of each tier."""
        for one in self._tiers:
            one.counts.kept_tokens = len(one.kept) * self._tokens
        return [one.counts for one in self._tiers]

    def admit(self, one: int, prefix: Sequence[int], known: int, target: int, now_s: float, *, is_first: bool) -> int:
        """Find a request's prefix, fetch as much of it as pays, and write the rest.

        Args:
            one: index of the request.
            prefix: hashes of its blocks.
            known: number of its blocks that memory has.
            target: tokens that must be in the cache before it decodes.
            now_s: current time, s.
            is_first: whether it is admitted for the first time, so that it counts.

        Returns:
            The result is blocks that it need not read.
        """
        most = (target - 1) // self._tokens
        found, levels = known, []
        for tier in self._tiers:
            level = max(found, _kept(tier.kept, prefix, found))
            if is_first:
                tier.counts.hit_tokens += (level - found) * self._tokens
                tier.counts.missed_tokens += (len(prefix) - level) * self._tokens
            found = level
            levels.append(level)
        waits_s = max((away.ready_s for away in self._away.values() if _shares(away, prefix, known)), default=now_s)
        cut, ready_s = known, waits_s
        if found > known:
            cut, ready_s = self._fetched(known, [min(level, most) for level in levels], target, now_s, waits_s)
        for tier in self._tiers:
            self._write(tier, prefix)
        self._found[one] = found
        if ready_s > now_s:
            first = prefix[known] if cut > known else prefix[known - 1]
            own = known if cut > known else known - 1
            self._away[one] = _Fetch(own_blocks=own, first=first, ready_s=ready_s)
            heappush(self._coming, (ready_s, one))
        return cut

    def _fetched(
        self, known: int, levels: Sequence[int], target: int, now_s: float, waits_s: float
    ) -> tuple[int, float]:
        """Number of blocks to fetch, and time at which they arrive: whatever gives the first token soonest."""
        best, ready_s = (known, waits_s), waits_s
        least_s = waits_s + self._read_s(known * self._tokens, target)
        done_s: list[float] = []
        ends: list[float] = []
        above = known
        for tier, level in zip(self._tiers, levels, strict=True):
            ends.append(tier.free_s)
            if level > above:
                tier_s = tier.tier.latency_s + (level - above) * self._bytes / tier.tier.read_bytes_per_s
                ends[-1] = max(now_s, tier.free_s) + tier_s
                ready_s = max(ready_s, ends[-1])
                first_s = ready_s + self._read_s(level * self._tokens, target)
                if first_s < least_s:
                    least_s, best, done_s = first_s, (level, ready_s), list(ends)
                above = level
        above = known
        for tier, level, end_s in zip(self._tiers, levels, done_s, strict=False):
            if level > above:
                tier.counts.busy_s += end_s - max(now_s, tier.free_s)
                tier.counts.fetched_tokens += (level - above) * self._tokens
                tier.free_s = end_s
                above = level
        return best

    def _write(self, tier: _Tier, prefix: Sequence[int]) -> None:
        """Touch a prompt's blocks from the last to the first, and evict those that there is no room for."""
        kept, before = tier.kept, len(tier.kept)
        for one in reversed(prefix):
            if one in kept:
                kept.move_to_end(one)
            else:
                kept[one] = None
        tier.counts.written_tokens += (len(kept) - before) * self._tokens
        over = len(kept) - tier.blocks
        for _ in range(over):
            kept.popitem(last=False)
        tier.counts.evicted_tokens += max(over, 0) * self._tokens

    def release(self, one: int, prefix: Sequence[int], lost: int) -> None:
        """Release a request; blocks from ``lost`` on, which were never computed, are not written."""
        for unread in prefix[max(self._found.pop(one, len(prefix)), lost) :]:
            for tier in self._tiers:
                tier.kept.pop(unread, None)

    def is_away(self, one: int) -> bool:
        """Whether a request's cache is being fetched."""
        return one in self._away

    def next_s(self) -> float:
        """Time at which the next fetch ends, s; infinite where there is none."""
        return self._coming[0][0] if self._coming else math.inf

    def arrived(self, now_s: float) -> Iterator[int]:
        """Requests whose caches have arrived by now; they are forgotten here."""
        while self._coming and self._coming[0][0] <= now_s:
            _, one = heappop(self._coming)
            del self._away[one]
            yield one

    def give_up(self, one: int) -> int:
        """Tokens that memory had of a request whose fetch is given up; -1 for one that is not being fetched."""
        away = self._away.pop(one, None)
        if away is None:
            return -1
        self._coming.remove((away.ready_s, one))
        heapify(self._coming)
        return away.own_blocks * self._tokens

    @property
    def away(self) -> list[int]:
        """Indices of the requests whose caches are being fetched."""
        return list(self._away)

    def forget(self, count: int) -> None:
        """Drop the first requests, none of which is being fetched; the others' indices shift down."""
        self._found = {one - count: found for one, found in self._found.items()}
        self._away = {one - count: away for one, away in self._away.items()}
        self._coming = [(ready_s, one - count) for ready_s, one in self._coming]


def tier_behind(
    name: str,
    device: StorageDevice | None,
    *,
    machine: Machine,
    chips: int,
    capacity_bytes: float | None = None,
    read_bytes_per_s: float | None = None,
    latency_s: float | None = None,
    sharing: int = 0,
) -> CacheTier:
    """A tier of a replica with one device behind each chip's link, all read at once.

    Args:
        name: name of the tier.
        device: storage device behind each chip; None where the rest is given.
        machine: machine with the links to the devices.
        chips: chips of the replica.
        capacity_bytes: capacity of all devices, bytes; left out, from the device.
        read_bytes_per_s: bandwidth of all devices, bytes/s; left out, that of the slower of devices and links.
        latency_s: time to the first byte, s; left out, the device's, or 0 without one.
        sharing: replicas that share all their devices as one store; 0 where each has its own.

    Raises:
        RidgelineError: neither a device nor its numbers are given, or the device is rented and has no size.
    """
    if device is not None:
        if capacity_bytes is None:
            capacity_bytes = max(sharing, 1) * chips * device.capacity()
        if read_bytes_per_s is None:
            read_bytes_per_s = chips * min(device.bytes_per_s.value, link_rate(device, machine))
        if latency_s is None and device.latency_s is not None:
            latency_s = device.latency_s.value
    if capacity_bytes is None or read_bytes_per_s is None:
        raise RidgelineError(f"cache tier {name!r}: give its device, or both its capacity and what is read of it")
    return CacheTier(
        name=name,
        capacity_bytes=capacity_bytes,
        read_bytes_per_s=read_bytes_per_s,
        latency_s=latency_s or 0.0,
        is_shared=sharing > 0,
    )


def require_growing(tiers: Sequence[CacheTier]) -> None:
    """Refuse tiers that could hold only what those above them hold."""
    for above, below in pairwise(tiers):
        if below.capacity_bytes <= above.capacity_bytes:
            raise RidgelineError(
                f"cache tier {below.name!r} of {format_quantity(below.capacity_bytes, 'bytes')} holds no more than"
                f" {above.name!r} above it, of {format_quantity(above.capacity_bytes, 'bytes')}, and tiers hold what"
                " those above them hold; give it more, or leave it out"
            )


def _shares(away: _Fetch, prefix: Sequence[int], known: int) -> bool:
    """Whether blocks of a prefix in memory are being fetched for another request."""
    return away.own_blocks < known and prefix[away.own_blocks] == away.first


def _kept(kept: Kept, prefix: Sequence[int], known: int) -> int:
    """Number of a prefix's blocks that are kept, by bisection: a block is kept only with all before it."""
    last = len(prefix)
    while known < last:
        middle = (known + last + 1) // 2
        if prefix[middle - 1] in kept:
            known = middle
        else:
            last = middle - 1
    return known
