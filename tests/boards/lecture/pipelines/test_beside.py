"""The rack beside steps of pipelines has the numbers of their boards: lines, marks and schedules."""

from __future__ import annotations

import pytest
from tests.boards.lecture.racks import EXACT, known_at, seen_at, spent

from ridgeline.boards.colour import Colour
from ridgeline.boards.journeys import Loop
from ridgeline.boards.scene import Gantt
from ridgeline.boards.walk import height, mark_named


def test_racks_hand_on_the_vectors_that_lines_have() -> None:
    seen, rack = seen_at("not-wise-0:54:27")
    stages = seen.values[seen.mode]["stages"]
    back, plain = (
        sum(one.tracks[track].busy[0].end for one in rack.cabinets if one.tracks[track].busy) for track in (0, 1)
    )
    lines = height(seen, "to all earlier", stages), height(seen, "plain", stages)
    assert back / plain == pytest.approx(lines[0] / lines[1], rel=EXACT)
    # The last rack hands nothing on.
    assert not any(track.busy for track in rack.cabinets[-1].tracks)


def test_racks_idle_as_long_as_the_bubble_is() -> None:
    seen, rack = seen_at("bubbles-0:59:00")
    busy = [
        spent(rack, Colour.COMPUTE, place) + spent(rack, Colour.BOUND, place) for place in range(len(rack.cabinets))
    ]
    assert len(busy) == seen.values[seen.mode]["stages"]
    assert 1 - sum(busy) / len(busy) == pytest.approx(mark_named(seen, "training").y, rel=EXACT)
    _, alone = known_at("bubbles-0:59:00")
    lone = [
        spent(alone, Colour.COMPUTE, place) + spent(alone, Colour.BOUND, place) for place in range(len(alone.cabinets))
    ]
    assert 1 - sum(lone) / len(lone) == pytest.approx(height(seen, "training", 1), rel=EXACT)


def test_racks_in_turn_work_while_the_second_schedule_of_the_scene_does() -> None:
    seen, rack = seen_at("bubbles-1:00:30")
    picture = seen.pictures[seen.mode]
    assert isinstance(picture, Gantt)
    played = picture.played[1]
    assert played.name == "1F1B"
    assert rack.scene_spans is not None
    for cells in played.cells:
        for stage, start in zip(cells.rows, cells.starts, strict=True):
            if start >= played.span:
                continue  # the optimiser's step, which the rack leaves out
            at = start / picture.end * rack.scene_spans
            (track,) = rack.cabinets[stage].tracks
            # Where a pass begins in the scene, the rack works; passes of a colour that follow at once are one.
            assert any(busy.colour is cells.colour and busy.start - EXACT <= at < busy.end for busy in track.busy)


def test_no_rack_of_a_loop_waits_once_it_has_begun() -> None:
    seen, rack = seen_at("inference-loop-0:58:00")
    picture = seen.pictures[seen.mode]
    assert isinstance(picture, Loop)
    for cabinet in rack.cabinets:
        (track,) = cabinet.tracks
        for one, following in zip(track.busy, track.busy[1:], strict=False):
            assert following.start == pytest.approx(one.end, rel=EXACT)
        assert track.busy[-1].end == pytest.approx(1)
    assert rack.scene_spans == pytest.approx(picture.gantt.end / picture.gantt.played[0].span, rel=EXACT)
