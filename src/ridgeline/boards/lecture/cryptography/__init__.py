"""What networks and ciphers share: 2:03:52."""

from __future__ import annotations

from ridgeline.boards import old
from ridgeline.boards.chapter import Chapter

__all__ = ["CHAPTER"]

CHAPTER = Chapter(
    name="cryptography",
    title="What networks and ciphers share",
    time_stamp="2:03:52",
    boards=old.boards("ciphers", "reversible"),
    claims=old.claims("E1", "E2", "E3", "E4", "E5", "E6", "E7", "E8", "E9"),
    exercises=old.exercises("ciphers"),
)
