"""Inside a rack against between racks: B8."""

from __future__ import annotations

import itertools

import pytest
from tests.boards.reading import mark

from ridgeline.boards.board import Mode
from ridgeline.boards.flows import Passage
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


@pytest.mark.parametrize(("copies", "layers", "sent"), [(8, 25, 1.0), (3, 2, 2.0), (8, 1, 0.5)])
def test_widths_are_times_in_hand_overs(copies: int, layers: int, sent: float) -> None:
    turned = {"copies_per_token": copies, "layers_per_stage": layers, "dispatch_bytes": sent}
    picture = BOARD.views[0].compute(BOARD.values(Mode.LECTURE, turned))
    assert isinstance(picture, Passage)
    (strip,) = picture.strips
    *inside, hand_over = strip.messages
    assert (hand_over.start, hand_over.long, hand_over.to_row) == (0.0, 1.0, 2)
    assert len(inside) == 2 * layers
    assert {one.parts for one in inside} == {copies}
    # One after another, there and back, and all of them together as long as the other view says.
    for one, following in itertools.pairwise(inside):
        assert following.start == pytest.approx(one.start + one.long)
        assert (one.row, one.to_row) == (following.to_row, following.row)
    assert inside[0].long / inside[1].long == pytest.approx(sent / 2)
    ends = inside[-1].start + inside[-1].long
    drawn = ratios(Mode.LECTURE, **turned)
    line = next(one.y for one in drawn.lines if one.name == "bytes as sent")
    assert ends == pytest.approx(line[list(drawn.x).index(layers)])
    assert strip.end >= max(1.0, ends)


def test_every_control_changes_what_a_token_crosses() -> None:
    before = BOARD.views[0].compute(BOARD.values(Mode.LECTURE))
    for control in BOARD.controls:
        assert BOARD.views[0].compute(BOARD.values(Mode.LECTURE, {control.name: control.low})) != before, control.name
