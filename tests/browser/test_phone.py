"""Narrow screens: nothing is wider than they are, the plot takes their width, and targets are as high as a thumb."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.conftest import KEPT
from tests.browser.controls import CUT_OF_ALL
from tests.browser.phones import BEYOND, CUT_BY_SHEET, LEAST_TARGET
from tests.browser.steps import ASKED
from tests.browser.words import STILL_WRONG

from ridgeline.boards.lecture import BOARDS
from ridgeline.boards.lecture.walk import walk_document

STEPS = len(walk_document()["steps"])
BOARDS_AND_VIEWS = [(one.name, view) for one in BOARDS for view in range(len(one.views))]


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


@pytest.mark.parametrize(("width", "height"), [(360, 640), (390, 844)])
def test_no_words_of_a_step_lie_over_a_line_or_over_others_before_an_answer_or_after(
    phone: Any, width: int, height: int
) -> None:
    """On the larger, steps that ask nothing are looked at above."""
    phone.screen(width, height)
    page = phone.come("?step=2")
    apart: dict[str, list[str]] = {}
    asked = {place for place, _ in ASKED}
    for place in range(1, STEPS + 1) if width == 360 else sorted(asked):
        phone.turn_to(f"?step={place}")
        if found := page.evaluate(STILL_WRONG):
            apart[f"step {place}"] = found
        if place not in asked:
            continue
        page.get_by_role("button", name="Show it").click()
        phone.settle()
        if found := page.evaluate(STILL_WRONG):
            apart[f"step {place}, answered"] = found
    assert not apart, apart


def test_targets_of_a_turned_control_are_as_high_as_a_thumb(phone: Any) -> None:
    page = phone.come("?board=latency")
    page.get_by_role("button", name="chips", exact=True).tap()
    page.fill("#control-chips", "8")
    page.press("#control-chips", "Enter")
    phone.settle()
    found = page.evaluate(TARGETS)
    assert found
    assert not {name: height for name, height in found if height < LEAST_TARGET}
    # What resets it stands beside its number, and not on it.
    number = page.locator("#control-chips").bounding_box()
    assert (
        page.locator(".control > .back:visible").bounding_box()["x"] + 1 >= number["x"] + number["width"]
    )  # a rounded pixel


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


def test_buttons_of_the_header_cover_no_dot_and_lie_inside_the_screen(phone: Any) -> None:
    page = phone.come("?board=latency")
    buttons, dots = page.evaluate(DRAWN)
    assert len(buttons) == 3
    assert all(3 <= top < bottom <= dots for top, bottom in buttons), (buttons, dots)


def test_a_row_that_goes_on_fades_at_its_edge(phone: Any) -> None:
    page = phone.come("?board=cost")
    row = page.locator(".chips")
    assert "more-after" in row.get_attribute("class")
    assert "more-before" not in row.get_attribute("class")
    row.evaluate("row => { row.scrollLeft = row.scrollWidth; }")
    page.wait_for_function("() => !document.querySelector('.chips').matches('.more-after')")
    assert "more-before" in row.get_attribute("class")
    assert row.evaluate("row => getComputedStyle(row).maskImage") != "none"


def test_what_was_chosen_on_a_board_is_not_under_the_thumb_on_the_next(phone: Any) -> None:
    page = phone.come("?board=cost")
    chips = page.locator(".chips button")
    chips.last.tap()
    assert chips.last.get_attribute("aria-pressed") == "true"
    page = phone.come("?board=cost")
    assert chips.first.get_attribute("aria-pressed") == "true"
    assert page.locator(".chips").evaluate("row => row.scrollLeft") == 0


def test_of_two_tables_one_is_shown_as_large_as_fits_and_the_other_a_tap_away(phone: Any) -> None:
    phone.screen(320, 640)
    page = phone.come("?board=tiers&view=1&mode=both")
    heights = "() => [...document.querySelectorAll('#canvas svg text')].map(one => one.getBoundingClientRect().height)"
    assert min(page.evaluate(heights)) >= 10
    before = page.locator("#canvas svg").inner_html()
    page.locator("#modes label", has_text="Pope's numbers").tap()
    phone.rest()
    assert page.locator("#canvas svg").inner_html() != before


def test_a_board_is_two_screens_long(phone: Any) -> None:
    """What is told at length is folded; it is one tap away, and open where a claim is asked for."""
    page = phone.come("?board=latency")
    assert page.evaluate("document.documentElement.scrollHeight") < 2 * 844
    assert not page.locator("#claims").is_visible()
    page.get_by_text("What the lecture says (").tap()
    assert page.locator("#claims").is_visible()
    phone.come("?board=latency&claim=A12")
    assert page.locator("#claim-A12").is_visible()


def test_a_boards_curves_have_their_height_on_a_low_phone(phone: Any) -> None:
    phone.screen(390, 664)
    for one in ("latency", "cost", "context", "kv-bytes"):
        page = phone.come(f"?board={one}")
        frames = page.locator("#canvas > .chart clipPath rect").first
        assert float(frames.get_attribute("height")) >= 180, one
