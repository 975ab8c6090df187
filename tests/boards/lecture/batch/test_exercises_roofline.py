"""Answers of exercises and cards on the roofline, on modes and on sparse attention, worked by hand."""

from __future__ import annotations

import pytest
from tests.each import of_each

from ridgeline.boards.lecture.batch import CHAPTER
from ridgeline.boards.lecture.batch.cards_roofline import CARDS
from ridgeline.boards.lecture.recording import seconds

EXERCISES = {exercise.id: exercise for exercise in CHAPTER.exercises}
ANSWERS = {card.id: card.answer for card in CARDS}

BY_HAND = {
    "roofline-floor": 120e9 / 64e12,
    "roofline-compute": 10.24e-3,
    "roofline-ratio": 400,
    "roofline-balance": 4500,
    "roofline-lecture-balance": 2400,
    "roofline-deepseek-balance": 5440.5,
    "roofline-step": (240e9 + 512e9) / 64e12,
    "roofline-balance-with-caches": 800,
    "roofline-utilisation": 3 / 7,
    "modes-batch": 8,
    "modes-lecture-batch": 15,
    "modes-limit": 7 / 3,
    "modes-saving": 0.4,
    "modes-small-batch": 6.4,
    "modes-slow": 1.2,
    "contexts-square-root": 16e6,
    "contexts-blocks": 3584,
    "contexts-indexer": 12048,
}


@of_each("name", BY_HAND)
def test_an_answer_is_the_one_worked_by_hand(name: str) -> None:
    assert EXERCISES[name].answer() == pytest.approx(BY_HAND[name], rel=1e-5)  # digits given here


def test_parameters_are_told_in_bits() -> None:
    """A B beside billions could be either."""
    for exercise in EXERCISES.values():
        assert "bytes_per_param" not in exercise.inputs, exercise.id


@pytest.mark.parametrize(
    ("card", "number"),
    [
        ("batch-why-a-floor", "1.16 ms"),
        ("batch-why-300", "295"),
        ("batch-own-numbers", "2,400"),
        ("batch-own-numbers", "5,441"),
        ("batch-cost-of-a-step", "$0.333/Mtok"),
        ("batch-fast-mode", "15 times"),
        ("batch-fast-mode", "2.8 times"),
        ("batch-fast-mode", "36%"),
        ("batch-goldilocks", "50%"),
        ("batch-goldilocks", "60%"),
    ],
)
def test_a_cards_answer_has_its_number(card: str, number: str) -> None:
    assert number in ANSWERS[card]


def test_cards_are_the_chapters_and_of_its_first_minutes() -> None:
    assert len(ANSWERS) == len(CARDS)
    assert set(CARDS) <= set(CHAPTER.cards)
    assert all(seconds(card.time_stamp) < seconds("0:21:00") for card in CARDS)
