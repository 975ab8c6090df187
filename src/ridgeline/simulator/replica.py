"""One replica through time: what comes is given to it, it is run, and what it has finished is taken from it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ridgeline.serving.surface import StepSurface, octaves
from ridgeline.simulator.limits import Limits
from ridgeline.simulator.play import NEVER, SHIFT, play
from ridgeline.simulator.stretches import Stretches
from ridgeline.traces.requests import Requests

__all__ = ["Clocks", "Counts", "Finished", "Replica"]

Array = NDArray[np.float64]


class Counts(NamedTuple):
    """Whole numbers of a replica's state.

    Attributes:
        requests: that it keeps.
        upcoming: place of the next one to come.
        tick: steps that decoded.
        decoding: sequences that decode.
        free_blocks: of its cache.
        next_read: tick from which prompts may be read again.
        preemptions: times that a request gave up its memory.
        finished: requests, since the replica began.
        released: place of the request that comes when the next one is done, in a closed loop; -1 without one.
    """

    requests: int
    upcoming: int
    tick: int
    decoding: int
    free_blocks: int
    next_read: int
    preemptions: int
    finished: int
    released: int


class Clocks(NamedTuple):
    """Times of a replica, s, and sums over its busy time.

    Attributes:
        now_s: end of its last step.
        busy_s: time of all steps.
        reading_s: of it, what prompts add to steps, or take alone.
        sequence_s: sum of sequences that decode, times the time for which they did.
        free_block_s: the same of free blocks.
        waiting_s: the same of requests that wait.
    """

    now_s: float
    busy_s: float
    reading_s: float
    sequence_s: float
    free_block_s: float
    waiting_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """Requests that a replica has done with; arrays of one length, in the order of arrival.

    Attributes:
        number: of each in the order in which it was given to the replica, from 0 up.
        arrivals_s: when each came, s.
        prompt_tokens: input tokens of each.
        output_tokens: output tokens of each.
        first_s: when its first token was there, s.
        done_s: when its last one was, s.
    """

    number: NDArray[np.int64]
    arrivals_s: Array
    prompt_tokens: NDArray[np.int64]
    output_tokens: NDArray[np.int64]
    first_s: Array
    done_s: Array

    def renumbered(self, number: NDArray[np.int64]) -> Finished:
        """The same by other numbers."""
        return dataclasses.replace(self, number=number)


class Replica:
    """A replica, its requests and the time.

    Args:
        surface: what its steps take.
        curves: entries that its kinds of attention attend to, by context.
        limits: that bound its steps.
    """

    def __init__(self, surface: StepSurface, curves: list[Stretches], limits: Limits) -> None:
        self.limits = limits
        self.counts = Counts(0, 0, 0, 0, limits.blocks, 0, 0, 0, -1)
        self.clocks = Clocks(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        self._surface, self._curves = surface, curves
        self._edges = octaves().tolist()
        takes = np.arange(limits.pass_tokens + 1)
        last = len(surface.prompt_nodes) - 1
        self._node_of = np.minimum(np.searchsorted(surface.prompt_nodes, takes, side="right"), last).tolist()
        self._first = 0
        self._orders: list[int] = []
        self._arrivals_s: list[float] = []
        self._prompts: list[int] = []
        self._outputs: list[int] = []
        self._past: list[int] = []
        self._targets: list[int] = []
        self._made: list[int] = []
        self._due: list[int] = []
        self._turns: list[int] = []
        self._shared: list[int] = []
        self._first_s: list[float] = []
        self._done_s: list[float] = []
        self._stretches: list[list[int]] = [[] for _ in curves]
        self._filed: list[int] = []
        self._waiting: list[int] = []
        self._reading: list[int] = []
        self._takes: list[int] = []
        self._admitted: list[int] = []
        self._phases = [0] * (2 * limits.block_tokens)
        self._sums = ([0.0] * len(curves), [0.0] * len(curves), [0] * len(curves))

    @property
    def under_way(self) -> int:
        """Requests that have come and are not done."""
        return self._first + self.counts.upcoming - self.counts.finished

    def give(self, requests: Requests) -> None:
        """Let requests come; none of them before those that were given earlier."""
        count = len(requests)
        prompts = requests.prompt_tokens.tolist()
        self._orders += self.limits.policy.order(requests).tolist()
        self._arrivals_s += requests.arrivals_s.tolist()
        self._prompts += prompts
        self._outputs += requests.output_tokens.tolist()
        self._targets += prompts
        self._made += [0] * count
        self._shared += [0] * count
        for column in (self._past, self._due, self._turns):
            column.extend([NEVER] * count)
        for times in (self._first_s, self._done_s):
            times.extend([-1.0] * count)
        for stretch in self._stretches:
            stretch.extend([0] * count)
        self.counts = self.counts._replace(requests=len(self._prompts))

    def run(self, until_s: float) -> None:
        """Play up to the first step that starts at ``until_s`` or later."""
        surface, limits, policy = self._surface, self.limits, self.limits.policy
        costs = (
            surface.decode_s,
            surface.rows_s,
            surface.beside_s,
            surface.prompt_s,
            surface.alone_s,
            surface.experts_s,
            surface.alone_experts_s,
            surface.least_s,
            surface.cores_s,
            surface.mixed_cores_s,
            self._edges,
            surface.prompt_nodes,
            self._node_of,
            surface.prompt_cores_s,
        )
        bounds = (
            limits.groups,
            limits.pass_tokens,
            limits.sequences,
            limits.block_tokens,
            limits.is_reserved,
            policy.reads_alone,
            policy.is_joined,
            policy.period_s,
            limits.gap_steps,
            limits.longest_run,
            limits.swap_token_s,
        )
        columns = (
            self._arrivals_s,
            self._prompts,
            self._outputs,
            self._orders,
            self._past,
            self._targets,
            self._made,
            self._due,
            self._turns,
            self._shared,
            self._first_s,
            self._done_s,
        )
        curves = (
            [one.contexts for one in self._curves],
            [one.entries for one in self._curves],
            [one.slopes for one in self._curves],
            self._stretches,
        )
        files = (self._filed, self._waiting, self._reading, self._takes, self._admitted, self._phases)
        counts, clocks = play(costs, bounds, columns, curves, files, self._sums, self.counts, self.clocks, until_s)
        self.counts, self.clocks = Counts(*counts), Clocks(*clocks)

    def take_finished(self) -> Finished:
        """Those done before the earliest that is not, which are forgotten here."""
        done = next((place for place, when_s in enumerate(self._done_s) if when_s < 0), len(self._done_s))
        found = Finished(
            number=np.arange(self._first, self._first + done),
            arrivals_s=np.array(self._arrivals_s[:done]),
            prompt_tokens=np.array(self._prompts[:done], dtype=np.int64),
            output_tokens=np.array(self._outputs[:done], dtype=np.int64),
            first_s=np.array(self._first_s[:done]),
            done_s=np.array(self._done_s[:done]),
        )
        self._forget(done)
        return found

    def _forget(self, done: int) -> None:
        """Drop the first requests; those that stay are at places so much lower."""
        columns: tuple[list[int] | list[float], ...] = (
            self._orders,
            self._arrivals_s,
            self._prompts,
            self._outputs,
            self._past,
            self._targets,
            self._made,
            self._due,
            self._turns,
            self._shared,
            self._first_s,
            self._done_s,
            *self._stretches,
        )
        for column in columns:
            del column[:done]
        # Places shift alike in all, so that heaps stay heaps. What is filed of requests that are gone is stale.
        self._filed[:] = sorted(what - 2 * done for what in self._filed if what % SHIFT >= 2 * done)
        self._waiting[:] = [what - done for what in self._waiting]
        self._reading[:] = [place - done for place in self._reading]
        self._admitted[:] = [
            place - done for place in self._admitted if place >= done and self._past[place - done] >= 0
        ]
        self._first += done
        released = self.counts.released
        self.counts = self.counts._replace(
            requests=len(self._prompts),
            upcoming=self.counts.upcoming - done,
            released=released if released < 0 else released - done,
        )
