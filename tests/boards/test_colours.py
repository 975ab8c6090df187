"""One colour, one meaning: what the table of colours says holds for whatever is drawn."""

from __future__ import annotations

import re

from tests.boards.walked import STEPS

import ridgeline.boards.colour as table
from ridgeline.boards.board import ControlError
from ridgeline.boards.lecture import BOARDS
from ridgeline.boards.picture import Colour, Curves
from ridgeline.boards.schedules import COLOURS
from ridgeline.boards.written import flat

LEAVES = re.compile(r"between racks|links out of|move")
"""How what leaves a rack is named."""


def test_the_table_has_each_colour_once_and_a_hue_of_its_own() -> None:
    rows = re.findall(r"^\| (\w+) \| .* \| ``(\w+)`` \|$", str(table.__doc__), re.MULTILINE)
    assert sorted(name for _, name in rows) == sorted(Colour.__members__)
    assert len({hue for hue, _ in rows}) == len(rows)


def test_what_has_the_colour_of_leaving_a_rack_leaves_one() -> None:
    named = [words for step in STEPS for words, colour in step.named.items() if colour is Colour.AWAY]
    chosen = [one.name for step in STEPS if step.choice for one in step.choice.options if one.colour is Colour.AWAY]
    drawn: list[str] = []
    for board in BOARDS:
        for view in board.views:
            try:
                picture = view.compute(board.values(board.opens))
            except ControlError:
                continue
            if isinstance(picture, Curves):
                drawn += [flat(one.name) for one in (*picture.lines, *picture.marks) if one.colour is Colour.AWAY]
                drawn += [dots.name for dots in picture.dots if dots.colour is Colour.AWAY]
    assert named
    assert chosen
    assert drawn
    for words in (*named, *chosen, *drawn):
        assert LEAVES.search(words), words


def test_no_two_parts_of_a_schedule_look_alike() -> None:
    """A legend that names two of them in one colour tells neither."""
    assert len(set(COLOURS.values())) == len(COLOURS)
