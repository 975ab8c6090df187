"""How many sequences fit: memory falls steadily with each, so the last that fits is found by halving."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["largest_that_fits"]


def largest_that_fits(fits: Callable[[int], bool]) -> int:
    """The largest count for which ``fits`` holds, where it holds for all below; 0 where it does not hold for one.

    >>> largest_that_fits(lambda sequences: sequences * 3 <= 100)
    33
    """
    fitting, too_many = 0, 1
    while fits(too_many):
        fitting, too_many = too_many, 2 * too_many
    while too_many - fitting > 1:
        middle = (fitting + too_many) // 2
        if fits(middle):
            fitting = middle
        else:
            too_many = middle
    return fitting
