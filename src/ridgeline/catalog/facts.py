"""Facts, values with their source and date, and how their fields are read."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, dataclass_transform

from ridgeline.errors import RidgelineError
from ridgeline.glossary import GLOSSARY
from ridgeline.quantity_text import QuantityError, example_of, format_quantity, parse_quantity

if TYPE_CHECKING:  # checks files, and is not at hand where they come checked
    from pydantic import GetCoreSchemaHandler, ValidationInfo
    from pydantic_core import CoreSchema

__all__ = [
    "CATALOG",
    "YOURS",
    "CatalogError",
    "Fact",
    "FactFile",
    "Reading",
    "Source",
    "above",
    "at_least",
    "reads",
    "reads_month",
    "unsourced",
]

CATALOG = Path(__file__).parent
MONTHS = 12


class CatalogError(RidgelineError):
    """A name that the catalog does not have, or a file with missing or invalid content."""


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
@dataclass(frozen=True, kw_only=True)
class FactFile:
    """Contents of a TOML file; unknown keys are errors, since a misspelt one would be ignored silently.

    Each kind is a frozen dataclass, which pydantic checks where a file is read.
    """

    __pydantic_config__: ClassVar[Mapping[str, object]] = {"extra": "forbid"}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        dataclass(frozen=True, kw_only=True)(cls)

    def by_name(self) -> dict[str, Any]:
        """Values of its fields, by name."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def given(self) -> dict[str, Any]:
        """Values of its fields that are not None."""
        return {name: value for name, value in self.by_name().items() if value is not None}

    @classmethod
    def before(cls, raw: Any, info: ValidationInfo) -> Any:  # noqa: ANN401, ARG003  what TOML gives
        """Content to validate in place of the file's."""
        return raw

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:  # noqa: ANN401  pydantic's
        from pydantic_core import core_schema  # noqa: PLC0415

        return core_schema.with_info_before_validator_function(cls.before, handler(source))


class Fact(FactFile):
    """One value with its source.

    Attributes:
        value: value in base units.
        written: value as written in the file, with its unit.
        source: key of ``sources.toml``, or an address; ``yours`` where a file outside the catalog gives none.
        date: date of the source, or of its reading; for a user's file without one, its date of modification.
        unverified: whether it is known only from memory, or from a file that names no source.
        note: remark on the value.
    """

    value: float
    written: str
    source: str
    date: dt.date
    unverified: bool = False
    note: str = ""


class Source(FactFile):
    """Source of facts."""

    title: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """Conversion of a field's raw value; stands beside its type, like pydantic's own.

    Attributes:
        read: function that converts the raw value; a ``ValueError`` says what is wrong with it.
    """

    read: Callable[[Any, ValidationInfo], object]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:  # noqa: ANN401  pydantic's
        from pydantic_core import core_schema  # noqa: PLC0415

        return core_schema.with_info_before_validator_function(self.read, handler(source))


def above(bound: float) -> Reading:
    """Reading of a number that must be larger."""
    return _bounded(lambda number: number > bound, f"greater than {bound:g}")


def at_least(bound: float) -> Reading:
    """Reading of a number that must not be smaller."""
    return _bounded(lambda number: number >= bound, f"greater than or equal to {bound:g}")


def _bounded(holds: Callable[[float], bool], said: str) -> Reading:
    def read(raw: object, _: ValidationInfo) -> object:
        # For a value that is no number, the field's type gives the message.
        if isinstance(raw, int | float) and not holds(raw):
            raise ValueError(f"should be {said}")
        return raw

    return Reading(read)


def reads(dimension: str) -> Reading:
    """Reading of a fact whose text is a quantity of ``dimension``."""

    def read(raw: object, info: ValidationInfo) -> object:
        is_count = dimension == "count" and isinstance(raw, int) and not isinstance(raw, bool)
        if info.context is not None and (is_count or isinstance(raw, str)):
            raw = {"value": raw}  # a file of one's own need not name a source; other numbers need a unit
        if not isinstance(raw, dict) or "value" not in raw:
            raise ValueError(_no_fact(raw, dimension, is_own=info.context is not None))
        written = raw["value"]
        try:
            value = parse_quantity(written, dimension) if isinstance(written, str) else float(written)
        except QuantityError as error:
            raise ValueError(f"value {error}") from None
        except (TypeError, ValueError):
            raise ValueError(f"value {written!r} is no number; write {_fact_text(None, dimension)}") from None
        _require_plausible(value, written, info.field_name, dimension)
        return {**unsourced(raw, info), **raw, "value": value, "written": str(written)}

    return Reading(read)


def _require_plausible(value: float, written: object, name: str | None, dimension: str) -> None:
    """Refuse a value outside the range of the quantity that its field is."""
    quantity = GLOSSARY.get(name or "")
    if quantity is not None and not quantity.low <= value <= quantity.high:
        low, high = (format_quantity(end, dimension) for end in (quantity.low, quantity.high))
        raise ValueError(f"{written!r} is outside {low} to {high} ({quantity.meaning}); check the number and its unit")


def _no_fact(raw: object, dimension: str, *, is_own: bool) -> str:
    """Message on a value that is no table: a file of one's own need not name a source, but a number needs its unit."""
    if not is_own or dimension == "count" or isinstance(raw, bool) or not isinstance(raw, int | float):
        return f"{raw!r} is no fact; write {_fact_text(raw, dimension)}"
    sign = "is negative and " if raw < 0 else ""
    return f"{raw!r} {sign}has no unit; write a quantity above 0 with its unit, such as {example_of(dimension)}"


def _fact_text(raw: object, dimension: str) -> str:
    """A fact as a file has it: with the value that was written, where it is one of a count, or with an example."""
    is_count = dimension == "count" and isinstance(raw, int | float) and not isinstance(raw, bool)
    return f'{{ value = {raw if is_count else example_of(dimension)}, source = "...", date = 2026-11-20 }}'


def reads_month() -> Reading:
    """Reading of a fact whose text is a month; its value is the middle of it, in years."""

    def read(raw: object, info: ValidationInfo) -> object:
        written = raw.get("value") if isinstance(raw, dict) else None
        if not isinstance(raw, dict) or not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", str(written)):
            raise ValueError('is no month; write { value = "2024-12", source = "...", date = 2026-11-20 }')
        year, month = map(int, str(written).split("-"))
        return {**unsourced(raw, info), **raw, "value": year + (month - 0.5) / MONTHS, "written": str(written)}

    return Reading(read)


def unsourced(raw: Mapping[str, object], info: ValidationInfo) -> dict[str, object]:
    """Default source and date of a file outside the catalog that gives no source."""
    if info.context is None:
        return {}
    dated: dict[str, object] = dict(info.context)
    return dated if "source" in raw else {"source": YOURS, **dated, "unverified": True}


YOURS = "yours"
"""Source of a fact in a user's file that names none."""
