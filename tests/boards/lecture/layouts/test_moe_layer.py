"""The layer that is drawn first: its parts are the layout's."""

from __future__ import annotations

from itertools import pairwise

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
    return [box for box in picture.boxes if not box.text and not box.is_frame and within(box, chip)]


def within(box: Box, frame: Box) -> bool:
    across = frame.x <= box.x and box.x + box.width <= frame.x + frame.width
    return across and frame.y <= box.y and box.y + box.height <= frame.y + frame.height


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
    assert sum(box.colour is Colour.ASIDE for box in boxes) == 32


@pytest.mark.parametrize("chips_", [1, 7, 8, 13, 64, 72])
def test_experts_are_told_apart(chips_: int) -> None:
    """All chips, and all experts, have one size, lie over no other and are at most three times as long as wide."""
    picture = drawn(chips=chips_)
    frames = chips(picture)
    boxes = [box for chip in frames for box in held(picture, chip)]
    assert len(boxes) == min(256, 16 * len(frames))
    for alike in (frames, boxes):
        assert len({(round(one.width, 9), round(one.height, 9)) for one in alike}) == 1
        places = {
            (round((one.x - alike[0].x) / one.width, 3), round((one.y - alike[0].y) / one.height, 3)) for one in alike
        }
        assert len(places) == len(alike)
        for axis in (0, 1):
            along = sorted({place[axis] for place in places})
            assert all(later - sooner > 1 for sooner, later in pairwise(along))
    # A unit down is shown about twice as long as one across.
    assert 1 / 3 <= 2 * boxes[0].height / boxes[0].width <= 3


def test_the_enlarged_expert_is_tied_to_the_one_that_it_enlarges() -> None:
    picture = drawn()
    frame = next(box for box in picture.boxes if box.text == "one expert")
    upper, lower = (cable for cable in picture.cables if cable.to_x == frame.x)
    assert (upper.to_y, lower.to_y) == (frame.y, frame.y + frame.height)
    small = [box for box in picture.boxes if not box.text and not box.is_frame]
    (expert,) = (box for box in small if (box.x + box.width, box.y) == (upper.x, upper.y))
    assert lower.y == expert.y + expert.height
    assert expert.x == pytest.approx(max(box.x for box in small))  # the lines cross no other


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
        # All begin on the token's own chip, which the router has framed, and end in an expert of their own.
        own = next(boxes[box] for box in chosen.boxes if boxes[box].is_frame)
        for box, cable, home in zip(reached, there.cables, back.cables, strict=True):
            assert box.x < cable.to_x < box.x + box.width
            assert box.y < cable.to_y < box.y + box.height
            assert own.x < cable.x < own.x + own.width
            assert own.y < cable.y < own.y + own.height
            assert (cable.x, cable.y, cable.to_x, cable.to_y) == (home.to_x, home.to_y, home.x, home.y)
        assert [boxes[box].text.split(":")[0] for box in inside.boxes] == ["up", "nonlinearity", "down"]
        assert [boxes[box].text for box in end.boxes] == ["+"]
        visits.append(frozenset(there.boxes))
    assert len(set(visits)) == TOKENS  # no two go the same way


def test_it_says_how_many_chips_a_token_reaches_on_the_mean() -> None:
    reached = experts.groups_visited(experts=256, active_experts=8, groups=64)
    assert f"{float(reached):.3g} of 64 chips" in drawn().text


@pytest.mark.parametrize(("chips_", "said"), [(1, "; 16 of 256 drawn"), (64, "of 256"), (16384, "; 72 of 256 drawn")])
def test_where_only_a_part_of_the_experts_is_drawn_it_says_which(chips_: int, said: str) -> None:
    (router,) = (box for box in drawn(chips=chips_).boxes if box.text.startswith("router"))
    assert router.text.endswith(said)
    tiles = sum(len(held(drawn(chips=chips_), chip)) for chip in chips(drawn(chips=chips_)))
    assert (tiles < 256) == ("drawn" in router.text)


@pytest.mark.parametrize("turned", [{"experts": 1024, "chips": 1}, {"chips": 16384}, {"redundant_experts": 1024}])
def test_all_of_it_lies_inside_the_picture(turned: dict[str, float]) -> None:
    picture = BOARD.views[0].compute(BOARD.values(Mode.LECTURE, turned))
    assert isinstance(picture, Routes)
    schematic = picture.schematic
    for box in schematic.boxes:
        assert box.x >= 0
        assert box.x + box.width <= schematic.width * (1 + 1e-9)
        assert box.y + box.height <= schematic.height * (1 + 1e-9)
