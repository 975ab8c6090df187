"""One colour, one meaning: what the table of colours says holds for whatever is drawn."""

from __future__ import annotations

import re

from tests.boards.walked import STEPS

import ridgeline.boards.colour as table
from ridgeline.boards.board import ControlError, Mode
from ridgeline.boards.lecture import BOARDS
from ridgeline.boards.picture import Colour, Curves
from ridgeline.boards.schedules import COLOURS
from ridgeline.boards.written import flat
from ridgeline.training.schedules import Part

LEAVES = re.compile(r"between racks|links out of|move")
"""How what leaves a rack is named."""


def test_the_table_has_each_colour_once_and_a_hue_of_its_own() -> None:
    rows = re.findall(r"^\| (\w+)[^|]* \| .* \| ``(\w+)`` \|$", str(table.__doc__), re.MULTILINE)
    assert sorted(name for _, name in rows) == sorted(Colour.__members__)
    assert len({hue for hue, _ in rows}) == len(rows)


def test_what_has_the_colour_of_leaving_a_rack_leaves_one() -> None:
    named = [words for step in STEPS for words, colour in step.named.items() if colour is Colour.AWAY]
    chosen = [one.name for step in STEPS if step.choice for one in step.choice.options if one.colour is Colour.AWAY]
    drawn: list[str] = []
    for board in BOARDS:
        for view in board.views:
            try:
                picture = view.compute(board.values(board.opens or Mode.LECTURE))
            except ControlError:
                continue
            if isinstance(picture, Curves):
                drawn += [flat(line.name) for line in picture.lines if line.colour is Colour.AWAY]
                drawn += [mark.text for mark in picture.marks if mark.colour is Colour.AWAY]
                drawn += [dots.name for dots in picture.dots if dots.colour is Colour.AWAY]
    assert named
    assert chosen
    assert drawn
    for words in (*named, *chosen, *drawn):
        assert LEAVES.search(words), words


def test_parts_of_a_schedule_look_alike_only_where_one_is_the_first_half_of_the_other() -> None:
    """The legend has one entry for a backward pass and for its first half; it names no other two in one colour."""
    assert COLOURS[Part.BACKWARD] is COLOURS[Part.INPUT_GRADIENT]
    rest = [colour for part, colour in COLOURS.items() if part is not Part.INPUT_GRADIENT]
    assert len(set(rest)) == len(rest)
