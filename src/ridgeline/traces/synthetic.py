"""Synthetic requests: arrivals and lengths come from two independent processes.

Lengths and arrivals have separate generators, from the same seed, and are drawn in steps of their own. The same seed
therefore gives the same requests, however many are asked for at a time; with another arrival process it gives the same
lengths.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.errors import RidgelineError
from ridgeline.traces.arrivals import Arrivals
from ridgeline.traces.request_lengths import RequestLengths
from ridgeline.traces.requests import Requests
from ridgeline.traces.source import BLOCK

__all__ = ["Clock", "Synthetic", "synthetic"]

DRAWN = 8192
"""Lengths that are drawn at a time."""

LENGTHS, ARRIVALS = 0, 1
"""Streams of random numbers of a seed."""


class Clock:
    """Arrivals of a process, in batches of any size."""

    def __init__(self, arrivals: Arrivals, seed: int) -> None:
        self._times = arrivals.times_s(np.random.default_rng([seed, ARRIVALS]))
        self._rest: NDArray[np.float64] = np.empty(0)

    def next_s(self, count: int) -> NDArray[np.float64]:
        """The next ``count`` arrivals, s."""
        found, held = [self._rest], len(self._rest)
        while held < count:
            found.append(next(self._times))
            held += len(found[-1])
        together = np.concatenate(found)
        self._rest = together[count:]
        return together[:count]


@dataclass(frozen=True, slots=True, kw_only=True)
class Synthetic:
    """Random requests.

    Attributes:
        requests: number of requests.
        arrivals: process of their arrivals.
        lengths: distribution of their lengths.
        seed: seed of all draws.
    """

    requests: int
    arrivals: Arrivals
    lengths: RequestLengths
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in (("requests", 1), ("seed", 0)):
            if (given := getattr(self, name)) < least:
                raise RidgelineError(f"synthetic requests: {name}={given} must be {least} or more")

    @property
    def name(self) -> str:
        """Names of both processes, and the seed."""
        return f"{self.requests:,} requests, {self.arrivals}, {self.lengths}, seed {self.seed}"

    @property
    def format(self) -> str:
        """Name of the format of requests without a log."""
        return "synthetic"

    @property
    def block_tokens(self) -> None:
        """None, since synthetic requests name no blocks."""
        return

    @property
    def has_arrivals(self) -> bool:
        """Whether arrivals are known, which they always are."""
        return True

    def blocks(self, most: int = BLOCK) -> Iterator[Requests]:
        """All requests, at most ``most`` at a time."""
        clock, rng = Clock(self.arrivals, self.seed), np.random.default_rng([self.seed, LENGTHS])
        for start in range(0, self.requests, DRAWN):
            prompts, outputs = self.lengths.draw(rng, DRAWN)
            count = min(DRAWN, self.requests - start)
            times = clock.next_s(count)
            for at in range(0, count, most):
                chosen = slice(at, min(at + most, count))
                yield Requests(arrivals_s=times[chosen], prompt_tokens=prompts[chosen], output_tokens=outputs[chosen])


def synthetic(*, requests: int, arrivals: Arrivals, lengths: RequestLengths, seed: int = 0) -> Synthetic:
    """Synthetic requests.

    >>> from ridgeline.traces.arrivals import Even
    >>> from ridgeline.traces.request_lengths import Fixed
    >>> source = synthetic(requests=3, arrivals=Even(2.0), lengths=Fixed(prompt_tokens=100, output_tokens=10))
    >>> [block.arrivals_s.tolist() for block in source.blocks()]
    [[0.0, 0.5, 1.0]]

    Args:
        requests: number of requests.
        arrivals: process of their arrivals.
        lengths: distribution of their lengths.
        seed: seed of all draws.
    """
    return Synthetic(requests=requests, arrivals=arrivals, lengths=lengths, seed=seed)
