"""Requests as Mooncake's JSON lines, which most simulators and load generators read.

A prompt of ``L`` tokens has ``ceil(L / 512)`` hashes. Hashes of smaller blocks become those of 512-token blocks: a hash
covers all blocks before it, so that the last one of each 512 tokens stands for them, and the last of all for the rest.
A log that names no blocks gets unique numbers, so that nothing is shared.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import count, islice
from pathlib import Path

from ridgeline.callbacks import Progress, no_progress
from ridgeline.errors import RidgelineError
from ridgeline.traces.formats.mooncake import MOONCAKE
from ridgeline.traces.requests import Requests

__all__ = ["write_mooncake"]

TOKENS = MOONCAKE.block_tokens or 0
WRITTEN = 8192
"""Requests that are written at a time."""

NANOSECONDS_PER_S, NANOSECONDS_PER_TICK = 10**9, 10**6


def write_mooncake(requests: Requests, path: Path, *, block_tokens: int | None, told: Progress = no_progress) -> None:
    """Write requests to a file, replacing it completely or not at all.

    Args:
        requests: requests in the order of their arrival; arrivals are written to a nanosecond.
        path: path of the file.
        block_tokens: tokens of the blocks that their hashes cover; None where they have none.
        told: progress callback, called with the number of further requests written.

    Raises:
        RidgelineError: block sizes do not divide 512 tokens.
        OSError: the folder cannot be written to; what was there is untouched.
    """
    hashes = _fresh(requests) if requests.prefix_hashes is None else _joined(requests.prefix_hashes, block_tokens)
    lines = _lines(requests, hashes)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            while some := list(islice(lines, WRITTEN)):
                file.writelines(some)
                told(len(some))
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _lines(requests: Requests, hashes: Iterator[Sequence[int]]) -> Iterator[str]:
    columns = (requests.arrivals_s, requests.prompt_tokens, requests.output_tokens)
    for arrival_s, prompt, output, blocks in zip(*(one.tolist() for one in columns), hashes, strict=True):
        yield (
            f'{{"timestamp": {_milliseconds(arrival_s)}, "input_length": {prompt}, "output_length": {output},'
            f' "hash_ids": {list(blocks)}}}\n'
        )


def _milliseconds(arrival_s: float) -> str:
    """Time in milliseconds, with as many decimals as needed."""
    whole, rest = divmod(round(arrival_s * NANOSECONDS_PER_S), NANOSECONDS_PER_TICK)
    return f"{whole}.{rest:06d}".rstrip("0") if rest else str(whole)


def _fresh(requests: Requests) -> Iterator[Sequence[int]]:
    """Block hashes that occur only once."""
    numbers = count()
    for prompt in requests.prompt_tokens.tolist():
        yield [next(numbers) for _ in range(-(-prompt // TOKENS))]


def _joined(hashes: Sequence[Sequence[int]], block_tokens: int | None) -> Iterator[Sequence[int]]:
    """Hashes of 512-token blocks."""
    if block_tokens is None or TOKENS % block_tokens:
        raise RidgelineError(
            f"Mooncake's blocks have {TOKENS} tokens, which blocks of {block_tokens} do not come together to; write"
            " the requests without their hashes: prefix_hashes=None"
        )
    each = TOKENS // block_tokens
    return ([*one[each - 1 :: each], *(one[-1:] if len(one) % each else ())] for one in hashes)
