"""Scenes in a browser: they play once and rest, stand still where motion is not wanted, and follow hands and keys."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest

SCENES = ("departures", "experts", "bubbles", "inference-loop", "moe-layer")
BELIEFS = ("step", "output", "tier")

Open = Callable[..., Any]


@pytest.fixture
def opened(visitors: Callable[..., Any], resident: Any, address: str) -> Open:
    """A board whose first picture is a scene, with the motion asked for: where none, on a page that is there."""

    def opened(query: str, *, motion: str = "no-preference") -> Any:
        if motion == "reduce":
            return resident.come(f"?{query}")
        page = visitors(motion=motion, height=1000).page
        page.goto(f"{address}/?{query}")
        page.wait_for_selector(".scene svg")
        page.evaluate("document.fonts.ready")  # words in another font are as wide as others
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return page

    return opened


def sized(resident: Any, width: int, height: int) -> None:
    """Another window, in which all that was asked for is drawn again."""
    resident.page.set_viewport_size({"width": width, "height": height})
    resident.settle()


def moment(page: Any) -> float:
    return float(page.get_by_role("slider", name="Time of the scene").input_value())


def button(page: Any) -> str | None:
    found: str | None = page.locator(".scene-controls button").get_attribute("aria-label")
    return found


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_plays_by_itself_and_then_rests(opened: Open, name: str) -> None:
    page = opened(f"board={name}&mode=lecture")
    page.wait_for_function("() => document.querySelector('.scene-controls input').value > 20")
    assert button(page) == "Pause"
    page.get_by_role("slider", name="Time of the scene").focus()
    page.keyboard.press("End")
    assert (moment(page), button(page)) == (1000, "Play again")
    page.get_by_role("button", name="Play again").press("Space")
    page.wait_for_function("() => document.querySelector('.scene-controls input').value < 500")
    assert button(page) == "Pause"


@pytest.mark.parametrize("name", SCENES)
def test_where_motion_is_not_wanted_the_end_is_shown_and_the_scrubber_works(opened: Open, name: str) -> None:
    page = opened(f"board={name}&mode=lecture", motion="reduce")
    page.wait_for_timeout(300)
    assert (moment(page), button(page)) == (1000, "Play again")
    said = page.get_by_role("slider", name="Time of the scene").get_attribute("aria-valuetext")
    page.get_by_role("slider", name="Time of the scene").focus()
    page.keyboard.press("Home")
    assert moment(page) == 0
    assert page.get_by_role("slider", name="Time of the scene").get_attribute("aria-valuetext") != said


FLOWS = ("hop", "stages", "feistel")


@pytest.mark.parametrize("name", [*SCENES, *FLOWS])
def test_a_scene_and_what_turns_it_stand_on_one_screen(resident: Any, name: str) -> None:
    page = resident.turn_to(f"?board={name}&mode=both")
    for width, height in ((1440, 900), (1280, 720)):
        sized(resident, width, height)
        scene, controls = page.locator("#canvas").bounding_box(), page.locator("#controls").bounding_box()
        assert scene["y"] + scene["height"] <= controls["y"], width
        assert controls["y"] + controls["height"] <= height, width
        # No more than a line and what chooses a model stand between them: what is left is the scene's.
        drawn = page.locator(".scene > svg").bounding_box()
        assert controls["y"] - (drawn["y"] + drawn["height"]) < 130 or drawn["height"] > 0.45 * height, width


def test_controls_of_scenes_end_where_those_of_charts_do(resident: Any) -> None:
    """And whose numbers it is of below them."""
    last = """() => Math.max(...['#controls', '#sources'].map((part) =>
      document.querySelector(part)?.getBoundingClientRect().bottom ?? 0))"""
    scenes = ("bubbles", "departures", "stages", "inference-loop", "moe-layer")
    ends = [resident.turn_to(f"?board={name}&mode=both").evaluate(last) for name in (*scenes, "latency")]
    # To a pixel of rounding, and what boards without sources have no gap before.
    assert ends[:-1] == pytest.approx([ends[-1]] * len(scenes), abs=6)


@pytest.mark.parametrize(
    ("name", "part", "said"),
    [
        ("bubbles", (0.05, 0.2), r"^stage \d+: (forward|idle)"),
        ("inference-loop&view=1", (0.6, 0.3), r"^stage \d+: (a batch's odd tokens, batch \d, \d+\.\d to|idle)"),
        ("moe-layer", (0.5, 0.12), r"^router"),
    ],
)
def test_what_lies_under_the_pointer_is_said(opened: Open, name: str, part: tuple[float, float], said: str) -> None:
    page = opened(f"board={name}&mode=lecture", motion="reduce")
    drawing = page.locator(".scene > svg")
    box = drawing.bounding_box()
    drawing.hover(position={"x": part[0] * box["width"], "y": part[1] * box["height"]}, force=True)
    assert re.search(said, page.locator(".scene .chart-readout").inner_text())
    drawing.hover(position={"x": 1, "y": 1}, force=True)
    assert not page.locator(".scene .chart-readout").is_visible()


def test_a_loop_of_as_many_batches_as_stages_idles_nowhere_once_full(opened: Open) -> None:
    page = opened("board=inference-loop&view=1&mode=lecture", motion="reduce")
    texts = page.locator(".scene > svg text")
    scrubber = page.get_by_role("slider", name="Time of the scene")
    scrubber.focus()
    scrubber.fill("100")  # of 12 turns the second: one stage of four has its first batch, one its second
    assert "2 of 4" in texts.all_text_contents()
    scrubber.fill("700")
    assert "0 of 4" in texts.all_text_contents()


# Those of a ring that its number of idle stages lies under.
OVER_THE_COUNT = """() => {
    const count = [...document.querySelectorAll('.scene > svg > text')].find(one => one.textContent.includes(' of '));
    const { left, right, top, bottom } = count.getBoundingClientRect();
    return [...document.querySelectorAll('.scene > svg > g > g > circle')].map(one => one.getBoundingClientRect())
        .filter(one => one.left < right && one.right > left && one.top < bottom && one.bottom > top).length;
}"""


def test_on_a_low_phone_no_batch_lies_over_the_number_of_idle_stages(phone: Any) -> None:
    phone.screen(360, 640)
    page = phone.come("?step=24")
    scrubber = page.get_by_role("slider", name="Time of the scene")
    for time in (0, 100, 200, 400, 1000):
        scrubber.fill(str(time))
        assert page.evaluate(OVER_THE_COUNT) == 0, time
    assert "stages idle now" in page.locator(".scene > svg > text").all_text_contents()


def test_tokens_come_when_their_pass_ends(opened: Open) -> None:
    page = opened("board=prefill&view=1&mode=lecture", motion="reduce")
    scrubber = page.get_by_role("slider", name="Time of the scene")

    def said(time: int) -> list[str]:
        scrubber.fill(str(time))
        texts: list[str] = page.locator(".scene > svg text").all_text_contents()
        return [one for one in texts if " each" in one and "pass" not in one]

    # Of eight decode passes 0.8, 1.6 and all; prefill's one takes two hundred.
    assert said(100) == ["0 tokens each so far", "1,000 tokens each, 0.4 % done"]
    assert said(200) == ["1 token each so far", "1,000 tokens each, 0.8 % done"]
    assert said(1000) == ["8 tokens each so far", "1,000 tokens each, 4.0 % done"]
    # A pass over 20 tokens takes four.
    page = opened("board=prefill&view=1&mode=lecture&tokens_per_pass=20", motion="reduce")
    assert said(490) == ["3 tokens each so far", "20 tokens each, 98.0 % done"]
    assert said(510) == ["4 tokens each so far", "20 tokens each so far"]
    assert said(1000) == ["8 tokens each so far", "40 tokens each so far"]


def test_a_tokens_way_is_told_part_by_part(opened: Open) -> None:
    page = opened("board=moe-layer&mode=lecture", motion="reduce")
    scrubber = page.get_by_role("slider", name="Time of the scene")
    told = []
    for part in (10, 70, 130, 170, 240, 260):
        scrubber.fill(str(part))
        parts = (page.locator(f".scene > svg > {one}").first for one in ("text", "g[font-weight='600']"))
        told.append([one.text_content() or "" for one in parts])
    assert [words[0] for words in told] == ["token 1 of 4"] * 5 + ["token 2 of 4"]
    assert told[0][1].startswith("the router picks")
    assert [words[1] for words in told[:5]] == list(dict.fromkeys(words[1] for words in told[:5]))
    assert told[5][1] == told[0][1]


def shares(page: Any) -> list[str]:
    """Shares of the time that a scene tells."""
    return [one for one in page.locator(".scene > svg text").all_text_contents() if "%" in one]


def test_a_schedules_figures_stand_and_none_of_the_moment_runs_beside_them(opened: Open) -> None:
    page = opened("board=bubbles&mode=lecture", motion="reduce")
    at_end = shares(page)
    assert "43 % idle" in at_end
    page.get_by_role("slider", name="Time of the scene").focus()
    page.keyboard.press("Home")
    for _ in range(150):
        page.keyboard.press("ArrowRight")
    assert shares(page) == at_end


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_a_schedule_has_not_done_yet_is_pale_in_every_colour(opened: Open, theme: str) -> None:
    page = opened("board=bubbles&mode=lecture", motion="reduce")
    page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
    fills = page.evaluate(
        """() => [...document.querySelectorAll('.scene path[stroke-opacity]')]
            .map(one => [one.getAttribute('fill'), Number(getComputedStyle(one).fillOpacity)])"""
    )
    assert {"var(--weights)", "var(--also)"} <= {fill for fill, _ in fills}
    assert {opacity for _, opacity in fills} == {0.22}


# Words of the scene with where they lie in it, and its size.
WORDS = """() => {
    const texts = [...document.querySelectorAll('.scene > svg text')];
    const around = texts[0].ownerSVGElement.getBoundingClientRect();
    return texts.filter((one) => one.textContent && !one.closest('[clip-path]'))
        .map((one) => [one.textContent, one.getBoundingClientRect()])
        .map(([text, box]) => [text, box.left - around.left, box.top - around.top, box.right - around.left,
            box.bottom - around.top, around.width, around.height]);
}"""


@pytest.mark.parametrize(
    "name",
    [
        *(f"board={name}" for name in (*SCENES, *FLOWS, "not-wise", "uneven-stages", "switches")),
        "board=inference-loop&view=1",
        "board=bubbles&view=2",
        "board=prefill&view=1",
        "board=memory&view=2",
        "board=switches&view=1",
        "board=context&view=1",
        *(f"board={name}-evidence" for name in BELIEFS),
    ],
)
def test_words_of_a_scene_stay_inside_it_and_off_each_other(resident: Any, name: str) -> None:
    page = resident.turn_to(f"?{name}&mode=careful")
    for width in (340, 1040):
        sized(resident, width, 1000)
        boxes = page.evaluate(WORDS)
        assert boxes
        for text, left, top, right, bottom, wide, high in boxes:
            assert left >= -1, (text, width)
            assert top >= -1, (text, width)
            assert right <= wide + 1, (text, width)
            assert bottom <= high + 1, (text, width)
        for one, other in combinations(boxes, 2):
            across = min(one[3], other[3]) - max(one[1], other[1])
            down = min(one[4], other[4]) - max(one[2], other[2])
            # Lines of type have air above and below the letters.
            assert across <= 1 or down <= 5, (one[0], other[0], width)


@pytest.mark.parametrize("name", FLOWS)
def test_something_moves_along_and_at_the_end_all_is_there(opened: Open, name: str) -> None:
    page = opened(f"board={name}&mode=lecture", motion="reduce")
    # What is hidden may lie where it last was.
    drawn = """() => [...document.querySelectorAll('.scene > svg :not(g, defs *)')]
        .filter((one) => one.getAttribute('opacity') !== '0').map((one) => one.outerHTML).join('')"""
    end = page.evaluate(drawn)
    page.get_by_role("slider", name="Time of the scene").focus()
    page.keyboard.press("Home")
    begin = page.evaluate(drawn)
    assert begin != end
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    assert page.evaluate(drawn) not in {begin, end}
    page.keyboard.press("End")
    assert page.evaluate(drawn) == end


# Widths of the two bars that fill over that of their axis, how many copies each rack has under way, and what is said.
CROSSED = """() => {
    const svg = document.querySelector('.scene > svg');
    const all = svg.getAttribute('width');
    return {
        filled: [...svg.querySelectorAll('.done')].map((bar) => bar.getAttribute('width') / all),
        copies: [...svg.querySelectorAll('g')].map((group) => group.querySelectorAll(':scope > circle').length)
            .filter((count) => count > 1),
        said: [...svg.querySelectorAll('text')].filter((one) => one.getAttribute('opacity') !== '0')
            .map((one) => one.textContent),
    };
}"""


def test_traffic_inside_a_rack_and_the_hand_over_fill_bars_on_one_clock(opened: Open) -> None:
    page = opened("step=22", motion="reduce")
    scrubber = page.get_by_role("slider", name="Time of the scene")
    found = {}
    for part in (60, 500, 1000):
        scrubber.fill(str(part))
        found[part] = page.evaluate(CROSSED)
    # Of 8 hand-overs: half of one, then 4, then all; the token before is handed on in one.
    assert found[60]["filled"] == pytest.approx([0.06, 0.06], abs=0.002)
    assert found[500]["filled"] == pytest.approx([0.5, 1 / 8], abs=0.002)
    assert found[1000]["filled"] == pytest.approx([1, 1 / 8], abs=0.002)
    # Rack 2 has nothing to send before.
    assert (found[60]["copies"], found[500]["copies"]) == ([8], [8, 8])
    assert "waits" in found[60]["said"]
    ratio = "8 × 4 × 2 / 8 = 8"
    assert any(ratio in one for one in found[1000]["said"])
    assert not any(ratio in one for one in found[500]["said"])
    assert ratio in page.locator(".scene > svg").get_attribute("aria-label")
    # With one layer it takes a quarter of that.
    page.locator("#control-layers_per_stage-slider").press("Home")
    page.wait_for_selector(".scene > svg[aria-label*='8 × 1 × 2 / 8 = 2']")


@pytest.mark.parametrize("name", [*FLOWS, "not-wise"])
def test_every_slider_of_what_flows_moves_the_picture(opened: Open, name: str) -> None:
    page = opened(f"board={name}", motion="reduce")
    page.wait_for_selector("#views[aria-busy=false] .scene svg")
    drawn = "() => document.querySelector('.scene > svg').innerHTML"
    for slider in page.locator("#controls input[type=range]").all():
        before = page.evaluate(drawn)
        for key in ("End", "Home"):
            slider.press(key)
            page.wait_for_selector("#views[aria-busy=false] .scene svg")
            page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            if page.evaluate(drawn) != before:
                break
        else:
            pytest.fail(f"{slider.get_attribute('id')} moves nothing of {name}")
        page.locator(".back").first.click()
        page.wait_for_selector("#views[aria-busy=false] .scene svg")


def test_a_small_drawing_chooses_its_model_by_click_and_by_key(opened: Open) -> None:
    page = opened("board=context&view=1&mode=careful")
    page.locator(".scene [data-name='llama-3.1-405b']").click()
    page.wait_for_function("() => document.querySelector('#model').value === 'llama-3.1-405b'")
    assert "model=llama-3.1-405b" in page.url
    page.locator(".scene [data-name='kimi-k2']").press("Enter")
    page.wait_for_function("() => document.querySelector('#model').value === 'kimi-k2'")


def test_of_two_modes_one_is_shown_and_the_other_a_click_away(opened: Open) -> None:
    page = opened("board=departures&mode=both", motion="reduce")
    label = ".scene > svg[aria-label*='%s aboard']"
    page.wait_for_selector(label % "k")
    page.locator("#modes label", has_text="Pope's numbers").click()
    page.wait_for_selector(label % "1,922")


@pytest.mark.parametrize("query", ["board=departures", "board=departures&mode=lecture", "board=latency"])
def test_whose_numbers_they_are_is_chosen_in_one_place(resident: Any, query: str) -> None:
    page = resident.come(f"?{query}")
    switches = page.locator("#modes:visible")
    assert switches.count() == 1


def test_a_chip_is_framed_where_it_is_busier_than_others(resident: Any) -> None:
    page = resident.come("?step=18")
    framed = page.locator(".scene svg rect[stroke='var(--ink)'][stroke-width='4']")
    assert framed.count() == 0
    resident.turn_to("?step=18&skew=0.5")
    assert framed.count() == 1


def test_a_pipeline_is_first_seen_when_its_ring_is_full(opened: Open) -> None:
    """How much idles until then is not what its step is about, and no share of the time is told before its end."""
    page = opened("board=inference-loop&view=1&mode=lecture&micro_batches=4&stages=4")
    page.wait_for_function("() => document.querySelector('.scene-controls input').value > 20")
    page.get_by_role("button", name="Pause").click()
    counts = page.locator(".scene svg > text").all_text_contents()
    assert "0 of 4" in counts
    once_full = shares(page)
    assert once_full
    for at in (300, 600):
        page.locator(".scene-controls input").evaluate(
            "(one, at) => { one.value = at; one.dispatchEvent(new Event('input')); }", at
        )
        assert shares(page) == once_full
