"""Case files: one measured number per row, with the facts of its run."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ridgeline.calibration.cases.case import Case, CaseError
from ridgeline.catalog.engine_options import option_names

__all__ = ["read_cases", "unknown_columns"]

REQUIRED = ("case", "kind", "machine", "quantity", "measured")


def read_cases(path: Path) -> list[Case]:
    """All rows of a case file.

    Raises:
        CaseError: the file is missing, lacks a case file's header, or has an invalid cell, which the message names.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:  # a spreadsheet may start it with a mark
            reader = csv.DictReader(file)
            header = [column.strip() for column in reader.fieldnames or ()]
            missing = [column for column in REQUIRED if column not in header]
            if missing:
                raise CaseError(f"{path}: has no column {', '.join(missing)}; a case file starts with its header")
            doubled = [column for column, count in Counter(header).items() if count > 1 and column]
            if doubled:
                raise CaseError(f"{path}: column {', '.join(doubled)} stands twice; keep one")
            reader.fieldnames = header
            return [_case(path, line, row) for line, row in enumerate(reader, start=2)]
    except UnicodeDecodeError:
        raise CaseError(f"{path}: is no UTF-8 text; give a CSV file") from None
    except (OSError, csv.Error) as error:
        raise CaseError(f"{path}: cannot be read: {error}") from None


COLUMNS = {*Case.__dataclass_fields__} - {
    *("name", "family", "machine_overrides", "attributes", "unknown_columns", "stacked"),
}
"""Columns that the record has under their own names."""

UNREAD = {
    # Of where a row is from.
    *("source", "locator", "confidence", "notes", "speculative_tokens"),
}


def unknown_columns(cases: Iterable[Case]) -> tuple[str, ...]:
    """A warning for each column that no prediction reads, with the number of rows that fill it."""
    found = Counter((case.family, column) for case in cases for column in case.unknown_columns)
    return tuple(
        f"{family}: column {column!r} is not known, and not read ({count} rows)"
        for (family, column), count in sorted(found.items())
    )


def _case(path: Path, line: int, row: dict[str | None, str]) -> Case:
    if row.get(None):
        raise CaseError(f"{path}:{line}: has more cells than the header has columns")
    cells = {column: text.strip() for column, text in row.items() if column and text and text.strip()}
    name, overrides = cells.pop("case", f"{path.stem}:{line}"), cells.pop("overrides", "{}")
    unread = [column for column in cells if column not in COLUMNS]
    columns: dict[str, Any] = {column: text for column, text in cells.items() if column in COLUMNS}
    try:
        facts = _overrides(overrides)
        facts["attributes"] = _stated(cells.get("notes", "")) | facts["attributes"]
        return Case(
            name=name,
            family=path.stem,
            unknown_columns=tuple(column for column in unread if column not in UNREAD),
            **facts,
            **columns,
        )
    except ValidationError as error:
        raise CaseError(f"{path}:{line}: {_said(error)}") from None
    except ValueError as error:
        raise CaseError(f"{path}:{line}: overrides{error}") from None


def _stated(notes: str) -> dict[str, Any]:
    """Options of a server that notes state, each a whole number or none, as "stream interval 30"."""
    found = [(match["name"].replace(" ", "_").lower(), match["value"].lower()) for match in _option().finditer(notes)]
    return {name: 1 if value == "none" else int(value) for name, value in found}


@lru_cache(maxsize=1)
def _option() -> re.Pattern[str]:
    names = "|".join(sorted(name.replace("_", "[_ ]") for name in option_names() if "." not in name))
    return re.compile(rf"\b(?P<name>{names})(?::? |=)(?P<value>none|[1-9]\d*)\b(?![.-]\d)", re.IGNORECASE)


def _overrides(text: str) -> dict[str, Any]:
    """Changes that a run made to its machine, or its facts without a column."""
    try:
        overrides = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f" is not JSON: {error}") from None
    if not isinstance(overrides, dict):
        raise ValueError(" is not an object; write {} or leave it empty")  # noqa: TRY004  its text is said of the file
    attributes = overrides.pop("case", {})
    if not isinstance(attributes, dict):
        raise ValueError(": case is not an object")  # noqa: TRY004  its text is said of the file
    for name, value in overrides.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
            raise ValueError(f": {name}={value!r} is not a number above 0")
    return {"machine_overrides": overrides, "attributes": attributes}


def _said(error: ValidationError) -> str:
    """Message on the first invalid cell of a row."""
    fault = error.errors()[0]
    return f"{fault['loc'][0]}={fault['input']!r} {fault['msg'].removeprefix('Value error, ')}"
