"""One vocabulary of boards: claims and exercises by the names that ``ridgeline boards`` lists."""

from __future__ import annotations

import pytest

from ridgeline.boards import exercises as bank
from ridgeline.boards import ledger
from ridgeline.boards.board import Board
from ridgeline.boards.claim import UNITS, Claim, number_text
from ridgeline.boards.shelf import BOARDS

every_board = pytest.mark.parametrize("one", BOARDS, ids=lambda one: one.name)


@every_board
def test_a_boards_name_finds_what_it_declares(one: Board) -> None:
    assert {claim.id for claim in ledger.claims(one.name)} == set(one.claims)
    assert {exercise.id for exercise in bank.exercises(one.name)} == set(one.exercises)


def test_a_chapter_finds_its_own_where_no_board_has_its_name() -> None:
    assert "prices" not in {one.name for one in BOARDS}
    assert {claim.chapter for claim in ledger.claims("prices")} == {"prices"}
    assert {exercise.chapter for exercise in bank.exercises("prices")} == {"prices"}


def test_a_name_that_is_neither_is_refused_with_the_boards_and_the_chapters() -> None:
    said = r"'price' is not a board; there are latency, cost, .*tiers.* Chapters of the lecture are roofline, .*ciphers"
    for find in (ledger.claims, bank.exercises):
        with pytest.raises(ValueError, match=said):
            find("price")


def test_what_is_on_a_board_names_the_first_that_shows_it() -> None:
    claims = {claim.id: ledger.board_of(claim) for claim in ledger.CLAIMS}
    assert {"A7": "sparse", "A6": "latency", "D2": "sparse", "D17": "tiers"}.items() <= claims.items()
    exercises = {exercise.id: bank.board_of(exercise) for exercise in bank.EXERCISES}
    assert {"roofline-floor": "latency", "prices-token": "cost"}.items() <= exercises.items()
    names = {one.name for one in BOARDS} | {claim.chapter for claim in ledger.CLAIMS}
    assert set(claims.values()) <= names


def test_every_claim_is_on_at_least_one_board() -> None:
    assert {claim.id for claim in ledger.CLAIMS} == {name for one in BOARDS for name in one.claims}


def test_every_exercise_is_on_at_least_one_board() -> None:
    assert {exercise.id for exercise in bank.EXERCISES} == {name for one in BOARDS for name in one.exercises}


@pytest.mark.parametrize("claim", ledger.CLAIMS, ids=lambda claim: claim.id)
def test_a_claims_unit_is_the_one_that_its_words_say(claim: Claim) -> None:
    assert claim.unit in UNITS
    said = {"in seconds.": "s", "in bytes.": "bytes", "in tokens.": "tokens", "in bytes a token.": "bytes"}
    for words, unit in said.items():
        if claim.claim.endswith(words):
            assert claim.unit == unit


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (None, "s", "-"),
        (0.0, "", "0"),
        (0.02, "s", "20 ms"),
        (2 / 3600, "$/s", "$2/h"),
        (671e9, "params", "671B params"),
        (-0.10769, "points", "-0.1077 points"),
        (2.6e15, "", "2.6e15"),
    ],
)
def test_numbers_are_written_with_their_unit(value: float | None, unit: str, text: str) -> None:
    assert number_text(value, unit) == text
