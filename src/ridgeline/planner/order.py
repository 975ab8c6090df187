"""Order of a search's results, best first: each layout once, the simplest among equally good ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from ridgeline.planner.choice import Choice
from ridgeline.planner.compare import fastest_of_equals, fewest_stages_first, simplest_first
from ridgeline.planner.outcome import Rejection
from ridgeline.specs.demand import Demand
from ridgeline.specs.engine import Engine, is_ideal

__all__ = ["in_order", "of_each_layout"]


def in_order(found: Sequence[Choice | Rejection], engine: Engine, demand: Demand) -> list[Choice]:
    """Choices in the order of plans: the cheapest first, the fastest of those that cost the same."""
    choices = [one for one in found if isinstance(one, Choice)]
    choices.sort(key=lambda one: one.rank)
    choices = fastest_of_equals(of_each_layout(choices))
    if is_ideal(engine):  # its costs are a bound, and exact
        return choices
    return fewest_stages_first(choices) if demand.has_load else simplest_first(choices)


Found = TypeVar("Found", Choice, Rejection)


def of_each_layout(found: Sequence[Found], *, beside: Sequence[Choice] = ()) -> list[Found]:
    """First of each layout in each format, whatever it drafts, without those in ``beside``."""
    kept = {(one.layout, one.weights): one for one in reversed(found)}
    there = {(one.layout, one.weights) for one in beside}
    return [one for one in found if (name := (one.layout, one.weights)) not in there and kept[name] is one]
