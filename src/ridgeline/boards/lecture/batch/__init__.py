"""How the batch size affects cost and speed: 0:00:00."""

from __future__ import annotations

from ridgeline.boards import old
from ridgeline.boards.chapter import Chapter
from ridgeline.boards.claim import Claim
from ridgeline.boards.lecture.batch import (
    cards_trains,
    claims_departures,
    claims_roofline,
    claims_sparsity,
    departures,
    exercises_departures,
    exercises_sparsity,
    latency,
    quality,
    tokens,
)

__all__ = ["CHAPTER"]


def _place(claim: Claim) -> tuple[int, str]:
    """In the ledger's order: A8, then A8q, then A9."""
    return int("".join(filter(str.isdigit, claim.id))), claim.id


CHAPTER = Chapter(
    name="batch",
    title="How the batch size affects cost and speed",
    time_stamp="0:00:00",
    boards=(latency.BOARD, *old.boards("cost", "sparse"), departures.BOARD, tokens.BOARD, quality.BOARD),
    claims=tuple(
        sorted(
            (
                *claims_roofline.CLAIMS,
                *old.claims("A4", "A7", "A8", "A8q", "A9", "A13", "A21", "A22"),
                *claims_departures.CLAIMS,
                *claims_sparsity.CLAIMS,
                *claims_departures.FLEET_CLAIMS,
                *claims_sparsity.LATER_CLAIMS,
            ),
            key=_place,
        )
    ),
    exercises=(
        *old.exercises("roofline", "modes"),
        *exercises_sparsity.EXERCISES,
        *exercises_departures.EXERCISES,
        *old.exercises("contexts-square-root", "contexts-blocks", "contexts-indexer"),
    ),
    cards=(*cards_trains.CARDS,),
)
