"""Pictures as plain data: nothing is lost but digits that nobody sees."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from tests.each import of_each

from ridgeline.boards.board import Mode
from ridgeline.boards.documents.record import is_written, record_document
from ridgeline.boards.documents.view import kind_of, view_document
from ridgeline.boards.lecture import board
from ridgeline.boards.picture import Curves
from ridgeline.boards.scene import Gantt, Racks, Trains

PLACES: dict[str, tuple[str, int]] = {
    "departures": ("trains", 0),
    "experts": ("racks", 0),
    "bubbles": ("gantt", 0),
    "context": ("multiples", 1),
    "step-evidence": ("beliefs", 0),
    "tier-evidence": ("beliefs", 0),
    "hop": ("passage", 0),
    "stages": ("crossing", 0),
    "feistel": ("halves", 0),
    "inference-loop": ("loop", 1),
    "memory": ("rowofracks", 2),
    "prefill": ("twochips", 1),
    "bubbles/as-drawn": ("bubble", 2),
    "uneven-stages": ("loop", 0),
    "moe-layer": ("routes", 0),
    "not-wise": ("facets", 0),
}


@of_each("name", PLACES)
@of_each("mode", list(Mode))
def test_a_view_says_its_kind_and_has_the_fields_of_its_record(name: str, mode: Mode) -> None:
    kind, place = PLACES[name]
    one = board(name.partition("/")[0])
    picture = one.views[place].compute(one.values(mode))
    found = view_document(one.views[place], one.values(mode))
    assert found["kind"] == kind == kind_of(type(picture))
    assert set(found) == {"heading", "axes", "kind", *(field.name for field in fields(picture) if is_written(field))}
    # Small enough to be sent at each turn of a slider.
    assert len(json.dumps(found, separators=(",", ":"))) < 100_000


def test_those_who_wait_at_the_end_have_no_train() -> None:
    one = board("departures")
    picture = one.views[0].compute(one.values(Mode.LECTURE, {"load_fraction": 0.998}))
    assert isinstance(picture, Trains)
    found = record_document(picture)
    columns = found["requests"]
    assert len(set(map(len, columns.values()))) == 1
    taken = [train for train in columns["train"] if train >= 0]
    # First come, first served: whoever has no train came last.
    assert columns["train"] == sorted(taken) + [-1] * (len(columns["train"]) - len(taken))
    assert -1 in columns["train"]


def test_cells_and_levels_are_all_there() -> None:
    one = board("bubbles")
    picture = one.views[0].compute(one.values(Mode.LECTURE))
    assert isinstance(picture, Gantt)
    found: Any = record_document(picture)
    for written, played in zip(found["played"], picture.played, strict=True):
        assert [tuple(cells["starts"]) for cells in written["cells"]] == [cells.starts for cells in played.cells]
        assert [cells["colour"] for cells in written["cells"]] == [cells.colour for cells in played.cells]
        assert [tuple(kept["level"]) for kept in written["kept"]] == [kept.level for kept in played.kept]


def test_heat_is_rounded_and_chips_are_not() -> None:
    one = board("experts")
    picture = one.views[0].compute(one.values(Mode.LECTURE))
    assert isinstance(picture, Racks)
    found: Any = record_document(picture)
    assert found["heat"] == [round(one, 4) for one in picture.heat] != list(picture.heat)
    assert [chip["experts"] for chip in found["racks"][0]["chips"]] == [
        list(chip.experts) for chip in picture.racks[0].chips
    ]


def test_names_are_on_one_line_and_how_a_picture_is_made_is_left_out() -> None:
    drawn = [view.compute(one.values(Mode.LECTURE)) for one in map(board, ("tiers", "kv-bytes")) for view in one.views]
    _, drains, curves = (picture for picture in drawn if isinstance(picture, Curves))
    assert any("\n" in line.name for line in drains.lines)
    found: Any = record_document(drains)
    assert [line["name"] for line in found["lines"]] == [line.name.replace("\n", " ") for line in drains.lines]
    found = record_document(curves)
    assert list(found) == ["x", "lines", "marks", "dots", "is_whole", "bill", "companion"]
