"""A substitution-permutation network of 16 bits, made small so that it can be searched whole, and broken.

A round adds its key, replaces each piece of four bits by an S-box and transposes the bits: bit ``i`` of piece ``j``
goes to bit ``j`` of piece ``i``. The last round leaves the transposition out, and a last key follows. Round keys are
drawn independently. For study; it protects nothing.

Source: Heys 2002, "A Tutorial on Linear and Differential Cryptanalysis", section 2; here with PRESENT's S-box.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ridgeline.laboratory.ciphers.present import PRESENT_S_BOX

__all__ = ["PIECES", "PIECE_BITS", "SMALL_BITS", "Blocks", "small_encrypted", "small_permuted", "small_substituted"]

PIECES = PIECE_BITS = 4
SMALL_BITS = PIECES * PIECE_BITS
"""Bits of a block of the small cipher."""

Blocks = NDArray[np.int64]
"""Blocks as numbers below 65,536."""


@cache
def small_permuted() -> Blocks:
    """Image of each block under the transposition, which is its own inverse.

    >>> [hex(small_permuted()[block]) for block in (0xF000, 0x0001, 0x8421)]
    ['0x8888', '0x1', '0x8421']
    """
    blocks = np.arange(1 << SMALL_BITS)
    bits = (blocks[:, np.newaxis] >> np.arange(SMALL_BITS)) & 1
    transposed = bits.reshape(-1, PIECES, PIECE_BITS).transpose(0, 2, 1).reshape(-1, SMALL_BITS)
    return np.asarray((transposed << np.arange(SMALL_BITS)).sum(axis=1))


@cache
def small_substituted(s_box: tuple[int, ...] = PRESENT_S_BOX) -> Blocks:
    """Image of each block with the S-box applied to its four pieces.

    >>> hex(small_substituted()[0x0123])
    '0xc56b'
    """
    blocks, table = np.arange(1 << SMALL_BITS), np.array(s_box)
    places = range(0, SMALL_BITS, PIECE_BITS)
    return np.asarray(sum(table[blocks >> place & 15] << place for place in places))


def small_encrypted(
    *, blocks: Blocks, round_keys: Sequence[int] | Blocks, s_box: tuple[int, ...] = PRESENT_S_BOX
) -> Blocks:
    """Blocks after one round fewer than there are keys; their first axis is that of keys where those are arrays.

    >>> hex(small_encrypted(blocks=np.array([0]), round_keys=[0, 0, 0])[0])
    '0x22cc'
    """
    substituted, permuted = small_substituted(s_box), small_permuted()
    *first, last, after = round_keys
    for key in first:
        blocks = permuted[substituted[blocks ^ key]]
    return np.asarray(substituted[blocks ^ last] ^ after)
