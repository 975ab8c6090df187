"""Tables of an S-box: how it carries differences, which is its derivative over bits, and parities."""

from collections import Counter
from collections.abc import Sequence

__all__ = [
    "difference_table",
    "difference_table_maximum",
    "linear_table",
    "linear_table_maximum",
]


def difference_table(*, s_box: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    r"""Number of inputs that turn each change of the input (a row) into each change of the output (a column).

    :math:`D_{a b} = \#\{x: S(x) + S(x+a) = b\}`, where addition is XOR. A row adds up to the number of inputs.

    >>> difference_table(s_box=[0, 1, 3, 2])
    ((4, 0, 0, 0), (0, 4, 0, 0), (0, 0, 0, 4), (0, 0, 4, 0))

    Source: Biham and Shamir 1990; lecture 2:06 (E5).
    """
    values = range(len(s_box))
    counts = [Counter(s_box[value] ^ s_box[value ^ change] for value in values) for change in values]
    return tuple(tuple(row[change] for change in values) for row in counts)


def difference_table_maximum(*, s_box: Sequence[int]) -> int:
    r"""The largest entry of an S-box's difference distribution table, but for no change: how well it can be guessed.

    :math:`\max_{a \ne 0, b} D_{a b}`; 2 is the least there is.

    >>> difference_table_maximum(s_box=[0, 1, 3, 2]), difference_table_maximum(s_box=[0, 1, 3, 6, 7, 4, 5, 2])
    (4, 2)

    Source: Biham and Shamir 1990; lecture 2:06 (E5).
    """
    _, *changed = difference_table(s_box=s_box)
    return max(entry for row in changed for entry in row)


def linear_table(*, s_box: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    r"""Bias of each parity of input bits (a row) against each parity of output bits (a column).

    :math:`L_{a b} = \#\{x: a \cdot x = b \cdot S(x)\} - 2^{n-1}`, the linear approximation table: 0 is chance,
    :math:`\pm 2^{n-1}` is certainty. The correlation of the two parities is :math:`L_{a b} / 2^{n-1}`.

    >>> linear_table(s_box=[0, 1, 3, 2])
    ((2, 0, 0, 0), (0, 0, 0, 2), (0, 0, 2, 0), (0, 2, 0, 0))

    Source: Matsui 1993, "Linear Cryptanalysis Method for DES Cipher"; Heys 2002, section 3.2.
    """
    masks, half = range(len(s_box)), len(s_box) // 2
    columns = [_transformed([1 - 2 * ((one & mask).bit_count() & 1) for one in s_box]) for mask in masks]
    return tuple(tuple(column[row] * half // len(s_box) for column in columns) for row in masks)


def _transformed(signs: list[int]) -> list[int]:
    """Walsh-Hadamard transform: for each mask the sum of signs, each times the sign of its place's parity."""
    step = 1
    while step < len(signs):
        for start in range(0, len(signs), 2 * step):
            for at in range(start, start + step):
                one, other = signs[at], signs[at + step]
                signs[at], signs[at + step] = one + other, one - other
        step *= 2
    return signs


def linear_table_maximum(*, s_box: Sequence[int]) -> int:
    """The largest size of an entry of the linear approximation table, but for empty masks.

    >>> linear_table_maximum(s_box=[0, 1, 3, 6, 7, 4, 5, 2])
    2

    Source: Matsui 1993.
    """
    _, *rows = linear_table(s_box=s_box)
    return max(abs(entry) for row in rows for entry in row[1:])
