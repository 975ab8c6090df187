"""How far one changed bit reaches in ciphers and in networks with random weights."""

from __future__ import annotations

from functools import partial

import pytest
from tests.boards.reading import curves_of, line, mark

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture import CLAIMS
from ridgeline.boards.lecture.cryptography.ciphers import BOARD
from ridgeline.boards.picture import Table

LECTURE = Mode.LECTURE


drawn = partial(curves_of, BOARD)


def test_ciphers_mix_in_a_few_rounds_and_a_residual_network_does_not() -> None:
    found = drawn()
    aes, present, feistel = (mark(found, f"{name} mixed")[0] for name in ("AES", "PRESENT", "Feistel"))
    assert aes == 2  # each byte of four rounds' square feeds every byte after two
    assert aes < feistel < present < 10
    assert line(found, "AES")[0] == 1 / 128
    for name in ("AES", "PRESENT", "Feistel", "network"):
        assert line(found, name)[-1] == pytest.approx(0.5, abs=0.02)  # thousands of bits
    assert 1 / 64 < line(found, "residual")[-1] < 0.1
    linear = drawn(exponent=1)
    assert "Feistel mixed" not in {one.name for one in linear.marks}
    assert line(linear, "Feistel")[-1] < 0.1  # its function adds, and carries are short


@pytest.mark.parametrize(("claim_id", "name"), [("E6", "AES"), ("E8", "network")])
def test_lines_end_at_the_ledgers_numbers(claim_id: str, name: str) -> None:
    (claim,) = (one for one in CLAIMS if one.id == claim_id)
    assert line(drawn(), name)[-1] == claim.lecture_mode()
    beside = {"E6": line(drawn(), "AES")[1], "E8": line(drawn(), "residual")[-1]}[claim_id]
    assert claim.careful() == beside
    assert claim.contrast


def test_both_difference_tables_are_shown() -> None:
    for view, size, largest in ((1, 16, 4), (2, 256, 4)):
        picture = BOARD.views[view].compute(BOARD.values(LECTURE, {"changes": 256}))
        assert isinstance(picture, Table)
        assert picture.values.shape == (size, size)
        assert picture.values.max() == largest
        assert picture.text == f"the darker, the more inputs: at most 4 of {size}"
        assert set(picture.values[1:].sum(axis=1)) == {size}
        assert picture.values[0].sum() == 0
