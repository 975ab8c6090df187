"""Differential and linear cryptanalysis: S-boxes by their tables, trails through rounds, and a key that they give away.

For study; the cipher that is broken is made to be broken.

Sources: lecture 2:06 (E5); Biham and Shamir 1990; Matsui 1993; Heys 2002.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ridgeline.errors import RidgelineError
from ridgeline.laboratory.ciphers import (
    PRESENT_S_BOX,
    aes_s_box,
    difference_table_maximum,
    linear_table_maximum,
)
from ridgeline.laboratory.ciphers.small import SMALL_BITS, small_encrypted, small_permuted
from ridgeline.laboratory.key_recovery import Recovered, recovered
from ridgeline.laboratory.trails import (
    aes_active_s_boxes,
    difference_chances,
    difference_weights,
    lightest_trails,
    linear_weights,
    spread,
    trail_to,
)

__all__ = ["S_BOXES", "Cryptanalysis", "SBoxTables", "Trail", "checked_s_box", "cryptanalysis", "s_box_tables"]

S_BOXES: Mapping[str, tuple[int, ...]] = {"AES": aes_s_box(), "PRESENT": PRESENT_S_BOX}

AES_ROUNDS_COUNTED = 8
"""Rounds of AES up to which the least numbers of active S-boxes are counted."""
PAIRS = tuple(2**power for power in range(4, 13))
"""Numbers of plaintext pairs for each difference."""
MOST_INPUTS = 256
"""Most inputs of a user's own S-box; its tables have the square of this many entries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SBoxTables:
    """Largest entries of an S-box's difference and linear tables.

    Attributes:
        name: name of the cipher.
        inputs: number of inputs of the S-box.
        uniformity: largest entry of the difference distribution table, over all changes but none: 2 is the least there
            is.
        likeliest_fraction: fraction of all inputs that share the likeliest change of the output.
        linearity: largest size of an entry of the linear approximation table, but for empty masks.
        largest_correlation: largest correlation of a parity of input bits with one of output bits: 1 where the S-box is
            linear there.
    """

    name: str
    inputs: int
    uniformity: int
    likeliest_fraction: float
    linearity: int
    largest_correlation: float


def checked_s_box(values: Sequence[int]) -> tuple[int, ...]:
    """Table maxima of a user's own S-box.

    Raises:
        RidgelineError: it is no permutation of as many values as a power of two has.
    """
    count = len(values)
    if count < 2 or count > MOST_INPUTS or count & (count - 1):  # noqa: PLR2004  the least
        raise RidgelineError(
            f"an S-box of {count} values: it takes a number of whole bits to another; give a power of two, from 2 to"
            f" {MOST_INPUTS}, as 0xc,5,6,0xb,9,0,0xa,0xd,3,0xe,0xf,8,4,7,1,2"
        )
    if sorted(values) != list(range(count)):
        missing = sorted(set(range(count)) - set(values))
        raise RidgelineError(
            f"an S-box that never gives {missing[0]}: it cannot be undone; give each of 0 to {count - 1} once"
        )
    return tuple(values)


def s_box_tables(name: str, s_box: tuple[int, ...]) -> SBoxTables:
    """The largest entries of both tables.

    >>> found = s_box_tables("PRESENT", PRESENT_S_BOX)
    >>> found.uniformity, found.likeliest_fraction, found.linearity, found.largest_correlation
    (4, 0.25, 4, 0.5)
    """
    uniformity, linearity = difference_table_maximum(s_box=s_box), linear_table_maximum(s_box=s_box)
    return SBoxTables(
        name=name,
        inputs=len(s_box),
        uniformity=uniformity,
        likeliest_fraction=uniformity / len(s_box),
        linearity=linearity,
        largest_correlation=2 * linearity / len(s_box),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Trail:
    """The likeliest way through some rounds of the small cipher, for a difference and for a parity.

    Attributes:
        rounds: number of rounds that it runs through.
        differences: differences at its start and after each round, blocks of 16 bits.
        trail_chance: chance of the whole trail for independent round keys; no other trail has a larger one.
        end_chance: chance of its last difference, over all trails from its first.
        measured_chance: chance of its last difference as counted over all inputs of ciphers with random keys.
        parity_correlation: correlation of the likeliest trail of parities; no other has a larger one.
    """

    rounds: int
    differences: tuple[int, ...]
    trail_chance: float
    end_chance: float
    measured_chance: float
    parity_correlation: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cryptanalysis:
    """Differential and linear properties of S-boxes, trails of the small cipher, and recoveries of its key.

    Attributes:
        ciphers: table maxima of the ciphers' S-boxes.
        aes_active_s_boxes: the least number of S-boxes that see a difference, in one round of AES, in two and so on.
        aes_trail_chances: upper bound of a trail's chance, with each S-box as likely as it allows, for one round of
            AES, two and so on.
        trails: likeliest trails through one round of the small cipher, two and so on.
        recoveries: recoveries of the small cipher's last key, from few chosen plaintexts to many.
    """

    ciphers: tuple[SBoxTables, ...]
    aes_active_s_boxes: tuple[int, ...]
    aes_trail_chances: tuple[float, ...]
    trails: tuple[Trail, ...]
    recoveries: tuple[Recovered, ...]


def cryptanalysis(
    *,
    s_boxes: Mapping[str, tuple[int, ...]] = S_BOXES,
    rounds: int = 4,
    trail_rounds: int = 6,
    pairs: Sequence[int] = PAIRS,
    keys: int = 50,
    seed: int = 0,
) -> Cryptanalysis:
    """Judge S-boxes, find all lightest trails of the small cipher, and recover its last key.

    Args:
        s_boxes: S-boxes by the names of their ciphers.
        rounds: number of rounds of the cipher that is attacked, at least two.
        trail_rounds: number of rounds of the longest trail.
        pairs: numbers of plaintext pairs for each difference, ascending.
        keys: number of ciphers to attack.
        seed: seed of keys and plaintexts.
    """
    active = aes_active_s_boxes(rounds=AES_ROUNDS_COUNTED)
    likeliest = difference_table_maximum(s_box=S_BOXES["AES"]) / len(S_BOXES["AES"])
    return Cryptanalysis(
        ciphers=tuple(s_box_tables(name, s_box) for name, s_box in s_boxes.items()),
        aes_active_s_boxes=tuple(active),
        aes_trail_chances=tuple(likeliest**count for count in active),
        trails=tuple(_trails(trail_rounds, keys, seed)),
        recoveries=recovered(rounds=rounds, pairs=pairs, keys=keys, seed=seed),
    )


def _trails(rounds: int, keys: int, seed: int) -> list[Trail]:
    step, step_chances = difference_weights(PRESENT_S_BOX), difference_chances(PRESENT_S_BOX)
    permuted = small_permuted()
    start = np.zeros(1 << SMALL_BITS)
    start[0] = np.inf
    weights = lightest_trails(step=step, permuted=permuted, rounds=rounds, start=start)
    parities = lightest_trails(step=linear_weights(PRESENT_S_BOX), permuted=permuted, rounds=rounds, start=start)
    found = []
    for count in range(1, rounds + 1):
        end = int(weights[count].argmin())
        differences = trail_to(end=end, weights=weights[: count + 1], step=step, permuted=permuted)
        *_, chances = spread(chances=step_chances, permuted=permuted, rounds=count, start=differences[0])
        found.append(
            Trail(
                rounds=count,
                differences=tuple(differences),
                trail_chance=float(2 ** -weights[count][end]),
                end_chance=float(chances[end]),
                measured_chance=_measured(count, differences[0], end, keys, seed),
                parity_correlation=float(2 ** -parities[count].min()),
            )
        )
    return found


def _measured(rounds: int, start: int, end: int, keys: int, seed: int) -> float:
    """Fraction of all inputs whose pair ends at a difference, averaged over keys; the last round permutes here too."""
    rng = np.random.default_rng(seed)
    blocks, permuted = np.arange(1 << SMALL_BITS), small_permuted()
    counts = []
    for _ in range(keys):
        round_keys = rng.integers(1 << SMALL_BITS, size=rounds + 1)
        one, other = (small_encrypted(blocks=blocks ^ add, round_keys=round_keys) for add in (0, start))
        counts.append(np.count_nonzero(permuted[one ^ other] == end))
    return float(np.mean(counts)) / len(blocks)
