"""The walk from 0:51:00: layers over racks, a loop without gaps, and the gap that training leaves."""

from __future__ import annotations

from ridgeline.boards.board import Mode
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
        "Layers, though, may lie on other racks: in each layer a token visits many experts and returns, but to the"
        f" next rack it crosses just once. From {his:g} layer a rack on, {ours:g} on GB200, the crossing hides behind"
        " the visits."
    )


def _bubble_prompt(seen: Seen) -> str:
    values = seen.values[seen.mode]
    return (
        f"{values['stages']:g} racks, and {values['micro_batches']:g} micro-batches in each step. What part of the"
        " time does a rack stand idle?"
    )


def _bubble_reveal(seen: Seen) -> str:
    return (
        f"{upright(seen, mark_named(seen, 'training').y)}. More micro-batches thin the bubble out: {MANY} of them"
        f" leave {upright(seen, height(seen, 'training', MANY))}. But they never close it, as the loop of inference"
        " does."
    )


def _parted_bubble(seen: Seen) -> str:
    picture = seen.pictures[seen.mode]
    if not isinstance(picture, Gantt):
        raise TypeError(f"schedules are asked of a view of {type(picture).__name__}; ask the first of the board")
    (in_turn,) = (one for one in picture.played if one.name == IN_TURN)
    idle = format_quantity(in_turn.bubble_fraction, "fraction")
    return (
        f"Schemes that weave forward and backward avoid the bubble, he says. Here our numbers differ: one forward, one"
        f" backward in turn still idles {idle} of the time and saves memory alone; only zero-bubble schedules fill the"
        " gap."
    )


STEPS = (
    Step(
        board="stages",
        view=1,
        time_stamp="0:51:00",
        modes=(Mode.LECTURE, Mode.CAREFUL),
        sentence=_one_layer,
        claims=("B8",),
    ),
    Step(
        board="not-wise",
        time_stamp="0:54:27",
        sentence="Not so fast, says Dwarkesh Patel: Ilya Sutskever holds that one now knows better than to pipeline."
        " Stages idle, and layers that look back at earlier ones must send them all along; a hassle, Pope grants, with"
        " benefits.",
        claims=("B35", "B36"),
    ),
    Step(
        board="inference-loop",
        view=1,
        time_stamp="0:58:00",
        sentence="A single batch would leave three racks of four idle. But the next can follow on its heels, and one"
        " that comes out at the end starts over with its next token: a loop in which no rack waits.",
        claims=("B9", "B11"),
    ),
    Step(
        board="bubbles",
        view=1,
        time_stamp="0:59:00",
        lines=("inference", "training"),
        sentence="Training has no such loop. As he draws it, all forward passes end before the backward ones begin,"
        " and the weights change only after those: racks fill, drain and leave a gap, the bubble.",
        claims=("B10",),
        question=Question(
            prompt=_bubble_prompt,
            line="training",
            x=at_mark("training"),
            tolerance_ratio=FINE,
            reveal=_bubble_reveal,
        ),
    ),
    Step(board="bubbles", time_stamp="1:00:30", sentence=_parted_bubble, claims=("B33",)),
)
