"""Narrow screens: nothing is wider than they are, the plot takes their width, and targets are as high as a thumb."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.browser.conftest import KEPT
from tests.browser.controls import CUT_OF_ALL
from tests.browser.steps import named
from tests.browser.words import STILL_WRONG

from ridgeline.boards.claim import Verdict
from ridgeline.boards.lecture import BOARDS, CLAIMS
from ridgeline.boards.lecture.walk import walk_document

STEPS = len(walk_document()["steps"])
BOARDS_AND_VIEWS = [(one.name, view) for one in BOARDS for view in range(len(one.views))]
LEAST_TARGET = 44

# What is to be hit, and how high it is; of what lies inside a label, the label.
TARGETS = """() => [...document.querySelectorAll(
        'button, select, summary, input, #modes label, .file, header a')]
    .filter(one => one.checkVisibility({ visibilityProperty: true }) && !one.closest('label input'))
    .filter(one => !one.matches('label input, [tabindex="-1"]') || one.matches('[role=tab]'))
    .map(one => [one.id || one.className || one.textContent.trim(), one.getBoundingClientRect().height])"""
# Ends of the picture, and the width of a chart's frame.
PLOT = """() => {
    const picture = document.querySelector('#canvas svg[role=img]') ?? document.querySelector('#canvas svg');
    const { left, right } = picture.getBoundingClientRect();
    const frame = document.querySelector('#canvas.canvas svg[role=img] clipPath rect');
    return [left, right, frame && Number(frame.getAttribute('width'))];
}"""
# Terms that are not wholly inside the screen.
BEYOND = """() => [...document.querySelectorAll('#formula [data-term]')]
    .filter(term => term.checkVisibility())
    .filter(term => term.getBoundingClientRect().left < 0 || term.getBoundingClientRect().right > innerWidth)
    .map(term => term.textContent)"""
# What the sheet of the picture lies over, or ends within, of what stands above it: its shadow goes beyond its box.
# On the lowest phones also what the row of claims lies over: it stands between, and its switch is higher than it.
# And words that lie outside the drawing of which they are.
CUT_BY_SHEET = """() => {
    const box = one => one.getBoundingClientRect();
    // One with a bill is its canvas alone.
    const sheet = ['#views figure', '#canvas'].map(one => document.querySelector(one)).find(one => box(one).height);
    const shadows = getComputedStyle(sheet).boxShadow.replace(/[a-z]+\\([^)]*\\)/g, '').match(/-?[\\d.]+px/g) ?? [];
    const reaches = shadows.flatMap((_, at) => at % 4 ? [] : [at])
        .map(at => shadows.slice(at, at + 4).map(parseFloat)).map(([, down, blur, spread]) => blur + spread - down);
    const edge = box(sheet).top - Math.max(0, ...reaches);
    const isAbove = one => one.compareDocumentPosition(sheet) & Node.DOCUMENT_POSITION_FOLLOWING;
    const things = '#told .sentence, .ask, #formula .katex-html, .judged .in-row, #modes, .stage > .machine text';
    const seen = [...document.querySelectorAll(things)]
        .filter(one => one.checkVisibility({ visibilityProperty: true }));
    const cut = seen.filter(one => isAbove(one) && box(one).height && box(one).bottom > edge + 1);
    const rows = innerHeight < 650 ? '.judged, .judged #modes' : 'none';
    const over = [...document.querySelectorAll(rows)].filter(one => box(one).height)
        .flatMap(row => [...document.querySelectorAll('#told .sentence, #told .also, .terms, .together')]
            .filter(one => one.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING && one.checkVisibility())
            .filter(one => box(one).bottom > box(row).top + 1));
    const isOutside = (one, whole) => whole && box(one).bottom > box(whole).bottom + 1;
    const outside = seen.filter(one => isOutside(one, one.closest('.machine')));
    return [...cut, ...over, ...outside].map(one => [one.textContent, box(one).bottom, edge]);
}"""
WIDER = """() => [document.documentElement.scrollWidth - innerWidth,
    ...[...document.querySelectorAll('main *')]
        .filter(one => one.checkVisibility())
        .filter(one => !one.closest('.unseen, svg, #command, .scroll, .together, .tabs, .chips, .where, .beside'))
        .filter(one => one.getBoundingClientRect().right > innerWidth + 1)
        .map(one => `${one.tagName}.${one.className}`)]"""


@pytest.mark.parametrize("width", [320, 390])
def test_nothing_is_wider_than_the_screen_the_plot_as_wide_targets_as_high_as_a_thumb_and_no_word_cut_or_over_another(
    visitors: Any, width: int
) -> None:
    """Of each board and step: words and what is wider on both phones, names, values, targets and formulas on one.

    As boards open on the larger, in both modes on the smaller.
    """
    visitor = visitors(width=width, height=844, touch=True)
    page = visitor.home()
    is_larger = width == 390
    small: dict[str, float] = {}
    cut: dict[str, list[str]] = {}
    apart: dict[str, list[str]] = {}

    def look(where: str, *, has_plot: bool = False) -> None:
        wider, ends, targets = page.evaluate(
            f"has_plot => [({WIDER})(), has_plot && ({PLOT})(), ({TARGETS})()]", has_plot
        )
        assert wider == [0], where
        if has_plot:
            left, right, plot = ends
            assert 0 <= left <= 0.05 * width, where
            assert 0.95 * width <= right <= width, where
            assert plot is None or plot >= 0.66 * width, where
        if where != "first view" and (found := page.evaluate(STILL_WRONG)):
            apart[where] = found
        assert targets
        if is_larger:
            small.update({f"{where}: {name}": height for name, height in targets if height < LEAST_TARGET})

    look("first view")
    visitor.open("?board=latency").evaluate(KEPT)
    for one, view in BOARDS_AND_VIEWS:
        visitor.turn_to(f"?board={one}&view={view}{'' if is_larger else '&mode=both'}")
        look(f"{one}, view {view}", has_plot=True)
        if is_larger and view == 0 and (found := page.evaluate(CUT_OF_ALL)):
            cut[one] = found
    for place in range(1, STEPS + 1):
        visitor.turn_to(f"?step={place}")
        look(f"step {place}")
        assert page.evaluate(CUT_BY_SHEET) == [], place
        if place % 2 == 0 or not is_larger:
            continue
        formula = page.locator("#formula")
        # Three steps have none: what they draw is no equation.
        assert not formula.is_visible() or formula.bounding_box()["height"] < 90, place
        # All of it that was said is seen from its beginning.
        assert page.evaluate(BEYOND) == [], place
    page.click("#boards")
    page.wait_for_selector("#shelf path")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not small, small
    assert not cut, cut
    assert not apart, apart


def test_targets_of_a_turned_control_are_as_high_as_a_thumb(visitors: Any) -> None:
    visitor = visitors(width=390, height=844, touch=True)
    page = visitor.open("?board=latency")
    page.get_by_role("button", name="chips", exact=True).tap()
    page.fill("#control-chips", "8")
    page.press("#control-chips", "Enter")
    visitor.settle()
    found = page.evaluate(TARGETS)
    assert found
    assert not {name: height for name, height in found if height < LEAST_TARGET}
    # What resets it stands beside its number, and not on it.
    number = page.locator("#control-chips").bounding_box()
    assert (
        page.locator(".control > .back:visible").bounding_box()["x"] + 1 >= number["x"] + number["width"]
    )  # a rounded pixel


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 640)])
@pytest.mark.parametrize("board", ["latency", "cuts", "tiers"])
def test_plot_and_slider_stand_on_the_first_screen(visitors: Any, board: str, width: int, height: int) -> None:
    page = visitors(width=width, height=height, touch=True).open(f"?board={board}")
    assert page.locator("#controls .control:visible").count() == 1
    plot, slider = page.locator("#canvas").bounding_box(), page.locator("#controls .track:visible").bounding_box()
    assert plot["y"] >= 0
    assert plot["height"] > 230
    assert plot["y"] + plot["height"] <= slider["y"]
    assert slider["y"] + slider["height"] <= height


def test_what_plays_a_scene_stands_above_the_slider(visitors: Any) -> None:
    page = visitors(width=390, height=844, touch=True).open("?board=departures")
    player, slider = (page.locator(one).bounding_box() for one in (".scene-controls", "#controls"))
    assert player["y"] + player["height"] <= slider["y"]


# What is drawn of the header's buttons, and the dots that can be tapped.
DRAWN = """() => {
    const boxes = [...document.querySelectorAll('header :is(.pill, #theme)')].map(one => {
        const { top, height } = one.getBoundingClientRect();
        const { top: inner, height: high } = getComputedStyle(one, '::before');
        return [top + 1 + parseFloat(inner), top + 1 + parseFloat(inner) + parseFloat(high)];
    });
    const dots = [...document.querySelectorAll('header a.dot')].filter(one => one.checkVisibility());
    return [boxes, Math.min(...dots.map(one => one.getBoundingClientRect().top))];
}"""


def test_buttons_of_the_header_cover_no_dot_and_lie_inside_the_screen(visitors: Any) -> None:
    page = visitors(width=390, height=844, touch=True).open("?board=latency")
    buttons, dots = page.evaluate(DRAWN)
    assert len(buttons) == 3
    assert all(3 <= top < bottom <= dots for top, bottom in buttons), (buttons, dots)


# Where the picture, what gives a guess, what lies beside and below that, and the way on are; of each button its name.
GIVES = """() => {
    const ends = one => ['left', 'right', 'top', 'bottom'].map(side => one.getBoundingClientRect()[side]);
    const of = names => [...document.querySelectorAll(names)].filter(one => one.checkVisibility());
    return {
        picture: ends(document.querySelector('#canvas')),
        hands: of('.hands button').map(one => [one.textContent, ends(one)]),
        ways: of('#walk .steps button').map(ends),
    };
}"""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 568), (844, 390)])
def test_a_guess_is_given_below_the_picture_and_beside_the_way_on(visitors: Any, width: int, height: int) -> None:
    """Whole, as high as a thumb, under no picture and no other button; and the first step has no way back."""
    visitor = visitors(width=width, height=height, touch=True)
    visitor.open("?step=30")
    for place in (30, 7, 1):
        found = visitor.turn_to(f"?step={place}").evaluate(GIVES)
        assert [name for name, _ in found["hands"]] == ["Check", "Show it"], place
        boxes = [box for _, box in found["hands"]] + found["ways"]
        assert len(boxes) == 4
        for left, right, top, bottom in boxes:
            assert bottom - top >= LEAST_TARGET, place
            assert right - left >= LEAST_TARGET, place
            assert left >= 0, place
            assert bottom <= height, place
        for one, other in itertools.combinations(boxes, 2):
            assert one[1] <= other[0] or other[1] <= one[0] or one[3] <= other[2] or other[3] <= one[2], place
        left, right, top, bottom = found["picture"]
        for one in boxes:
            assert one[1] <= left or one[0] >= right or one[2] >= bottom - 1, place  # a rounded pixel


def test_a_wipe_turns_over_and_one_across_the_plot_does_not(visitors: Any) -> None:
    visitor = visitors(width=390, height=844, touch=True)
    page = visitor.open("?step=3")
    finger = page.context.new_cdp_session(page)

    def wipe(from_x: int, to_x: int, element: str) -> None:
        box = page.locator(element).bounding_box()
        y = box["y"] + box["height"] / 2
        for kind, x in (("touchStart", from_x), ("touchMove", (from_x + to_x) / 2), ("touchMove", to_x)):
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        visitor.settle()

    wipe(320, 80, "#told .sentence")
    page.wait_for_url(f"**/?step={named(4)}")
    wipe(80, 320, "#told .sentence")
    page.wait_for_url(f"**/?step={named(3)}")
    wipe(320, 80, "#canvas")
    wipe(200, 170, "#told .sentence")
    assert page.url.endswith(f"?step={named(3)}")


def test_each_hand_has_its_own(visitors: Any) -> None:
    """The clock, the strip and a slider go along with a finger and turn no step; one that goes up scrolls the page."""
    visitor = visitors(width=390, height=844, touch=True)
    step = f"?step={named(3)}"
    page = visitor.open(step)
    finger = page.context.new_cdp_session(page)

    def draw(element: str, way: tuple[float, float], *, at: float = 0.5) -> None:
        box = page.locator(element).first.bounding_box()
        x, y = box["x"] + at * box["width"], box["y"] + box["height"] / 2
        for part in range(4):
            where = {"x": x + way[0] * part / 3, "y": y + way[1] * part / 3}
            kind = "touchMove" if part else "touchStart"
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [where]})
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    taken = page.locator("#controls .knob.taken .track input")
    for element, at, value in [
        (".machine .clock-hand input", 0.4, lambda: page.input_value(".machine .clock-hand input")),
        (".along input", 0.8, lambda: page.input_value(".along input")),
        ("#controls .knob.taken .track input", 0.7, taken.input_value),
    ]:
        before = value()
        draw(element, (-120, 4), at=at)
        visitor.settle()
        assert value() != before, element
        assert page.evaluate("[location.search.split('&')[0], scrollY]") == [step, 0], element
    # Where nothing is to be put down a finger on the picture scrolls, from the clock, too.
    for element in (".machine .clock-hand input", "#canvas"):
        page.evaluate("scrollTo(0, 0)")
        draw(element, (3, -150))
        page.wait_for_function("() => scrollY > 50")
    assert page.url.split("&")[0].endswith(step)
    # A tap opens the chip, and another folds it.
    for is_open in ("true", "false"):
        before = page.locator(".machine").bounding_box()["height"]
        page.locator(".fold-chip").tap()
        page.wait_for_selector(f".fold-chip[aria-expanded={is_open}]")
        assert (page.locator(".machine").bounding_box()["height"] > before) == (is_open == "true")
    # Who cannot hover taps a number that was filled in, and reads why.
    page.locator("#board > .state summary").tap()
    page.locator("#board > .state .cited i.filled-in").first.tap()
    page.wait_for_selector(".card-of-word:popover-open")
    assert "filled in by us: " in page.inner_text(".card-of-word:popover-open")
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_the_first_view_has_price_slider_and_start_on_one_screen(visitors: Any) -> None:
    visitor = visitors(width=390, height=844, touch=True)
    page = visitor.home()
    for width, height, seen in [
        (390, 844, (".price", ".said", ".machine", "#home .canvas")),
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


def test_a_row_that_goes_on_fades_at_its_edge(visitors: Any) -> None:
    visitor = visitors(width=390, height=844, touch=True)
    page = visitor.open("?board=cost")
    row = page.locator(".chips")
    assert "more-after" in row.get_attribute("class")
    assert "more-before" not in row.get_attribute("class")
    row.evaluate("row => { row.scrollLeft = row.scrollWidth; }")
    page.wait_for_function("() => !document.querySelector('.chips').matches('.more-after')")
    assert "more-before" in row.get_attribute("class")
    assert row.evaluate("row => getComputedStyle(row).maskImage") != "none"


def test_on_its_side_a_phone_has_the_picture_beside_the_words(visitors: Any) -> None:
    visitor = visitors(width=844, height=390, touch=True)
    for query in ("?step=4", "?board=latency"):
        page = visitor.open(query)
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
def test_nothing_lies_over_a_scene_and_its_slider_is_pinned_below(visitors: Any, board: str) -> None:
    visitor = visitors(width=390, height=844, touch=True)
    page = visitor.open(f"?board={board}")
    page.evaluate("() => scrollTo(0, document.querySelector('#views').getBoundingClientRect().top - 30)")
    visitor.rest()
    scene, controls = page.locator("#canvas").bounding_box(), page.locator("#controls").bounding_box()
    assert scene["y"] >= 24
    assert scene["y"] + scene["height"] <= controls["y"] + 1
    assert controls["y"] + controls["height"] <= 844


def test_of_two_tables_one_is_shown_as_large_as_fits_and_the_other_a_tap_away(visitors: Any) -> None:
    visitor = visitors(width=320, height=640, touch=True)
    page = visitor.open("?board=tiers&view=1&mode=both")
    heights = "() => [...document.querySelectorAll('#canvas svg text')].map(one => one.getBoundingClientRect().height)"
    assert min(page.evaluate(heights)) >= 10
    before = page.locator("#canvas svg").inner_html()
    page.locator("#modes label", has_text="Pope's numbers").tap()
    visitor.rest()
    assert page.locator("#canvas svg").inner_html() != before


# Where a plot ends and its axis begins.
AXIS = """() => Math.max(...[...document.querySelectorAll('#canvas > .chart clipPath rect')].map(one =>
    one.ownerSVGElement.getBoundingClientRect().top
        + Number(one.getAttribute('y')) + Number(one.getAttribute('height'))))"""


def test_a_guess_has_the_plot_to_itself(visitors: Any) -> None:
    visitor = visitors(width=320, height=640, touch=True)
    page = visitor.open("?step=8")
    assert not page.locator("#controls").is_visible()
    page.get_by_role("button", name="Show it").tap()
    page.wait_for_selector("#controls")
    visitor.rest()
    # The legend goes on below, where words leave curves too little.
    axis, controls = page.evaluate(AXIS), page.locator("#controls").bounding_box()
    assert controls["y"] >= axis - 1


# Ends of the picture, of the slider and of what lies over the screen, and the height inside the axes.
ANSWERED = """() => {
    const [canvas, bar] = ['#canvas', '#walk .steps'].map(one => document.querySelector(one).getBoundingClientRect());
    const slider = [...document.querySelectorAll('.track')].find(one => one.checkVisibility()).getBoundingClientRect();
    const frame = document.querySelector('#canvas > .chart clipPath rect');
    return [canvas.top, canvas.bottom, slider.top, slider.bottom, bar.top, Number(frame.getAttribute('height'))];
}"""
# Lines of the picture that its prompt lies over.
CROSSED = """() => {
    const prompt = document.querySelector('.chart-prompt').getBoundingClientRect();
    const isOver = path => {
        const [all, to] = [path.getTotalLength(), path.getScreenCTM()];
        return Array.from({ length: 201 }, (_, part) => path.getPointAtLength(all * part / 200).matrixTransform(to))
            .some(({ x, y }) => x > prompt.left && x < prompt.right && y > prompt.top && y < prompt.bottom);
    };
    return [...document.querySelectorAll('#canvas > .chart g[data-line]')]
        .filter(one => [...one.querySelectorAll('path[d]:not([d=""])')]
            .some(path => path.checkVisibility({ visibilityProperty: true }) && isOver(path)))
        .map(one => one.dataset.line);
}"""
# Words of the picture that its prompt lies over.
COVERED = """() => {
    const prompt = document.querySelector('.chart-prompt').getBoundingClientRect();
    return [...document.querySelectorAll('#canvas > .chart text')]
        .filter(one => one.textContent && one.checkVisibility({ visibilityProperty: true }))
        .filter(one => {
            const { left, right, top, bottom } = one.getBoundingClientRect();
            return left < prompt.right && prompt.left < right && top < prompt.bottom && prompt.top < bottom;
        })
        .map(one => one.textContent);
}"""


def test_an_answer_leaves_the_picture_its_place_and_its_slider_is_seen(visitors: Any) -> None:
    """With a bill, the chip or a drawing beside it, which comes below; what asks for the dot covers no word or line."""
    visitor = visitors(width=390, height=844, touch=True)
    page = visitor.open("?step=1")
    for place in (1, 8, 40):
        visitor.turn_to(f"?step={place}")
        before = page.locator("#canvas").bounding_box()
        assert page.evaluate(COVERED) == [], place
        # Where names have the places that they keep after the answer, step 40 has none left that no line crosses.
        assert len(page.evaluate(CROSSED)) <= (place == 40), place
        page.get_by_role("button", name="Show it").tap()
        page.wait_for_selector("#controls")
        visitor.settle()
        top, bottom, slider, foot, bar, plot = page.evaluate(ANSWERED)
        assert top == pytest.approx(before["y"], abs=1), place  # a rounded pixel
        assert bottom <= slider, place
        assert foot <= bar + 1, place  # the same
        assert plot >= 200, place
        if place == 1:  # speeds have no bill
            continue
        other = page.locator(".bills, #board > .machine").first
        assert other.bounding_box()["y"] >= foot - 1, place


# From above: ends of the words, the formula where it is seen, and the picture; of the slider, where there is one, its
# upper and lower ends; what lies over the screen; the height inside the axes, and whether the picture has none.
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
        isHigher: document.documentElement.style.getPropertyValue('--needs') !== '',
    };
}"""
SOME = (2, 9, 13, 16, 31, 33, 38)
"""Steps with the chip, its clock, scenes that low phones have room for and not, drawings beside curves, a question."""
LEAST_PLOT = 180
"""Of a phone's plot, also below the chip or another drawing, pixels."""
LEAST_ROW = 14
"""Height of a stage's row, in which its number can be read, pixels."""
LEAST_LOW_PLOT = 96
"""Of the lowest phone's, all of which lies above what turns it, below what an answer says, too, pixels."""


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
def test_words_formula_picture_and_slider_are_a_phones_first_screen_in_this_order(visitors: Any, places: Any) -> None:
    visitor = visitors(width=390, height=844, touch=True)
    visitor.open("?step=1")
    for where, found in first_screens(visitor, places):
        # A question has what is known in its formula's place.
        is_asked = bool(visitor.page.locator(".ask").count())
        parts = [one for which, one in enumerate(found["parts"]) if one and not (is_asked and which == 1)]
        assert all(after[0] >= one[1] - 1 for one, after in itertools.pairwise(parts)), where  # a rounded pixel
        assert parts[-1][1] <= found["bar"], where
        assert found["plot"] is None or found["plot"] >= LEAST_PLOT, where


@pytest.mark.parametrize("places", [SOME, pytest.param(range(1, STEPS + 1), marks=pytest.mark.slow)])
def test_the_slider_is_on_the_smallest_first_screens(visitors: Any, places: Any) -> None:
    """Under all of a plot, its axis and its legend."""
    visitor = visitors(width=320, height=568, touch=True)
    visitor.open("?step=1")
    for where, found in first_screens(visitor, places):
        sentence, _, picture, slider = found["parts"]
        assert visitor.page.evaluate(CUT_BY_SHEET) == [], where
        assert visitor.page.evaluate(BEYOND) == [], where
        assert sentence[0] > 0, where
        assert picture[0] < (slider or [found["bar"]])[0], where
        assert slider is None or slider[1] <= found["bar"], where
        if found["plot"] is not None:
            assert found["plot"] >= LEAST_LOW_PLOT, where
            # Where words leave curves too little, the legend goes on below; else all is seen, but for a rounded pixel.
            end = found["axis"] if found["isHigher"] else picture[1]
            assert end <= (found["sheet"] or found["bar"]) + 1, where
        # A scene that is higher fades there, and an arrow says so; by ten pixels it only ends at a thumb's edge.
        goes_on = visitor.page.evaluate("document.documentElement.dataset.goesOn")
        assert (goes_on == "controls") == (found["views"] > (found["sheet"] or found["bar"]) + 10), where


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


def test_words_of_a_drawing_are_whole_and_read_on_the_smallest_phone(visitors: Any) -> None:
    visitor = visitors(width=320, height=568, touch=True)
    page = visitor.open("?step=16")
    time = page.locator(".scene-controls input")
    for fraction in (0, 0.08, 0.13, 0.18, 0.23):
        time.evaluate("(one, at) => { one.value = at * one.max; one.dispatchEvent(new Event('input')); }", fraction)
        visitor.rest()
        assert page.evaluate(UNREAD) == [], fraction


def test_a_letter_that_has_no_room_on_the_smallest_phone_is_begun(visitors: Any) -> None:
    """Of three all are seen, of more a part of the next, so that nobody thinks that there is none."""
    visitor = visitors(width=320, height=568, touch=True)
    page = visitor.open("?step=12")
    row = page.locator("#controls .chips").bounding_box()
    chips = [one.bounding_box() for one in page.locator("#controls .chips button").all()]
    assert len(chips) >= 3
    assert chips[2]["x"] + chips[2]["width"] <= row["x"] + row["width"]
    assert len(chips) == 3 or chips[3]["x"] + 10 < row["x"] + row["width"]


def test_a_phone_on_its_side_shows_a_question_and_what_answers_it(visitors: Any) -> None:
    """After what it is about, above the way on; and rows of a schedule are as high as their numbers."""
    visitor = visitors(width=844, height=390, touch=True)
    page = visitor.open("?step=1")
    for place in (1, 5, 34, 39):
        visitor.turn_to(f"?step={place}")
        bar = page.locator("#walk .steps").bounding_box()["y"]
        asked, sentence = (page.locator(one).bounding_box()["y"] for one in ("#asked", "#told .sentence"))
        assert sentence < asked, place
        words = page.locator("#asked").bounding_box()
        assert words["y"] + words["height"] <= bar, place
    visitor.turn_to("?step=24")
    rows = page.locator(".scene svg svg text", has_text=re.compile("^[1-4]$"))
    tops = sorted({round(one.bounding_box()["y"]) for one in rows.all()})
    assert min(after - one for one, after in itertools.pairwise(tops)) >= LEAST_ROW


def test_a_board_is_two_screens_long(visitors: Any) -> None:
    """What is told at length is folded; it is one tap away, and open where a claim is asked for."""
    visitor = visitors(width=390, height=844, touch=True)
    page = visitor.open("?board=latency")
    assert page.evaluate("document.documentElement.scrollHeight") < 2 * 844
    assert not page.locator("#claims").is_visible()
    page.get_by_text("What the lecture says (").tap()
    assert page.locator("#claims").is_visible()
    visitor.open("?board=latency&claim=A12")
    assert page.locator("#claim-A12").is_visible()


def test_a_phone_shows_what_is_known_above_the_picture_and_the_answer_in_its_place(visitors: Any) -> None:
    """The nearest known rows and the one that is asked, which a dot fills in; a rule runs through no number."""
    visitor = visitors(width=390, height=844, touch=True)
    page = visitor.open("?step=1")
    rows = (
        "all => all.map(one => one.getBoundingClientRect()).filter(({ height }) => height > 10).map(one => one.bottom)"
    )
    for place, least in ((1, 2), (5, 3), (30, 2)):
        visitor.turn_to(f"?step={place}")
        ends = page.eval_on_selector_all(".grounds tbody tr", rows)
        assert len(ends) >= least, place
        assert ends[-1] <= page.locator("#canvas").bounding_box()["y"], place
        heights = page.eval_on_selector_all(".grounds tbody tr", "all => all.map(one => one.offsetHeight)")
        assert min(height for height in heights if height > 10) >= 17, place
        before = page.locator("#canvas").bounding_box()["y"]
        assert "?" in page.locator(".grounds tr").last.inner_text()
        page.get_by_role("button", name="Show it").tap()
        page.wait_for_selector("#asked", state="detached")
        visitor.settle()
        assert page.locator("#canvas").bounding_box()["y"] == pytest.approx(before, abs=1), place  # a rounded pixel
        assert not page.locator(".grounds").is_visible()


def test_a_letter_takes_its_control_under_the_thumb(visitors: Any) -> None:
    visitor = visitors(width=390, height=844, touch=True)
    page = visitor.open("?board=latency")
    page.get_by_role("button", name="chips", exact=True).tap()
    before = page.input_value("#control-chips")
    page.locator("#control-chips-slider").tap(position={"x": 40, "y": 20})
    page.wait_for_function("() => location.search.includes('chips')")
    visitor.settle()
    assert page.input_value("#control-chips") != before
    assert page.get_by_role("button", name="chips", exact=True).get_attribute("aria-pressed") == "true"


def test_a_tapped_letter_says_what_it_stands_for(visitors: Any) -> None:
    """Before an answer too."""
    visitor = visitors(width=390, height=844, touch=True)
    for place, words in ((5, "price over the regular price 6"), (4, "chips 72")):
        page = visitor.open(f"?step={place}")
        # At step 4 a letter whose slider comes with the tap.
        letter = "#formula .terms span:not(.later) " + ("[data-control=chips]" if place == 4 else "[data-word]")
        page.locator(letter).first.scroll_into_view_if_needed()
        box = page.locator(letter).first.bounding_box()
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        card = page.locator(".card-of-word:popover-open")
        card.wait_for()
        visitor.rest()
        assert card.inner_text().endswith(words)


def test_a_guess_is_given_by_a_thumb(visitors: Any) -> None:
    visitor = visitors(width=390, height=844, touch=True)
    page = visitor.open("?step=8")
    page.locator(".chart").scroll_into_view_if_needed()
    page.locator(".chart").tap(position={"x": 150, "y": 200})
    page.wait_for_selector(".hands .chart-check:enabled")  # with the next frame
    page.locator(".hands .chart-check").tap()
    page.wait_for_selector(".ask.right, .ask.wrong")
    visitor.rest()
    # Who uses no keys sees no ring around what keys would press next.
    assert page.locator(":focus-visible").count() == 0


def test_the_way_on_lies_under_the_thumb(visitors: Any) -> None:
    """Back and next stand at the lower edge wherever one scrolls, and the time line stays above."""
    visitor = visitors(width=320, height=640, touch=True)
    page = visitor.open("?step=2")
    for down in (0, 900):
        page.evaluate("down => scrollTo(0, down)", down)
        visitor.rest()
        for name in ("Back", "Next"):
            box = page.get_by_role("button", name=name).bounding_box()
            assert 640 - 80 < box["y"] < 640 - box["height"]
        line = page.locator("#timeline").bounding_box()
        assert 0 <= line["y"] <= 52
    chapters = page.locator("#timeline .chapters a")
    chapters.nth(2).tap()
    page.wait_for_function("() => location.search !== '?step=2'")
    visitor.settle()
    assert page.inner_text(".opening h2").startswith("Chapter 3:")
