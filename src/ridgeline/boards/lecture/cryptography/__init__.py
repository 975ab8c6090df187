"""Chapter on common structures of networks and ciphers: 2:03:52."""

from __future__ import annotations

from ridgeline.boards.chapter import Chapter
from ridgeline.boards.lecture.cryptography import (
    cards,
    ciphers,
    claims_ciphers,
    claims_memory,
    duality,
    exercises,
    feistel,
    reversible,
    walk,
)

__all__ = ["CHAPTER"]

CHAPTER = Chapter(
    name="cryptography",
    title="What networks and ciphers share",
    label="ciphers",
    question="What has a network that finds structure in common with a cipher that hides it?",
    time_stamp="2:03:52",
    boards=(ciphers.BOARD, feistel.BOARD, reversible.BOARD, duality.BOARD),
    claims=claims_ciphers.CLAIMS + claims_memory.CLAIMS,
    exercises=exercises.EXERCISES,
    cards=cards.CARDS,
    steps=walk.STEPS,
)
