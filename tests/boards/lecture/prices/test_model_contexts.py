"""Nine models over the same axes: each begins to cost more at its own crossover."""

from __future__ import annotations

import numpy as np
import pytest

from ridgeline.boards.board import Facts, Mode
from ridgeline.boards.lecture.prices.context import BOARD
from ridgeline.boards.lecture.prices.model_contexts import MODELS, model_contexts
from ridgeline.boards.picture import Curves
from ridgeline.boards.scene import Multiples
from ridgeline.catalog import load_machine, load_model


def drawn(mode: Mode = Mode.CAREFUL, **turned: float) -> Multiples:
    return model_contexts(BOARD.values(mode, turned))


def test_every_line_is_flat_up_to_its_mark_and_rises_beyond() -> None:
    found = drawn()
    assert [one.name for one in found.smalls] == list(MODELS)
    x = np.array(found.x)
    for one in found.smalls:
        y = np.array(one.y)
        assert np.all(y[x < one.mark_x] == 1)
        assert np.all(np.diff(y[x > one.mark_x]) > 0)
        assert one.mark_y == 1
        assert found.bottom < y.min()


@pytest.mark.parametrize("name", ["deepseek-v3", "llama-3.1-405b"])
def test_a_model_that_is_chosen_has_the_same_crossover_in_large(name: str) -> None:
    facts = Facts(model=load_model(name), machine=load_machine("h100-sxm"))
    values = BOARD.values(Mode.CAREFUL, facts=facts)
    large = BOARD.views[0].compute(values)
    assert isinstance(large, Curves)
    (crossover,) = (mark.x for mark in large.marks if mark.name == "crossover")
    found = model_contexts(values)
    (small,) = (one for one in found.smalls if one.name == name)
    assert small.mark_x == pytest.approx(crossover)
    assert small.y == pytest.approx(found.reference)


def test_where_weights_take_all_the_time_the_cost_rises_from_the_start() -> None:
    found = drawn(balance_batches=0.5)
    assert {one.text for one in found.smalls} == {"from the start"}
    assert all(one.y[0] == one.mark_y > 2 for one in found.smalls)


def test_more_parameters_a_read_move_all_crossovers_alike() -> None:
    one, twice = (drawn(balance_ratio=ratio).smalls for ratio in (100, 200))
    for first, second in zip(one, twice, strict=True):
        assert first.mark_x == pytest.approx(2 * second.mark_x) or second.mark_x == 100
