"""Number of sequences that fit: memory falls about evenly with each, so the last that fits is extrapolated."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["largest_that_fits"]


def largest_that_fits(free_bytes: Callable[[int], float]) -> int:
    """Largest count for which ``free_bytes``, which falls with the count, is not negative; 0 where there is none.

    >>> largest_that_fits(lambda sequences: 100 - 3 * sequences)
    33
    """
    fits, free = 1, free_bytes(1)
    if free < 0:
        return 0
    too_many, lacking = 2, free_bytes(2)
    while lacking >= 0:
        # The zero of the line through both, or twice the count where it does not fall.
        reach = lacking / (free - lacking) if free > lacking else 1.0
        ahead = max(too_many + 1, int(too_many + reach * (too_many - fits)) + 1)
        fits, free = too_many, lacking
        too_many, lacking = ahead, free_bytes(ahead)
    halve = False  # every other time, so that a bend in the line costs little
    while too_many - fits > 1:
        place = 0.5 if halve else free / (free - lacking)
        middle = min(max(fits + int(place * (too_many - fits)), fits + 1), too_many - 1)
        left = free_bytes(middle)
        if left >= 0:
            fits, free = middle, left
        else:
            too_many, lacking = middle, left
        halve = not halve
    return fits
