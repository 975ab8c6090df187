"""Chapter on how experts are spread over racks: 0:31:59."""

from __future__ import annotations

from ridgeline.boards.chapter import Chapter
from ridgeline.boards.lecture.layouts import (
    cards,
    claims,
    claims_layer,
    cuts,
    domains,
    exercises,
    experts,
    moe_layer,
    racks,
    scale_out,
    switches,
    walk,
    wires,
)

__all__ = ["CHAPTER"]

CHAPTER = Chapter(
    name="layouts",
    title="How experts are spread over racks",
    label="experts on racks",
    question="On which chips do hundreds of experts sit, and why do racks grow?",
    time_stamp="0:31:59",
    boards=(
        moe_layer.BOARD,
        experts.BOARD,
        switches.BOARD,
        scale_out.BOARD,
        racks.BOARD,
        wires.BOARD,
        domains.BOARD,
        cuts.BOARD,
    ),
    claims=claims.CLAIMS + claims_layer.CLAIMS,
    exercises=exercises.EXERCISES,
    cards=cards.CARDS,
    steps=walk.STEPS,
)
