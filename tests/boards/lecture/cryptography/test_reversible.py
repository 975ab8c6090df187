"""Activations of plain, checkpointed and reversible stacks."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.boards.reading import curves_of, line, mark

from ridgeline.boards.board import Mode
from ridgeline.boards.companions import Stacks, Undone
from ridgeline.boards.constant import Constant, Origin
from ridgeline.boards.lecture.cryptography.reversible import BOARD, KEPT_FRACTION

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
    assert mark(price, "none reversible") == pytest.approx((0, 100 * LAYER_BYTES))
    assert mark(price, "all reversible") == pytest.approx((100, LAYER_BYTES))
    assert next(one.text for one in price.marks if one.name == "all reversible") == "all reversible: +33 %"  # E3
    # One layer of a reversible part is held while its gradients are computed, so the first saves nothing.
    assert mark(price, "first") == pytest.approx((1, 100 * LAYER_BYTES))


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


@pytest.mark.parametrize("layers", [4, 8, 11, 96])
def test_cells_of_layers_add_up_to_the_memory_that_is_drawn(layers: int) -> None:
    """At each step; an input that is kept beside all of its layer counts as memory of its own, as the curve has it."""
    found = drawn(view=1, layers=layers)
    assert isinstance(found.companion, Stacks)
    assert found.companion.depth == layers
    for stack in found.companion.stacks:
        whole = len(stack.layers) - stack.inputs
        kept = [
            sum(
                1 if place < whole else KEPT_FRACTION
                for place, (since, until) in enumerate(zip(stack.since, stack.until, strict=True))
                if since <= step <= until
            )
            for step in found.x
        ]
        assert line(found, stack.line) / LAYER_BYTES == pytest.approx(kept)
    reads = next(stack for stack in found.companion.stacks if stack.inputs)
    inputs = reads.layers[-reads.inputs :]
    assert list(inputs) == list(range(0, layers, round(layers**0.5)))
    # No layer's gradients are computed before the layer is there.
    for stack in found.companion.stacks:
        there = {
            (one, step) for one, *ends in zip(stack.layers, stack.since, stack.until, strict=True) for step in ends
        }
        assert all((one, 2 * layers - one) in there for one in range(layers))


def test_the_undone_stack_works_by_the_layers_along_the_axis() -> None:
    found = drawn(view=2, layers=8)
    assert isinstance(found.companion, Undone)
    assert (found.companion.none_flop, found.companion.all_flop) == (6, 8)
    assert (found.x[0], found.x[-1]) == (0, found.companion.layers)
    # A forward pass is what is done again where all layers are undone.
    assert found.companion.forward_flop == found.companion.all_flop - found.companion.none_flop
    assert mark(found, "half reversible") == pytest.approx((4, 5 * LAYER_BYTES))
