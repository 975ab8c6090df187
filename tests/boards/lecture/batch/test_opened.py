"""The opened chip has the numbers of its board: times of its lines, bytes of its memory, shares of its bill."""

from __future__ import annotations

import numpy as np
import pytest

from ridgeline.boards.board import Mode, Values
from ridgeline.boards.lecture import CHAPTERS, board
from ridgeline.boards.lecture.batch.opened import MOST_UNREAD
from ridgeline.boards.lecture.batch.step import read_fraction, weight_bytes
from ridgeline.boards.lecture.walk import opened_document
from ridgeline.boards.opened_chip import OpenedChip
from ridgeline.boards.picture import Curves
from ridgeline.boards.place import line_named

EXACT = 1e-9
"""Of straight lines, read at one of their own points."""
BETWEEN = 3e-3
"""Part by which the read weights stray between two of their batches, which lie 12 % apart."""


def opened(values: Values) -> OpenedChip:
    found = board("latency").opened
    assert found is not None
    return found(values)


def times(chip: OpenedChip, batch: float) -> tuple[float, float, float]:
    """As the page takes them: weights, KV and arithmetic, s."""
    read = float(np.interp(batch, chip.batches, chip.read))
    return chip.weights_s * read, chip.kv_s * batch, chip.compute_s * batch


@pytest.mark.parametrize("mode", Mode)
def test_a_step_takes_the_times_that_its_lines_have(mode: Mode) -> None:
    latency = board("latency")
    values = latency.values(mode)
    chip, curves = opened(values), latency.views[0].compute(values)
    assert isinstance(curves, Curves)
    for place in (40, 200, -1):
        batch = float(curves.x[place])
        weights_s, kv_s, compute_s = times(chip, batch)
        for line, time_s, within in (
            ("weight fetch", weights_s, BETWEEN),
            ("KV fetch", kv_s, EXACT),
            ("compute", compute_s, EXACT),
        ):
            assert time_s == pytest.approx(float(line_named(curves, line).y[place]), rel=within)
        step_s = float(line_named(curves, "step").y[place])
        assert max(weights_s + kv_s, compute_s) == pytest.approx(step_s, rel=BETWEEN)


@pytest.mark.parametrize("mode", Mode)
def test_a_step_is_paid_for_as_its_bill_says(mode: Mode) -> None:
    cost = board("cost")
    values = cost.values(mode)
    curves = cost.views[0].compute(values)
    assert isinstance(curves, Curves)
    assert cost.opened is not None
    chip = cost.opened(values)
    # A step's chip time by its batch: at one sequence all is its own.
    per_token = values["usd_per_chip_s"] * values["chips"]
    for name, time_s in zip(("weight fetch", "KV fetch", "compute"), times(chip, 1.0), strict=True):
        assert time_s * per_token == pytest.approx(float(line_named(curves, name).y[0]), rel=EXACT)


@pytest.mark.parametrize("mode", Mode)
def test_what_is_read_takes_as_long_as_its_bytes(mode: Mode) -> None:
    values = board("latency").values(mode)
    chip = opened(values)
    assert chip.weight_bytes * chip.chips == pytest.approx(weight_bytes(values), rel=EXACT)
    assert chip.weight_bytes / chip.hbm_bytes_per_s == pytest.approx(chip.weights_s, rel=EXACT)
    assert chip.kv_bytes / chip.hbm_bytes_per_s == pytest.approx(chip.kv_s, rel=EXACT)
    assert chip.weight_bytes + chip.most * chip.kv_bytes <= chip.hbm_bytes
    assert chip.weight_bytes + (chip.most + 1) * chip.kv_bytes > chip.hbm_bytes


def test_the_part_of_the_weights_that_is_read_is_given_as_far_as_it_grows() -> None:
    latency = board("latency")
    values = latency.values(Mode.CAREFUL)
    chip = opened(values)
    assert all(one == read_fraction(values, batch) for batch, one in zip(chip.batches, chip.read, strict=True))
    assert chip.read[0] < 0.1 < 1 - MOST_UNREAD <= chip.read[-1]
    for batch in (14.0, 32.0, 100.0, 250.0, 1e6):
        exact = float(read_fraction(values, batch))
        assert np.interp(batch, chip.batches, chip.read) == pytest.approx(exact, rel=BETWEEN)
    # All of his weights are read for one sequence.
    assert opened(latency.values(Mode.LECTURE)).batches == (1.0,)


def test_steps_that_open_a_chip_have_a_board_that_does() -> None:
    steps = [step for chapter in CHAPTERS for step in chapter.steps if step.opened]
    assert len(steps) > 1
    assert all(board(step.board).opened for step in steps)
    told = [len(step.opened) for step in steps]
    assert told == sorted(told)


def test_a_document_has_a_chip_of_each_mode() -> None:
    latency = board("latency")
    found = opened_document(latency, {mode: latency.values(mode) for mode in Mode})
    assert [found[mode]["hbm_bytes"] for mode in Mode] == [
        pytest.approx(latency.values(mode)["hbm_bytes"]) for mode in Mode
    ]
    assert not opened_document(board("ratio"), {})
