"""State of a replica as its event loop takes it: limits, and the columns, heaps, sums and counts it changes.

Fields are lists where the loop runs interpreted. Where it is compiled, they are arrays in named tuples with the same
fields; heaps are lists in both.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple

__all__ = [
    "HANDED",
    "NEVER",
    "SHIFT",
    "SWAPPED",
    "Bounds",
    "Clocks",
    "Columns",
    "Counts",
    "Curves",
    "Queues",
    "Sums",
    "counts_at_start",
]

SHIFT = 1 << 32
"""Base of heap keys: a key is a request's order times this, plus its index."""

NEVER = -1
"""Step at which nothing is due, and number of cached tokens of a request without a cache."""

SWAPPED = -2
"""Number of cached tokens of a request whose cache was swapped to the host."""

HANDED = -3
"""Number of cached tokens of a request whose prompt was read elsewhere, and whose cache arrives with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Limits on steps, as in ``ReplicaLimits`` and its ``Policy``.

    Attributes:
        groups: number of equal ``dp`` groups over which requests are spread.
        pass_tokens: tokens of a group in a step.
        sequences: maximum requests in flight, of all groups.
        block_tokens: tokens of a block.
        is_reserved: whether a request gets blocks for all of its tokens at admission.
        reads_alone: whether steps that read prompts decode nothing.
        is_joined: whether requests join while others decode.
        period_s: time between departures, s; 0 where a step follows at once.
        gap_steps: steps without prompts between one that reads prompts and the next.
        longest_run: maximum number of steps taken at once.
        swap_token_s: time to swap a token's cache to the host, or back, s; 0 where it is recomputed.
        is_ranked: whether the last in the policy's order is preempted, and not the last admitted.
    """

    groups: int
    pass_tokens: int
    sequences: int
    block_tokens: int
    is_reserved: bool
    reads_alone: bool
    is_joined: bool
    period_s: float
    gap_steps: int
    longest_run: int
    swap_token_s: float
    is_ranked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Requests field by field, by the indices at which a replica keeps them.

    Attributes:
        arrivals_s: arrival times, s.
        prompts: input tokens of each request.
        outputs: output tokens of each request.
        orders: admission keys, as in ``Order``.
        past: cached tokens while in prefill; else ``NEVER``, ``SWAPPED`` or ``HANDED``.
        targets: tokens that must be cached before the next one is generated.
        made: tokens generated, as of the last time that it joined or left the decoding sequences.
        due: tick of the last token of a decoding sequence; ``NEVER`` for others.
        turns: tick at which the slope of its entries changes.
        shared: blocks of it that the prefix cache counts.
        first_s: time of the first token, s; -1 before.
        done_s: time of the last token, s; -1 before.
    """

    arrivals_s: list[float]
    prompts: list[int]
    outputs: list[int]
    orders: list[int]
    past: list[int]
    targets: list[int]
    made: list[int]
    due: list[int]
    turns: list[int]
    shared: list[int]
    first_s: list[float]
    done_s: list[float]

    def columns(self) -> list[list[float] | list[int]]:
        """All columns."""
        return [getattr(self, one.name) for one in fields(self)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Curves:
    """Entries that a sequence attends to by its context, for each kind of attention.

    Attributes:
        kinds: indices of the kinds, from 0 up.
        bends: contexts at which the slope changes, the first of them 0.
        levels: entries attended to at these contexts.
        slopes: entries per further token of context.
        stretch: index of the piece that each decoding request is on.
    """

    kinds: list[int]
    bends: list[list[int]]
    levels: list[list[float]]
    slopes: list[list[float]]
    stretch: list[list[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Queues:
    """Requests by what they wait for.

    Attributes:
        filed: heap of ticks at which requests are due, or their slope changes: ``tick * SHIFT + 2 * index``, plus 1 for
            a change of slope.
        waiting: heap of requests that wait for admission: ``order * SHIFT + index``.
        reading: requests in prefill.
        takes: tokens of each of these that the next step reads.
        admitted: requests in the order of admission; some of them may have finished.
        phases: number of decoding sequences that need a block, by tick modulo the tokens of a block, twice over.
    """

    filed: list[int]
    waiting: list[int]
    reading: list[int]
    takes: list[int]
    admitted: list[int]
    phases: list[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """Sums over all decoding sequences, for each kind of attention.

    Attributes:
        entries: entries of the cache that they attend to.
        growth: increase of these per step.
        pieces: index of the octave in which the mean of these lies, where it was last looked up.
    """

    entries: list[float]
    growth: list[float]
    pieces: list[int]


class Counts(NamedTuple):
    """Integers of a replica's state.

    Attributes:
        requests: number of requests that it keeps.
        upcoming: index of the next request to arrive.
        tick: number of steps that decoded.
        decoding: number of sequences that decode.
        free_blocks: free blocks of its cache.
        next_read: tick from which prompts may be read again.
        preemptions: number of preemptions of requests.
        finished: requests finished since the replica began.
        released: index of the request that arrives when the next one is finished, in a closed loop; -1 without one.
    """

    requests: int
    upcoming: int
    tick: int
    decoding: int
    free_blocks: int
    next_read: int
    preemptions: int
    finished: int
    released: int


def counts_at_start(free_blocks: int) -> Counts:
    """Counts of a replica that was given nothing yet, with this many blocks of cache."""
    return Counts(
        requests=0,
        upcoming=0,
        tick=0,
        decoding=0,
        free_blocks=free_blocks,
        next_read=0,
        preemptions=0,
        finished=0,
        released=-1,
    )


class Clocks(NamedTuple):
    """Times of a replica, s, and integrals over its busy time.

    Attributes:
        now_s: end of its last step, s.
        busy_s: total time of its steps, s.
        reading_s: time that prompts add to steps, or take alone, s.
        sequence_s: integral of decoding sequences over time.
        free_block_s: integral of free blocks over time.
        waiting_s: integral of waiting requests over time, from their arrival on.
        read_s: integral of requests in prefill over time.
    """

    now_s: float
    busy_s: float
    reading_s: float
    sequence_s: float
    free_block_s: float
    waiting_s: float
    read_s: float
