"""Questions of the walk: each can be missed, and nothing on the chart answers it."""

from __future__ import annotations

import math
import re
from functools import partial

import numpy as np
import pytest
from tests.boards.walked import SEEN, STEPS, asking, name
from tests.each import of_each

from ridgeline.boards.exercise import Exercise
from ridgeline.boards.grounds import Follows
from ridgeline.boards.lecture import EXERCISES, board
from ridgeline.boards.lecture.batch import modes
from ridgeline.boards.lecture.places import picture_of, tolerance_of
from ridgeline.boards.picture import Axis, Curves
from ridgeline.boards.place import Place, Way, height_at
from ridgeline.boards.walk import (
    Question,
    Seen,
    Step,
    along,
    drawn,
    height,
    line_named,
    placed,
    question_x,
    told,
    upright,
)
from ridgeline.boards.written import flat
from ridgeline.quantity_text import format_quantity

every_question = of_each(("step", "question", "seen"), asking, ids=[name(step) for step, _, _ in asking])


def asked_height(question: Question, seen: Seen) -> float:
    return height(seen, question.line, question_x(question, seen))


def kept(step: Step, question: Question, seen: Seen) -> list[str]:
    """Names of the lines that are there while the question is open."""
    curves = drawn(seen)
    names = step.lines or [flat(line.name).partition(":")[0] for line in curves.lines]
    asked = line_named(curves, question.line)
    return [one for one in names if line_named(curves, one) is not asked]


def part(low: float, high: float, axis: Axis, ends: tuple[float, float]) -> float:
    """Of the axis that lies between two of its values."""
    if axis.is_logarithmic:
        return math.log(high / low) / math.log(ends[1] / ends[0])
    return (high - low) / (ends[1] - ends[0])


@every_question
def test_a_question_has_an_answer_inside_the_axes(step: Step, question: Question, seen: Seen) -> None:
    assert len(step.modes) == 1
    curves, x, y = drawn(seen), question_x(question, seen), asked_height(question, seen)
    if step.lines:
        assert line_named(curves, question.line) in [line_named(curves, one) for one in step.lines]
    assert curves.x[0] <= x <= curves.x[-1]
    low, high = curves.ends(seen.view.y)
    assert low < y < high


@every_question
def test_a_question_can_be_missed(step: Step, question: Question, seen: Seen) -> None:
    """A dot anywhere on the axis is right less than one time in three."""
    curves = drawn(seen)
    there, axis, ends = (
        (question_x(question, seen), seen.view.x, (float(curves.x[0]), float(curves.x[-1])))
        if question.way is Way.ALONG
        else (asked_height(question, seen), seen.view.y, curves.ends(seen.view.y))
    )
    low, high = (max(there / question.tolerance_ratio, ends[0]), min(there * question.tolerance_ratio, ends[1]))
    assert 0 < part(low, high, axis, ends) < 1 / 3


NUDGES = (0.0, 1 / 40, 1 / 200)
"""Parts of an axis: nothing, and what an arrow key moves the dot by, alone and with Shift, as predict.ts has them."""


def starts(axis: Axis, ends: tuple[float, float]) -> list[float]:
    """Where the first arrow key puts the dot, and where one more leads from there."""
    low, high = (even(axis, max(end, math.ulp(0.0)) if axis.is_logarithmic else end) for end in ends)
    found = [low + nudge * (high - low) for nudge in NUDGES]
    return [10**one for one in found] if axis.is_logarithmic else found


def is_near(guess: float, truth: float, tolerance: float) -> bool:
    return guess > 0 and max(guess / truth, truth / guess) <= tolerance


@every_question
def test_where_keys_begin_is_no_answer(step: Step, question: Question, seen: Seen) -> None:
    """Nor is a nudge from there: what is right was put there."""
    curves = drawn(seen)
    is_along = question.way is Way.ALONG
    ends = (float(curves.x[0]), float(curves.x[-1])) if is_along else curves.ends(seen.view.y)
    truth = question_x(question, seen) if is_along else asked_height(question, seen)
    found = starts(seen.view.x if is_along else seen.view.y, ends)
    assert not [one for one in found if is_near(one, truth, question.tolerance_ratio)]


PLACED = [(one, one.place) for one in EXERCISES if one.place]


@of_each(("exercise", "place"), PLACED, ids=[one.id for one, _ in PLACED])
def test_nor_is_it_one_of_an_exercise(exercise: Exercise, place: Place) -> None:
    """Which asks for a number that one works out: a nudge may lead to it."""
    curves, view = picture_of(exercise, place), board(place.board).views[place.view]
    is_along = place.way is Way.ALONG
    ends = (float(curves.x[0]), float(curves.x[-1])) if is_along else curves.ends(view.y)
    truth = place.times * exercise.answer()
    start, *_ = starts(view.x if is_along else view.y, ends)
    assert not is_near(start, truth, tolerance_of(exercise, place, curves))


@every_question
def test_neither_is_the_middle_of_the_axis(step: Step, question: Question, seen: Seen) -> None:
    """A click without a thought lands there."""
    curves = drawn(seen)
    is_along = question.way is Way.ALONG
    axis = seen.view.x if is_along else seen.view.y
    low, high = (float(curves.x[0]), float(curves.x[-1])) if is_along else curves.ends(axis)
    middle = math.sqrt(low * high) if axis.is_logarithmic else (low + high) / 2
    truth = question_x(question, seen) if is_along else asked_height(question, seen)
    assert not is_near(middle, truth, question.tolerance_ratio)


@every_question
def test_nothing_on_the_chart_answers_the_question(step: Step, question: Question, seen: Seen) -> None:
    y, x = asked_height(question, seen), question_x(question, seen)
    for other in kept(step, question, seen):
        there = height(seen, other, x)
        assert there == 0 or max(there / y, y / there) > question.tolerance_ratio, other
    assert question.grounds
    known = question.grounds(seen)
    said = [told(step.sentence, seen), told(question.prompt, seen), *kept(step, question, seen)]
    said += [text for row in (*known.rows, known.asked) for text in row if isinstance(text, str)]
    for digits in (2, 3, 4):
        answer = re.compile(rf"(?<![\d.,]){re.escape(upright(seen, y, digits))}(?![\d.,]*\d)")
        assert not any(answer.search(text) for text in said), answer.pattern


@every_question
def test_what_a_guess_is_reasoned_from_has_a_row_for_it(step: Step, question: Question, seen: Seen) -> None:
    """With the guess itself in it once, as the axis writes it."""
    assert question.grounds
    known = question.grounds(seen)
    assert {len(row) for row in (*known.rows, known.asked)} == {len(known.columns)}
    assert len({row[0] for row in known.rows}) == len(known.rows) > 0
    follows = [one for one in known.asked if isinstance(one, Follows)]
    asked = [one for one in follows if one.value(2.0) == 2.0]
    assert [one.dimension for one in asked] == [seen.view.y.dimension]


NUMBER = re.compile(r"[\d.]+")


@every_question
def test_no_known_row_is_the_sum_of_those_above_it(step: Step, question: Question, seen: Seen) -> None:
    """That is a step of the reasoning, which is the guesser's own; of step 38 it was the answer."""
    assert question.grounds
    *above, last = [NUMBER.fullmatch(row[-1].removesuffix("×")) for row in question.grounds(seen).rows]
    if len(above) < 2 or not all([*above, last]):
        return
    *parts, whole = [float(one[0]) for one in [*above, last] if one]
    # As exactly as they are written, to three digits.
    assert sum(parts) != pytest.approx(whole, rel=5e-3)


def grounds_of(place: str) -> tuple[list[str], list[list[str]]]:
    """Row of the asked number, by the true answer, and the rows above it."""
    ((question, seen),) = [(question, seen) for step, question, seen in asking if name(step) == place]
    assert question.grounds
    known, answer = question.grounds(seen), height_at(drawn(seen), question.line, question_x(question, seen))
    told_of = [
        one if isinstance(one, str) else one.form.format(format_quantity(one.value(answer), one.dimension, 3))
        for one in known.asked
    ]
    return told_of, [list(row) for row in known.rows]


def test_what_follows_from_the_answer_is_what_the_rows_above_have() -> None:
    asked, rows = grounds_of("0:00:52-cost")
    assert asked == ["3,450", "306", "3.27 ms", "1.06M"]
    assert rows[-1] == ["230", "766", "1.3 ms", "176,000"]
    # Price times speed is the ratio of batches, of the offer as of what is asked.
    asked, rows = grounds_of("0:09:54-modes")
    assert (asked, rows[-1]) == (["2.75×", "36×", "1/99"], ["2.5×", "6×", "1/15"])
    # A step of a lone user reads all weights, and hardly more.
    asked, rows = grounds_of("0:13:00-cost")
    assert (asked[1], rows[-1]) == ("1.23 ms", ["weights alone", "1.23 ms", ""])
    # Attention adds in proportion to the prompt: 34 % at 10,000 tokens, 34 times the parameters at a million.
    asked, rows = grounds_of("1:52:00-long-context")
    assert (asked[3], rows[-1][3]) == ("35.1×", "1.34×")


@every_question
def test_what_is_drawn_of_the_asked_line_does_not_give_the_answer(step: Step, question: Question, seen: Seen) -> None:
    """It ends before the place, and whoever goes on level or straight from its end, as the axes have it, is wrong."""
    ends = [None if one is None else placed(one, seen) for one in (question.known_from, question.known_to)]
    known_from, known_to = ends
    if ends == [None, None]:
        return
    curves, x, y = drawn(seen), question_x(question, seen), asked_height(question, seen)
    assert question.way is Way.UPRIGHT
    assert (known_to is not None and known_to < x) or (known_from is not None and known_from > x)
    low, high = known_from or float(curves.x[0]), known_to or float(curves.x[-1])
    end, before = (high, high - 0.1 * (high - low)) if high < x else (low, low + 0.1 * (high - low))
    across, up = (partial(even, axis) for axis in (seen.view.x, seen.view.y))
    last, nearly = (up(height(seen, question.line, place)) for place in (end, before))
    # A point alone has no slope.
    slope = (last - nearly) / (across(end) - across(before)) if low < high else 0.0
    for guess in (last, last + slope * (across(x) - across(end))):
        value = 10**guess if seen.view.y.is_logarithmic else guess
        assert value <= 0 or max(value / y, y / value) > question.tolerance_ratio


def even(axis: Axis, value: float) -> float:
    """In even steps of an axis."""
    return math.log10(value) if axis.is_logarithmic else value


def picture(step: Step) -> tuple[object, ...]:
    """What its numbers are drawn of: in another mode a line is another."""
    return step.board, step.view, step.turned, step.modes


@every_question
def test_no_earlier_step_has_drawn_the_asked_line(step: Step, question: Question, seen: Seen) -> None:
    for earlier in STEPS[: STEPS.index(step)]:
        same = picture(earlier) == picture(step)
        assert not same or (earlier.lines and question.line not in earlier.lines), name(earlier)


@every_question
def test_what_is_said_after_is_computed_and_has_the_answer(step: Step, question: Question, seen: Seen) -> None:
    assert callable(question.reveal)
    if question.way is Way.ALONG:
        x = question_x(question, seen)
        assert any(along(seen, x, digits) in question.reveal(seen) for digits in (2, 3))
        return
    y = asked_height(question, seen)
    written = {upright(seen, y, digits) for digits in (1, 2, 3)} | {f"{y:.0f}", f"{y:.3g}"}
    assert any(text in question.reveal(seen) for text in written), written


def test_the_walk_opens_with_a_question_that_the_first_view_does_not_answer() -> None:
    """That has the price at every batch; how fast tokens come is drawn nowhere before."""
    first, asked = STEPS[0], STEPS[0].question
    assert (first.board, first.view, first.lines) == ("cost", 1, ("speed",))
    assert asked
    # The curve is drawn as far as the offer's fast batch, and the regular one is asked for.
    assert asked.way is Way.UPRIGHT
    assert asked.known_from is None
    assert asked.known_to
    known = placed(asked.known_to, SEEN[0])
    assert along(SEEN[0], known) in told(asked.prompt, SEEN[0])
    assert f"{height(SEEN[0], 'speed', known):,.0f} tokens a second" in told(asked.prompt, SEEN[0])
    offered = float(modes.PRICE_RATIO) * float(modes.SPEED_RATIO)
    assert question_x(asked, SEEN[0]) / known == pytest.approx(offered)
    # A token costs a step's time over its batch: price and speed have the batches' ratio as their product.
    cost = board("cost")
    prices = cost.views[0].compute(cost.values(first.modes[0]))
    assert isinstance(prices, Curves)
    few_usd, many_usd = np.interp([known, offered * known], prices.x, line_named(prices, "cost").y)
    dearer = few_usd / many_usd
    faster = height(SEEN[0], "speed", known) / height(SEEN[0], "speed", offered * known)
    assert dearer * faster == pytest.approx(offered, rel=1e-3)  # both are read between drawn points
    assert (f"{faster:.2g}", f"{dearer:.2g}") == (f"{float(modes.SPEED_RATIO):g}", f"{float(modes.PRICE_RATIO):g}")
    reveal = told(asked.reveal, SEEN[0])
    assert f"is {faster:.2g} times as fast, and its tokens cost {dearer:.2g} times as much. That is the offer" in reveal
