"""One vocabulary of boards: claims and exercises by the names that ``ridgeline boards`` lists."""

from __future__ import annotations

import pytest
from tests.each import of_each

from ridgeline.boards import lecture
from ridgeline.boards.board import Board
from ridgeline.boards.chapter import Chapter
from ridgeline.boards.claim import Claim
from ridgeline.boards.lecture import BOARDS
from ridgeline.boards.note import UNITS, Measure

every_board = of_each("one", BOARDS, ids=lambda one: one.name)


@every_board
def test_a_boards_name_finds_what_it_declares(one: Board) -> None:
    assert {claim.id for claim in lecture.claims(one.name)} == set(one.claims)
    assert {exercise.id for exercise in lecture.exercises(one.name)} == set(one.exercises)


@pytest.mark.parametrize("chapter", lecture.CHAPTERS, ids=lambda one: one.name)
def test_a_chapters_name_finds_its_own(chapter: Chapter) -> None:
    assert lecture.claims(chapter.name) == chapter.claims
    assert lecture.exercises(chapter.name) == chapter.exercises
    assert lecture.cards(chapter.name) == chapter.cards


def test_no_board_has_a_chapters_name() -> None:
    assert not {one.name for one in BOARDS} & {chapter.name for chapter in lecture.CHAPTERS}


def test_a_name_that_is_neither_is_refused_with_the_boards_and_the_chapters() -> None:
    said = r"'price' is neither a board nor a chapter; boards are modes, .*tiers.*; chapters are batch, .*cryptography"
    for find in (lecture.claims, lecture.exercises, lecture.cards):
        with pytest.raises(ValueError, match=said):
            find("price")


def test_every_claim_and_exercise_is_on_at_least_one_board() -> None:
    assert {claim.id for claim in lecture.CLAIMS} == {name for one in BOARDS for name in one.claims}
    assert {exercise.id for exercise in lecture.EXERCISES} == {name for one in BOARDS for name in one.exercises}


@of_each("claim", lecture.CLAIMS, ids=lambda claim: claim.id)
def test_a_claims_unit_is_the_one_that_its_words_say(claim: Claim) -> None:
    assert claim.unit in UNITS
    said = {"time": "s", "step time": "s", "bytes": "bytes", "memory": "bytes", "context": "tokens", "FLOP": "FLOP"}
    if " over " not in claim.computed:
        for words, unit in said.items():
            if claim.computed.startswith(f"{words} "):
                assert claim.unit == unit


@of_each("claim", lecture.CLAIMS, ids=lambda claim: claim.id)
def test_a_claim_is_a_sentence_and_its_number_a_noun(claim: Claim) -> None:
    """What is claimed can be read aloud by itself; what the number is stands apart."""
    assert claim.claim[0].isupper() or claim.claim[0].isdigit()
    assert claim.claim.endswith(".")
    assert "how many" not in claim.claim
    assert not claim.computed.endswith(".")
    if claim.compute is None and claim.published is None:
        assert not claim.computed
    assert claim.told().startswith(claim.claim)
    assert claim.computed in claim.told()


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (None, "s", "-"),
        (0.0, "", "0"),
        (0.02, "s", "20 ms"),
        (2 / 3600, "$/s", "$2 an hour"),
        (0.05556e-6, "$/token", "$0.0556 per million tokens"),
        (671e9, "params", "671 billion parameters"),
        (-0.10769, "points", "\N{MINUS SIGN}0.108 points"),
        (2.6e15, "", "2,600 trillion"),
        (0.9996, "", "0.9996"),
        (5.128e-6, "", "5.13 × 10⁻⁶"),
        (2194.3, "s", "36.6 minutes"),
    ],
)
def test_numbers_are_written_with_their_unit(value: float | None, unit: str, text: str) -> None:
    assert Measure(unit=unit, what="").text(value) == text
