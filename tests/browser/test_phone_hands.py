"""A thumb on a phone: what it wipes, draws and taps."""

from __future__ import annotations

from typing import Any

from tests.browser.steps import named


def test_a_wipe_turns_over_and_one_across_the_plot_does_not(phone: Any) -> None:
    page = phone.come("?step=3")
    finger = page.context.new_cdp_session(page)

    def wipe(from_x: int, to_x: int, element: str) -> None:
        box = page.locator(element).bounding_box()
        y = box["y"] + box["height"] / 2
        for kind, x in (("touchStart", from_x), ("touchMove", (from_x + to_x) / 2), ("touchMove", to_x)):
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        phone.settle()

    wipe(320, 80, "#told .sentence")
    page.wait_for_url(f"**/?step={named(4)}")
    wipe(80, 320, "#told .sentence")
    page.wait_for_url(f"**/?step={named(3)}")
    wipe(320, 80, "#canvas")
    wipe(200, 170, "#told .sentence")
    assert page.url.endswith(f"?step={named(3)}")


def test_each_hand_has_its_own(phone: Any) -> None:
    """The clock, the strip and a slider go along with a finger and turn no step; one that goes up scrolls the page."""
    step = f"?step={named(3)}"
    page = phone.come(step)
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
        phone.settle()
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


def test_a_letter_takes_its_control_under_the_thumb(phone: Any) -> None:
    page = phone.come("?board=latency")
    page.get_by_role("button", name="chips", exact=True).tap()
    before = page.input_value("#control-chips")
    page.locator("#control-chips-slider").tap(position={"x": 40, "y": 20})
    page.wait_for_function("() => location.search.includes('chips')")
    phone.settle()
    assert page.input_value("#control-chips") != before
    assert page.get_by_role("button", name="chips", exact=True).get_attribute("aria-pressed") == "true"


def test_a_tapped_letter_says_what_it_stands_for(phone: Any) -> None:
    """Before an answer too."""
    for place, words in ((5, "price over the regular price 6"), (4, "chips 72")):
        page = phone.come(f"?step={place}")
        # At step 4 a letter whose slider comes with the tap.
        letter = "#formula .terms span:not(.later) " + ("[data-control=chips]" if place == 4 else "[data-word]")
        page.locator(letter).first.scroll_into_view_if_needed()
        box = page.locator(letter).first.bounding_box()
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        card = page.locator(".card-of-word:popover-open")
        card.wait_for()
        phone.rest()
        assert card.inner_text().endswith(words)


def test_the_way_on_lies_under_the_thumb(phone: Any) -> None:
    """Back and next stand at the lower edge wherever one scrolls, and the time line stays above."""
    phone.screen(320, 640)
    page = phone.come("?step=2")
    for down in (0, 900):
        page.evaluate("down => scrollTo(0, down)", down)
        phone.rest()
        for name in ("Back", "Next"):
            box = page.get_by_role("button", name=name).bounding_box()
            assert 640 - 80 < box["y"] < 640 - box["height"]
        line = page.locator("#timeline").bounding_box()
        assert 0 <= line["y"] <= 52
    chapters = page.locator("#timeline .chapters a")
    chapters.nth(2).tap()
    page.wait_for_function("() => location.search !== '?step=2'")
    phone.settle()
    assert page.inner_text(".opening h2").startswith("Chapter 3:")
