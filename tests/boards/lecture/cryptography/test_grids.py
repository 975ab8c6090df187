"""Bits that one change of an input changes: one of the runs that the lines are means of."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.boards.reading import curves_of, line

from ridgeline.boards.companions import Grid, Grids
from ridgeline.boards.lecture.cryptography.ciphers import BOARD
from ridgeline.boards.lecture.cryptography.mixing import (
    NET_WIDTH,
    SIGNS,
    Network,
    aes_run,
    network_avalanche,
    network_run,
    residual_network,
)
from ridgeline.boards.picture import Curves
from ridgeline.laboratory import ciphers

drawn = partial(curves_of, BOARD)


def grid_of(found: Curves, name: str) -> Grid:
    assert isinstance(found.companion, Grids)
    return next(one for one in found.companion.grids if one.name == name)


def bits(digits: str) -> int:
    return int(digits, 16)


def bytes_of(digits: str) -> list[int]:
    return list(bytes.fromhex(digits))


def test_a_bit_becomes_a_byte_a_column_and_half_of_the_block() -> None:
    aes = grid_of(drawn(), "AES")
    before, column, block, *others = aes.changed
    assert bits(before) == 1 << 127
    # An S-box has one byte, columns are mixed by themselves, and rows are shifted so that each column has one of four.
    first, *rest = bytes_of(aes.substituted)
    assert first
    assert not any(rest)
    assert all(bytes_of(column)[:4])
    assert not any(bytes_of(column)[4:])
    # A code of four bytes whose words differ in five places at least.
    assert all(bytes_of(block))
    for one in (block, *others):
        assert bits(one).bit_count() == pytest.approx(64, abs=4 * 128**0.5 / 2)  # as many coins, to four deviations


@pytest.mark.parametrize("flipped", [1, 3, 16])
def test_aes_is_the_standards_own_rounds(flipped: int) -> None:
    """Keys are added to both blocks alike, so that a round's differences are those of its S-boxes, spread."""
    run = aes_run(flipped)
    assert f"{run.changed[0]:0128b}" == "1" * flipped + "0" * (128 - flipped)
    assert run.substituted is not None
    shifted = ciphers.aes_rows_shifted(block=run.substituted)
    assert run.changed[1] == ciphers.aes_columns_mixed(block=shifted)


@pytest.mark.parametrize("network", [SIGNS, residual_network(0.5)])
def test_a_network_is_one_of_the_runs_of_its_mean(network: Network) -> None:
    """Where all signs are flipped there is one run a block, whose share is the mean."""
    run = network_run(network, NET_WIDTH)
    shares = [one.bit_count() / run.bits for one in run.changed]
    assert shares == pytest.approx(network_avalanche(network, 1, 10, NET_WIDTH))


def test_what_a_layer_adds_decides_how_far_a_sign_reaches() -> None:
    little, much = (drawn(added_weight=weight) for weight in (0.01, 10.0))
    counts = [bits(grid_of(one, "residual").changed[-1]).bit_count() for one in (little, much)]
    assert counts[0] == 1
    # As many coins as signs, to four deviations of its mean.
    assert counts[1] / NET_WIDTH == pytest.approx(line(much, "residual")[-1], abs=4 * NET_WIDTH**-0.5 / 2)
    assert counts[1] > 8


def test_grids_have_the_rounds_and_the_lines_of_the_chart() -> None:
    found = drawn(rounds=4, flipped_bits=3, samples=1)
    assert isinstance(found.companion, Grids)
    names = {one.name for one in found.lines}
    for one in found.companion.grids:
        assert one.line in names
        assert len(one.changed) == 5
        assert {len(digits) for digits in one.changed} == {one.bits // 4}
        assert bits(one.changed[0]).bit_count() == 3
        assert np.isclose(line(found, one.line)[0], 3 / one.bits)
    assert found.companion.change_text == "first 3 bits flipped"
    assert "mean of 1 block," in found.companion.text
