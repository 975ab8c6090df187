"""Points among many that no other beats in two respects."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["undominated"]

Array = NDArray[np.float64]


def undominated(time_s: Array, cost: Array) -> NDArray[np.intp]:
    """Indices of the points that none beats in both; fastest first.

    >>> undominated(np.array([3.0, 1.0, 2.0, 2.0]), np.array([1.0, 5.0, 6.0, 4.0]))
    array([1, 3, 0])
    """
    order = np.lexsort((cost, time_s))
    cheapest_so_far = np.minimum.accumulate(cost[order])
    is_new = np.ones(len(order), dtype=bool)
    is_new[1:] = cheapest_so_far[1:] < cheapest_so_far[:-1]
    return order[is_new]
