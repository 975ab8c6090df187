"""A log of requests as a source: read block by block, however long it is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ridgeline.traces.parts import Part, parts
from ridgeline.traces.requests import Requests
from ridgeline.traces.rows import opened
from ridgeline.traces.source import BLOCK
from ridgeline.traces.trace import TraceError, TraceFormat

__all__ = ["TraceFile", "open_trace", "sorted_requests"]

Times = NDArray[np.float64]

DECIMALS = 9
"""Of arrivals in seconds: they are kept to a nanosecond, so that what is written in milliseconds is read the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceFile:
    """Requests of a log, in its order; memory does not grow with it.

    The records of a benchmark (``in_order`` of their format is false) stand as they ended: they are sorted, in memory.

    Attributes:
        name: path of the file.
        found: its format.
    """

    name: str
    found: TraceFormat = field(repr=False)

    @property
    def format(self) -> str:
        """Whose format it is."""
        return self.found.name

    @property
    def block_tokens(self) -> int | None:
        """Tokens of the blocks that prefix hashes name; None where the format names none."""
        return self.found.block_tokens

    @property
    def has_arrivals(self) -> bool:
        """Whether the log says when requests came."""
        return self.found.arrival is not None

    def blocks(self, most: int = BLOCK) -> Iterator[Requests]:
        """Its requests, at most so many at a time; arrivals count from the first.

        Raises:
            TraceError: a line does not read, or comes before the one above it, or the log has no arrivals.
        """
        if not self.has_arrivals:
            raise TraceError(f"{self.name}: {self.format} does not say when requests come; give a rate: --rate 20/s")
        return self._in_order(most) if self.found.in_order else _cut(sorted_requests(self.name), most)

    def lengths(self, most: int = BLOCK) -> Iterator[Requests]:
        """The same in the order of the file, without arrivals, which are all 0: for an arrival process to pace."""
        for _, part in parts(self.name, most):
            yield _requests(part, np.zeros(len(part)))

    def _in_order(self, most: int) -> Iterator[Requests]:
        first = last = None
        for found, part in parts(self.name, most):
            ticks = _ticks(part)
            first = ticks[0] if first is None else first
            self._require_order(part, ticks, last)
            last = ticks[-1]
            yield _requests(part, _seconds(ticks, first, found))

    def _require_order(self, part: Part, ticks: NDArray[Any], last: Any) -> None:  # noqa: ANN401  a tick; None of the first
        before = np.concatenate([ticks[:1] if last is None else [last], ticks[:-1]])
        if (falls := ticks < before).any():
            place = self.found.place(self.name, part.numbers[int(falls.argmax())])
            raise TraceError(
                f"{place}: comes before the request above it; sort the log: ridgeline trace {self.name} --to mooncake"
                " SORTED"
            )


def open_trace(path: str | os.PathLike[str]) -> TraceFile:
    """A log of requests, of which the format is read and nothing else yet.

    Args:
        path: of a CSV or of JSON, in one of the known formats, which its header tells. Requests without output are left
            out; each block counts those that were.

    Raises:
        TraceError: the file cannot be read, or its format is not known.
    """
    with opened(path) as (found, _):
        return TraceFile(name=os.fspath(path), found=found)


def sorted_requests(path: str | os.PathLike[str]) -> Requests:
    """All requests of a log, sorted by arrival, in memory; those that come together stay in the order of the file.

    Raises:
        TraceError: the file does not read, or has no arrivals.
    """
    read = list(parts(path, BLOCK))
    found = read[0][0]
    if found.arrival is None:
        raise TraceError(f"{os.fspath(path)}: {found.name} does not say when requests come; give a rate: --rate 20/s")
    ticks = np.concatenate([_ticks(part) for _, part in read])
    order = np.argsort(ticks, kind="stable")
    requests = Requests(
        arrivals_s=_seconds(ticks, ticks[order[0]], found),
        prompt_tokens=np.concatenate([part.prompt_tokens for _, part in read]),
        output_tokens=np.concatenate([part.output_tokens for _, part in read]),
        prefix_hashes=None
        if found.prefix_blocks is None
        else tuple(hashes for _, part in read for hashes in part.hashes or ()),
    )
    return replace(requests.only(order), failed=sum(part.failed for _, part in read))


def _ticks(part: Part) -> NDArray[Any]:
    if part.ticks is None:  # pragma: no cover  callers ask the format first
        raise TypeError
    return part.ticks


def _seconds(ticks: NDArray[Any], first: Any, found: TraceFormat) -> Times:  # noqa: ANN401  a tick
    """Arrivals after the first, s."""
    seconds: Times = np.round((ticks - first) / found.ticks_per_s, DECIMALS)
    return seconds


def _requests(part: Part, arrivals_s: Times) -> Requests:
    return Requests(
        arrivals_s=arrivals_s,
        prompt_tokens=part.prompt_tokens,
        output_tokens=part.output_tokens,
        prefix_hashes=part.hashes,
        failed=part.failed,
    )


def _cut(requests: Requests, most: int) -> Iterator[Requests]:
    for start in range(0, len(requests), most):
        block = requests.only(np.arange(start, min(start + most, len(requests))))
        yield replace(block, failed=0 if start else requests.failed)
