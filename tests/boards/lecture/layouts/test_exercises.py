"""Answers of the chapter's questions, worked by hand from the questions."""

from __future__ import annotations

import pytest
from tests.each import of_each

from ridgeline.boards.exercise import Exercise
from ridgeline.boards.lecture.layouts.exercises import EXERCISES

BY_HAND = {
    "racks-slots": 6,
    "racks-visited": 1 + 56 / 63,
    "racks-busiest": 1.4,
    "racks-copies": 4.5,
    "racks-local": 0.8,
    "racks-links": 16,
    "racks-two-racks": 8,
    "racks-bandwidth": 480e12,
    "racks-dies": 3,
    "racks-held": 12e12,
    "racks-wired": 2304,
    "racks-tensor": 7.168e6,
    "racks-expert": 31 / 32 * 100 * 5 * 4000 * 3,
    "racks-hand-over": 40e3,
    "racks-slack": 3,
    "racks-enough": 3,
    "racks-hop": 30e-6,
    "racks-torus": 128,
    "racks-cables": 276,
    "racks-stages": 2,
}


@of_each("exercise", EXERCISES, ids=lambda one: one.id)
def test_answers_are_those_worked_by_hand(exercise: Exercise) -> None:
    assert exercise.answer() == pytest.approx(BY_HAND[exercise.id])


def test_there_is_one_for_each() -> None:
    assert set(BY_HAND) == {one.id for one in EXERCISES}
