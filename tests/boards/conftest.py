from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import pytest


@pytest.fixture
def behind() -> Callable[[str], object]:
    """What a claim or an exercise names as the function behind it: an equation, or an algorithm of another room."""

    def found(equation: str) -> object:
        module, _, name = equation.rpartition(".")
        room = import_module(f"ridgeline.{module}" if "." in module else f"ridgeline.equations.{module}")
        assert name in room.__all__
        return getattr(room, name)

    return found
