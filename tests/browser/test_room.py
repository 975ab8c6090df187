"""What has room: on phones drawings and formulas of questions, on small desks charts, sliders and what is asked."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.steps import told

from ridgeline.boards.lecture.walk import walk_document

STEPS = walk_document()["steps"]
GUESSES = [place for place, step in enumerate(STEPS, start=1) if step.get("question")]
"""Steps that ask for a dot on their chart."""
SOME = (1, 7, 8, 39)
"""Of these one that opens a chapter, one without sliders, one with the machine, and one in the most words."""
LEAST_PLOT = 180
"""Height of a phone's plot, which a drawing or a formula above it leaves it, pixels."""
SHARE = 0.38
"""Of a phone's height, which a chart has before a guess, as test_sizes has it."""
ROUNDED = 1
"""Ends of boxes lie between pixels."""
GAP = 6
"""What parts a formula from its neighbours, pixels."""


# Ends of what stands on the first screen of a phone, those of the question's box and of the words in it, what its
# plot has, and whether a formula and a drawing stand above that or below; how high the formula is.
STANDS = """() => {
    const box = one => one?.checkVisibility() ? one.getBoundingClientRect() : null;
    const of = name => box(document.querySelector(name));
    const ends = one => one && [one.top, one.bottom];
    const frames = [...document.querySelectorAll('#canvas > .chart clipPath rect')];
    const words = [...document.querySelectorAll('.ask > :not(.room)')].map(box).filter(Boolean);
    return {
        canvas: ends(of('#canvas')),
        formula: ends(of('.stage #formula')),
        drawing: ends(of('.stage > .machine')),
        below: [of('#board > .lead #formula'), of('#board > .machine')].map(Boolean),
        ask: ends(of('.ask')),
        words: [Math.min(...words.map(one => one.top)), Math.max(...words.map(one => one.bottom))],
        high: of('#formula')?.height ?? 0,
        plot: Math.max(...frames.map(one => Number(one.getAttribute('height')))),
    };
}"""


@pytest.mark.parametrize("places", [SOME, pytest.param(GUESSES, marks=pytest.mark.slow)])
def test_a_phone_shows_a_questions_formula_and_with_its_answer_its_drawing(phone: Any, places: Any) -> None:
    """Above the chart, which keeps its height; what is asked gives up the height that its answer does not take."""
    phone.screen(390, 844)
    page = phone.come("?step=2")
    for place in places:
        page = phone.turn_to(f"?step={place}", is_told=False)
        phone.rest()
        found = page.evaluate(STANDS)
        assert found["plot"] >= LEAST_PLOT, place
        # Only where the chart has not the height to spare it comes below.
        top, bottom = found["canvas"]
        assert found["formula"] or bottom - top - found["high"] - GAP < SHARE * 844 + ROUNDED, place
        told(phone)
        found = page.evaluate(STANDS)
        assert found["plot"] >= LEAST_PLOT, place
        assert found["drawing"], place
        assert not found["below"][1], place
        assert found["drawing"][1] <= found["canvas"][0] + ROUNDED, place
        assert found["formula"] or found["plot"] - found["high"] - GAP < LEAST_PLOT + ROUNDED, place
        if found["formula"]:
            assert found["ask"][1] <= found["formula"][0] + ROUNDED, place
            assert found["formula"][1] <= found["drawing"][0] + ROUNDED, place
        # The box is as high as its words, with the same above them and below.
        above, below = found["words"][0] - found["ask"][0], found["ask"][1] - found["words"][1]
        assert below == pytest.approx(above, abs=ROUNDED), place


# Of each equation that is seen what its place cuts off, and by how much letters reach beyond the formula's foot.
CUT_INK = """() => {
    const formula = document.querySelector('#formula');
    const foot = formula.getBoundingClientRect().bottom;
    const range = document.createRange();
    const inks = [...formula.querySelectorAll('.katex-html *')].flatMap(one => [...one.childNodes]
        .filter(node => node.nodeType === 3 && node.textContent.trim())
        .filter(() => one.checkVisibility({ visibilityProperty: true }))
        .map(node => (range.selectNodeContents(node), range.getBoundingClientRect().bottom)));
    const places = [...formula.querySelectorAll('.together')].filter(one => one.clientHeight)
        .filter(one => getComputedStyle(one).overflowY !== 'visible');
    return [Math.max(0, ...places.map(one => one.scrollHeight - one.clientHeight)), Math.max(...inks) - foot];
}"""
PHONES = [(390, 844), (360, 640), (320, 568)]


@pytest.mark.parametrize("size", PHONES)
@pytest.mark.parametrize("places", [(9, 26, 40), pytest.param(range(1, len(STEPS) + 1), marks=pytest.mark.slow)])
def test_a_phone_cuts_no_formula(phone: Any, places: Any, size: tuple[int, int]) -> None:
    """Its letters and the dots below them lie in its box, and that ends above the picture's sheet."""
    phone.screen(*size)
    page = phone.come("?step=2")
    for place in places:
        for query in (f"?step={place}", f"?step={place}&mode=both"):
            page = phone.turn_to(query)
            told(phone)
            phone.rest()
            if not page.locator("#formula").is_visible():
                continue
            cut, beyond = page.evaluate(CUT_INK)
            assert cut <= 0, query
            assert beyond <= 0, query
            found = page.evaluate(STANDS)
            if found["formula"]:
                assert found["formula"][1] <= (found["drawing"] or found["canvas"])[0] + ROUNDED, query


def test_a_low_phone_shows_what_plays_an_answers_scene_and_the_key_of_its_lines(phone: Any) -> None:
    phone.screen(360, 640)
    phone.come("?step=2")
    page = phone.turn_to("?step=26")
    phone.rest()
    controls = page.locator("#controls").bounding_box()
    player = page.locator(".scene-controls").bounding_box()
    assert player["y"] + player["height"] <= controls["y"] + ROUNDED
    for _ in range(2):  # to who comes back as to who comes first
        phone.turn_to("?step=2")
        page = phone.turn_to("?step=40")
        told(phone)
        canvas, controls = (page.locator(one).bounding_box() for one in ("#canvas", "#controls"))
        assert canvas["y"] + canvas["height"] <= controls["y"] + ROUNDED
        assert page.evaluate(STANDS)["plot"] >= 110  # as high as a sixth of the screen, where it was 55


DESKS = [(1440, 900), (1280, 720), (1024, 768)]
LEAST_TRACK = 220
"""Length of a slider, on which a pixel of three decades is 3 %, pixels."""
LEAST_OF_TWO = 20
"""Size of letters of a text on both modes in a large window, where a text on one has 24 pixels."""
LEAST_CHART = 315
"""Height of a chart with its axes in a low window, below a formula at full size with two lines of letters, pixels."""

# Lower ends of the row to be filled, of the question's box, of the last balance batch, and of the column of words.
ENDS = """() => Object.fromEntries(['.grounds .unknown', '.ask', '.ladder li:last-child', '.read'].map(name =>
    [name, document.querySelector(name)?.getBoundingClientRect().bottom ?? null]))"""


@pytest.mark.parametrize("size", DESKS)
@pytest.mark.parametrize("places", [SOME, pytest.param(GUESSES, marks=pytest.mark.slow)])
def test_a_desk_shows_the_row_that_a_guess_fills_in_and_all_of_the_answer(
    resident: Any, places: Any, size: tuple[int, int]
) -> None:
    """Without scrolling, below two modes' texts, too."""
    page = resident.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for place in places:
        resident.turn_to(f"?step={place}", is_told=False)
        page.wait_for_selector(".grounds .unknown")
        found = page.evaluate(ENDS)
        assert found[".grounds .unknown"] <= found[".read"] + ROUNDED, place
        resident.turn_to(f"?step={place}&mode=both")
        told(resident)
        found = page.evaluate(ENDS)
        assert found[".ask"] <= found[".read"] + ROUNDED, place
        if size == (1440, 900):
            large = page.eval_on_selector("#told .sentence", "one => Number.parseFloat(getComputedStyle(one).fontSize)")
            assert large >= LEAST_OF_TWO, place


@pytest.mark.parametrize("size", DESKS[1:])
def test_sliders_of_small_desks_are_long_and_low_charts_high(resident: Any, size: tuple[int, int]) -> None:
    page = resident.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for place in (4, 12, 36, 40):
        resident.turn_to(f"?step={place}")
        told(resident)
        tracks = [one.bounding_box()["width"] for one in page.locator("#controls .track:visible").all()]
        assert tracks, place
        assert min(tracks) >= LEAST_TRACK, place
        if size == (1280, 720):
            assert page.locator("#canvas").bounding_box()["height"] >= LEAST_CHART, place
            assert page.locator(".stage > .machine").is_visible(), place
        if place == 12:
            found = page.evaluate(ENDS)
            assert found[".ladder li:last-child"] <= found[".read"], size


def test_a_narrow_desk_names_what_it_draws(resident: Any) -> None:
    page = resident.page
    page.set_viewport_size({"width": 1024, "height": 768})
    resident.turn_to("?step=34")
    told(resident)
    names = page.locator(".machine .strong").all_text_contents()
    assert [name.split(":")[0] for name in names] == ["20 per parameter", "fit of Hoffmann", "fit of Besiroglu"]
    resident.turn_to("?step=40")
    told(resident)
    words = page.locator(".machine text").all_text_contents()
    assert {"until 210 ms", "55 s to 1.3 h", "from 1.3 h"} <= set(words)
    # The chip, which a window as low has folded: its bandwidth stands clear of both that it leads between.
    resident.turn_to("?step=8")
    told(resident)
    page.locator(".fold-chip").click()
    resident.settle()
    for words in page.locator(".machine text", has_text="TB/s").all():
        box = words.bounding_box()
        tank, block = (page.locator(f".machine {one}").first.bounding_box() for one in (".lens", ".block"))
        assert box["x"] >= tank["x"] + tank["width"]
        assert box["x"] + box["width"] <= block["x"]


def test_a_note_on_a_slider_covers_no_words_and_no_slider_and_ends_above_the_windows_edge(resident: Any) -> None:
    page = resident.page
    page.set_viewport_size({"width": 1280, "height": 720})
    for place in (14, 32, 40, 45):
        resident.turn_to(f"?step={place}")
        told(resident)
        for control in page.locator("#controls .control").all():
            control.hover(position={"x": 5, "y": 5})
            # Down to its words: what it has below them covers the way to the board whole.
            top, bottom = control.locator(".starts").evaluate(
                """one => { const range = document.createRange(); range.selectNodeContents(one);
                const { top, bottom } = range.getBoundingClientRect(); return [top, bottom]; }"""
            )
            lowest = page.locator("#controls .control").evaluate_all(
                "all => Math.max(...all.map(one => one.getBoundingClientRect().bottom))"
            )
            assert top >= lowest - ROUNDED, place
            assert bottom <= page.viewport_size["height"], place


# How far the lowest word of a chart reaches beyond what is drawn of it.
CUT_BELOW = """() => {
    const drawn = document.querySelector('#canvas > .chart > svg');
    const words = [...drawn.querySelectorAll('.axes text')].filter(one => one.textContent);
    const foot = drawn.getBoundingClientRect().bottom;
    return Math.max(...words.map(one => one.getBoundingClientRect().bottom)) - foot;
}"""


def test_below_three_lines_of_letters_a_charts_axis_has_its_name(resident: Any) -> None:
    page = resident.page
    page.set_viewport_size({"width": 1280, "height": 720})
    for place in (4, 35, 40):
        resident.turn_to(f"?step={place}")
        told(resident)
        page.wait_for_selector("#canvas .axes text")
        assert page.evaluate(CUT_BELOW) <= 0, place


def test_a_low_phone_reads_an_answer_with_what_it_is_of(phone: Any) -> None:
    """Where curves keep a height in which they are told apart, no sentence makes way for more of it."""
    phone.screen(390, 664)
    page = phone.come("?step=2")
    for place in (7, 15, 30, 38, 43):
        phone.turn_to(f"?step={place}")
        told(phone)
        assert not page.locator("#told .unfold").is_visible(), place
        found = page.evaluate(STANDS)
        assert found["plot"] >= 145, place
    # A smaller drawing stands above a chart that has room for it, before an answer and after it.
    phone.turn_to("?step=7")
    told(phone)
    assert page.evaluate(STANDS)["drawing"]
    phone.turn_to("?step=29", is_told=False)
    phone.rest()
    assert page.evaluate(STANDS)["drawing"]
