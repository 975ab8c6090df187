"""The first screen of a phone: what stands on it, in which order and how high."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from tests.browser.phones import BEYOND, CUT_BY_SHEET, LEAST_TARGET
from tests.browser.steps import ASKED

from ridgeline.boards.claim import Verdict
from ridgeline.boards.lecture import CLAIMS
from ridgeline.boards.lecture.walk import walk_document

STEPS = len(walk_document()["steps"])


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 640)])
@pytest.mark.parametrize("board", ["latency", "cuts", "tiers"])
def test_plot_and_slider_stand_on_the_first_screen(phone: Any, board: str, width: int, height: int) -> None:
    phone.screen(width, height)
    page = phone.come(f"?board={board}")
    assert page.locator("#controls .control:visible").count() == 1
    plot, slider = page.locator("#canvas").bounding_box(), page.locator("#controls .track:visible").bounding_box()
    assert plot["y"] >= 0
    assert plot["height"] > 230
    assert plot["y"] + plot["height"] <= slider["y"]
    assert slider["y"] + slider["height"] <= height


def test_what_plays_a_scene_stands_above_the_slider(phone: Any) -> None:
    page = phone.come("?board=departures")
    player, slider = (page.locator(one).bounding_box() for one in (".scene-controls", "#controls"))
    assert player["y"] + player["height"] <= slider["y"]


def test_on_its_side_a_phone_has_the_picture_beside_the_words(phone: Any) -> None:
    phone.screen(844, 390)
    for query in ("?step=4", "?board=latency"):
        page = phone.come(query)
        picture, words = (page.locator(one).first.bounding_box() for one in ("#canvas", "#told .sentence, #question"))
        assert words["x"] + words["width"] <= picture["x"]
        assert picture["y"] + picture["height"] <= 390
        assert picture["height"] > 250
        slider, start = page.locator("#controls .track:visible").bounding_box(), 390
        if page.locator("#walk .steps").count():
            start = page.locator("#walk .steps").bounding_box()["y"]
        assert slider["y"] + slider["height"] <= start, query
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("board", ["departures", "experts", "bubbles"])
def test_nothing_lies_over_a_scene_and_its_slider_is_pinned_below(phone: Any, board: str) -> None:
    page = phone.come(f"?board={board}")
    page.evaluate("() => scrollTo(0, document.querySelector('#views').getBoundingClientRect().top - 30)")
    phone.rest()
    scene, controls = page.locator("#canvas").bounding_box(), page.locator("#controls").bounding_box()
    assert scene["y"] >= 24
    assert scene["y"] + scene["height"] <= controls["y"] + 1
    assert controls["y"] + controls["height"] <= 844


def test_the_first_view_has_price_slider_and_start_on_one_screen(visitors: Any) -> None:
    visitor = visitors(width=390, height=844, touch=True)
    page = visitor.home()
    for width, height, seen in [
        (390, 844, (".price", ".said", ".binds", "#home .canvas")),
        (320, 640, (".price", ".said", "#home .along input")),
        (844, 390, (".price", ".said", "#home .along input")),
    ]:
        page.set_viewport_size({"width": width, "height": height})
        visitor.rest()
        start = page.get_by_role("button", name="Start the lecture").bounding_box()
        assert start["height"] >= LEAST_TARGET
        assert start["y"] + start["height"] <= height
        for one in seen:
            box = page.locator(one).first.bounding_box()
            is_beside = box["x"] >= start["x"] + start["width"]
            assert box["y"] + box["height"] <= (height if is_beside else start["y"]) + 1, (one, width)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 568), (844, 390)])
def test_a_phones_first_screens_say_what_fails_and_whose_numbers_are_drawn(
    visitors: Any, width: int, height: int
) -> None:
    visitor = visitors(width=width, height=height, touch=True)
    page = visitor.home()
    failing = [claim for claim in CLAIMS if claim.verdict is Verdict.DOES_NOT_REPRODUCE]
    link = page.locator(".price a")
    assert " ".join(link.inner_text().split()) == f"{len(failing)} of {len(CLAIMS)} claims do not reproduce"
    box = link.bounding_box()
    assert box["height"] >= LEAST_TARGET
    assert box["x"] + box["width"] <= width
    # Once.
    assert page.locator(".failing").count() == 1
    # A step whose worst claims fail: word and number, and the claim at a tap.
    visitor.open("?step=41")
    bar = page.locator("#walk .steps").bounding_box()["y"]
    for one in (".judged button", ".judged #modes"):
        box = page.locator(one).bounding_box()
        assert box["y"] + box["height"] <= bar, one
        assert box["x"] + box["width"] <= width, one
    assert page.locator(".judged button").bounding_box()["height"] >= LEAST_TARGET
    words = page.locator(".judged .in-row > *")
    row = page.locator(".judged .in-row").bounding_box()
    seen = [
        one.inner_text()
        for one in words.all()
        if (found := one.bounding_box()) and found["y"] < row["y"] + row["height"] - 1
    ]
    assert " ".join(filter(None, seen)).startswith("No: 9.1 min")
    page.locator(".judged label", has_text="sourced").tap()
    visitor.settle()
    assert "mode=careful" in page.url
    page.locator(".judged button").tap()
    note = page.locator("#claim-D15")
    assert note.evaluate("one => one.open")
    assert 0 <= note.bounding_box()["y"] < height / 2


# From above: ends of the words, the formula where it is seen, and the picture; of the slider, where there is one, its
# upper and lower ends; what lies over the screen; and the height inside the axes.
FIRST_SCREEN = """() => {
    const box = one => one?.checkVisibility({ visibilityProperty: true }) ? one.getBoundingClientRect() : null;
    const of = one => box(document.querySelector(one));
    const ends = one => one && [one.top, one.bottom];
    const slider = [...document.querySelectorAll('#controls .track')].find(one => box(one));
    const frames = [...document.querySelectorAll('#canvas > .chart clipPath rect')];
    const plots = frames.map(one => Number(one.getAttribute('height')));
    return {
        parts: [of('#told .sentence'), of('#formula'), of('#canvas'), box(slider?.querySelector('input'))].map(ends),
        bar: of('#walk .steps').top,
        sheet: of('#controls')?.top ?? null,
        plot: plots.length ? Math.max(...plots) : null,
        axis: Math.max(...frames.map(one => one.ownerSVGElement.getBoundingClientRect().top
            + Number(one.getAttribute('y')) + Number(one.getAttribute('height')))),
        views: document.querySelector('#views').getBoundingClientRect().bottom,
    };
}"""
SOME = (2, 9, 13, 16, 31, 33, 38)
"""Steps with the chip, its clock, scenes that low phones have room for and not, drawings beside curves, a question."""
LEAST_PLOT = 180
"""Of a phone's plot, also below the chip or another drawing, pixels."""
LEAST_LOW_PLOT = 96
"""Of the lowest phone's, all of which lies above what turns it, below what an answer says, too, pixels."""
ROW = 24
"""Of names around a plot, pixels: in a lower picture a name may leave the plot for a row more."""


def first_screens(visitor: Any, places: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """What each step has on it, before its question is answered and after that."""
    page = visitor.page
    for place in places:
        visitor.turn_to(f"?step={place}")
        yield f"step {place}", page.evaluate(FIRST_SCREEN)
        if page.locator("#asked").count():
            page.get_by_role("button", name="Show it").tap()
            page.wait_for_selector("#asked", state="detached")
            visitor.settle()
            yield f"step {place}, answered", page.evaluate(FIRST_SCREEN)


@pytest.mark.parametrize("places", [SOME, pytest.param(range(1, STEPS + 1), marks=pytest.mark.slow)])
def test_words_formula_picture_and_slider_are_a_phones_first_screen_in_this_order(phone: Any, places: Any) -> None:
    phone.come("?step=1")
    for where, found in first_screens(phone, places):
        # A question has what is known in its formula's place.
        is_asked = bool(phone.page.locator(".ask").count())
        parts = [one for which, one in enumerate(found["parts"]) if one and not (is_asked and which == 1)]
        assert all(after[0] >= one[1] - 1 for one, after in itertools.pairwise(parts)), where  # a rounded pixel
        assert parts[-1][1] <= found["bar"], where
        assert found["plot"] is None or found["plot"] >= LEAST_PLOT, where


@pytest.mark.parametrize("places", [SOME, pytest.param(range(1, STEPS + 1), marks=pytest.mark.slow)])
def test_the_slider_is_on_the_smallest_first_screens(phone: Any, places: Any) -> None:
    """Under all of a plot, its axis and its legend."""
    phone.screen(320, 568)
    phone.come("?step=1")
    for where, found in first_screens(phone, places):
        sentence, _, picture, slider = found["parts"]
        assert phone.page.evaluate(CUT_BY_SHEET) == [], where
        assert phone.page.evaluate(BEYOND) == [], where
        assert sentence[0] > 0, where
        assert picture[0] < (slider or [found["bar"]])[0], where
        assert slider is None or slider[1] <= found["bar"], where
        if found["plot"] is not None:
            assert found["plot"] >= LEAST_LOW_PLOT, where
            # Where words leave curves too little, the legend goes on below; before a guess, beneath what is known, its
            # axis does; else all is seen, but for a rounded pixel.
            is_least = found["plot"] <= LEAST_LOW_PLOT + ROW + 1
            end = found["axis"] if is_least else picture[1]
            assert end <= (found["sheet"] or found["bar"]) + 1 or not found["sheet"], where
        # What is higher fades there, and an arrow says so; by ten pixels it only ends at a thumb's edge.
        goes_on = phone.page.evaluate("document.documentElement.dataset.goesOn")
        assert bool(goes_on) == (found["views"] > (found["sheet"] or found["bar"]) + 10), where
        assert goes_on in {"", "controls" if found["sheet"] else "steps"}, where


# Words of the sentence that are seen; lines of them that do not lie whole in its box, or go under what comes after it;
# and whether it fades.
TOLD = """() => {
    const one = document.querySelector('#told .sentence');
    const { top, bottom } = one.getBoundingClientRect();
    const next = one.nextElementSibling?.getBoundingClientRect();
    const end = Math.min(bottom, next?.height ? next.top : Infinity);
    const lines = [];
    const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(walker.currentNode);
        if (walker.currentNode.parentElement.checkVisibility({ visibilityProperty: true }))
            lines.push(...range.getClientRects());
    }
    // A line's box is higher than its letters: they are inside the half of it around its middle.
    const isCut = ({ top: from, height }) => from + height / 4 < top || from + height * 3 / 4 > end;
    return {
        words: one.innerText.trim(),
        lines: lines.length,
        cut: lines.filter(isCut).length,
        fades: getComputedStyle(one).maskImage !== 'none',
        unfolds: Boolean(document.querySelector('#told .unfold')?.checkVisibility()),
    };
}"""


def is_told(phone: Any, where: str) -> bool:
    """Whether all words of a step are seen: none is half seen, and those that are not seen are behind a button."""
    found = phone.page.evaluate(TOLD)
    place = int(where.removeprefix("step ").removesuffix(", answered"))
    sentence = walk_document()["steps"][place - 1]["sentence"]
    assert found["lines"] > 0, where
    assert (found["cut"], found["fades"]) == (0, False), where
    is_whole = bool(found["words"] == sentence)
    assert is_whole != found["unfolds"], where
    return is_whole


@pytest.mark.parametrize("places", [SOME, pytest.param(range(1, STEPS + 1), marks=pytest.mark.slow)])
def test_what_a_low_phone_hides_of_a_sentence_it_says(phone: Any, places: Any) -> None:
    """Words that are left out are behind a button in their place."""
    phone.screen(360, 640)
    phone.come("?step=1")
    for where, _ in first_screens(phone, places):
        is_told(phone, where)


@pytest.mark.parametrize(("width", "height"), [(360, 640), (390, 844)])
def test_an_answer_leaves_of_what_was_read_whole_sentences_and_the_rest_a_tap_away(
    phone: Any, width: int, height: int
) -> None:
    phone.screen(width, height)
    page = phone.come("?step=1")
    shortened = 0
    for where, _ in first_screens(phone, [place for place, _ in ASKED]):
        if is_told(phone, where):
            continue
        assert where.endswith("answered")
        shortened += 1
        seen = page.evaluate(TOLD)["words"]
        assert seen.endswith((".", "?")), where
        page.locator("#told .unfold").tap()
        phone.settle()
        assert is_told(phone, where), where
        assert page.evaluate(TOLD)["words"].startswith(seen), where
    assert shortened > 0


@pytest.mark.parametrize("query", ["?step=12", "?step=35", "?step=35&mode=both"])
def test_curves_of_the_smallest_phone_have_their_height_however_one_comes(visitors: Any, query: str) -> None:
    """On the page's first step, too, whose picture comes after its numbers."""
    visitor = visitors(width=320, height=568, touch=True)
    page = visitor.open(query)
    page.wait_for_selector(".stage #formula", state="detached")
    visitor.settle()
    assert page.evaluate(FIRST_SCREEN)["plot"] >= LEAST_LOW_PLOT
    assert page.evaluate(CUT_BY_SHEET) == []


# Words of a drawing that its box or the screen does not hold, and such as are too small to be read.
UNREAD = """() => [...document.querySelectorAll('#canvas svg text')].filter(one => one.textContent).filter(one => {
    const { left, right, height } = one.getBoundingClientRect();
    const box = one.closest('[data-colour]')?.querySelector('rect')?.getBoundingClientRect();
    const isOut = box?.width && (left < box.left || right > box.right);
    return isOut || left < 0 || right > innerWidth || parseFloat(getComputedStyle(one).fontSize) < 9;
}).map(one => one.textContent)"""


def test_words_of_a_drawing_are_whole_and_read_on_the_smallest_phone(phone: Any) -> None:
    phone.screen(320, 568)
    page = phone.come("?step=16")
    time = page.locator(".scene-controls input")
    for fraction in (0, 0.08, 0.13, 0.18, 0.23):
        time.evaluate("(one, at) => { one.value = at * one.max; one.dispatchEvent(new Event('input')); }", fraction)
        phone.rest()
        assert page.evaluate(UNREAD) == [], fraction


def test_a_letter_that_has_no_room_on_the_smallest_phone_is_begun(phone: Any) -> None:
    """Of three all are seen, of more a part of the next, so that nobody thinks that there is none."""
    phone.screen(320, 568)
    page = phone.come("?step=12")
    row = page.locator("#controls .chips").bounding_box()
    chips = [one.bounding_box() for one in page.locator("#controls .chips button").all()]
    assert len(chips) >= 3
    assert chips[2]["x"] + chips[2]["width"] <= row["x"] + row["width"]
    assert len(chips) == 3 or chips[3]["x"] + 10 < row["x"] + row["width"]
