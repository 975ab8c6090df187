"""A log of requests, and what a format of such logs is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ridgeline.errors import RidgelineError
from ridgeline.seconds import MINUTE_S

__all__ = ["RequestsOf", "Trace", "TraceError", "TraceFormat"]

Array = NDArray[np.float64]
RequestsOf = Callable[[dict[str, Any]], Iterable[dict[str, Any]]]


class TraceError(RidgelineError):
    """A log does not read; the message names file and line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceFormat:
    """What the lines of a log are called, and how they are meant.

    Attributes:
        name: whose format it is.
        prompt: column of a request's input tokens.
        output: column of its output tokens; none of them means that it failed, and that it is left out.
        arrival: column of its arrival; None where arrivals are not kept.
        ticks: that column's value as a time on the log's clock, from any beginning.
        ticks_per_s: of that clock.
        is_json: whether a line is a JSON object; else the file is a CSV with a header.
        prefix_blocks: column of the hashes of its prompt's blocks, which name all before them; None without one.
        block_tokens: of such a block; None without.
        classes: column of a request's class, where a reader named one; last of the columns.
        in_order: whether requests stand in the order of their arrival; those of others are sorted in memory.
        signs: keys of a JSON object that tell the format, where its columns are inside of them.
        flat: columns of a request from the JSON object of a line; None where they are its keys.
        requests_of: the same of all requests, where one JSON object holds many of them; None where a line is one.
    """

    name: str
    prompt: str
    output: str
    arrival: str | None = None
    ticks: Callable[[Any], int | float] = float
    ticks_per_s: float = 1.0
    is_json: bool = False
    prefix_blocks: str | None = None
    block_tokens: int | None = None
    classes: str | None = None
    in_order: bool = True
    signs: tuple[str, ...] = ()
    flat: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    requests_of: RequestsOf | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """Those of every request."""
        named = (self.prompt, self.output, self.arrival, self.prefix_blocks, self.classes)
        return tuple(name for name in named if name is not None)

    @property
    def told_by(self) -> tuple[str, ...]:
        """Columns of the header, or keys of the first object, that every log of the format has."""
        return self.signs or self.columns

    def place(self, path: str, number: int) -> str:
        """Where a request is in a file, as an error names it: its line, or its number among those of an object."""
        return f"{path}:{number}" if self.requests_of is None else f"{path}: request {number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Requests of a log; arrays of one length.

    Attributes:
        path: of the file.
        format: name of its format.
        prompt_tokens: input tokens of each request.
        output_tokens: output tokens of each.
        arrivals_s: when each came, s, after the one that stands first; None where that is not kept.
        failed: requests without output, which were left out.
        prefix_hit_fraction: blocks of prompts that an unlimited prefix cache would have had, over all; None where the
            log does not name blocks.
    """

    path: str
    format: str
    prompt_tokens: Array
    output_tokens: Array
    arrivals_s: Array | None = None
    failed: int = 0
    prefix_hit_fraction: float | None = None

    @property
    def span_s(self) -> float | None:
        """Time from the first arrival to the last, s; None where it is not known, or nothing passes."""
        if self.arrivals_s is None:
            return None
        return float(np.ptp(self.arrivals_s)) or None

    @property
    def requests_per_s(self) -> float | None:
        """Mean rate of arrivals: the first one begins the span, and the others come in it."""
        return None if self.span_s is None else (len(self.prompt_tokens) - 1) / self.span_s

    @property
    def busiest_requests_per_s(self) -> float | None:
        """Rate in the busiest whole minute; None of a log of less than two."""
        if self.arrivals_s is None or self.span_s is None or self.span_s < 2 * MINUTE_S:
            return None
        minutes = ((self.arrivals_s - self.arrivals_s.min()) // MINUTE_S).astype(np.intp)
        whole = int(self.span_s // MINUTE_S)
        return float(np.bincount(minutes)[:whole].max() / MINUTE_S)
