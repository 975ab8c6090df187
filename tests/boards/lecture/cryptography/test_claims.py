"""Numbers of the claims on what networks and ciphers share."""

from __future__ import annotations

import pytest

from ridgeline.boards.claim import Claim, Verdict
from ridgeline.boards.lecture import CLAIMS
from ridgeline.boards.lecture.recording import seconds
from ridgeline.laboratory import trails

BY_ID: dict[str, Claim] = {claim.id: claim for claim in CLAIMS if claim.id.startswith("E")}


def both(claim_id: str) -> tuple[float, float]:
    ours, careful = BY_ID[claim_id].lecture_mode(), BY_ID[claim_id].careful()
    assert ours is not None
    assert careful is not None
    return ours, careful


@pytest.mark.parametrize(
    ("claim_id", "ours", "careful"), [("E3", 1, 2), ("E5", 4 / 256, 4 / 16), ("E4", 10, 34), ("E9", 48, 0.386)]
)
def test_numbers_of_rows(claim_id: str, ours: float, careful: float) -> None:
    """2 %: two digits."""
    assert both(claim_id) == pytest.approx((ours, careful), rel=0.02)


def test_whole_numbers_come_back_and_floats_but_for_rounding() -> None:
    lost, rounded = both("E1")
    assert lost == 0
    assert 0.5 < rounded < 1


@pytest.mark.parametrize("claim_id", ["E1", "E2", "E3", "E5", "E6", "E8", "E10"])
def test_other_cases_are_called_so_and_not_careful_numbers(claim_id: str) -> None:
    assert BY_ID[claim_id].contrast
    assert not BY_ID[claim_id].careful_of


def test_every_claim_has_its_second_after_the_chapters_beginning() -> None:
    assert all(seconds("2:03:52") < seconds(claim.time_stamp) < seconds("2:14:00") for claim in BY_ID.values())


def test_the_networks_half_of_e6_is_a_row_of_its_own() -> None:
    assert "E11" in BY_ID["E6"].why
    plain, careful = both("E11")
    assert plain > 2
    assert careful > 1.5


def test_all_rows_of_the_chapter_but_a_figure_of_speech_are_computed() -> None:
    assert [name for name, claim in BY_ID.items() if claim.verdict is Verdict.NOT_DERIVABLE] == ["E7"]


def test_of_random_ciphers_the_rounds_decide_which_break() -> None:
    """E7's why."""
    assert [trails.broken_fraction(ciphers=10, rounds=rounds, seed=0) for rounds in (5, 16)] == [1.0, 0.0]


def test_a_cache_in_an_h100s_memory_pays_for_one_to_two_minutes() -> None:
    """E9's why."""
    assert 60 < 300 * both("E9")[1] < 120


def test_a_residual_connection_keeps_the_derivative_within_a_digit_or_so() -> None:
    kept, plain = both("E10")
    assert kept < 10
    assert plain > 1e6
