"""Scenes under a hand: what is pointed at is told, what is pressed is taken, handles turn controls; so do keys."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

Open = Callable[..., Any]


@pytest.fixture
def opened(visitors: Callable[..., Any], address: str) -> Open:
    """A board whose first picture is a scene, at its end."""

    def opened(query: str, *, width: int = 1440, height: int = 900) -> Any:
        page = visitors(motion="reduce", width=width, height=height).page
        page.goto(f"{address}/?{query}")
        page.wait_for_selector(".scene svg")
        page.evaluate("document.fonts.ready")
        if page.locator("figure[inert]").count():  # a step that asks before its picture is seen
            page.click(".options .show-it")
            page.wait_for_selector("figure:not([inert])")
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return page

    return opened


def texts(page: Any) -> list[str]:
    found: list[str] = page.locator(".scene > svg text").all_text_contents()
    return found


def option(page: Any) -> str:
    found: str = page.locator(".scene-things [role=option]").text_content()
    return found


def reached(page: Any) -> tuple[float, float]:
    """The middle of what keys have come to."""
    box = page.locator(".scene-things [role=option]").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_chip_shows_where_its_tokens_visits_go_by_hand_and_by_key(opened: Open) -> None:
    page = opened("board=experts&mode=lecture")
    things = page.locator(".scene-things")
    things.focus()
    page.keyboard.press("ArrowRight")
    assert option(page).startswith("chip 2 of rack 1; visits, times the mean")
    page.keyboard.press("Enter")
    said = "chip 2 of rack 1: "
    (words,) = [one for one in texts(page) if one.startswith(said)]
    assert re.fullmatch(r"[\d.]+ % of its tokens' visits leave the rack", words.removeprefix(said))
    assert page.locator("#said, [aria-live]").filter(has_text="chip 2 of rack 1").count() >= 1
    # Another one by a press, and the first goes on being told what share of its visits it gets.
    page.mouse.click(*reached(page))
    assert not any(one.startswith(said) for one in texts(page))
    page.mouse.click(*reached(page))
    assert any(one.startswith(said) for one in texts(page))
    page.keyboard.press("ArrowDown")
    assert re.search(r"of chip 2 of rack 1's visits [\d.]+ %", option(page))
    # What is played takes its place.
    page.get_by_role("button", name="Play again").click()
    page.locator(".scene text").filter(has_text=re.compile("^token ")).first.wait_for()


def test_a_micro_batch_is_followed_through_all_schedules(opened: Open) -> None:
    page = opened("board=bubbles&mode=lecture")
    things = page.locator(".scene-things")
    things.focus()
    assert option(page).startswith("stage 1: forward, micro-batch 0, 0.0 to 1.0")
    assert "its activations are kept 0.0 to" in option(page)
    lit = "() => document.querySelectorAll('.scene > svg > g[pointer-events=none] > rect').length"
    # Of three schedules what makes others fainter, 4 stages forward and backward, and in one of them in two parts.
    assert page.evaluate(lit) == 3 + 3 * 4 * 2 + 4
    page.keyboard.press("Enter")
    things.blur()
    assert page.evaluate(lit) == 31
    things.focus()
    page.keyboard.press("Escape")
    things.blur()
    assert page.evaluate(lit) == 0


def test_the_playhead_follows_a_hand_on_the_chart(opened: Open) -> None:
    page = opened("board=bubbles&mode=lecture")
    drawing = page.locator(".scene > svg").bounding_box()
    time = page.get_by_role("slider", name="Time of the scene")
    knob = page.locator(".scene > svg circle").last.bounding_box()
    x, y = knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2
    page.mouse.move(x, y)
    assert page.locator(".scene").evaluate("one => one.style.cursor") == "ew-resize"
    page.mouse.down()
    page.mouse.move(drawing["x"] + (x - drawing["x"]) / 2, y, steps=4)
    page.mouse.up()
    assert 400 < float(time.input_value()) < 600
    moved = page.locator(".scene > svg circle").last.bounding_box()
    assert moved["x"] + moved["width"] / 2 == pytest.approx(drawing["x"] + (x - drawing["x"]) / 2, abs=1.5)


def test_a_hand_along_the_bars_of_idle_time_turns_the_number_of_micro_batches(opened: Open) -> None:
    page = opened("step=25")
    bars = page.locator(".scene > svg > g > g > rect")
    first, last = bars.nth(3).bounding_box(), bars.nth(8).bounding_box()
    page.mouse.move(first["x"] + 3, first["y"] + first["height"] - 4)
    page.mouse.down()
    page.mouse.move(last["x"] + 3, last["y"] + last["height"] - 4, steps=3)
    page.mouse.up()
    # 3 of 9 + 3 slots, each a forward and a backward pass long.
    page.wait_for_function("() => document.querySelector('.scene').textContent.includes('idle: 6 of 24')")
    assert "25 % idle" in texts(page)


def test_a_hand_along_the_bars_adds_racks_and_weights_shrink_while_the_cache_stays(opened: Open) -> None:
    page = opened("step=28")
    assert {"weights 1.95 GB", "KV cache 7.5 GB"} <= set(texts(page))
    last, second = (page.locator(".scene > svg > g > g > rect").nth(one).bounding_box() for one in (7, 1))
    page.mouse.move(last["x"] + 3, last["y"] + 3)
    page.mouse.down()
    page.mouse.move(second["x"] + 3, last["y"] + 3, steps=3)
    page.mouse.up()
    page.wait_for_function("() => document.querySelector('.scene').textContent.includes('weights 7.81 GB')")
    assert {"KV cache 7.5 GB", "rack 2"} <= set(texts(page))
    assert "rack 3" not in texts(page)


def test_the_walks_rack_shows_the_way_between_two_chips(opened: Open) -> None:
    page = opened("step=17")
    page.locator(".scene-things").focus()
    page.keyboard.press("Enter")
    assert "cables to 18 switches" in texts(page)
    page.keyboard.press("ArrowDown")
    assert option(page).startswith("from chip 1 to switch 1; 1 hop")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert "2 hops, over 18 switches side by side" in texts(page)
    assert page.locator(".scene .flowing").count() == 2 * 18


def test_the_timetable_is_dragged_on_the_picture(opened: Open) -> None:
    page = opened("board=departures&mode=lecture")
    grips = page.locator(".scene .grip")
    for grip, way, control in ((0, (60, 0), "period_s"), (1, (0, -12), "load_fraction")):
        box = grips.nth(grip).bounding_box()
        value = page.locator(f"#control-{control}").input_value()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + way[0], y + way[1], steps=5)
        page.mouse.up()
        page.wait_for_selector("#views[aria-busy=false]")
        assert page.locator(f"#control-{control}").input_value() != value
        assert f"{control}=" in page.url


def test_a_request_is_followed_from_its_seat_to_its_token(opened: Open) -> None:
    page = opened("board=departures&mode=lecture")
    time = page.get_by_role("slider", name="Time of the scene")
    # The clock stands in the picture alone; who was left behind has a heading once there are any.
    assert not page.locator(".scene-controls output").is_visible()
    heading = page.locator(".scene text", has_text="below: left behind")
    time.fill("1000")
    assert float(heading.get_attribute("opacity")) == 1
    time.fill("95")  # the first train fills
    assert float(heading.get_attribute("opacity")) == 0
    dots = page.locator(".scene > svg circle[fill='var(--also)']:not([r='0'])")
    box = dots.first.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert any(re.fullmatch(r"it takes \d+ ms from arrival to token", one) for one in texts(page))
    ring = page.locator(".scene > svg circle[stroke='var(--ink)'][fill=none]:not([r='0'])")
    page.mouse.move(2, 2)
    seated = ring.bounding_box()
    time.fill("1000")
    counted = ring.bounding_box()
    assert counted["y"] > seated["y"] + 100  # in the histogram


@pytest.mark.parametrize("width", [1440, 390])
def test_a_flipped_bit_lights_what_it_changes(opened: Open, width: int) -> None:
    page = opened("board=feistel&mode=lecture", width=width, height=844)
    things = page.locator(".scene-things")
    things.focus()
    page.keyboard.press("End")
    box = page.locator(".scene-things [role=option]").bounding_box()
    assert min(box["width"], box["height"]) >= 24  # as large as a finger needs at least
    page.keyboard.press("Enter")
    (words,) = [one for one in texts(page) if one.startswith("one bit flipped")]
    assert option(page).startswith("bit 1 of x₂")
    number = int(words.split(": ")[1].split(" ")[0])
    # After all rounds, there and back.
    lit = page.evaluate(
        """() => {
          const bits = [...document.querySelectorAll('.scene > svg g > rect[height="6"]')];
          const right = Math.max(...bits.map(one => one.x.baseVal.value));
          const last = bits.filter(one => one.x.baseVal.value > right - 40);
          return last.filter(one => one.getAttribute('fill') === 'var(--estimate)').length;
        }"""
    )
    assert number > 0
    assert lit == 2 * number
    assert f"{number} of 16 bits" in words
