"""The rack beside the walk: it says and draws what its step is about, follows a slider, and keeps an answer back."""

from __future__ import annotations

from typing import Any

from ridgeline.boards.lecture.walk import walk_document
from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped

STEPS = {step["id"]: (place, step) for place, step in enumerate(walk_document()["steps"], start=1)}
TOLD, HELD, SPREAD, NONE = "latency-0:05:00", "latency-0:09:10", "bubbles-1:00:30", "sparse-0:12:31"

# Of each colour the path of what lies in memory, and that of times.
PATHS = """() => ['held', 'busy'].map(kind => Object.fromEntries(
    [...document.querySelectorAll(`#rack .${kind} path`)].map(one => [one.dataset.colour, one.getAttribute('d')])
))"""
# Squares of a path, by their left ends: one a chip.
CHIPS = "() => document.querySelector('#rack .places').getAttribute('d').split('M').length - 1"
# Where all that stands beside and below the rack begins.
PLACES = """() => ['#rack svg', '#claims', '#canvas', '#controls', '#next'].map(name => {
    const { left, top } = document.querySelector(name).getBoundingClientRect();
    return [left, top];
})"""
# How many paths of what lies in memory are drawn within two seconds.
STATES = """async () => {
    const seen = new Set(), end = performance.now() + 2000;
    while (performance.now() < end) {
        seen.add(document.querySelector('#rack .held path')?.getAttribute('d'));
        await new Promise(requestAnimationFrame);
    }
    return seen.size;
}"""


def caption(name: str, turned: dict[str, str] | None = None) -> str:
    """As Python has it."""
    _, step = STEPS[name]
    fields = {**step["turned"], **(turned or {}), "mode": step["mode"]}
    found: Any = answers(f"boards/{step['board']}/views", fields, Dropped())
    return "".join(word["text"] for word in found["racks"][step["id"]]["words"])


def said(page: Any) -> str:
    """With plain spaces."""
    return str(page.locator("#rack p").inner_text()).replace("\u00a0", " ")


def at(name: str) -> str:
    return f"?step={STEPS[name][0]}"


def test_the_rack_says_what_its_step_has_and_is_named_by_it(visitor: Any) -> None:
    page = visitor.open(at(TOLD))
    assert said(page) == caption(TOLD)
    assert page.get_by_role("img", name=caption(TOLD)).count() == 1
    held, busy = page.evaluate(PATHS)
    assert set(held) == {"weights"}
    assert set(busy) == {"weights", "compute"}
    assert page.evaluate(CHIPS) == 72


def test_a_slider_changes_the_rack_and_moves_nothing_else(visitor: Any) -> None:
    page = visitor.open(at(TOLD))
    before = page.evaluate(PATHS)
    places = page.evaluate(PLACES)
    visitor.drag(page.locator("#controls input[type=range]").nth(1), (60, 0), lift=False)
    page.wait_for_function("was => document.querySelector('#rack p').innerText !== was", arg=said(page))
    visitor.settle()
    under_hand = page.evaluate(PATHS)
    assert page.evaluate(PLACES) == places
    page.mouse.up()
    visitor.settle()
    (turned,) = page.evaluate("() => [...new URLSearchParams(location.search)].filter(([name]) => name !== 'step')")
    assert under_hand != before
    assert said(page) == caption(TOLD, dict([turned]))
    assert page.evaluate(PLACES) == places


def test_from_step_to_step_it_is_one_drawing(visitor: Any) -> None:
    page = visitor.open(at(TOLD))
    page.evaluate("() => { window.rack = document.querySelector('#rack svg'); }")
    visitor.turn_to(at(SPREAD))
    assert page.evaluate("() => window.rack === document.querySelector('#rack svg')")
    assert said(page) == caption(SPREAD)
    assert page.evaluate(CHIPS) == 4 * 64
    visitor.turn_to(at(NONE))
    assert not page.locator("#rack").is_visible()
    visitor.turn_to(at(TOLD))
    assert page.locator("#rack").is_visible()
    visitor.turn_to("?board=latency")
    assert page.locator("#rack").count() == 0


def test_before_an_answer_the_rack_gives_nothing_away(visitor: Any) -> None:
    page = visitor.open(at(HELD))
    held, busy = page.evaluate(PATHS)
    assert set(held) == {"weights"}
    assert busy == {}
    assert said(page) == "After your guess."
    assert caption(HELD) not in page.content()
    page.get_by_role("button", name="Show it").click()
    visitor.settle()
    held, busy = page.evaluate(PATHS)
    assert set(held) == {"weights", "kv"}
    assert set(busy) == {"weights", "kv", "compute"}
    assert said(page) == caption(HELD)


def test_it_glides_for_those_who_let_things_move(visitors: Any) -> None:
    visitor = visitors(motion="no-preference")
    page = visitor.open(at(TOLD))
    page.evaluate(
        "query => { history.pushState(null, '', query); dispatchEvent(new PopStateEvent('popstate')); }", at(SPREAD)
    )
    assert page.evaluate(STATES) > 5


def test_a_screen_without_a_margin_has_none(visitors: Any) -> None:
    page = visitors(width=390, height=844).open(at(TOLD))
    assert not page.locator("#rack").is_visible()
