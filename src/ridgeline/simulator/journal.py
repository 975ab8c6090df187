"""The first steps of a replica one by one, and who was in each: the lecture's trains and their passengers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from ridgeline.simulator.replica import Finished, Replica

__all__ = ["Journal", "Passenger", "StepSeen", "StepWatch"]

MOST_STEPS, MOST_REQUESTS = 48, 24
"""What is written down, and can still be seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSeen:
    """A step.

    Attributes:
        start_s: when it begins, s.
        end_s: when it ends, s.
        decoding: sequences that it decodes.
        reading: numbers of the requests whose prompts it reads, by their order at the replica.
    """

    start_s: float
    end_s: float
    decoding: int
    reading: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passenger:
    """A request.

    Attributes:
        arrival_s: when it comes, s.
        first_s: when its first token is there, s; infinite where that lies beyond the journal.
        done_s: when its last one is, s; the same.
    """

    arrival_s: float
    first_s: float
    done_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Journal:
    """What was written down.

    Attributes:
        steps: in the order in which they run.
        passengers: that come before the last of them ends, in the order of arrival.
    """

    steps: tuple[StepSeen, ...]
    passengers: tuple[Passenger, ...]


class _Watched:
    """A replica that takes its first steps one by one; in all else as it is."""

    def __init__(self, replica: Replica) -> None:
        self.replica = replica
        self.steps: list[StepSeen] = []
        self.passengers: list[Passenger] = []

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  whatever the replica has
        return getattr(self.replica, name)

    def run(self, until_s: float) -> None:
        """Play up to a time, a step at a time while steps are written down."""
        replica = self.replica
        while len(self.steps) < MOST_STEPS:
            before, waiting = replica.clocks, set(replica.reading)
            replica.run(min(until_s, self._next_s()))
            after = replica.clocks
            if after.busy_s > before.busy_s:
                took_s = after.busy_s - before.busy_s
                read = tuple(sorted(waiting | set(replica.reading) | self._first_tokens(after.now_s)))
                self.steps.append(
                    StepSeen(
                        start_s=after.now_s - took_s,
                        end_s=after.now_s,
                        decoding=round((after.sequence_s - before.sequence_s) / took_s),
                        reading=read if after.reading_s > before.reading_s else (),
                    )
                )
            elif self._next_s() >= until_s or not replica.under_way:
                break
        replica.run(until_s)
