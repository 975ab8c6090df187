"""All commands' fields together."""

from __future__ import annotations

from typing import Any

from json_fields import (
    budget,
    cache,
    calibrate,
    catalog,
    estimate,
    lab,
    lecture,
    measure,
    plan,
    price,
    simulate,
    study,
    trace,
    train,
)
from json_fields.shared_words import SHARED_WORDS

__all__ = ["ENDS", "EXAMPLES", "NAMED", "RECORDS", "WORDS"]

_ROOMS = (
    plan,
    estimate,
    simulate,
    trace,
    calibrate,
    measure,
    catalog,
    cache,
    price,
    lecture,
    train,
    study,
    budget,
    lab,
)
_ALL = tuple(one.FIELDS for one in _ROOMS)

EXAMPLES: dict[str, tuple[str, ...]] = {command: lines for one in _ALL for command, lines in one.examples.items()}
RECORDS: dict[str, tuple[type[Any], ...]] = {place: records for one in _ALL for place, records in one.records.items()}
WORDS = SHARED_WORDS | {end: words for one in _ALL for end, words in one.words.items()}
NAMED = frozenset[str]().union(*(one.named for one in _ALL))
ENDS = frozenset[str]().union(*(one.ends for one in _ALL))
