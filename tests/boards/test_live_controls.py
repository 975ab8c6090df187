"""Beside a picture stand the controls that move it, and no others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.each import of_each

from ridgeline.boards.board import Board, Control, Mode, View
from ridgeline.boards.documents.view import view_document
from ridgeline.boards.lecture import BOARDS, board
from ridgeline.boards.live_controls import Recorded, live_controls, moves, places
from ridgeline.boards.ranked_controls import ranked_controls, tried_and_ranked
from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped

every_board = of_each("one", BOARDS, ids=lambda one: one.name)


@pytest.mark.slow
@every_board
def test_every_control_moves_a_picture_of_its_board(one: Board) -> None:
    live = {name for view in one.views for name in live_controls(one, view)}
    assert live == {control.name for control in one.controls}


@pytest.mark.slow
@every_board
def test_a_picture_moves_by_every_control_beside_it_and_by_no_other(one: Board) -> None:
    """The others at values that they were not tried at."""
    drawn = np.random.default_rng(BOARDS.index(one))
    for view in one.views:
        live, moved = live_controls(one, view), set[str]()
        for values in one.starts(one.facts()).values():
            recorded = Recorded(values)
            here = view_document(view, recorded)
            for control in one.controls:
                # What was not looked up leaves the picture alike at any value; that it is noted is seen at one.
                tried = 5 if control.name in recorded.read else 1
                some = places(control) if control.name in live else [_somewhere(control, drawn) for _ in range(tried)]
                # Of two modes a control may move one alone.
                if control.name not in moved and any(
                    moves(here, view_document(view, {**values, control.name: place})) for place in some
                ):
                    moved.add(control.name)
        assert moved == set(live), view.heading


def _somewhere(control: Control, drawn: np.random.Generator) -> float:
    found = float(drawn.uniform(control.low, control.high))
    return float(round(found)) if control.is_whole else found


def test_what_is_looked_up_but_moves_nothing_is_not_beside_the_picture() -> None:
    context = board("context")
    costs, multiples = context.views
    assert "price_ratio" not in live_controls(context, multiples)
    assert "price_ratio" in live_controls(context, costs)


def test_a_pixel_is_a_move_and_less_is_not() -> None:
    """The width of the network moves its shadow prices by less than a line is wide."""
    one = board("duality")
    view = one.views[0]
    here = one.values(Mode.CAREFUL)
    start = view_document(view, here)
    narrow, cheap = (
        view_document(view, {**here, name: one.control(name).low}) for name in ("hidden", "memory_fraction")
    )
    assert narrow != start
    assert not moves(start, narrow)
    assert moves(start, cheap)


def test_the_page_is_told_for_each_view() -> None:
    found: Any = answers("boards/budget", {}, Dropped())
    assert [len(names) for names in found["view_controls"]] == [7, 7, 2]
    assert found["view_controls"][2] == ["rising_power", "falling_power"]


@pytest.mark.parametrize(("name", "view", "first"), [("memory", 0, "chips_per_stage"), ("cost", 0, "hbm_bytes_per_s")])
def test_first_is_what_moves_the_bold_line_farthest(name: str, view: int, first: str) -> None:
    """Half the chips of a stage are twice the bytes of each; a small batch pays by the byte and not by the FLOP."""
    one = board(name)
    found = ranked_controls(one, one.views[view])
    assert found[0] == first
    assert sorted(found) == sorted(live_controls(one, one.views[view]))


STATED = [(one, view) for one in BOARDS for view in one.views if view.moved_by]


@pytest.mark.slow
@pytest.mark.parametrize(("one", "view"), STATED, ids=[view.heading for _, view in STATED])
def test_what_a_view_says_that_moves_it_is_what_trying_finds(one: Board, view: View) -> None:
    assert view.moved_by == tried_and_ranked(one, view)


def test_what_fits_into_a_row_and_what_has_no_bold_line_stays_as_the_board_has_it() -> None:
    for name, view in (("quality", 0), ("uneven-stages", 0)):
        one = board(name)
        assert ranked_controls(one, one.views[view]) == live_controls(one, one.views[view])
