"""The argument as a picture."""

from __future__ import annotations

import pytest
from matplotlib.backends.backend_agg import RendererAgg

from ridgeline.boards.argument import LEGEND, argument_picture, follow
from ridgeline.boards.lecture import CLAIMS
from ridgeline.boards.picture import Schematic
from ridgeline.figures.argument import argument_figure
from ridgeline.figures.theme import THEMES


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("changed", [{}, {"A10": 250.0}, {"active_params": 123_456_789_012.0}])
def test_every_text_stays_in_its_box_and_every_colour_is_explained(theme: str, changed: dict[str, float]) -> None:
    schematic: Schematic = argument_picture(CLAIMS, follow(CLAIMS, changed))
    figure = argument_figure(schematic, "Which?", LEGEND, THEMES[theme])
    figure.draw_without_rendering()
    (axes,) = figure.axes
    renderer = figure.canvas.get_renderer()  # type: ignore[attr-defined]
    assert isinstance(renderer, RendererAgg)
    patches = {box.text: patch for box, patch in zip(schematic.boxes, axes.patches, strict=False)}
    written = {text.get_text(): text.get_window_extent(renderer) for text in axes.texts}
    for text, patch in patches.items():
        outer, inner = patch.get_window_extent(renderer), written[text]
        assert outer.x0 < inner.x0, text
        assert inner.x1 < outer.x1, text
    explained = {colour for colour, _ in LEGEND}
    assert {box.colour for box in schematic.boxes} <= explained
    words = {text.get_text(): text.get_window_extent(renderer) for text in figure.texts}
    assert {meaning for _, meaning in LEGEND} <= set(words)
    assert max(extent.x1 for extent in words.values()) < figure.bbox.x1
