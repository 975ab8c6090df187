"""What API prices give away: 1:32:52."""

from __future__ import annotations

from ridgeline.boards import old
from ridgeline.boards.chapter import Chapter
from ridgeline.boards.lecture.prices import (
    cards_contexts,
    claims_crossover,
    claims_long,
    context,
    exercises_contexts,
    exercises_prices,
    kv_bytes,
    kv_shapes,
    long_context,
)

__all__ = ["CHAPTER"]

CLAIMS = (
    *claims_crossover.CLAIMS,
    *claims_long.CLAIMS,
    *old.claims("D6", "D7", "D8", "D12", "D13", "D14", "D15", "D16", "D17"),
)

CHAPTER = Chapter(
    name="prices",
    title="What API prices give away",
    time_stamp="1:32:52",
    boards=(
        context.BOARD,
        kv_bytes.BOARD,
        kv_shapes.BOARD,
        *old.boards("prefill"),
        long_context.BOARD,
        *old.boards("tiers"),
    ),
    claims=tuple(sorted(CLAIMS, key=lambda one: int(one.id.removeprefix("D")))),
    exercises=(
        *exercises_contexts.EXERCISES,
        *exercises_prices.EXERCISES,
        *old.exercises("prices-decode-over-prefill", "prices-hits", "tiers"),
    ),
    cards=cards_contexts.CARDS,
)
