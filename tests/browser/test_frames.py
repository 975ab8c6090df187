"""Frames of charts: one for the three settings of a view, which is left under a hand only by what has left it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.charts import INSIDE, TICKS
from tests.browser.steps import PLOT

# Words in the plot and above it that are seen, each with where its middle is in the window.
WORDS = """() => [...document.querySelectorAll('#canvas .chart > svg text')].filter(text => {
    const isSeen = text.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (!text.textContent.trim() || !isSeen) return false;
    for (let one = text; one.tagName !== 'svg'; one = one.parentElement)
        if (Number(one.getAttribute('opacity') ?? 1) < 0.5 || Number(getComputedStyle(one).opacity) < 0.5) return false;
    return true;
}).map(text => {
    const { x, y, width, height } = text.getBoundingClientRect();
    return [text.textContent, x + width / 2, y + height / 2];
})"""

MODES = ("both", "careful", "lecture")


def whose(visitor: Any, mode: str) -> None:
    """Whose numbers are shown is chosen, and drawn."""
    visitor.page.evaluate("mode => document.querySelector(`#mode-${mode}`).click()", mode)
    visitor.settle()
    visitor.settle()


@pytest.mark.parametrize("step", [4, 6, 9, 14, 32])
def test_a_change_of_whose_numbers_moves_lines_and_no_axis(resident: Any, step: int) -> None:
    page = resident.turn_to(f"?step={step}")
    ticks, plot = page.evaluate(TICKS), page.evaluate(PLOT)
    lines = page.evaluate("() => document.querySelector('#canvas svg').getAttribute('aria-label')")
    for mode in MODES:
        whose(resident, mode)
        assert page.evaluate(TICKS) == ticks, mode
        assert page.evaluate(PLOT) == pytest.approx(plot, abs=1), mode  # a pixel of rounding in the rows around it
        told = page.evaluate("() => document.querySelector('#canvas svg').getAttribute('aria-label')")
        assert (told == lines) == (mode == "lecture")


def test_where_a_hand_put_the_handle_it_stays_from_mode_to_mode(resident: Any) -> None:
    page = resident.turn_to("?step=6")
    page.focus(".along input")
    for _ in range(3):
        page.keyboard.press("PageDown")
    resident.settle()
    read = (
        "() => [...document.querySelectorAll('.along input')].map(one => [one.value, one.ariaValueText.split('.')[0]])"
    )
    put = page.evaluate(read)
    for mode in MODES:
        whose(resident, mode)
        assert page.evaluate(read) == put, mode


def dragged(page: Any, control: str, *, to_its_end: bool) -> None:
    """A hand on a slider goes to one of its ends, and stays there."""
    slider = page.locator(f"#control-{control}-slider")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    part = slider.evaluate("one => (one.value - one.min) / (one.max - one.min)")
    x, y = box["x"] + 8 + part * (box["width"] - 16), box["y"] + box["height"] / 2
    way = box["x"] + (box["width"] - 2 if to_its_end else 2) - x
    page.mouse.move(x, y)
    page.mouse.down()
    for place in range(1, 21):
        page.mouse.move(x + way * place / 20, y)
        page.wait_for_timeout(40)


@pytest.mark.parametrize(
    ("step", "control", "to_its_end", "said"),
    [
        (4, "chips", False, "does not fit"),
        (4, "kv_bytes_per_token", True, "memory is full"),
        (14, "chips", True, ""),
        (32, "active_params", True, ""),
    ],
)
def test_a_hand_at_the_far_end_of_a_slider_sees_the_line_that_it_moves(
    resident: Any, step: int, control: str, said: str, *, to_its_end: bool
) -> None:
    page = resident.turn_to(f"?step={step}")
    before = page.evaluate(INSIDE)
    dragged(page, control, to_its_end=to_its_end)
    resident.settle()
    page.wait_for_timeout(100)
    inside, words = page.evaluate(INSIDE), [text for text, *_ in page.evaluate(WORDS)]
    page.mouse.up()
    resident.settle()
    assert inside >= 0.15 * before  # a fifth of the axis, which along the line is another part
    assert any(text.startswith(said) for text in words), words


def test_dots_keep_their_names_under_a_hand_that_brings_them_into_another_order(resident: Any) -> None:
    page = resident.turn_to("?step=36")
    names = {text for text, *_ in page.evaluate(WORDS)}
    dragged(page, "context_tokens", to_its_end=False)
    resident.settle()
    kept = names & {text for text, *_ in page.evaluate(WORDS)}
    page.mouse.up()
    resident.settle()
    models = {one for one in kept if any(maker in one for maker in ("Qwen", "Llama", "PaLM", "GLM", "GPT", "DeepSeek"))}
    assert len(models) >= 6


def test_the_point_that_a_steps_text_speaks_of_is_named_in_both_modes_too(resident: Any) -> None:
    page = resident.turn_to("?step=32&mode=both")
    assert "80B: 4.6 times" in " ".join(text for text, *_ in page.evaluate(WORDS))


@pytest.mark.parametrize("step", [5, 8, 40])
def test_an_answer_moves_no_words_that_were_there(resident: Any, step: int) -> None:
    page = resident.turn_to(f"?step={step}")
    before = page.evaluate(WORDS)
    left, top, width, height = page.evaluate(PLOT)
    page.mouse.click(left + 0.4 * width, top + 0.55 * height)
    page.click(".chart-check")
    resident.settle()
    after = page.evaluate(WORDS)
    for text, x, y in before:
        there = [abs(x - at) + abs(y - high) for same, at, high in after if same == text]
        assert there, text
        assert min(there) <= 4, text
