"""First come, first served."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ridgeline.traces.requests import Requests

__all__ = ["first_come"]


def first_come(requests: Requests) -> NDArray[np.int64]:
    """Equal keys, so that the earliest request comes first."""
    return np.zeros(len(requests.arrivals_s), dtype=np.int64)
