"""The last round's key of the small cipher, recovered from chosen plaintexts by likely differences.

Pairs of plaintexts that differ as a likely trail begins are encrypted. Each guess of the key pieces under the S-boxes
that the trail reaches in the last round undoes them for both texts; the right one finds the trail's end more often than
any other. Some trails together reach all pieces. Keys before the last follow the same way, over one round less.

For study: the cipher is made to be broken.

Sources: Biham and Shamir 1990; Heys 2002, section 4.4.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, reduce

import numpy as np
from numpy.typing import NDArray

from ridgeline.laboratory.ciphers import PRESENT_S_BOX
from ridgeline.laboratory.ciphers.small import (
    PIECE_BITS,
    PIECES,
    SMALL_BITS,
    Blocks,
    small_encrypted,
    small_permuted,
)
from ridgeline.laboratory.trails import difference_chances, difference_weights, lightest_trails, spread, trail_to

__all__ = ["Difference", "Recovered", "likely_differences", "recovered", "recovered_key"]

MOST_ACTIVE = DIFFERENT = 2
"""S-boxes of the last round that a trail may reach, and ends of trails at each that are used."""

PLACES = tuple(range(SMALL_BITS - PIECE_BITS, -1, -PIECE_BITS))
"""Bit offsets of the pieces of a block, the highest piece first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A difference of plaintexts, and the one that it likely becomes before the last round's S-boxes.

    Attributes:
        start: difference of the plaintexts.
        end: difference before the last round's S-boxes.
        trail_weight: weight of the lightest trail between the two: minus log2 of its chance.
        chance: chance of the end over all trails, averaged over keys.
    """

    start: int
    end: int
    trail_weight: float
    chance: float


@cache
def likely_differences(rounds: int) -> tuple[Difference, ...]:
    """Differences for a cipher of ``rounds`` rounds, lightest first, until two tell each piece of the last key.

    With a single difference at the end of a trail, several keys of a piece explain all pairs equally well.
    """
    step, step_chances = difference_weights(PRESENT_S_BOX), difference_chances(PRESENT_S_BOX)
    permuted = small_permuted()
    begin = np.zeros(1 << SMALL_BITS)
    begin[0] = np.inf
    weights = lightest_trails(step=step, permuted=permuted, rounds=rounds - 1, start=begin)
    pieces = np.arange(1 << SMALL_BITS)[:, np.newaxis] >> np.array(PLACES) & 15
    found: list[Difference] = []
    seen: list[set[int]] = [set() for _ in PLACES]
    order = [
        int(end) for end in np.argsort(weights[-1], kind="stable") if 0 < np.count_nonzero(pieces[end]) <= MOST_ACTIVE
    ]
    for end in order:
        told = [(place, piece) for place, piece in zip(seen, pieces[end], strict=True) if piece]
        if all(len(place) >= DIFFERENT or piece in place for place, piece in told):
            continue
        start, *_ = trail_to(end=end, weights=weights, step=step, permuted=permuted)
        *_, chances = spread(chances=step_chances, permuted=permuted, rounds=rounds - 1, start=start)
        weight = float(weights[-1][end])
        found.append(Difference(start=start, end=end, trail_weight=weight, chance=float(chances[end])))
        for place, piece in told:
            place.add(int(piece))
        if all(len(place) >= DIFFERENT for place in seen):
            break
    return tuple(found)


def _matches(texts: tuple[Blocks, Blocks], place: int, wanted: int) -> NDArray[np.int64]:
    """Whether undoing the last S-box gives the wanted difference, by guess of a key's piece and by pair."""
    undone = np.argsort(PRESENT_S_BOX)
    guesses = np.arange(1 << PIECE_BITS)[:, np.newaxis]
    one, other = (undone[(text >> place & 15) ^ guesses] for text in texts)
    return np.asarray(one ^ other == wanted, dtype=np.int64)


def _counted(texts: tuple[Blocks, Blocks], end: int) -> NDArray[np.int64]:
    """Number of pairs that each guess of the last key leads to the trail's end, by the key's pieces.

    Pieces that the trail does not reach have one entry for all of their guesses.
    """
    one, other = texts
    idle = sum(15 << place for place in PLACES if not end >> place & 15)
    follows = (one ^ other) & idle == 0  # what changes elsewhere has left the trail
    kept = one[follows], other[follows]
    counts = np.ones((1,) * PIECES + kept[0].shape, dtype=np.int64)
    for axis, place in enumerate(PLACES):
        if wanted := end >> place & 15:
            matches = _matches(kept, place, wanted)
            counts = counts * np.expand_dims(matches, [number for number in range(PIECES) if number != axis])
    return np.asarray(counts.sum(axis=-1))


def recovered_key(*, texts: Sequence[tuple[Blocks, Blocks]], differences: Sequence[Difference]) -> int | None:
    """The last key that leads most pairs to the ends of their trails; None where another does as well.

    Args:
        texts: ciphertexts of each difference's pairs.
        differences: differences of the plaintexts.
    """
    counts = [_counted(pair, difference.end) for pair, difference in zip(texts, differences, strict=True)]
    total = reduce(operator.add, counts, np.zeros((1 << PIECE_BITS,) * PIECES, dtype=np.int64)).reshape(-1)
    best = np.flatnonzero(total == total.max())
    return int(best[0]) if len(best) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovered:
    """Success rate of recovering the last round's key.

    Attributes:
        rounds: number of rounds of the cipher.
        chosen_plaintexts: number of plaintexts that are encrypted, in pairs, for all differences together.
        right_pairs: expected number of pairs that follow the least likely of the differences.
        keys: number of ciphers with keys of their own that were attacked.
        success_fraction: fraction of the ciphers whose last key was found, all of its bits.
        standard_error: standard error of the fraction; never zero, since one more key is taken to have gone either way.
    """

    rounds: int
    chosen_plaintexts: int
    right_pairs: float
    keys: int
    success_fraction: float
    standard_error: float


def recovered(*, rounds: int, pairs: Sequence[int], keys: int, seed: int) -> tuple[Recovered, ...]:
    """Attack ciphers with random keys with more and more pairs of plaintexts for each difference.

    Args:
        rounds: number of rounds of the cipher, at least two.
        pairs: numbers of pairs for each difference; the plaintexts of fewer are among those of more.
        keys: number of ciphers to attack.
        seed: seed of keys and plaintexts.
    """
    differences = likely_differences(rounds)
    rng = np.random.default_rng(seed)
    hits = dict.fromkeys(pairs, 0)
    starts = list(dict.fromkeys(one.start for one in differences))  # ends of one start are tested on the same pairs
    for _ in range(keys):
        round_keys = rng.integers(1 << SMALL_BITS, size=rounds + 1)
        texts: dict[int, tuple[Blocks, Blocks]] = {}
        for start in starts:
            plain = rng.integers(1 << SMALL_BITS, size=max(pairs))
            texts[start] = (
                small_encrypted(blocks=plain, round_keys=round_keys),
                small_encrypted(blocks=plain ^ start, round_keys=round_keys),
            )
        for count in pairs:
            of_each = [(texts[one.start][0][:count], texts[one.start][1][:count]) for one in differences]
            hits[count] += recovered_key(texts=of_each, differences=differences) == int(round_keys[-1])
    least = min(one.chance for one in differences)
    return tuple(
        Recovered(
            rounds=rounds,
            chosen_plaintexts=2 * count * len(starts),
            right_pairs=count * least,
            keys=keys,
            success_fraction=hit / keys,
            standard_error=((near := (hit + 1) / (keys + 2)) * (1 - near) / (keys + 2)) ** 0.5,
        )
        for count, hit in hits.items()
    )
