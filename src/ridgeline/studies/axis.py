"""Axes of a study: lists and ranges of its file as values in base units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ridgeline.errors import RidgelineError
from ridgeline.quantity_text import QuantityError, parse_quantity

__all__ = ["Axis", "StudyError", "is_range", "number", "numbers", "require_keys"]

RANGE_KEYS = ("from", "to", "count", "step", "spacing")
EXAMPLE = '{ from = 1, to = 256, count = 16, spacing = "log" }, or with step = 8 in place of count'
MOST_VALUES = 10_000_000
"""Most values of one axis; more are taken for a mistake in its step."""


class StudyError(RidgelineError):
    """A study that cannot be run, or a folder that holds none; the message names the field and what to write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One axis of a study.

    Attributes:
        name: name of the axis, which is that of its column.
        values: values of the axis, in order.
    """

    name: str
    values: Sequence[Any]

    @property
    def size(self) -> int:
        """Number of values."""
        return len(self.values)


def is_range(raw: object) -> bool:
    """Whether a table of the file is a range, and not a table of further fields."""
    return isinstance(raw, dict) and "from" in raw


def require_keys(where: str, raw: dict[str, Any], allowed: Sequence[str]) -> None:
    """Refuse keys that are not known, and list those that are.

    Raises:
        StudyError: names them, and those that are.
    """
    if unknown := sorted(set(raw) - set(allowed)):
        raise StudyError(f"{where}: {', '.join(unknown)}: no key here; there are {', '.join(allowed)}")


def number(where: str, raw: object, dimension: str) -> float:
    """One quantity, as a number in base units or as text with its unit.

    Raises:
        StudyError: it is none of that dimension.
    """
    if isinstance(raw, bool) or not isinstance(raw, int | float | str):
        raise StudyError(f"{where}: {raw!r} is no quantity; write a number, a text with its unit, or {EXAMPLE}")
    if not isinstance(raw, str):
        if not math.isfinite(raw):
            raise StudyError(f"{where}: {raw!r} is not finite")
        return float(raw)
    try:
        return parse_quantity(raw, dimension)
    except QuantityError as error:
        raise StudyError(f"{where}: {error}") from None


def numbers(where: str, raw: object, dimension: str, *, whole: bool = False) -> tuple[float, ...]:
    """The values of an axis: one quantity, a list, or a range.

    Args:
        where: name of the file and field, for errors.
        raw: value of the field as read from the file.
        dimension: dimension of the quantities.
        whole: whether all values must be whole numbers; those of a range are rounded, each kept once.

    Raises:
        StudyError: it is none of these, is empty, or has a value twice.

    >>> numbers("batch", {"from": 1, "to": 64, "count": 4, "spacing": "log"}, "count", whole=True)
    (1, 4, 16, 64)
    """
    if isinstance(raw, dict):
        found = _ranged(where, raw, dimension)
        if whole:
            found = tuple(dict.fromkeys(float(round(value)) for value in found))
    else:
        listed = raw if isinstance(raw, list) else [raw]
        found = tuple(
            number(f"{where}[{at}]" if raw is listed else where, one, dimension) for at, one in enumerate(listed)
        )
    if not found:
        raise StudyError(f"{where}: is empty; give at least one value")
    if whole and any(value != int(value) for value in found):
        raise StudyError(f"{where}: {next(one for one in found if one != int(one))!r} is not a whole number")
    if len(set(found)) < len(found):
        raise StudyError(f"{where}: has a value twice; each is one place of the axis")
    return tuple(int(value) for value in found) if whole else found


def _ranged(where: str, raw: dict[str, Any], dimension: str) -> tuple[float, ...]:
    require_keys(where, raw, RANGE_KEYS)
    if "from" not in raw or "to" not in raw or ("count" in raw) == ("step" in raw):
        raise StudyError(f"{where}: a range has from, to and either count or step: {EXAMPLE}")
    first, last = (number(f"{where}.{end}", raw[end], dimension) for end in ("from", "to"))
    if last <= first:
        raise StudyError(f"{where}: to={raw['to']!r} is not above from={raw['from']!r}")
    spacing = raw.get("spacing", "linear")
    if spacing not in ("linear", "log") or (spacing == "log" and first <= 0):
        raise StudyError(f'{where}.spacing: {spacing!r} is neither "linear" nor, from above 0, "log"')
    if "step" in raw:
        if spacing == "log":
            raise StudyError(f'{where}: a step is linear; give count with spacing = "log"')
        step = number(f"{where}.step", raw["step"], dimension)
        if step <= 0 or (last - first) / step > MOST_VALUES:
            raise StudyError(f"{where}.step: {raw['step']!r} must be above 0, and give {MOST_VALUES:,} values at most")
        # The last value is among them where it is a whole number of steps away, but for rounding.
        return tuple((first + step * np.arange(math.floor((last - first) / step * (1 + 1e-12)) + 1)).tolist())
    count = raw["count"]
    if isinstance(count, bool) or not isinstance(count, int) or not 2 <= count <= MOST_VALUES:  # noqa: PLR2004  both ends
        raise StudyError(f"{where}.count: {count!r} is not a whole number from 2 to {MOST_VALUES:,}")
    spaced = np.linspace(first, last, count) if spacing == "linear" else np.geomspace(first, last, count)
    return tuple(spaced.tolist())
