"""Numbers in the answers of the chapter's cards, worked by hand."""

from __future__ import annotations

import pytest

from ridgeline.boards.lecture.cryptography import CHAPTER
from ridgeline.boards.lecture.recording import seconds

ANSWERS = {card.id: card.answer for card in CHAPTER.cards}


@pytest.mark.parametrize(
    ("card", "number"),
    [
        ("cryptography-derivative", "256 inputs"),
        ("cryptography-derivative", "at most 4 share"),
        ("cryptography-feistel", "(3, 5) becomes (14, 3)"),
        ("cryptography-reversible-sketch", "1, 2, 3, 4, 4, 3, 2, 1"),
        ("cryptography-trade", "8 instead of 6"),
    ],
)
def test_an_answer_has_its_number(card: str, number: str) -> None:
    assert number in ANSWERS[card]


def test_cards_are_of_the_chapters_boards_and_minutes() -> None:
    assert len(ANSWERS) == len(CHAPTER.cards)
    assert {card.board for card in CHAPTER.cards} == {one.name for one in CHAPTER.boards}
    assert all(seconds(CHAPTER.time_stamp) < seconds(card.time_stamp) < seconds("2:14:00") for card in CHAPTER.cards)
