"""The first steps of a replica one by one, and who was in each: the lecture's trains and their passengers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

import numpy as np

from ridgeline.simulator.replica import Finished, Replica

__all__ = ["Journal", "Passenger", "StepSeen", "StepWatch"]

MOST_STEPS, MOST_REQUESTS = 120, 24
"""What is written down: a second or so, and as many as can be told apart in a picture."""


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
        number: of it, in the order of arrival at the replica.
        arrival_s: when it comes, s.
        first_s: when its first token is there, s.
        done_s: when its last one is, s.
        prompt_tokens: of it.
        output_tokens: of it.
    """

    number: int
    arrival_s: float
    first_s: float
    done_s: float
    prompt_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Journal:
    """What was written down.

    Attributes:
        steps: in the order in which they run.
        passengers: the first of those that come before the last step ends, in the order of arrival.
    """

    steps: tuple[StepSeen, ...]
    passengers: tuple[Passenger, ...]

    def boarded_s(self, passenger: Passenger) -> float:
        """When the step begins in which a request is first read, s; infinite where that is not written down."""
        return next((one.start_s for one in self.steps if passenger.number in one.reading), math.inf)

    def together(self) -> Journal:
        """Of steps with long pauses between them, the longest row: a pause is long that all steps would fit into."""
        whole_s = sum(one.end_s - one.start_s for one in self.steps)
        pauses = [
            at for at, (before, after) in enumerate(pairwise(self.steps), 1) if after.start_s - before.end_s > whole_s
        ]
        row = max((self.steps[begin:end] for begin, end in pairwise([0, *pauses, len(self.steps)])), key=len)
        riding = (one for one in self.passengers if one.arrival_s < row[-1].end_s and one.done_s > row[0].start_s)
        return Journal(steps=row, passengers=tuple(riding))


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
        while len(self.steps) < MOST_STEPS and self.replica.next_start_s < until_s:
            self._step()
        self.replica.run(until_s)

    def _step(self) -> None:
        """Play one, or up to the departure that is waited for."""
        replica = self.replica
        before, reading = replica.clocks, set(replica.reading)
        replica.run(math.nextafter(replica.next_start_s, math.inf))
        after = replica.clocks
        took_s = after.busy_s - before.busy_s
        if took_s <= 0:
            return
        reading |= set(replica.reading)
        # Those that came and were read to their end at once.
        reading |= {one for one in range(MOST_REQUESTS) if replica.first_s(one) == after.now_s}
        self.steps.append(
            StepSeen(
                start_s=after.now_s - took_s,
                end_s=after.now_s,
                decoding=round((after.sequence_s - before.sequence_s) / took_s),
                reading=tuple(sorted(reading)) if after.reading_s > before.reading_s else (),
            )
        )

    def take_finished(self) -> Finished:
        """Those of the replica, the first of which are written down."""
        found = self.replica.take_finished()
        for at in np.flatnonzero(found.number < MOST_REQUESTS).tolist():
            self.passengers.append(
                Passenger(
                    number=int(found.number[at]),
                    arrival_s=float(found.arrivals_s[at]),
                    first_s=float(found.first_s[at]),
                    done_s=float(found.done_s[at]),
                    prompt_tokens=int(found.prompt_tokens[at]),
                    output_tokens=int(found.output_tokens[at]),
                )
            )
        return found


class StepWatch:
    """Looks on at the first replica, and tells its journal at the end."""

    looks = True

    def __init__(self) -> None:
        self._watched: _Watched | None = None

    def __call__(self, fleet: Sequence[Replica]) -> Sequence[Replica]:
        """Replicas to run in place of these."""
        self._watched = _Watched(fleet[0])
        return [cast("Replica", self._watched), *fleet[1:]]

    def journal(self) -> Journal:
        """What was written down."""
        watched = self._watched
        if watched is None or not watched.steps:
            return Journal(steps=(), passengers=())
        end_s = watched.steps[-1].end_s
        return Journal(
            steps=tuple(watched.steps),
            passengers=tuple(one for one in watched.passengers if one.arrival_s < end_s),
        )
