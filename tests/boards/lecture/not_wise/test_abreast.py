"""Rectangles of ports and of sequences: what they are named by is what the chart and its board have."""

from __future__ import annotations

import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.companions import Abreast
from ridgeline.boards.lecture.batch import cost
from ridgeline.boards.lecture.batch.modes import PRICE_RATIO, SPEED_RATIO
from ridgeline.boards.lecture.batch.step import step_times
from ridgeline.boards.lecture.not_wise import hop
from ridgeline.boards.picture import Curves
from ridgeline.equations import modes
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


def test_sequences_begin_with_the_fast_batch_and_follow_the_chart() -> None:
    picture = cost.BOARD.views[1].compute(cost.BOARD.values(Mode.CAREFUL))
    assert isinstance(picture, Curves)
    drawn = picture.companion
    assert isinstance(drawn, Abreast)
    (fast,) = (mark.x for mark in picture.marks if mark.name == "fast mode")
    assert (drawn.first, drawn.count, drawn.whole_text) == (fast, None, None)
    assert drawn.line in {line.name for line in picture.lines}


@pytest.mark.parametrize("turned", [{}, {"context_tokens": 2e3}, {"kv_bytes_per_token": 2e3}])
@pytest.mark.parametrize("mode", Mode)
def test_the_offer_is_two_points_of_the_curve_of_speed(mode: Mode, turned: dict[str, float]) -> None:
    """So much faster for so much more a token, whether reading or computing sets the regular step."""
    picture = cost.BOARD.views[1].compute(cost.BOARD.values(mode, turned))
    assert isinstance(picture, Curves)
    fast, regular = ((mark.x, mark.y) for name in ("fast", "regular") for mark in picture.marks if name in mark.name)
    faster, earned = fast[1] / regular[1], (regular[0] * regular[1]) / (fast[0] * fast[1])
    # Whole sequences, and a few experts that the fast batch leaves unread.
    assert faster == pytest.approx(float(SPEED_RATIO), rel=0.02)
    assert earned == pytest.approx(float(PRICE_RATIO), rel=0.02)


def test_the_offers_regular_step_has_the_share_of_contexts_that_the_price_curve_implies() -> None:
    values = cost.BOARD.values(Mode.CAREFUL)
    picture, times = cost.BOARD.views[1].compute(values), step_times(values)
    assert isinstance(picture, Curves)
    (regular,) = (mark.x for mark in picture.marks if mark.name == "regular mode")
    share = modes.sequence_share_ratio(price_ratio=float(PRICE_RATIO), speed_ratio=float(SPEED_RATIO))
    assert regular * times.kv_s / times.weights_s == pytest.approx(float(share), rel=0.01)  # whole sequences
