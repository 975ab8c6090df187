"""A log in parts of some thousand requests, each checked; an invalid value is named with its line."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ridgeline.traces.requests import CLASSES
from ridgeline.traces.rows import Row, opened
from ridgeline.traces.trace import TraceError, TraceFormat

__all__ = ["Part", "parts"]

LONGEST = 10**9
"""Upper bound on the tokens of a request."""

LATEST = 2**63
"""Upper bound on the ticks of a clock."""

BITS = 63
"""Bits of a block's hash."""

KINDS = {written: number for number, name in enumerate(CLASSES) for written in (name, str(number))}
"""Numbers of classes, by their name or number."""

Hashes = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Requests in the order of the file; arrays of one length.

    Attributes:
        numbers: line numbers of the requests.
        ticks: arrival of each on the log's clock; None where it is not recorded.
        prompt_tokens: input tokens of each.
        output_tokens: output tokens of each.
        hashes: hashes of each prompt's blocks; None where the log names none.
        classes: class number of each request; None where no column was named.
        failed: requests without output, which were left out.
    """

    numbers: Sequence[int]
    ticks: NDArray[Any] | None
    prompt_tokens: NDArray[np.int64]
    output_tokens: NDArray[np.int64]
    hashes: tuple[Hashes, ...] | None
    classes: NDArray[np.int64] | None
    failed: int

    def __len__(self) -> int:
        return len(self.prompt_tokens)


def parts(path: str | os.PathLike[str], most: int, classes: str | None = None) -> Iterator[tuple[TraceFormat, Part]]:
    """Requests of a log in non-empty parts of ``most``.

    Args:
        path: path of the log.
        most: maximum requests of a part.
        classes: column of their classes; None to read none.

    Raises:
        TraceError: the file is invalid, which the message explains with the line, or has no request with an output.
    """
    name = os.fspath(path)
    held: Part | None = None
    failed = 0
    with opened(path, classes) as (found, rows):
        while chunk := list(islice(rows, most)):
            part = _part(chunk, found, name)
            if not len(part):
                failed += part.failed
                continue
            if held is not None:
                yield found, replace(held, failed=held.failed + failed)
                failed = 0
            held = part
        if held is None:
            said = f" with an output: {failed:,} failed" if failed else "; give a line for each behind the header"
            raise TraceError(f"{name}: has no requests{said}")
        yield found, replace(held, failed=held.failed + failed)


def _part(chunk: Sequence[Row], found: TraceFormat, name: str) -> Part:
    """Rows as columns; where one is invalid, they are checked one by one to name it."""
    try:
        numbers, columns = _columns(chunk)
        prompts, outputs = _whole(columns[0]), _whole(columns[1])
        if failed := len(outputs) - int(np.count_nonzero(outputs)):
            chunk = [row for row, output in zip(chunk, outputs.tolist(), strict=True) if output]
            numbers, columns = _columns(chunk)
            prompts, outputs = prompts[outputs != 0], outputs[outputs != 0]
        _require(len(outputs) == 0 or min(prompts.min(), outputs.min()) >= 1)
        _require(len(outputs) == 0 or max(prompts.max(), outputs.max()) <= LONGEST)
        ticks = None if found.arrival is None else _times(columns[2] if columns else (), found)
        hashes = None if found.prefix_blocks is None else tuple(map(_hashes, columns[3] if columns else ()))
        classes = None if found.classes is None else _classes(columns[-1] if columns else ())
    except (ValueError, TypeError, OverflowError):
        _refuse(chunk, found, name)
        raise
    return Part(
        numbers=numbers,
        ticks=ticks,
        prompt_tokens=prompts,
        output_tokens=outputs,
        hashes=hashes,
        classes=classes,
        failed=failed,
    )


def _columns(chunk: Sequence[Row]) -> tuple[tuple[int, ...], list[tuple[Any, ...]]]:
    numbers, rows = zip(*chunk, strict=True) if chunk else ((), ())
    return numbers, list(zip(*rows, strict=True))


def _require(holds: bool) -> None:  # noqa: FBT001  a condition
    if not holds:
        raise ValueError


def _whole(values: Sequence[Any]) -> NDArray[np.int64]:
    """Whole numbers from a CSV or JSON value."""
    _require(set(map(type, values)) <= {int, str})
    return np.fromiter(map(int, values), np.int64, len(values))


def _times(values: Sequence[Any], found: TraceFormat) -> NDArray[Any]:
    _require(bool not in set(map(type, values)))
    ticks = np.asarray(list(map(found.ticks, values)))
    _require(ticks.dtype.kind in "if" and bool((np.abs(ticks) < LATEST).all()))
    return ticks


def _hashes(blocks: Any) -> Hashes:  # noqa: ANN401  of JSON
    """Hashes of a prompt's blocks, in 63 bits; longer ones, and text, map to the same number in every log."""
    _require(isinstance(blocks, list))
    kinds = set(map(type, blocks))
    if kinds <= {int} and (not blocks or (min(blocks) >= 0 and max(blocks) < 1 << BITS)):
        return tuple(blocks)
    _require(kinds <= {int, str})
    return tuple(map(_number, blocks))


def _number(block: int | str) -> int:
    if isinstance(block, int) and 0 <= block < 1 << BITS:
        return block
    return int.from_bytes(hashlib.blake2b(str(block).encode(), digest_size=8).digest()) >> 64 - BITS


def _classes(values: Sequence[Any]) -> NDArray[np.int64]:
    """Numbers of classes written by name or number."""
    _require(all(str(value) in KINDS for value in set(values)))
    return np.fromiter((KINDS[str(value)] for value in values), np.int64, len(values))


def _refuse(chunk: Sequence[Row], found: TraceFormat, name: str) -> None:
    """Name the first invalid request in an error."""
    for number, values in chunk:
        place = found.place(name, number)
        prompt, output = (_tokens(values[at], (found.prompt, found.output)[at], place) for at in (0, 1))
        if output == 0:
            continue
        if not (1 <= prompt <= LONGEST and 1 <= output <= LONGEST):
            said = f"{found.prompt}={prompt} and {found.output}={output}"
            raise TraceError(f"{place}: {said} must each be from 1 to {LONGEST:,} tokens")
        if found.arrival is not None and not _is_time(values[2], found):
            raise TraceError(f"{place}: {found.arrival}={values[2]!r} is not a time as {found.name} writes it")
        if found.prefix_blocks is not None and not _is_hashes(values[3]):
            raise TraceError(f"{place}: {found.prefix_blocks}={values[3]!r} is no list of hashes of blocks")
        if found.classes is not None and str(values[-1]) not in KINDS:
            raise TraceError(f"{place}: {found.classes}={values[-1]!r} is none of the classes {', '.join(KINDS)}")


def _tokens(value: Any, column: str, place: str) -> int:  # noqa: ANN401  of a CSV or of JSON
    """A number of tokens."""
    try:
        return int(value) if isinstance(value, str) else int(str(value))
    except ValueError:
        raise TraceError(f"{place}: {column}={value!r} is no whole number of tokens") from None


def _is_time(value: Any, found: TraceFormat) -> bool:  # noqa: ANN401  of a CSV or of JSON
    try:
        return not isinstance(value, bool) and abs(found.ticks(value)) < LATEST
    except (TypeError, ValueError, OverflowError):
        return False


def _is_hashes(value: Any) -> bool:  # noqa: ANN401  of JSON
    try:
        _hashes(value)
    except ValueError:
        return False
    return True
