"""The walk from 0:51:00: layers over racks, a loop without gaps, and the gap that training leaves."""

from __future__ import annotations

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture.pipelines import beside
from ridgeline.boards.picture import Colour
from ridgeline.boards.scene import Gantt
from ridgeline.boards.walk import FINE, Question, Seen, Step, at_mark, height, mark_named, upright
from ridgeline.quantity_text import format_quantity
from ridgeline.training.schedules import find_schedule

__all__ = ["STEPS"]

IN_TURN = find_schedule("1f1b").name

MANY = 16
"""Micro-batches: the most that the drawing has."""


def _one_layer(seen: Seen) -> str:
    his = mark_named(seen, "enough layers, bytes alike", Mode.LECTURE).x
    ours = mark_named(seen, "enough layers, bytes as sent", Mode.CAREFUL).x
    return (
        "Layers, though, can be spread over racks: inside a layer a token visits many experts and comes back, but it"
        f" moves to the next rack only once. With {his:g} layer per rack, or {ours:g} on GB200, the expert traffic"
        " hides the move."
    )


def _bubble_prompt(seen: Seen) -> str:
    values = seen.values[seen.mode]
    return (
        f"{values['stages']:g} racks, and {values['micro_batches']:g} micro-batches per step. What share of the time"
        " is a rack idle?"
    )


def _bubble_reveal(seen: Seen) -> str:
    return (
        f"{upright(seen, mark_named(seen, 'training').y)}. More micro-batches shrink the bubble, to"
        f" {upright(seen, height(seen, 'training', MANY))} with {MANY} of them, but never close it the way the loop of"
        " inference does."
    )


def _parted_bubble(seen: Seen) -> str:
    picture = seen.pictures[seen.mode]
    if not isinstance(picture, Gantt):
        raise TypeError(f"schedules are asked of a view of {type(picture).__name__}; ask the first of the board")
    (in_turn,) = (one for one in picture.played if one.name == IN_TURN)
    idle = format_quantity(in_turn.bubble_fraction, "fraction")
    return (
        f"Interleaving forward and backward passes avoids the bubble, he says. Here our numbers differ: 1F1B, one of"
        f" each in turn, still idles {idle} of the time and only saves memory; it takes a zero-bubble schedule to fill"
        " the gap."
    )


STEPS = (
    Step(
        board="stages",
        view=1,
        time_stamp="0:51:00",
        rack=beside.handed_on,
        modes=(Mode.LECTURE, Mode.CAREFUL),
        sentence=_one_layer,
        named={"the expert traffic": Colour.BOUND, "the move": Colour.ASIDE},
        claims=("B8",),
    ),
    Step(
        board="not-wise",
        view=1,
        time_stamp="0:54:27",
        sentence="Not so fast, says Dwarkesh Patel: as Ilya Sutskever put it, we now know that pipelining is not wise."
        " Stages idle, and layers that look back at earlier ones are hard to split; a hassle, Pope admits, with some"
        " benefits.",
        named={"look back at earlier ones": Colour.BOUND},
        claims=("B35", "B36"),
    ),
    Step(
        board="inference-loop",
        view=1,
        time_stamp="0:58:00",
        rack=beside.round_the_loop,
        sentence="A single batch would leave three racks of four idle. But the next batch can follow right behind, and"
        " each one goes back to the front for its next token: a loop in which no rack waits.",
        claims=("B9", "B11"),
    ),
    Step(
        board="bubbles",
        view=1,
        time_stamp="0:59:00",
        rack=beside.all_forward,
        lines=("inference", "training"),
        sentence="Training has no such loop. As he draws it, every forward pass finishes before the backward passes"
        " start, and the weights change only at the end: racks fill, drain and leave a gap, the bubble.",
        named={"no such loop": Colour.ALSO, "the bubble": Colour.BOUND},
        claims=("B10",),
        question=Question(
            prompt=_bubble_prompt,
            line="training",
            x=at_mark("training"),
            tolerance_ratio=FINE,
            reveal=_bubble_reveal,
        ),
    ),
    Step(
        board="bubbles",
        time_stamp="1:00:30",
        rack=beside.in_turn,
        sentence=_parted_bubble,
        named={"forward": Colour.COMPUTE, "backward": Colour.BOUND},
        claims=("B33",),
    ),
)
