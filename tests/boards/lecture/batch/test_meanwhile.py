"""What a chip multiplies while it reads a parameter: as high as the line of the chart that it stands above."""

from __future__ import annotations

import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.companions import Meanwhile
from ridgeline.boards.lecture.batch.ratio import BOARD
from ridgeline.boards.picture import Curves


@pytest.mark.parametrize("turned", [{}, {"balance_ratio": 560.0}])
def test_as_many_are_multiplied_as_the_line_is_high(turned: dict[str, float]) -> None:
    picture = BOARD.views[0].compute(BOARD.values(Mode.LECTURE, turned))
    assert isinstance(picture, Curves)
    assert isinstance(picture.companion, Meanwhile)
    (line,) = picture.lines
    assert set(line.y) == {picture.companion.multiplied} == {turned.get("balance_ratio", 300.0)}
