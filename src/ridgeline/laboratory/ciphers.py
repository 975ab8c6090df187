r"""Ciphers and networks: both mix all of an input into all of an output, one wants it irreversible, the other not.

.. math::

    (x, y) \to (y + f(x),\; x), \qquad (x', y') \to (y',\; x' - f(y'))

A Feistel round is invertible whatever :math:`f` is; a reversible network (RevNet) is the same on activations, and need
not keep what it can compute again.

Sources: lecture 2:04-2:13 (E1-E9); Feistel 1973; Luby and Rackoff 1988; Gomez et al. 2017, "The Reversible Residual
Network" (arXiv 1707.04585); Biham and Shamir 1990; FIPS 197 (AES); Bogdanov et al. 2007 (PRESENT); Chen et al. 2016
(arXiv 1604.06174).
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import accumulate
from operator import xor

from ridgeline.numeric import Numeric

__all__ = [
    "AES_BITS",
    "AES_ROUNDS",
    "PRESENT_BITS",
    "PRESENT_KEY_BITS",
    "PRESENT_S_BOX",
    "aes_columns_mixed",
    "aes_round",
    "aes_round_keys",
    "aes_rows_shifted",
    "aes_s_box",
    "avalanche_fractions",
    "difference_table",
    "difference_table_maximum",
    "feistel",
    "feistel_inverse",
    "field_product",
    "middle_of_power",
    "present_permuted",
    "present_round",
    "present_round_keys",
    "rotated_left",
    "substituted",
]

PRESENT_S_BOX = (0xC, 0x5, 0x6, 0xB, 0x9, 0x0, 0xA, 0xD, 0x3, 0xE, 0xF, 0x8, 0x4, 0x7, 0x1, 0x2)
"""Bogdanov et al. 2007, "PRESENT: An Ultra-Lightweight Block Cipher", section 3."""

AES_POLYNOMIAL = 0x11B
"""x**8 + x**4 + x**3 + x + 1; FIPS 197, section 4.2."""

AES_CONSTANT = 0x63
"""FIPS 197, section 5.1.1."""

AES_BITS, PRESENT_BITS, PRESENT_KEY_BITS = 128, 64, 80
AES_ROUNDS, PRESENT_ROUNDS = 10, 31
"""With AES's shortest key, and with either of PRESENT's."""

WORD = 0xFFFFFFFF
BYTE_ONES, WORD_ONES = 0x01010101010101010101010101010101, 0x00000001000000010000000100000001
"""32 bits, and a one in each byte of AES's block."""


def feistel(
    *, left: Numeric, right: Numeric, round_functions: Sequence[Callable[[Numeric], Numeric]], modulus: Numeric
) -> tuple[Numeric, Numeric]:
    """Pass two halves through rounds of ``(x, y) -> (y + f(x), x)`` modulo ``modulus``; any functions serve.

    Exact for integers; fractions modulo 1 come back only up to rounding. One round leaves a half as it was:

    >>> feistel(left=3, right=5, round_functions=[lambda x: x * x], modulus=256)
    (14, 3)

    Source: Feistel 1973; lecture 2:09 (E1, E2).
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

    Source: Feistel 1973; lecture 2:09 (E1).
    """
    for round_function in reversed(round_functions):
        left, right = right, (left - round_function(right)) % modulus
    return left, right


def middle_of_power(*, value: int, exponent: int, bits: int) -> int:
    """The middle ``bits`` of a number's power: a round function that nobody can invert.

    Every bit of the middle of a square depends on nearly every bit of the number; the first power gives it back.

    >>> hex(middle_of_power(value=0x25, exponent=2, bits=8)), hex(middle_of_power(value=0x25, exponent=1, bits=8))
    ('0x55', '0x25')

    Derivation: the definition.
    """
    power: int = value**exponent
    return power >> bits * (exponent - 1) // 2 & (1 << bits) - 1


def difference_table(*, s_box: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    r"""How many inputs turn each change of the input (a row) into each change of the output (a column).

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

    >>> difference_table_maximum(s_box=PRESENT_S_BOX), difference_table_maximum(s_box=range(16))
    (4, 16)

    Source: Biham and Shamir 1990; lecture 2:06 (E5).
    """
    _, *changed = difference_table(s_box=s_box)
    return max(entry for row in changed for entry in row)


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


def substituted(*, block: int, s_box: Sequence[int], bits: int) -> int:
    """Each piece of a block replaced by the S-box's entry for it; pieces are as wide as its entries.

    >>> hex(substituted(block=0x0123456789ABCDEF, s_box=PRESENT_S_BOX, bits=64))
    '0xc56b90ad3ef84712'

    Source: FIPS 197, section 5.1.1; Bogdanov et al. 2007, section 3.
    """
    replaced = block.to_bytes(bits // 8, "big").translate(_by_byte(tuple(s_box)))
    return int.from_bytes(replaced, "big")


@cache
def _by_byte(s_box: tuple[int, ...]) -> bytes:
    """An S-box on the pieces of each byte, as what replaces the byte."""
    last = len(s_box) - 1
    places = range(0, 8, last.bit_length())
    return bytes(sum(s_box[byte >> place & last] << place for place in places) for byte in range(256))


def aes_rows_shifted(*, block: int) -> int:
    """AES's bytes, four to a column, after row ``r`` was turned left by ``r``: byte ``i`` is that of ``5 i mod 16``.

    >>> hex(aes_rows_shifted(block=0x000102030405060708090A0B0C0D0E0F))
    '0x50a0f04090e03080d02070c01060b'

    Source: FIPS 197, section 5.1.2.
    """
    return int.from_bytes((5 * block.to_bytes(16, "big"))[::5], "big")


def aes_columns_mixed(*, block: int) -> int:
    """AES's columns ``(a, b, c, d)`` as ``(2a + 3b + c + d, ...)`` and round: sums are XOR, products the field's.

    A column of ones stays as it is, since ``2 + 3 + 1 + 1`` is one there; of one byte come four:

    >>> hex(aes_columns_mixed(block=0x01010101 << 32)), hex(aes_columns_mixed(block=0x80000000))
    ('0x101010100000000', '0x1b80809b')

    Source: FIPS 197, section 5.1.3.
    """
    tops = block >> 7 & BYTE_ONES
    doubled = (block ^ tops << 7) << 1 ^ tops * (AES_POLYNOMIAL & 0xFF)
    turned = (_columns_turned(block ^ doubled, 8), _columns_turned(block, 16), _columns_turned(block, 24))
    return doubled ^ turned[0] ^ turned[1] ^ turned[2]


def _columns_turned(block: int, places: int) -> int:
    """AES's four columns of 32 bits, each turned left."""
    low = ((1 << places) - 1) * WORD_ONES
    return (block & low << 32 - places) >> 32 - places | block << places & ~low & (1 << AES_BITS) - 1


def aes_round(*, block: int, round_key: int, s_box: Sequence[int]) -> int:
    """A round of AES on 128 bits: substitute bytes, shift rows, mix columns, add the round's key.

    The last round of the standard leaves the mixing out.

    >>> hex(aes_round(block=0x193DE3BEA0F4E22B9AC68D2AE9F84808, round_key=0, s_box=aes_s_box()))
    '0x46681e5e0cb199a48f8d37a2806264c'

    Source: FIPS 197, section 5.1.
    """
    bytes_replaced = substituted(block=block, s_box=s_box, bits=AES_BITS)
    return aes_columns_mixed(block=aes_rows_shifted(block=bytes_replaced)) ^ round_key


def aes_round_keys(*, key: int) -> tuple[int, ...]:
    """The keys that AES adds before its first round and in each of its ten, from one of 128 bits.

    >>> [hex(round_key) for round_key in aes_round_keys(key=0)[:2]]
    ['0x0', '0x62636363626363636263636362636363']

    Source: FIPS 197, section 5.2.
    """
    s_box, keys, constant = aes_s_box(), [key], 1
    for _ in range(AES_ROUNDS):
        words = [keys[-1] >> place & WORD for place in (96, 64, 32, 0)]
        turned = (words[3] << 8 | words[3] >> 24) & WORD
        words[0] = words[0] ^ substituted(block=turned, s_box=s_box, bits=32) ^ constant << 24
        keys.append(sum(word << place for word, place in zip(accumulate(words, xor), (96, 64, 32, 0), strict=True)))
        constant = field_product(first=constant, second=2)
    return tuple(keys)


def present_permuted(*, block: int) -> int:
    """PRESENT's 64 bits spread: bit ``i`` goes to ``16 i mod 63``, the last stays; a piece of four feeds four others.

    >>> hex(present_permuted(block=0xF)), hex(present_permuted(block=1 << 63 | 1 << 1))
    ('0x1000100010001', '0x8000000000010000')

    Source: Bogdanov et al. 2007, section 3.
    """
    return sum(_present_spread(place)[byte] for place, byte in enumerate(block.to_bytes(PRESENT_BITS // 8, "little")))


@cache
def _present_spread(place: int) -> tuple[int, ...]:
    """Where the bits of each byte go that stands at a place, from the last."""
    last = PRESENT_BITS - 1
    goes = [last if bit == last else 16 * bit % last for bit in range(8 * place, 8 * place + 8)]
    return tuple(sum((byte >> bit & 1) << to for bit, to in enumerate(goes)) for byte in range(256))


def present_round(*, block: int, round_key: int) -> int:
    """A round of PRESENT on 64 bits: add the round's key, substitute pieces of four bits, spread the bits.

    >>> hex(present_round(block=0, round_key=0))
    '0xffffffff00000000'

    Source: Bogdanov et al. 2007, section 3.
    """
    return present_permuted(block=substituted(block=block ^ round_key, s_box=PRESENT_S_BOX, bits=PRESENT_BITS))


def present_round_keys(*, key: int) -> tuple[int, ...]:
    """The keys of PRESENT's 31 rounds and the one that it adds after them, from one of 80 bits.

    >>> [hex(round_key) for round_key in present_round_keys(key=0)[:3]]
    ['0x0', '0xc000000000000000', '0x5000180000000001']

    Source: Bogdanov et al. 2007, section 3.
    """
    keys, top = [], PRESENT_KEY_BITS - 4
    for counter in range(1, PRESENT_ROUNDS + 2):
        keys.append(key >> PRESENT_KEY_BITS - PRESENT_BITS)
        key = (key << 61 | key >> PRESENT_KEY_BITS - 61) & (1 << PRESENT_KEY_BITS) - 1
        key = key & (1 << top) - 1 | PRESENT_S_BOX[key >> top] << top
        key = key ^ counter << 15
    return tuple(keys)


def avalanche_fractions(
    *, rounds: Sequence[Callable[[int], int]], inputs: Sequence[int], bits: int
) -> tuple[float, ...]:
    """Part of a block's bits that one changed bit of the input changes, after each round: 1/2 where it is well mixed.

    The mean over ``inputs`` and all of their bits. A rotation moves a changed bit and spreads nothing:

    >>> avalanche_fractions(rounds=[lambda x: rotated_left(byte=x, places=3)] * 2, inputs=[0, 77], bits=8)
    (0.125, 0.125)

    Source: Webster and Tavares 1985, the strict avalanche criterion; lecture 2:06 (E6).
    """
    families = [[value, *(value ^ 1 << bit for bit in range(bits))] for value in inputs]
    fractions = []
    for one_round in rounds:
        families = [list(map(one_round, family)) for family in families]
        changed = sum((value ^ one).bit_count() for value, *others in families for one in others)
        fractions.append(changed / (len(families) * bits * bits))
    return tuple(fractions)
