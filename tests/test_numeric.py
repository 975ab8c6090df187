from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline import numeric

FINITE = st.floats(min_value=1e-6, max_value=1e6)


@pytest.mark.parametrize("name", ["ceil", "floor", "log", "exp", "sqrt"])
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


def test_traced_values_pass_through() -> None:
    jax = pytest.importorskip("jax", reason="jax is no dependency; without it nothing is traced")
    slope = jax.grad(lambda x: numeric.maximum(x * 3.0, 1.0))(2.0)
    assert float(slope) == 3.0
