"""Requests of a log in raw form: the format is recognised by the header, and each comes with its line."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from operator import itemgetter
from pathlib import Path
from typing import Any, TextIO

from ridgeline.traces.formats import FORMATS
from ridgeline.traces.trace import RequestsOf, TraceError, TraceFormat

__all__ = ["Row", "opened"]

Row = tuple[int, Sequence[Any]]
"""Line number, and values in the order of the format's columns."""


@contextmanager
def opened(path: str | os.PathLike[str], classes: str | None = None) -> Iterator[tuple[TraceFormat, Iterator[Row]]]:
    """Format of a log, and its requests one by one.

    Args:
        path: path of the log.
        classes: column of their classes; None to read none.

    Raises:
        TraceError: the file is invalid; the message names the line and what is expected.
    """
    name = os.fspath(path)
    try:
        with Path(name).open(encoding="utf-8-sig", newline="") as file:
            found, header = _format_of(file, name)
            if classes is not None:
                found = _with_classes(found, classes, header, name)
            yield found, _rows(file, found, header, name)
    except UnicodeDecodeError:
        raise TraceError(f"{name}: is no UTF-8 text; a log of requests is CSV or JSON lines") from None
    except OSError as error:
        raise TraceError(f"{name}: cannot be read: {error.strerror}") from None


def _format_of(file: TextIO, name: str) -> tuple[TraceFormat, list[str]]:
    """Format of a file, and its columns; JSON is read from the first line on."""
    if not (line := file.readline()):
        raise TraceError(f"{name}: the file is empty; give a log of requests, a line each")
    first = line.strip()
    is_json = first.startswith("{")
    header = list(_first_object(file, first, name)) if is_json else next(csv.reader([first]), [])
    for one in FORMATS:
        if one.is_json is is_json and set(one.told_by) <= set(header):
            if is_json:
                file.seek(0)
            return one, header
    expected = ";".join(f"\n  {','.join(one.told_by)} ({one.name})" for one in FORMATS)
    raise TraceError(
        f"{name}:1: no trace that is known: its columns are {','.join(header) or 'missing'}; expected are:{expected}"
    )


def _with_classes(found: TraceFormat, classes: str, header: Sequence[str], name: str) -> TraceFormat:
    """Format with a column of classes."""
    if found.flat is None and found.requests_of is None and classes not in header:
        raise TraceError(f"{name}:1: has no column {classes!r} for classes; its columns are {', '.join(header)}")
    return replace(found, classes=classes)


def _first_object(file: TextIO, first: str, name: str) -> dict[str, Any]:
    """JSON object of the first line, or of the whole file where it is one object over many lines."""
    try:
        return _object(first, name, 1)
    except TraceError:
        file.seek(0)
        return _object(file.read(), name, 1)


def _object(text: str, name: str, number: int) -> dict[str, Any]:
    """JSON object of a line with that number, or of all lines from it on."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        before, said = text[: getattr(error, "pos", 0)], str(error)
        # Where a file was cut short, JSON's own position is after its last line break.
        before = before if text[len(before) :].strip() else before.rstrip()
        at = number + before.count("\n")
        if isinstance(error, json.JSONDecodeError):  # whose own position counts from the text, and not from the file
            said = f"{error.msg}, column {len(before) - before.rfind(chr(10))}"
        raise TraceError(f"{name}:{at}: is no JSON: {said}; a file that was cut short has to be fetched anew") from None
    if not isinstance(found, dict):
        raise TraceError(f"{name}:{number}: is no JSON object with the columns of a request")
    return found


def _rows(file: TextIO, found: TraceFormat, header: Sequence[str], name: str) -> Iterator[Row]:
    if not found.is_json:
        return _lines(file, found, header, name)
    if found.requests_of is None:
        return _objects(file, found, name)
    return _inside(file, found, found.requests_of, name)


def _lines(file: TextIO, found: TraceFormat, header: Sequence[str], name: str) -> Iterator[Row]:
    """Lines of a CSV after its header."""
    chosen, width = itemgetter(*(header.index(column) for column in found.columns)), len(header)
    reader = csv.reader(file)
    try:
        for values in reader:
            if len(values) != width:
                if not values:
                    continue
                number = reader.line_num + 1
                raise TraceError(f"{name}:{number}: has {len(values)} values, and its header has {width} columns")
            yield reader.line_num + 1, chosen(values)
    except csv.Error as error:
        raise TraceError(f"{name}:{reader.line_num + 1}: {error}") from None


def _objects(file: TextIO, found: TraceFormat, name: str) -> Iterator[Row]:
    """Lines of JSON objects."""
    for number, line in enumerate(file, 1):
        if line.strip():
            request = _object(line, name, number)
            yield _row(number, request if found.flat is None else found.flat(request), found, name)


def _inside(file: TextIO, found: TraceFormat, requests_of: RequestsOf, name: str) -> Iterator[Row]:
    """Requests inside JSON objects: one over the whole file, or one per line."""
    text = file.read()
    try:
        objects = [_object(text, name, 1)]
    except TraceError:
        lines = enumerate(text.splitlines(), 1)
        objects = [_object(line, name, number) for number, line in lines if line.strip()]
    number = 0
    for one in objects:
        try:
            requests = list(requests_of(one))
        except TraceError as error:
            raise TraceError(f"{name}: {error}") from None
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise TraceError(
                f"{name}: its {', '.join(found.told_by)} are not as {found.name} writes them: {error}"
            ) from None
        for request in requests:
            number += 1
            yield _row(number, request, found, name)


def _row(number: int, request: dict[str, Any], found: TraceFormat, name: str) -> Row:
    """Values of a request, all of which must be present."""
    try:
        return number, [request[column] for column in found.columns]
    except (KeyError, TypeError):
        if not isinstance(request, dict):
            raise TraceError(f"{found.place(name, number)}: {request!r} is no request") from None
        missing = [column for column in found.columns if column not in request]
        place = found.place(name, number)
        raise TraceError(f"{place}: has no {' and no '.join(missing)}; every request must have them") from None
