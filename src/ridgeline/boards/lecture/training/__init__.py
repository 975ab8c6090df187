"""Chapter on why models are trained far beyond Chinchilla: 1:18:49."""

from __future__ import annotations

from ridgeline.boards.chapter import Chapter
from ridgeline.boards.lecture.training import (
    budget,
    cards,
    claims_budget,
    claims_over_training,
    exercises,
    over_training,
    walk,
)

__all__ = ["CHAPTER"]

CHAPTER = Chapter(
    name="training",
    title="Why models are trained far beyond Chinchilla",
    label="over-training",
    question="How large should a model be that is trained once and then serves millions?",
    time_stamp="1:18:49",
    boards=(budget.BOARD, over_training.BOARD),
    claims=(*claims_budget.CLAIMS, *claims_over_training.CLAIMS),
    exercises=exercises.EXERCISES,
    cards=cards.CARDS,
    steps=walk.STEPS,
)
