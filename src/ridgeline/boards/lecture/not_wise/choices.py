"""A question with a few answers on what a pipeline saves."""

from __future__ import annotations

from ridgeline.boards.choice import Choice, nearest
from ridgeline.boards.lecture.not_wise.others import racks_in_a_row
from ridgeline.boards.walk import Seen

__all__ = ["CACHE_HELD"]


def _held(seen: Seen) -> float:
    """KV cache of a chip on the racks of the step, over what it holds on one."""
    picture = racks_in_a_row(seen)
    cache = picture.parts[1].held
    return cache[picture.here] / cache[0]


def _held_prompt(seen: Seen) -> str:
    picture = racks_in_a_row(seen)
    return (
        f"On {picture.counts[0]} rack a chip holds {picture.parts[1].held_text[0]} of KV cache. How much does it hold"
        f" with {picture.counts[picture.here]} racks in a row, all of them busy?"
    )


def _held_why(seen: Seen) -> str:
    picture = racks_in_a_row(seen)
    racks = picture.counts[picture.here]
    return f"1/{racks} of the layers, but {racks} times as many sequences"


CACHE_HELD = Choice(
    prompt=_held_prompt,
    options=nearest(_held, {"just as much": 1.0, "half as much": 0.5, "1/8 as much": 1 / 8}),
    why=_held_why,
    sentences=2,
    terms=3,
)
