"""Random networks judged as ciphers, and ciphers as what networks are to learn. All on blocks of 16 bits.

A good cipher maps distinct blocks to distinct blocks, changes half of its bits for one changed bit, and favours no
difference and no parity more than a random permutation does. All counts are over all blocks.

For study; nothing here protects anything.

Sources: lecture 2:05-2:06 (E8); Gohr 2019, "Improving Attacks on Round-Reduced Speck32/64 Using Deep Learning", for
ciphers as what networks learn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.laboratory import random_networks
from ridgeline.laboratory.ciphers.small import SMALL_BITS, Blocks, small_encrypted
from ridgeline.laboratory.glyphs import Floats
from ridgeline.laboratory.learning import bits_slope, fitted
from ridgeline.laboratory.stacks import draw_stack, run

__all__ = ["Judged", "Learned", "judged", "learned"]

ALL = 1 << SMALL_BITS
LAYERS = 10
"""Number of layers of the networks that are judged, as many as AES has rounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """Quality of a mapping of 16 bits as a cipher.

    Attributes:
        name: name of the mapping.
        distinct_fraction: number of distinct outputs over inputs: below 1 nothing decrypts it.
        changed_fraction: part of the output's bits that one changed bit of the input changes.
        worst_bit: largest distance from one half of the chance that a bit changes for a bit of the input.
        likeliest_difference: largest fraction of all blocks that share a change of the output, over changes of one bit
            of the input.
        largest_correlation: largest correlation of a bit of the input with a bit of the output.
    """

    name: str
    distinct_fraction: float
    changed_fraction: float
    worst_bit: float
    likeliest_difference: float
    largest_correlation: float


def judged(*, rounds: Sequence[int] = (2, 4, 8), seed: int = 0) -> tuple[Judged, ...]:
    """Judge the small cipher at each number of rounds, random networks, and a random permutation to compare with."""
    rng = np.random.default_rng(seed)
    blocks = np.arange(ALL)
    keys = rng.integers(ALL, size=max(rounds) + 1)
    return (
        _judge("random permutation", rng.permutation(ALL)),
        *(
            _judge(f"cipher, {count} rounds", small_encrypted(blocks=blocks, round_keys=keys[: count + 1]))
            for count in rounds
        ),
        _judge("random layers of signs", _through_signs(seed)),
        _judge("random residual network", _through_stack(seed, has_residual=True, has_norm=False)),
        _judge("the same with norms", _through_stack(seed, has_residual=True, has_norm=True)),
    )


def _bits(blocks: Blocks) -> NDArray[np.int64]:
    return np.asarray(blocks[..., np.newaxis] >> np.arange(SMALL_BITS) & 1)


def _signs(blocks: Blocks) -> Floats:
    """A one for each bit that is set, and a minus one for the others."""
    return np.asarray(2.0 * _bits(blocks) - 1, dtype=np.float64)


def _block(bits: NDArray[np.bool_]) -> Blocks:
    return np.asarray((bits.astype(np.int64) << np.arange(SMALL_BITS)).sum(axis=-1))


def _through_signs(seed: int) -> Blocks:
    stream = _signs(np.arange(ALL))
    for layer in random_networks.random_weights(layers=LAYERS, width=SMALL_BITS, seed=seed):
        stream = random_networks.sign_layer(stream=stream, weights=layer)
    return _block(stream > 0)


def _through_stack(seed: int, *, has_residual: bool, has_norm: bool) -> Blocks:
    """Signs of the last stream."""
    stack = draw_stack(
        inputs=SMALL_BITS,
        width=SMALL_BITS,
        layers=LAYERS,
        outputs=SMALL_BITS,
        has_residual=has_residual,
        has_norm=has_norm,
        seed=seed,
    )
    return _block(run(stack, _signs(np.arange(ALL))).streams[-1] > 0)


def _judge(name: str, outputs: Blocks) -> Judged:
    blocks = np.arange(ALL)
    changes = [outputs ^ outputs[blocks ^ (1 << bit)] for bit in range(SMALL_BITS)]
    matrix = np.array([_bits(one).mean(axis=0) for one in changes])
    signs_in, signs_out = (_signs(one) for one in (blocks, outputs))
    return Judged(
        name=name,
        distinct_fraction=len(np.unique(outputs)) / ALL,
        changed_fraction=float(matrix.mean()),
        worst_bit=float(np.abs(matrix - 0.5).max()),
        likeliest_difference=max(int(np.bincount(one).max()) for one in changes) / ALL,
        largest_correlation=float(np.abs(signs_in.T @ signs_out).max()) / ALL,
    )


WIDTH, DEPTH = 64, 3
TRAINED, TESTED = 16384, 4096
"""Numbers of blocks to train and to test on, of all 65,536."""
BATCH = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """Success of a network that learns a cipher with a fixed key from its texts.

    Attributes:
        rounds: number of rounds of the cipher.
        right_fraction: fraction of the bits of ciphertexts that it predicts, of plaintexts that it never saw: one half
            is a guess.
        best_bit_fraction: fraction of ciphertexts of which it predicts the bit that it predicts best.
        standard_error: standard error of ``right_fraction`` for a guess.
    """

    rounds: int
    right_fraction: float
    best_bit_fraction: float
    standard_error: float


def learned(*, rounds: int = 5, steps: int = 400, seed: int = 0) -> tuple[Learned, ...]:
    """Train a network on texts of the small cipher with one round, with two and so on, each anew.

    Args:
        rounds: number of rounds of the longest cipher.
        steps: number of training steps.
        seed: seed of all random draws.
    """
    rng = np.random.default_rng(seed)
    order, keys = rng.permutation(ALL), rng.integers(ALL, size=rounds + 1)
    train, test = order[:TRAINED], order[TRAINED : TRAINED + TESTED]
    start = draw_stack(
        inputs=SMALL_BITS,
        width=WIDTH,
        layers=DEPTH,
        outputs=SMALL_BITS,
        has_residual=True,
        has_norm=True,
        seed=seed,
    )
    found = []
    for count in range(1, rounds + 1):
        wanted, unseen = (
            _bits(small_encrypted(blocks=blocks, round_keys=keys[: count + 1])) for blocks in (train, test)
        )
        seen, asked = (_signs(blocks) for blocks in (train, test))
        stack = fitted(start, seen, wanted, slope=bits_slope, steps=steps, batch=BATCH, seed=seed)
        right = (run(stack, asked).outputs > 0) == (unseen > 0)
        found.append(
            Learned(
                rounds=count,
                right_fraction=float(right.mean()),
                best_bit_fraction=float(right.mean(axis=0).max()),
                standard_error=0.5 / right.size**0.5,
            )
        )
    return tuple(found)
