"""Chapter on how a pipeline spreads layers over racks: 0:47:02."""

from __future__ import annotations

from ridgeline.boards.chapter import Chapter
from ridgeline.boards.lecture.pipelines import bubbles, inference_loop, stages, training_batch
from ridgeline.boards.lecture.pipelines.cards import CARDS
from ridgeline.boards.lecture.pipelines.claims import CLAIMS
from ridgeline.boards.lecture.pipelines.exercises import EXERCISES
from ridgeline.boards.lecture.pipelines.walk import STEPS

__all__ = ["CHAPTER"]

CHAPTER = Chapter(
    name="pipelines",
    title="How a pipeline spreads layers over racks",
    label="pipelining",
    question="Can a model be spread over several racks, layer by layer, and what does that cost?",
    time_stamp="0:47:02",
    boards=(stages.BOARD, inference_loop.BOARD, bubbles.BOARD, training_batch.BOARD),
    claims=CLAIMS,
    exercises=EXERCISES,
    cards=CARDS,
    steps=STEPS,
)
