"""A grid gives what each point gives alone: cuts, departures, modes, contexts, walks, racks and sparsity."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ridgeline.equations import contexts, cuts, departures, experts, memory, modes, normal, racks, sparsity

POINTS = np.array([1.25, 2.0, 3.5])
EQUATIONS = [
    *(
        getattr(module, name)
        for module in (contexts, cuts, departures, modes, normal, racks, sparsity)
        for name in module.__all__
    ),
    experts.slots_per_chip,
    experts.copied_chip_load,
    memory.balance_step_time_s,
    memory.sweep_batch,
]
FUNCTIONS = [equation for equation in EQUATIONS if inspect.isfunction(equation)]


@pytest.mark.parametrize("equation", FUNCTIONS, ids=lambda equation: equation.__name__)
def test_a_grid_gives_what_each_point_gives_alone(equation: Callable[..., Any]) -> None:
    names = list(inspect.signature(equation).parameters)
    # Every argument takes its own values, so that one mistaken for another shows.
    columns = {name: POINTS * (1 + 0.1 * place) for place, name in enumerate(names)}
    together = equation(**columns)
    alone = [equation(**{name: float(column[row]) for name, column in columns.items()}) for row in range(len(POINTS))]
    assert isinstance(together, np.ndarray)
    assert all(isinstance(value, float) for value in alone)
    assert together == pytest.approx(alone, rel=1e-12)
