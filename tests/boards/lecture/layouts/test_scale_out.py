"""An all-to-all over several racks: B3 and B4."""

from __future__ import annotations

from functools import partial

import pytest
from tests.boards.reading import curves_of
from tests.estimator.nested import level_times_s

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture.layouts.scale_out import BOARD
from ridgeline.estimator.messages import AllToAll

drawn = partial(curves_of, BOARD)


@pytest.mark.parametrize(("racks", "times"), [(1, 1.0), (2, 4.0), (4, 6.0), (8, 7.0)])
def test_the_slower_networks_time_counts(racks: float, times: float) -> None:
    mark = next(one for one in drawn(racks=racks).marks if one.name == "racks")
    assert (mark.x, mark.y) == pytest.approx((racks, times))
    there, one = (
        max(
            level_times_s(
                AllToAll, message_bytes=1e9, ranks=(1e6, count), bytes_per_s=(800e9, 100e9), latency_s=(0.0, 0.0)
            )
        )
        for count in (racks, 1)
    )
    assert there / one == pytest.approx(times, rel=1e-3)  # of a million chips one is the sender


def test_racks_are_whole_and_no_number_of_them_is_faster_than_one() -> None:
    found = drawn()
    assert found.is_whole
    whole = next(one.y for one in found.lines if one.is_bold)
    assert whole.min() == whole[0] == 1


def test_careful_links_are_the_machines() -> None:
    mark = next(one for one in drawn(Mode.CAREFUL).marks if one.name == "racks")
    assert mark.y == pytest.approx(18 / 2)
