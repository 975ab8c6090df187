from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from ridgeline.figures.scatter import Cloud, scatter_figure
from ridgeline.figures.style import style
from ridgeline.figures.theme import DARK, LIGHT, Theme


def cloud(name: str, measured_s: list[float], ratios: list[float]) -> Cloud:
    measured = np.array(measured_s)
    return Cloud(name=name, measured_s=measured, predicted_s=measured * np.array(ratios))


CLOUDS = [
    cloud("One", [2e-6], [1.0]),
    cloud("Alike", [1e-3, 1e-3, 1.1e-3], [0.9, 1.1, 1.0]),
    cloud("Far off", [1e-5, 1e-4], [0.001, 300.0]),
    cloud("Wide", [1e-6, 1e-3, 900.0], [0.8, 1.0, 1.3]),
    cloud("A second row of panels", [0.02, 40.0], [1.2, 0.5]),
]


def drawn(theme: Theme) -> tuple[Figure, list[Text]]:
    with style():
        figure = scatter_figure(CLOUDS, "A title", "A caption of some length, as captions are.", theme)
        figure.draw_without_rendering()
    texts = [one for one in figure.findobj(Text) if isinstance(one, Text) and one.get_text() and one.get_visible()]
    return figure, texts


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_every_text_lies_inside_the_picture(theme: Theme) -> None:
    figure, texts = drawn(theme)
    width, height = figure.get_size_inches() * figure.dpi
    for text in texts:
        box = text.get_window_extent()
        assert box.x0 >= 0, text.get_text()
        assert box.y0 >= 0, text.get_text()
        assert box.x1 <= width, text.get_text()
        assert box.y1 <= height, text.get_text()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_no_text_lies_on_another(theme: Theme) -> None:
    boxes = [(text.get_text(), text.get_window_extent()) for text in drawn(theme)[1]]
    for place, (text, box) in enumerate(boxes):
        for other, theirs in boxes[place + 1 :]:
            assert not box.overlaps(theirs), (text, other)


def test_ratios_beyond_the_panel_are_drawn_at_its_edge() -> None:
    figure, _ = drawn(LIGHT)
    (far,) = (axes for axes in figure.axes if any(text.get_text() == "Far off" for text in axes.texts))
    ratios = np.asarray(far.collections[-1].get_offsets())[:, 1]
    assert ratios == pytest.approx(far.get_ylim())


def test_a_panel_says_how_many_rows_it_has_and_how_they_err() -> None:
    assert cloud("Two", [1.0, 2.0], [1.1, 1 / 1.1]).said == "2 rows, median error 10%"


def test_colours_are_the_themes() -> None:
    for theme in (LIGHT, DARK):
        figure, _ = drawn(theme)
        assert figure.get_facecolor() == pytest.approx(_rgba(theme.background))


def _rgba(colour: str) -> list[float]:
    return [*(value / 255 for value in bytes.fromhex(colour[1:])), 1.0]
