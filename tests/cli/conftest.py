"""What tests of the command line share: a search for the same question is made once, whatever is printed of it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

from ridgeline.planner import cheaper_ways, plan
from ridgeline.planner.two_pools import search
from ridgeline.training import train
from ridgeline.training.search import search as search_layouts


def _once(search_for: Callable[..., Any]) -> Callable[..., Any]:
    """The search, which gives what it found before where it is asked the same again."""
    kept = functools.lru_cache(maxsize=64)(search_for)

    def found(*asked: Any, **named: Any) -> Any:  # noqa: ANN401  arguments and result of either search
        each = [tuple(one) if isinstance(one, list) else one for one in asked]
        return kept(*each, **{name: tuple(one) if isinstance(one, list) else one for name, one in named.items()})

    return found


PLAN, PLAN_TWO_POOLS, TRAIN = _once(plan.plan), _once(search.plan_two_pools), _once(search_layouts)


@pytest.fixture(autouse=True)
def _searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have what is printed as a table and as JSON, in short, in detail and at any width, rest on one search."""
    monkeypatch.setattr(plan, "plan", PLAN)
    monkeypatch.setattr(search, "plan_two_pools", PLAN_TWO_POOLS)
    monkeypatch.setattr(train, "search", TRAIN)
    monkeypatch.setattr(cheaper_ways, "plan", PLAN)
    monkeypatch.setattr(cheaper_ways, "plan_two_pools", PLAN_TWO_POOLS)
