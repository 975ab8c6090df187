"""Fitted numbers in TOML: ``{ value = 0.79, log_sd = 0.02, rows = 210 }``; plain where no row determines them."""

from __future__ import annotations

import json
from dataclasses import field
from typing import TYPE_CHECKING, Annotated, Any

from ridgeline.catalog.facts import FactFile, at_least

if TYPE_CHECKING:
    from pydantic import ValidationInfo

__all__ = ["CALIBRATE_AGAIN", "FittedFile", "Uncertainty", "number_text", "text_text"]

CALIBRATE_AGAIN = "where an earlier version wrote it, calibrate again: ridgeline calibrate CASES.csv --replace"
"""Advice on a profile that cannot be read."""


class Uncertainty(FactFile):
    """Uncertainty of a fitted number.

    Attributes:
        log_sd: standard deviation of its logarithm; a lower bound, since rows are taken as independent.
        rows: measured rows that move it.
    """

    log_sd: Annotated[float, at_least(0)]
    rows: Annotated[int, at_least(1)]


class FittedFile(FactFile):
    """A file of fitted numbers, read into plain values.

    Attributes:
        uncertainty: uncertainty of the values, by path, such as ``gemm.fraction.bf16``.
    """

    uncertainty: dict[str, Uncertainty] = field(default_factory=dict)

    @classmethod
    def before(cls, raw: Any, info: ValidationInfo) -> Any:  # noqa: ANN401, ARG003  whatever the file holds
        """Raw values with plain numbers, and their uncertainty separately."""
        if not isinstance(raw, dict):
            return raw
        if "uncertainty" in raw:
            raise ValueError("has a table [uncertainty]; it stands with each number: { value = ..., log_sd = ... }")
        uncertainty: dict[str, Any] = {}
        values = {name: _plain(value, name, uncertainty) for name, value in raw.items()}
        return {**values, "uncertainty": uncertainty}


def _plain(raw: Any, place: str, uncertainty: dict[str, Any]) -> Any:  # noqa: ANN401  a table, a list or a value
    """A table without the uncertainty of its numbers, which goes to ``uncertainty``."""
    if not isinstance(raw, dict):
        return raw
    if "value" not in raw:
        return {name: _plain(value, f"{place}.{name}", uncertainty) for name, value in raw.items()}
    uncertainty[place] = {name: value for name, value in raw.items() if name != "value"}
    return raw["value"]


def number_text(value: float, uncertainty: Uncertainty | None) -> str:
    """A number in the form of the file, to four digits."""
    if uncertainty is None:
        return f"{value:.4g}"
    return f"{{ value = {value:.4g}, log_sd = {uncertainty.log_sd:.3g}, rows = {uncertainty.rows} }}"


def text_text(text: str) -> str:
    """Text in the form of the file: JSON's quoting is valid TOML."""
    return json.dumps(text, ensure_ascii=False)
