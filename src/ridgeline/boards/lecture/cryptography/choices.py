"""A question with a few answers on reversible networks: what they still have to keep."""

from __future__ import annotations

from ridgeline.boards.choice import Choice, Sketch, nearest
from ridgeline.boards.walk import Seen, mark_named, upright
from ridgeline.quantity_text import format_number

__all__ = ["KEPT_AT_A_TIME"]


def _kept(seen: Seen) -> float:
    """Peak of a stack that can be undone over that of one which stores all."""
    undone, plain = (mark_named(seen, name).y for name in ("one layer kept", "all layers kept"))
    return undone / plain


def _kept_prompt(seen: Seen) -> str:
    plain = upright(seen, mark_named(seen, "all layers kept").y)
    layers = format_number(seen.values[seen.mode]["layers"])
    return (
        f"{layers} layers that store all they compute take {plain}. How much of that has to be kept at any time, if"
        " each layer's inputs come back from its outputs?"
    )


KEPT_AT_A_TIME = Choice(
    prompt=_kept_prompt,
    options=nearest(_kept, {"all of it": 1.0, "1/2 of it": 1 / 2, "1/8 of it": 1 / 8}),
    why="a layer's results are needed only while it runs backwards, and one layer does so at a time",
    sentences=2,
    terms=2,
    sketch=Sketch(asked="reversible", lines=("store all",), marks=("all layers kept",)),
)
