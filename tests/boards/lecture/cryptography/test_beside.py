"""The rack beside steps of reversible networks has the numbers of their boards: lines, marks and schedules."""

from __future__ import annotations

import pytest
from tests.boards.lecture.racks import EXACT, held, known_at, seen_at, spent

from ridgeline.boards.colour import Colour
from ridgeline.boards.walk import height, mark_named


def test_a_reversible_stack_keeps_what_its_line_has() -> None:
    seen, rack = seen_at("reversible-2:13:33", view=0)
    layers = seen.values[seen.mode]["layers"]
    plain, undone = (held(rack, *where) for where in ((Colour.ASIDE, 0), (Colour.BOUND, 1)))
    assert undone / plain == pytest.approx(
        height(seen, "reversible", layers) / height(seen, "plain", layers), rel=EXACT
    )
    _, known = known_at("reversible-2:12:20")
    assert held(known, Colour.ASIDE) == plain
    assert not held(known, Colour.BOUND)
    seen, _ = seen_at("reversible-2:13:33")
    times = mark_named(seen, "all reversible").x / mark_named(seen, "none reversible").x
    assert spent(rack, Colour.COMPUTE, 1) / spent(rack, Colour.COMPUTE, 0) == pytest.approx(times, rel=EXACT)
