"""The walk from 0:51:00: layers over racks, a loop without gaps, and the gap that training leaves."""

from __future__ import annotations

from ridgeline.boards.clause import Clause
from ridgeline.boards.constant import filled_in
from ridgeline.boards.in_a_sentence import as_long
from ridgeline.boards.lecture.not_wise import not_wise
from ridgeline.boards.lecture.pipelines import bubbles, choices, inference_loop, numbers, others, stages
from ridgeline.boards.lecture.pipelines.hand_over import times
from ridgeline.boards.picture import Colour
from ridgeline.boards.tied_to import control, in_picture, mark_y, not_drawn
from ridgeline.boards.walk import Seen, Step, is_as_opened
from ridgeline.equations import pipelines
from ridgeline.quantity_text import format_quantity

__all__ = ["STEPS"]

FEW_LAYERS = filled_in(4, why="few enough to be seen one by one")
"""Layers of a rack in the drawing."""
ALIKE_BYTES = filled_in(2, why="values of 16 bits, as the next rack gets them: he counts all bytes alike")
"""Bytes of a value that is sent to experts."""


def _few_layers(seen: Seen) -> str:
    layers = seen.values[seen.mode]["layers_per_stage"]
    return (
        "A larger rack is one way to more memory. A pipeline is another: it spreads the layers over racks, in order. A"
        " token goes to its experts and back in every layer, but moves on to the next rack only once. With"
        f" {layers:g} layers to a rack, expert traffic takes {others.hand_overs(seen):g} times as long as that move."
    )


def _as_that_move(seen: Seen) -> str:
    return f"takes {as_long(others.hand_overs(seen))} as that move"


def _handed_on(seen: Seen) -> str:
    return (
        "Dwarkesh Patel, the interviewer, quotes Ilya Sutskever: pipelining is not wise. One reason: a layer"
        " that looks back at earlier ones needs their outputs passed on. Over"
        f" {seen.values[seen.mode]['stages']:g} racks a token hands on {_handed_plain(seen)}, or"
        f" {others.vectors(seen, not_wise.ALL):,.0f} if each layer looks back at all."
    )


def _handed_plain(seen: Seen) -> str:
    return f"{times(others.vectors(seen, not_wise.PLAIN), 'vector')}, one per border"


def _idle_racks(seen: Seen) -> float:
    return seen.values[seen.mode]["stages"] - 1


def _looped(seen: Seen) -> str:
    return (
        "Does a pipeline leave racks idle? A batch is in one rack at a time, so alone it leaves"
        f" {_idle_racks(seen):g} of {seen.values[seen.mode]['stages']:g} idle. But other batches can follow right"
        " behind it, and each returns to the first rack for its next token. With as many batches as racks, no rack ever"
        " waits."
    )


def _busy(seen: Seen) -> str:
    values = seen.values[seen.mode]
    racks, batches = values["stages"], values["micro_batches"]
    if batches == racks:
        return "With as many batches as racks, no rack ever waits"
    idle = format_quantity(float(pipelines.idle_fraction(stages=racks, micro_batches=batches)), "fraction", 2)
    waits = f"each rack waits {idle} of the time" if batches < racks else "no rack waits, but batches do"
    return f"With {batches:g} batch{'es' if batches > 1 else ''} on {racks:g} racks, {waits}"


def _gap(seen: Seen) -> str:
    picture = others.bubble(seen)
    here, last = ((picture.idle_text[one], picture.counts[one]) for one in (picture.here, -1))
    return (
        "Training has no such loop, because weights change after each batch. He cuts a batch into micro-batches, and"
        " draws all their forward passes before the backward passes. While racks fill and drain, some"
        f" of them idle: a bubble. It takes {here[0]} of the time with {here[1]} micro-batches, and {last[0]} with"
        f" {last[1]}."
    )


def _parted_bubble(seen: Seen) -> str:
    all_forward, in_turn, delayed = others.played(seen)
    return (
        "Mixing forward and backward passes avoids the bubble, he says. But one of each in turn (1F1B) leaves it as"
        f" large, and stores less: {others.kept(in_turn):g} micro-batches, not"
        f" {others.kept(all_forward):g}. The newer {delayed.name} computes weight gradients in idle time. It leaves"
        f" {format_quantity(delayed.bubble_fraction, 'fraction', 2)}{_if_longer(seen)}."
    )


def _left_if_longer(seen: Seen) -> float:
    """Bubble of the schedule with delayed weight gradients, where backward passes take as long as they usually do."""
    values = {**seen.values[seen.mode], "backward_ratio": numbers.USUAL_BACKWARD_RATIO}
    return bubbles.step_by(values, bubbles.DELAYED).bubble_fraction


def _if_longer(seen: Seen) -> str:
    left = format_quantity(_left_if_longer(seen), "fraction", 2)
    return f", or {left} if backward takes {as_long(numbers.USUAL_BACKWARD_RATIO)} as forward"


def _gains(seen: Seen) -> bool:
    all_forward, in_turn, _ = others.played(seen)
    return others.kept(in_turn) < others.kept(all_forward)


def _stored(seen: Seen) -> str:
    _, in_turn, _ = others.played(seen)
    return (
        "But one of each in turn (1F1B) leaves it as large. With no more micro-batches than racks it saves no memory,"
        f" either: it stores the results of {others.kept(in_turn):g}, as many as all forward first"
    )


STEPS = (
    Step(
        board="stages",
        time_stamp="0:51:00",
        formula=stages.BOTH_WAYS_EQUATION,
        # Bytes of a value are the board's.
        controls=("copies_per_token", "layers_per_stage", "link_ratio"),
        turned={"layers_per_stage": FEW_LAYERS, "dispatch_bytes": ALIKE_BYTES},
        sentence=_few_layers,
        other=others.longer_stay,
        named={"expert traffic": Colour.LINKS, "that move": Colour.AWAY},
        ties=(control("layers_per_stage"), in_picture(others.hand_overs, "words below both times at the end")),
        claims=("B8",),
        choice=choices.LONGER_TRAFFIC,
        clauses=(Clause(words="takes 8 times as long as that move", otherwise=_as_that_move),),
    ),
    Step(
        board="not-wise",
        view=1,
        time_stamp="0:54:27",
        formula=not_wise.PASSED_ON_EQUATION,
        sentence=_handed_on,
        other=others.of_fewer_layers,
        named={"looks back at all": Colour.BOUND},
        ties=(
            control("stages"),
            in_picture(lambda seen: others.vectors(seen, not_wise.PLAIN), "the lowest line over the stages"),
            mark_y("stages"),
        ),
        clauses=(Clause(words="3 vectors, one per border", otherwise=_handed_plain),),
        claims=("B35", "B36"),
    ),
    Step(
        board="inference-loop",
        view=1,
        time_stamp="0:58:00",
        formula=inference_loop.IDLE_EQUATION,
        sentence=_looped,
        other=others.longer_loop,
        ties=(not_drawn(_idle_racks, "racks beside the one that works, without the other batches"), control("stages")),
        claims=("B9", "B11"),
        choice=choices.FILLED_LOOP,
        clauses=(Clause(words="With as many batches as racks, no rack ever waits", otherwise=_busy),),
    ),
    Step(
        board="bubbles",
        view=2,
        time_stamp="0:59:00",
        sentence=_gap,
        other=others.more_stages,
        named={"forward passes": Colour.COMPUTE, "backward passes": Colour.ALSO},
        ties=(
            in_picture(lambda seen: others.bubble(seen).idle[others.bubble(seen).here], "the black bar"),
            control("micro_batches"),
            in_picture(lambda seen: others.bubble(seen).idle[-1], "the last bar"),
            in_picture(lambda seen: others.bubble(seen).counts[-1], "the last bar's micro-batches"),
        ),
        claims=("B10",),
        clauses=(
            Clause(
                words="16 % with 16",
                holds=lambda seen: others.bubble(seen).here < len(others.bubble(seen).counts) - 1,
                otherwise=lambda seen: f"{others.bubble(seen).idle_text[0]} with {others.bubble(seen).counts[0]}",
            ),
        ),
        # The bubble is the same share however long a backward pass takes.
        controls=("stages", "micro_batches"),
    ),
    Step(
        board="bubbles",
        time_stamp="1:00:30",
        # With as many as stages, 1F1B keeps all of them, too.
        turned={"micro_batches": numbers.MORE_MICRO_BATCHES},
        sentence=_parted_bubble,
        other=others.parted,
        named={"forward": Colour.COMPUTE, "backward": Colour.ALSO, "weight gradients": Colour.WEIGHTS},
        ties=(
            in_picture(lambda seen: others.kept(others.played(seen)[1]), "words beside the second schedule"),
            control("micro_batches"),
            in_picture(lambda seen: others.played(seen)[2].bubble_fraction, "words above the third schedule"),
            not_drawn(_left_if_longer, "the third schedule, played with longer backward passes"),
        ),
        claims=("B33",),
        choice=choices.INTERLEAVED,
        clauses=(
            Clause(
                words="But one of each in turn (1F1B) leaves it as large, and stores less: … not 8",
                holds=_gains,
                otherwise=_stored,
            ),
            Clause(
                words=", or … as forward",
                holds=lambda seen: is_as_opened(seen, "backward_ratio"),
            ),
        ),
        answer="Yes. Inference pays only a few hops a token while each rack has a batch to work on. Training pays with"
        " a bubble, which more micro-batches or another order shrink.",
    ),
)
