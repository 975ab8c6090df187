"""The picture of a price: all of its words lie on it, and none of its numbers on another."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from ridgeline.figures.price_stack import MOST_LISTS, price_stack_figure
from ridgeline.figures.theme import THEMES
from ridgeline.verbs import price

LISTS = ("groq/llama-3.1-8b-instant", "deepseek/deepseek-v4-flash", "google/gemini-2.5-pro", "openai/gpt-5")
OWNED = {"is_owned": True, "electricity_usd_per_j": 0.08 / 3.6e6}


@pytest.mark.slow
@pytest.mark.parametrize("theme", list(THEMES))
@pytest.mark.parametrize("asked", [OWNED, {"against": LISTS[:1]}, {"against": LISTS}], ids=["owned", "one", "four"])
def test_words_lie_on_the_picture_and_off_each_other(asked: dict[str, Any], theme: str) -> None:
    """A pixel: letters touch the edges of their boxes."""
    found = price("llama-3.1-8b", "h100-sxm", chips=1, **asked)
    figure = price_stack_figure(found, title="A title", subtitle="of what", foot="A foot.", theme=THEMES[theme])
    figure.draw_without_rendering()
    texts = [one for axes in figure.axes for one in axes.texts if one.get_text()] + figure.texts
    boxes = {one.get_text() + str(number): one.get_window_extent() for number, one in enumerate(texts)}
    for words, box in boxes.items():
        assert 0 <= box.x0 <= box.x1 <= figure.bbox.width, words
        assert 0 <= box.y0 <= box.y1 <= figure.bbox.height, words
    for (one, box), (other, its) in combinations(boxes.items(), 2):
        apart = box.x1 - 1 <= its.x0 or its.x1 - 1 <= box.x0 or box.y1 - 1 <= its.y0 or its.y1 - 1 <= box.y0
        assert apart, (one, other)
    legend = [one.get_text() for one in figure.texts if one.get_text().startswith("◆")]
    assert len(legend) == min(len(asked.get("against", ())), MOST_LISTS)
