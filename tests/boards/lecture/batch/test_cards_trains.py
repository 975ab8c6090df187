"""Numbers in the answers of cards on trains and sparsity, worked by hand."""

from __future__ import annotations

import pytest

from ridgeline.boards.lecture.batch import CHAPTER
from ridgeline.boards.lecture.batch.cards_trains import CARDS
from ridgeline.boards.lecture.recording import seconds

ANSWERS = {card.id: card.answer for card in CARDS}


@pytest.mark.parametrize(
    ("card", "number"),
    [
        ("batch-train-period", "14.4 ms"),
        ("batch-train-worst", "40 ms"),
        ("batch-train-worst", "30 ms"),
        ("batch-tokens-a-second", "128,000"),
        ("batch-tokens-a-second", "100,000"),
        ("batch-sparsity-worth", "1.37B"),
        ("batch-sparsity-worth", "22 times"),
    ],
)
def test_an_answer_has_its_number(card: str, number: str) -> None:
    assert number in ANSWERS[card]


def test_cards_are_of_the_chapters_boards_and_minutes() -> None:
    assert len(ANSWERS) == len(CARDS)
    assert {card.board for card in CARDS} == {"departures", "tokens", "quality"} <= {one.name for one in CHAPTER.boards}
    assert set(CARDS) <= set(CHAPTER.cards)
    assert all(seconds("0:20:30") < seconds(card.time_stamp) < seconds("0:32:09") for card in CARDS)
