"""What a scheduling policy is: which requests come first, who may join a step, and when steps start."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.errors import RidgelineError
from ridgeline.traces.requests import Requests

__all__ = ["Order", "Policy"]

Order = Callable[[Requests], NDArray[np.int64]]
"""Which of the waiting requests is admitted first: the one with the least number, and of equal ones the earliest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How a replica schedules its requests.

    Attributes:
        name: as it is asked for.
        says: what it does, in a sentence.
        order: which of the waiting requests comes first.
        is_joined: whether requests join others that are under way; else a batch runs to its end before the next one.
        reads_alone: whether steps that read prompts decode nothing.
        period_s: time between departures: steps start at its multiples while they take less; 0 where each starts as the
            one before ends.
        is_swapped: whether a request that gives up its memory has its cache moved to the host, and not computed again.
        is_ranked: whether who is last by order gives up its memory first, and not who was admitted last.
    """

    name: str
    says: str
    order: Order
    is_joined: bool = True
    reads_alone: bool = False
    period_s: float = 0.0
    is_swapped: bool = False
    is_ranked: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.period_s < math.inf:
            raise RidgelineError(
                f"Policy {self.name}: period_s={self.period_s!r} must be a time from 0 up, such as 0.02"
            )
