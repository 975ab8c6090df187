"""Chapter on why pipelining is not wise: 1:03:27."""

from __future__ import annotations

from ridgeline.boards.chapter import Chapter
from ridgeline.boards.lecture.not_wise import hop, memory, memory_wall, not_wise, uneven_stages
from ridgeline.boards.lecture.not_wise.cards import CARDS
from ridgeline.boards.lecture.not_wise.claims import CLAIMS
from ridgeline.boards.lecture.not_wise.exercises import EXERCISES
from ridgeline.boards.lecture.not_wise.walk import STEPS

__all__ = ["CHAPTER"]

CHAPTER = Chapter(
    name="not_wise",
    title="Why pipelining is not wise",
    label="why not pipeline",
    question="If pipelines make room for any model, what were models waiting for?",
    time_stamp="1:03:27",
    boards=(uneven_stages.BOARD, not_wise.BOARD, memory.BOARD, memory_wall.BOARD, hop.BOARD),
    claims=CLAIMS,
    exercises=EXERCISES,
    cards=CARDS,
    steps=STEPS,
)
