"""Questions on a phone: what asks and answers covers nothing, and an answer takes no more room than it needs."""

from __future__ import annotations

import itertools
import math
import re
from typing import Any

import pytest
from tests.browser.phones import LEAST_ROW, LEAST_TARGET
from tests.browser.steps import ASKED, PLOT, STEPS, pictures, told

from ridgeline.boards.lecture.walk import walk_document

PARTED = 24
"""Largest gap between two things that follow each other, pixels."""


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
def test_a_guess_is_given_below_the_picture_and_beside_the_way_on(phone: Any, width: int, height: int) -> None:
    """Whole, as high as a thumb, under no picture and no other button; and the first step has no way back."""
    phone.screen(width, height)
    phone.come("?step=30")
    for place in (30, 7, 1):
        found = phone.turn_to(f"?step={place}").evaluate(GIVES)
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


# Dots of facts and of marks, as they are seen, with where their middles are.
FACTS = """() => [...document.querySelectorAll('#canvas > .chart circle')]
    .filter(one => one.closest('[transform]'))
    .filter(one => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .filter(one => one.getBoundingClientRect().width < 15)
    .map(one => { const { left, width } = one.getBoundingClientRect(); return left + width / 2; })"""


@pytest.mark.parametrize(("width", "height"), [(360, 640), (1440, 900)])
def test_no_dot_stands_where_a_question_is_asked_and_none_is_dragged_before_the_answer(
    visitors: Any, width: int, height: int
) -> None:
    """Step 40, whose list prices stand at the time that is asked for: told, they are named."""
    visitor = visitors(width=width, height=height, touch=width < 500)
    page = visitor.open("?step=40", is_told=False)
    words = "() => [...document.querySelectorAll('#canvas > .chart text')].filter(one => one.checkVisibility("
    words += "{ opacityProperty: true, visibilityProperty: true })).map(one => one.textContent)"
    step = walk_document()["steps"][39]
    assert step["choice"]
    assert step["choice"]["sketch"]
    asked_at = step["choice"]["sketch"]["asked_at"]
    assert asked_at
    left, _, wide, _ = page.evaluate(PLOT)
    _, (shown,) = pictures(step)
    low, high = shown["x"][0], shown["x"][-1]
    at = left + wide * math.log(asked_at / low) / math.log(high / low)
    facts = page.evaluate(FACTS)
    assert facts
    assert all(abs(one - at) > 3 for one in facts)
    assert "drag" not in page.evaluate(words)
    page.get_by_role("button", name="Show it").click()
    visitor.settle()
    said = page.evaluate(words)
    assert {"drag", "list, 5 min", "list, 1 h"} <= set(said)


# Where a plot ends and its axis begins.
AXIS = """() => Math.max(...[...document.querySelectorAll('#canvas > .chart clipPath rect')].map(one =>
    one.ownerSVGElement.getBoundingClientRect().top
        + Number(one.getAttribute('y')) + Number(one.getAttribute('height'))))"""


def test_a_guess_has_the_plot_to_itself(phone: Any) -> None:
    phone.screen(320, 640)
    page = phone.come("?step=8")
    assert not page.locator("#controls").is_visible()
    page.get_by_role("button", name="Show it").tap()
    page.wait_for_selector("#controls")
    phone.rest()
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


def test_an_answer_leaves_the_picture_its_foot_and_its_slider_is_seen(phone: Any) -> None:
    """A bill beside it comes below; what asks for the dot covers no word or line."""
    page = phone.come("?step=1")
    for place in (1, 8):
        phone.turn_to(f"?step={place}")
        before = page.locator("#canvas").bounding_box()
        assert page.evaluate(COVERED) == [], place
        assert page.evaluate(CROSSED) == [], place
        page.get_by_role("button", name="Show it").tap()
        page.wait_for_selector("#controls")
        phone.settle()
        _, bottom, slider, foot, bar, plot = page.evaluate(ANSWERED)
        assert bottom == pytest.approx(before["y"] + before["height"], abs=1), place  # a rounded pixel
        assert bottom <= slider, place
        assert foot <= bar + 1, place  # the same
        assert plot >= 180, place  # below a drawing, as everywhere
        for one in page.locator(".bills > *").all():
            assert one.bounding_box()["y"] >= foot - 1, place


def test_what_a_chapter_comes_to_is_the_first_thing_below_a_phones_first_screen(phone: Any) -> None:
    closing = [(place, step) for place, step in STEPS if step["answer"]]
    for place, step in closing[:3]:
        page = phone.turn_to(f"?step={place}", is_told=False)
        if step["question"] or step["choice"]:
            assert page.locator(".closing").count() == 0
            page.get_by_role("button", name="Show it").tap()
            phone.settle()
        assert page.locator(".closing p").last.inner_text() == step["answer"]
        screen, answer = (page.locator(one).bounding_box() for one in ("#board > .stage", ".closing"))
        assert answer["y"] - screen["y"] - screen["height"] <= PARTED, place


# How far down the page the verdict, the chart and the slider stand.
STANDS = """() => ['.ask', '#canvas', '#controls'].map(
    one => Math.round(document.querySelector(one).getBoundingClientRect().top + scrollY))"""


@pytest.mark.parametrize(("width", "height"), [(390, 664), (360, 640)])
def test_what_stands_above_a_chart_stays_where_it_is_under_a_hand(phone: Any, width: int, height: int) -> None:
    """Words become fewer by a line (step 12), or say by whose numbers a verdict is; who comes later finds the same."""
    phone.screen(width, height)
    page = phone.come("?step=1")
    for place in (8, 12, 15):
        phone.turn_to(f"?step={place}")
        show = page.get_by_role("button", name="Show it")
        if show.is_visible():
            show.tap()
        page.wait_for_selector("#asked", state="detached")
        phone.settle()
        phone.rest()
        rest = page.evaluate(STANDS)
        slider = page.locator("#controls input[type=range]").first
        box = slider.bounding_box()
        part = slider.evaluate("one => (one.value - one.min) / (one.max - one.min)")
        x, y = box["x"] + 8 + part * (box["width"] - 16), box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        for far in (6, 12, 24, 48):
            page.mouse.move(x + (far if part < 0.5 else -far), y)
            phone.settle()
            phone.rest()
            assert page.evaluate(STANDS) == rest, (place, far)
        page.mouse.up()
        phone.settle()
        phone.rest()
        assert page.evaluate(STANDS) == rest, place
        if place == 12:
            continue  # fewer words need less room
        phone.open(re.sub(r"^[^?]*", "", page.url))
        told(phone)
        phone.settle()
        page.evaluate("document.fonts.ready")
        phone.rest()
        assert page.evaluate(STANDS) == rest, place


def test_a_phone_on_its_side_shows_a_question_and_what_answers_it(phone: Any) -> None:
    """After what it is about, above the way on; and rows of a schedule are as high as their numbers."""
    phone.screen(844, 390)
    page = phone.come("?step=1")
    for place in (1, 5, 34, 39):
        phone.turn_to(f"?step={place}")
        bar = page.locator("#walk .steps").bounding_box()["y"]
        asked, sentence = (page.locator(one).bounding_box()["y"] for one in ("#asked", "#told .sentence"))
        assert sentence < asked, place
        words = page.locator("#asked").bounding_box()
        assert words["y"] + words["height"] <= bar, place
    phone.turn_to("?step=24")
    rows = page.locator(".scene svg svg text", has_text=re.compile("^[1-4]$"))
    tops = sorted({round(one.bounding_box()["y"]) for one in rows.all()})
    assert min(after - one for one, after in itertools.pairwise(tops)) >= LEAST_ROW


def test_a_phone_shows_what_is_known_above_the_picture_until_it_is_answered(phone: Any) -> None:
    """The nearest known rows and the one that is asked, which a dot fills in; a rule runs through no number."""
    page = phone.come("?step=1")
    rows = (
        "all => all.map(one => one.getBoundingClientRect()).filter(({ height }) => height > 10).map(one => one.bottom)"
    )
    for place, least in ((1, 2), (5, 3), (30, 2)):
        phone.turn_to(f"?step={place}")
        ends = page.eval_on_selector_all(".grounds tbody tr", rows)
        assert len(ends) >= least, place
        assert ends[-1] <= page.locator("#canvas").bounding_box()["y"], place
        heights = page.eval_on_selector_all(".grounds tbody tr", "all => all.map(one => one.offsetHeight)")
        assert min(height for height in heights if height > 10) >= 17, place
        assert "?" in page.locator(".grounds tr").last.inner_text()
        page.get_by_role("button", name="Show it").tap()
        page.wait_for_selector("#asked", state="detached")
        phone.settle()
        assert not page.locator(".grounds").is_visible()


def test_a_guess_is_given_by_a_thumb(phone: Any) -> None:
    page = phone.come("?step=8")
    page.locator(".chart").scroll_into_view_if_needed()
    page.locator(".chart").tap(position={"x": 150, "y": 200})
    page.wait_for_selector(".hands .chart-check:enabled")  # with the next frame
    page.locator(".hands .chart-check").tap()
    page.wait_for_selector(".ask.right, .ask.wrong")
    phone.rest()
    # Who uses no keys sees no ring around what keys would press next.
    assert page.locator(":focus-visible").count() == 0


# Ends of the words, of the rows of what is known and of the chart; where the bar begins; height inside the axes.
KNOWN = """() => {
    const ends = one => [one.getBoundingClientRect().top, one.getBoundingClientRect().bottom];
    const [asked, canvas, bar] = ['#asked', '#canvas', '#walk .steps'].map(one => ends(document.querySelector(one)));
    const rows = [...document.querySelectorAll('.grounds tbody tr')].filter(one => one.checkVisibility());
    const formula = document.querySelector('#formula');
    return {
        asked, canvas, bar: bar[0], rows: rows.map(ends), words: rows.at(-1)?.textContent,
        formula: formula?.checkVisibility() ? ends(formula)[0] : Infinity,
        plot: Number(document.querySelector('#canvas > .chart clipPath rect').getAttribute('height')),
    };
}"""
LEAST_PLOT = {(360, 640): 145, (320, 568): 96}
"""Height inside the axes: curves can be told apart in the second, where words take more than half of the screen."""


@pytest.mark.parametrize(("width", "height"), LEAST_PLOT)
def test_a_low_phone_has_question_what_is_known_and_chart_on_its_first_screen(
    phone: Any, width: int, height: int
) -> None:
    """What is known is read before the chart, the asked row last; no formula takes their room."""
    phone.screen(width, height)
    page = phone.come("?step=2")
    for place, _ in ASKED:
        phone.turn_to(f"?step={place}", is_told=False)
        phone.rest()
        found = page.evaluate(KNOWN)
        assert len(found["rows"]) >= 2, place
        assert "?" in found["words"], place
        assert found["asked"][1] <= found["rows"][0][0] + 1, place  # a rounded pixel
        assert found["rows"][-1][1] <= found["canvas"][0] + 1, place  # the same
        assert found["rows"][-1][1] <= found["bar"], place
        assert found["formula"] >= found["canvas"][1], place
        assert found["plot"] >= LEAST_PLOT[width, height], place
        assert page.evaluate(CROSSED) == [], place


def test_the_chart_stays_under_a_hand_that_puts_a_guess(phone: Any) -> None:
    """What is known, above it, is filled in meanwhile."""
    phone.screen(390, 664)
    page = phone.come("?step=2")
    for place, _ in ASKED:
        phone.turn_to(f"?step={place}", is_told=False)
        phone.rest()
        before = page.locator("#canvas").bounding_box()
        page.mouse.move(before["x"] + before["width"] / 2, before["y"] + before["height"] / 3)
        page.mouse.down()
        phone.rest()
        assert "?" not in page.locator(".grounds .unknown").inner_text(), place
        assert page.locator("#canvas").bounding_box() == before, place
        page.mouse.up()
        page.mouse.move(0, 0)


@pytest.mark.parametrize("query", ["?claims=fails", ""])
def test_a_phone_has_one_target_for_the_claims_that_fail(phone: Any, query: str) -> None:
    page = phone.come("?step=8")
    link = page.locator("#timeline .of-dots")
    box = link.bounding_box()
    assert box["height"] >= LEAST_TARGET
    assert box["width"] >= LEAST_TARGET
    name = link.inner_text()
    assert "do not reproduce" in page.locator("#timeline .of-dots").text_content(), name
    if query:
        link.tap()
    else:
        link.focus()
        page.keyboard.press("Enter")
    page.wait_for_selector("#ledger tbody tr")
    assert "claims=fails" in page.url


def test_the_smallest_phone_has_a_picture_beside_answers_to_choose_from(phone: Any) -> None:
    phone.screen(320, 568)
    page = phone.come("?step=2")
    for place, step in STEPS:
        if not step["choice"]:
            continue
        phone.turn_to(f"?step={place}", is_told=False)
        phone.rest()
        canvas = page.locator("#canvas").bounding_box()
        top = min(one.bounding_box()["y"] for one in page.locator(".options > button:not(.show-it)").all())
        assert top - canvas["y"] >= 110, place
        for one in page.locator(".options > button").all():
            box = one.bounding_box()
            assert box["y"] + box["height"] <= 568, place


def test_what_is_known_stands_in_rows_on_a_low_phone(phone: Any) -> None:
    phone.screen(390, 664)
    for place, step in ASKED:
        grounds = step["question"]["grounds"] if step["question"] else None
        if not grounds or len(grounds["columns"]) != 2:
            continue
        page = phone.come(f"?step={place}", is_told=False)
        rows = [one.bounding_box() for one in page.locator(".stage .grounds tbody tr").all() if one.is_visible()]
        assert len(rows) == len(grounds["rows"]) + 1, place
        assert all(after["y"] >= one["y"] + one["height"] - 1 for one, after in itertools.pairwise(rows)), place
        numbers = page.locator(".stage .grounds tbody td").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect().right)"
        )
        assert max(numbers) - min(numbers) <= 1, place
