"""A step's sentence follows what is turned."""

from __future__ import annotations

import numpy as np
import pytest
from tests.boards.walked import SEEN, STEPS, every_step

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture.live_numbers import live, rewritten
from ridgeline.boards.lecture.walk import sentence_of, step_id
from ridgeline.boards.picture import Curves
from ridgeline.boards.tie import NUMBER
from ridgeline.boards.walk import Seen, Step, line_named, turned_of


@every_step
def test_a_number_is_written_as_the_sentence_has_it_and_stays_where_nothing_is_turned(step: Step, seen: Seen) -> None:
    numbers = [number[0] for number in NUMBER.finditer(sentence_of(step, seen))]
    assert [rewritten(text, tie.value(seen, step)) for text, tie in zip(numbers, step.ties, strict=True)] == numbers
    now = live(step_id(step), seen.values)
    assert now["numbers"] == now["overturned"] == []


def told(name: str, *modes: Mode, **turned: float) -> list[str]:
    """What a step's sentence has for the numbers that move with controls, where modes are shown."""
    ((step, seen),) = [both for both in zip(STEPS, SEEN, strict=True) if step_id(both[0]) == name]
    values = {mode: seen.board.values(mode, {**turned_of(step, mode), **turned}) for mode in modes}
    return [one["text"].replace("\N{NO-BREAK SPACE}", " ") for one in live(name, values)["numbers"]]


def test_a_number_that_a_control_moves_is_read_anew_from_the_drawing() -> None:
    ((_, seen),) = [both for both in zip(STEPS, SEEN, strict=True) if step_id(both[0]) == "latency-0:09:10"]
    longer = seen.board.values(Mode.LECTURE, {"context_tokens": 100_000})
    curves = seen.view.compute(longer)
    assert isinstance(curves, Curves)
    step_s = float(np.interp(2400, curves.x, line_named(curves, "step").y))
    # The batch and the weights' time are as before, so the sentence keeps them.
    assert told("latency-0:09:10", Mode.LECTURE, context_tokens=100_000) == [f"{step_s * 1e3:.2f} ms"]


def test_what_somebody_says_stays() -> None:
    # His 20 ms are the period with which trains start; the sentence has it three times more as the trains' own.
    assert told("departures-0:21:40", Mode.LECTURE, period_s=0.04) == ["40 ms"] * 3


def test_a_number_without_a_value_is_left_as_it_is() -> None:
    # In contexts so long no batch balances, and nothing is marked.
    assert told("cost-0:15:39", Mode.LECTURE, context_tokens=1e6) == []


def test_a_sentence_says_nothing_of_numbers_that_it_was_not_written_for() -> None:
    assert told("latency-0:09:10", Mode.CAREFUL, context_tokens=100_000) == []


def test_there_is_no_other_step() -> None:
    with pytest.raises(ValueError, match="the walk has no step 'latency'"):
        live("latency", {})
