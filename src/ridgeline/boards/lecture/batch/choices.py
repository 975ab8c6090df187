"""Questions with a few answers on batches: whether patience pays, what binds at last, and what a clock costs."""

from __future__ import annotations

from functools import cache
from math import isfinite

from ridgeline.boards.board import Mode
from ridgeline.boards.choice import Choice, Option, Sketch, nearest
from ridgeline.boards.exercise import shown
from ridgeline.boards.in_a_sentence import count_text
from ridgeline.boards.lecture.batch import cost
from ridgeline.boards.lecture.batch.balance_batches import CROWDED
from ridgeline.boards.lecture.batch.claims_contexts import decoded_attention_over_parameters
from ridgeline.boards.lecture.batch.claims_roofline import MACHINE
from ridgeline.boards.lecture.batch.step import step_times
from ridgeline.boards.note import DIGITS
from ridgeline.boards.picture import Curves
from ridgeline.boards.walk import Seen, at_mark, height, mark_named, upright
from ridgeline.catalog import load_machine
from ridgeline.quantity_text import format_quantity

__all__ = ["AT_ONCE", "LAST_BINDING", "PATIENCE", "times_more"]


@cache
def _balance() -> float:
    """Batch of the step before, from which computing is the limit by the lecture's own numbers."""
    picture = cost.BOARD.views[0].compute(cost.BOARD.values(Mode.LECTURE))
    if not isinstance(picture, Curves):
        raise TypeError(f"the first view of board {cost.BOARD.name!r} has no curves; ask one that has")
    return next(mark.x for mark in picture.marks if mark.name == "balance batch")


def _patient(seen: Seen) -> float:
    """Cost of a token in a batch twice as large, over its cost now."""
    return height(seen, "cost", 2 * _balance()) / height(seen, "cost", _balance())


def _patient_prompt(seen: Seen) -> str:
    few, many = (count_text(times * _balance(), DIGITS) for times in (1, 2))
    return (
        f"With {few} sequences in a step, a token costs {upright(seen, height(seen, 'cost', _balance()))}. What does it"
        f" cost in a slow mode that waits for {many}?"
    )


PATIENCE = Choice(
    prompt=_patient_prompt,
    options=nearest(_patient, {"just as much": 1.0, "three quarters": 0.75, "half as much": 0.5}),
    why="twice as many sequences take twice as long to compute",
    sentences=2,
    sketch=Sketch(
        asked="cost",
        lines=("cost",),
        marks=("one sequence",),
        until=lambda _: _balance(),
        asked_at=lambda _: 2 * _balance(),
    ),
)


AS_BEFORE = 1.05
"""Ratio of batches up to which they are called the same."""


def _binding(seen: Seen) -> float:
    """Batch from which computing takes longer than all reading, over that without contexts; infinite for none."""
    times = step_times(seen.values[seen.mode])
    return float(times.balance_batch_with_kv / times.balance_batch)


def _reading(seen: Seen) -> float:
    """Time to read a context over that of the parameters' arithmetic for its token."""
    times = step_times(seen.values[seen.mode])
    return times.kv_s / times.compute_s


def _computing(seen: Seen, number_format: str) -> tuple[str, str]:
    """Time of all arithmetic of a token, with attention's in a number format; and what it is beside reading."""
    values = seen.values[seen.mode]
    added = decoded_attention_over_parameters(
        active_params=values["active_params"], context_tokens=values["context_tokens"]
    )
    computing = 1 + added * values["flop_per_s"] / load_machine(MACHINE).chip.flop_per_s[number_format]
    return shown(computing, "count", 2), "less" if computing < _reading(seen) else "more"


def _binding_why(seen: Seen) -> str:
    """Answer with attention's own arithmetic, which the board leaves out, in either format."""
    (narrow, than), (wide, beside) = (_computing(seen, number_format) for number_format in ("fp8", "bf16"))
    return (
        f"reading caches takes {shown(_reading(seen), 'count', 2)} times as long as that arithmetic. With attention's"
        f" own, it takes {narrow} times as long in 8 bits ({than} than reading), and {wide} in 16 ({beside})"
    )


LAST_BINDING = Choice(
    prompt="Every step reads these KV caches as well as the weights. From which batch on is the parameters' arithmetic"
    " the limit?",
    options=(
        Option(name="the marked one", holds=lambda seen: _binding(seen) <= AS_BEFORE),
        Option(name="a larger one", holds=lambda seen: _binding(seen) > AS_BEFORE and isfinite(_binding(seen))),
        Option(name="none at all", holds=lambda seen: not isfinite(_binding(seen))),
    ),
    why=_binding_why,
    sentences=1,
    sketch=Sketch(asked="KV fetch", lines=("compute", "weight fetch"), marks=(CROWDED,)),
)


def times_more(seen: Seen) -> float:
    """Tokens a second of trains that leave at once over those of trains that leave by the clock."""
    free, clocked = (height(seen, name, mark_named(seen, "seats").x) for name in ("B / t", "trains"))
    return free / clocked


def _at_once_why(seen: Seen) -> str:
    seats = mark_named(seen, "seats").x
    step, every = (
        format_quantity(one, "s", 3)
        for one in (seats / height(seen, "B / t", seats), seen.values[seen.mode]["period_s"])
    )
    return f"a step takes {step}, and the clock lets one begin every {every}"


AT_ONCE = Choice(
    prompt="What if each batch leaves as soon as the one before it arrives? How many tokens a second do the chips so"
    " far make then?",
    options=nearest(
        times_more, {"as many": 1.0, "twice as many": 2.0, "10 times as many": 10.0, "30 times as many": 30.0}
    ),
    why=_at_once_why,
    sentences=3,
    sketch=Sketch(asked="B / t", lines=("trains",), marks=("seats",), asked_at=at_mark("seats")),
)
