"""Case files: one measured number a row, with the facts of the run that gave it."""

from __future__ import annotations

import csv
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ridgeline.errors import RidgelineError
from ridgeline.numeric import Numeric

__all__ = ["Case", "CaseError", "Unsupported", "read_cases", "unknown_columns"]

REQUIRED = ("case", "kind", "machine", "quantity", "measured")
LAYOUT = ("tp", "pp", "ep", "dp", "cp")


class CaseError(RidgelineError):
    """A case file that cannot be read; names file, line and column."""


class Unsupported(Exception):  # noqa: N818  it says what a row is, not that something went wrong
    """A row that is not predicted, with the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One row.

    Attributes:
        name: the row's id, or its place where it has none.
        family: the file's stem; families are never pooled.
        kind: what was measured, on which the prediction depends.
        quantity: the measured quantity.
        machine: catalog id.
        measured: in base units; None where the row leaves it out.
        facts: the columns with text in them, as text.
        stacked: numbers of columns in which rows that are one case otherwise differ, one a row.
        machine_overrides: fields of the machine that the run changed.
        attributes: facts of the run without a column.
    """

    name: str
    family: str
    kind: str
    quantity: str
    machine: str
    measured: float | None
    facts: dict[str, str]
    machine_overrides: dict[str, float]
    attributes: dict[str, Any]
    stacked: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)

    def number(self, column: str) -> Numeric:
        """A column that this kind needs.

        Raises:
            Unsupported: the row leaves it out.
        """
        if column in self.stacked:
            return self.stacked[column]
        if column not in self.facts:
            raise Unsupported(f"{self.kind} rows need {column}, which is empty")
        return float(self.facts[column])

    def number_or(self, column: str, default: float) -> Numeric:
        """A column, or what its absence means."""
        return self.number(column) if column in self.facts else default

    def whole(self, column: str) -> int:
        """A column that counts, alike in all rows.

        Raises:
            Unsupported: the row leaves it out.
        """
        return int(self.number(column))


def read_cases(path: Path) -> list[Case]:
    """All rows of a case file.

    Raises:
        CaseError: the file is missing, has no header of a case file, or a cell does not read; names line and column.
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
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CaseError(f"{path}: cannot be read: {error}") from None


NUMBERS = (
    *("chips", *LAYOUT, "batch", "micro_batch", "prompt_tokens", "output_tokens", "context_tokens", "m", "n", "k"),
    *("groups", "query_heads", "kv_heads", "head_dim", "message_bytes", "ranks", "measured"),
)


COUNTS = {
    *(*LAYOUT, "chips", "batch", "micro_batch", "prompt_tokens", "output_tokens", "n", "k", "groups"),
    *("query_heads", "kv_heads", "head_dim", "ranks"),
}
"""Columns that count; rows of a group and contexts may be means, and so fractions."""


KNOWN = {
    *(*REQUIRED, *NUMBERS, "model", "weight_dtype", "activation_dtype", "kv_dtype", "engine", "overrides"),
    # Of where a row is from, and of training.
    *("source", "locator", "confidence", "notes", "schedule", "virtual_stages", "recompute", "zero_stage"),
    *("sequence_parallel", "speculative_tokens"),
}


def unknown_columns(cases: Iterable[Case]) -> tuple[str, ...]:
    """A warning for each column that no prediction reads, with how many rows have something there."""
    found = Counter((case.family, column) for case in cases for column in case.facts if column not in KNOWN)
    return tuple(
        f"{family}: column {column!r} is not known, and not read ({count} rows)"
        for (family, column), count in sorted(found.items())
    )


def _case(path: Path, line: int, row: dict[str | None, str]) -> Case:
    if row.get(None):
        raise CaseError(f"{path}:{line}: has more cells than the header has columns")
    facts = {column: text.strip() for column, text in row.items() if column and text and text.strip()}
    for column in NUMBERS:
        _check_number(path, line, column, facts.get(column))
    try:
        overrides = json.loads(facts.get("overrides", "{}"))
    except json.JSONDecodeError as error:
        raise CaseError(f"{path}:{line}: overrides is not JSON: {error}") from None
    if not isinstance(overrides, dict):
        raise CaseError(f"{path}:{line}: overrides is not an object; write {{}} or leave it empty")
    attributes = overrides.pop("case", {})
    if not isinstance(attributes, dict):
        raise CaseError(f"{path}:{line}: overrides: case is not an object")
    for name, value in overrides.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
            raise CaseError(f"{path}:{line}: overrides: {name}={value!r} is not a number above 0")
    return Case(
        name=facts.get("case", f"{path.stem}:{line}"),
        family=path.stem,
        kind=facts.get("kind", ""),
        quantity=facts.get("quantity", ""),
        machine=facts.get("machine", ""),
        measured=float(facts["measured"]) if "measured" in facts else None,
        facts=facts,
        machine_overrides=overrides,
        attributes=attributes,
    )


def _check_number(path: Path, line: int, column: str, text: str | None) -> None:
    if text is None:
        return
    try:
        value = float(text)
    except ValueError:
        raise CaseError(f"{path}:{line}: {column}={text!r} is not a number") from None
    if not 0 < value < math.inf:
        raise CaseError(f"{path}:{line}: {column}={text!r} must be finite and above 0; leave out what is not known")
    if column in COUNTS and value != int(value):
        raise CaseError(f"{path}:{line}: {column}={text!r} must be a whole number from 1 up")
