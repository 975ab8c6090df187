"""Racks that read the same weights: shares, times and factors are those of the lines that they stand beside."""

from __future__ import annotations

import pytest
from tests.boards.reading import mark

from ridgeline.boards.board import Mode
from ridgeline.boards.companions import SharedReading
from ridgeline.boards.lecture.layouts.racks import BOARD
from ridgeline.boards.picture import Curves
from ridgeline.quantity_text import format_number, parse_quantity


@pytest.mark.parametrize("weight_bytes", [1e12, 100e9])
def test_shares_at_their_rates_take_the_time_that_the_chart_marks(weight_bytes: float) -> None:
    picture = BOARD.views[0].compute(BOARD.values(Mode.LECTURE, {"weight_bytes": weight_bytes}))
    assert isinstance(picture, Curves)
    assert isinstance(picture.companion, SharedReading)
    readers = picture.companion.readers
    assert [(one.name, one.chips) for one in readers] == [("H100", 8), ("GB200", 72)]
    for one in readers:
        assert mark(picture, f"domain of {one.name}") == (one.chips, one.read_s)
        assert one.line in {line.name for line in picture.lines}
        share = parse_quantity(one.share_text, "bytes")
        assert share == pytest.approx(weight_bytes / one.chips, rel=5e-3)  # three digits are written
        assert share / parse_quantity(one.rate_text, "bytes_per_s") == pytest.approx(one.read_s, rel=5e-3)
    first, second = readers
    assert first.so_text == ""
    faster = f"{format_number(first.read_s / second.read_s, 3)} times faster"
    assert second.so_text == f"9 times the chips, each 2.4 times as fast: {faster}"
