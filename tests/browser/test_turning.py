"""Many sliders, one after another, under a hand: no part of any picture ever gets what is no number."""

from __future__ import annotations

from typing import Any

import pytest

from ridgeline.boards.lecture import BOARDS

# Turns each slider by a quarter of its length and lets go, the first ones staying turned; gives the attributes that
# held no number at any time.
TURN = """async steps => {
    const painted = () => new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));
    const found = new Set();
    const look = changes => {
        for (const { target, attributeName } of changes) {
            const text = target.getAttribute(attributeName) ?? '';
            if (/NaN|undefined|Infinity/.test(text))
                found.add(`${target.tagName} ${attributeName}="${text.slice(0, 60)}"`);
        }
    };
    const watch = new MutationObserver(look);
    watch.observe(document.querySelector('figure'), { subtree: true, attributes: true });
    for (const slider of document.querySelectorAll('#controls input[type=range]')) {
        const from = Number(slider.value), length = Number(slider.max);
        const way = (from < 0.75 * length ? 1 : -1) * length / 4;
        for (let step = 1; step <= steps; step += 1) {
            slider.value = from + way * step / steps;
            slider.dispatchEvent(new Event('input', { bubbles: true }));
            await painted();
            await painted();
        }
        slider.dispatchEvent(new Event('change', { bubbles: true }));
        for (let frame = 0; frame < 8; frame += 1) await painted();
    }
    watch.disconnect();
    return [...found];
}"""


@pytest.mark.parametrize(("board", "steps"), [("latency", 4), ("hits", 4)])
def test_marks_are_where_numbers_say_while_sliders_turn(visitors: Any, board: str, steps: int) -> None:
    page = visitors(motion="no-preference").open(f"?board={board}&mode=both")
    assert page.evaluate(TURN, steps) == []


@pytest.mark.slow
@pytest.mark.parametrize("board", [one.name for one in BOARDS])
def test_no_board_draws_what_is_no_number_while_sliders_turn(visitors: Any, board: str) -> None:
    visitor = visitors(motion="no-preference")
    found = []
    page = visitor.open(f"?board={board}&mode=both")
    for view in range(max(1, page.locator("[role=tab]").count())):
        visitor.open(f"?board={board}&view={view}&mode=both")
        found += page.evaluate(TURN, 8)
    assert found == []
    visitor.complaints[:] = [said for said in visitor.complaints if "400" not in said]  # what is refused
