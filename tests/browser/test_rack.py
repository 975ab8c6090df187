"""The rack beside the walk: it says and draws what its step is about, follows a slider, and keeps an answer back."""

from __future__ import annotations

import re
from typing import Any

from ridgeline.boards.lecture.walk import walk_document
from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped

STEPS = {step["id"]: (place, step) for place, step in enumerate(walk_document()["steps"], start=1)}
TOLD, HELD, SPREAD = "latency-0:05:00", "latency-0:09:10", "bubbles-1:00:30"
# Without a rack of its own, with one before it in its chapter or not; with a bill; of both kinds of numbers; played.
AFTER, NONE, BILLED, BOTH, PLAYED = (
    "departures-0:21:40",
    "ciphers-2:04:10",
    "cost-0:15:39",
    "latency-0:19:22",
    "experts-0:39:30",
)

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
    return str(page.locator("#rack .told-beside").inner_text()).replace("\u00a0", " ")


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
    page.wait_for_function("was => document.querySelector('#rack .told-beside').innerText !== was", arg=said(page))
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


def test_it_stays_quietly_beside_a_step_that_is_about_none(visitor: Any) -> None:
    page = visitor.open(at(AFTER))
    held, busy = page.evaluate(PATHS)
    assert set(held) == {"weights", "kv"}
    assert busy == {}
    assert said(page) == "The rack as before."
    assert page.locator("#rack .whose-beside").count() == 0


def test_it_says_whose_numbers_it_has(visitor: Any) -> None:
    page = visitor.open(at(BOTH))
    whose = page.locator("#rack .whose-beside")
    assert whose.inner_text() == "published numbers"
    assert said(page) == caption(BOTH)
    visitor.turn_to(f"{at(BOTH)}&mode=lecture")
    assert whose.inner_text() == "his numbers"
    assert said(page) != caption(BOTH)


def test_it_goes_along_with_the_bill(visitor: Any) -> None:
    page = visitor.open(at(BILLED))
    bill = page.locator(".bills > div").last
    before = page.evaluate(PATHS)
    for _ in range(2):
        label = str(bill.get_attribute("aria-label"))
        batch, parts = label.split(" at ", 1)[1].split(": ", 1)
        assert said(page).startswith(f"At {batch}: ")
        assert all(part in said(page) for part in parts.replace("; meanwhile", ",").split(", "))
        page.get_by_role("slider", name="of the bill").press("PageUp")
        visitor.settle()
    assert page.evaluate(PATHS) != before


def test_it_lights_the_chips_of_the_token_that_is_played(visitor: Any) -> None:
    page = visitor.open(at(PLAYED))
    lit = set()
    for _ in range(2):
        words = page.locator("#canvas svg text").all_text_contents()
        token, near, beyond = next(
            found.groups()
            for word in words
            if (found := re.match(r"token (\d): \d visits, (\d) in its rack, (\d) b", word))
        )
        assert said(page).startswith(f"Token {token} makes {near} visits in its rack and {beyond} beyond")
        lit.add(str(page.evaluate(PATHS)[0]))
        page.get_by_role("slider", name="Time of the scene").press("Home")
        visitor.settle()
    assert len(lit) == 2


def test_before_an_answer_the_rack_gives_nothing_away(visitor: Any) -> None:
    page = visitor.open(at(HELD))
    held, busy = page.evaluate(PATHS)
    assert set(held) == {"weights"}
    assert busy == {}
    assert said(page) == ""
    margin = page.get_by_role("complementary").inner_text()
    assert margin.count("after your guess") == 1
    assert "right here" not in margin
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
