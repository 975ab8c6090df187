"""Blocks as numbers: their pieces replaced by an S-box, their bits rotated."""

from collections.abc import Sequence
from functools import cache

__all__ = [
    "rotated_left",
    "substituted",
]


def rotated_left(*, byte: int, places: int) -> int:
    """Bits of a byte, rotated by ``places``.

    >>> rotated_left(byte=0b1000_0001, places=1)
    3

    Source: FIPS 197, section 5.1.1.
    """
    return (byte << places | byte >> (8 - places)) & 0xFF


def substituted(*, block: int, s_box: Sequence[int], bits: int) -> int:
    """Each piece of a block replaced by the S-box's entry for it; pieces are as wide as its entries.

    >>> hex(substituted(block=0x0123, s_box=[*range(1, 16), 0], bits=16))
    '0x1234'

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
