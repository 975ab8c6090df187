"""Scenes as plain data: nothing is lost but digits that nobody sees."""

from __future__ import annotations

import json
from typing import Any, get_type_hints

import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.documents.beliefs import BeliefsDocument
from ridgeline.boards.documents.flows import FacetsDocument, HalvesDocument, PassageDocument
from ridgeline.boards.documents.gantt import GanttDocument, gantt_document
from ridgeline.boards.documents.journeys import LoopDocument, RoutesDocument
from ridgeline.boards.documents.multiples import MultiplesDocument
from ridgeline.boards.documents.racks import RacksDocument, racks_document
from ridgeline.boards.documents.trains import TrainsDocument, trains_document
from ridgeline.boards.documents.view import view_document
from ridgeline.boards.lecture import board
from ridgeline.boards.scene import Gantt, Racks, Trains

PLACES: dict[str, tuple[str, type, int]] = {
    "departures": ("trains", TrainsDocument, 0),
    "experts": ("racks", RacksDocument, 0),
    "bubbles": ("gantt", GanttDocument, 0),
    "context": ("multiples", MultiplesDocument, 1),
    "step-evidence": ("beliefs", BeliefsDocument, 0),
    "tier-evidence": ("beliefs", BeliefsDocument, 0),
    "hop": ("passage", PassageDocument, 0),
    "stages": ("passage", PassageDocument, 0),
    "feistel": ("halves", HalvesDocument, 0),
    "inference-loop": ("loop", LoopDocument, 1),
    "uneven-stages": ("loop", LoopDocument, 0),
    "moe-layer": ("routes", RoutesDocument, 0),
    "not-wise": ("facets", FacetsDocument, 0),
}


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("mode", list(Mode))
def test_a_view_says_its_kind_and_has_the_fields_that_are_declared(name: str, mode: Mode) -> None:
    kind, document, place = PLACES[name]
    one = board(name)
    found = view_document(one.views[place], one.values(mode))
    assert found["kind"] == kind
    declared = get_type_hints(document)
    assert set(found) == {"heading", "axes", "kind", *declared}
    # Small enough to be sent at each turn of a slider.
    assert len(json.dumps(found, separators=(",", ":"))) < 100_000


def test_requests_are_columns() -> None:
    one = board("departures")
    picture = one.views[0].compute(one.values(Mode.LECTURE, {"load_fraction": 0.998}))
    assert isinstance(picture, Trains)
    found: Any = trains_document(picture)
    rows = zip(*found["requests"].values(), strict=True)
    for (came, train, passed), request in zip(rows, picture.requests, strict=True):
        assert (came, passed) == (request.came_periods, request.passed)
        assert train == (-1 if request.train is None else request.train)
    assert -1 in found["requests"]["train"]


def test_cells_and_levels_are_all_there() -> None:
    one = board("bubbles")
    picture = one.views[0].compute(one.values(Mode.LECTURE))
    assert isinstance(picture, Gantt)
    found: Any = gantt_document(picture)
    for written, played in zip(found["played"], picture.played, strict=True):
        assert [tuple(cells["starts"]) for cells in written["cells"]] == [cells.starts for cells in played.cells]
        assert [cells["colour"] for cells in written["cells"]] == [cells.colour for cells in played.cells]
        assert [tuple(kept["level"]) for kept in written["kept"]] == [kept.level for kept in played.kept]


def test_heat_is_rounded_and_chips_are_not() -> None:
    one = board("experts")
    picture = one.views[0].compute(one.values(Mode.LECTURE))
    assert isinstance(picture, Racks)
    found: Any = racks_document(picture)
    assert found["heat"] == pytest.approx(picture.heat, abs=1e-4)
    assert [chip["experts"] for chip in found["racks"][0]["chips"]] == [
        list(chip.experts) for chip in picture.racks[0].chips
    ]
