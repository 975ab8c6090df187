"""Pictures of budgets: nothing lies outside, both themes hold, and words are said once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from matplotlib.figure import Figure

import ridgeline
from ridgeline.figures import budget as figures
from ridgeline.figures.theme import DARK, LIGHT, Theme
from ridgeline.lifecycle import sweeps
from ridgeline.lifecycle.answer import Budget

WORDS = {"title": "A title", "subtitle": "What is asked", "foot": "What is counted"}
PICTURES: dict[str, tuple[Callable[[Budget], Any], Callable[..., Figure]]] = {
    "iso-loss": (sweeps.level_lines, figures.iso_loss_figure),
    "costs": (sweeps.size_curves, figures.sizes_figure),
    "shares": (sweeps.share_curves, figures.shares_figure),
    "over-training": (sweeps.over_training_curves, figures.over_training_figure),
}


@pytest.fixture(scope="module")
def found() -> Budget:
    return ridgeline.budget(laws=["besiroglu-2024", "hoffmann-2022"], draws=10)


def _texts(figure: Figure) -> list[str]:
    return [text.get_text() for axes in figure.axes for text in axes.texts] + [one.get_text() for one in figure.texts]


@pytest.mark.slow
@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_words_lie_inside_of_the_picture(name: str, theme: Theme, found: Budget) -> None:
    curves, make = PICTURES[name]
    figure = make(curves(found), theme=theme, **WORDS)
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()  # type: ignore[attr-defined]
    bounds = figure.bbox
    for text in [*figure.texts, *(text for axes in figure.axes for text in axes.texts)]:
        if text.get_text():
            box = text.get_window_extent(renderer)
            assert box.x0 >= bounds.x0 - 1, text.get_text()
            assert box.x1 <= bounds.x1 + 1, text.get_text()
            assert box.y0 >= bounds.y0 - 1, text.get_text()
            assert box.y1 <= bounds.y1 + 1, text.get_text()
    assert _texts(figure).count("A title") == 1


def test_named_models_say_what_they_are_right_for(found: Budget) -> None:
    figure = figures.over_training_figure(sweeps.over_training_curves(found), theme=LIGHT, **WORDS)
    assert any(text.startswith("DeepSeek-V3: 20×, right for 30") for text in _texts(figure))
    assert any(text.startswith("Llama 3.1 8B: 93×") for text in _texts(figure))
