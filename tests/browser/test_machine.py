"""The opened chip of a decode step: it plays, stops for a hand, follows the batch, and comes after the answer."""

from __future__ import annotations

from typing import Any

import pytest

MACHINE = ".machine .opened"
HAND = ".machine .clock-hand input"
LANES = """() => Object.fromEntries([...document.querySelectorAll('.machine .lanes .dim')].map(one =>
    [one.dataset.colour, one.getBoundingClientRect().width]))"""
OUTCOME = ".machine .outcome"


def slide(visitor: Any, thousandths: int) -> None:
    visitor.page.locator(".along input").evaluate(
        "(one, value) => { one.value = value; one.dispatchEvent(new Event('input', { bubbles: true })); }", thousandths
    )
    visitor.settle()


def test_a_larger_batch_takes_longer_to_compute_and_as_long_to_fetch_the_weights(resident: Any) -> None:
    page = resident.come("?step=3")
    slide(resident, 200)
    few = page.evaluate(LANES)
    slide(resident, 400)
    many = page.evaluate(LANES)
    assert many["compute"] == pytest.approx(2 * few["compute"], abs=2)
    assert many["weights"] == pytest.approx(few["weights"], abs=1) != 0
    # Its contexts are not told yet.
    assert many["kv"] == 0


def test_a_question_has_the_machine_at_what_is_known_until_it_is_answered(resident: Any) -> None:
    page = resident.come("?step=8")
    page.wait_for_selector(MACHINE)
    assert "each of 3,550 sequences" in page.text_content(OUTCOME)
    page.get_by_role("button", name="Show it").click()
    page.wait_for_selector(MACHINE)
    assert "for 1 sequence" in page.text_content(OUTCOME)
    assert "reads weights for 1.23 ms" in page.get_attribute(MACHINE, "aria-label")
    # Its second claim has no room above the controls: it is folded, not cut off in a sentence.
    assert page.locator(".read").evaluate("read => read.scrollHeight - read.clientHeight") <= 1
    # A pointer that rests on it, as after a press on Check, does not hide it behind its own button.
    pace = page.locator(".machine .pace")
    pace.hover(position={"x": 5, "y": 5})
    assert pace.evaluate("one => one.matches(':hover') && getComputedStyle(one).backgroundColor") == "rgba(0, 0, 0, 0)"


def test_the_step_stops_for_a_press_and_for_a_hand_on_its_clock(mover: Any) -> None:
    page = mover.come_home()
    pace = page.locator(".machine .pace")
    before = page.input_value(HAND)
    page.wait_for_function(f"was => document.querySelector('{HAND}').value !== was", arg=before)
    pace.click(position={"x": 5, "y": 5})
    assert pace.get_attribute("aria-label") == "Play the step"
    stood = page.input_value(HAND)
    mover.rest()
    assert page.input_value(HAND) == stood
    # At its end all is done.
    page.focus(HAND)
    page.keyboard.press("End")
    assert page.get_attribute(OUTCOME, "data-over") == "yes"
    page.keyboard.press("Home")
    assert page.get_attribute(OUTCOME, "data-over") == ""
    page.keyboard.press("Space")
    page.wait_for_function(f"() => Number(document.querySelector('{HAND}').value) > 0")


def test_whoever_wants_nothing_to_move_sees_the_end_of_the_step(resident: Any) -> None:
    page = resident.come_home()
    assert page.get_attribute(OUTCOME, "data-over") == "yes"
    assert page.get_attribute(".machine .pace", "aria-label") == "Play the step"


def test_a_phone_has_the_chip_alone_above_its_chart_and_both_on_the_first_screen(resident: Any) -> None:
    resident.screen(390, 844)
    page = resident.come("?step=3")
    way = page.locator("#walk .steps").bounding_box()
    chart, machine = page.locator("#canvas").bounding_box(), page.locator(MACHINE).bounding_box()
    assert chart["height"] >= 220
    assert machine["y"] + machine["height"] <= chart["y"]
    assert chart["y"] + chart["height"] <= way["y"]
    assert page.locator(".machine .ring").is_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    # What was answered has the machine above it, too, and its foot where it was; below that is the slider.
    resident.turn_to("?step=8", is_told=False)
    before = page.locator("#canvas").bounding_box()
    page.get_by_role("button", name="Show it").click()
    page.wait_for_selector(MACHINE)
    resident.rest()
    chart, machine = page.locator("#canvas").bounding_box(), page.locator(MACHINE).bounding_box()
    assert chart["y"] + chart["height"] == pytest.approx(before["y"] + before["height"], abs=1)  # a rounded pixel
    assert machine["y"] + machine["height"] <= chart["y"]
    slider = page.locator("#controls .track:visible").bounding_box()
    assert chart["y"] + chart["height"] <= slider["y"]
    assert slider["y"] + slider["height"] <= way["y"] + 1  # a rounded pixel


def test_a_number_of_the_sentence_lights_its_mark_and_brings_the_batch_back(resident: Any) -> None:
    """Which stays in hand where its axis gets shorter: the axis reaches to it, and the bill is read there."""
    page = resident.come("?step=cost-0:15:39")
    balance, batch = page.locator(".tied").all()
    balance.hover()
    assert "balance: 3,550" in page.locator(".chart-mark.pointed").first.text_content()
    read = "() => document.querySelector('.along input').ariaValueText.split('. ')[0]"
    balance.click()
    resident.rest()
    assert page.evaluate(read) == "batch 3.55k"
    batch.click()
    resident.rest()
    assert page.evaluate(read) == "batch 7.1k"
    # What no hand has put anywhere is read at its mark; what a hand has put stays.
    page.focus(".along input")
    page.keyboard.press("End")
    resident.rest()
    put = page.evaluate(read)
    assert put not in ("batch 3.55k", "batch 7.1k")
    bandwidth = page.locator("#control-hbm_bytes_per_s")
    for text in ("30 TB/s", "3.33 TB/s"):
        bandwidth.fill(text)
        bandwidth.press("Enter")
        resident.settle()
        assert page.evaluate(read) == put


# Whether the hand of the clock runs through words of a lane.
STRUCK = """() => {
    const boxes = [...document.querySelectorAll('.machine .lanes > text')]
        .filter(one => one.textContent && one.checkVisibility()).map(one => [one.textContent, one.getBBox()]);
    const hand = document.querySelector('.machine .hand').getAttribute('d');
    const strokes = [...hand.matchAll(/M([\\d.]+) ([\\d.]+)v([\\d.]+)/g)].map(one => one.slice(1).map(Number));
    return boxes.filter(([, box]) => strokes.some(([x, y, high]) => x > box.x && x < box.x + box.width
        && y < box.y + box.height - 3 && y + high > box.y + 3)).map(([text]) => text);
}"""


@pytest.mark.parametrize("query", ["", "?step=4", "?step=12"])
def test_the_hand_of_the_clock_strikes_through_no_words(resident: Any, query: str) -> None:
    page = resident.come(query) if query else resident.come_home()
    page.wait_for_selector(MACHINE)
    told = set()
    for thousandths in range(0, 1001, 20):  # of a clock that goes to the end of the longest step by anyone's numbers
        page.locator(HAND).evaluate(
            """(one, value) => {
                one.value = value;
                one.dispatchEvent(new Event('input', { bubbles: true }));
                return new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)));
            }""",
            thousandths,
        )
        assert page.evaluate(STRUCK) == [], thousandths
        told.add(page.get_attribute(".machine .hand", "d"))
    assert len(told) > 10  # it moves up to the end of the step, which lies before that of the clock
    # Words in a bar have no glow around them.
    strokes = "all => all.map(one => getComputedStyle(one).stroke)"
    assert set(page.locator(".machine .lanes .inside").evaluate_all(strokes)) == {"none"}


# What the sentence and the machine say of the sequences after each painted frame of a quick drag.
SAID = """async steps => {
    const painted = () => new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));
    const slider = document.querySelector('#home .along input[type=range]');
    const found = new Set();
    for (let step = 0; step <= steps; step += 1) {
        slider.value = Number(slider.max) * (1 - step / steps);
        slider.dispatchEvent(new Event('input', { bubbles: true }));
        await painted();
        const sentence = document.querySelector('#home .said').textContent.match(/when ([\\d,]+) sequence/g)?.at(-1);
        const outcome = document.querySelector('#home .machine .outcome').textContent;
        const machine = outcome.match(/([\\d,]+)(?: sequences?)?$/)?.[1];
        found.add(`${sentence?.match(/[\\d,]+/)?.[0]} ${machine}`);
    }
    return [...found];
}"""


def test_the_first_views_machine_says_the_batch_of_its_price_at_all_times(mover: Any) -> None:
    page = mover.come_home()
    said = [one.split(" ") for one in page.evaluate(SAID, 12)]
    assert len(said) > 6
    assert [pair for pair in said if pair[0] != pair[1]] == []
