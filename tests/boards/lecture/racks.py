"""A step of the walk and the rack beside it, as tests look at them."""

from __future__ import annotations

from ridgeline.boards.board import Mode, Values
from ridgeline.boards.colour import Colour
from ridgeline.boards.lecture import CHAPTERS, CLAIMS, board
from ridgeline.boards.rack import RackPicture, Standing
from ridgeline.boards.walk import Seen, Step, question_x, see

__all__ = ["EXACT", "STEPS", "asked_at", "held", "known_at", "painted", "rack_of", "said", "seen_at", "spent"]

STEPS = {
    f"{step.board}-{step.time_stamp}": step for chapter in CHAPTERS for step in chapter.steps if step.rack is not None
}
CLAIMS_BY_ID = {claim.id: claim for claim in CLAIMS}

EXACT = 1e-9
"""Of straight lines, read between two of their points."""


def seen_at(name: str, view: int | None = None) -> tuple[Seen, RackPicture]:
    """A step, or another view of its board, and its rack."""
    step = STEPS[name]
    one = board(step.board)
    seen = see(step, one, CLAIMS_BY_ID)
    rack = rack_of(step, seen.mode, seen.values[seen.mode])
    if view is None:
        return seen, rack
    other = one.views[view]
    pictures = {mode: other.compute(seen.values[mode]) for mode in Mode}
    return Seen(board=one, view=other, mode=seen.mode, values=seen.values, pictures=pictures, claims=seen.claims), rack


def known_at(name: str) -> tuple[Seen, RackPicture]:
    """A step before its question is answered."""
    step, one = STEPS[name], board(STEPS[name].board)
    seen = see(step, one, CLAIMS_BY_ID)
    assert step.known is not None
    at = Standing(board=one, mode=seen.mode, values=seen.values[seen.mode], facts=one.facts())
    return seen, step.known(at)


def rack_of(step: Step, mode: Mode, values: Values) -> RackPicture:
    one = board(step.board)
    assert step.rack is not None
    return step.rack(Standing(board=one, mode=mode, values=values, facts=one.facts()))


def said(rack: RackPicture) -> str:
    return "".join(word.text for word in rack.words)


def spent(rack: RackPicture, colour: Colour, cabinet: int = 0) -> float:
    """Part of the drawn time that a chip is busy with something."""
    found = [one for track in rack.cabinets[cabinet].tracks for one in track.busy if one.colour is colour]
    return sum(one.end - one.start for one in found)


def held(rack: RackPicture, colour: Colour, cabinet: int = 0) -> float:
    return sum(one.fraction for one in rack.cabinets[cabinet].memory if one.colour is colour)


def painted(rack: RackPicture, colour: Colour, cabinet: int = 0) -> float:
    """Part of the chips that stand out in a colour."""
    one = rack.cabinets[cabinet]
    return sum(len(paint.chips) for paint in one.painted if paint.colour is colour) / one.chips


def asked_at(name: str) -> float:
    """Where along the question of a step asks."""
    question = STEPS[name].question
    assert question is not None
    step = STEPS[name]
    return question_x(question, see(step, board(step.board), CLAIMS_BY_ID))
