"""Why pipelining is not wise: 1:03:27."""

from __future__ import annotations

from ridgeline.boards import old
from ridgeline.boards.chapter import Chapter

__all__ = ["CHAPTER"]

CHAPTER = Chapter(
    name="not_wise",
    title="Why pipelining is not wise",
    time_stamp="1:03:27",
    boards=old.boards("memory"),
    claims=old.claims("B13", "B14", "B15", "B16", "B17", "B18"),
    exercises=old.exercises("memory"),
)
