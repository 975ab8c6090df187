"""How the batch size affects cost and speed: 0:00:00."""

from __future__ import annotations

from ridgeline.boards import old
from ridgeline.boards.chapter import Chapter
from ridgeline.boards.lecture.batch import claims_roofline, departures, latency, quality, tokens

__all__ = ["CHAPTER"]

CHAPTER = Chapter(
    name="batch",
    title="How the batch size affects cost and speed",
    time_stamp="0:00:00",
    boards=(latency.BOARD, *old.boards("cost", "sparse"), departures.BOARD, tokens.BOARD, quality.BOARD),
    claims=(
        *old.claims("A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A8q", "A9", "A10"),
        *claims_roofline.CLAIMS,
        *old.claims(
            "A12", "A13", "A14", "A15", "A16", "A17", "A18", "A19", "A20", "A21", "A22", "A23", "A24", "A25", "A26"
        ),
    ),
    exercises=old.exercises(
        "roofline", "modes", "sparsity", "departures", "contexts-square-root", "contexts-blocks", "contexts-indexer"
    ),
)
