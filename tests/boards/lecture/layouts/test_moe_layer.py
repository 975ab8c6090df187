"""The layer that is drawn first: its parts are the layout's."""

from __future__ import annotations

import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.journeys import Routes
from ridgeline.boards.lecture.layouts.moe_layer import BOARD, MOST_CHIPS, TOKENS
from ridgeline.boards.picture import Box, Colour, Schematic
from ridgeline.equations import experts


def routed(mode: Mode = Mode.LECTURE, **turned: float) -> Routes:
    picture = BOARD.views[0].compute(BOARD.values(mode, turned))
    assert isinstance(picture, Routes)
    return picture


def drawn(mode: Mode = Mode.LECTURE, **turned: float) -> Schematic:
    return routed(mode, **turned).schematic


def chips(picture: Schematic) -> list[Box]:
    return [box for box in picture.boxes if box.is_frame and not box.text]


def held(picture: Schematic, chip: Box) -> list[Box]:
    return [
        box
        for box in picture.boxes
        if not box.text and not box.is_frame and chip.x <= box.x and box.x + box.width <= chip.x + chip.width
    ]


@pytest.mark.parametrize(("experts_", "chips_", "each"), [(256, 64, 4), (16, 8, 2), (128, 128, 1)])
def test_every_chip_holds_its_experts(experts_: int, chips_: int, each: int) -> None:
    picture = drawn(experts=experts_, chips=chips_)
    frames = chips(picture)
    assert len(frames) == min(chips_, MOST_CHIPS)
    assert all(len(held(picture, chip)) == each for chip in frames)
    assert picture.text.startswith(f"{each} expert")


def test_without_copies_eight_chips_of_a_rack_are_left_over_and_with_them_none() -> None:
    """B1."""
    without = drawn(Mode.CAREFUL, redundant_experts=0)
    assert [len(held(without, chip)) for chip in chips(without)] == [4] * 64 + [0] * 8
    assert "8 chips without any" in without.text
    copied = drawn(Mode.CAREFUL)
    boxes = [box for chip in chips(copied) for box in held(copied, chip)]
    assert len(boxes) == 288
    assert sum(box.colour is Colour.COMPUTE for box in boxes) == 32


@pytest.mark.parametrize("active", [1, 8, 64])
def test_every_token_goes_to_as_many_experts_as_it_has_and_back(active: int) -> None:
    picture = routed(active_experts=active)
    boxes = picture.schematic.boxes
    assert len(picture.routes) == TOKENS
    visits = []
    for route in picture.routes:
        chosen, there, inside, back, end = route.legs
        assert f"picks {active} of 256 experts" in chosen.text
        reached = [boxes[box] for box in there.boxes]
        assert len(reached) == len(there.cables) == len(back.cables) == active
        # Each way ends at the upper edge of an expert of its own, and the way back begins at its lower edge.
        for box, cable, home in zip(reached, there.cables, back.cables, strict=True):
            assert box.x < cable.to_x < box.x + box.width
            assert cable.to_y == pytest.approx(box.y)
            assert home.y == pytest.approx(box.y + box.height)
            assert (cable.x, cable.to_x) == (home.to_x, home.x)
        assert [boxes[box].text.split(":")[0] for box in inside.boxes] == ["up", "nonlinearity", "down"]
        assert [boxes[box].text for box in end.boxes] == ["+"]
        visits.append({box.x for box in reached} if active == 1 else frozenset(there.boxes))
    assert len({frozenset(one) for one in visits}) == TOKENS  # no two go the same way


def test_it_says_how_many_chips_a_token_reaches_on_the_mean() -> None:
    reached = experts.groups_visited(experts=256, active_experts=8, groups=64)
    assert f"{float(reached):.3g} of 64 chips" in drawn().text


@pytest.mark.parametrize("turned", [{"experts": 1024, "chips": 1}, {"chips": 16384}, {"redundant_experts": 1024}])
def test_all_of_it_lies_inside_the_picture(turned: dict[str, float]) -> None:
    picture = BOARD.views[0].compute(BOARD.values(Mode.LECTURE, turned))
    assert isinstance(picture, Routes)
    schematic = picture.schematic
    for box in schematic.boxes:
        assert box.x >= 0
        assert box.x + box.width <= schematic.width * (1 + 1e-9)
        assert box.y + box.height <= schematic.height * (1 + 1e-9)
