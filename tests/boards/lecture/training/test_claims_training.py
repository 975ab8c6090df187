"""Numbers of the chapter's claims, worked out apart from them, and what their reasons say in numbers."""

from __future__ import annotations

import pytest
from tests.each import of_each

from ridgeline.boards.lecture import CLAIMS
from ridgeline.boards.lecture.training import CHAPTER
from ridgeline.equations import training


def numbers(name: str) -> tuple[float | None, float | None]:
    (claim,) = (one for one in CLAIMS if one.id == name)
    return claim.lecture_mode(), claim.careful()


def test_no_row_is_left_out() -> None:
    assert sorted(claim.id for claim in CHAPTER.claims) == sorted(f"C{number}" for number in range(15))


@of_each(
    ("name", "lecture_mode", "careful"),
    [
        ("C1", 1, 0.3478 / 0.3658),
        ("C2", 6, 6.25),
        ("C3", 6, 8),
        ("C4", 2, 4.03),
        ("C5", 1.5, 3.33),
        ("C6", 1 / 4, 1 / 3),
        ("C7", 2.592e15, 2.63e15),
        ("C8", 259.2e12, 263e12),
        ("C10", 100, 110.5),
        ("C11", 180e12, 75.8e12),
        ("C12", 1, 200 / 75.8),
        ("C13", 0.5, 0.66),
    ],
)
def test_numbers_of_rows(name: str, lecture_mode: float, careful: float) -> None:
    """0.5 %: the numbers here have three digits."""
    assert numbers(name) == pytest.approx((lecture_mode, careful), rel=5e-3)


def test_the_bridge_of_over_training_passes_all_fits_and_two_models() -> None:
    (claim,) = (one for one in CLAIMS if one.id == "C10")
    values = [round(value, 1) for _, value in claim.bridge()]
    assert values == [100.0, 110.5, 28.5, 16.9, 93.4, 19.7]


def test_what_the_reasons_say_in_numbers() -> None:
    """C11 has a share of 0.27, C5 1.1 to 3.3, C8 twice with a fifth of the traffic."""
    _, best = numbers("C11")
    assert best is not None
    share = training.training_share(tokens=best, weighted_served_tokens=3 * 200e12)
    assert share == pytest.approx(0.275, abs=0.001)
    cheap = training.matching_pretraining_tokens(tokens=1, flop_per_param=2, relative_efficiency_fraction=0.3)
    assert cheap == pytest.approx(1.1, rel=0.02)
    (claim,) = (one for one in CLAIMS if one.id == "C8")
    *_, (_, before), (_, after) = claim.bridge()
    assert after / before == pytest.approx(2)
