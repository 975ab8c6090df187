r"""Ciphers and networks: both mix all of an input into all of an output, one wants it irreversible, the other not.

.. math::

    (x, y) \to (y + f(x),\; x), \qquad (x', y') \to (y',\; x' - f(y'))

A Feistel round is invertible whatever :math:`f` is; a reversible network (RevNet) is the same on activations, and need
not keep what it can compute again.

Sources: lecture 2:04-2:13 (E1-E9); Feistel 1973; Luby and Rackoff 1988; Gomez et al. 2017, "The Reversible Residual
Network" (arXiv 1707.04585); Biham and Shamir 1990; FIPS 197 (AES); Bogdanov et al. 2007 (PRESENT).
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate

from ridgeline.numeric import Numeric

__all__ = [
    "PRESENT_S_BOX",
    "activations_alive_plain",
    "activations_alive_reversible",
    "aes_s_box",
    "avalanche_fractions",
    "difference_table_maximum",
    "feistel",
    "feistel_inverse",
    "field_product",
    "rotated_left",
]

PRESENT_S_BOX = (0xC, 0x5, 0x6, 0xB, 0x9, 0x0, 0xA, 0xD, 0x3, 0xE, 0xF, 0x8, 0x4, 0x7, 0x1, 0x2)
"""Bogdanov et al. 2007, "PRESENT: An Ultra-Lightweight Block Cipher", section 3."""

AES_POLYNOMIAL = 0x11B
"""x**8 + x**4 + x**3 + x + 1; FIPS 197, section 4.2."""

AES_CONSTANT = 0x63
"""FIPS 197, section 5.1.1."""


def feistel(
    *, left: Numeric, right: Numeric, round_functions: Sequence[Callable[[Numeric], Numeric]], modulus: Numeric
) -> tuple[Numeric, Numeric]:
    """Pass two halves through rounds of ``(x, y) -> (y + f(x), x)`` modulo ``modulus``; any functions serve.

    Exact for integers; fractions modulo 1 come back only up to rounding. One round leaves a half as it was:

    >>> feistel(left=3, right=5, round_functions=[lambda x: x * x], modulus=256)
    (14, 3)

    Source: Feistel 1973; lecture 2:06 (E1, E2).
    """
    for round_function in round_functions:
        left, right = (right + round_function(left)) % modulus, left
    return left, right


def feistel_inverse(
    *, left: Numeric, right: Numeric, round_functions: Sequence[Callable[[Numeric], Numeric]], modulus: Numeric
) -> tuple[Numeric, Numeric]:
    """The halves that ``feistel`` was given: rounds in reverse order, none of whose functions is inverted.

    >>> feistel_inverse(left=14, right=3, round_functions=[lambda x: x * x], modulus=256)
    (3, 5)

    Source: Feistel 1973; lecture 2:06 (E1).
    """
    for round_function in reversed(round_functions):
        left, right = right, (left - round_function(right)) % modulus
    return left, right


def difference_table_maximum(*, s_box: Sequence[int]) -> int:
    r"""The largest entry of an S-box's difference distribution table.

    :math:`\max_{a \ne 0, b} \#\{x: S(x) + S(x+a) = b\}`, where addition is XOR: how well the table's derivative can be
    guessed. 2 is the least there is.

    >>> difference_table_maximum(s_box=PRESENT_S_BOX), difference_table_maximum(s_box=range(16))
    (4, 16)

    Source: Biham and Shamir 1990; lecture 2:10 (E5).
    """
    values = range(len(s_box))
    table = Counter((change, s_box[value] ^ s_box[value ^ change]) for change in values[1:] for value in values)
    return table.most_common(1)[0][1]


def rotated_left(*, byte: int, places: int) -> int:
    """A byte's bits turned round by ``places``.

    >>> rotated_left(byte=0b1000_0001, places=1)
    3

    Source: FIPS 197, section 5.1.1.
    """
    return (byte << places | byte >> (8 - places)) & 0xFF


def field_product(*, first: int, second: int) -> int:
    """Product in the field of 256 elements that AES is built on.

    >>> hex(field_product(first=0x57, second=0x83))
    '0xc1'

    Source: FIPS 197, section 4.2.
    """
    product = 0
    for place in range(8):
        product = product ^ first * (second >> place & 1)
        first = first << 1 ^ AES_POLYNOMIAL * (first >> 7)
    return product


def aes_s_box() -> tuple[int, ...]:
    """The substitution of AES from its definition: the field's inverse, ``x**254``, then an affine map of its bits.

    >>> [hex(value) for value in aes_s_box()[:4]]
    ['0x63', '0x7c', '0x77', '0x7b']

    Source: FIPS 197, section 5.1.1.
    """
    table = []
    for value in range(256):
        square, inverse = value, 1
        for _ in range(7):  # 254 = 2 + 4 + ... + 128
            square = field_product(first=square, second=square)
            inverse = field_product(first=inverse, second=square)
        turned = [rotated_left(byte=inverse, places=places) for places in range(5)]
        table.append(turned[0] ^ turned[1] ^ turned[2] ^ turned[3] ^ turned[4] ^ AES_CONSTANT)
    return tuple(table)


def avalanche_fractions(
    *, rounds: Sequence[Callable[[int], int]], inputs: Sequence[int], bits: int
) -> tuple[float, ...]:
    """Part of a block's bits that one changed bit of the input changes, after each round: 1/2 where it is well mixed.

    The mean over ``inputs`` and all of their bits. A rotation moves a changed bit and spreads nothing:

    >>> avalanche_fractions(rounds=[lambda x: rotated_left(byte=x, places=3)] * 2, inputs=[0, 77], bits=8)
    (0.125, 0.125)

    Source: Webster and Tavares 1985, the strict avalanche criterion; lecture 2:12 (E6).
    """
    pairs = [(value, value ^ 1 << bit) for value in inputs for bit in range(bits)]
    fractions = []
    for one_round in rounds:
        pairs = [(one_round(first), one_round(second)) for first, second in pairs]
        changed = sum((first ^ second).bit_count() for first, second in pairs)
        fractions.append(changed / (len(pairs) * bits))
    return tuple(fractions)


def activations_alive_plain(*, layers: int) -> tuple[int, ...]:
    """Layers' activations in memory after each step of a forward and a backward pass, counted: up, then down.

    >>> activations_alive_plain(layers=3)
    (1, 2, 3, 2, 1, 0)

    Source: every layer's gradient needs its own input (E3).
    """
    forward, backward = [1] * layers, [-1] * layers
    return tuple(accumulate(forward + backward))


def activations_alive_reversible(*, layers: int) -> tuple[int, ...]:
    """The same for a reversible stack, which replaces its pair by the next one, and back: flat, whatever the depth.

    >>> activations_alive_reversible(layers=3)
    (1, 1, 1, 1, 1, 1)

    Source: Gomez et al. 2017; lecture 2:07 (E3).
    """
    forward, backward = [(1, -1)] * layers, [(1, -1)] * layers
    changes = [made + dropped for made, dropped in forward + backward]
    return tuple(1 + alive for alive in accumulate(changes))
