"""The rack beside steps of a pipeline's memory and hops has the numbers of their boards: lines, marks and schedules."""

from __future__ import annotations

import pytest
from tests.boards.lecture.racks import EXACT, held, known_at, seen_at, spent

from ridgeline.boards.colour import Colour
from ridgeline.boards.walk import height, mark_named


def test_memory_holds_what_its_lines_have() -> None:
    seen, rack = seen_at("memory-1:11:00")
    stages = seen.values[seen.mode]["stages"]
    has = height(seen, "a chip has", stages)
    assert len(rack.cabinets) == stages
    assert held(rack, Colour.WEIGHTS) == pytest.approx(height(seen, "weights", stages) / has, rel=EXACT)
    assert held(rack, Colour.KV) == pytest.approx(height(seen, "keys and values", stages) / has, rel=EXACT)


def test_hops_take_what_is_computed_of_them() -> None:
    seen, rack = seen_at("hop-1:15:00")
    values = seen.values[seen.mode]
    hop, stage = (spent(rack, colour) for colour in (Colour.LINKS, Colour.COMPUTE))
    _, alone = known_at("hop-1:15:00")
    assert [spent(alone, Colour.COMPUTE, place) for place in range(4)] == pytest.approx([1 / 4] * 4, rel=EXACT)
    assert hop / stage == pytest.approx(
        mark_named(seen, "ports").y / (values["period_s"] / values["stages"]), rel=EXACT
    )


def test_a_rack_reads_sooner_by_what_the_marks_say() -> None:
    seen, rack = seen_at("racks-1:18:14")
    small, large = (mark_named(seen, f"domain of {name}").y for name in ("H100", "GB200"))
    assert spent(rack, Colour.WEIGHTS, 1) == pytest.approx(large / small, rel=EXACT)
    _, known = known_at("racks-1:18:14")
    assert [spent(known, Colour.WEIGHTS, place) for place in (0, 1)] == [1, 0]
