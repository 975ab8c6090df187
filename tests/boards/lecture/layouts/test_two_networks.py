"""Racks over two networks: their times are those of the lines that they stand above."""

from __future__ import annotations

import numpy as np
import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.companions import TwoNetworks
from ridgeline.boards.lecture.layouts.scale_out import BOARD
from ridgeline.boards.picture import Curves


@pytest.mark.parametrize(("racks", "ratio"), [(1.0, 8.0), (2.0, 8.0), (3.0, 8.0), (8.0, 18.0), (2.0, 1.0)])
def test_each_network_takes_as_long_as_its_line_is_high(racks: float, ratio: float) -> None:
    picture = BOARD.views[0].compute(BOARD.values(Mode.LECTURE, {"racks": racks, "link_ratio": ratio}))
    assert isinstance(picture, Curves)
    drawn = picture.companion
    assert isinstance(drawn, TwoNetworks)
    assert (drawn.racks, drawn.link_ratio) == (racks, ratio)
    lines = {one.name: float(np.interp(racks, picture.x, one.y)) for one in picture.lines}
    assert (drawn.inside, drawn.between) == (lines["inside a rack"], lines["between racks"])
    if racks == 1:
        assert (drawn.inside, drawn.inside_text) == (1, "all traffic stays inside it")
        assert (drawn.between, drawn.between_text) == (0, "none leaves it")
        return
    assert drawn.inside_text.startswith(f"1/{racks:.0f} of")
    slower = f"{ratio:.0f} times slower" if ratio > 1 else "no slower"
    assert drawn.between_text == f"{racks - 1:.0f}/{racks:.0f} leaves it, {slower}"


def test_two_racks_by_his_numbers_take_half_and_four_times_as_long_as_one() -> None:
    picture = BOARD.views[0].compute(BOARD.values(Mode.LECTURE))
    assert isinstance(picture, Curves)
    assert isinstance(picture.companion, TwoNetworks)
    assert (picture.companion.inside, picture.companion.between) == (0.5, 4)
