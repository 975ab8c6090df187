"""Exercises on the boards' own pictures: a dot answers, right and wrong look different, and what comes next."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from ridgeline.boards.lecture import CHAPTERS, EXERCISES, board
from ridgeline.boards.lecture.places import picture_of, place_document
from ridgeline.boards.place import Way

PLACED = [(one, one.place) for one in EXERCISES if one.place]
KINDS = {"roofline-balance", "departures-overfull", "contexts-shared"}
"""Along and upright, and along an axis that counts: what follows an answer is the same for all."""
FEW = [(one, place) for one, place in PLACED if one.id in KINDS]

PLOT = """() => {
    const box = document.querySelector('#canvas svg').getBoundingClientRect();
    const [x, y, width, height] = ['x', 'y', 'width', 'height']
        .map(name => Number(document.querySelector('#canvas svg clipPath rect').getAttribute(name)));
    return [box.left + x + 1, box.top + y + 1, width - 2, height - 2];
}"""
LOOK = """() => {
    const output = document.querySelector('.exercise-answer output');
    return [output.innerText[0], getComputedStyle(output).borderLeftColor,
        document.querySelector("#canvas svg circle[r='7'][stroke-width='2']").getAttribute('fill')];
}"""


def put(page: Any, exercise: Any, place: Any, times: float = 1) -> None:
    """A dot, at so many times the answer, given."""
    curves, view = picture_of(exercise, place), board(place.board).views[place.view]
    axis = view.x if place.way is Way.ALONG else view.y
    ends = (float(curves.x[0]), float(curves.x[-1])) if place.way is Way.ALONG else curves.ends(view.y)
    asked = times * place.times * exercise.answer()
    low, high, at = (math.log(each) if axis.is_logarithmic else each for each in (*ends, asked))
    part = min(1, max(0, (at - low) / (high - low)))
    left, top, width, height = page.evaluate(PLOT)
    if place.way is Way.ALONG:
        page.mouse.click(left + width * part, top + height / 2)
    else:
        page.mouse.click(left + width / 2, top + height * (1 - part))
    page.click(".chart-check")


def address(exercise: Any, place: Any) -> str:
    return f"?board={place.board}&exercise={exercise.id}"


@pytest.mark.parametrize(("exercise", "place"), FEW, ids=[one.id for one, _ in FEW])
def test_a_dot_answers_and_then_the_line_is_drawn(visitor: Any, exercise: Any, place: Any) -> None:
    page = visitor.open(address(exercise, place))
    document = place_document(exercise.id)
    assert document
    assert page.inner_text("h1") == exercise.question
    lines = page.locator("#canvas svg").get_attribute("aria-label").partition("lines: ")[2]
    assert document["line"] not in lines
    assert exercise.working not in page.inner_text("body")
    put(page, exercise, place)
    page.wait_for_selector(".exercise-answer.right")
    visitor.rest()
    assert exercise.working in page.inner_text(".exercise-answer")
    assert document["line"] in page.locator("#canvas svg").get_attribute("aria-label")
    kept = json.loads(page.evaluate("localStorage.getItem('ridgeline')"))
    assert kept["answers"] == {exercise.id: True}
    assert page.locator(".exercise.right").count() == 1


@pytest.mark.parametrize(("exercise", "place"), PLACED, ids=[one.id for one, _ in PLACED])
def test_every_dot_at_the_answer_is_right(resident: Any, exercise: Any, place: Any) -> None:
    page = resident.turn_to(address(exercise, place))
    put(page, exercise, place)
    page.wait_for_selector(".exercise-answer.right")


def test_right_and_wrong_look_different_and_a_wrong_one_is_put_again(resident: Any) -> None:
    exercise, place = FEW[0]
    page = resident.come(address(exercise, place))
    put(page, exercise, place, times=2)
    page.wait_for_selector(".exercise-answer.wrong")
    resident.rest()
    wrong = page.evaluate(LOOK)
    assert "2× too far right" in page.inner_text(".exercise-answer output")
    assert page.locator(".exercise.wrong").count() == 1
    page.get_by_role("button", name="Try again").click()
    resident.rest()
    put(page, exercise, place)
    page.wait_for_selector(".exercise-answer.right")
    resident.rest()
    right = page.evaluate(LOOK)
    assert all(one != other for one, other in zip(wrong, right, strict=True))
    assert (wrong[0], right[0]) == ("✗", "✓")
    # Who comes back sees it as it was given.
    resident.come(address(exercise, place))
    page.wait_for_selector(".exercise-answer.right")
    assert page.inner_text(".exercise-answer output").startswith("✓ Last time, ")


def test_a_number_is_the_other_way_in(resident: Any) -> None:
    exercise, place = FEW[0]
    page = resident.come(address(exercise, place))
    for text, state in (("12", "wrong"), ("4,500", "right")):
        page.fill(".exercise-answer input", text)
        page.keyboard.press("Enter")
        page.wait_for_selector(f".exercise-answer.{state}")
        assert ("too low" in page.inner_text(".exercise-answer output")) == (state == "wrong")
        # What is answered stands above the picture, in sight.
        answered, picture = (page.locator(one).bounding_box() for one in (".exercise-answer output", "#canvas"))
        assert answered["y"] + answered["height"] < picture["y"]
    assert exercise.working in page.inner_text(".exercise-answer")


def test_keys_put_the_dot_and_lead_on(resident: Any) -> None:
    exercise, place = FEW[0]
    page = resident.come(address(exercise, place))
    page.focus(".chart")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector(".exercise-answer.wrong")
    page.wait_for_function("() => document.activeElement.id === 'next'")
    page.keyboard.press("Enter")
    page.wait_for_function("name => !location.search.includes(name)", arg=exercise.id)
    assert "exercise=" in page.url


def test_exercises_are_opened_from_their_board_and_the_score_is_of_the_chapter(visitor: Any) -> None:
    page = visitor.open("?board=latency")
    chapter = next(one for one in CHAPTERS if any(shown.name == "latency" for shown in one.boards))
    every = {name for one in chapter.boards for name in one.exercises}
    assert f"0 of {len(every)} in this chapter" in page.inner_text("#exercises h2")
    page.locator(".exercise a").nth(2).click()
    page.wait_for_url("**exercise=roofline-balance*")
    visitor.settle()
    # As wide as the stage.
    stage, figure = (page.locator(one).bounding_box()["width"] for one in (".stage", "#views"))
    assert figure == pytest.approx(stage, abs=2)
    page.get_by_role("button", name="Back to the board").click()
    page.wait_for_url("**/?board=latency")


def test_an_exercise_that_there_is_not_is_said(resident: Any) -> None:
    page = resident.come("?board=latency&exercise=banana")
    assert "no exercise banana" in page.inner_text("#problem")


def test_an_exercise_fits_a_phone(visitors: Any) -> None:
    phone = visitors(width=320, height=640, touch=True)
    exercise, place = FEW[1]
    page = phone.open(address(exercise, place))
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    put(page, exercise, place)
    page.wait_for_selector(".exercise-answer.right")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_exercises_stand_below_the_picture_in_two_columns_and_the_next_is_read_in_full(resident: Any) -> None:
    page = resident.come("?board=latency")
    rows = page.locator("#exercises li")
    exercises = [next(one for one in EXERCISES if one.id == name) for name in board("latency").exercises]
    assert rows.count() == len(exercises) > 3
    boxes = [row.bounding_box() for row in rows.all()]
    assert len({round(box["x"]) for box in boxes}) == 2
    picture = page.locator("#views").bounding_box()
    assert min(box["y"] for box in boxes) > picture["y"] + picture["height"]
    # A line each, but for the next one, which says where it is answered.
    assert all(box["height"] < 45 for box in boxes[1:])
    assert exercises[0].question in " ".join(rows.first.inner_text().split())
    assert "Answer it on the picture" in rows.first.inner_text()
    # Few stand beside the sources, and what the picture shows beside it.
    resident.turn_to("?board=ratio")
    row, sources, caption = (
        page.locator(one).first.bounding_box() for one in ("#exercises li", ".rest > .letters", "aside #caption")
    )
    assert row["x"] + row["width"] < sources["x"]
    assert abs(page.locator("#exercises").bounding_box()["y"] - sources["y"]) < 20
    assert caption["y"] + caption["height"] < row["y"]
