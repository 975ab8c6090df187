"""Domains by generation: A6, B5, B19, B17."""

from __future__ import annotations

import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture.layouts.racks import BOARD
from ridgeline.boards.picture import Curves, Sheet


def reading(mode: Mode = Mode.CAREFUL, **turned: float) -> Curves:
    picture = BOARD.views[0].compute(BOARD.values(mode, turned))
    assert isinstance(picture, Curves)
    return picture


def sheet(mode: Mode = Mode.LECTURE, **turned: float) -> Sheet:
    picture = BOARD.views[1].compute(BOARD.values(mode, turned))
    assert isinstance(picture, Sheet)
    return picture


def test_weights_are_read_in_the_time_of_the_domains_bandwidth() -> None:
    marks = {one.name: one for one in reading().marks}
    h100, gb200 = marks["domain of H100"], marks["domain of GB200"]
    assert (h100.x, gb200.x) == (8, 72)
    assert h100.y / gb200.y == pytest.approx(21.5, rel=0.01)  # B17: nine-fold by number, the rest by the chip
    assert gb200.y == pytest.approx(1.17e-3, rel=0.01)  # A6, with the input embedding, which is stored too


def test_packages_and_dies_stand_beside_each_other() -> None:
    rows = {row[0]: dict(zip(sheet().columns, row, strict=True)) for row in sheet().rows}
    assert [rows[name]["packages"] for name in ("H100", "GB200", "Rubin Ultra")] == ["8", "72", "144"]
    assert [rows[name]["dies"] for name in ("H100", "GB200", "Rubin Ultra")] == ["8", "144", "576"]
    assert int(rows["Rubin Ultra"]["dies"]) == 4 * int(rows["Vera Rubin"]["dies"])  # B19


def test_the_years_show_the_same_counts_as_the_table() -> None:
    """B5, B19."""
    picture = BOARD.views[2].compute(BOARD.values(Mode.LECTURE))
    assert isinstance(picture, Curves)
    for line in picture.lines:
        counted = dict(zip(picture.x, line.y, strict=True))
        dots = next(one for one in picture.dots if one.name == line.name)
        assert [counted[year] for year in dots.x] == list(dots.y)
        column = sheet().columns.index(line.name)
        assert [f"{count:.0f}" for count in dots.y] == [row[column] for row in sheet().rows]


@pytest.mark.parametrize(("weight_bytes", "first"), [(0.3e12, "A100"), (1e12, "GB200"), (1e14, "Rubin Ultra")])
def test_the_first_to_hold_the_weights_is_told(weight_bytes: float, first: str) -> None:
    """B6: a terabyte is more than 640 GB."""
    found = sheet(weight_bytes=weight_bytes)
    assert found.text == f"first to hold the weights: {first}"
    assert [found.rows[place][0] for place in found.bold] == [first]
    largest = BOARD.control("weight_bytes").high
    assert sheet(weight_bytes=largest).text.endswith("Rubin Ultra")
