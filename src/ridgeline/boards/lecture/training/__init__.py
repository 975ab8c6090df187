"""Why models are trained far beyond Chinchilla: 1:18:49."""

from __future__ import annotations

from ridgeline.boards import old
from ridgeline.boards.chapter import Chapter

__all__ = ["CHAPTER"]

CHAPTER = Chapter(
    name="training",
    title="Why models are trained far beyond Chinchilla",
    time_stamp="1:18:49",
    boards=old.boards("over-training", "budget"),
    claims=old.claims("C0", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10", "C11", "C12", "C13"),
    exercises=old.exercises("training"),
)
