"""Chapter on how the batch size affects cost and speed: 0:00:00."""

from __future__ import annotations

from ridgeline.boards.chapter import Chapter
from ridgeline.boards.claim import Claim
from ridgeline.boards.lecture.batch import (
    cards_roofline,
    cards_trains,
    claims_balance,
    claims_contexts,
    claims_departures,
    claims_modes,
    claims_roofline,
    claims_sparsity,
    cost,
    departures,
    exercises_cost,
    exercises_departures,
    exercises_modes,
    exercises_roofline,
    exercises_sparsity,
    latency,
    modes,
    quality,
    ratio,
    sparse,
    tokens,
    utilisation,
    walk,
)

__all__ = ["CHAPTER"]


def _place(claim: Claim) -> tuple[int, str]:
    """Sort key of the ledger's order: A8, then A8q, then A9."""
    return int("".join(filter(str.isdigit, claim.id))), claim.id


CHAPTER = Chapter(
    name="batch",
    title="How the batch size affects cost and speed",
    label="batch size",
    question="What does the extra money for a fast mode buy, and how many sequences make a token cheap?",
    time_stamp="0:00:00",
    boards=(
        modes.BOARD,
        latency.BOARD,
        utilisation.BOARD,
        sparse.BOARD,
        cost.BOARD,
        ratio.BOARD,
        departures.BOARD,
        tokens.BOARD,
        quality.BOARD,
    ),
    claims=tuple(
        sorted(
            (
                *claims_roofline.CLAIMS,
                *claims_balance.CLAIMS,
                *claims_modes.CLAIMS,
                *claims_contexts.CLAIMS,
                *claims_departures.CLAIMS,
                *claims_sparsity.CLAIMS,
                *claims_departures.FLEET_CLAIMS,
                *claims_sparsity.LATER_CLAIMS,
            ),
            key=_place,
        )
    ),
    exercises=(
        *exercises_roofline.EXERCISES,
        *exercises_cost.EXERCISES,
        *exercises_modes.EXERCISES,
        *exercises_sparsity.EXERCISES,
        *exercises_departures.EXERCISES,
        *exercises_modes.CONTEXTS,
    ),
    cards=(*cards_roofline.CARDS, *cards_trains.CARDS),
    steps=walk.STEPS,
)
