"""Ciphers as rounds with keys drawn at random, so that what they do can be watched round by round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import numpy as np

from ridgeline.laboratory.ciphers.aes import AES_BITS, AES_ROUNDS, aes_round, aes_round_keys, aes_s_box
from ridgeline.laboratory.ciphers.feistel import feistel, middle_of_power
from ridgeline.laboratory.ciphers.present import PRESENT_BITS, PRESENT_KEY_BITS, present_round, present_round_keys
from ridgeline.laboratory.ciphers.small import SMALL_BITS, small_permuted, small_substituted
from ridgeline.numeric import Numeric

__all__ = ["RoundCipher", "drawn_ciphers", "small_cipher"]

HALF_BITS = 64
"""Bits of half a block of the Feistel network; the whole block is as wide as AES's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundCipher:
    """A cipher with its keys, as functions of a block.

    Attributes:
        name: name that figures show.
        bits: bits of a block.
        rounds: round functions in order, all alike: the last one leaves out nothing, unlike in the standards.
    """

    name: str
    bits: int
    rounds: tuple[Callable[[int], int], ...]


def drawn_ciphers(draw: Random, *, exponent: int = 2) -> tuple[RoundCipher, ...]:
    """Ten rounds of AES, of PRESENT, and of a Feistel network on 128 bits whose function is the middle of a power.

    Args:
        draw: random source of the keys.
        exponent: exponent of the Feistel function's power.
    """
    _, *aes_keys = aes_round_keys(key=draw.getrandbits(AES_BITS))
    present_keys = present_round_keys(key=draw.getrandbits(PRESENT_KEY_BITS))[:AES_ROUNDS]
    feistel_keys = [draw.getrandbits(HALF_BITS) for _ in range(AES_ROUNDS)]
    return (
        RoundCipher(name="AES", bits=AES_BITS, rounds=tuple(map(_aes_round, aes_keys))),
        RoundCipher(name="PRESENT", bits=PRESENT_BITS, rounds=tuple(map(_present_round, present_keys))),
        RoundCipher(
            name="Feistel", bits=2 * HALF_BITS, rounds=tuple(_feistel_round(key, exponent) for key in feistel_keys)
        ),
    )


def small_cipher(draw: Random, *, rounds: int) -> RoundCipher:
    """The small cipher of 16 bits."""
    keys = [draw.getrandbits(SMALL_BITS) for _ in range(rounds)]
    return RoundCipher(name="16 bits", bits=SMALL_BITS, rounds=tuple(map(_small_round, keys)))


def _aes_round(round_key: int) -> Callable[[int], int]:
    s_box = aes_s_box()
    return lambda block: aes_round(block=block, round_key=round_key, s_box=s_box)


def _present_round(round_key: int) -> Callable[[int], int]:
    return lambda block: present_round(block=block, round_key=round_key)


def _small_round(round_key: int) -> Callable[[int], int]:
    table: list[int] = np.asarray(small_permuted()[small_substituted()]).tolist()
    return lambda block: table[block ^ round_key]


def _feistel_round(key: int, exponent: int) -> Callable[[int], int]:
    """Round of the Feistel network on a block; halves add modulo their number, as on the board."""
    modulus = 1 << HALF_BITS

    def function(half: Numeric) -> Numeric:
        return middle_of_power(value=(int(half) + key) % modulus, exponent=exponent, bits=HALF_BITS)

    def one_round(block: int) -> int:
        left, right = feistel(
            left=block >> HALF_BITS, right=block % modulus, round_functions=[function], modulus=modulus
        )
        return int(left) << HALF_BITS | int(right)

    return one_round
