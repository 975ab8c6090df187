"""What a token is paid for: a bar beside the number and under the pictures, which follows a slider on their axis."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ridgeline.quantity_text import format_quantity
from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped

SLIDER = ".along input"
ROWS = ".bills [role=img]"


def picture(name: str, mode: str, *, shown: str = "both") -> tuple[Any, dict[str, Any]]:
    """A board's first view and its picture of a mode, as the page is sent it."""
    found: Any = answers(f"boards/{name}/views", {"mode": shown}, Dropped())
    view = found["views"][0]
    return view, view["pictures"][mode]


def shares(drawn: dict[str, Any], x: float) -> dict[str, float]:
    """By name, of the larger sum at a place."""
    sides = [{part["name"]: float(np.interp(x, drawn["x"], part["y"])) for part in side} for side in drawn["bill"]]
    paid = max(sides, key=lambda side: sum(side.values()))
    return {name: part / sum(paid.values()) for name, part in paid.items()}


def slide(visitor: Any, thousandths: int) -> None:
    """As a hand on the track: what follows is asked for nowhere."""
    visitor.page.locator(SLIDER).evaluate(
        "(one, value) => { one.value = value; one.dispatchEvent(new Event('input', { bubbles: true })); }", thousandths
    )
    visitor.rest()


def place(view: Any, thousandths: float) -> float:
    low, high = view["axes"]["x"]["ends"]
    return float(low * (high / low) ** (thousandths / 1000))


def bars(page: Any, where: str) -> dict[str, tuple[float, str]]:
    """By name, the part of the bar and its colour."""
    found = page.eval_on_selector_all(
        f"{where} .paid i",
        "all => all.map(one => [one.dataset.part, one.offsetWidth, getComputedStyle(one).backgroundColor])",
    )
    whole = sum(width for _, width, _ in found)
    return {name: (width / whole, colour) for name, width, colour in found}


LANES = """() => {
    const names = { weights: 'weight fetch', kv: 'KV fetch', compute: 'compute' };
    const wide = one => one.getBoundingClientRect().width;
    const whole = wide(document.querySelector('#home .lanes .free'));
    return Object.fromEntries([...document.querySelectorAll('#home .lanes .dim')].map(one =>
        [names[one.dataset.colour], wide(one) / whole]));
}"""
"""By name, the part of the clock's time that each takes."""


def test_the_first_views_clock_is_the_documents_bill(resident: Any) -> None:
    page = resident.come_home()
    view, drawn = picture("cost", "careful")
    for thousandths in (0, 350, 800, 1000):
        slide(resident, thousandths)
        batch = min(int(view["axes"]["x"]["ends"][1]), round(place(view, thousandths)))
        resident.rest()
        expected, found = shares(drawn, batch), page.evaluate(LANES)
        assert {name: found[name] for name in expected} == pytest.approx(expected, abs=0.006)  # two pixels or three
        said = page.get_attribute("#home .opened", "aria-label")
        for name, part in expected.items():
            (written,) = re.findall(rf"{name} [<>]?(\d+) %", said)
            assert int(written) == pytest.approx(100 * part, abs=1)
        assert said in page.get_attribute(SLIDER, "aria-valuetext")


@pytest.mark.parametrize("name", ["cost", "context"])
def test_a_boards_bars_are_the_documents_bills(resident: Any, name: str) -> None:
    page = resident.come(f"?board={name}&mode=both")
    rows = page.locator(ROWS)
    assert rows.count() == 2
    for thousandths in (50, 600, 990):
        slide(resident, thousandths)
        for row, mode in enumerate(("lecture", "careful")):
            view, drawn = picture(name, mode)
            expected = shares(drawn, place(view, thousandths))
            found = bars(page, f".bills > :nth-child({row + 1})")
            assert {one: part for one, (part, _) in found.items()} == pytest.approx(expected, abs=0.005)


def test_past_the_crossover_the_bill_changes_its_colour(resident: Any) -> None:
    """The arithmetic's before, that of what is fetched beyond; what was paid before is hatched then."""
    page = resident.come("?board=context&mode=careful")
    view, drawn = picture("context", "careful", shown="careful")
    (crossover,) = (mark["x"] for mark in drawn["marks"] if mark["name"] == "crossover")
    low, high = view["axes"]["x"]["ends"]
    part = 1000 * np.log(crossover / low) / np.log(high / low)
    slide(resident, int(part) - 20)
    before = bars(page, ".bills")
    assert set(before) == {"compute"}
    slide(resident, int(part) + 20)
    after = bars(page, ".bills")
    assert set(after) == {"weight fetch", "KV fetch"}
    colours = {colour for _, colour in (*before.values(), *after.values())}
    assert len(colours) == 3
    assert page.locator(".bills .meanwhile i").evaluate_all("all => all.map(one => one.dataset.part)") == ["compute"]
    paid, _, meanwhile = page.get_attribute(ROWS, "aria-label").partition("; ")
    assert re.search(r": weight fetch \d+ %, KV fetch \d+ %$", paid)
    assert re.fullmatch(r"meanwhile compute \d+ %", meanwhile)


def test_a_hand_on_the_thumb_takes_the_plumb_line_along(resident: Any) -> None:
    page = resident.come("?board=context&mode=both")
    line = page.locator(".plumb path").first
    before = line.bounding_box()
    thumb = page.locator(SLIDER).bounding_box()
    x, y = before["x"], thumb["y"] + thumb["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 200, y, steps=10)
    page.mouse.up()
    resident.rest()
    assert line.bounding_box()["x"] == pytest.approx(x - 200, abs=2)
    # One bead on each mode's bold line.
    assert page.locator(".plumb circle").count() == 2
    # Turning a control redraws the bill where it is read.
    said = page.get_attribute(f"{ROWS} >> nth=1", "aria-label")
    resident.turn_to("?board=context&kv_bytes_per_token=2kB&mode=both")
    assert page.get_attribute(f"{ROWS} >> nth=1", "aria-label") != said


def read_at(page: Any) -> tuple[float, float, str]:
    """Where the thumb and the plumb line stand, as parts of the axis, and what the bill's words say."""
    track, line = page.locator(SLIDER).locator("..").bounding_box(), page.locator(".plumb path").first.bounding_box()
    return int(page.input_value(SLIDER)) / 1000, (line["x"] - track["x"]) / track["width"], here(page)


@pytest.mark.parametrize(
    ("name", "what", "parts", "value_of"),
    [
        ("budget", "size of a model as good", (0.27, 0.8, 0.62), float),
        # Whole sequences: from one to two it is an eighth of the axis.
        ("cost", "batch", (0.09, 0.11, 0.02), round),
    ],
)
def test_thumb_plumb_line_and_words_say_one_value(
    resident: Any, name: str, what: str, parts: tuple[float, ...], value_of: Callable[[float], float]
) -> None:
    """The thumb stayed where it was while all else went on."""
    view, _ = picture(name, "lecture", shown="lecture")
    page = resident.come(f"?board={name}&mode=lecture")
    track = page.locator(SLIDER).locator("..").bounding_box()
    y = track["y"] + track["height"] / 2
    page.mouse.move(track["x"] + read_at(page)[0] * track["width"], y)
    page.mouse.down()
    for part in parts:
        value = value_of(place(view, 1000 * part))
        page.mouse.move(track["x"] + part * track["width"], y, steps=3)
        resident.rest()
        thumb, line, said = read_at(page)
        assert said == f"at {what} {format_quantity(value, 'count')}"
        assert line == pytest.approx(thumb, abs=0.003)  # a step of the slider and a pixel's half
    before = read_at(page)
    page.mouse.up()
    resident.settle()
    assert read_at(page) == before
    page.focus(SLIDER)
    page.keyboard.press("Home")
    resident.rest()
    assert read_at(page)[2] == f"at {what} {format_quantity(place(view, 0), 'count')}"


def test_an_open_question_has_no_bill_that_answers_it(resident: Any) -> None:
    page = resident.come("?board=cost&exercise=cost-weights")
    assert page.locator(".bills > :not(.coming)").count() == page.locator(SLIDER).count() == 0
    page.get_by_role("button", name="Show how").click()
    resident.settle()
    page.wait_for_selector(ROWS)
    assert page.locator(SLIDER).count() == 1


def test_what_bars_above_the_chart_say_no_bill_below_it_repeats(resident: Any) -> None:
    page = resident.turn_to("?step=9")
    assert page.locator(".companion svg").count() == 1
    assert page.locator(SLIDER).count() == 1  # the hand is there as before
    assert page.locator(".bills").count() == 0


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("query", ["", "?board=cost&mode=both", "?board=context&mode=both"])
def test_on_a_phone_it_is_as_wide_as_the_screen(resident: Any, query: str, width: int) -> None:
    resident.screen(width, 900)
    page = resident.come(query) if query else resident.come_home()
    for thousandths in (0, 500, 1000):
        slide(resident, thousandths)
        assert page.evaluate("document.documentElement.scrollWidth") == width
    for bar in page.locator(".paid, .opened").all():
        box = bar.bounding_box()
        assert box["x"] >= 0
        assert box["width"] > 0.85 * width
    # A thumb's height.
    assert page.locator(SLIDER).bounding_box()["height"] >= 44


@pytest.mark.parametrize("query", ["cost", "cost&mode=both", "context", "context&mode=both"])
def test_on_a_low_screen_a_boards_bills_are_seen(resident: Any, query: str) -> None:
    resident.screen(1024, 700)
    page = resident.come(f"?board={query}")
    box = page.locator(".bills").bounding_box()
    assert box["y"] + box["height"] <= 700


def test_nothing_moves_when_the_first_view_gets_its_numbers(visitors: Any) -> None:
    """What came late once pushed the rest down the page."""
    visitor = visitors()
    visitor.page.add_init_script(
        """window.shifted = 0;
        new PerformanceObserver(list => {
            for (const one of list.getEntries()) window.shifted += one.value;
        }).observe({ type: 'layout-shift', buffered: true });"""
    )
    page = visitor.home()
    page.wait_for_timeout(500)
    assert page.evaluate("window.shifted") < 0.02  # words in another font; 0.1 is called good, it was 0.3


def here(page: Any) -> str:
    """Where the first bill is read, in words."""
    return str(page.inner_text(".bills small >> nth=0"))


def test_a_turned_control_moves_the_axis_and_not_where_the_bill_is_read(visitor: Any) -> None:
    """One change at a time: it was pinned to a pixel, so that a new axis had the bill read elsewhere."""
    page = visitor.open("?board=cost&mode=both")
    said = here(page)
    part = int(page.input_value(SLIDER))
    assert page.url.endswith("?board=cost&mode=both")
    turned = page.locator("#control-hbm_bytes_per_s-slider")
    turned.scroll_into_view_if_needed()
    visitor.drag(turned, (-150, 0))
    visitor.settle()
    assert here(page) == said
    assert "&at=" in page.url  # without it a reload would read it elsewhere
    page.reload()
    visitor.settle()
    assert here(page) == said
    assert int(page.input_value(SLIDER)) < part - 10
    # Where the axis is as it was, so is the address.
    page.locator("#controls button.back").click()
    visitor.settle()
    assert page.url.endswith("?board=cost&mode=both")
    assert (here(page), int(page.input_value(SLIDER))) == (said, part)


def test_the_address_has_where_the_bill_is_read(visitor: Any) -> None:
    page = visitor.open("?board=cost&at=1000&mode=both")
    assert here(page) == "at batch 1k"
    page.reload()
    visitor.settle()
    assert here(page) == "at batch 1k"
    assert page.locator(".problem, .refused, .ignored").count() == 0
    page.focus(SLIDER)
    page.keyboard.press("Home")
    visitor.rest()
    assert page.url.endswith("&at=1")
    # Where it is read at first needs no words.
    slide(visitor, 600)
    assert "at=" not in page.url
    page = visitor.home()
    page.focus(SLIDER)
    page.keyboard.press("End")
    visitor.rest()
    said = page.inner_text(".said")
    assert "?at=" in page.url
    page.reload()
    page.wait_for_selector("#home .hero:not([aria-busy]) .opened")
    visitor.rest()
    assert page.inner_text(".said") == said


def test_after_an_answer_the_bill_is_read_where_was_asked(resident: Any) -> None:
    page = resident.come("?board=cost&exercise=cost-weights")
    page.get_by_role("button", name="Show how").click()
    page.wait_for_selector(ROWS)
    resident.settle()
    assert here(page) == f"at batch {format_quantity(100, 'count')}"
    assert "at=" not in page.url


def test_what_overfills_the_memory_has_no_price_without_that_word(visitor: Any) -> None:
    page = visitor.page
    page.goto(f"{visitor.address}/?at=9000&context_tokens=900000")
    page.wait_for_selector("#home .hero:not([aria-busy]) .opened")
    assert "Does not fit: memory has room for 215 sequences." in page.text_content(".binds")
    assert page.locator(".price.overfull").count() == 1
    page = visitor.open("?board=cost&mode=careful&at=9000&context_tokens=900000")
    assert "which does not fit" in page.inner_text(".bills")
    assert page.locator("#canvas g[mask]").count() > 0
