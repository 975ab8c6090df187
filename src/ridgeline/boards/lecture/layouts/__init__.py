"""How experts are laid over racks: 0:31:59."""

from __future__ import annotations

from ridgeline.boards import old
from ridgeline.boards.chapter import Chapter

__all__ = ["CHAPTER"]

CHAPTER = Chapter(
    name="layouts",
    title="How experts are laid over racks",
    time_stamp="0:31:59",
    boards=old.boards("experts", "scale-out", "racks", "wires", "cuts"),
    claims=old.claims("B1", "B2", "B3", "B4", "B5", "B6", "B7"),
    exercises=old.exercises("racks"),
)
