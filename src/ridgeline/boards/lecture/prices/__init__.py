"""What API prices give away: 1:32:52."""

from __future__ import annotations

from ridgeline.boards import old
from ridgeline.boards.chapter import Chapter
from ridgeline.boards.lecture.prices import (
    cards_caches,
    claims_caches,
    claims_prefill,
    exercises_caches,
    prefill,
    tiers,
)

__all__ = ["CHAPTER"]

TAKEN_OVER = {one.id for one in exercises_caches.EXERCISES}

CHAPTER = Chapter(
    name="prices",
    title="What API prices give away",
    time_stamp="1:32:52",
    boards=(*old.boards("context"), prefill.BOARD, tiers.BOARD, *old.boards("long-context")),
    claims=(
        *old.claims("D1", "D2", "D3", "D4", "D5"),
        *claims_prefill.CLAIMS,
        *old.claims("D9", "D10", "D11"),
        *claims_caches.CLAIMS,
    ),
    exercises=(
        *(one for one in old.exercises("prices", "contexts") if one.id not in TAKEN_OVER),
        *exercises_caches.EXERCISES,
    ),
    cards=cards_caches.CARDS,
)
