"""A log of requests, and what a format of such logs is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.errors import RidgelineError

__all__ = ["Trace", "TraceError", "TraceFormat"]

Array = NDArray[np.float64]

MINUTE_S = 60.0


class TraceError(RidgelineError):
    """A log does not read; the message names file and line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceFormat:
    """What the lines of a log are called, and how they are meant.

    Attributes:
        name: whose format it is.
        prompt: column of a request's input tokens.
        output: column of its output tokens.
        arrival: column of its arrival; None where arrivals are not kept.
        arrival_s: that column's value in seconds, from any beginning.
        is_json: whether a line is a JSON object; else the file is a CSV with a header.
        prefix_blocks: column of the hashes of its prompt's blocks, which name all before them; None without one.
        fails_without_output: whether a request of no output is one that failed, and is left out.
    """

    name: str
    prompt: str
    output: str
    arrival: str | None = None
    arrival_s: Callable[[str], float] = float
    is_json: bool = False
    prefix_blocks: str | None = None
    fails_without_output: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """Those that every log of the format has."""
        return tuple(name for name in (self.prompt, self.output, self.arrival, self.prefix_blocks) if name is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Requests of a log; arrays of one length.

    Attributes:
        path: of the file.
        format: name of its format.
        prompt_tokens: input tokens of each request.
        output_tokens: output tokens of each.
        arrivals_s: when each came, s, from any beginning; None where that is not kept.
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
