"""Many sliders, one after another, under a hand: no part of any picture ever gets what is no number."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
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
def test_marks_are_where_numbers_say_while_sliders_turn(mover: Any, board: str, steps: int) -> None:
    page = mover.come(f"?board={board}&mode=both")
    assert page.evaluate(TURN, steps) == []


@pytest.mark.slow
@pytest.mark.parametrize("board", [one.name for one in BOARDS])
def test_no_board_draws_what_is_no_number_while_sliders_turn(visitors: Any, board: str) -> None:
    visitor = visitors(motion="no-preference")
    found = []
    page = visitor.open(f"?board={board}&mode=both")
    for view in range(max(1, page.locator("[role=tab]").count())):
        visitor.come(f"?board={board}&view={view}&mode=both")
        found += page.evaluate(TURN, 8)
    assert found == []
    visitor.complaints[:] = [said for said in visitor.complaints if "400" not in said]  # what is refused


# Moves the first slider as a hand does, and lets go; waits until all is drawn and at rest.
MOVED = """async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const slider = document.querySelector('#controls input[type=range]');
    const from = Number(slider.value), length = Number(slider.max);
    const way = (from < length / 2 ? 1 : -1) * length / 20;
    for (let step = 1; step <= 4; step += 1) {
        slider.value = from + way * step;
        slider.dispatchEvent(new Event('input', { bubbles: true }));
        await frame();
        await frame();
    }
    slider.dispatchEvent(new Event('change', { bubbles: true }));
    await frame();
    while (document.querySelector('#views').getAttribute('aria-busy') !== 'false') await frame();
    for (let rest = 0; rest < 8; rest += 1) await frame();
}"""


def recorded(page: Any, work: Callable[[], object]) -> list[dict[str, Any]]:
    """What the browser's own record of its work has, while something is done, on layouts and styles."""
    record = page.context.new_cdp_session(page)
    events: list[dict[str, Any]] = []
    ended = threading.Event()
    record.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    record.on("Tracing.tracingComplete", lambda _: ended.set())
    kinds = ["devtools.timeline", "disabled-by-default-devtools.timeline.stack"]
    record.send("Tracing.start", {"traceConfig": {"includedCategories": kinds}, "transferMode": "ReportEvents"})
    work()
    record.send("Tracing.end")
    while not ended.is_set():
        page.wait_for_timeout(20)
    record.detach()
    works = [event["args"] for event in events if event["name"] in {"Layout", "UpdateLayoutTree"}]
    assert works, "nothing was recorded"
    return works


@pytest.mark.parametrize("query", ["?step=3", "?step=6", "?board=latency"])
def test_a_turn_has_the_page_laid_out_by_nobody(mover: Any, query: str) -> None:
    # Whoever asks where something stands before a frame is done has all of it laid out once more: the browser's own
    # record of its work names who did.
    page = mover.come(query)
    page.evaluate("async () => { for (let n = 0; n < 30; n += 1) await new Promise(requestAnimationFrame); }")
    begun = [one["beginData"] for one in recorded(page, lambda: page.evaluate(MOVED))]
    assert [one["stackTrace"][:3] for one in begun if "stackTrace" in one] == []


def test_a_step_has_each_element_styled_twice_at_most(resident: Any) -> None:
    """As it is made and where it stands; with a rule of `:has()` whose last part is of any kind it is three times.

    Each change in a board then has all of it styled anew.
    """
    page = resident.page
    for before, place in ((3, 14), (14, 27), (27, 38)):
        resident.turn_to(f"?step={before}", is_told=False)
        works = recorded(page, partial(resident.turn_to, f"?step={place}", is_told=False))
        styled = sum(one.get("elementCount", 0) for one in works)
        assert 0 < styled < 2 * page.evaluate("document.querySelectorAll('*').length"), (place, styled)
