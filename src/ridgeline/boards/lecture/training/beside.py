"""The rack beside this chapter's steps: what its chips' time goes to in a model's life."""

from __future__ import annotations

from itertools import accumulate, pairwise

from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.training.budget import split_of
from ridgeline.boards.lecture.training.laws import BESIROGLU
from ridgeline.boards.picture import Colour
from ridgeline.boards.rack import Paint, RackPicture, Standing, cabinets, number, words
from ridgeline.quantity_text import format_quantity

__all__ = ["shared"]

PHASES = {"pre-training": Colour.COMPUTE, "reinforcement learning": Colour.OTHER, "serving": Colour.ALSO}
"""In their order, in the colours of the board's lines."""


def shared(at: Standing) -> RackPicture:
    """Chips by what they would be busy with, if each phase had its own for as long as the model lives."""
    phases = split_of(at.values, BESIROGLU).phases(at.values["active_params"])
    costs = float(phases.pretraining), float(phases.rl), float(phases.serving)
    parts = dict(zip(PHASES, (cost / float(phases.total) for cost in costs), strict=True))
    (rack,) = cabinets(1, chips=number(at, controls.chips()))
    ends = [round(rack.chips * part) for part in accumulate(parts.values(), initial=0.0)]
    painted = tuple(
        Paint(colour=colour, chips=tuple(range(start, end)))
        for colour, (start, end) in zip(PHASES.values(), pairwise(ends), strict=True)
    )
    first, second, third = ((f"{_part(parts[name])} {name}", colour) for name, colour in PHASES.items())
    return RackPicture(
        cabinets=(type(rack)(chips=rack.chips, painted=painted),),
        words=words("A rack's time over the life of the model: ", first, ", ", second, " and ", third, "."),
    )


def _part(fraction: float) -> str:
    return format_quantity(fraction, "fraction", 2)
