"""Activations of plain, checkpointed and reversible stacks."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.boards.reading import curves_of, line, mark

from ridgeline.boards.board import Mode
from ridgeline.boards.constant import Constant, Origin
from ridgeline.boards.lecture.cryptography.reversible import BOARD

LECTURE, CAREFUL = Mode.LECTURE, Mode.CAREFUL


drawn = partial(curves_of, BOARD)


LAYER_BYTES = 34 * 2048 * 12288


def test_reversible_stacks_keep_one_layer_at_any_depth_for_a_third_more_compute() -> None:
    found = drawn(layers=100)
    assert mark(found, "reversible at this depth") == pytest.approx((100, LAYER_BYTES))
    assert mark(found, "store all at this depth") == pytest.approx((100, 100 * LAYER_BYTES))
    assert np.interp(100, found.x, line(found, "√l checkpoints")) == pytest.approx(10 * (1 + 2 / 34) * LAYER_BYTES)
    assert set(np.diff(line(found, "reversible"))) == {0.0}
    steps = drawn(view=1, layers=100)
    assert mark(steps, "all layers kept") == pytest.approx((100, 100 * LAYER_BYTES))
    assert line(steps, "√l checkpoints").max() == pytest.approx(10 * (1 + 2 / 34) * LAYER_BYTES)
    assert set(line(steps, "reversible")) == {LAYER_BYTES}
    price = drawn(view=2, layers=100)
    assert mark(price, "none reversible") == pytest.approx((6, 100 * LAYER_BYTES))
    assert mark(price, "all reversible") == pytest.approx((8, LAYER_BYTES))
    assert next(one.text for one in price.marks if one.name == "all reversible") == "all reversible: +33 %"  # E3
    # One layer of a reversible part is held while its gradients are computed, so the first saves nothing.
    assert mark(price, "first") == pytest.approx((6 + 2 / 100, 100 * LAYER_BYTES))


@pytest.mark.parametrize("mode", list(Mode))
def test_memory_is_drawn_linear_in_the_layers_as_it_is_said(mode: Mode) -> None:
    found = drawn(mode)
    assert not BOARD.views[0].y.is_logarithmic
    assert line(found, "store all") == pytest.approx(found.x * LAYER_BYTES)


def test_his_four_layers_go_up_and_down_and_no_width_is_his() -> None:
    assert list(line(drawn(view=1), "store all") / LAYER_BYTES) == [1, 2, 3, 4, 4, 3, 2, 1]
    for name, origin in (
        ("layers", Origin.SAID),
        ("hidden", Origin.FILLED_IN),
        ("micro_batch_tokens", Origin.FILLED_IN),
    ):
        constant = BOARD.control(name).lecture
        assert isinstance(constant, Constant)
        assert constant.origin is origin
    assert BOARD.values(CAREFUL)["layers"] == 96  # GPT-3
