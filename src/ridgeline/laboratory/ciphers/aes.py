"""AES with its shortest key, round by round. Source: FIPS 197. For study; nothing here protects anything."""

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from operator import xor

from ridgeline.laboratory.ciphers.blocks import rotated_left, substituted

__all__ = [
    "AES_BITS",
    "AES_ROUNDS",
    "aes_columns_mixed",
    "aes_round",
    "aes_round_keys",
    "aes_rows_shifted",
    "aes_s_box",
    "field_product",
]

AES_BITS, AES_ROUNDS = 128, 10
"""Bits of an AES block, and rounds with the shortest key."""

AES_POLYNOMIAL = 0x11B
"""x**8 + x**4 + x**3 + x + 1; FIPS 197, section 4.2."""

AES_CONSTANT = 0x63
"""FIPS 197, section 5.1.1."""

WORD = 0xFFFFFFFF
BYTE_ONES, WORD_ONES = 0x01010101010101010101010101010101, 0x00000001000000010000000100000001
"""32 bits, and a one in each byte of a block and in each of its words."""


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


@cache
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

    The last round of the standard omits mixing.

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
