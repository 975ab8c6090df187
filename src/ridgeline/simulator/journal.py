"""The first steps of a replica one by one, with the requests in each: the lecture's trains and their passengers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ridgeline.simulator.replica import Finished, Replica

__all__ = ["Journal", "Passenger", "StepSeen", "StepWatch"]

MOST_STEPS, MOST_REQUESTS = 120, 24
"""Steps and requests that are recorded: about a second, and as many as a picture can resolve."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSeen:
    """A step in the journal.

    Attributes:
        start_s: start of the step, s.
        end_s: end of the step, s.
        decoding: number of sequences that it decodes.
        reading: numbers of the requests in prefill, by their order at the replica.
    """

    start_s: float
    end_s: float
    decoding: int
    reading: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passenger:
    """A request in the journal.

    Attributes:
        number: number of the request, in the order of arrival at the replica.
        arrival_s: arrival time, s.
        first_s: time of the first token, s.
        done_s: time of the last token, s.
        prompt_tokens: input tokens of the request.
        output_tokens: output tokens of the request.
    """

    number: int
    arrival_s: float
    first_s: float
    done_s: float
    prompt_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Journal:
    """Recorded steps and requests of a replica.

    Attributes:
        steps: steps in the order in which they run.
        passengers: first requests that arrive before the last step ends, in the order of arrival.
    """

    steps: tuple[StepSeen, ...]
    passengers: tuple[Passenger, ...]

    def boarded_s(self, passenger: Passenger) -> float:
        """Start of the first step that reads a request, s; infinite where it was not recorded."""
        return next((one.start_s for one in self.steps if passenger.number in one.reading), math.inf)

    def together(self) -> Journal:
        """Longest sequence of steps without a long pause; a pause is long if all steps would fit into it."""
        whole_s = sum(one.end_s - one.start_s for one in self.steps)
        pauses = [
            at for at, (before, after) in enumerate(pairwise(self.steps), 1) if after.start_s - before.end_s > whole_s
        ]
        row = max((self.steps[begin:end] for begin, end in pairwise([0, *pauses, len(self.steps)])), key=len)
        riding = (one for one in self.passengers if one.arrival_s < row[-1].end_s and one.done_s > row[0].start_s)
        return Journal(steps=row, passengers=tuple(riding))


class StepWatch:
    """Watch of the first replica, which takes its first steps one by one; returns its journal at the end."""

    looks = True

    def __init__(self) -> None:
        self._steps: list[StepSeen] = []
        self._passengers: list[Passenger] = []

    def run(self, place: int, replica: Replica, until_s: float) -> None:
        """Play a replica up to a time, the first one a step at a time while steps are recorded."""
        while place == 0 and len(self._steps) < MOST_STEPS and replica.next_start_s < until_s:
            self._step(replica)
        replica.run(until_s)

    def _step(self, replica: Replica) -> None:
        """Play one step, or up to the awaited departure."""
        before, reading = replica.clocks, set(replica.reading)
        replica.run(math.nextafter(replica.next_start_s, math.inf))
        after = replica.clocks
        took_s = after.busy_s - before.busy_s
        if took_s <= 0:
            return
        reading |= set(replica.reading)
        # Requests that arrived and were read to their end at once.
        reading |= {one for one in range(MOST_REQUESTS) if replica.first_s(one) == after.now_s}
        self._steps.append(
            StepSeen(
                start_s=after.now_s - took_s,
                end_s=after.now_s,
                decoding=round((after.sequence_s - before.sequence_s) / took_s),
                reading=tuple(sorted(reading)) if after.reading_s > before.reading_s else (),
            )
        )

    def took(self, place: int, finished: Finished) -> None:
        """Record the first requests that the first replica finishes."""
        for at in np.flatnonzero(finished.number < MOST_REQUESTS).tolist() if place == 0 else ():
            self._passengers.append(
                Passenger(
                    number=int(finished.number[at]),
                    arrival_s=float(finished.arrivals_s[at]),
                    first_s=float(finished.first_s[at]),
                    done_s=float(finished.done_s[at]),
                    prompt_tokens=int(finished.prompt_tokens[at]),
                    output_tokens=int(finished.output_tokens[at]),
                )
            )

    def journal(self) -> Journal:
        """Journal of the steps and requests that were recorded."""
        if not self._steps:
            return Journal(steps=(), passengers=())
        end_s = self._steps[-1].end_s
        return Journal(
            steps=tuple(self._steps),
            passengers=tuple(one for one in self._passengers if one.arrival_s < end_s),
        )
