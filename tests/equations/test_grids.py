"""A grid gives what each point gives alone: cuts, departures, modes, contexts, evidence, racks, failures and laws."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, get_type_hints

import numpy as np
import pytest
from tests.each import of_each

from ridgeline.equations import (
    contexts,
    cuts,
    departures,
    evidence,
    experts,
    joint_sparsity,
    memory,
    modes,
    normal,
    racks,
    reliability,
    repetition,
    rollouts,
    scaling,
    sparsity,
)

POINTS = np.array([1.25, 2.0, 3.5])
MOST_NUMBERS = 16
"""More than any equation here takes."""

EQUATIONS = [
    *(
        getattr(module, name)
        for module in (
            contexts,
            cuts,
            departures,
            evidence,
            joint_sparsity,
            modes,
            normal,
            racks,
            reliability,
            repetition,
            rollouts,
            scaling,
            sparsity,
        )
        for name in module.__all__
    ),
    experts.slots_per_chip,
    experts.copied_chip_load,
    memory.balance_step_time_s,
]
FUNCTIONS = [equation for equation in EQUATIONS if inspect.isfunction(equation)]


def _arguments(equation: Callable[..., Any], numbers: Iterable[Any]) -> dict[str, Any]:
    """What it is called with: every argument takes the next number, a law one for each coefficient."""
    left = iter(numbers)
    kinds = {name: kind for name, kind in get_type_hints(equation).items() if name != "return"}
    return {
        name: kind(*islice(left, len(kind._fields))) if hasattr(kind, "_fields") else next(left)
        for name, kind in kinds.items()
    }


@of_each("equation", FUNCTIONS, ids=lambda equation: equation.__name__)
def test_a_grid_gives_what_each_point_gives_alone(equation: Callable[..., Any]) -> None:
    # Every argument takes its own values, so that one mistaken for another shows.
    columns = [POINTS * (1 + 0.1 * place) for place in range(MOST_NUMBERS)]
    together = equation(**_arguments(equation, columns))
    rows = range(len(POINTS))
    alone = [equation(**_arguments(equation, [float(column[row]) for column in columns])) for row in rows]
    assert isinstance(together, np.ndarray)
    assert all(isinstance(value, float) for value in alone)
    assert together == pytest.approx(alone, rel=1e-12)
