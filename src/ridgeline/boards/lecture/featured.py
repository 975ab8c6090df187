"""Boards to begin with, for whoever comes without a question."""

from __future__ import annotations

__all__ = ["FEATURED"]

FEATURED = ("latency", "experts", "bubbles", "context", "feistel")
"""Names of boards in the lecture's order: the roofline, two racks, schedules, prices of contexts, a cipher."""
