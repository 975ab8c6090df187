"""Callbacks by which long work says how far it is; nothing is said where none is given."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Progress", "Report", "no_progress", "no_report"]

Progress = Callable[[int], object]
"""Callback that takes the number of further parts of the work that are done."""

Report = Callable[[str], object]
"""Callback that takes a line about what has just been done."""


def no_progress(_done: int) -> None:
    """Leave it unsaid how far the work is."""


def no_report(_line: str) -> None:
    """Leave it unsaid what was done."""
