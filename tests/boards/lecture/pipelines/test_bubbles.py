"""Training's bubble: B10, B33, seen in the schedules that are drawn."""

from __future__ import annotations

import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.bubble import Bubble
from ridgeline.boards.lecture import CHAPTERS, CLAIMS
from ridgeline.boards.lecture.pipelines.bubbles import BOARD
from ridgeline.boards.picture import Curves
from ridgeline.boards.scene import Gantt, Played
from ridgeline.boards.walk import see, told

GPIPE, IN_TURN, SPLIT = 0, 1, 2


def schedule(place: int, **turned: float) -> Played:
    picture = BOARD.views[0].compute(BOARD.values(Mode.LECTURE, turned))
    assert isinstance(picture, Gantt)
    return picture.played[place]


def passes(played: Played) -> list[tuple[int, float, float, str]]:
    """Row, start, end and part of all work but the optimiser's."""
    found = [
        (row, start, end, cells.part)
        for cells in played.cells
        if cells.part != "optimiser"
        for row, start, end in zip(cells.rows, cells.starts, cells.ends, strict=True)
    ]
    return sorted(found)


@pytest.mark.parametrize("place", [GPIPE, IN_TURN])
@pytest.mark.parametrize(("stages", "micro_batches", "ratio"), [(4, 4, 1), (4, 4, 2), (3, 7, 1.5), (5, 2, 2)])
def test_bubbles_are_seen_in_the_schedule(place: int, stages: int, micro_batches: int, ratio: float) -> None:
    """B33: they are as large in turn as all forward, then all backward."""
    played = schedule(place, stages=stages, micro_batches=micro_batches, backward_ratio=ratio)
    drawn = passes(played)
    assert len(played.kept) == stages
    assert len(drawn) == 2 * stages * micro_batches
    whole = stages * max(end for _, _, end, _ in drawn)
    bubble = (stages - 1) / (micro_batches + stages - 1)
    assert 1 - sum(end - start for _, start, end, _ in drawn) / whole == pytest.approx(bubble)
    assert played.bubble_fraction == pytest.approx(bubble)
    assert f"{100 * bubble:.3g} % idle" in played.text


def test_weight_gradients_that_wait_fill_a_part_of_the_bubble() -> None:
    assert schedule(SPLIT).bubble_fraction < 0.7 * schedule(IN_TURN).bubble_fraction
    work = [sum(end - start for _, start, end, _ in passes(schedule(place))) for place in (IN_TURN, SPLIT)]
    assert work[0] == pytest.approx(work[1])


@pytest.mark.parametrize("place", [GPIPE, IN_TURN, SPLIT])
def test_the_optimiser_waits_for_every_gradient(place: int) -> None:
    played = schedule(place)
    (update,) = (one for one in played.cells if one.part == "optimiser")
    assert update.rows == (0, 1, 2, 3)
    assert set(update.starts) == {max(end for _, _, end, _ in passes(played))} == {played.span}


def test_the_drawn_step_stops_between_forward_and_backward() -> None:
    for row in range(4):
        kinds = [part for stage, _, _, part in passes(schedule(GPIPE)) if stage == row]
        assert kinds == ["forward"] * 4 + ["backward"] * 4


def test_in_turn_keeps_as_many_as_stages_and_gpipe_all() -> None:
    assert schedule(GPIPE, micro_batches=10).text.endswith("keeps 10")
    assert schedule(IN_TURN, micro_batches=10).text.endswith("keeps 4")
    assert schedule(SPLIT, micro_batches=10).text.endswith("keeps 4")


@pytest.mark.parametrize(("stages", "micro_batches", "ratio"), [(4, 4, 1), (3, 7, 1.5), (5, 2, 2)])
def test_the_bracket_spans_the_first_stages_gap(stages: int, micro_batches: int, ratio: float) -> None:
    """In the same schedule as among the three; every stage idles as long, and bars are the closed form."""
    turned = {"stages": stages, "micro_batches": micro_batches, "backward_ratio": ratio}
    picture = BOARD.views[2].compute(BOARD.values(Mode.LECTURE, turned))
    assert isinstance(picture, Bubble)
    (alone,) = picture.gantt.played
    among = schedule(GPIPE, **turned)
    assert (alone.cells[:-1], alone.span) == (among.cells[:-1], among.span)
    first = [one for one in passes(alone) if one[0] == 0]
    assert first[micro_batches - 1][2] == picture.gap_start
    assert first[micro_batches][1] == picture.gap_end
    share = (picture.gap_end - picture.gap_start) / alone.span
    assert share == pytest.approx(picture.idle[picture.here]) == pytest.approx(alone.bubble_fraction)
    assert picture.counts[picture.here] == micro_batches
    assert picture.idle == pytest.approx([(stages - 1) / (one + stages - 1) for one in picture.counts])
    assert picture.gap_text == f"idle: {2 * (stages - 1) * (1 + ratio) / 2:g} of {alone.span:g}"


def test_bubbles_are_the_closed_forms() -> None:
    picture = BOARD.views[1].compute(BOARD.values(Mode.LECTURE, {"micro_batches": 29}))
    assert isinstance(picture, Curves)
    assert picture.is_whole
    (training,) = picture.marks
    assert (training.x, training.y) == pytest.approx((29, 3 / 32))
    (claim,) = (one for one in CLAIMS if one.id == "B10")
    assert claim.lecture_mode() == pytest.approx(3 / 7)


def test_what_the_walk_says_of_1f1b_is_what_it_draws() -> None:
    """Sentence, picture, claim and correction: it keeps less and idles as long, and ZB-H1 idles less."""
    (step,) = (one for chapter in CHAPTERS for one in chapter.steps if "B33" in one.claims)
    (claim,) = (one for one in CLAIMS if one.id == "B33")
    assert step.turned == {"micro_batches": claim.inputs["micro_batches"]}
    seen = see(step, BOARD, {"B33": claim})
    picture = seen.pictures[seen.mode]
    assert isinstance(picture, Gantt)
    all_forward, in_turn, delayed = picture.played
    kept, most = (max(stage.peak for stage in one.kept) for one in (in_turn, all_forward))
    assert kept < most
    assert in_turn.bubble_fraction / all_forward.bubble_fraction == pytest.approx(claim.lecture_mode())
    assert 0 < delayed.bubble_fraction < in_turn.bubble_fraction
    said = told(step.sentence, seen)
    assert f"leaves it as large, and stores less: {kept:g} micro-batches, not {most:g}." in said
    # By hand: with passes of 1 and 2 each stage works for 24 and idles for 3 (4 - 1 times 1 + 1 - 1), of 27.
    assert (
        f"weight gradients in idle time. It leaves {100 * delayed.bubble_fraction:.0f} %, or {300 / 27:.0f} %" in said
    )
    assert claim.correction() == "Plain 1F1B keeps the whole bubble: it saves memory, not time."
