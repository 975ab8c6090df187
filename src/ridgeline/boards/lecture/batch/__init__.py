"""How the batch size affects cost and speed: 0:00:00."""

from __future__ import annotations

from ridgeline.boards import old
from ridgeline.boards.chapter import Chapter
from ridgeline.boards.lecture.batch import (
    cards_trains,
    claims_departures,
    claims_roofline,
    claims_sparsity,
    cost,
    departures,
    exercises_departures,
    exercises_sparsity,
    latency,
    modes,
    quality,
    ratio,
    sparse,
    tokens,
    utilisation,
)

__all__ = ["CHAPTER"]

CHAPTER = Chapter(
    name="batch",
    title="How the batch size affects cost and speed",
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
    claims=(
        *old.claims("A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A8q", "A9", "A10"),
        *claims_roofline.CLAIMS,
        *old.claims("A12", "A13", "A14"),
        *claims_departures.CLAIMS,
        *old.claims("A20", "A21", "A22"),
        *claims_sparsity.CLAIMS,
        *old.claims("A25"),
        *claims_departures.FLEET_CLAIMS,
        *claims_sparsity.LATER_CLAIMS,
    ),
    exercises=(
        *old.exercises("roofline", "modes"),
        *exercises_sparsity.EXERCISES,
        *exercises_departures.EXERCISES,
        *old.exercises("contexts-square-root", "contexts-blocks", "contexts-indexer"),
    ),
    cards=(*cards_trains.CARDS,),
)
