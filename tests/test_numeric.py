from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline import numeric

FINITE = st.floats(min_value=1e-6, max_value=1e6)


@pytest.mark.parametrize("name", ["ceil", "floor", "log", "exp", "sqrt", "erfc"])
def test_one_argument_functions_give_floats_for_floats_and_grids_for_grids(name: str) -> None:
    function = getattr(numeric, name)
    scalar = function(2.5)
    grid = function(np.array([2.5, 2.5]))
    assert type(scalar) is float
    assert scalar == pytest.approx(getattr(math, name)(2.5))
    assert grid == pytest.approx([scalar, scalar])


@given(FINITE, FINITE)
def test_extremes_and_choice_agree_between_floats_and_grids(first: float, second: float) -> None:
    grids: Any = np.array(first), np.array(second)
    assert numeric.maximum(first, second) == float(numeric.maximum(*grids)) == max(first, second)
    assert numeric.minimum(first, second) == float(numeric.minimum(*grids)) == min(first, second)
    chosen = numeric.where(first > second, first, second)
    assert chosen == float(numeric.where(grids[0] > grids[1], *grids)) == max(first, second)


def test_a_float_against_a_grid_spreads_over_it() -> None:
    assert np.array_equal(numeric.maximum(2.0, np.array([1.0, 3.0])), [2.0, 3.0])


def test_a_root_is_found_for_each_element() -> None:
    squares = np.array([1.0, 2.0, 9.0])
    assert numeric.solve(lambda x: x * x - squares, 0.0, 10.0) == pytest.approx(np.sqrt(squares), rel=1e-14)
    assert type(numeric.solve(lambda x: x - 0.25, 0, 1)) is float


@pytest.mark.parametrize(("level", "bound"), [(-1.0, 2.0), (7.0, 3.0)])
def test_without_a_root_between_them_the_nearer_bound_is_found(level: float, bound: float) -> None:
    assert numeric.solve(lambda x: x - level, 2.0, 3.0) == pytest.approx(bound)


def test_traced_values_pass_through() -> None:
    jax = pytest.importorskip("jax", reason="jax is no dependency; without it nothing is traced")
    slope = jax.grad(lambda x: numeric.maximum(x * 3.0, 1.0))(2.0)
    assert float(slope) == 3.0
    slope = jax.grad(numeric.erfc)(0.5)
    assert float(slope) == pytest.approx(-2 / math.sqrt(math.pi) * math.exp(-0.25), rel=1e-6)
    root = jax.jit(lambda level: numeric.solve(lambda x: x * x - level, 0.0, 10.0))(2.0)
    assert float(root) == pytest.approx(math.sqrt(2), rel=1e-6)
