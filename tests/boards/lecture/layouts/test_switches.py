"""A rack's chips, switches and cables, and the same chips as a torus."""

from __future__ import annotations

import itertools
import math

import pytest

from ridgeline.boards.board import Facts, Mode
from ridgeline.boards.journeys import Leg, Routes
from ridgeline.boards.lecture.layouts.switches import BOARD, MOST_CABLES
from ridgeline.boards.lecture.layouts.torus import even_sides
from ridgeline.boards.picture import Box, Cable, Colour, Schematic
from ridgeline.catalog import load_machine, load_model


def routed(mode: Mode = Mode.LECTURE, *, view: int = 0, machine: str = "gb200-nvl72", **turned: float) -> Routes:
    facts = Facts(model=load_model("deepseek-v3"), machine=load_machine(machine))
    picture = BOARD.views[view].compute(BOARD.values(mode, turned, facts))
    assert isinstance(picture, Routes)
    return picture


def drawn(mode: Mode = Mode.LECTURE, *, view: int = 0, machine: str = "gb200-nvl72", **turned: float) -> Schematic:
    return routed(mode, view=view, machine=machine, **turned).schematic


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
    assert all(cable.is_dashed for cable in cables(picture, Colour.AWAY))
    upright = [cable for cable in cables(picture, Colour.AWAY) if cable.x == cable.to_x]
    assert len(upright) >= 72


def ends(leg: Leg) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    return [((cable.x, cable.y), (cable.to_x, cable.to_y)) for cable in leg.cables]


@pytest.mark.parametrize(
    "turned", [{}, {"chips": 72, "switches": 18, "cables_per_chip": 18}, {"chips": 9, "switches": 5}]
)
def test_a_message_inside_the_rack_takes_two_hops_over_cables_that_are_there(turned: dict[str, float]) -> None:
    picture = routed(Mode.LECTURE, view=0, machine="gb200-nvl72", **turned)
    way = picture.routes[0]
    there = {(round(cable.x, 2), round(cable.to_x, 2)) for cable in cables(picture.schematic, Colour.LINKS)}
    assert [leg.text.split(",")[0] for leg in way.legs] == ["1 hop", "2 hops"]
    first, second = map(ends, (way.legs[0], way.legs[1]))
    assert {(round(x, 2), round(to_x, 2)) for (x, _), (to_x, _) in first} <= there
    assert {(round(to_x, 2), round(x, 2)) for (x, _), (to_x, _) in second} <= there
    # What comes into a switch above leaves it below, and all of it ends at one chip.
    assert [to_x for _, (to_x, _) in first] == [x for (x, _), _ in second]
    assert len({end for _, end in second}) == len({start for start, _ in first}) == 1


def test_a_message_to_another_rack_ends_at_the_data_centre_switch() -> None:
    picture = routed(Mode.CAREFUL)
    legs = picture.routes[1].legs
    assert all(ends(leg)[0][1] == ends(after)[0][0] for leg, after in itertools.pairwise(legs))
    assert [picture.schematic.boxes[box].text for box in legs[-1].boxes] == ["data-centre switch"]


@pytest.mark.parametrize(("chips", "axes", "hops"), [(64, 3, 6), (72, 3, 6), (16, 2, 4), (5, 1, 2), (8, 1, 4)])
def test_in_a_torus_the_farthest_chip_is_half_of_each_side_away(chips: int, axes: int, hops: int) -> None:
    picture = routed(view=1, chips=chips, axes=axes)
    (way,) = picture.routes
    assert len(way.legs) == hops
    spots = [(box.x + box.width / 2, box.y + box.height / 2) for box in picture.schematic.boxes]
    for leg in way.legs:
        ((start, end),) = ends(leg)
        here, there = (spots[box] for box in leg.boxes)
        assert start == pytest.approx(here)
        assert end == pytest.approx(there)


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
    assert len(cables(picture, Colour.ALSO)) == 3 * 2 * 16
    # With the other ends of those that leave, the torus' cables.
    inside, leaving = len(cables(picture, Colour.LINKS)), len(cables(picture, Colour.ALSO))
    assert inside + leaving / 2 == 3 * 64  # each of a chip's two links along an axis is shared
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


@pytest.mark.parametrize(
    ("view", "turned"), [(0, {}), (0, {"chips": 72, "switches": 18}), (1, {"chips": 72, "axes": 3})]
)
def test_cables_lead_both_ways(view: int, turned: dict[str, float]) -> None:
    picture = routed(Mode.LECTURE, view=view, machine="gb200-nvl72", **turned)
    for place, node in enumerate(picture.nodes):
        assert place not in node.neighbours
        assert all(place in picture.nodes[other].neighbours for other in node.neighbours)
        assert picture.schematic.boxes[node.box].colour is (Colour.BOUND if node.is_end else Colour.LINKS)
        assert node.neighbours_text.startswith(f"{len(node.neighbours)} ")


def test_chips_of_a_rack_lie_on_trays_of_as_many_as_a_node_has() -> None:
    """18 trays of four GPUs: the rack's compute trays."""
    picture = drawn(Mode.CAREFUL)
    chips = boxes(picture, Colour.BOUND)
    trays = [box for box in picture.boxes if box.is_frame][1:]  # after the rack
    assert len(trays) == 18
    for tray in trays:
        inside = [
            chip
            for chip in chips
            if tray.y < chip.y < tray.y + tray.height and tray.x < chip.x and chip.x + chip.width < tray.x + tray.width
        ]
        assert len(inside) == 4
