"""Feistel networks over numbers and over words of any width, balanced or not, with any round functions.

For study; nothing here protects anything.

Sources: Feistel 1973; lecture 2:08-2:12 (E1, E2); Schneier and Kelsey 1996, "Unbalanced Feistel Networks and Block
Cipher Design", for words whose parts differ in width.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ridgeline.laboratory.coupling import coupled, uncoupled
from ridgeline.numeric import Numeric

__all__ = ["feistel", "feistel_decrypted", "feistel_encrypted", "feistel_inverse", "middle_of_power"]

Word = TypeVar("Word", int, NDArray[np.int64])
"""A word, or many of at most 62 bits."""


def feistel(
    *, left: Numeric, right: Numeric, round_functions: Sequence[Callable[[Numeric], Numeric]], modulus: Numeric
) -> tuple[Numeric, Numeric]:
    """Pass two halves through rounds of ``(x, y) -> (y + f(x), x)`` modulo ``modulus``; any functions serve.

    Exact for integers; fractions modulo 1 come back only up to rounding. One round leaves a half as it was:

    >>> feistel(left=3, right=5, round_functions=[lambda x: x * x], modulus=256)
    (14, 3)

    Source: Feistel 1973; lecture 2:09 (E1, E2).
    """
    return coupled(left=left, right=right, functions=round_functions, add=lambda one, other: (one + other) % modulus)


def feistel_inverse(
    *, left: Numeric, right: Numeric, round_functions: Sequence[Callable[[Numeric], Numeric]], modulus: Numeric
) -> tuple[Numeric, Numeric]:
    """The halves that ``feistel`` was given: rounds in reverse order, none of whose functions is inverted.

    >>> feistel_inverse(left=14, right=3, round_functions=[lambda x: x * x], modulus=256)
    (3, 5)

    Source: Feistel 1973; lecture 2:09 (E1).
    """
    return uncoupled(
        left=left, right=right, functions=round_functions, subtract=lambda one, other: (one - other) % modulus
    )


def feistel_encrypted(
    *, block: Word, source_bits: int, target_bits: int, round_functions: Sequence[Callable[[Word], Word]]
) -> Word:
    """A word of ``source_bits + target_bits`` after a round a function: the source is kept, the target changed by it.

    A round takes the upper ``source_bits``, adds its function of them to the lower ``target_bits`` by exclusive or, and
    turns the word so that the changed part comes first. Equal widths are the balanced network of the board. Functions
    may give any number; its lowest ``target_bits`` count.

    >>> hex(feistel_encrypted(block=0x35, source_bits=4, target_bits=4, round_functions=[lambda x: x * x]))
    '0xc3'
    >>> hex(feistel_encrypted(block=0xABC, source_bits=8, target_bits=4, round_functions=[lambda x: 7] * 3))
    '0xdcb'

    Source: Schneier and Kelsey 1996, section 2.
    """
    for function in round_functions:
        source, target = block >> target_bits, block & (1 << target_bits) - 1
        block = (target ^ function(source) & (1 << target_bits) - 1) << source_bits | source
    return block


def feistel_decrypted(
    *, block: Word, source_bits: int, target_bits: int, round_functions: Sequence[Callable[[Word], Word]]
) -> Word:
    """The word that ``feistel_encrypted`` was given, whatever its functions are.

    >>> hex(feistel_decrypted(block=0xDCB, source_bits=8, target_bits=4, round_functions=[lambda x: 7] * 3))
    '0xabc'

    Source: Schneier and Kelsey 1996, section 2.
    """
    for function in reversed(round_functions):
        source, changed = block & (1 << source_bits) - 1, block >> source_bits
        block = source << target_bits | changed ^ function(source) & (1 << target_bits) - 1
    return block


def middle_of_power(*, value: int, exponent: int, bits: int) -> int:
    """The middle ``bits`` of a number's power: a round function that nobody can invert.

    Every bit of the middle of a square depends on nearly every bit of the number; the first power gives it back.

    >>> hex(middle_of_power(value=0x25, exponent=2, bits=8)), hex(middle_of_power(value=0x25, exponent=1, bits=8))
    ('0x55', '0x25')

    Derivation: the definition.
    """
    power: int = value**exponent
    return power >> bits * (exponent - 1) // 2 & (1 << bits) - 1
