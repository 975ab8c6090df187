"""Prefix cache of a replica: prompt blocks that several requests share are kept once, for as long as they fit.

A hash covers a block and all blocks before it. Blocks with a known hash are not recomputed, except the last one of a
prompt, which gives its first token. Blocks of requests in flight are counted once, however many share them. An unused
block counts as free, and stays until its room is needed: of all free blocks, the least recently used goes first, and of
a request its tail. Blocks of generated tokens stand in this queue, too.

Blocks that are used by the same requests form one run. A new prompt splits the run that it leaves in the middle, so
that the cost of a prompt grows with the runs that it crosses, and not with its length.

Assumptions: hashed blocks are known as soon as their request is admitted, since the next one is admitted in the step
that reads the last of it; generated tokens are not hashed, since traces do not name them; and groups of ``dp`` share
one cache, where engines keep one each.

Source: vLLM's automatic prefix caching, v1 (documentation, "Prefix Caching", 2026-11: free queue and eviction order);
Zheng et al. 2024, "SGLang" (arXiv 2312.07104): the tree of runs.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from ridgeline.errors import RidgelineError
from ridgeline.simulator.cache_tiers import CacheTiers

__all__ = ["PrefixCache"]


class _Run:
    """A run of consecutive blocks that the same requests use.

    Attributes:
        start: number of prefix blocks before it.
        hashes: hashes of its blocks.
        users: number of requests in flight that use it.
        before: run that it continues; None at the start of prompts.
        is_hit: whether a later request has found it, so that it has been computed.
    """

    __slots__ = ("before", "hashes", "is_hit", "start", "users")

    def __init__(self, start: int, hashes: tuple[int, ...], users: int, before: _Run | None) -> None:
        self.start, self.hashes, self.users, self.before, self.is_hit = start, hashes, users, before, False


class PrefixCache:
    """Prefixes of a replica's requests, by the indices at which it keeps them.

    Args:
        blocks: blocks of the replica's memory.
        block_tokens: tokens of a block.
        hashed_tokens: tokens of a hashed block.
        tiers: cache tiers in which evicted prompts are found; None without any.

    Attributes:
        hits_tokens: tokens of each request found at its first admission, in memory or fetched from a tier; -1 before.
        evicted_blocks: number of blocks that were evicted.

    Raises:
        RidgelineError: a hashed block is no whole number of blocks.
    """

    def __init__(self, *, blocks: int, block_tokens: int, hashed_tokens: int, tiers: CacheTiers | None = None) -> None:
        if hashed_tokens < 1 or hashed_tokens % block_tokens:
            raise RidgelineError(
                f"prefix cache: a hash names {hashed_tokens} tokens, and the memory's blocks have {block_tokens}; take"
                " blocks whose tokens divide it"
            )
        self.hits_tokens: list[int] = []
        self.evicted_blocks = 0
        self._tokens, self._blocks = hashed_tokens, hashed_tokens // block_tokens
        self._prefixes: list[tuple[int, ...]] = []
        self._last: list[_Run | None] = []
        self._runs: dict[int, _Run] = {}
        self._kept_count = 0
        # Free blocks in the order in which they are taken: those that held nothing, and then runs, or what is in their
        # place for blocks without hashes, with the number of blocks.
        self._empty = self._queued = blocks
        self._queue: OrderedDict[object, int] = OrderedDict()
        self._refused = (-1, 0)
        self._tiers = tiers

    @property
    def kept_blocks(self) -> int:
        """Memory blocks of all known prefixes."""
        return self._kept_count * self._blocks

    def give(self, prompts: Sequence[int], hashes: Sequence[Sequence[int]]) -> None:
        """Add requests at the next indices; the hash of a block that its prompt does not fill is ignored."""
        tokens = self._tokens
        self._prefixes += [tuple(one[: prompt // tokens]) for prompt, one in zip(prompts, hashes, strict=True)]
        self._last += [None] * len(prompts)
        self.hits_tokens += [-1] * len(prompts)

    def forget(self, count: int) -> None:
        """Drop the first requests, which are finished; the others' indices shift down."""
        for column in (self._prefixes, self._last, self.hits_tokens):
            del column[:count]
        self._refused = (-1, 0)
        if self._tiers is not None:
            self._tiers.forget(count)

    def known_tokens(self, hashes: Sequence[int]) -> int:
        """Tokens of a prompt's prefix that are kept."""
        return self._known(hashes) * self._tokens

    def take(self, one: int, target: int, need: int, free: int, ahead: int, now_s: float = 0.0) -> tuple[int, int, int]:
        """Admit a request if it has room.

        Args:
            one: index of the request.
            target: tokens that must be in the cache before it decodes.
            need: blocks for all tokens that it holds.
            free: number of unused blocks.
            ahead: free blocks that others need for their next token.
            now_s: current time, s; only used with tiers.

        Returns:
            The result is the number of blocks that are no longer free, -1 where there is no room; tokens that need not
            be computed; and the hashed blocks among those that it holds.
        """
        if self._refused[0] == one and self._refused[1] > free - ahead:
            return -1, 0, 0
        if self._queued > free:
            self._make_room(free)
        prefix = self._prefixes[one]
        count, known = len(prefix), self._known(prefix)
        last = self._last_of(prefix, known) if known else None
        run, end = last, known
        while run is not None and not run.users:
            end = run.start
            run = run.before
        unused = known - end
        taken = need - (known - unused) * self._blocks
        if taken > free - ahead:
            self._refused = (one, taken)
            return -1, 0, 0
        self._refused = (-1, 0)
        if last is not None:
            last = self._divided(last, known - last.start)
            self._use(last)
        if count > known:
            last = _Run(known, prefix[known:], 1, last)
            self._runs.update(dict.fromkeys(last.hashes, last))
            self._kept_count += count - known
            if len(self._runs) != self._kept_count:
                raise RidgelineError(_ambiguous(prefix[-1]))
        self._last[one] = last
        if self._tiers is not None:
            known = self._tiers.admit(one, prefix, known, target, now_s, is_first=self.hits_tokens[one] < 0)
        tokens = min(known, (target - 1) // self._tokens) * self._tokens
        if self.hits_tokens[one] < 0:
            self.hits_tokens[one] = tokens
        return taken, tokens, count * self._blocks

    def release(self, one: int, free: int, past: int, rest: int) -> int:
        """Unused blocks after a request has gone.

        Args:
            one: index of the request.
            free: number of unused blocks before.
            past: tokens of it that were computed; others cannot be reused.
            rest: blocks that it held alone, which are not hashed.
        """
        if self._queued > free:
            self._make_room(free)
        self._refused = (-1, 0)
        if rest:
            self._queue[object()] = rest
        run, freed = self._last[one], rest
        self._last[one] = None
        computed, kept = past // self._tokens, len(self._prefixes[one])
        while run is not None:
            run.users -= 1
            if not run.users:
                count = len(run.hashes)
                freed += count * self._blocks
                lost = 0 if run.is_hit else min(max(run.start + count - computed, 0), count)
                if lost:
                    self._drop(run, lost)
                    kept = run.start + count - lost
                    self._queue[object()] = lost * self._blocks
                if run.hashes:
                    self._queue[run] = len(run.hashes) * self._blocks
            run = run.before
        if self._tiers is not None:
            self._tiers.release(one, self._prefixes[one], kept)
        self._queued += freed
        return freed

    def _known(self, hashes: Sequence[int]) -> int:
        """Number of a prefix's blocks that are kept, by bisection: a block is kept only with all before it."""
        runs, last = self._runs, len(hashes)
        if not last or hashes[0] not in runs:
            return 0
        if last == 1 or hashes[1] not in runs:
            return 1  # most prompts share no more than how all of them begin
        known = 2
        while known < last:
            middle = (known + last + 1) // 2
            if hashes[middle - 1] in runs:
                known = middle
            else:
                last = middle - 1
        return known

    def _last_of(self, prefix: tuple[int, ...], known: int) -> _Run:
        """Run that contains a prefix's last known block."""
        run = self._runs[prefix[known - 1]]
        if run.hashes[: known - run.start] != prefix[run.start : known]:
            raise RidgelineError(_ambiguous(prefix[known - 1]))
        return run

    def _divided(self, run: _Run, count: int) -> _Run:
        """First blocks of a run, split off as a run of their own."""
        if count == len(run.hashes):
            return run
        first = _Run(run.start, run.hashes[:count], run.users, run.before)
        run.start, run.hashes, run.before = run.start + count, run.hashes[count:], first
        self._runs.update(dict.fromkeys(first.hashes, first))
        if not run.users:
            self._queue[run] -= count * self._blocks
            self._queue[first] = count * self._blocks
        return first

    def _use(self, last: _Run) -> None:
        """Add a user to a run and those before it."""
        run: _Run | None = last
        while run is not None:
            if not run.users:
                self._queued -= self._queue.pop(run)
            run.users += 1
            run.is_hit = True
            run = run.before

    def _make_room(self, free: int) -> None:
        """Remove from the eviction queue the runs that are in use again."""
        over = self._queued - free
        self._queued = free
        taken = min(over, self._empty)
        self._empty -= taken
        over -= taken
        while over:
            first = next(iter(self._queue))
            have = self._queue[first]
            if isinstance(first, _Run):
                count = min(-(-over // self._blocks), len(first.hashes))
                self._drop(first, count)
                taken = count * self._blocks
                self.evicted_blocks += taken
                self._empty += max(taken - over, 0)
            else:
                taken = min(over, have)
            if taken == have:
                del self._queue[first]
            else:
                self._queue[first] = have - taken
            over -= min(taken, over)

    def _drop(self, run: _Run, count: int) -> None:
        """Evict the last blocks of a run."""
        keep = len(run.hashes) - count
        for one in run.hashes[keep:]:
            del self._runs[one]
        run.hashes = run.hashes[:keep]
        self._kept_count -= count


def _ambiguous(one: int) -> str:
    return (
        f"prefix cache: in the prompt whose blocks lead to hash {one!r}, one follows other blocks than it did before;"
        " give hashes that name a block with all before it"
    )
