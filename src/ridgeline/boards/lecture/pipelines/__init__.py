"""How a pipeline spreads layers over racks: 0:47:02."""

from __future__ import annotations

from ridgeline.boards import old
from ridgeline.boards.chapter import Chapter

__all__ = ["CHAPTER"]

CHAPTER = Chapter(
    name="pipelines",
    title="How a pipeline spreads layers over racks",
    time_stamp="0:47:02",
    boards=old.boards("stages", "bubbles"),
    claims=old.claims("B8", "B9", "B10", "B11", "B12"),
    exercises=old.exercises("pipelines"),
)
