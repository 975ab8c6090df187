"""The rack beside the walk: it says and draws what its step is about, follows a slider, and keeps an answer back."""

from __future__ import annotations

from typing import Any

import pytest

from ridgeline.boards.lecture.walk import walk_document
from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped

STEPS = {step["id"]: (place, step) for place, step in enumerate(walk_document()["steps"], start=1)}
TOLD, HELD, SPREAD = "latency-0:05:00", "latency-0:09:10", "bubbles-1:00:30"
# At rest; with a bill, by the batch and by the context; of both kinds of numbers, in a chart and in a scene; played.
RESTING, BILLED, LONG, BOTH, SCENE, PLAYED = (
    "ciphers-2:04:10",
    "cost-0:15:39",
    "context-1:33:30",
    "latency-0:19:22",
    "inference-loop-0:58:00",
    ("moe-layer-0:32:30", "experts-0:39:30"),
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


WHOSE = {"lecture": " His numbers.", "careful": " Published numbers."}


def rack(name: str, mode: str = "", turned: dict[str, str] | None = None) -> dict[str, Any]:
    """As Python has it, before the answer and after it, of the numbers that are drawn solid."""
    _, step = STEPS[name]
    asked = mode or step["mode"]
    fields = {**step["turned"], **(turned or {}), "mode": asked}
    document: Any = answers(f"boards/{step['board']}/views", fields, Dropped())
    found = document["racks"][step["id"]]
    drawn = "careful" if asked == "both" else asked
    return {kind: found[kind].get(drawn) for kind in ("known", "told")} | {"mode": drawn}


def caption(name: str, kind: str = "told", **turned: Any) -> str:
    """Its words, and whose they are."""
    found = rack(name, **turned)
    return "".join(word["text"] for word in found[kind]["words"]) + WHOSE[found["mode"]]


# What is seen of the caption, with plain spaces; reasons for what was filled in are for screen readers.
SAID = """() => {
    const seen = document.querySelector('#rack .told-beside').cloneNode(true);
    seen.querySelectorAll('.unseen').forEach(one => one.remove());
    return seen.textContent.replaceAll('\\u00a0', ' ');
}"""


def said(page: Any) -> str:
    return str(page.evaluate(SAID))


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
    visitor.drag(page.locator("#controls input[type=range]").nth(0), (60, 0), lift=False)
    page.wait_for_function(f"was => ({SAID})() !== was", arg=said(page))
    visitor.settle()
    under_hand = page.evaluate(PATHS)
    assert page.evaluate(PLACES) == places
    page.mouse.up()
    visitor.settle()
    (turned,) = page.evaluate("() => [...new URLSearchParams(location.search)].filter(([name]) => name !== 'step')")
    assert under_hand != before
    assert said(page) == caption(TOLD, turned=dict([turned]))
    assert page.evaluate(PLACES) == places


def test_from_step_to_step_it_is_one_drawing(visitor: Any) -> None:
    page = visitor.open(at(TOLD))
    page.evaluate("() => { window.rack = document.querySelector('#rack svg'); }")
    visitor.turn_to(at(SPREAD))
    assert page.evaluate("() => window.rack === document.querySelector('#rack svg')")
    assert said(page) == caption(SPREAD)
    assert page.evaluate(CHIPS) == 4 * 64
    visitor.turn_to(at(RESTING))
    assert page.evaluate("() => window.rack === document.querySelector('#rack svg')")
    assert "resting" in str(page.locator("#rack").get_attribute("class"))
    assert page.evaluate(PATHS) == [{}, {}]
    # It says whose numbers they are only where it has some.
    assert caption(RESTING).startswith(said(page))
    assert not said(page).endswith("numbers.")
    visitor.turn_to("?board=latency")
    assert page.locator("#rack").count() == 0


def test_it_says_whose_numbers_it_has_and_follows_the_switch(visitor: Any) -> None:
    page = visitor.open(at(BOTH))
    assert said(page) == caption(BOTH)
    assert said(page).endswith("Published numbers.")
    visitor.turn_to(f"{at(BOTH)}&mode=lecture")
    assert said(page) == caption(BOTH, mode="lecture")
    assert said(page).endswith("His numbers.")


def test_it_follows_the_switch_of_a_scene(visitor: Any) -> None:
    page = visitor.open(f"{at(SCENE)}&mode=both")
    switch = page.locator("#modes label")
    assert said(page) == caption(SCENE, mode="careful")
    switch.first.click()
    visitor.settle()
    assert said(page) == caption(SCENE, mode="lecture")
    assert page.evaluate(CHIPS) == sum(one["chips"] for one in rack(SCENE, "lecture")["told"]["cabinets"])


@pytest.mark.parametrize(("name", "along"), [(BILLED, "batch"), (LONG, "context")])
def test_it_goes_along_with_the_bill(visitor: Any, name: str, along: str) -> None:
    page = visitor.open(at(name))
    if STEPS[name][1]["question"]:
        page.get_by_role("button", name="Show it").click()
        visitor.settle()
    bill = page.locator(".bills > div").last
    before = page.evaluate(PATHS)
    for _ in range(2):
        label = str(bill.get_attribute("aria-label"))
        place, parts = label.split(" at ", 1)[1].split(": ", 1)
        assert place.startswith(along)
        assert f" chips, {place}: " in said(page)
        assert all(part in said(page) for part in parts.replace("; meanwhile", ",").replace(" and ", ", ").split(", "))
        page.get_by_role("slider", name="of the bill").press("PageUp")
        visitor.settle()
    assert page.evaluate(PATHS) != before


@pytest.mark.parametrize("name", PLAYED)
def test_it_lights_the_chips_of_the_token_that_is_played(visitor: Any, name: str) -> None:
    page = visitor.open(at(name))
    found = rack(name)["told"]["tokens"]
    words = ["".join(word["text"] for word in token["words"]) for token in found]
    lit = {}
    for key in ("End", "Home"):
        page.get_by_role("slider", name="Time of the scene").press(key)
        visitor.settle()
        lit[said(page).removesuffix(WHOSE["lecture"])] = page.evaluate(PATHS)[0]
    assert list(lit) == [words[-1], words[0]]
    assert len({str(one) for one in lit.values()}) == 2
    assert all(set(one) == {"links"} for one in lit.values())


# Racks in a row whose chips are lit, by the number of squares a colour's path has; and the hand's places.
CLOCK = """() => ({
    lit: Object.fromEntries([...document.querySelectorAll('#rack .glow path')].map(one =>
        [one.dataset.colour, one.getAttribute('d').split('M').length - 1])),
    hand: document.querySelector('#rack .clock-hand').getAttribute('d'),
})"""


def test_it_works_in_time_with_the_scene(visitor: Any) -> None:
    page = visitor.open(at(SCENE))
    drawn = rack(SCENE)["told"]
    rest = page.evaluate(CLOCK)
    assert rest["hand"] == ""
    time = page.get_by_role("slider", name="Time of the scene")
    time.fill("100")
    visitor.settle()
    moment = 0.1 * drawn["scene_spans"]
    working = sum(
        one["chips"]
        for one in drawn["cabinets"]
        if any(busy["start"] <= moment < busy["end"] for track in one["tracks"] for busy in track["busy"])
    )
    started = page.evaluate(CLOCK)
    assert started["lit"] == {"compute": working}
    assert 0 < working < sum(rest["lit"].values())
    time.fill("500")
    visitor.settle()
    assert page.evaluate(CLOCK)["hand"] != started["hand"]


def test_before_an_answer_the_rack_gives_nothing_away(visitor: Any) -> None:
    page = visitor.open(at(HELD))
    held, busy = page.evaluate(PATHS)
    assert set(held) == {"weights"}
    assert set(busy) == {"weights", "compute"}
    assert said(page) == caption(HELD, "known")
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


SLIM = """() => {
    const [rack, picture] = ['#rack', '#canvas'].map(one => document.querySelector(one).getBoundingClientRect());
    return { high: rack.height, isFirst: rack.bottom <= picture.top, wide: document.documentElement.scrollWidth };
}"""
# What a band of the rack may take of a phone's first screen, in pixels.
MOST_HIGH = 56.5


def test_a_phone_has_it_as_a_band_above_the_picture(visitors: Any) -> None:
    visitor = visitors(width=390, height=844, touch=True)
    page = visitor.open(at(TOLD))
    for name, kind in ((TOLD, "told"), (SPREAD, "told"), (BOTH, "told"), (HELD, "known")):
        visitor.turn_to(at(name))
        band = page.evaluate(SLIM)
        assert said(page) == caption(name, kind)
        assert page.locator("#rack.slim").is_visible()
        assert band["high"] <= MOST_HIGH, name
        assert band["wide"] == 390
    visitor.turn_to(at(RESTING))
    assert page.locator("#rack").count() == 0


def test_a_phone_whose_first_screen_is_full_has_it_below(visitors: Any) -> None:
    visitor = visitors(width=320, height=640, touch=True)
    page = visitor.open(at(BILLED))
    band = page.evaluate(SLIM)
    assert not band["isFirst"]
    assert band["wide"] == 320
    rack, slider = page.locator("#rack").bounding_box(), page.locator("#controls .track:visible").bounding_box()
    assert rack["y"] >= slider["y"] + slider["height"]


def test_between_a_phone_and_a_margin_it_stands_beside_the_formula(visitors: Any) -> None:
    page = visitors(width=900, height=800).open(at(TOLD))
    rack, formula = page.locator("#rack.slim").bounding_box(), page.locator("#formula").bounding_box()
    assert rack["x"] >= formula["x"] + formula["width"]
    assert abs(rack["y"] - formula["y"]) < MOST_HIGH
    page.set_viewport_size({"width": 1440, "height": 900})
    assert page.locator("#rack:not(.slim)").is_visible()
