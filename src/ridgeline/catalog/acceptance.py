"""Acceptance lengths: tokens that a step adds with speculation, by model and draft, as measured."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from datetime import date as Date  # noqa: N812  a field below is named date
from functools import lru_cache
from math import log
from typing import Annotated

from pydantic import AfterValidator

from ridgeline.catalog.fact_files import known_source, read_toml, sources
from ridgeline.catalog.facts import CATALOG, CatalogError, FactFile

__all__ = [
    "Acceptance",
    "acceptances",
    "acceptances_of",
    "accepted",
    "known_drafts",
    "measured_on",
    "models_with_drafts",
    "spread_of",
    "usual_accepted",
]

HALF_WIDTH_SD = 1.2816
"""Half-width of an 80 % interval over the standard deviation, of a normal distribution."""


class Acceptance(FactFile):
    """One measured draft of a model.

    Attributes:
        model: catalog id of the model.
        draft: kind of draft: "mtp", "eagle3", ...
        mode: mode of the model, where it has several.
        accepted_tokens: mean tokens that a step adds, with 1, 2, 3, ... draft tokens.
        on: prompts of the measurement, and engine that ran it.
        source: source of the numbers.
        date: date of the source.
        note: remark on the numbers.
    """

    model: str
    draft: str
    mode: str = ""
    accepted_tokens: tuple[float, ...]
    on: str
    source: Annotated[str, AfterValidator(known_source)]
    date: Date
    note: str = ""

    def with_drafted(self, tokens: int) -> float | None:
        """Tokens that a step adds with a given number of draft tokens; None where that was not measured."""
        return self.accepted_tokens[tokens - 1] if 0 < tokens <= len(self.accepted_tokens) else None


class Acceptances(FactFile):
    """The contents of ``acceptance.toml``."""

    measured: tuple[Acceptance, ...]


@lru_cache(maxsize=1)
def acceptances() -> tuple[Acceptance, ...]:
    """All measured drafts, in the order of the file."""
    return read_toml(CATALOG / "acceptance.toml", Acceptances).measured


def models_with_drafts() -> list[str]:
    """Models with which drafts were measured."""
    return list(dict.fromkeys(one.model for one in acceptances()))


def acceptances_of(model: str) -> tuple[Acceptance, ...]:
    """Measured drafts of one model.

    Raises:
        CatalogError: nothing was measured with the model; the message lists those with measurements.
    """
    rows = tuple(one for one in acceptances() if one.model == model)
    if not rows:
        raise CatalogError(f"no draft was measured with {model!r}; with {', '.join(models_with_drafts())} some were")
    return rows


def _of(model: str, draft: str) -> tuple[Acceptance, ...]:
    return tuple(one for one in acceptances() if (one.model, one.draft) == (model, draft))


def _with_drafted(measured: Iterable[Acceptance], tokens: int) -> list[float]:
    return [value for one in measured if (value := one.with_drafted(tokens)) is not None]


def accepted(model: str, draft: str, drafted_tokens: int) -> float | None:
    """Tokens that a step adds: the mean over a model's modes and a draft's variants; None where not measured.

    >>> accepted("deepseek-v3", "mtp", 1)
    1.875
    """
    values = _with_drafted(_of(model, draft), drafted_tokens)
    return statistics.fmean(values) if values else None


def usual_accepted(drafted_tokens: int) -> float:
    """Tokens that a step adds with the median of all measured drafts, of any model.

    >>> usual_accepted(3)
    2.95
    """
    return statistics.median(_with_drafted(acceptances(), drafted_tokens))


def spread_of(drafted_tokens: int) -> tuple[float, int]:
    """Half-width of an acceptance length's 80 % interval, in logarithms, and number of measured drafts behind it.

    It is the spread over the drafts of all models with as many draft tokens: one draft's spread over texts is not known
    to be smaller.
    """
    values = _with_drafted(acceptances(), drafted_tokens)
    if len(values) < 2:  # noqa: PLR2004  one has no spread
        return 0.0, len(values)
    return HALF_WIDTH_SD * statistics.stdev(map(log, values)), len(values)


def known_drafts(model: str) -> dict[str, int]:
    """Drafts that were measured with a model, each with its maximum draft tokens."""
    found: dict[str, int] = {}
    for one in acceptances():
        if one.model == model:
            found[one.draft] = max(found.get(one.draft, 0), len(one.accepted_tokens))
    return found


def measured_on(model: str, draft: str, drafted_tokens: int) -> str:
    """Clause on the measurements behind a result of ``accepted``."""
    rows = [one for one in _of(model, draft) if one.with_drafted(drafted_tokens) is not None]
    where = "; ".join(dict.fromkeys(f"{one.on}, {sources()[one.source].title}, {one.date}" for one in rows))
    values = ", ".join(f"{one.with_drafted(drafted_tokens):g}" + (f" {one.mode}" if one.mode else "") for one in rows)
    return f"{where}: {values}" if len(rows) > 1 else where
