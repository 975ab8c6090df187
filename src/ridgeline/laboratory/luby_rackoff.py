"""Properties of Feistel networks: any round function is undone, and few rounds look random to few queries.

For study; nothing here protects anything.

Sources: lecture 2:09 (E1, E2); Luby and Rackoff 1988.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from ridgeline.errors import RidgelineError
from ridgeline.laboratory.ciphers import feistel_decrypted, feistel_encrypted
from ridgeline.laboratory.distinguishers import DISTINGUISHERS, Advantage, advantage, luby_rackoff_bound

__all__ = ["Inverted", "LubyRackoff", "inverted", "luby_rackoff"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inverted:
    """Outcome of words that a network encrypted and decrypted.

    Attributes:
        source_bits: bits of the part that a round keeps.
        target_bits: bits of the part that it changes.
        rounds: number of rounds of the network.
        shared_fraction: fraction of a round function's inputs whose output another input has too; above 0 it has no
            inverse.
        words: number of words that were tried.
        recovered_fraction: fraction of the words that were recovered.
    """

    source_bits: int
    target_bits: int
    rounds: int
    shared_fraction: float
    words: int
    recovered_fraction: float


def inverted(*, source_bits: int, target_bits: int, rounds: int, words: int, seed: int) -> Inverted:
    """Encrypt and decrypt random words; the round functions are random tables, which hardly ever have an inverse.

    >>> found = inverted(source_bits=8, target_bits=8, rounds=5, words=100, seed=0)
    >>> round(found.shared_fraction, 2), found.recovered_fraction
    (0.63, 1.0)
    """
    draw = Random(f"{seed} {source_bits} {target_bits}")  # noqa: S311  an experiment
    tables = [[draw.getrandbits(target_bits) for _ in range(1 << source_bits)] for _ in range(rounds)]
    functions = [table.__getitem__ for table in tables]

    def comes_back(word: int) -> bool:
        there = feistel_encrypted(
            block=word, source_bits=source_bits, target_bits=target_bits, round_functions=functions
        )
        back = feistel_decrypted(
            block=there, source_bits=source_bits, target_bits=target_bits, round_functions=functions
        )
        return back == word

    return Inverted(
        source_bits=source_bits,
        target_bits=target_bits,
        rounds=rounds,
        shared_fraction=sum(map(_shared, tables)) / (rounds << source_bits),
        words=words,
        recovered_fraction=sum(comes_back(draw.getrandbits(source_bits + target_bits)) for _ in range(words)) / words,
    )


def _shared(table: Sequence[int]) -> int:
    """Number of inputs whose output another input has too."""
    return sum(count for count in Counter(table).values() if count > 1)


SHAPES = ((8, 8), (6, 10), (12, 4), (11, 2))
"""Bits of source and target of the networks that are inverted: balanced, and not."""
WORDS = 1000
MOST_HALF_BITS = 62
"""Most bits of a half: distinct inputs are drawn from a range, whose length has to fit into a signed word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LubyRackoff:
    """Inversions of Feistel networks, and advantages of tests that tell them from random permutations.

    Attributes:
        inverted: outcomes of inverting balanced and unbalanced networks.
        advantages: advantage of each test on networks of each number of rounds.
        by_queries: advantages of the test that takes all queries, on three rounds and on four.
        bounds: upper bounds of an advantage over three rounds, at the queries of ``by_queries``.
    """

    inverted: tuple[Inverted, ...]
    advantages: tuple[Advantage, ...]
    by_queries: tuple[Advantage, ...]
    bounds: tuple[float, ...]


def luby_rackoff(
    *, half_bits: int = 8, queries: int = 48, rounds: int = 5, trials: int = 400, seed: int = 0
) -> LubyRackoff:
    """Invert networks, and run all tests on networks of up to ``rounds`` rounds.

    Args:
        half_bits: bits of half a word.
        queries: number of queries of the test that takes as many as it is given.
        rounds: number of rounds of the longest network.
        trials: number of networks of each kind, and of permutations.
        seed: seed of all random draws.

    Raises:
        RidgelineError: there are not as many inputs as queries, or halves are too wide to draw from.
    """
    if not 1 <= half_bits <= MOST_HALF_BITS:
        raise RidgelineError(f"half_bits {half_bits}: give 1 to {MOST_HALF_BITS}")
    if not 2 <= queries <= 2**half_bits:  # noqa: PLR2004  a test compares two outputs
        raise RidgelineError(
            f"queries {queries} of halves of {half_bits} bits: inputs share their left half, so that there are"
            f" {2**half_bits}; ask from 2 to {2**half_bits}, or take wider halves (half_bits)"
        )
    fixed = {"half_bits": half_bits, "trials": trials, "seed": seed}
    steps = sorted({2, *(int(queries * 2 ** (-step / 2)) for step in range(8))} - {0, 1})
    *_, last = DISTINGUISHERS
    return LubyRackoff(
        inverted=tuple(
            inverted(source_bits=source, target_bits=target, rounds=rounds, words=WORDS, seed=seed)
            for source, target in SHAPES
        ),
        advantages=tuple(
            advantage(distinguisher=one, rounds=count, queries=queries, **fixed)
            for one in DISTINGUISHERS
            for count in range(1, rounds + 1)
        ),
        by_queries=tuple(
            advantage(distinguisher=last, rounds=count, queries=asked, **fixed)
            for count in (last.breaks_rounds, last.breaks_rounds + 1)
            for asked in steps
        ),
        bounds=tuple(luby_rackoff_bound(queries=asked, half_bits=half_bits) for asked in steps),
    )
