"""A log of requests as a source: read block by block, however long it is."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ridgeline.callbacks import Progress, no_progress
from ridgeline.traces.arrivals import Arrivals
from ridgeline.traces.parts import Part, parts
from ridgeline.traces.requests import Requests
from ridgeline.traces.rows import opened
from ridgeline.traces.source import BLOCK
from ridgeline.traces.synthetic import Clock
from ridgeline.traces.trace import TraceError, TraceFormat

__all__ = ["Pace", "TraceFile", "open_trace", "paced", "sorted_requests"]

Times = NDArray[np.float64]

B = TypeVar("B", Part, Requests)

READ = 8192
"""Requests that are read at a time, where all are kept."""

NANOSECONDS_PER_S = 1e9
"""Resolution of arrivals, per second: milliseconds are read exactly, for as long as 30 days in floats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Arrivals of a log's requests by a process.

    Attributes:
        arrivals: process of the arrivals.
        seed: seed of its draws.
    """

    arrivals: Arrivals
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceFile:
    """Requests of a log, in its order; memory does not grow with it.

    The records of a benchmark (``in_order`` of their format is false) are in the order of their ends: they are sorted,
    in memory.

    Attributes:
        name: path of the file.
        found: format of the log.
        pace: arrival process in place of the log's times; None for the log's.
        classes: column of requests' classes; None where all are of one.
    """

    name: str
    found: TraceFormat = field(repr=False)
    pace: Pace | None = None
    classes: str | None = None

    @property
    def format(self) -> str:
        """Name of the log's format."""
        return self.found.name

    @property
    def block_tokens(self) -> int | None:
        """Tokens of the blocks that prefix hashes cover; None where the format has none."""
        return self.found.block_tokens

    @property
    def has_arrivals(self) -> bool:
        """Whether the log, or a process, says when requests arrive."""
        return self.pace is not None or self.found.arrival is not None

    def blocks(self, most: int = BLOCK) -> Iterator[Requests]:
        """Requests, at most ``most`` at a time; arrivals count from the first.

        Raises:
            TraceError: a line is invalid, or earlier than the one above it, or the log has no arrivals.
        """
        if not self.has_arrivals:
            raise TraceError(f"{self.name}: {self.format} does not say when requests come; give a rate: --rate 20/s")
        if self.pace is not None:
            return self._paced(self.pace, most)
        return self._in_order(most) if self.found.in_order else _cut(sorted_requests(self), most)

    def _paced(self, pace: Pace, most: int) -> Iterator[Requests]:
        clock = Clock(pace.arrivals, pace.seed)
        for _, part in parts(self.name, most, self.classes):
            yield _requests(part, clock.next_s(len(part)))

    def _in_order(self, most: int) -> Iterator[Requests]:
        first = last = None
        for found, part in parts(self.name, most, self.classes):
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


def open_trace(path: str | os.PathLike[str], *, classes: str | None = None) -> TraceFile:
    """A log of requests, of which only the format has been read.

    Args:
        path: path of a CSV or JSON file in one of the known formats, recognised by its header. Requests without output
            are left out; each block counts them.
        classes: column with the class of each request, fast, standard or batch, or 0, 1 or 2; None where all are of
            one.

    Raises:
        TraceError: the file cannot be read, its format is unknown, or it lacks the column.
    """
    with opened(path, classes) as (found, _):
        return TraceFile(name=os.fspath(path), found=found, classes=classes)


def paced(source: TraceFile, arrivals: Arrivals, seed: int = 0) -> TraceFile:
    """Requests of a log in the order of the file, arriving by a process, whether the log has arrivals or not.

    Args:
        source: log of requests.
        arrivals: process of the arrivals.
        seed: seed of its draws; synthetic requests of the same seed arrive at the same times.
    """
    return replace(source, pace=Pace(arrivals=arrivals, seed=seed))


def sorted_requests(source: TraceFile, told: Progress = no_progress) -> Requests:
    """All requests of a log, sorted by arrival, in memory; those with equal arrivals stay in the order of the file.

    Args:
        source: log of requests.
        told: progress callback, called with the number of further requests read.

    Raises:
        TraceError: the file is invalid, or has no arrivals.
    """
    if source.pace is not None or not source.has_arrivals:
        return _together(list(_counted(source.blocks(READ), told)))
    read = list(_counted((part for _, part in parts(source.name, READ, source.classes)), told))
    ticks = np.concatenate([_ticks(part) for part in read])
    order = np.argsort(ticks, kind="stable")
    requests = _together([_requests(part, np.zeros(len(part))) for part in read])
    sorted_ = replace(requests, arrivals_s=_seconds(ticks, ticks[order[0]], source.found)).only(order)
    return replace(sorted_, failed=requests.failed)


def _counted(blocks: Iterator[B], told: Progress) -> Iterator[B]:
    for block in blocks:
        yield block
        told(len(block))


def _together(blocks: Sequence[Requests]) -> Requests:
    hashes = [one for block in blocks for one in block.prefix_hashes or ()]
    kinds = [block.classes for block in blocks if block.classes is not None]
    return Requests(
        arrivals_s=np.concatenate([block.arrivals_s for block in blocks]),
        prompt_tokens=np.concatenate([block.prompt_tokens for block in blocks]),
        output_tokens=np.concatenate([block.output_tokens for block in blocks]),
        prefix_hashes=None if blocks[0].prefix_hashes is None else tuple(hashes),
        classes=np.concatenate(kinds) if kinds else None,
        failed=sum(block.failed for block in blocks),
    )


def _ticks(part: Part) -> NDArray[Any]:
    if part.ticks is None:  # pragma: no cover  callers ask the format first
        raise TypeError
    return part.ticks


def _seconds(ticks: NDArray[Any], first: Any, found: TraceFormat) -> Times:  # noqa: ANN401  a tick
    """Arrivals after the first, s."""
    nanoseconds: Times = np.rint((ticks - first) * (NANOSECONDS_PER_S / found.ticks_per_s))
    return nanoseconds / NANOSECONDS_PER_S


def _requests(part: Part, arrivals_s: Times) -> Requests:
    return Requests(
        arrivals_s=arrivals_s,
        prompt_tokens=part.prompt_tokens,
        output_tokens=part.output_tokens,
        prefix_hashes=part.hashes,
        classes=part.classes,
        failed=part.failed,
    )


def _cut(requests: Requests, most: int) -> Iterator[Requests]:
    for start in range(0, len(requests), most):
        block = requests.only(np.arange(start, min(start + most, len(requests))))
        yield replace(block, failed=0 if start else requests.failed)
