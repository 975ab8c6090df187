"""Questions with a few answers on pipelines: the longer traffic, a loop without gaps, and what interleaving saves."""

from __future__ import annotations

from itertools import count

from ridgeline.boards.choice import Choice, longest, nearest
from ridgeline.boards.lecture.pipelines import others
from ridgeline.boards.picture import Colour
from ridgeline.boards.walk import Seen
from ridgeline.equations import pipelines

__all__ = ["FILLED_LOOP", "INTERLEAVED", "LONGER_TRAFFIC"]


def _slower(seen: Seen) -> str:
    values = seen.values[seen.mode]
    return (
        f"The link to the next rack is {values['link_ratio']:g} times slower. A rack holds"
        f" {values['layers_per_stage']:g} layers, and in each a token goes to {values['copies_per_token']:g} experts."
        " Which takes longer?"
    )


def _both_ways(seen: Seen) -> str:
    values = seen.values[seen.mode]
    copies, layers = values["copies_per_token"], values["layers_per_stage"]
    return (
        f"{copies:g} copies go out and back in {layers:g} layers: {2 * copies * layers:g} transfers inside the rack,"
        " for one out of it"
    )


LONGER_TRAFFIC = Choice(
    prompt=_slower,
    options=longest(
        {
            "expert traffic in the rack": (others.hand_overs, Colour.LINKS),
            "the move to the next rack": (lambda _: 1.0, Colour.AWAY),
        }
    ),
    why=_both_ways,
    sentences=2,
    terms=1,
)


def _fewest(seen: Seen) -> float:
    """Least number of batches in flight with which no stage of the loop idles."""
    stages = seen.values[seen.mode]["stages"]
    return float(next(one for one in count(1) if pipelines.idle_fraction(stages=stages, micro_batches=one) <= 0))


FILLED_LOOP = Choice(
    prompt=lambda seen: (
        f"How many batches must be under way so that none of the {seen.values[seen.mode]['stages']:g} racks ever waits?"
    ),
    options=nearest(_fewest, {"2 batches": 2.0, "4 batches": 4.0, "8 batches": 8.0}),
    why="in each turn every rack then has one batch, and hands it to the next rack",
    sentences=2,
    terms=1,
)


def _interleaved(seen: Seen) -> float:
    """Bubble of passes in turn over that of all forward passes first."""
    all_forward, in_turn, _ = others.played(seen)
    return in_turn.bubble_fraction / all_forward.bubble_fraction


def _interleaved_prompt(seen: Seen) -> str:
    values = seen.values[seen.mode]
    return (
        f"Take {values['stages']:g} racks, {values['micro_batches']:g} micro-batches, and alternate forward and"
        " backward passes. How large is the bubble, compared with all forward passes first?"
    )


INTERLEAVED = Choice(
    prompt=_interleaved_prompt,
    options=nearest(_interleaved, {"as large": 1.0, "half as large": 0.5, "gone": 0.0}),
    why="the last rack waits for the first forward pass, the first for the last backward pass",
    sentences=1,
)
