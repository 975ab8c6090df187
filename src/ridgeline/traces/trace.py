"""A log of requests, and the formats of such logs."""

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
    """An invalid log; the message names file and line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceFormat:
    """Columns of a log, and their meaning.

    Attributes:
        name: name of the format.
        prompt: column of a request's input tokens.
        output: column of its output tokens; a request without any has failed, and is left out.
        arrival: column of its arrival; None where arrivals are not recorded.
        ticks: function from that column's value to a time on the log's clock, with any origin.
        ticks_per_s: ticks per second of that clock.
        is_json: whether a line is a JSON object; else the file is a CSV with a header.
        prefix_blocks: column of the hashes of its prompt's blocks, which cover all blocks before them; None without
            one.
        block_tokens: tokens of such a block; None without blocks.
        classes: column of a request's class, where a reader named one; the last column.
        in_order: whether requests are in the order of their arrival; others are sorted in memory.
        signs: keys of a JSON object that identify the format, where its columns are nested inside them.
        flat: function from the JSON object of a line to a request's columns; None where they are its keys.
        requests_of: function from one JSON object to the columns of many requests; None where a line is one request.
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
        """Columns of every request."""
        named = (self.prompt, self.output, self.arrival, self.prefix_blocks, self.classes)
        return tuple(name for name in named if name is not None)

    @property
    def told_by(self) -> tuple[str, ...]:
        """Columns of the header, or keys of the first object, that every log of the format has."""
        return self.signs or self.columns

    def place(self, path: str, number: int) -> str:
        """Location of a request in a file, for error messages: its line, or its number among those of an object."""
        return f"{path}:{number}" if self.requests_of is None else f"{path}: request {number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Requests of a log; arrays of one length.

    Attributes:
        path: path of the file.
        format: name of its format.
        prompt_tokens: input tokens of each request.
        output_tokens: output tokens of each request.
        arrivals_s: arrival of each after the first in the file, s; None where it is not recorded.
        failed: requests without output, which were left out.
        prefix_hit_fraction: hit rate of prompts' blocks in an unlimited prefix cache; None where the log names no
            blocks.
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
        """Time from the first arrival to the last, s; None where it is unknown, or zero."""
        if self.arrivals_s is None:
            return None
        return float(np.ptp(self.arrivals_s)) or None

    @property
    def requests_per_s(self) -> float | None:
        """Mean rate of arrivals: the first one begins the span, and the others come in it."""
        return None if self.span_s is None else (len(self.prompt_tokens) - 1) / self.span_s

    @property
    def busiest_requests_per_s(self) -> float | None:
        """Rate in the busiest whole minute; None for a log of less than two."""
        if self.arrivals_s is None or self.span_s is None or self.span_s < 2 * MINUTE_S:
            return None
        minutes = ((self.arrivals_s - self.arrivals_s.min()) // MINUTE_S).astype(np.intp)
        whole = int(self.span_s // MINUTE_S)
        return float(np.bincount(minutes)[:whole].max() / MINUTE_S)
