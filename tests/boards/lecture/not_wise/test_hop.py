"""From rack to rack: B11, B16, B39 and the way that a batch takes."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.boards.reading import curves_of, mark

from ridgeline.boards.board import Mode
from ridgeline.boards.claim import Claim, Verdict
from ridgeline.boards.flows import Passage
from ridgeline.boards.lecture import CLAIMS
from ridgeline.boards.lecture.not_wise.hop import BOARD, PARTS
from ridgeline.boards.lecture.pipelines.hop_time import careful_hop_s

HOP, TOKEN = 1, 2


drawn = partial(curves_of, BOARD)


def claim(name: str) -> Claim:
    return next(one for one in CLAIMS if one.id == name)


def test_a_hop_takes_a_millisecond_at_most_where_the_lecture_has_a_few() -> None:
    found = drawn(view=HOP)
    assert mark(found, "one port")[1] == pytest.approx(0.69e-3, rel=0.01)
    assert mark(found, "ports")[1] == pytest.approx(6e-6 + 2400 * 7168 * 2 / 64 / 50e9)
    levels = sorted(float(one.y[0]) for one in found.lines if np.ptp(one.y) == 0)
    assert levels == pytest.approx([0.25e-3, 2.5e-3, 25e-3])


def test_board_and_claims_say_one_careful_hop() -> None:
    assert mark(drawn(Mode.CAREFUL, view=HOP), "ports")[1] == pytest.approx(claim("B16").careful())
    assert careful_hop_s() == pytest.approx(claim("B16").careful())
    assert claim("B39").careful() == pytest.approx(0.020 + 4 * careful_hop_s())
    assert claim("B11").careful() == pytest.approx(1 + 4 * careful_hop_s() / 0.020)


def test_his_order_of_magnitude_holds_one_port_and_not_all() -> None:
    one = claim("B16")
    assert one.verdict is Verdict.DEPENDS
    assert one.is_near(one.lecture_mode() or 0)
    assert not one.is_near(one.careful() or 0)


def test_four_of_his_hops_make_twenty_milliseconds_thirty() -> None:
    found = drawn(view=TOKEN)
    assert found.is_whole
    assert mark(found, "stages, his hops") == pytest.approx((4, 0.030))
    assert claim("B39").lecture_mode() == pytest.approx(0.030)


def way(**turned: float) -> Passage:
    picture = BOARD.views[0].compute(BOARD.values(Mode.LECTURE, turned))
    assert isinstance(picture, Passage)
    return picture


def test_the_way_leads_out_of_one_rack_and_back_into_the_other() -> None:
    _, hop = way().strips
    assert hop.places == (*PARTS, *reversed(PARTS))
    (message,) = hop.messages
    assert (message.row, message.to_row) == (0, len(hop.places) - 1)


@pytest.mark.parametrize("stages", [2, 4, 16])
def test_a_token_takes_its_stages_and_a_hop_after_each(stages: int) -> None:
    token, hop = way(stages=stages).strips
    (enlarged,) = hop.messages
    hop_s = enlarged.latency + enlarged.long
    assert len(token.stays) == len(token.messages) == stages
    for place, (stay, message) in enumerate(zip(token.stays, token.messages, strict=True)):
        assert stay.start == pytest.approx(place * (stay.end - stay.start + hop_s))
        assert message.start == stay.end
        assert (message.row, message.to_row) == (place, (place + 1) % stages)
        assert (message.latency, message.long) == (enlarged.latency, enlarged.long)
    mine, his = token.limits
    last = token.messages[-1]
    assert mine.at == pytest.approx(last.start + hop_s)
    assert his.at == pytest.approx(0.020 + stages * 2.5e-3)
    assert hop.limits[-1].at == pytest.approx(hop_s)


def test_every_control_changes_the_way() -> None:
    for control in BOARD.controls:
        assert way(**{control.name: control.high}) != way(), control.name
