from __future__ import annotations

import itertools
import re

import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from ridgeline.boards.board import Board, Mode
from ridgeline.boards.lecture import BOARDS, board
from ridgeline.boards.named_marks import named_marks
from ridgeline.boards.picture import Curves
from ridgeline.figures.board import board_figure
from ridgeline.figures.style import style
from ridgeline.figures.theme import THEMES


def texts(figure: Figure) -> list[Text]:
    with style():
        figure.draw_without_rendering()
    return [text for text in figure.findobj(Text) if isinstance(text, Text) and text.get_visible() and text.get_text()]


@pytest.mark.slow
@pytest.mark.parametrize("one", BOARDS, ids=lambda one: one.name)
@pytest.mark.parametrize(("mode", "theme"), [(Mode.LECTURE, "light"), (Mode.CAREFUL, "dark")])
def test_words_are_legible_neither_touch_each_other_nor_leave_the_picture(one: Board, mode: Mode, theme: str) -> None:
    values = one.values(mode)
    figure = board_figure(one, values, one.sources(mode, values, one.facts()), THEMES[theme])
    found = [(text, text.get_window_extent()) for text in texts(figure)]
    words = [text.get_text() for text, _ in found]
    assert {one.title, one.question} <= set(words)
    for view, picture in zip(one.views, one.pictures(values), strict=True):
        assert {view.x.caption, view.y.caption} - {""} <= set(words)
        if isinstance(picture, Curves):
            (named,) = named_marks(picture)
            said = {mark.text for mark in named.marks if not mark.is_quiet}
            assert {line.name for line in picture.lines} | said <= set(words)
            # Another view's axis may have the same words.
            of_view = [axes for axes in figure.axes if axes.get_xlabel() == view.x.caption]
            written = {text.get_text() for axes in of_view for text in axes.texts}
            assert not {mark.text for mark in named.marks if mark.is_quiet} - said & written
    inside = figure.bbox
    for text, box in found:
        assert inside.x0 <= box.x0 < box.x1 <= inside.x1, text
        assert inside.y0 <= box.y0 < box.y1 <= inside.y1, text
    for (text, box), (other, other_box) in itertools.combinations(found, 2):
        # The formula's terms stand edge to edge.
        are_terms = text.get_parse_math() and other.get_parse_math()
        assert are_terms or not box.overlaps(other_box), (text, other)
    assert min(float(text.get_fontsize()) for text, _ in found) >= 12


@pytest.mark.parametrize(("name", "view", "numbers"), [("ciphers", 1, ["0", "5", "10"])])
def test_tables_count_from_their_first_row(name: str, view: int, numbers: list[str]) -> None:
    """Changes of bits from none."""
    one = board(name)
    figure = board_figure(one, one.values(Mode.LECTURE), {}, THEMES["light"])
    texts(figure)
    axes = next(axes for axes in figure.axes if axes.get_xlabel() == one.views[view].x.caption)
    for axis in (axes.xaxis, axes.yaxis):
        assert [label.get_text() for label in axis.get_ticklabels()][: len(numbers)] == numbers


def test_every_fast_mode_is_named() -> None:
    one = board("modes")
    values = one.values(Mode.LECTURE)
    _, sold = next(picture.dots for picture in one.pictures(values) if isinstance(picture, Curves))
    said = "\n".join(text.get_text() for text in board_figure(one, values, {}, THEMES["light"]).axes[0].texts)
    assert sold.names
    assert [name for name in sold.names if name not in said] == []


def test_one_thing_is_not_told_as_several() -> None:
    """Of every control that can be one: nothing that is counted is a plural before what it is of."""
    for one in BOARDS:
        for control in one.controls:
            if control.dimension == "count" and control.low <= 1 <= control.high:
                counted = re.split(r" (?:a|of|for|to|in|over|that|as|faster|the)\b", control.said(1.0))[0]
                assert not counted.endswith("s") or counted.endswith(("axis", "times")), (one.name, control.said(1.0))
    assert board("wires").control("axes").said(1.0) == "1 axis"
    assert board("wires").control("axes").said(2.0) == "2 axes"
    assert board("stages").control("layers_per_stage").said(1.0) == "1 layer per stage"
