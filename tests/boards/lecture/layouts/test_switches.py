"""A rack's chips, switches and cables, and the same chips as a torus."""

from __future__ import annotations

import math

import pytest

from ridgeline.boards.board import Facts, Mode
from ridgeline.boards.lecture.layouts.switches import BOARD, MOST_CABLES, even_sides
from ridgeline.boards.picture import Box, Cable, Colour, Schematic
from ridgeline.catalog import load_machine, load_model
from ridgeline.equations import racks


def drawn(mode: Mode = Mode.LECTURE, *, view: int = 0, machine: str = "gb200-nvl72", **turned: float) -> Schematic:
    facts = Facts(model=load_model("deepseek-v3"), machine=load_machine(machine))
    picture = BOARD.views[view].compute(BOARD.values(mode, turned, facts))
    assert isinstance(picture, Schematic)
    return picture


def boxes(picture: Schematic, colour: Colour) -> list[Box]:
    return [box for box in picture.boxes if box.colour is colour]


def cables(picture: Schematic, colour: Colour) -> list[Cable]:
    return [cable for cable in picture.cables if cable.colour is colour]


def test_the_lectures_four_trays_have_two_cables_each_and_twice_as_many_twice() -> None:
    picture = drawn()
    assert len(boxes(picture, Colour.BOUND)) == 4
    assert len(cables(picture, Colour.LINKS)) == 8
    assert len(cables(drawn(chips=8), Colour.LINKS)) == 16
    assert picture.text == "8 cables; twice the chips, 16 in the same rack"


def test_a_rack_of_gb200_has_5184_cables() -> None:
    """18 links of four pairs for each of 72 chips, to 18 switches."""
    picture = drawn(Mode.CAREFUL)
    assert len(boxes(picture, Colour.BOUND)) == 72
    assert len(boxes(picture, Colour.LINKS)) == 18
    assert len(cables(picture, Colour.LINKS)) == 72 * 18
    assert picture.text.startswith("5,184 cables")


def test_every_chip_reaches_every_switch_and_the_way_out() -> None:
    picture = drawn(Mode.CAREFUL)
    starts = {cable.x for cable in cables(picture, Colour.LINKS)}
    ends = {cable.to_x for cable in cables(picture, Colour.LINKS)}
    assert len(starts) == 36  # above and below
    assert len(ends) == 18
    assert all(cable.is_dashed for cable in cables(picture, Colour.ALSO))
    upright = [cable for cable in cables(picture, Colour.ALSO) if cable.x == cable.to_x]
    assert len(upright) >= 72


@pytest.mark.parametrize("chips", [100, 256])
def test_no_more_cables_are_drawn_than_are_seen(chips: int) -> None:
    assert len(cables(drawn(Mode.CAREFUL, chips=chips), Colour.LINKS)) <= MOST_CABLES


@pytest.mark.parametrize(("chips", "axes"), [(64, 3), (72, 3), (17, 2), (256, 2), (5, 1)])
def test_sides_make_up_the_chips(chips: int, axes: int) -> None:
    sides = even_sides(chips, axes)
    assert math.prod(sides) == chips
    assert len(sides) == axes


def test_a_rack_of_tpu_v4_is_a_cube_whose_faces_lead_out() -> None:
    """Along each axis 3 x 16 cables inside, and 2 x 16 ends that leave by the faces."""
    picture = drawn(Mode.CAREFUL, view=1, machine="tpu-v4")
    assert len(picture.boxes) == 64
    assert len(cables(picture, Colour.LINKS)) == 3 * 3 * 16
    assert len(cables(picture, Colour.OTHER)) == 3 * 2 * 16
    # With the other ends of those that leave, the torus' cables.
    inside, leaving = len(cables(picture, Colour.LINKS)), len(cables(picture, Colour.OTHER))
    assert inside + leaving / 2 == racks.torus_cables(chips=64, axes=3)
    assert picture.text.startswith("4 x 4 x 4: 192 cables")


@pytest.mark.parametrize("view", [0, 1])
@pytest.mark.parametrize("machine", ["gb200-nvl72", "tpu-v4", "tpu-v5e"])
def test_all_of_it_lies_inside_the_picture(view: int, machine: str) -> None:
    picture = drawn(Mode.CAREFUL, view=view, machine=machine)
    for cable in picture.cables:
        assert min(cable.x, cable.to_x) >= 0
        assert max(cable.x, cable.to_x) <= picture.width
        assert min(cable.y, cable.to_y) >= 0
        assert max(cable.y, cable.to_y) <= picture.height
