"""The rack beside steps of experts on chips has the numbers of their boards: lines, marks and schedules."""

from __future__ import annotations

import pytest
from tests.boards.lecture.racks import EXACT, STEPS, known_at, rack_of, said, seen_at, spent

from ridgeline.boards.board import Mode
from ridgeline.boards.colour import Colour
from ridgeline.boards.journeys import Routes
from ridgeline.boards.lecture import board
from ridgeline.boards.scene import Racks
from ridgeline.boards.walk import height, mark_named
from ridgeline.quantity_text import counted


def test_tokens_visit_the_chips_that_the_drawing_lights() -> None:
    seen, rack = seen_at("moe-layer-0:32:30")
    picture = seen.pictures[seen.mode]
    assert isinstance(picture, Routes)
    assert len(rack.tokens) == len(picture.routes)
    for token, route in zip(rack.tokens, picture.routes, strict=True):
        assert f"on {counted(len(token.chips[0]), 'chip')}" in route.legs[1].text
    assert rack.cabinets[0].painted[0].chips == rack.tokens[0].chips[0]


@pytest.mark.parametrize("cables", [1.0, 2.0, 18.0])
def test_a_chip_reaches_in_two_hops_whom_it_shares_a_switch_with_in_the_drawing(cables: float) -> None:
    step, one = STEPS["switches-0:38:40"], board("switches")
    values = one.values(Mode.CAREFUL, {"cables_per_chip": cables})
    picture = one.views[0].compute(values)
    assert isinstance(picture, Routes)
    first, *others = (node for node in picture.nodes if node.is_end)
    sharing = [place for place, node in enumerate(others, start=1) if set(node.neighbours) & set(first.neighbours)]
    rack = rack_of(step, Mode.CAREFUL, values)
    assert list(rack.cabinets[0].painted[0].chips) == [0, *sharing]
    assert f"{len(sharing)} of {len(others)} others" in said(rack)


def test_half_of_the_visits_leave_one_rack_of_two() -> None:
    seen, rack = seen_at("experts-0:39:30", view=2)
    assert mark_named(seen, "racks").text.endswith("50 %")
    assert "50 %" in rack.words[-1].text


def test_the_chips_lit_beside_two_racks_are_those_of_the_tokens_that_are_played() -> None:
    seen, rack = seen_at("experts-0:39:30")
    picture = seen.pictures[seen.mode]
    assert isinstance(picture, Racks)
    assert [paint.colour for one in rack.cabinets for paint in one.painted] == [Colour.LINKS] * 2
    for token, visited in zip(picture.tokens, rack.tokens, strict=True):
        for place, chips in enumerate(visited.chips):
            lit = {picture.racks[place].chips[chip].number for chip in chips}
            assert lit == {visit.chip for visit in token.visits if visit.rack == place}
        said = "".join(word.text for word in visited.words)
        assert f"{counted(token.near, 'visit')} in its own rack, {token.beyond} beyond" in said
    assert tuple(one.painted[0].chips for one in rack.cabinets) == rack.tokens[0].chips


def test_links_between_racks_take_all_of_the_time() -> None:
    seen, rack = seen_at("scale-out-0:40:00")
    racks = seen.values[seen.mode]["racks"]
    whole = height(seen, "all-to-all", racks)
    assert spent(rack, Colour.LINKS) == pytest.approx(height(seen, "inside a rack", racks) / whole, rel=EXACT)
    assert spent(rack, Colour.ALSO) == pytest.approx(height(seen, "between racks", racks) / whole, rel=EXACT)
    _, known = known_at("scale-out-0:40:00")
    assert spent(known, Colour.LINKS) == pytest.approx(height(seen, "inside a rack", racks), rel=EXACT)
    assert not spent(known, Colour.ALSO)
