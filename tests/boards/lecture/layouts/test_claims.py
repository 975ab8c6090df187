"""Claims of the chapter, by numbers that were worked out beside them."""

from __future__ import annotations

import pytest

from ridgeline.boards.lecture import CLAIMS
from ridgeline.boards.lecture.layouts import CHAPTER, racks
from ridgeline.catalog import machine_entry

BY_ID = {claim.id: claim for claim in CLAIMS}


@pytest.mark.parametrize(
    ("claim", "lecture", "careful"),
    [
        ("B1", 4, 288 / 72),
        ("B2", 2, 4),
        ("B3", 450 / 50, 900 / 50),
        ("B5", 576, 144),
        ("B6", 640e9, 8 * 81559 * 2**20),  # nvidia-smi of an H100: 81,559 MiB
        ("B7", 72 * 189471 * 2**20, 4 * 72 * 189471 * 2**20),
        ("B19", 576 / 144, 144 / 72),
        ("B26", 2, 1),
    ],
)
def test_numbers_are_those_worked_by_hand(claim: str, lecture: float, careful: float) -> None:
    assert BY_ID[claim].lecture_mode() == pytest.approx(lecture)
    assert BY_ID[claim].careful() == pytest.approx(careful)


def test_a_rack_has_what_its_driver_reports() -> None:
    """B20: nvidia-smi of a GB200 says 189,471 MiB. The rack beside the step fills the same memory."""
    assert BY_ID["B20"].lecture_mode() == pytest.approx(72 * 189471 * 2**20)
    assert BY_ID["B20"].lecture_mode() == racks.domain_bytes(machine_entry("gb200-nvl72"))


def test_a_pod_had_two_hundred_times_the_memory_of_eight_a100() -> None:
    """4,096 chips of 32 GiB over 8 of 80 GiB."""
    assert BY_ID["B23"].lecture_mode() == pytest.approx(4096 * 32 / (8 * 80))


def test_one_big_switch_takes_every_link_out_of_the_rack() -> None:
    assert BY_ID["B22"].lecture_mode() == 18


def test_every_claim_of_the_chapter_is_on_one_of_its_boards() -> None:
    shown = {claim for board in CHAPTER.boards for claim in board.claims}
    assert {claim.id for claim in CHAPTER.claims} <= shown


def test_cards_are_of_boards_that_there_are() -> None:
    names = {board.name for board in CHAPTER.boards}
    assert {card.board for card in CHAPTER.cards} <= names
    assert len({card.id for card in CHAPTER.cards}) == len(CHAPTER.cards)
    # Numbers in answers are computed: four experts, four times the dies.
    answers = {card.id: card.answer for card in CHAPTER.cards}
    assert answers["layouts-experts-a-chip"].startswith("4 on each of 64: 72 does not divide 256")
    assert "144 to 576" in answers["layouts-genuine"]
    assert "5,184" in answers["layouts-cables"]
    assert "For two racks that is 4 times, for 8 racks 7 times" in answers["layouts-two-racks"]
