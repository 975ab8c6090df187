"""The 300 over generations and formats: all chips of the catalog, by their makers' peaks."""

from __future__ import annotations

import numpy as np
import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture import CLAIMS
from ridgeline.boards.lecture.batch.ratio import BOARD, FORMATS, ratio_in
from ridgeline.boards.picture import Curves, Dots
from ridgeline.catalog import load_machine, machine_entry, machine_ids


def drawn(mode: Mode = Mode.LECTURE) -> Curves:
    picture = BOARD.views[0].compute(BOARD.values(mode))
    assert isinstance(picture, Curves)
    return picture


def dots(name: str) -> Dots:
    return next(one for one in drawn().dots if one.name == name)


@pytest.mark.parametrize("mode", list(Mode))
def test_the_line_is_at_the_lectures_300(mode: Mode) -> None:
    (line,) = drawn(mode).lines
    assert set(line.y) == {300.0}


def test_every_chip_is_there_in_every_format_that_it_has() -> None:
    chips = [load_machine(one).chip for one in machine_ids()]
    for name, shown in FORMATS.items():
        assert len(dots(shown.name).x) == sum(name in chip.flop_per_s for chip in chips)
    assert len(dots("16 bits").x) == len(machine_ids())


@pytest.mark.parametrize(
    ("machine", "name", "ratio"),
    # FLOP/s over two, times bytes of a parameter, over bytes a second, from data sheets.
    [
        ("h100-sxm", "bf16", 989e12 / 2 * 2 / 3.35e12),
        ("h100-sxm", "fp8", 1979e12 / 2 * 1 / 3.35e12),
        ("gb300-nvl72", "fp4", 15000e12 / 2 * 0.5 / 8e12),
    ],
)
def test_a_chips_ratio_is_that_of_its_data_sheet(machine: str, name: str, ratio: float) -> None:
    assert ratio_in(load_machine(machine).chip, name) == pytest.approx(ratio)


def test_from_a100_to_b200_it_doubles_and_the_catalog_spans_fifteen_times() -> None:
    """A10: "reasonably stable"; in 16 bits A100 is at half of H100, H20 at an eighth."""
    bits = {one: ratio_in(load_machine(one).chip, "bf16") for one in machine_ids()}
    assert bits["h100-sxm"] / bits["a100-80-sxm"] == pytest.approx(1.93, rel=0.01)
    assert bits["b200-sxm"] == pytest.approx(bits["h100-sxm"], rel=0.1)
    assert min(bits, key=lambda one: bits[one]) == "h20-sxm"
    assert max(bits, key=lambda one: bits[one]) == "tpu-v6e"
    assert max(bits.values()) / min(bits.values()) == pytest.approx(15.2, rel=0.01)
    claim = next(one for one in CLAIMS if one.id == "A10")
    assert claim.lecture_mode() == pytest.approx(bits["h100-sxm"])


def test_formats_of_a_year_lie_side_by_side() -> None:
    years = {float(machine_entry(one).facts.released) for one in machine_ids()}
    for shown in FORMATS.values():
        assert abs(shown.right_years) < 0.5  # nearer to its own year than to the next
        assert {round(float(x) - shown.right_years) for x in dots(shown.name).x} <= years
    assert len({shown.right_years for shown in FORMATS.values()}) == len(FORMATS)


def test_names_are_of_chips_that_there_are() -> None:
    for shown in FORMATS.values():
        assert set(shown.named) <= set(machine_ids())
        assert set(shown.named) <= set(dots(shown.name).labels)


def test_all_dots_are_inside_the_picture() -> None:
    found = drawn()
    assert found.bottom is not None
    assert found.top is not None
    for one in found.dots:
        assert np.all((found.bottom < one.y) & (one.y < found.top))
        assert np.all((found.x[0] < one.x) & (one.x < found.x[-1]))
