"""Every step has a rack that can be drawn, and one that keeps its answer back while something is asked."""

from __future__ import annotations

import math
import re

import pytest
from tests.boards.lecture.racks import EXACT, STEPS, held, known_at, said, seen_at, spent

from ridgeline.boards.board import ControlError, Mode, Values
from ridgeline.boards.colour import Colour
from ridgeline.boards.lecture import CHAPTERS, board
from ridgeline.boards.lecture.walk import racks_document
from ridgeline.boards.place import Way, height_at
from ridgeline.boards.rack import MOST_CHIPS, Cabinet, RackPicture, Standing
from ridgeline.boards.walk import Step, drawn, question_x
from ridgeline.quantity_text import format_quantity

ASKED = [name for name, step in STEPS.items() if step.question is not None]


def test_every_step_has_a_rack_and_every_question_one_that_leaves_its_answer_out() -> None:
    for chapter in CHAPTERS:
        for step in chapter.steps:
            assert step.rack is not None, step.time_stamp
            assert (step.known is None) == (step.question is None), step.time_stamp


@pytest.mark.parametrize("name", ASKED)
def test_what_is_known_before_a_guess_does_not_say_the_answer(name: str) -> None:
    seen, known = known_at(name)
    step = STEPS[name]
    assert step.question is not None
    x = question_x(step.question, seen)
    along = step.question.way is Way.ALONG
    asked = x if along else height_at(drawn(seen), step.question.line, x)
    dimension = (seen.view.x if along else seen.view.y).dimension
    words = said(known)
    # As the page tells it; to one digit it is no answer.
    for digits in (2, 3):
        # Beside digits it is another number.
        pattern = rf"(?<![\d.,]){re.escape(format_quantity(asked, dimension, digits))}(?![\d.,]*\d)"
        assert not re.search(pattern, words), words


@pytest.mark.parametrize(
    ("name", "colour"),
    [
        ("latency-0:09:10", Colour.KV),
        ("cost-0:13:00", Colour.COMPUTE),
        ("tokens-0:26:25", Colour.WEIGHTS),
        ("memory-1:11:00", Colour.KV),
        ("context-1:33:30", Colour.WEIGHTS),
        ("prefill-1:47:40", Colour.KV),
        ("long-context-1:52:00", Colour.BOUND),
    ],
)
def test_the_part_of_a_step_that_tells_the_answer_comes_with_it(name: str, colour: Colour) -> None:
    told, known = seen_at(name)[1], known_at(name)[1]
    assert spent(told, colour) + held(told, colour) > 0
    assert spent(known, colour) + held(known, colour) == 0


def test_beside_ciphers_the_rack_rests() -> None:
    for name in ("ciphers-2:04:10", "ciphers-2:05:57", "feistel-2:09:10"):
        _, rack = seen_at(name)
        (cabinet,) = rack.cabinets
        assert rack.is_resting
        assert cabinet == Cabinet(chips=72)
    assert not any(seen_at(name)[1].is_resting for name in STEPS if STEPS[name].board not in {"ciphers", "feistel"})


def test_a_document_has_the_rack_of_each_mode() -> None:
    latency = board("latency")
    values = {mode: latency.values(mode) for mode in Mode}
    found = racks_document(latency, values, latency.facts())["latency-0:09:10"]
    for kind in ("told", "known"):
        lecture, careful = (found[kind][mode]["words"] for mode in Mode)
        assert lecture != careful
    assert not racks_document(latency, values, latency.facts())["latency-0:03:45"]["known"]


# Experts of many racks are chosen anew for each control's ends.
LONG = "experts-0:39:30"


@pytest.mark.parametrize("name", [pytest.param(one, marks=[pytest.mark.slow] if one == LONG else []) for one in STEPS])
def test_racks_can_be_drawn_wherever_controls_are_turned(name: str) -> None:
    step = STEPS[name]
    one = board(step.board)
    for mode in Mode:
        for control in one.controls:
            for end in (control.low, control.high):
                try:
                    values = one.values(mode, {control.name: end})
                except ControlError:
                    continue
                for rack in racks_of(step, mode, values):
                    draws(rack)


def racks_of(step: Step, mode: Mode, values: Values) -> list[RackPicture]:
    """With and without what is asked."""
    one = board(step.board)
    at = Standing(board=one, mode=mode, values=values, facts=one.facts())
    return [picture(at) for picture in (step.rack, step.known) if picture is not None]


def draws(rack: RackPicture) -> None:
    assert sum(cabinet.chips for cabinet in rack.cabinets) <= MOST_CHIPS
    assert all(cabinet.chips >= 1 for cabinet in rack.cabinets)
    assert all(word.text for word in rack.words)
    for cabinet in rack.cabinets:
        assert all(0 <= part.fraction < math.inf for part in cabinet.memory)
        ends = [end for track in cabinet.tracks for busy in track.busy for end in (busy.start, busy.end)]
        assert all(0 <= end <= 1 + EXACT for end in ends)
        assert all(chip < cabinet.chips for paint in cabinet.painted for chip in paint.chips)
