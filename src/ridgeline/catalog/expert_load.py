"""Loads of experts from a keyword or a file."""

from __future__ import annotations

import csv
import math
from pathlib import Path

from ridgeline.catalog.facts import CatalogError
from ridgeline.errors import RidgelineError
from ridgeline.specs.expert_load import ExpertLoad

__all__ = ["load_expert_load"]

COLUMN = "load"
WAYS = f"write uniform, zipf:0.5, or a path to a .csv with a column {COLUMN}, an expert a line in the model's order"


def load_expert_load(text: str) -> ExpertLoad | None:
    """Distribution of tokens over experts: even (None), by a power of an expert's rank, or as counted.

    Raises:
        CatalogError: the text is none of these, or the file is invalid; the message says what to write.

    >>> load_expert_load("uniform")
    >>> load_expert_load("zipf:0.5").skew
    0.5
    """
    if text == "uniform":
        return None
    kind, _, number = text.partition(":")
    try:
        if kind == "zipf":
            return ExpertLoad(name=text, skew=float(number))
    except ValueError as error:
        said = str(error) if isinstance(error, RidgelineError) else f"{number!r} is no power of a rank"
        raise CatalogError(f"{text!r}: {said}; {WAYS}") from None
    if not Path(text).is_file():
        raise CatalogError(f"{text!r} is no load of experts; {WAYS}")
    return ExpertLoad(name=text, weights=_weights(text))


def _weights(path: str) -> tuple[float, ...]:
    """Loads in a file."""
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise CatalogError(f"{path}: is no text in UTF-8 ({error.reason}); {WAYS}") from None
    rows = csv.DictReader(lines)
    if COLUMN not in (rows.fieldnames or ()):
        raise CatalogError(f"{path}:1: has no column {COLUMN}; {WAYS}")
    found = [_weight(f"{path}:{rows.line_num}", row[COLUMN]) for row in rows]
    if not sum(found):
        raise CatalogError(f"{path}: has no load above 0; give one for each expert of a layer, an expert a line")
    return tuple(found)


def _weight(where: str, written: str | None) -> float:
    """Load in a line."""
    try:
        weight = float(written or "")
    except ValueError:
        weight = math.nan
    if not 0 <= weight < math.inf:
        raise CatalogError(f"{where}: {COLUMN}={written!r} is no number from 0 up")
    return weight
