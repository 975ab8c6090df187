"""Rectangles of ports and of sequences: what they are named by is what the chart and its board have."""

from __future__ import annotations

import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.companions import Abreast
from ridgeline.boards.lecture.batch import cost
from ridgeline.boards.lecture.batch.speed import FIRST_BATCH
from ridgeline.boards.lecture.not_wise import hop
from ridgeline.boards.picture import Curves
from ridgeline.quantity_text import parse_quantity


@pytest.mark.parametrize("turned", [{}, {"ports": 16.0, "batch": 1000.0}])
def test_a_batch_on_its_way_is_as_large_as_its_ports_carry_in_the_time(turned: dict[str, float]) -> None:
    values = hop.BOARD.values(Mode.LECTURE, turned)
    picture = hop.BOARD.views[1].compute(values)
    assert isinstance(picture, Curves)
    drawn = picture.companion
    assert isinstance(drawn, Abreast)
    assert (drawn.first, drawn.count) == (1, values["ports"])
    assert {drawn.line, drawn.limit} < {line.name for line in picture.lines}
    assert drawn.whole_text
    # Without the latency both rectangles are what is handed on, over the bandwidth of a port.
    for ports in (drawn.first, values["ports"]):
        carried = (float(hop.hop_time_s(values, ports)) - values["latency_s"]) * ports * values["port_bytes_per_s"]
        assert parse_quantity(drawn.whole_text, "bytes") == pytest.approx(carried, rel=5e-3)  # three digits are written


def test_sequences_begin_with_the_batch_of_the_first_view_and_follow_the_chart() -> None:
    picture = cost.BOARD.views[1].compute(cost.BOARD.values(Mode.CAREFUL))
    assert isinstance(picture, Curves)
    drawn = picture.companion
    assert isinstance(drawn, Abreast)
    assert (drawn.first, drawn.count, drawn.whole_text) == (FIRST_BATCH, None, None)
    assert drawn.line in {line.name for line in picture.lines}
