"""Parameters that a model with experts holds and reads: those of the board's equations."""

from __future__ import annotations

import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.companions import Held
from ridgeline.boards.lecture.batch.quality import BOARD, total_params
from ridgeline.boards.picture import Curves


@pytest.mark.parametrize("turned", [{}, {"experts": 8.0, "active_params": 1e9}])
def test_a_token_reads_the_active_parameters_and_all_experts_are_held(turned: dict[str, float]) -> None:
    values = BOARD.values(Mode.LECTURE, turned)
    picture = BOARD.views[0].compute(values)
    assert isinstance(picture, Curves)
    drawn = picture.companion
    assert isinstance(drawn, Held)
    assert drawn.line in {line.name for line in picture.lines}
    assert drawn.shared_params + drawn.expert_params == pytest.approx(values["active_params"])
    held = drawn.shared_params + drawn.held_experts * drawn.expert_params
    assert held == pytest.approx(total_params(values, values["experts"]))
