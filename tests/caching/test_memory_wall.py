from __future__ import annotations

import pytest

from ridgeline.caching.memory_wall import memory_taken
from ridgeline.catalog import load_machine, load_model
from ridgeline.catalog.memory_costs import memory_shares


def test_short_contexts_leave_memory_over_and_long_ones_do_not_fit() -> None:
    """The lecture at once misses memory and has too much of it: which of both depends on the context."""
    found = memory_taken(load_model("deepseek-v3"), load_machine("gb200-nvl72"))
    assert found.weights_fraction == pytest.approx(0.05, rel=0.1)  # A20
    assert found.weights_fraction + found.short_fraction < 1 < found.long_fraction


def test_shares_are_dated_and_lie_between_nothing_and_all() -> None:
    for one in memory_shares():
        assert 0 < one.low.value <= one.fraction < 1
        assert one.low.date.year >= 2026


def test_memorys_part_of_a_rack_has_grown() -> None:
    racks = {one.of: one.fraction for one in memory_shares() if one.what == "a rack to buy"}
    assert racks["vr200-nvl144"] > 2 * racks["gb200-nvl72"]
