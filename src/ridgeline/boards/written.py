"""Metadata of a picture record's fields that a document has in another form, or not at all.

A record of a picture is its document, field by field in their order, and the page's type of it.
"""

from __future__ import annotations

from functools import partial
from typing import Final

__all__ = ["FLAT", "LEFT_OUT", "LOOKED_AT", "LOOKED_AT_CLOSELY", "OPTIONAL", "WHERE_GIVEN", "WRITTEN", "flat"]

DIGITS, MORE_DIGITS = 4, 5
"""Decimals of numbers, and of small ones."""

WRITTEN: Final = "written"
"""Metadata key of the function that writes a field's value into a document; None for a field that no document has."""
OPTIONAL: Final = "optional"
"""Metadata key of fields that a document has only where they are not None."""


def flat(name: str) -> str:
    """A name without the ends of lines that a figure needs."""
    return name.replace("\n", " ")


def _rounded(value: float | tuple[float, ...], digits: int = DIGITS) -> float | tuple[float, ...]:
    return tuple(round(one, digits) for one in value) if isinstance(value, tuple) else round(value, digits)


FLAT: Final = {WRITTEN: flat}
"""Text on one line."""
LOOKED_AT: Final = {WRITTEN: _rounded}
"""Number with as many digits as one can see, for heights and lights that are read off by eye alone."""
LOOKED_AT_CLOSELY: Final = {WRITTEN: partial(_rounded, digits=MORE_DIGITS)}
"""Number with more digits, for small parts of a whole, such as one chip's of all visits."""
LEFT_OUT: Final = {WRITTEN: None}
"""Field that a picture is made by, and that is not drawn itself."""
WHERE_GIVEN: Final = {OPTIONAL: True}
"""Field in a document only where it is not None."""
