"""What API prices give away: 1:32:52."""

from __future__ import annotations

from ridgeline.boards import old
from ridgeline.boards.chapter import Chapter

__all__ = ["CHAPTER"]

CHAPTER = Chapter(
    name="prices",
    title="What API prices give away",
    time_stamp="1:32:52",
    boards=old.boards("context", "prefill", "tiers", "long-context"),
    claims=old.claims(
        "D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10", "D11", "D12", "D13", "D14", "D15", "D16", "D17"
    ),
    exercises=old.exercises("prices", "tiers", "contexts"),
)
