"""The walk from 0:51:00: layers over racks, a loop without gaps, and the gap that training leaves."""

from __future__ import annotations

from ridgeline.boards.board import Mode
from ridgeline.boards.bubble import Bubble
from ridgeline.boards.lecture.not_wise import not_wise
from ridgeline.boards.lecture.pipelines import inference_loop, numbers, stages
from ridgeline.boards.lecture.pipelines.bubbles import DRAWN
from ridgeline.boards.picture import Colour
from ridgeline.boards.scene import Gantt
from ridgeline.boards.walk import Seen, Step, mark_named
from ridgeline.quantity_text import format_quantity
from ridgeline.training.schedules import find_schedule

__all__ = ["STEPS"]


def _one_layer(seen: Seen) -> str:
    his, ours = (mark_named(seen, f"{stages.ENOUGH}, {stages.ALIKE}", mode).x for mode in Mode)
    return (
        "There is another way to more memory: spread the layers over racks. Inside a layer a token visits many experts"
        f" and comes back; to the next rack it moves only once, and the expert traffic of {his:g} layer ({ours:g} on"
        " GB200) takes longer than that move."
    )


def _looped(seen: Seen) -> str:
    stages = seen.values[seen.mode]["stages"]
    return (
        f"A single batch would leave {stages - 1:g} of {stages:g} racks idle. But other batches can follow right"
        " behind, and each returns to the first rack for its next token: in this loop, no rack ever waits."
    )


def _gap(seen: Seen) -> str:
    picture = seen.pictures[seen.mode]
    if not isinstance(picture, Bubble):
        raise TypeError(f"a gap is asked of a view of {type(picture).__name__}; ask the last of the board")
    said = [f"{picture.idle_text[one]} of the time with {picture.counts[one]}" for one in (picture.here, -1)]
    return (
        "Training has no such loop. As he draws it, all forward passes finish before the backward passes start: racks"
        f" fill, drain and leave a bubble, {said[0]} micro-batches and {said[1]}."
    )


def _parted_bubble(seen: Seen) -> str:
    picture = seen.pictures[seen.mode]
    if not isinstance(picture, Gantt):
        raise TypeError(f"schedules are asked of a view of {type(picture).__name__}; ask the first of the board")
    all_forward, in_turn, delayed = (
        next(one for one in picture.played if one.name == find_schedule(each).name) for each in DRAWN
    )
    kept, most = (f"{max(stage.peak for stage in one.kept):g}" for one in (in_turn, all_forward))
    return (
        "Interleaving forward and backward passes avoids the bubble, he says. Here our numbers differ: 1F1B, one of"
        f" each in turn, keeps {kept} micro-batches instead of {most}, but just as large a bubble; delaying weight"
        f" gradients ({delayed.name}) shrinks it to {format_quantity(delayed.bubble_fraction, 'fraction', 2)}."
    )


STEPS = (
    Step(
        board="stages",
        view=1,
        time_stamp="0:51:00",
        modes=(Mode.LECTURE, Mode.CAREFUL),
        sentence=_one_layer,
        named={"the expert traffic": Colour.BOUND, "that move": Colour.ASIDE},
        claims=("B8",),
    ),
    Step(
        board="not-wise",
        view=1,
        time_stamp="0:54:27",
        formula=not_wise.PASSED_ON_EQUATION,
        sentence="Not so fast, says Dwarkesh Patel: as Ilya Sutskever put it, we now know that pipelining is not wise."
        " Stages can idle, and layers that look back at earlier ones are hard to split: a hassle, Pope admits, but one"
        " with benefits.",
        named={"look back at earlier ones": Colour.BOUND},
        claims=("B35", "B36"),
    ),
    Step(
        board="inference-loop",
        view=1,
        time_stamp="0:58:00",
        formula=inference_loop.IDLE_EQUATION,
        sentence=_looped,
        claims=("B9", "B11"),
    ),
    Step(
        board="bubbles",
        view=2,
        time_stamp="0:59:00",
        sentence=_gap,
        named={"forward passes": Colour.COMPUTE, "backward passes": Colour.BOUND},
        claims=("B10",),
    ),
    Step(
        board="bubbles",
        time_stamp="1:00:30",
        # With as many as stages, 1F1B keeps all of them, too.
        turned={"micro_batches": f"{numbers.MORE_MICRO_BATCHES.value:g}"},
        sentence=_parted_bubble,
        named={"forward": Colour.COMPUTE, "backward": Colour.BOUND, "weight gradients": Colour.WEIGHTS},
        claims=("B33",),
    ),
)
