"""Sums over requests by their number, in bins: constant memory, however many come."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["Binned"]

BINS = 2048
"""Number of bins: at least half of them are used once there are as many requests."""


class Binned:
    """Sums of columns in bins of equally many numbers, which double whenever a number lies beyond the last bin.

    Args:
        columns: number of columns.

    Attributes:
        width: numbers of a bin.
        sums: sums by column and bin.
    """

    def __init__(self, columns: int) -> None:
        self.width, self.sums = 1, np.zeros((columns, BINS))

    def add(self, number: NDArray[np.int64], columns: Sequence[NDArray[np.float64] | NDArray[np.bool_]]) -> None:
        """Add values by the number of their request, from 0 up.

        >>> found = Binned(1)
        >>> found.add(np.array([0, 1, 5000]), [np.array([1.0, 2.0, 4.0])])
        >>> found.width, float(found.sums[0, 0]), float(found.sums[0, 1250])
        (4, 3.0, 4.0)
        """
        while number.max() >= self.width * BINS:
            pairs = self.sums[:, ::2] + self.sums[:, 1::2]
            self.width, self.sums = 2 * self.width, np.concatenate([pairs, np.zeros_like(pairs)], axis=1)
        bins = number // self.width
        self.sums += [np.bincount(bins, weights=values, minlength=BINS) for values in columns]
