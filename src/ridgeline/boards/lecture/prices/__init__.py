"""Chapter on what API prices reveal: 1:32:52."""

from __future__ import annotations

from ridgeline.boards.chapter import Chapter
from ridgeline.boards.lecture.prices import (
    cards_caches,
    cards_contexts,
    claims_caches,
    claims_crossover,
    claims_long,
    claims_prefill,
    context,
    exercises_caches,
    exercises_contexts,
    exercises_evidence,
    exercises_prices,
    hits,
    kv_bytes,
    kv_shapes,
    long_context,
    output_evidence,
    prefill,
    step_evidence,
    tier_evidence,
    tiers,
    walk,
)

__all__ = ["CHAPTER"]

CLAIMS = (*claims_crossover.CLAIMS, *claims_prefill.CLAIMS, *claims_long.CLAIMS, *claims_caches.CLAIMS)

CHAPTER = Chapter(
    name="prices",
    title="What API prices give away",
    label="API prices",
    question="What does a price list say about the machine behind it?",
    time_stamp="1:32:52",
    boards=(
        context.BOARD,
        kv_bytes.BOARD,
        step_evidence.BOARD,
        kv_shapes.BOARD,
        prefill.BOARD,
        output_evidence.BOARD,
        long_context.BOARD,
        tiers.BOARD,
        tier_evidence.BOARD,
        hits.BOARD,
    ),
    claims=tuple(sorted(CLAIMS, key=lambda one: int(one.id.removeprefix("D")))),
    exercises=(
        *exercises_contexts.EXERCISES,
        *exercises_prices.EXERCISES,
        *exercises_caches.EXERCISES,
        *exercises_evidence.EXERCISES,
    ),
    cards=(*cards_contexts.CARDS, *cards_caches.CARDS),
    steps=walk.STEPS,
)
