"""The first view and the lecture's time line above everything."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from tests.browser.charts import INSIDE, TICKS, along
from tests.browser.steps import named

from ridgeline.boards.lecture import CLAIMS, board
from ridgeline.boards.verdict import Verdict
from ridgeline.quantity_text import format_quantity
from ridgeline.seconds import HOUR_S
from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped

SLIDER = "#home .along input"

CONTEXT = "#home [role=slider][aria-label='tokens of context']"

RENT = "#home [role=slider][aria-label*=price]"

HOME_TICKS = TICKS.replace("#canvas", "#home .canvas")
HOME_INSIDE = INSIDE.replace("#canvas", "#home .canvas")

FIRST = 32
"""Sequences that share a step at first."""

BATCH = "#home [role=slider][aria-label^=sequences]"

SEVERAL_STEPS = 30
"""Of a key: more than are needed."""


def drawn(**fields: str) -> tuple[Any, Any]:
    """The cost board's view and its picture of published numbers, with some controls turned."""
    found: Any = answers("boards/cost/views", {"mode": "both", **fields}, Dropped())
    return found["views"][0], found["views"][0]["pictures"]["careful"]


def price(batch: int, **fields: str) -> str:
    """Of a million output tokens at a batch, on the bold line of the cost board."""
    view, picture = drawn(**fields)
    (line,) = (line for line in picture["lines"] if line["is_bold"])
    usd = format_quantity(float(np.interp(batch, picture["x"], line["y"])), view["axes"]["y"]["dimension"])
    usd = usd.removesuffix("/Mtok")  # which the sentence says
    return re.sub(r"^\$\d+\.\d(?=\D|$)", r"\g<0>0", usd)  # from a dollar on with its cents


def batch(page: Any) -> int:
    return int(re.sub(r"\D", "", page.get_attribute(SLIDER, "aria-valuetext").partition(":")[0]))


def said(page: Any) -> str:
    """The sentence below the price, as it is seen."""
    return " ".join(page.inner_text(".when > :not(.room)").split())


def bound(page: Any) -> str:
    """What binds, in words."""
    return " ".join(page.inner_text(".binds").split())


def settled(visitor: Any) -> None:
    """Wait until the numbers that the sentence has are the answer's, too."""
    visitor.rest()
    visitor.page.wait_for_selector("#home .hero:not([aria-busy])")
    visitor.rest()


def test_the_price_follows_the_slider_and_is_the_boards(resident: Any) -> None:
    page = resident.come_home()
    shown = []
    for key in ("Home", "PageUp", "PageUp", "PageUp", "PageUp", "PageUp", "End"):
        page.focus(SLIDER)
        page.keyboard.press(key)
        resident.rest()
        shown.append((batch(page), page.inner_text(".price > b")))
        assert shown[-1][1] == price(shown[-1][0])
        assert f"{shown[-1][0]:,} sequence{'s' if shown[-1][0] > 1 else ''} of " in said(page)
        assert f"{'share' if shown[-1][0] > 1 else 'has'} each step" in said(page)
    assert shown[0][0] == 1
    assert len(set(shown)) == len(shown)
    # And under a hand.
    resident.drag(page.locator(SLIDER), (-200, 0))
    resident.rest()
    assert 1 < batch(page) < shown[-1][0]
    assert page.inner_text(".price > b") == price(batch(page))


def test_the_rent_turns_the_price(resident: Any) -> None:
    page = resident.come_home()
    assert batch(page) == FIRST
    before = page.inner_text(".price > b")
    page.focus(RENT)
    page.keyboard.press("Home")
    settled(resident)
    least = board("cost").control("usd_per_chip_s").low
    assert page.inner_text(".price > b") == price(FIRST, usd_per_chip_s=f"${least * HOUR_S:g}/h") != before
    assert f"at ${least * HOUR_S:g} a chip-hour" in said(page)


def test_the_price_is_a_dot_on_the_curve(resident: Any) -> None:
    page = resident.come_home()
    places = []
    for key in ("Home", "End"):
        page.focus(SLIDER)
        page.keyboard.press(key)
        resident.rest()
        dot = page.locator("#home svg .chart-mark circle[fill*=money][stroke*=background]").bounding_box()
        places.append((dot["x"], dot["y"]))
    assert places[1][0] > places[0][0] + 500
    assert places[1][1] > places[0][1] + 50  # cheaper, so lower


def test_the_dot_is_dragged_as_the_slider_is(resident: Any) -> None:
    page = resident.come_home()
    before = batch(page)
    resident.drag(page.locator("#home svg .chart-mark circle[fill*=money][stroke*=background]"), (150, 0))
    resident.rest()
    assert batch(page) > 2 * before
    assert page.inner_text(".price > b") == price(batch(page))


@pytest.mark.parametrize("width", [1440, 390])
def test_the_sliders_thumb_lies_under_the_dot(resident: Any, width: int) -> None:
    resident.screen(width, 900)
    page = resident.come_home()
    dot = page.locator("#home svg .chart-mark circle[fill*=money][stroke*=background]")
    for key in ("Home", "PageUp", "PageUp", "PageUp", "End"):
        page.focus(SLIDER)
        page.keyboard.press(key)
        resident.rest()
        here, track = dot.bounding_box(), page.locator(SLIDER).bounding_box()
        part = int(page.input_value(SLIDER)) / 1000
        thumb = 0.875 * 16  # as bill.css has it
        middle = track["x"] + thumb / 2 + part * (track["width"] - thumb)
        assert here["x"] + here["width"] / 2 == pytest.approx(middle, abs=1)  # a pixel


def test_models_and_machines_are_called_as_people_call_them(resident: Any) -> None:
    page = resident.come_home()
    assert page.locator(".said .called > span").all_inner_texts() == ["DeepSeek-V3", "GB200 NVL72"]
    page = resident.come("?board=latency&mode=both")
    assert page.inner_text("#model option:checked") == "DeepSeek-V3"
    assert page.inner_text("#machine option:checked") == "GB200 NVL72"


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1280, 720), (1024, 768)])
def test_the_first_view_is_seen_whole(resident: Any, width: int, height: int) -> None:
    resident.screen(width, height)
    page = resident.come_home()
    assert page.evaluate("document.documentElement.scrollHeight") == height


def test_as_many_claims_fail_as_in_the_ledger(resident: Any) -> None:
    page = resident.come_home()
    failing = sum(claim.verdict is Verdict.DOES_NOT_REPRODUCE for claim in CLAIMS)
    said = " ".join(page.inner_text(".ways .failing").split())
    assert said == f"{failing} of {len(CLAIMS)} claims do not reproduce"
    page.click(".ways .failing")
    page.wait_for_selector("#ledger tbody tr")
    assert page.locator("#ledger tbody tr").count() == failing


def test_start_leads_to_the_first_step_and_the_boards_to_all_boards(resident: Any) -> None:
    page = resident.come_home()
    page.get_by_role("button", name="Start the lecture").click()
    page.wait_for_selector("#told .sentence")
    assert page.url.endswith(f"?step={named(1)}")
    resident.settle()
    page.click("header .mark")
    page.wait_for_selector("#home")
    assert page.url == f"{resident.address}/"
    page.get_by_role("button", name="Go to the boards").click()
    page.wait_for_selector("#shelf path")


def test_a_press_anywhere_in_the_plot_brings_the_dot_there(resident: Any) -> None:
    page = resident.come_home()
    dot = page.locator("#home svg .chart-mark circle[fill*=money][stroke*=background]")
    before, canvas = dot.bounding_box(), page.locator("#home .canvas").bounding_box()
    x, y = before["x"] + 200, canvas["y"] + canvas["height"] / 3
    page.mouse.move(x, y)
    page.mouse.down()
    resident.rest()
    there = dot.bounding_box()
    assert there["x"] + there["width"] / 2 == pytest.approx(x, abs=1.5)  # a pixel, and the address's digits
    page.mouse.move(x + 80, y, steps=4)
    page.mouse.up()
    resident.rest()
    there = dot.bounding_box()
    assert there["x"] + there["width"] / 2 == pytest.approx(x + 80, abs=1.5)
    assert "?at=" in page.url


def test_contexts_are_dragged_in_the_sentence(visitor: Any) -> None:
    page = visitor.home()
    before = batch(page)
    assert "of 4,990 tokens" in said(page)
    numbers = [text for text, _ in along(page.evaluate(HOME_TICKS))]
    box = page.locator(CONTEXT).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for way in (50, 100, 150):  # so far that the whole curve would have left the frame
        page.mouse.move(x + way, y, steps=3)
        settled(visitor)
        page.wait_for_timeout(400)  # longer than a glide
        assert [text for text, _ in along(page.evaluate(HOME_TICKS))] == numbers
        assert page.evaluate(HOME_INSIDE) > 1 / 3  # as little as is left before the axis up follows
    page.mouse.up()
    page.wait_for_function(f"() => ({HOME_INSIDE})() === 1")
    settled(visitor)
    turned = re.search(r"context_tokens=([^&]+)", page.url)
    assert turned is not None
    assert float(page.get_attribute(CONTEXT, "aria-valuenow")) > 50_000
    assert batch(page) == before
    assert page.inner_text(".price > b") == price(before, context_tokens=turned[1])
    assert page.inner_text(".price > b") in page.get_attribute(CONTEXT, "aria-valuetext")
    # The address brings it back.
    words = said(page)
    page.reload()
    page.wait_for_selector("#home .hero:not([aria-busy]) .opened")
    visitor.rest()
    assert said(page) == words
    # What was once learnt is not told again.
    assert page.locator(".drag-me").count() == 0


def test_the_handle_asks_to_be_dragged_until_it_was(visitors: Any) -> None:
    for width in (1440, 390):
        visitor = visitors(width=width)
        page = visitor.home()
        dot = page.locator("#home svg .chart-mark circle[fill*=money][stroke*=background]")
        here, asked = dot.bounding_box(), page.locator(".drag-me").bounding_box()
        assert asked["x"] == pytest.approx(here["x"] + here["width"] / 2, abs=1.5)  # a pixel, and half of rounding
        assert asked["y"] == pytest.approx(here["y"] + here["height"] / 2, abs=1.5)
        # It takes no press from what it lies over, and does not move for who wants nothing to.
        assert page.locator(".drag-me i").evaluate("one => getComputedStyle(one).animationName") == "none"
        visitor.drag(dot, (60, 0))
        visitor.rest()
        assert page.locator(".drag-me").count() == 0
        page.reload()
        page.wait_for_selector("#home svg .chart-mark")
        assert page.locator(".drag-me").count() == 0


@pytest.mark.parametrize(("size", "plot", "picture"), [((1440, 900), 0.32, 0.4), ((1280, 720), 0.27, 0.4)])
def test_the_curve_has_its_share_of_the_first_view(
    resident: Any, size: tuple[int, int], plot: float, picture: float
) -> None:
    resident.screen(size[0], size[1])
    page = resident.come_home()
    height = float(page.locator("#home svg clipPath rect").first.get_attribute("height"))
    assert height >= plot * size[1]
    assert page.locator("#home .canvas").bounding_box()["height"] >= picture * size[1]
    # A low window has of the machine its clock, and neither that nor the verdict stands between price and sentence.
    price, said, binds, machine = (
        page.locator(one).bounding_box() for one in (".price", ".said", ".binds", ".machine")
    )
    assert (machine["height"] < 100) == (size[1] < 800)
    assert machine["y"] + machine["height"] <= page.locator("#home .canvas").bounding_box()["y"]
    if size[1] < 800:
        assert price["x"] + price["width"] <= said["x"]
        assert said["y"] + said["height"] <= binds["y"] + 1  # a rounded pixel
        assert binds["y"] + binds["height"] <= machine["y"] + 1


def test_short_contexts_bring_computes_turn_and_long_ones_kv(resident: Any) -> None:
    page = resident.come_home()
    page.focus(SLIDER)
    page.keyboard.press("End")
    page.focus(CONTEXT)
    seen = {}
    for key in ("PageDown", "PageUp"):
        for _ in range(SEVERAL_STEPS):
            page.keyboard.press(key)
            settled(resident)
            words = bound(page)
            head = words.partition(":")[0]
            paid, _, _ = page.get_attribute("#home .opened", "aria-label").partition("; ")
            parts = re.findall(r"(weight fetch|KV fetch|compute) ", paid)
            colour = page.locator(".binds").evaluate("one => getComputedStyle(one).color")
            seen[head, "KV" in words] = (parts, colour)
            assert words in page.get_attribute(CONTEXT, "aria-valuetext")
            if head == "Compute-bound" or (key == "PageUp" and "KV" in words):
                break
    assert seen["Compute-bound", False][0] == ["compute"]
    assert seen["Memory-bound", True][0] == ["weight fetch", "KV fetch"]
    assert seen["Compute-bound", False][1] != seen["Memory-bound", True][1]


def test_the_batch_in_the_sentence_is_the_thumbs(resident: Any) -> None:
    page = resident.come_home()
    before, part = batch(page), int(page.input_value(SLIDER))
    page.focus(BATCH)
    page.keyboard.press("ArrowRight")
    resident.rest()
    assert before < batch(page) <= before + 3
    resident.drag(page.locator(BATCH), (100, 0))
    resident.rest()
    assert batch(page) > 5 * before
    assert int(page.input_value(SLIDER)) > part + 200
    assert f"when {batch(page):,} sequences" in said(page)
    assert "?at=" in page.url
    page.keyboard.press("Home")
    resident.rest()
    assert "when 1 sequence of" in said(page)
    assert said(page).endswith("has each step to itself.")


def test_the_model_and_the_machine_are_chosen_in_the_sentence(visitor: Any) -> None:
    page = visitor.home()
    page.get_by_role("combobox", name="model").select_option("llama-3.1-70b")
    settled(visitor)
    assert page.locator(".said .called > span").first.inner_text() == "Llama 3.1 70B"
    page.get_by_role("combobox", name="machine").select_option("h100-sxm")
    settled(visitor)
    assert page.url.endswith("?model=llama-3.1-70b&machine=h100-sxm")
    assert page.inner_text(".price > b") == price(batch(page), model="llama-3.1-70b", machine="h100-sxm")
    # What nobody rents is not offered; who comes with it is told, and can choose another.
    shelf: Any = answers("shelf", {}, Dropped())
    offered = (
        page.get_by_role("combobox", name="machine").locator("option").evaluate_all("all => all.map(one => one.value)")
    )
    assert offered == shelf["priced_machines"]
    unsold = next(name for name in shelf["machines"] if name not in offered)
    page.goto(f"{visitor.address}/?model=llama-3.1-70b&machine={unsold}")
    page.wait_for_selector(".price > b >> text='?'")
    assert "no price of this machine" in bound(page)
    page.get_by_role("combobox", name="machine").select_option("h100-sxm")
    page.wait_for_selector("#home .opened")
    assert page.inner_text(".price > b") == price(batch(page), model="llama-3.1-70b", machine="h100-sxm")


CHIPS = "#home [role=slider][aria-label=chips]"


def test_a_model_that_a_machine_cannot_hold_starts_on_more_of_its_chips(resident: Any) -> None:
    page = resident.come_home()
    assert page.inner_text(CHIPS) == "one"
    assert "(72 chips)" in page.inner_text(".of > :not(.room)")
    page.get_by_role("combobox", name="machine").select_option("h100-sxm")
    settled(resident)
    assert page.get_attribute(CHIPS, "aria-valuenow") == "8"
    assert "DeepSeek's mean" in said(page)
    page.get_by_role("combobox", name="model").select_option("llama-3.1-405b")
    settled(resident)
    takes = chips_taken("llama-3.1-405b", "h100-sxm")
    assert page.get_attribute(CHIPS, "aria-valuenow") == str(takes)
    assert page.inner_text(CHIPS) == str(takes)
    assert "(the fewest that hold it)" in page.inner_text(".of > :not(.room)")
    assert "DeepSeek's mean" not in said(page)
    assert page.locator(".price.overfull").count() == 0
    assert "chips" not in page.url
    # Whoever sets too few has the price struck out, and a way to mend it.
    page.focus(CHIPS)
    page.keyboard.press("ArrowLeft")
    settled(resident)
    assert "chips=8" in page.url
    assert page.locator(".price.overfull").count() == 1
    page.get_by_role("button", name=f"Take {takes} H100 SXM").click()
    settled(resident)
    assert page.locator(".price.overfull").count() == 0
    assert f"chips={takes}" in page.url
    # More sequences than fit are mended, too.
    page.focus(SLIDER)
    page.keyboard.press("End")
    settled(resident)
    fits = drawn(model="llama-3.1-405b", machine="h100-sxm")[1]["fits_to"]
    page.get_by_role("button", name=f"Take {fits:,.0f} sequences").click()
    settled(resident)
    assert batch(page) == fits
    # Of another model the chips are its own.
    page.get_by_role("combobox", name="model").select_option("llama-3.1-8b")
    settled(resident)
    assert page.get_attribute(CHIPS, "aria-valuenow") == "8"


def chips_taken(model: str, machine: str) -> int:
    """Fewest chips of a machine that hold a model and a sequence."""
    found: Any = answers("boards/cost/views", {"mode": "careful", "model": model, "machine": machine}, Dropped())
    return int(found["fewest_chips"]["careful"])


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844), (320, 640)])
def test_nothing_below_the_sentence_moves_with_its_numbers(resident: Any, width: int, height: int) -> None:
    resident.screen(width, height)
    page = resident.come_home()
    tops = set()
    for where, key in ((SLIDER, "Home"), (CONTEXT, "Home"), (SLIDER, "End"), (CONTEXT, "End")):
        page.focus(where)
        page.keyboard.press(key)
        settled(resident)
        tops.add(page.eval_on_selector("#home .canvas", "one => one.getBoundingClientRect().top + scrollY"))
        assert page.evaluate("document.documentElement.scrollWidth") == width
    assert len(tops) == 1


def test_contexts_are_dragged_by_a_thumb_and_the_page_stays(phone: Any) -> None:
    page = phone.come_home()
    box = page.locator(CONTEXT).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    finger = page.context.new_cdp_session(page)
    for kind, moved in (("touchStart", 0), ("touchMove", -30), ("touchMove", -60)):
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x + moved, "y": y}]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    settled(phone)
    tokens = float(page.get_attribute(CONTEXT, "aria-valuenow"))
    assert 500 < tokens < 1000
    assert "compute binds at" in bound(page)
    assert f"context_tokens={tokens:g}" in page.url
    assert page.evaluate("scrollY") == 0


# Of each word that can be turned whether it is hit at its middle and near its edges.
HIT = """() => [...document.querySelectorAll('.said .called, .said > span > :not(.room) .scrubbed')].map(word => {
    const seen = (word.querySelector(':scope > span') ?? word).getBoundingClientRect();
    return [0.2, 0.5, 0.8].every(part => word.contains(
        document.elementFromPoint(seen.left + 0.5 * seen.width, seen.top + part * seen.height)));
})"""


@pytest.mark.parametrize("width", [1440, 390, 320])
def test_each_word_of_the_sentence_is_hit_where_it_is_seen(resident: Any, width: int) -> None:
    """Places to hit are higher than lines are apart."""
    resident.screen(width, 844)
    assert resident.come_home().evaluate(HIT) == 6 * [True]
