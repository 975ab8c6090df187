"""The prefix cache of a replica: blocks of prompts that others begin with, too, are kept once, and as long as they fit.

A hash names a block with all before it. Blocks whose hash is known are not computed again, but for the last one of a
prompt, which gives its first token. Those of requests under way are counted once, however many share them. One that
nobody uses any more counts as free, and stays until its room is taken: of all free blocks the one longest out of use
goes first, and of a request its tail. Blocks of tokens that a request has made stand in this queue, too.

Blocks that come and go together are one run. A new prompt divides the run that it leaves in its midst, so that what a
prompt costs goes with the runs that it crosses, and not with its length.

Assumptions: what is hashed is known as soon as its request is admitted, since the next one is admitted in the step that
reads the last of it; tokens that a request has made are not hashed, since traces do not name them; and groups of ``dp``
share one cache, where engines keep one each.

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
    """Blocks in a row that the same requests use.

    Attributes:
        start: blocks of the prefix before it.
        hashes: of its blocks.
        users: requests under way that use it.
        before: the run that it goes on from; None where it begins prompts.
        is_hit: whether a later request has found it, and thus whoever began it has computed it.
    """

    __slots__ = ("before", "hashes", "is_hit", "start", "users")

    def __init__(self, start: int, hashes: tuple[int, ...], users: int, before: _Run | None) -> None:
        self.start, self.hashes, self.users, self.before, self.is_hit = start, hashes, users, before, False


class PrefixCache:
    """Prefixes of a replica's requests, by the places at which it keeps these.

    Args:
        blocks: of the replica's memory.
        block_tokens: of a block.
        hashed_tokens: tokens that a hash names.
        tiers: below the memory, where prompts are found that it has dropped; None without any.

    Attributes:
        hits_tokens: of each request, those that it found when it was first admitted, in memory or fetched from below;
            -1 before.
        evicted_blocks: that gave their room to others.

    Raises:
        RidgelineError: what a hash names is no whole number of blocks.
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
        """Blocks of memory of all that is known."""
        return self._kept_count * self._blocks

    def give(self, prompts: Sequence[int], hashes: Sequence[Sequence[int]]) -> None:
        """Let requests come at the next places; a hash of a block that its prompt does not fill is left aside."""
        tokens = self._tokens
        self._prefixes += [tuple(one[: prompt // tokens]) for prompt, one in zip(prompts, hashes, strict=True)]
        self._last += [None] * len(prompts)
        self.hits_tokens += [-1] * len(prompts)

    def forget(self, count: int) -> None:
        """Drop the first requests, which are done; those that stay are at places so much lower."""
        for column in (self._prefixes, self._last, self.hits_tokens):
            del column[:count]
        self._refused = (-1, 0)
        if self._tiers is not None:
            self._tiers.forget(count)

    def known_tokens(self, hashes: Sequence[int]) -> int:
        """Tokens of a prompt's beginning that are kept."""
        return self._known(hashes) * self._tokens

    def take(self, one: int, target: int, need: int, free: int, ahead: int, now_s: float = 0.0) -> tuple[int, int, int]:
        """Admit a request if it has room.

        Args:
            one: its place.
            target: tokens that it must have in the cache before it decodes.
            need: blocks for all that it holds.
            free: blocks that nobody uses.
            ahead: of them, those that others need for their next token.
            now_s: when, s; of account where there are tiers.

        Returns:
            Blocks that are no longer free, -1 where there is no room; tokens that need not be computed; and of what it
            holds the blocks that are hashed.
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
        """Blocks that nobody uses any more once a request has gone.

        Args:
            one: its place.
            free: blocks that nobody used before.
            past: tokens of it that are computed: what is not can serve nobody.
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
        """Blocks of a prefix that are kept: as any is only with all before it, a search by halves finds the last."""
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
        """The run that a prefix's last known block is of."""
        run = self._runs[prefix[known - 1]]
        if run.hashes[: known - run.start] != prefix[run.start : known]:
            raise RidgelineError(_ambiguous(prefix[known - 1]))
        return run

    def _divided(self, run: _Run, count: int) -> _Run:
        """The first blocks of a run, as a run of their own."""
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
        """Let one more request use a run and those before it."""
        run: _Run | None = last
        while run is not None:
            if not run.users:
                self._queued -= self._queue.pop(run)
            run.users += 1
            run.is_hit = True
            run = run.before

    def _make_room(self, free: int) -> None:
        """Take from the queue what others have taken since."""
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
        """Forget the last blocks of a run."""
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
