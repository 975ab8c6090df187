r"""Reuse distances and intervals of blocks: hit rates of caches of every size follow from them, in one pass.

A block that was used before hits in an LRU cache of :math:`C` blocks if and only if :math:`d \le C`, with its reuse
distance :math:`d`: the number of different blocks used since its last use, itself included. A larger cache thus holds
everything that a smaller one does, and one pass gives the hit rate at every size.

Prefixes are handled as in engines: a prompt is looked up as a whole before it is used, and a block hits only if all
before it do. A prompt uses its last block first and its first one last, so that a cache evicts a prefix from its end. A
block's distance is then never below that of the block before it, and every cache holds whole prefixes. If blocks were
used in the order of the prompt, a prefix would lose its beginning first, and with it everything else.

Blocks used more than once since last use :math:`p` must be subtracted from all uses after it: they are those whose own
last use is after :math:`p`. They are counted one bit of their rank at a time, all blocks at once.

Assumption: a hash covers its block and all before it, as in all supported logs; for others, prompts are processed one
by one to count a block only with those before it.

Source: Mattson et al. 1970, "Evaluation techniques for storage hierarchies" (stack algorithms); Kwon et al. 2023,
"PagedAttention", and vLLM's documentation, "Prefix Caching", 2026-11 (order in which blocks are dropped).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.errors import RidgelineError
from ridgeline.traces.requests import Requests

__all__ = ["NEVER_USED", "BlockUses", "block_uses", "reuse_distances", "reuse_intervals_s"]

Whole = NDArray[np.int64]

NEVER_USED = np.iinfo(np.int64).max
"""Reuse distance of a block that was not used before: no cache is as large."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockUses:
    """Blocks of prompts in the order of arrival.

    Attributes:
        hashes: hashes of all blocks, prompt by prompt, each from its beginning.
        blocks: number of blocks of each prompt.
        arrivals_s: arrival time of each prompt, s.
        unnamed: number of prompts without blocks in their log, which the other three leave out.
    """

    hashes: Whole
    blocks: Whole
    arrivals_s: NDArray[np.float64]
    unnamed: int = 0

    @property
    def prompts(self) -> Whole:
        """Index of the prompt of each block."""
        return np.repeat(np.arange(len(self.blocks)), self.blocks)

    @property
    def starts(self) -> Whole:
        """Index of each prompt's first block."""
        found: Whole = np.cumsum(self.blocks) - self.blocks
        return found

    @property
    def span_s(self) -> float:
        """Time from the first prompt to the last, s."""
        return float(self.arrivals_s[-1] - self.arrivals_s[0])


def block_uses(blocks: Iterable[Requests], *, full_tokens: int | None = None) -> BlockUses:
    """Block uses of prompts, as their log names them.

    Args:
        blocks: blocks of requests, in the order of arrival.
        full_tokens: tokens of a block, to leave out partly filled blocks, which no engine finds again; None for all
            that the log names.

    Raises:
        RidgelineError: the log names no blocks, or one of them twice in a prompt.
    """
    prefixes: list[tuple[int, ...]] = []
    arrivals_s: list[NDArray[np.float64]] = []
    for block in blocks:
        if block.prefix_hashes is None:
            raise RidgelineError("the log names no blocks of its prompts; logs of Mooncake and Bailian do (hash_ids)")
        arrivals_s.append(block.arrivals_s)
        if full_tokens is None:
            prefixes += block.prefix_hashes
        else:
            filled = (block.prompt_tokens // full_tokens).tolist()
            prefixes += [one[:most] for one, most in zip(block.prefix_hashes, filled, strict=True)]
    counts = np.fromiter(map(len, prefixes), np.int64, len(prefixes))
    if not counts.sum():
        raise RidgelineError("no request names a block of its prompt; give a log with hashes of blocks")
    hashes = np.fromiter((one for prefix in prefixes for one in prefix), np.int64, int(counts.sum()))
    named = counts > 0
    uses = BlockUses(
        hashes=hashes,
        blocks=counts[named],
        arrivals_s=np.concatenate(arrivals_s)[named],
        unnamed=int(np.count_nonzero(~named)),
    )
    _refuse_twice(uses)
    return uses


def _refuse_twice(uses: BlockUses) -> None:
    order = np.lexsort((uses.prompts, uses.hashes))
    hashes, prompts = uses.hashes[order], uses.prompts[order]
    twice = (hashes[1:] == hashes[:-1]) & (prompts[1:] == prompts[:-1])
    if twice.any():
        raise RidgelineError(
            f"hash {hashes[1:][twice][0]} stands twice in one prompt; give hashes that name a block with all before it"
        )


def reuse_distances(uses: BlockUses) -> Whole:
    """Blocks of the smallest cache in which each block hits, in the order of ``uses``; ``NEVER_USED`` of first uses.

    A prompt of blocks 1, 2, another of 1, 3, and the first again, whose second block is used before its first:

    >>> uses = BlockUses(hashes=np.array([1, 2, 1, 3, 1, 2]), blocks=np.array([2, 2, 2]), arrivals_s=np.arange(3.0))
    >>> (reuse_distances(uses)[2:] * (reuse_distances(uses)[2:] < NEVER_USED)).tolist()
    [1, 0, 1, 3]
    """
    prompts, starts = uses.prompts, uses.starts
    total = len(uses.hashes)
    # Time of each block's use: prompts one after the other, each from its end.
    used = (2 * starts + uses.blocks - 1)[prompts] - np.arange(total)
    last = _last_use(uses.hashes, used)
    found = np.full(total, NEVER_USED)
    again = np.flatnonzero(last >= 0)
    # Within a prompt, the least recently used blocks come first: all of it is looked up before any is used.
    again = again[np.lexsort((last[again], prompts[again]))]
    found[again] = starts[prompts[again]] - last[again] - _larger_before(_ranks(last[again]))
    return _of_prefixes(found, uses)


def reuse_intervals_s(uses: BlockUses) -> NDArray[np.float64]:
    """Time since each block's last use, s; infinite of first uses. A cache that keeps it for so long has it."""
    prompts = uses.prompts
    last = _last_use(uses.hashes, prompts)
    return np.where(last >= 0, uses.arrivals_s[prompts] - uses.arrivals_s[last], np.inf)


def _last_use(hashes: Whole, used: Whole) -> Whole:
    """Previous use of each block; -1 where there is none. For one hash, indices rise with time."""
    order = np.argsort(hashes, kind="stable")
    same = hashes[order][1:] == hashes[order][:-1]
    last = np.full(len(hashes), -1)
    last[order[1:][same]] = used[order[:-1][same]]
    return last


def _of_prefixes(distances: Whole, uses: BlockUses) -> Whole:
    """A block hits only if all before it in its prompt do: its distance is no smaller than theirs.

    Where a hash covers all blocks before it, as it should, nothing changes.
    """
    falls = np.flatnonzero(distances[1:] < distances[:-1]) + 1
    for prompt in np.unique(uses.prompts[np.setdiff1d(falls, uses.starts)]).tolist():
        start = int(uses.starts[prompt])
        row = slice(start, start + int(uses.blocks[prompt]))
        distances[row] = np.maximum.accumulate(distances[row])
    return distances


def _ranks(values: Whole) -> Whole:
    """Rank of each value in their order; all values differ."""
    ranks = np.empty(len(values), dtype=np.int64)
    ranks[np.argsort(values)] = np.arange(len(values))
    return ranks


def _larger_before(ranks: Whole) -> Whole:
    """Number of larger numbers before each one, for a permutation of the numbers from 0 up.

    Rows of numbers with equal higher bits stay in their order. Among two that differ in the next bit first, the larger
    numbers before the one with a 0 are those with a 1 before it in its row.

    >>> _larger_before(np.array([2, 0, 3, 1])).tolist()
    [0, 1, 0, 2]
    """
    width = 1 << max(len(ranks) - 1, 1).bit_length()
    values = np.concatenate([ranks, np.arange(len(ranks), width)])  # those added come last, and are the largest
    found = np.zeros(width, dtype=np.int64)
    while width > 1:
        rows, width = values.reshape(-1, width), width // 2
        is_high = (rows & width) != 0
        lower = rows[~is_high]
        found[lower] += np.cumsum(is_high, axis=1)[~is_high]
        values = np.concatenate([lower.reshape(-1, width), rows[is_high].reshape(-1, width)], axis=1)
    return found[ranks]
