"""Shortest first: the request with the fewest prompt tokens, all that a scheduler knows of its length."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ridgeline.traces.requests import Requests

__all__ = ["shortest_first"]


def shortest_first(requests: Requests) -> NDArray[np.int64]:
    """Prompt tokens of each request."""
    return np.asarray(requests.prompt_tokens, dtype=np.int64)
