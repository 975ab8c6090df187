"""Inside a rack against between racks: B8."""

from __future__ import annotations

import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture import CLAIMS
from ridgeline.boards.lecture.pipelines.stages import BOARD
from ridgeline.boards.picture import Curves, Schematic


def ratios(mode: Mode = Mode.LECTURE, **turned: float) -> Curves:
    picture = BOARD.views[1].compute(BOARD.values(mode, turned))
    assert isinstance(picture, Curves)
    return picture


def mark(picture: Curves, name: str) -> tuple[float, float]:
    return next((found.x, found.y) for found in picture.marks if found.name == name)


def test_a_stage_hides_its_hand_over_from_the_lectures_one_layer_on() -> None:
    found = ratios()
    assert mark(found, "enough layers, bytes alike") == pytest.approx((1, 2))
    assert mark(found, "enough layers, bytes as sent") == pytest.approx((1, 1.5))
    stages = ratios(layers_per_stage=15)
    assert mark(stages, "layers of a stage, bytes alike") == pytest.approx((15, 30))
    assert mark(stages, "layers of a stage, bytes as sent") == pytest.approx((15, 22.5))
    alone = ratios(layers_per_stage=1).marks
    assert [one.name for one in alone] == ["enough layers, bytes as sent", "enough layers, bytes alike"]


def test_one_layer_of_deepseek_is_too_few_on_a_rack_of_gb200_and_two_are_enough() -> None:
    careful = ratios(Mode.CAREFUL)
    layers, ratio = mark(careful, "enough layers, bytes as sent")
    assert layers == 2
    assert 1 <= ratio < 2
    (claim,) = (one for one in CLAIMS if one.id == "B8")
    line = next(one.y for one in careful.lines if one.name == "bytes as sent")
    assert line[0] == pytest.approx(claim.careful())
    assert claim.bridge()[-1][1] == pytest.approx(ratio)


def test_layers_are_whole() -> None:
    assert ratios().is_whole
    assert list(ratios(layers_per_stage=12).x) == list(range(1, 13))


@pytest.mark.parametrize(("copies", "layers"), [(8, 25), (3, 2), (8, 1)])
def test_what_is_drawn_follows_from_the_layout(copies: int, layers: int) -> None:
    picture = BOARD.views[0].compute(
        BOARD.values(Mode.LECTURE, {"copies_per_token": copies, "layers_per_stage": layers})
    )
    assert isinstance(picture, Schematic)
    racks = [box for box in picture.boxes if box.is_frame]
    drawn = min(layers, 3)
    assert len(picture.boxes) == len(racks) * (1 + drawn)
    # A token's copies from layer to layer inside each rack, and once from rack to rack.
    assert len(picture.cables) == len(racks) * (drawn - 1) * copies + len(racks) - 1
    assert [box.text for box in picture.boxes if not box.is_frame][drawn] == f"layer {layers + 1}"
