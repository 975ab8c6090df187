"""The page in a real browser: what it shows is what the command line says, whichever way it is asked."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlparse

import pytest
from tests.browser.boards import NAMES, PICTURE, ridgeline
from tests.browser.charts import looked_at, views
from tests.browser.words import STILL_WRONG, TALLEST

from ridgeline.boards.board import Board, Mode
from ridgeline.boards.lecture import board
from ridgeline.boards.live_controls import live_controls
from ridgeline.quantity_text import format_quantity


def drawn(page: Any) -> list[str]:
    """The lines of the picture, as they lie on the screen."""
    found: list[str] = page.eval_on_selector_all(
        "figure svg[role=img] g[data-colour] > path[fill=none]", "paths => paths.map(path => path.getAttribute('d'))"
    )
    return found


def points(page: Any) -> list[list[str]]:
    found: list[list[str]] = page.eval_on_selector_all(
        "#points tbody tr", "rows => rows.map(row => [...row.cells].slice(0, -1).map(cell => cell.textContent))"
    )
    return found


def modes(one: Board) -> list[Mode]:
    """Of the pictures: one where nothing differs between the two."""
    alike = all(
        control.start(Mode.LECTURE, one.facts()) == control.start(Mode.CAREFUL, one.facts()) for control in one.controls
    )
    return [Mode.LECTURE] if alike else list(Mode)


# Stops of keys in the formula that say nothing, and those that a screen reader is not told of.
SILENT = """() => [...document.querySelectorAll(
    '#formula .terms :is([tabindex], a, button, input):not([role=group][aria-label]),'
    + ' [aria-hidden=true] :is([tabindex="0"], a[href], button, input)')].map(one => one.outerHTML)"""

# Of each control the words beside it, what its slider is called, and what it says of its value.
CALLED = """() => [...document.querySelectorAll('#controls .control')].map(one => {
    const slider = one.querySelector('input[type=range]');
    return [one.querySelector('label').innerText,
        slider.getAttribute('aria-label'), slider.getAttribute('aria-valuetext')];
})"""


WITH_MARKS = {"latency", "cost"}
"""Boards on which some marks are moved and others are not, each in a place of its own."""
MAIN = 4
"""Controls beside a picture that has more."""


@pytest.mark.parametrize("name", NAMES)
def test_every_board_is_as_declared_and_says_what_the_command_line_says(resident: Any, name: str) -> None:
    """One visit to each, in this order: its parts, its points, each of its pictures, and all of its controls."""
    page = resident.turn_to(f"?board={name}&mode=both")
    one = board(name)
    assert page.inner_text("h1") == one.title
    assert page.locator("#formula .katex-error, #formula [style*='204, 0, 0']").count() == 0  # what it cannot read
    assert page.locator(TALLEST).count() == 0
    assert page.locator(".claim").count() == len(one.claims)
    assert page.locator(".exercise").count() == len(one.exercises)
    # Models and machines are picked only where they do something.
    for pick in ("#model", "#machine", "#config"):
        assert page.locator(pick).count() == int(one.takes_facts)
    assert page.locator("[hidden]:visible").count() == 0
    assert page.evaluate(SILENT) == []
    assert sorted(points(page)) == sorted(points_of_the_command_line(page.text_content("#command").splitlines(), one))
    assert_drawn(resident, one)
    resident.turn_to(f"?board={name}&mode=careful")
    resident.unfold()
    for control in one.controls:
        start = control.start(Mode.CAREFUL, one.facts())
        assert start is not None
        assert page.input_value(f"#control-{control.name}") == format_quantity(start, control.dimension)
    found = page.evaluate(CALLED)
    assert len(found) == len(one.controls)
    for label, slider, value in found:
        assert label.endswith(slider)
        assert value


def points_of_the_command_line(lines: list[str], one: Board) -> list[list[str]]:
    expected: dict[str, list[str]] = {}
    for place, line in enumerate(lines):
        document = ridgeline(line)
        for mark in document["marks"][document["inputs"]["mode"]]:
            view = one.views[mark["view"]]
            name = f"{view.heading}: {mark['name']}" if view.heading else mark["name"]
            where = ", ".join(format_quantity(mark[axis], getattr(view, axis).dimension) for axis in ("x", "y"))
            expected.setdefault(name, ["-"] * len(modes(one)))[place] = where
    return [[name, *where] for name, where in expected.items()]


def assert_drawn(resident: Any, one: Board) -> None:
    """Each of its pictures, whose words keep apart, and beside the last one the controls that move it.

    A mark looks as if it could be dragged where a control moves it; that one does move those, and no others, says
    ``tests/boards/test_boards.py``.
    """
    page = resident.page
    drawn, looked = views(one.name)["views"], set()
    tabs = page.locator("[role=tab]")
    assert tabs.count() == (len(one.views) if len(one.views) > 1 else 0)
    for place in range(len(one.views)):
        if tabs.count():
            tabs.nth(place).click()
            resident.settle()
            assert tabs.nth(place).get_attribute("aria-selected") == "true"
        assert page.locator(PICTURE).count() == 1
        assert page.locator(PICTURE).get_attribute("aria-label")
        assert page.evaluate(STILL_WRONG) == [], place
        looked |= looked_at(page, drawn[place])
    # A row of those that move this picture is seen; the others are folded away, with those that move none of it.
    seen, live = page.locator("#controls .control").count(), len(live_controls(one, one.views[-1]))
    more = page.locator("#controls > .more")
    folded = int(more.inner_text().split()[0]) if more.count() else 0
    assert seen + folded == (len(one.controls) if live else 0)  # a picture that nothing moves offers nothing
    assert seen == live or seen == MAIN < live
    assert one.name not in WITH_MARKS or looked == {"grab", "help"}


def test_a_slider_moves_the_curve_and_the_address_and_a_link_brings_it_back(visitor: Any) -> None:
    page = visitor.open("?board=latency&mode=both")
    before = drawn(page)
    slider = page.locator("#control-context_tokens-slider")
    slider.focus()
    for _ in range(5):
        slider.press("PageUp")
    # The address follows the last key a little later.
    page.wait_for_function(
        "() => new URLSearchParams(location.search).get('context_tokens')"
        " === document.querySelector('#control-context_tokens').value"
    )
    visitor.settle()
    after, shown = drawn(page), points(page)
    assert after != before
    line = page.text_content("#command").splitlines()[0]
    assert ridgeline(line)["inputs"]["controls"]["context_tokens"] > 20_000  # where the lecture's mode starts
    text = parse_qs(urlparse(page.url).query)["context_tokens"][0]
    assert page.input_value("#control-context_tokens") == text
    visitor.open(urlparse(page.url)._replace(scheme="", netloc="", path="").geturl())
    # A hand's frame stays when it lets go, and a mark beyond it has no place; a link has its own.
    linked = {name: places for name, *places in points(page)}
    pairs = [pair for name, *places in shown for pair in zip(places, linked.get(name, ()), strict=False)]
    both = [pair for pair in pairs if "-" not in pair]
    assert both
    assert all(kept == fresh for kept, fresh in both), both
    assert page.input_value("#control-context_tokens") == text
    page.click(".control:has(#control-context_tokens) .back")
    page.wait_for_function("() => !location.search.includes('context_tokens')")
    visitor.settle()
    # A name that the linked frame had above the plot comes back last among the others: where all lie is the same.
    assert sorted(drawn(page)) == sorted(before)


def test_typed_values_carry_units_and_a_wrong_one_is_said_beside_its_field(resident: Any) -> None:
    page = resident.come("?board=latency&mode=careful")
    field = page.locator("#control-hbm_bytes_per_s")
    field.fill("3.35 TB/s")
    field.press("Enter")
    page.wait_for_function("() => location.search.includes('hbm_bytes_per_s')")
    resident.settle()  # the address comes before the answer
    assert ridgeline(page.text_content("#command"))["inputs"]["controls"]["hbm_bytes_per_s"] == 3.35e12
    resident.complaints.clear()
    field.fill("3 apples")
    field.press("Enter")
    page.wait_for_selector(".control.wrong")
    assert "apples" in page.inner_text("#problem")
    assert "apples" in page.inner_text("#control-hbm_bytes_per_s-says")
    assert field.get_attribute("aria-invalid") == "true"
    assert all("400" in said for said in resident.complaints)  # the browser's own word on the refused request
    resident.complaints.clear()
    field.fill("8 TB/s")
    field.press("Enter")
    page.wait_for_selector(".control.wrong", state="detached")
    resident.settle()
    assert not page.is_visible("#problem")
    assert "apples" not in page.inner_text("#controls")


def test_the_page_says_that_it_is_behind_while_a_board_is_on_its_way(visitor: Any) -> None:
    page = visitor.open("?board=latency&mode=both")
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    page.route(re.compile(r"/api/boards/latency\?"), hold)
    with page.expect_request(re.compile(r"/api/boards/latency\?")):
        page.select_option("#machine", "h100-sxm")
    assert page.get_attribute("#views", "aria-busy") == "true"
    held.pop().continue_()
    visitor.settle()
    assert "--on h100-sxm" in page.text_content("#command")


def test_answers_are_checked(resident: Any) -> None:
    page = resident.come("?board=latency&exercise=roofline-floor")
    field = page.locator("#answer-roofline-floor")
    for answer, said in (("3 ms", "✗"), ("1.9 ms", "✓")):
        field.fill(answer)
        field.press("Enter")
        page.wait_for_function(
            "said => document.querySelector('.exercise-answer output').textContent.includes(said)", arg=said
        )


def test_what_is_seen_can_be_taken_along(visitor: Any) -> None:
    page = visitor.open("?board=cost&mode=careful")
    page.click(".fold > summary")
    found = {}
    for name in ("SVG", "PNG", "CSV"):
        with page.expect_download() as download:
            page.click(f"#export button:text-is('{name}')")
        found[name] = Path(download.value.path()).read_bytes()
    root = ET.fromstring(found["SVG"])  # noqa: S314  our own
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "var(--" not in found["SVG"].decode()
    # The font goes with it: words are as wide there as here.
    assert found["SVG"].decode().count("data:font/woff2;base64,") == 2
    assert found["PNG"].startswith(b"\x89PNG\r\n\x1a\n")
    rows = list(csv.DictReader(io.StringIO(found["CSV"].decode())))
    view = ridgeline(page.text_content("#command"))["views"][0]
    for line in view["lines"]:
        assert [float(row["y"]) for row in rows if row["line"] == line["name"]] == line["y"]
    page.click("#export button:text-is('Copy link')")
    page.wait_for_function("() => document.querySelector('#said').textContent === 'Copied'")
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_dots_without_a_name_are_told_as_one_of_their_group(resident: Any) -> None:
    page = resident.come("?board=domains&mode=lecture")
    page.click(".fold > summary")
    with page.expect_download() as download:
        page.click("#export button:text-is('CSV')")
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text(encoding="utf-8"))))
    named = [row["line"] for row in rows if row["line"].partition(":")[0] == "models"]
    assert "models: deepseek-v3" in named
    assert "models" in named
    assert not [name for name in named if name.strip().endswith(":")]


def test_a_term_lights_up_with_its_curve(resident: Any) -> None:
    page = resident.come("?board=latency&mode=both")
    page.hover("#formula [data-colour=kv]")
    assert page.get_attribute("#board", "data-lit") == "kv"
    stroke = "figure svg [data-colour=${colour}] > path:not([opacity])"
    faint = f"colour => getComputedStyle(document.querySelector(`{stroke}`)).opacity"
    page.wait_for_function(f"() => ({faint})('compute') < 0.5")
    assert float(page.evaluate(faint, "kv")) == 1
    page.hover("h1")
    assert page.get_attribute("#board", "data-lit") is None


def test_values_are_read_by_pointer_and_by_keys(resident: Any) -> None:
    page = resident.come("?board=latency&mode=lecture&context_tokens=20k")
    canvas = page.locator(".chart")
    readout = page.locator(".chart-readout")
    canvas.hover(position={"x": 300, "y": 220})
    said = readout.inner_text()
    assert re.search(r"step\s+[\d.]+ ms", said)
    canvas.focus()
    canvas.press("End")
    resident.rest()
    assert readout.inner_text() != said
    assert re.search(r"; step [\d.]+ ms", page.inner_text("#said"))
    canvas.press("Escape")
    assert not readout.is_visible()


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("ciphers&view=1", r"^change of the input \d+, change of the output \d+: \d"),
        ("ciphers&view=2", r"^change of the input \d+, change of the output \d+: \d"),
    ],
)
def test_tables_say_what_lies_under_the_pointer(resident: Any, query: str, said: str) -> None:
    page = resident.come(f"?board={query}&mode=lecture")
    canvas = page.locator(".chart")
    box = canvas.bounding_box()
    canvas.hover(position={"x": box["width"] / 2, "y": 0.3 * box["height"]})
    assert re.search(said, canvas.locator(".chart-readout").inner_text())


def test_what_is_being_typed_stays_when_an_answer_comes(visitor: Any) -> None:
    """Whoever goes on to the next field while the page still asks for the last one's picture."""
    page = visitor.open("?board=latency&mode=both")
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    visitor.unfold()
    page.route(re.compile(r"/api/boards/latency/views"), hold)
    with page.expect_request(re.compile(r"/api/boards/latency/views\?.*chips=16")):
        page.fill("#control-chips", "16")
        page.press("#control-chips", "Enter")
    page.fill("#control-expansion", "4")
    page.unroute_all()  # what is held goes on its way
    assert held
    visitor.settle()
    assert page.input_value("#control-chips") == "16"
    assert page.input_value("#control-expansion") == "4"
    page.press("#control-expansion", "Escape")
    assert page.input_value("#control-expansion") != "4"
    page.fill("#control-expansion", "4")
    page.press("#control-expansion", "Enter")
    page.wait_for_function("() => new URLSearchParams(location.search).get('expansion') === '4'")


def test_a_key_on_a_slider_asks_once_for_each_picture(visitor: Any) -> None:
    page = visitor.open("?board=latency&mode=both&chips=72")  # what is turned has its slider
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.focus("#control-chips-slider")
    page.keyboard.press("ArrowRight")
    page.wait_for_load_state("networkidle")
    visitor.settle()
    # For both modes at once: in the frame that is held, and in its own when the key is let go. What may come next is
    # asked for ahead while the page waits, and may be under way when the key comes.
    pictures = [url for url in asked if "chips=73" in url]
    assert len(set(pictures)) <= 2
    assert len(pictures) <= 3


WATCH_SHIFTS = """() => {
    window.shifts = [];
    // A word of 100 by 20 pixels that jumps by 10; the words of a legend behind a longer number move by less.
    const seen = 1e-5;
    const told = ({ value, sources }) => window.shifts.push(
        `${value}: ${sources.map(({ node }) => node?.outerHTML?.slice(0, 80) ?? node?.textContent).join(', ')}`);
    const look = list => list.getEntries().filter(({ value }) => value > seen).forEach(told);
    window.watching = new PerformanceObserver(look);
    window.watching.observe({ type: 'layout-shift', buffered: false });
}"""


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)], ids=["wide", "phone"])
def test_nothing_jumps_while_a_slider_is_dragged(visitors: Any, size: tuple[int, int]) -> None:
    visitor = visitors(width=size[0], height=size[1])
    page = visitor.open("?step=2")
    for name in ("latency", "cost", "cuts", "departures", "budget"):
        visitor.turn_to(f"?board={name}&mode=both")
        slider = page.locator("#controls input[type=range]").first
        slider.scroll_into_view_if_needed()
        visitor.rest()
        page.evaluate(WATCH_SHIFTS)
        slider.focus()
        for key in ("PageUp", "PageDown", "ArrowRight", "Home"):
            slider.press(key)
            visitor.settle()
        assert page.evaluate("window.shifts") == [], name
        visitor.drag(slider, (0.3 * slider.bounding_box()["width"], 0))
        visitor.settle()
        page.wait_for_timeout(100)
        assert page.evaluate("window.shifts") == [], name
        page.evaluate("window.watching.disconnect()")


def test_a_wheel_over_the_controls_scrolls_the_page(resident: Any) -> None:
    page = resident.come("?board=cuts&mode=both")
    box = page.locator("#controls").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, min(880, box["y"] + 20))
    page.mouse.wheel(0, 300)
    page.wait_for_function("() => scrollY > 100")
    nested = "['auto', 'scroll'].includes(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight + 1"
    assert page.evaluate(f"[...document.querySelectorAll('main *')].filter(one => {nested}).length") == 0


def test_an_exercise_shows_how_it_went_and_remembers_it(visitor: Any) -> None:
    page = visitor.open("?board=latency&exercise=roofline-floor")
    field, said = page.locator("#answer-roofline-floor"), page.locator(".exercise-answer output")
    looks = []
    for answer, word in (("3 ms", "✗"), ("1.9 ms", "✓")):
        field.fill(answer)
        field.press("Enter")
        page.wait_for_function(
            "word => document.querySelector('.exercise-answer output').textContent.startsWith(word)", arg=word
        )
        look = "one => [getComputedStyle(one).borderLeftColor, getComputedStyle(one.querySelector('b')).color]"
        looks.append(said.evaluate(look))
    assert all(wrong != right for wrong, right in zip(*looks, strict=True))
    # The way there does not take the verdict's place in what is kept.
    visitor.open("?board=latency&mode=both")
    assert page.locator(".exercise").first.get_attribute("class") == "exercise right"
    assert "1 of" in page.inner_text("#exercises h2")
    assert json.loads(page.evaluate("localStorage.getItem('ridgeline')"))["answers"] == {"roofline-floor": True}
