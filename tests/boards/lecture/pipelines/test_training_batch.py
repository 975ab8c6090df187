"""The batch that training wants: B32."""

from __future__ import annotations

import numpy as np
import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture import CLAIMS
from ridgeline.boards.lecture.pipelines.training_batch import BOARD
from ridgeline.boards.picture import Curves


@pytest.mark.parametrize("stages", [2, 4, 16])
def test_the_mark_is_at_the_foot_of_the_curve(stages: int) -> None:
    picture = BOARD.views[0].compute(BOARD.values(Mode.LECTURE, {"stages": stages}))
    assert isinstance(picture, Curves)
    (best,) = picture.marks
    line = next(one for one in picture.lines if one.is_bold)
    assert picture.x[np.argmin(line.y)] == best.x
    assert best.y == pytest.approx(line.y.min())


def test_the_claim_and_the_board_say_one_number() -> None:
    (claim,) = (one for one in CLAIMS if one.id == "B32")
    picture = BOARD.views[0].compute(BOARD.values(Mode.LECTURE))
    assert isinstance(picture, Curves)
    assert picture.marks[0].x == round(claim.lecture_mode() or 0)
