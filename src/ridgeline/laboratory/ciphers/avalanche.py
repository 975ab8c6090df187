"""Avalanche: how many bits of the output one changed bit of the input changes."""

from collections.abc import Callable, Sequence
from itertools import accumulate

__all__ = [
    "avalanche_fractions",
    "blocks_of_rounds",
]


def avalanche_fractions(
    *, rounds: Sequence[Callable[[int], int]], inputs: Sequence[int], bits: int, flipped: int = 1
) -> tuple[float, ...]:
    """Part of a block's bits that one changed bit of the input changes, after each round: 1/2 where it is well mixed.

    The mean over ``inputs`` and all of their bits; ``flipped`` neighbours are changed together, the last bit a
    neighbour of the first. A rotation moves a changed bit and spreads nothing:

    >>> avalanche_fractions(rounds=[lambda x: (x << 3 | x >> 5) & 255] * 2, inputs=[0, 77], bits=8)
    (0.125, 0.125)

    Source: Webster and Tavares 1985, the strict avalanche criterion; lecture 2:06 (E6).
    """
    ones, last = (1 << flipped) - 1, (1 << bits) - 1
    changes = [(ones << bit | ones >> bits - bit) & last for bit in range(bits)]
    families = [[value, *(value ^ change for change in changes)] for value in inputs]
    fractions = []
    for one_round in rounds:
        families = [list(map(one_round, family)) for family in families]
        changed = sum((value ^ one).bit_count() for value, *others in families for one in others)
        fractions.append(changed / (len(families) * bits * bits))
    return tuple(fractions)


def blocks_of_rounds(*, rounds: Sequence[Callable[[int], int]], block: int) -> tuple[int, ...]:
    """A block before any round and after each.

    >>> blocks_of_rounds(rounds=[lambda x: (x << 3 | x >> 5) & 255] * 2, block=1)
    (1, 8, 64)

    Derivation: the definition.
    """
    return tuple(accumulate(rounds, lambda found, one_round: one_round(found), initial=block))
