"""What is less needed waits: marks without a label, controls of other pictures."""

from __future__ import annotations

from typing import Any

import pytest

LABELS = """() => [...document.querySelectorAll('#canvas svg g.chart-mark[font-size]')]
    .filter(one => one.checkVisibility({ opacityProperty: true })).map(one => one.textContent)"""
DOT = """key => {
    const dot = [...document.querySelectorAll('#canvas svg g.chart-mark:not([font-size])')]
        .find(one => one.dataset.key === key).querySelector('circle:last-child').getBoundingClientRect();
    return [dot.x + dot.width / 2, dot.y + dot.height / 2];
}"""

# The dot that is nearest to its name.
NAMED = """name => {
    const middle = one => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
    };
    const all = [...document.querySelectorAll('#canvas svg circle[r="3.4"]')].map(middle);
    const [x, y] = middle([...document.querySelectorAll('#canvas svg text')].find(one => one.textContent === name));
    return all.toSorted((one, other) => Math.hypot(one[0] - x, one[1] - y) - Math.hypot(other[0] - x, other[1] - y))[0];
}"""


@pytest.mark.parametrize("mode", ["both", "careful"])
def test_at_most_three_marks_are_named_and_the_others_when_they_are_pointed_at(resident: Any, mode: str) -> None:
    page = resident.come(f"?board=over-training&mode={mode}")
    named = page.evaluate(LABELS)
    assert 1 <= len(named) <= 3
    assert not any("Hoffmann" in text for text in named)
    page.mouse.move(*page.evaluate(DOT, "careful\nby fit of Hoffmann"))
    resident.rest()
    assert "by fit of Hoffmann: 4.12 times" in page.locator(".chart-readout").inner_text()


def test_values_are_read_at_the_dot_that_a_hand_points_at_in_a_box_above_the_slider(resident: Any) -> None:
    """Where an offer is sold at 2.5 times the speed, the price of the curve is that at 2.5, and no other beside it."""
    page = resident.come("?step=modes-0:09:54", is_told=False)
    page.get_by_role("button", name="Show it").click()
    resident.settle()
    x, y = page.evaluate(NAMED, "Opus 5")
    for aside in (-4, 0, 4):
        page.mouse.move(x + aside, y)
        resident.rest()
        title, *words = page.locator(".chart-readout").locator("strong, span").all_inner_texts()
        assert title == "2.5"
        assert words[words.index("price") :][1] == "6"
    order = "one => Number(getComputedStyle(one).zIndex)"
    assert page.locator(".chart-readout").evaluate(order) > page.locator(".along").evaluate(order)


def test_a_hand_between_dots_has_the_name_of_the_nearest(resident: Any) -> None:
    page = resident.come("?board=over-training&mode=lecture")
    x, y = page.evaluate(NAMED, "GPT-3")
    # Farther than a hand may be from what it points at, and values are read at the hand.
    page.mouse.move(x + 30, y)
    resident.rest()
    title, *words = page.locator(".chart-readout").locator("strong, span").all_inner_texts()
    assert title != "175B"
    assert words[words.index("GPT-3 175B") :][:3] == ["GPT-3 175B", "175B", "0.0859"]


def test_keys_that_come_over_a_quiet_mark_tell_it(resident: Any) -> None:
    page = resident.come("?board=tiers&mode=careful")
    page.locator("#canvas .chart").focus()
    for _ in range(40):
        page.keyboard.press("ArrowRight")
        resident.rest()
        if "5 min in the cheapest" in page.locator(".chart-readout").inner_text():
            return
    pytest.fail("no key came over the mark at five minutes")


def test_beside_a_picture_stand_the_controls_that_move_it(resident: Any) -> None:
    page = resident.come("?board=budget&view=2&mode=both")
    knobs = page.locator("#controls .control")
    more = page.get_by_role("button", name="7 more for other pictures")
    assert knobs.count() == 2
    more.click()
    assert knobs.count() == 9
    more.click()
    assert knobs.count() == 2
    page.get_by_role("tab", name="Their sum by each fit").click()
    resident.settle()
    # Of seven that move it four stand in a row; the others are folded with the two of other pictures.
    assert knobs.count() == 4
    more = page.locator("#controls > .more")
    assert more.inner_text() == "5 more"
    more.click()
    assert knobs.count() == 9
    # Another board begins folded.
    resident.turn_to("?board=modes&mode=both")
    assert knobs.count() == 2


def test_what_is_wrong_is_not_folded(visitor: Any) -> None:
    page = visitor.page
    page.goto(f"{visitor.address}/?board=budget&tokens=banana")
    page.wait_for_selector(".control.wrong")
    visitor.complaints.clear()  # the refusal itself
    assert page.locator("#control-tokens").is_visible()


def test_a_turned_control_of_another_picture_is_counted(resident: Any) -> None:
    page = resident.come("?board=budget&view=2&tokens=2T&mode=both")
    assert page.get_by_role("button", name="7 more for other pictures, 1 turned").is_visible()
