"""Inside a rack against between racks: B8."""

from __future__ import annotations

import math

import pytest
from tests.boards.reading import mark

from ridgeline.boards.board import Mode
from ridgeline.boards.flows import Crossing
from ridgeline.boards.lecture import CLAIMS
from ridgeline.boards.lecture.pipelines.stages import BOARD
from ridgeline.boards.picture import Curves


def ratios(mode: Mode = Mode.LECTURE, **turned: float) -> Curves:
    picture = BOARD.views[1].compute(BOARD.values(mode, turned))
    assert isinstance(picture, Curves)
    return picture


def test_a_stage_hides_its_hand_over_from_the_lectures_one_layer_on() -> None:
    found = ratios()
    assert mark(found, "enough layers, 2 B each way") == pytest.approx((1, 2))
    assert mark(found, "enough layers, bytes as sent") == pytest.approx((1, 1.5))
    stages = ratios(layers_per_stage=15)
    assert mark(stages, "layers of a stage, 2 B each way") == pytest.approx((15, 30))
    assert mark(stages, "layers of a stage, bytes as sent") == pytest.approx((15, 22.5))
    alone = ratios(layers_per_stage=1).marks
    assert [one.name for one in alone] == ["enough layers, bytes as sent", "enough layers, 2 B each way"]


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


@pytest.mark.parametrize(("copies", "layers", "sent"), [(8, 25, 1.0), (3, 2, 2.0), (2, 1, 0.5)])
def test_what_a_token_crosses_takes_as_long_as_the_formula_says(copies: int, layers: int, sent: float) -> None:
    turned = {"copies_per_token": copies, "layers_per_stage": layers, "dispatch_bytes": sent}
    picture = BOARD.views[0].compute(BOARD.values(Mode.LECTURE, turned))
    assert isinstance(picture, Crossing)
    assert (picture.copies, picture.layers, picture.link_ratio) == (copies, layers, 8)
    # Copies there and back, and all layers together as long as the other view says.
    assert picture.there / picture.back == pytest.approx(sent / 2)
    line = next(one for one in ratios(Mode.LECTURE, **turned).lines if one.name == "bytes as sent")
    ratio = float(line.y[layers - 1])
    assert layers * (picture.there + picture.back) == pytest.approx(ratio) == picture.inside
    assert picture.end == max(1.0, ratio)
    # The calculation that is written gives that number, and what follows from it.
    product, found = picture.ratio_text.split(" = ")
    factors, links = product.split(" / ")
    assert math.prod(map(float, factors.split(" × "))) / float(links) == pytest.approx(ratio)
    assert float(found) == pytest.approx(ratio, rel=2e-3)  # three digits are written
    assert ("no extra time" in picture.so_text) == (ratio >= 1)


def test_every_control_changes_what_a_token_crosses() -> None:
    before = BOARD.views[0].compute(BOARD.values(Mode.LECTURE))
    for control in BOARD.controls:
        assert BOARD.views[0].compute(BOARD.values(Mode.LECTURE, {control.name: control.low})) != before, control.name
