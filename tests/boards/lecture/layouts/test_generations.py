"""Scale-up domains as they grow: counted as in the curves that they stand beside and in the sheet of the same board."""

from __future__ import annotations

from ridgeline.boards.board import Mode
from ridgeline.boards.companions import Generations
from ridgeline.boards.lecture.layouts.racks import BOARD
from ridgeline.boards.picture import Curves, Sheet


def test_domains_have_the_packages_and_dies_of_curve_and_sheet() -> None:
    values = BOARD.values(Mode.LECTURE)
    sheet, picture = (BOARD.views[place].compute(values) for place in (1, 2))
    assert isinstance(sheet, Sheet)
    assert isinstance(picture, Curves)
    assert isinstance(picture.companion, Generations)
    found = picture.companion.generations
    # Machines that are alike stand together, and none is left out.
    assert [one.names for one in found] == [("A100", "H100"), ("GB200", "Vera Rubin"), ("Rubin Ultra",)]
    rows = [(name, f"{one.packages}", f"{one.all_dies}") for one in found for name in one.names]
    assert rows == [row[:3] for row in sheet.rows]
    assert all(one.packages * one.dies == one.all_dies for one in found)
    by_name = {group.name: set(group.y) for group in picture.dots}
    assert {float(one.packages) for one in found} == by_name["packages"]
    assert {float(one.all_dies) for one in found} == by_name["dies"]
    assert picture.companion.growth_ratio == found[-1].all_dies / found[-2].all_dies == 4
