from __future__ import annotations

import itertools

import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from ridgeline.boards.board import Board, Mode
from ridgeline.boards.shelf import BOARDS
from ridgeline.figures.board import board_figure
from ridgeline.figures.style import style
from ridgeline.figures.theme import THEMES


def texts(figure: Figure) -> list[Text]:
    with style():
        figure.canvas.draw()
    return [text for text in figure.findobj(Text) if isinstance(text, Text) and text.get_visible() and text.get_text()]


@pytest.mark.parametrize("one", BOARDS, ids=lambda one: one.name)
@pytest.mark.parametrize(("mode", "theme"), [(Mode.LECTURE, "light"), (Mode.CAREFUL, "dark")])
def test_words_are_legible_neither_touch_each_other_nor_leave_the_picture(one: Board, mode: Mode, theme: str) -> None:
    values = one.values(mode)
    drawing = one.compute(values)
    figure = board_figure(one, drawing, values, "Numbers", THEMES[theme])
    found = [(text.get_text(), text.get_window_extent()) for text in texts(figure)]
    words = [text for text, _ in found]
    for expected in (one.title, one.question, one.x.caption, one.y.caption, *(line.name for line in drawing.lines)):
        assert expected in words
    assert {mark.text for mark in drawing.marks} <= set(words)
    inside = figure.bbox
    for text, box in found:
        assert inside.x0 <= box.x0 < box.x1 <= inside.x1, text
        assert inside.y0 <= box.y0 < box.y1 <= inside.y1, text
    for (text, box), (other, other_box) in itertools.combinations(found, 2):
        assert not box.overlaps(other_box), (text, other)
    assert min(float(text.get_fontsize()) for text in texts(figure)) >= 12
