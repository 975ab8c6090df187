"""PRESENT with its shorter key, round by round. For study; nothing here protects anything.

Source: Bogdanov et al. 2007, "PRESENT: An Ultra-Lightweight Block Cipher".
"""

from functools import cache

from ridgeline.laboratory.ciphers.blocks import substituted

__all__ = [
    "PRESENT_BITS",
    "PRESENT_KEY_BITS",
    "PRESENT_ROUNDS",
    "PRESENT_S_BOX",
    "present_permuted",
    "present_round",
    "present_round_keys",
]

PRESENT_S_BOX = (0xC, 0x5, 0x6, 0xB, 0x9, 0x0, 0xA, 0xD, 0x3, 0xE, 0xF, 0x8, 0x4, 0x7, 0x1, 0x2)
"""Bogdanov et al. 2007, "PRESENT: An Ultra-Lightweight Block Cipher", section 3."""

PRESENT_BITS, PRESENT_KEY_BITS, PRESENT_ROUNDS = 64, 80, 31
"""Bits of a block, bits of the shorter key, and rounds (equal for both key lengths) of PRESENT."""


def present_permuted(*, block: int) -> int:
    """PRESENT's 64 bits spread: bit ``i`` goes to ``16 i mod 63``, the last stays; a piece of four feeds four others.

    >>> hex(present_permuted(block=0xF)), hex(present_permuted(block=1 << 63 | 1 << 1))
    ('0x1000100010001', '0x8000000000010000')

    Source: Bogdanov et al. 2007, section 3.
    """
    return sum(_present_spread(place)[byte] for place, byte in enumerate(block.to_bytes(PRESENT_BITS // 8, "little")))


@cache
def _present_spread(place: int) -> tuple[int, ...]:
    """Permuted positions of the bits of each byte value at a place, counted from the last byte."""
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
