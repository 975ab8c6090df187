"""A price list beside costs: the bars add up to what the chart draws at their tokens a pass."""

from __future__ import annotations

import numpy as np
import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.companions import BarGroup, Bars
from ridgeline.boards.lecture.prices.prefill import BOARD, LIST_RATIO
from ridgeline.boards.picture import Curves

TURNED: tuple[dict[str, float], ...] = (
    {},
    {"balance_batches": 3.0},
    {"context_tokens": 1e6},
    {"balance_batches": 0.1, "tokens_per_pass": 2.0},
)


def lengths(group: BarGroup) -> tuple[float, float, float]:
    """List price, computing, memory."""
    listed, computing, memory = (sum(part.length for part in bar.parts) for bar in group.bars)
    return listed, computing, memory


def paid(group: BarGroup) -> float:
    """Length of the longer of computing and memory, which alone of both is drawn in full."""
    _, *both = group.bars
    (strong,) = (bar for bar in both if bar.is_strong)
    assert sum(part.length for part in strong.parts) == max(lengths(group)[1:])
    return max(lengths(group)[1:])


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("turned", TURNED)
def test_the_longer_bar_is_the_cost(mode: Mode, turned: dict[str, float]) -> None:
    values = BOARD.values(mode, turned)
    picture = BOARD.views[0].compute(values)
    assert isinstance(picture, Curves)
    assert isinstance(picture.companion, Bars)
    lines = {line.name: line.y for line in picture.over(1.0, 1e5).lines}
    x = picture.over(1.0, 1e5).x
    read, written = picture.companion.groups
    for group, tokens in ((read, values["tokens_per_pass"]), (written, 1.0)):
        # Between two of 401 points a line of a power lies lower than its chord.
        assert paid(group) == pytest.approx(np.interp(tokens, x, lines["cost"]), rel=1e-3)
        assert lengths(group)[2] == pytest.approx(np.interp(tokens, x, lines["memory"]), rel=1e-3)


def test_at_his_filled_in_batch_the_price_of_output_is_its_cost() -> None:
    """D6, D7."""
    picture = BOARD.views[0].compute(BOARD.values(Mode.LECTURE))
    assert isinstance(picture, Curves)
    assert isinstance(picture.companion, Bars)
    read, written = picture.companion.groups
    assert lengths(written)[0] / lengths(read)[0] == LIST_RATIO
    assert paid(written) / paid(read) == pytest.approx(LIST_RATIO, rel=1e-9)


def test_what_an_output_token_costs_is_hidden_while_that_is_asked_and_its_price_is_not() -> None:
    picture = BOARD.views[0].compute(BOARD.values(Mode.LECTURE))
    assert isinstance(picture, Curves)
    assert isinstance(picture.companion, Bars)
    hidden = {group.names[-1]: [bar.name for bar in group.bars if bar.answers] for group in picture.companion.groups}
    assert hidden == {"input token": [], "output token": ["computing", "memory"]}
