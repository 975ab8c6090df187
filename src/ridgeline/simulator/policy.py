"""Scheduling policy: order of requests, which may join a step, and when steps start."""

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
"""Admission key of each request: the smallest is admitted first, and among equals the earliest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How a replica schedules its requests.

    Attributes:
        name: name under which it is requested.
        says: description in a sentence.
        order: order in which waiting requests are admitted.
        is_joined: whether requests join others in flight; otherwise a batch runs to its end before the next one.
        reads_alone: whether steps that read prompts decode nothing.
        period_s: time between departures, s: steps start at its multiples while they take less; 0 where each starts as
            the one before ends.
        is_swapped: whether a preempted request has its cache swapped to the host, and not recomputed.
        is_ranked: whether the last request by order is preempted first, and not the last one admitted.
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
