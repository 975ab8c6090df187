"""A price list beside costs: the bars add up to what the chart draws at their tokens a pass."""

from __future__ import annotations

import numpy as np
import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.companions import Listed, PriceList
from ridgeline.boards.lecture.prices.prefill import BOARD, LIST_RATIO
from ridgeline.boards.picture import Curves

TURNED: tuple[dict[str, float], ...] = (
    {},
    {"balance_batches": 3.0},
    {"context_tokens": 1e6},
    {"balance_batches": 0.1, "tokens_per_pass": 2.0},
)


def paid(kind: Listed) -> float:
    return max(sum(one.cost for one in parts) for parts in (kind.compute, kind.memory))


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("turned", TURNED)
def test_the_longer_bar_is_the_cost(mode: Mode, turned: dict[str, float]) -> None:
    values = BOARD.values(mode, turned)
    picture = BOARD.views[0].compute(values)
    assert isinstance(picture, Curves)
    assert isinstance(picture.companion, PriceList)
    lines = {line.name: line.y for line in picture.over(1.0, 1e5).lines}
    x = picture.over(1.0, 1e5).x
    read, written = picture.companion.kinds
    for kind, tokens in ((read, values["tokens_per_pass"]), (written, 1.0)):
        # Between two of 401 points a line of a power lies lower than its chord.
        assert paid(kind) == pytest.approx(np.interp(tokens, x, lines["cost"]), rel=1e-3)
        assert sum(one.cost for one in kind.memory) == pytest.approx(np.interp(tokens, x, lines["memory"]), rel=1e-3)


def test_at_his_filled_in_batch_the_price_of_output_is_its_cost() -> None:
    """D6, D7."""
    picture = BOARD.views[0].compute(BOARD.values(Mode.LECTURE))
    assert isinstance(picture, Curves)
    assert isinstance(picture.companion, PriceList)
    read, written = picture.companion.kinds
    assert written.listed / read.listed == LIST_RATIO
    assert paid(written) / paid(read) == pytest.approx(LIST_RATIO, rel=1e-9)
