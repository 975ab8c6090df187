"""Where exercises are answered on the boards: the picture and the answer's own function say the same."""

from __future__ import annotations

import math

import pytest
from tests.each import of_each

from ridgeline.boards.board import Mode, View
from ridgeline.boards.exercise import Exercise
from ridgeline.boards.lecture import BOARDS, CHAPTERS, EXERCISES, board
from ridgeline.boards.lecture.places import picture_of, place_document, tolerance_of, turned_of
from ridgeline.boards.picture import Curves
from ridgeline.boards.place import Place, Way, height_at, line_named
from ridgeline.quantity_text import parse_quantity

PLACED = [(one, one.place) for one in EXERCISES if one.place]
every_place = of_each(("exercise", "place"), PLACED, ids=[one.id for one, _ in PLACED])
SAME = 1e-6
"""Relative: one of the boards has weights in a cost that the question leaves out, at a million balance batches."""
MOST_BY_CHANCE = 1 / 3


def axis_of(view: View, place: Place) -> tuple[bool, str]:
    axis = view.x if place.way is Way.ALONG else view.y
    return axis.is_logarithmic, axis.dimension


def ends_of(curves: Curves, view: View, place: Place) -> tuple[float, float]:
    return (float(curves.x[0]), float(curves.x[-1])) if place.way is Way.ALONG else curves.ends(view.y)


def test_all_topics_are_answered_on_charts() -> None:
    assert len(PLACED) >= 35
    boards = {place.board for _, place in PLACED}
    wanted = {
        "latency",
        "modes",
        "sparse",
        "departures",
        "context",
        "tiers",
        "over-training",
        "bubbles",
        "memory",
        "cost",
    }
    assert wanted <= boards
    for chapter in CHAPTERS:
        assert any(one.place for one in chapter.exercises), chapter.name


@every_place
def test_the_answer_lies_where_the_picture_has_it(exercise: Exercise, place: Place) -> None:
    curves, answer = picture_of(exercise, place), exercise.answer() * place.times
    if place.way is Way.UPRIGHT:
        assert place.at is not None
        at = place.at(exercise.inputs)
        assert curves.x[0] <= at <= curves.x[-1]
        assert height_at(curves, place.line, at) == pytest.approx(answer, rel=SAME)
        return
    assert place.at is None
    if place.mark:
        mark = next(one for one in curves.marks if one.name == place.mark)
        assert mark.x == pytest.approx(answer, rel=SAME)
    elif curves.is_whole:  # the first at which it lies no more above
        above = [height_at(curves, place.line, x) > height_at(curves, place.on, x) for x in (answer - 1, answer)]
        assert above == [True, False]
    else:
        assert height_at(curves, place.line, answer) == pytest.approx(height_at(curves, place.on, answer), rel=SAME)


@every_place
def test_its_board_shows_it_and_the_numbers_are_its_own(exercise: Exercise, place: Place) -> None:
    one = board(place.board)
    assert exercise.id in one.exercises
    turned = turned_of(exercise, place)
    assert set(turned) <= {control.name for control in one.controls}
    document = place_document(exercise.id)
    assert document is not None
    for name, text in document["turned"].items():
        assert parse_quantity(text, one.control(name).dimension) == pytest.approx(turned[name], rel=1e-11)


@every_place
def test_a_dot_can_miss_and_nothing_seen_tells_the_answer(exercise: Exercise, place: Place) -> None:
    curves, answer = picture_of(exercise, place), exercise.answer() * place.times
    view = board(place.board).views[place.view]
    is_logarithmic, _ = axis_of(view, place)
    ends = ends_of(curves, view, place)
    assert ends[0] <= answer <= ends[1]
    ratio = tolerance_of(exercise, place, curves)
    low, high = max(answer / ratio, ends[0]), min(answer * ratio, ends[1])
    wide = math.log(high / low) / math.log(ends[1] / ends[0]) if is_logarithmic else (high - low) / (ends[1] - ends[0])
    assert 0 < wide < MOST_BY_CHANCE
    asked = line_named(curves, place.line)
    seen = [line_named(curves, name) for name in place.lines]
    assert all(line is not asked for line in seen)
    if place.way is Way.UPRIGHT and place.at:
        at = place.at(exercise.inputs)
        heights = [height_at(curves, name, at) for name in place.lines]
        assert all(y == 0 or max(y / answer, answer / y) > ratio for y in heights)
    else:
        assert not place.on or place.on in place.lines


def test_all_that_the_first_exercise_draws_is_given() -> None:
    """Nothing on its picture waits for a number that its question has not: no control that it leaves moves a line."""
    exercise, place = next(one for one in PLACED if one[0].id == "roofline-floor")
    assert place.at is not None
    at, one, turned = place.at(exercise.inputs), board(place.board), turned_of(exercise, place)
    assert at in exercise.inputs.values()
    values, compute = one.values(Mode.LECTURE, turned), one.views[place.view].compute

    def heights(**now: float) -> list[float]:
        curves = compute({**values, **now})
        assert isinstance(curves, Curves)
        return [height_at(curves, name, at) for name in (place.line, *place.lines)]

    for left in {control.name for control in one.controls} - set(turned):
        assert heights(**{left: 1.3 * values[left]}) == pytest.approx(heights(), rel=SAME), left


@every_place
def test_a_dot_may_be_off_as_far_as_a_hand_and_no_wrong_idea_is_right(exercise: Exercise, place: Place) -> None:
    """Two pixels of a hundred are forgiven everywhere; half and double are wrong on every picture."""
    assert 1.02 < tolerance_of(exercise, place, picture_of(exercise, place)) <= 1.5


def test_an_exercise_that_no_picture_answers_has_no_place() -> None:
    (hits,) = (one for one in EXERCISES if one.id == "prices-hits")
    assert hits.place is None
    assert place_document(hits.id) is None


def test_a_place_on_a_table_is_refused() -> None:
    exercise, place = PLACED[0]
    sheet = next(one for one in BOARDS if one.name == "modes")
    wrong = Place(board=sheet.name, view=2, way=place.way, line=place.line, turned=lambda _: {})
    with pytest.raises(TypeError, match="view 2 of board 'modes' has no curves to put"):
        picture_of(exercise, wrong)
