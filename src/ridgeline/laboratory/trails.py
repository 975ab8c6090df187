r"""Trails: how a difference, or a parity, runs through rounds at its likeliest, by exact search.

A round of a network of S-boxes carries a difference :math:`a` of each piece to :math:`b` with chance
:math:`D_{a b} / 2^n`, and a parity with correlation :math:`L_{a b} / 2^{n-1}`; then bits move. With round keys drawn
independently the chance of a trail is the product of its steps. As a weight, :math:`-\log_2`, it is a sum, and the
lightest trail to every difference follows from those of one round less: all of them are found, none is guessed.

For study; nothing here protects anything.

Sources: Biham and Shamir 1990; Matsui 1993; Lai, Massey and Murphy 1991 (Markov ciphers); Daemen and Rijmen 2002, "The
Design of Rijndael", section 9, for active S-boxes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

import numpy as np
from numpy.typing import NDArray

from ridgeline.laboratory.ciphers import difference_table, linear_table
from ridgeline.laboratory.ciphers.small import PIECE_BITS, SMALL_BITS, small_permuted

__all__ = [
    "Floats",
    "aes_active_s_boxes",
    "broken_fraction",
    "difference_chances",
    "difference_weights",
    "lightest_trails",
    "linear_weights",
    "spread",
    "trail_to",
]

Floats = NDArray[np.float64]


def difference_chances(s_box: Sequence[int]) -> Floats:
    """The chance that each change of an S-box's input (a row) becomes each change of its output.

    >>> difference_chances([0, 1, 3, 2])[1].tolist()
    [0.0, 1.0, 0.0, 0.0]
    """
    return np.array(difference_table(s_box=s_box)) / len(s_box)


def difference_weights(s_box: Sequence[int]) -> Floats:
    """Differential weights of an S-box: minus log2 of each chance, infinite where it is 0."""
    with np.errstate(divide="ignore"):
        return -np.log2(difference_chances(s_box))


def linear_weights(s_box: Sequence[int]) -> Floats:
    """Minus log2 of the correlation of each parity of input bits (a row) and of output bits, infinite where it is 0.

    >>> linear_weights([0, 1, 3, 2])[1].tolist()
    [inf, inf, inf, 0.0]
    """
    with np.errstate(divide="ignore"):
        return np.asarray(-np.log2(np.abs(np.array(linear_table(s_box=s_box))) / (len(s_box) // 2)))


def _pieces(state: Floats, step: Floats) -> Floats:
    """State of each block as an array with an axis for each piece."""
    size = len(step)
    return state.reshape((size,) * round(np.log(len(state)) / np.log(size)))


def _lightest(state: Floats, step: Floats, below: float = np.inf) -> Floats:
    """The least weight with which each block is reached when every piece takes a step; infinite where ``below`` is not.

    Steps only add weight, so that blocks as heavy as ``below`` need not be followed.
    """
    # Most of a table is empty: for each output piece only the inputs that lead to it are visited.
    leading = [(np.flatnonzero(np.isfinite(column)), column[:, np.newaxis]) for column in step.T]
    for _ in range(_pieces(state, step).ndim):  # each turn takes the first piece and puts it last
        first = state.reshape(len(step), -1)
        light = np.flatnonzero(first.min(axis=0) < below)
        followed, state = first[:, light], np.full(first.T.shape, np.inf)
        state[light] = np.stack(
            [(followed[pieces] + column[pieces]).min(axis=0) for pieces, column in leading], axis=-1
        )
    return state.reshape(-1)


def _moved(state: Floats, permuted: NDArray[np.int64]) -> Floats:
    after = np.empty_like(state)
    after[permuted] = state
    return after


def lightest_trails(*, step: Floats, permuted: NDArray[np.int64], rounds: int, start: Floats) -> list[Floats]:
    """The weight of the lightest trail to each block: at the start, and after each round's pieces and permutation.

    Args:
        step: weights of a piece, by input difference and output difference.
        permuted: image of each block under the permutation.
        rounds: number of rounds.
        start: weight of each block to begin with; infinite where no trail begins.
    """
    found = [start]
    for _ in range(rounds):
        found.append(_moved(_lightest(found[-1], step), permuted))
    return found


def trail_to(*, end: int, weights: Sequence[Floats], step: Floats, permuted: NDArray[np.int64]) -> list[int]:
    """The blocks of a lightest trail, from its start to ``end``, by what ``lightest_trails`` found."""
    back = np.argsort(permuted)
    trail = [end]
    for before in weights[-2::-1]:
        cost = _pieces(before, step)
        for piece in np.unravel_index(back[trail[0]], cost.shape):
            cost = np.moveaxis(cost, 0, -1) + step[:, piece]
        trail.insert(0, int(cost.argmin()))
    return trail


def spread(*, chances: Floats, permuted: NDArray[np.int64], rounds: int, start: int) -> list[Floats]:
    """The chance of each difference, that of all its trails together, at the start and after each round.

    Args:
        chances: chances of a piece's step, by input difference (a row) and output difference.
        permuted: image of each block under the permutation.
        rounds: number of rounds.
        start: difference to begin with.
    """
    state = np.zeros(len(permuted))
    state[start] = 1.0
    found = [state]
    for _ in range(rounds):
        array = _pieces(found[-1], chances)
        for _ in range(array.ndim):
            array = np.tensordot(array, chances, axes=(0, 0))
        found.append(_moved(array.reshape(-1), permuted))
    return found


def broken_fraction(*, ciphers: int, rounds: int, seed: int) -> float:
    """Part of small ciphers with S-boxes drawn at random that a likely trail breaks.

    A cipher is broken where its lightest trail through all rounds but the last takes, on average, fewer pairs of
    plaintexts than half of all pairs.

    >>> broken_fraction(ciphers=2, rounds=3, seed=0), broken_fraction(ciphers=2, rounds=16, seed=0)
    (1.0, 0.0)
    """
    draw = Random(seed)  # noqa: S311  an experiment
    pieces, through = range(1 << PIECE_BITS), rounds - 1
    drawn = [tuple(draw.sample(pieces, len(pieces))) for _ in range(ciphers)]
    return sum(_light_rounds(s_box, max(through, SEARCHED)) >= through for s_box in drawn) / ciphers


SEARCHED = 15
"""Rounds that are searched at least, so that ciphers of fewer need no search of their own."""


@cache
def _light_rounds(s_box: tuple[int, ...], most: int) -> int:
    """Rounds, at most so many, through which a trail takes few enough pairs; none grows lighter on its way."""
    step, heavy = difference_weights(s_box), SMALL_BITS - 1
    state = np.zeros(1 << SMALL_BITS)
    state[0] = np.inf
    for through in range(most):
        state = _moved(_lightest(state, step, below=heavy), small_permuted())
        if state.min() >= heavy:
            return through
    return most


COLUMNS = ROWS = 4
BRANCH_NUMBER = 5
"""Bytes in and out of AES's mixing of a column that differ at least, if any does: FIPS 197's matrix is MDS."""


def aes_active_s_boxes(*, rounds: int) -> list[int]:
    """Least number of active S-boxes in each number of rounds of AES: one, two and so on.

    States are the sets of bytes that differ, 16 bits in all: shifting rows moves them, mixing a column turns any set
    into any other as long as five bytes differ in and out together.

    >>> aes_active_s_boxes(rounds=4)
    [1, 5, 9, 25]

    Source: Daemen and Rijmen 2002, section 9.4.
    """
    counts = np.array([pattern.bit_count() for pattern in range(1 << ROWS)])
    together = counts[:, np.newaxis] + counts
    mixes = (together >= BRANCH_NUMBER) | (together == 0)
    step = np.where(mixes, counts.astype(float), np.inf)  # of the outputs, which the next round's S-boxes see
    blocks = np.arange(1 << ROWS * COLUMNS)
    bits = (blocks[:, np.newaxis] >> np.arange(ROWS * COLUMNS)) & 1
    row, column = np.arange(ROWS * COLUMNS) % ROWS, np.arange(ROWS * COLUMNS) // ROWS
    shifted = (bits << ((column - row) % COLUMNS * ROWS + row)).sum(axis=1)
    state = bits.sum(axis=1).astype(float)
    state[0] = np.inf
    found = [state]
    for _ in range(rounds - 1):
        found.append(_lightest(_moved(found[-1], shifted), step))
    return [int(one.min()) for one in found]
