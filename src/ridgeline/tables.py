"""Records as rows of a table, for pandas and kin: plain values under flat names."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import Enum
from typing import Any

from ridgeline.errors import RidgelineError

__all__ = ["flat_row", "frame"]


def flat_row(record: Any, *, without: frozenset[str] = frozenset()) -> dict[str, Any]:  # noqa: ANN401  any dataclass
    """A record as one row; fields of records and mappings within it are named after both, unless their names begin so.

    Args:
        record: dataclass that becomes a row.
        without: names of fields to leave out.

    >>> Link = dataclasses.make_dataclass("Link", ["name", "rates"])
    >>> flat_row(Link("scale_up", {"send": 0.8, "gather": 0.7}), without=frozenset({"name"}))
    {'rates_send': 0.8, 'rates_gather': 0.7}
    >>> flat_row(Link("scale_up", {"rates_mean": 0.75}), without=frozenset({"name"}))
    {'rates_mean': 0.75}
    """
    fields = {field.name: getattr(record, field.name) for field in dataclasses.fields(record)}
    return _flat({name: value for name, value in fields.items() if name not in without})


def _flat(fields: Mapping[Any, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for name, value in fields.items():
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            row |= _named_after(name, flat_row(value))
        elif isinstance(value, Mapping):
            row |= _named_after(name, _flat(value))
        else:
            row[name.value if isinstance(name, Enum) else str(name)] = value.value if isinstance(value, Enum) else value
    return row


def _named_after(name: Any, row: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ANN401  any mapping's key
    return {inner if inner.startswith(f"{name}_") else f"{name}_{inner}": held for inner, held in row.items()}


def frame(columns: Mapping[str, Any]) -> Any:  # noqa: ANN401  a pandas.DataFrame, whose library is no dependency
    """Columns as a ``pandas.DataFrame``.

    Raises:
        RidgelineError: pandas is not there.
    """
    try:
        import pandas as pd  # noqa: PLC0415  no dependency, and slow to import
    except ModuleNotFoundError:
        raise RidgelineError("a data frame needs pandas: pip install pandas") from None
    return pd.DataFrame(columns)
