"""Style of all pictures: slide size, a font that comes along, and bytes that depend on nothing but the result."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import matplotlib as mpl

__all__ = ["DPI", "SIZE_INCHES", "style"]

SIZE_INCHES = (40 / 3, 7.5)
"""A slide of 16 to 9."""
DPI = 150


@contextmanager
def style() -> Iterator[None]:
    """Context with our settings alone, whatever a user's own matplotlibrc says."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(
            {
                "font.family": "DejaVu Sans",
                "font.size": 13,
                "svg.fonttype": "path",
                "svg.hashsalt": "ridgeline",
                "text.parse_math": False,  # a dollar is a dollar
            }
        )
        yield
