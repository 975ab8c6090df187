"""A board's first thing to try: what its line says happens on the drawing, in both modes."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
from tests.each import of_each

from ridgeline.boards.board import Board
from ridgeline.boards.documents.record import record_document
from ridgeline.boards.equations_of import equations_of
from ridgeline.boards.first_move import Moves, Says, Way
from ridgeline.boards.lecture import BOARDS
from ridgeline.boards.picture import Curves, Picture
from ridgeline.boards.place import line_named
from ridgeline.boards.ranked_controls import ranked_controls

every_board = of_each("one", BOARDS, ids=lambda one: one.name)

SEEN = 0.05
"""Least relative change that counts as one: less of it is too small to be seen on a linear axis of 20 rem."""
ALIKE = 1e-9
"""Relative difference of numbers that are computed alike: rounding."""
WORDS = 25
"""Most words of what is said to happen: one line beside a control."""

PREFIXES = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "m": 1e-3, "µ": 1e-6}
NUMBER = re.compile(r"(\d[\d,.]*)\s*([kMGmµ]?)")

SAID = {
    Way.UP: r"rise|rises|above|more|longer|larger|most|moves to",
    Way.DOWN: r"fall|falls|fewer|less|smaller",
    Way.RIGHT: r"right",
    Way.LEFT: r"left",
    Way.STAYS: r"stays|no more|no number",
}
"""Words of a sentence that say a direction."""


@every_board
def test_what_a_first_move_says_is_seen(one: Board) -> None:
    move = one.first_move
    assert move.control in ranked_controls(one, one.views[0])
    for mode, values in one.starts(one.facts()).items():
        before, after = (one.views[0].compute(at) for at in (values, {**values, move.control: move.to}))
        for seen in move.seen:
            if isinstance(seen, Says):
                assert seen.text in _words(after), (mode, seen.text)
                assert seen.text not in _words(before), (mode, seen.text)
            else:
                assert _moved(before, after, seen), (mode, seen)


@every_board
def test_a_first_move_says_each_direction_in_a_short_line(one: Board) -> None:
    move = one.first_move
    assert len(move.then.split()) <= WORDS
    assert move.seen
    for seen in move.seen:
        if isinstance(seen, Moves):
            assert re.search(rf"\b(?:{SAID[seen.way]})\b", move.then), seen
    for text in re.findall(r"\d[\d.,]*", move.then):
        # A number in the line is on the drawing, or is where the control is turned to.
        assert any(text in _words(one.views[0].compute({**at, move.control: move.to})) for at in _starts(one)), text


@every_board
def test_the_control_goes_to_a_value_that_it_can_have(one: Board) -> None:
    move = one.first_move
    for mode in one.starts(one.facts()):
        assert one.values(mode, {move.control: move.to})[move.control] == move.to


@every_board
def test_a_picture_has_its_equations(one: Board) -> None:
    count = len(equations_of(one.formula))
    for view in one.views:
        assert view.equations
        assert set(view.equations) <= set(range(count))
    # One is large; where it goes on in signs between equations they belong to it.
    assert len(one.views[0].equations) == 1 or one.name == "inference-loop"


def _starts(one: Board) -> list[dict[str, float]]:
    return list(one.starts(one.facts()).values())


def _words(picture: Picture) -> str:
    texts = json.dumps(record_document(picture), ensure_ascii=False)
    return texts.replace("\\n", " ").replace("\u00a0", " ")


def _moved(before: Picture, after: Picture, seen: Moves) -> bool:
    if isinstance(before, Curves) and isinstance(after, Curves):
        along, up = (
            np.subtract(*pair) for pair in zip(_place(after, seen.what), _place(before, seen.what), strict=True)
        )
    else:
        along = up = np.log(
            _number(after, seen.what) / _number(before, seen.what) if _number(before, seen.what) else 2.0
        )
    found = {
        Way.UP: up > SEEN,
        Way.DOWN: up < -SEEN,
        Way.RIGHT: along > SEEN,
        Way.LEFT: along < -SEEN,
        Way.STAYS: abs(up) < ALIKE,
    }
    return bool(found[seen.way])


def _place(curves: Curves, what: str) -> tuple[float, float]:
    """Logarithms of where a mark lies, or of how high a line or all dots lie on average."""
    mark = next((one for one in curves.marks if one.name == what), None)
    if mark is not None:
        return float(np.log(mark.x)), float(np.log(mark.y))
    if what == "dots":
        return 0.0, float(np.mean([np.log(one.y).mean() for one in curves.dots]))
    line = next(one for one in curves.lines if one.is_bold) if not what else line_named(curves, what)
    heights = np.asarray(line.y)[np.asarray(line.y) > 0]
    return 0.0, float(np.log(heights).mean())


def _number(picture: Picture, way: str) -> float:
    """Number at the end of a way through a scene's record, or the first one of the text there."""
    found: Any = picture
    for name in way.split("."):
        found = found[int(name)] if name.isdigit() else getattr(found, name)
    if not isinstance(found, str):
        return float(found)
    met = NUMBER.search(found)
    assert met, found
    return float(met[1].replace(",", "")) * PREFIXES[met[2]]
