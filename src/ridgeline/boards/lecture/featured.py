"""Boards to begin with, for whoever comes without a question, and the view that each is known by."""

from __future__ import annotations

__all__ = ["FEATURED", "PICTURED"]

FIRST = "cost"
"""Name of the board of the first view."""

FEATURED = ("latency", "experts", "bubbles", "context", "feistel")
"""Names of boards in the lecture's order: the roofline, two racks, schedules, prices of contexts, a cipher."""

PICTURED = {"racks": 2, "inference-loop": 1, "memory": 2, "prefill": 1}
"""Views that boards are known by where that is not their first, by board."""
