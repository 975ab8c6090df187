"""Logs of requests, read: the format follows from the header, and a line that does not read is named."""

from __future__ import annotations

import csv
import json
import math
import os
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from ridgeline.traces.azure import AZURE
from ridgeline.traces.burstgpt import BURST_GPT
from ridgeline.traces.mooncake import MOONCAKE
from ridgeline.traces.trace import Trace, TraceError, TraceFormat
from ridgeline.traces.vidur import VIDUR, VIDUR_LENGTHS

__all__ = ["FORMATS", "read_trace"]

FORMATS = (AZURE, MOONCAKE, BURST_GPT, VIDUR, VIDUR_LENGTHS)
"""Those that are known; of two that fit the first."""

LONGEST = 10**9
"""Tokens that no request has."""

Row = tuple[int, Sequence[Any]]
"""Number of a line, and its values in the order of the format's columns."""


def read_trace(path: str | os.PathLike[str]) -> Trace:
    """The requests of a log: their lengths, and when they came.

    Args:
        path: of a CSV or of JSON lines, in one of the known formats, which its header tells.

    Raises:
        TraceError: the file does not read; names the line and what is expected.
    """
    name = os.fspath(path)
    try:
        with Path(name).open(encoding="utf-8-sig", newline="") as file:
            found, header = _format_of(file, name)
            rows = _objects(file, found, name) if found.is_json else _lines(file, found, header, name)
            return _trace(rows, found, name)
    except (OSError, UnicodeDecodeError) as error:
        raise TraceError(f"{name}: cannot be read: {error}") from None


def _format_of(file: TextIO, name: str) -> tuple[TraceFormat, list[str]]:
    """The format of a file, and its columns; JSON lines are read from the first on."""
    first = file.readline().strip()
    is_json = first.startswith("{")
    header = list(_object(first, f"{name}:1")) if is_json else next(csv.reader([first]), [])
    for one in FORMATS:
        if one.is_json is is_json and set(one.columns) <= set(header):
            if is_json:
                file.seek(0)
            return one, header
    expected = "; ".join(f"{','.join(one.columns)} ({one.name})" for one in FORMATS)
    raise TraceError(
        f"{name}:1: no trace that is known: its columns are {','.join(header) or 'missing'}; expected are {expected}"
    )


def _object(line: str, place: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError as error:
        raise TraceError(f"{place}: is no JSON: {error}") from None
    if not isinstance(found, dict):
        raise TraceError(f"{place}: is no JSON object with the columns of a request")
    return found


def _objects(file: TextIO, found: TraceFormat, name: str) -> Iterator[Row]:
    """Lines of JSON objects."""
    columns = found.columns
    for number, line in enumerate(file, 1):
        if not line.strip():
            continue
        values = _object(line, f"{name}:{number}")
        if missing := [column for column in columns if column not in values]:
            raise TraceError(f"{name}:{number}: has no {' and no '.join(missing)}; every request must have them")
        yield number, [values[column] for column in columns]


def _lines(file: TextIO, found: TraceFormat, header: Sequence[str], name: str) -> Iterator[Row]:
    """Lines of a CSV behind its header."""
    places, width = [header.index(column) for column in found.columns], len(header)
    reader = csv.reader(file)
    try:
        for values in reader:
            if not values:
                continue
            if len(values) != width:
                number = reader.line_num + 1
                raise TraceError(f"{name}:{number}: has {len(values)} values, and its header has {width} columns")
            yield reader.line_num + 1, [values[place] for place in places]
    except csv.Error as error:
        raise TraceError(f"{name}:{reader.line_num + 1}: {error}") from None


def _trace(rows: Iterator[Row], found: TraceFormat, name: str) -> Trace:
    """All requests of a file."""
    prompts, outputs, arrivals = array("d"), array("d"), array("d")
    blocks, failed = _Blocks(), 0
    for number, values in rows:
        prompt = _tokens(values[0], found.prompt, name, number)
        output = _tokens(values[1], found.output, name, number)
        if output == 0 and found.fails_without_output:
            failed += 1
            continue
        if not (1 <= prompt <= LONGEST and 1 <= output <= LONGEST):
            said = f"{found.prompt}={prompt} and {found.output}={output}"
            raise TraceError(f"{name}:{number}: {said} must each be from 1 to {LONGEST:,} tokens")
        prompts.append(prompt)
        outputs.append(output)
        if found.arrival is not None:
            arrivals.append(_arrival_s(values[2], found, name, number))
        if found.prefix_blocks is not None:
            blocks.take(values[3], f"{name}:{number}: {found.prefix_blocks}")
    if not prompts:
        raise TraceError(f"{name}: has no requests; give a line for each behind the header")
    return Trace(
        path=name,
        format=found.name,
        prompt_tokens=np.array(prompts),
        output_tokens=np.array(outputs),
        arrivals_s=None if found.arrival is None else np.array(arrivals),
        failed=failed,
        prefix_hit_fraction=None if found.prefix_blocks is None else blocks.hits / max(blocks.all, 1),
    )


def _tokens(value: Any, column: str, name: str, number: int) -> int:  # noqa: ANN401  of a CSV or of JSON
    """A number of tokens."""
    if value.__class__ is int:
        return value
    try:
        return int(value) if isinstance(value, str) else int(str(value))
    except ValueError:
        raise TraceError(f"{name}:{number}: {column}={value!r} is no whole number of tokens") from None


def _arrival_s(value: Any, found: TraceFormat, name: str, number: int) -> float:  # noqa: ANN401  of a CSV or of JSON
    """When a request came, s."""
    try:
        when_s = found.arrival_s(value)
    except (TypeError, ValueError):
        when_s = math.nan
    if not math.isfinite(when_s):
        raise TraceError(f"{name}:{number}: {found.arrival}={value!r} is no time as {found.name} writes it")
    return when_s


class _Blocks:
    """Blocks of prompts that were there before, in a cache that forgets none."""

    def __init__(self) -> None:
        self.known: set[int | str] = set()
        self.hits = self.all = 0

    def take(self, hashes: Any, place: str) -> None:  # noqa: ANN401  of JSON
        """Count a prompt's blocks; a hash names all before it, so that any that is known is a prefix."""
        if not isinstance(hashes, list) or not all(isinstance(one, int | str) for one in hashes):
            raise TraceError(f"{place}={hashes!r} is no list of hashes of blocks")
        self.all += len(hashes)
        self.hits += sum(one in self.known for one in hashes)
        self.known.update(hashes)
