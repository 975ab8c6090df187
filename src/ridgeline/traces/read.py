"""A log of requests, read as a whole, for a planner."""

from __future__ import annotations

import os

import numpy as np

from ridgeline.traces.parts import parts
from ridgeline.traces.trace import Trace

__all__ = ["read_trace"]

PART = 8192
"""Requests that are read at a time."""


def read_trace(path: str | os.PathLike[str]) -> Trace:
    """Requests of a log: their lengths, and their arrivals.

    Args:
        path: path of a CSV or JSON file in one of the known formats, recognised by its header. Requests without output
            are left out and counted.

    Raises:
        TraceError: the file is invalid; the message names the line and what is expected.
    """
    read, blocks = [], _Blocks()
    for one in parts(path, PART):
        read.append(one)
        for hashes in one[1].hashes or ():
            blocks.take(hashes)
    found = read[0][0]
    ticks = [part.ticks for _, part in read if part.ticks is not None]
    return Trace(
        path=os.fspath(path),
        format=found.name,
        prompt_tokens=np.concatenate([part.prompt_tokens for _, part in read]).astype(float),
        output_tokens=np.concatenate([part.output_tokens for _, part in read]).astype(float),
        arrivals_s=np.concatenate([some - ticks[0][0] for some in ticks]) / found.ticks_per_s if ticks else None,
        failed=sum(part.failed for _, part in read),
        prefix_hit_fraction=None if found.prefix_blocks is None else blocks.hits / max(blocks.all, 1),
    )


class _Blocks:
    """Prompt blocks seen before, as in an unlimited cache."""

    def __init__(self) -> None:
        self.known: set[int] = set()
        self.hits = self.all = 0

    def take(self, hashes: tuple[int, ...]) -> None:
        """Count a prompt's blocks; a hash covers all blocks before it, so that any known one is a prefix."""
        self.all += len(hashes)
        self.hits += sum(map(self.known.__contains__, hashes))
        self.known.update(hashes)
