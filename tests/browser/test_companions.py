"""Drawings beside a step's chart: they show what the chart has where it is read, and say it to whoever sees nothing."""

from __future__ import annotations

import re
from math import log
from typing import Any

import numpy as np
import pytest
from tests.browser.companions import ASTRAY, DRAWN, curves, drawn_of, fits_everywhere, place, slide

from ridgeline.quantity_text import format_quantity

FILLS = """() => Object.fromEntries([...document.querySelectorAll('.companion svg > g:first-of-type path')]
    .map((one, place) => [`${one.dataset.colour} ${place % 2 ? 'of all' : 'alone'}`, one.getBBox().height]))"""
WORDS = "() => [...document.querySelectorAll('.companion svg text')].map(one => one.textContent)"
THING = "() => document.querySelector('.companion svg > rect:last-of-type').getBBox().y"
SLABS = "() => [...document.querySelectorAll('.companion svg > g rect')].map(one => one.getBBox().y)"
BARS = """() => [...document.querySelectorAll('.companion svg path[data-colour]')].map(one =>
    [one.dataset.colour, one.getBBox().width])"""


# Where along the costs of the stores are drawn, in pixels.
COSTS = "() => [...document.querySelectorAll('.companion svg circle')].map(one => Number(one.getAttribute('cx')))"


def test_vessels_are_as_full_as_the_bill_is_where_it_is_read(resident: Any) -> None:
    page = resident.turn_to("?step=33")
    page.wait_for_selector(DRAWN)
    fills = page.evaluate(FILLS)
    # By his numbers all three are alike at his model, where the step is read.
    assert [fills[f"{one} alone"] for one in ("compute", "muted", "also")] == pytest.approx(
        [fills["compute alone"]] * 3, abs=0.2
    )
    view = curves("budget")
    slide(resident, 450)
    fills, x = page.evaluate(FILLS), place(view, 450)
    picture = view["pictures"]["lecture"]
    costs = {part["colour"]: float(np.interp(x, picture["x"], part["y"])) for part in picture["bill"][0]}
    scale = fills["compute alone"] / costs["compute"]
    for colour, cost in costs.items():
        assert fills[f"{colour} alone"] == pytest.approx(scale * cost, abs=0.2)  # tenths of pixels are drawn
        assert fills[f"{colour} of all"] == pytest.approx(scale * cost, abs=0.2)
    share = round(100 * costs["compute"] / sum(costs.values()))
    assert f"pre-training {share} %" in page.get_attribute(".companion .opened", "aria-label")
    # What could be saved may be a pixel high: its number is written.
    least = np.sum([part["y"] for part in picture["bill"][0]], axis=0).min()
    assert f"the least {least:.3g}×" in page.locator(".companion svg text").all_text_contents()
    fits_everywhere(resident)


def test_a_cache_lies_in_the_store_that_is_cheapest_where_the_chart_is_read(resident: Any) -> None:
    page = resident.turn_to("?step=40")
    page.wait_for_selector(DRAWN)
    view = curves("tiers")
    picture = view["pictures"]["lecture"]
    lines = {one["name"]: one["y"] for one in picture["lines"]}
    stores = [one["line"] for one in picture["companion"]["stores"]]
    found = []
    for thousandths in (50, 300, 560, 900):
        slide(resident, thousandths)
        x = place(view, thousandths)
        least = min(stores, key=lambda name: np.interp(x, picture["x"], lines[name]))
        tops = page.evaluate(SLABS)
        assert int(np.searchsorted(tops, page.evaluate(THING))) - 1 == stores.index(least)
        assert f": {least}. HBM $" in page.get_attribute(".companion .opened", "aria-label")
        # Costs stand apart as far as their logarithms do, from the cheapest to the end of the room for them.
        costs = np.log([float(np.interp(x, picture["x"], lines[name])) for name in stores])
        dots = np.array(page.evaluate(COSTS))
        assert dots.max() - dots.min() > 100
        parts = (costs - costs.min()) / (costs.max() - costs.min())
        assert dots == pytest.approx(
            dots.min() + parts * (dots.max() - dots.min()), abs=1
        )  # tenths are drawn, and read
        found.append(least)
    assert found == ["HBM", "DDR", "flash", "disk"]
    fits_everywhere(resident)


def test_bars_of_prices_and_costs_have_one_scale(resident: Any) -> None:
    page = resident.turn_to("?step=38")
    page.wait_for_selector(DRAWN)
    names = ["list price", "computing", "memory"]
    # On a low screen, too, each bar is named; of those that answer the question no more than that.
    page.set_viewport_size({"width": 1280, "height": 720})
    resident.settle()
    shown = page.evaluate(WORDS)
    assert [one for one in shown if one in names] == 2 * names
    assert {"input token", "output token", "5×"} < set(shown)
    assert shown.count("?") == 2
    assert page.evaluate(ASTRAY) == []
    page.get_by_role("button", name="Show it").click()
    resident.settle()
    bars = page.evaluate(BARS)
    assert [colour for colour, _ in bars] == 2 * ["money", "compute", "weights", "kv"]
    widths = [width for _, width in bars]
    # List prices as 1 to 5; arithmetic alike; a batch three times the balance batch.
    assert [width / widths[1] for width in widths[4:7]] == pytest.approx([5, 1, 1 / 3], abs=0.02)
    assert "output token, 1 token of a sequence per pass: list price 5×, computing 1×" in page.get_attribute(
        ".companion .opened", "aria-label"
    )
    fits_everywhere(resident)


def test_bars_of_models_follow_the_context(resident: Any) -> None:
    """Step 36: of the models that read least, reading is so many times as long as computing."""
    page = resident.turn_to("?step=36")
    page.wait_for_selector(DRAWN)
    # On a low screen models have their numbers before their bars.
    page.set_viewport_size({"width": 1280, "height": 720})
    resident.settle()
    assert "V4-Flash: 13.2B active, 936 B a token" in page.evaluate(WORDS)
    assert page.evaluate(ASTRAY) == []
    own_computes, own_reads, computes, reads, *_ = (width for _, width in page.evaluate(BARS))
    assert own_computes == pytest.approx(own_reads, abs=0.2)
    label = page.get_attribute(".companion .opened", "aria-label")
    (times,) = re.findall(r"V4-Flash: [^:]+: computing, reading ([\d.]+)× computing", label)
    assert reads / computes == pytest.approx(float(times), rel=0.03)
    fits_everywhere(resident)
    # With a shorter context computing takes longer than reading.
    page.set_viewport_size({"width": 1280, "height": 800})
    # Shorter than the step's slider goes.
    page.fill("#control-context_tokens", "1000")
    page.press("#control-context_tokens", "Enter")
    page.wait_for_selector(".companion .opened[aria-label*='reading 0.2']")
    _, _, computes, reads, *_ = (width for _, width in page.evaluate(BARS))
    assert reads < computes


def test_as_many_experts_are_lit_as_a_token_reads(resident: Any) -> None:
    page = resident.turn_to("?step=11")
    page.wait_for_selector(DRAWN)
    lit = """() => [...document.querySelectorAll('.companion svg > g > g')].map(one =>
        [...one.querySelectorAll('path')].map(dots => dots.getAttribute('d').split('M').length - 1))"""
    assert page.evaluate(lit) == [[256 - 32, 32], [256 - 8, 8]]
    said = page.get_attribute(".companion .opened", "aria-label")
    assert "a token reads 32 (he says), 8 (DeepSeek-V3, published)" in said
    assert said.endswith("balance batch 300 × 18.14 = 5,440")
    fits_everywhere(resident)
    # Of a larger sparsity a token reads fewer.
    page.locator("#control-expansion-slider").press("PageUp")
    page.wait_for_selector(".companion .opened[aria-label*='at sparsity']")
    assert page.evaluate(lit)[1][1] < 8
    # Of the largest it still reads one.
    page.locator("#control-expansion-slider").press("End")
    page.wait_for_function(f"() => ({lit})()[1][1] === 1")


BARS_OF_TIME = """() => [...document.querySelectorAll('.companion svg > g > g')].map(rack => ({
    chips: rack.children[1].getAttribute('d').split('M').length - 1,
    part: rack.children[2].getBBox().width / rack.children[1].getBBox().width,
    time: rack.children[4].getBBox().width,
    words: rack.textContent,
}))"""


def test_chips_of_two_racks_read_their_shares_on_one_clock(resident: Any) -> None:
    page = resident.turn_to("?step=30")
    page.wait_for_selector(DRAWN)
    # The time of the larger one is asked: its chips are seen, and no time.
    small, large = page.evaluate(BARS_OF_TIME)
    assert (small["chips"], large["chips"]) == (8, 72)
    assert (large["part"], large["time"]) == (0, 0)
    assert large["words"].endswith("in ?")
    assert "1.74" not in page.get_attribute(".companion .opened", "aria-label")
    fits_everywhere(resident)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("button", name="Show it").click()
    page.wait_for_selector(".companion .opened[aria-label*='1.74 ms']")
    small, large = page.evaluate(BARS_OF_TIME)
    assert (small["chips"], large["chips"]) == (8, 72)
    picture = curves("racks")["pictures"]["lecture"]
    took = [one["read_s"] for one in picture["companion"]["readers"]]
    assert large["time"] / small["time"] == pytest.approx(took[1] / took[0], rel=0.01)  # tenths of pixels are drawn
    assert "37.3 ms" in small["words"]
    assert "1.74 ms9 times the chips" in large["words"]
    fits_everywhere(resident)
    # A hand on the clock stops it where the larger rack is done and the smaller one has barely begun.
    page.locator(".companion .clock-hand input").evaluate(
        "one => { one.value = 100; one.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    small, large = page.evaluate(BARS_OF_TIME)
    # The last chip's share begins after seven others.
    assert small["part"] == pytest.approx((7 + 0.1) / 8, abs=0.01)
    assert large["part"] == pytest.approx(1, abs=0.01)
    assert page.get_attribute(".companion .clock-hand input", "aria-valuetext") == "3.73 ms"
    # Keys take it, too; and with fewer weights all of it is done sooner.
    page.locator(".companion .clock-hand input").press("End")
    assert page.get_attribute(".companion .clock-hand input", "aria-valuetext") == "37.3 ms"
    page.set_viewport_size({"width": 1280, "height": 800})
    page.locator("#control-weight_bytes-slider").press("PageDown")
    page.wait_for_function("() => !document.querySelector('.companion').textContent.includes('37.3 ms')")


SQUARES = """() => {
    const many = one => (one.getAttribute('d').match(/M/g) ?? []).length;
    const [domains] = document.querySelectorAll('.companion svg > g');
    const boxes = [...domains.children].map(one => one.children[1].getBBox());
    return {
        domains: [...domains.children].map(one => [many(one.children[0]), many(one.children[1])]),
        outlines: many([...document.querySelectorAll('.companion .opened svg > path')].at(-1)),
        areas: boxes.map(one => one.width * one.height),
    };
}"""


def test_the_last_domain_is_covered_by_four_of_the_one_before(resident: Any) -> None:
    page = resident.turn_to("?step=20")
    page.wait_for_selector(DRAWN)
    found = page.evaluate(SQUARES)
    assert found["domains"] == [[8, 8], [72, 144], [144, 576]]
    assert found["outlines"] == 1 + 4
    # At one scale; four with gaps between them.
    assert found["areas"][2] / found["areas"][1] == pytest.approx(4, abs=0.4)
    assert "4 × the 144 dies before it" in page.text_content(".companion")
    fits_everywhere(resident)
    hand = page.locator(".companion .clock-hand input")
    hand.press("Home")
    assert page.evaluate(SQUARES)["outlines"] == 1
    hand.evaluate("one => { one.value = 600; one.dispatchEvent(new Event('input', { bubbles: true })); }")
    assert page.evaluate(SQUARES)["outlines"] == 1 + 2
    assert hand.get_attribute("aria-valuetext") == "2 × 144 dies"


def test_how_large_the_last_domain_is_waits_for_the_answer(resident: Any) -> None:
    page = resident.come("?step=20", is_told=False)
    page.wait_for_selector(DRAWN)
    assert page.evaluate(SQUARES)["domains"] == [[8, 0], [72, 0], [0, 0]]
    before, free = page.evaluate(
        """() => {
            const svg = document.querySelector('.companion .opened svg');
            const before = svg.children[0].children[1].children[0];
            return [before, svg.querySelector('.free')].map(one => one.getBBox().width);
        }"""
    )
    assert free == pytest.approx(before, rel=0.05)
    assert page.locator(".companion .opened svg .asked").text_content() == "?"
    page.get_by_role("button", name="Show it").click()
    page.wait_for_function("() => document.querySelector('.companion .opened svg .asked').textContent === ''")
    assert page.evaluate(SQUARES)["domains"] == [[8, 8], [72, 144], [144, 576]]


CELLS = """() => [...document.querySelectorAll('.companion svg > path[data-colour=compute]')].map(one =>
    (one.getAttribute('d').match(/M/g) ?? []).length)"""


def test_a_chip_multiplies_as_many_parameters_as_cells_while_one_is_on_its_way(resident: Any) -> None:
    page = resident.turn_to("?step=10")
    page.wait_for_selector(DRAWN)
    assert page.evaluate(CELLS) == [0, 300]
    fits_everywhere(resident)
    page.set_viewport_size({"width": 1280, "height": 800})
    # A hand takes the parameter on its way.
    hand = page.locator(".companion .clock-hand input")
    hand.evaluate("one => { one.value = 250; one.dispatchEvent(new Event('input', { bubbles: true })); }")
    assert page.evaluate(CELLS) == [225, 75]
    assert hand.get_attribute("aria-valuetext") == "75 multiplied"
    # The number that is set, and the chip whose dot is pointed at.
    page.locator("#control-balance_ratio-slider").press("PageUp")
    page.wait_for_selector(".companion .opened:not([aria-label*='multiplies 300,'])")
    resident.rest()
    left, done = page.evaluate(CELLS)
    assert left == 0
    assert done > 300
    resident.rest()
    picture = curves("ratio")["pictures"]["lecture"]
    group = next(one for one in picture["dots"] if "h20-sxm" in one["labels"])
    ratio = group["y"][group["labels"].index("h20-sxm")]
    page.locator("#canvas svg text", has_text="H20 SXM").hover()
    box = page.locator("#canvas svg text", has_text="H20 SXM").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] + 6)
    page.wait_for_selector(".companion .opened[aria-label*='H20 SXM']")
    assert page.evaluate(CELLS) == [0, round(ratio)]
    page.mouse.move(5, 5)
    page.wait_for_function("() => !document.querySelector('.companion').textContent.includes('H20')")


NETWORKS = """() => {
    const svg = document.querySelector('.companion .opened svg');
    const [bed, , frames, fast] = svg.querySelectorAll(':scope > path');
    const lanes = [...svg.querySelectorAll('g > g')];
    return {
        racks: frames.getAttribute('d').split('M').length - 1,
        faster: fast.getAttribute('stroke-width') / bed.getAttribute('stroke-width'),
        times: lanes.map(one => one.children[1].getBBox().width),
        numbers: lanes.map(one => one.children[2].textContent),
        joined: bed.getAttribute('d') !== '',
    };
}"""


def test_racks_are_done_over_their_fast_links_long_before_the_slow_ones(resident: Any) -> None:
    page = resident.turn_to("?step=19")
    page.wait_for_selector(DRAWN)
    found = page.evaluate(NETWORKS)
    assert (found["racks"], found["numbers"], found["joined"]) == (2, ["0.5", "4"], True)
    # Tenths of pixels are drawn, of links that are 1.75 wide.
    assert found["faster"] == pytest.approx(8, rel=0.05)
    assert found["times"][1] / found["times"][0] == pytest.approx(4 / 0.5, rel=0.01)
    assert "times as long as all of it inside one rack" in page.text_content(".companion")
    fits_everywhere(resident)
    # At a quarter of the time the fast links are done, and the slow ones a quarter.
    hand = page.locator(".companion .clock-hand input")
    hand.evaluate("one => { one.value = 250; one.dispatchEvent(new Event('input', { bubbles: true })); }")
    assert page.evaluate(NETWORKS)["numbers"] == ["0.5", "1"]
    assert hand.get_attribute("aria-valuetext") == "1"
    page.set_viewport_size({"width": 1280, "height": 800})
    slider = page.locator("#control-racks-slider")
    slider.press("End")
    page.wait_for_selector(".companion .opened[aria-label*='7/8 leaves it']")
    found = page.evaluate(NETWORKS)
    assert (found["racks"], found["numbers"]) == (8, ["0.125", "7"])
    fits_everywhere(resident)
    page.set_viewport_size({"width": 1280, "height": 800})
    slider.press("Home")
    page.wait_for_selector(".companion .opened[aria-label*='none leaves it']")
    found = page.evaluate(NETWORKS)
    assert (found["racks"], found["numbers"], found["joined"]) == (1, ["1", "0"], False)
    # What takes as long has words in place of its number.
    resident.turn_to("?step=19&link_ratio=2&racks=2")
    page.wait_for_selector(DRAWN)
    page.wait_for_selector(".companion >> text=/^as long as all of it inside one rack$/")
    assert page.evaluate(NETWORKS)["numbers"] == ["0.5", ""]


ROWS = """() => [...document.querySelectorAll('.companion svg > g > g')].map(row => ({
    cells: (row.children[3].getAttribute('d').match(/M/g) ?? []).length,
    memory: row.children[7].getBBox().width / row.children[6].getBBox().width,
    number: row.children[9].textContent,
}))"""


def test_stacks_keep_what_the_chart_says_at_each_step_of_training(resident: Any) -> None:
    page = resident.turn_to("?step=45")
    page.wait_for_selector(DRAWN)
    view, picture = drawn_of(45)
    lines = {one["name"]: one["y"] for one in picture["lines"]}
    stacks = picture["companion"]["stacks"]
    most = max(map(max, lines.values()))
    low, high = view["axes"]["x"]["ends"]
    # It is seen first where the plain stack is full; then there, and on the way back.
    for now in (8, 3, 11, 16):
        if now != 8:
            slide(resident, round(1000 * (now - low) / (high - low)))
        rows = page.evaluate(ROWS)
        said = page.get_attribute(".companion .opened", "aria-label")
        assert f"step {now} of 16: {'forwards' if now <= 8 else 'back'} through layer {min(now, 17 - now)}:" in said
        for row, stack in zip(rows, stacks, strict=True):
            held = lines[stack["line"]][now - 1]
            assert row["cells"] == sum(a <= now <= b for a, b in zip(stack["since"], stack["until"], strict=True))
            assert row["memory"] == pytest.approx(held / most, abs=0.005)  # tenths of pixels are drawn
            assert row["number"] == format_quantity(held, "bytes")
            assert f"{stack['line']} {row['number']}" in said
    fits_everywhere(resident)


def test_a_stack_that_is_undone_has_the_charts_memory_and_arithmetic(resident: Any) -> None:
    page = resident.turn_to("?step=46")
    page.wait_for_selector(DRAWN)
    _, picture = drawn_of(46)
    (line,) = picture["lines"]
    for thousandths, layers in ((500, 4.0), (800, 6.0), (1000, 8.0)):
        slide(resident, thousandths)
        line_at, track = page.locator(".plumb path").first.bounding_box(), page.locator(".along").bounding_box()
        # Of whole layers the thumb goes to the nearest.
        assert (line_at["x"] - track["x"]) / track["width"] == pytest.approx(layers / 8, abs=0.003)
        assert int(page.input_value(".along input")) == 1000 * layers / 8
        held = format_quantity(float(np.interp(layers, picture["x"], line["y"])), "bytes")
        # Six FLOP a parameter and token, and two more where all are computed again.
        more = format_quantity(2 * layers / 8 / 6, "fraction", 2)
        strong = page.locator(".companion text.strong").all_text_contents()
        assert [text for text in strong if text] == [held, f"+{more}"]
        said = f"{format_quantity(layers, 'count', 2)} of 8 layers reversible: memory {held}, compute +{more}"
        assert page.get_attribute(".companion .opened", "aria-label").endswith(said)
        stored, *_ = page.evaluate(
            "[...document.querySelectorAll('.companion svg > path')].slice(1).map(one => one.getBBox().width)"
        )
        assert (stored > 0) is (layers < 8)
    fits_everywhere(resident)


def test_a_training_step_plays_on_from_where_it_is_read_and_comes_back_there(mover: Any) -> None:
    page = mover.come("?step=45")
    page.wait_for_selector(".companion .pace[aria-label=Play]")
    hand = ".along input"
    first = float(page.input_value(hand))
    page.locator(".companion .pace").click(position={"x": 5, "y": 5})
    # Backwards first, then a step from its begin: the hand on the chart's axis goes along.
    page.wait_for_function(f"first => Number(document.querySelector('{hand}').value) > first + 200", arg=first)
    assert "back through layer" in page.text_content(".companion")
    page.wait_for_function(f"first => Number(document.querySelector('{hand}').value) < first - 200", arg=first)
    page.wait_for_selector(".companion .pace[aria-label=Play]")
    assert float(page.input_value(hand)) == first
    assert "step 8 of 16" in page.text_content(".companion")


def test_it_plays_to_where_the_chart_is_read_and_stops_for_a_press(mover: Any) -> None:
    page = mover.come("?step=33")
    pace = page.locator(".companion .pace")
    # It is seen first as full as the chart and its strip say, and pours once it is asked to.
    page.wait_for_selector(".companion .pace[aria-label=Play]")
    assert page.evaluate(FILLS)["also alone"] > 0
    pace.click(position={"x": 5, "y": 5})
    page.wait_for_function("() => document.querySelector('.companion .pace')?.ariaLabel === 'Pause'")
    pace.click(position={"x": 5, "y": 5})
    assert pace.get_attribute("aria-label") == "Play"
    stood = page.evaluate(FILLS)
    mover.rest()
    assert page.evaluate(FILLS) == stood
    assert stood["also alone"] == 0  # nothing is served yet
    shares = page.locator(".companion text.strong").all_text_contents()
    assert shares[-2] == "0 %"  # nor does a number say so
    assert shares[-1] != "1×"
    # A hand on the chart sees all of it.
    slide(mover, 500)
    assert page.evaluate(FILLS)["also alone"] > 0
    # It is seen first at the time that was asked about; when it plays the hand on the chart goes along, until taken.
    mover.turn_to("?step=40")
    page.wait_for_selector(".companion .pace[aria-label=Play]")
    hand = ".along input"
    asked = page.input_value(hand)
    assert "After 5 min" in page.get_attribute(".companion .opened", "aria-label")
    pace.click(position={"x": 5, "y": 5})
    page.wait_for_function(f"asked => document.querySelector('{hand}').value < asked / 2", arg=float(asked))
    slide(mover, 900)
    assert page.input_value(hand) == "900"
    assert pace.get_attribute("aria-label") == "Play"


def test_the_handle_follows_the_model_that_somebody_sets(resident: Any) -> None:
    """At the step of three bills the board's own model is a mark, at which bills are read until a hand moves them."""
    page = resident.come("?step=33")
    resident.rest()
    # The axis counts its parameters: it has no slider beside that.
    assert page.locator("#control-active_params-slider").count() == 0
    resident.turn_to("?step=33&active_params=50B")
    resident.rest()
    page.wait_for_function("""() => {
        const told = document.querySelector('#symbols [data-of="active_params"]').textContent;
        const drawn = document.querySelector('.companion').textContent;
        return told !== '100B' && drawn.includes(`a model of ${told} active`);
    }""")


GUESSED = """() => {
    const wide = one => {
        const { width, height } = one.getAttribute('d') ? one.getBBox() : { width: 0, height: 0 };
        return { width, height };
    };
    const svg = document.querySelector('.companion .opened svg');
    const filled = [...svg.querySelectorAll('path[data-colour]')].at(-1);
    const chart = document.querySelector('#canvas .chart').getBoundingClientRect().toJSON();
    return { guess: wide(svg.querySelector('.guess')), truth: wide(filled), chart };
}"""


@pytest.mark.parametrize("place", [1, 15, 29])
def test_beside_a_question_stands_what_is_known_and_grows_with_the_guess(resident: Any, place: int) -> None:
    page = resident.come(f"?step={place}")
    page.wait_for_selector(DRAWN)
    said = page.get_attribute(".companion .opened", "aria-label")
    assert said.endswith("?")  # what is asked is not said
    before = page.evaluate(GUESSED)
    assert before["guess"]["width"] == 0
    assert before["chart"]["height"] > 0.4 * page.viewport_size["height"]
    areas = []
    for part in (0.7, 0.4):
        box = page.locator("#canvas .chart").bounding_box()
        # Left of the buttons beside the dot: a press on those puts it nowhere.
        page.mouse.click(box["x"] + box["width"] / 4, box["y"] + part * box["height"])
        resident.rest()
        guess = page.evaluate(GUESSED)["guess"]
        areas.append(guess["width"] * guess["height"])
        assert "you" in page.get_attribute(".companion .opened", "aria-label")
    assert areas[1] > 1.5 * areas[0] > 0
    page.get_by_role("button", name="Check").first.click()
    resident.rest()
    after = page.evaluate(GUESSED)
    assert after["chart"] == pytest.approx(before["chart"])
    assert after["truth"]["width"] > 0
    assert not page.get_attribute(".companion .opened", "aria-label").endswith("?")
    fits_everywhere(resident)


LEVELS = """() => [...document.querySelectorAll('.companion svg > g:first-of-type > g')].map(store => {
    const [whole, rest] = store.children;
    return rest.getAttribute('d') ? rest.getBBox().height / whole.getBBox().height : 0;
})"""


def test_stores_are_read_out_as_fast_as_the_chart_says(resident: Any) -> None:
    page = resident.turn_to("?step=41")
    page.wait_for_selector(DRAWN)
    _, picture = drawn_of(41)
    times = {mark["text"]: mark["y"] for mark in picture["marks"]}
    stores = picture["companion"]["read_out"]
    assert {one["drain_text"]: one["drain_s"] for one in stores} == pytest.approx(times, rel=1e-3)
    five_minutes, hour = (moment["at"] for moment in picture["companion"]["moments"])
    first = stores[0]["drain_s"] / 10
    rest = 1000 * log(five_minutes / first) / log(hour / first)
    hand = page.locator(".companion .clock-hand input")
    for thousandths in (rest, 1000, 820, 0):  # it is seen first at five minutes
        if thousandths != rest:
            hand.evaluate(
                "(one, at) => { one.value = at; one.dispatchEvent(new Event('input', { bubbles: true })); }",
                thousandths,
            )
        now = first * (hour / first) ** (thousandths / 1000)
        left = [max(0.0, 1 - now / one["drain_s"]) for one in stores]
        assert page.evaluate(LEVELS) == pytest.approx(left, abs=0.002)  # hundredths of pixels are drawn
    fits_everywhere(resident)


def test_stores_are_read_at_the_same_time_whoevers_numbers_they_are(resident: Any) -> None:
    """Clocks begin where the first store has been read for a while, which is later by the sourced numbers."""
    page = resident.turn_to("?step=41")
    page.wait_for_selector(DRAWN)
    hand = page.locator(".companion .clock-hand input")
    said = page.locator(".companion svg .strong", has_text="after")
    pictures = {mode: drawn_of(41, mode)[1]["companion"] for mode in ("lecture", "careful")}
    assert pictures["lecture"]["read_out"][0]["drain_s"] != pictures["careful"]["read_out"][0]["drain_s"]

    def same(seconds: float, words: str) -> None:
        for name, whose in (("both", "careful"), ("sourced", "careful"), ("Pope's numbers", "lecture")):
            page.get_by_role("radio", name=name).or_(page.get_by_role("button", name=name)).first.click()
            stores = pictures[whose]["read_out"]
            page.wait_for_selector(f".companion svg text:has-text('{stores[0]['capacity_text']}')", state="attached")
            assert (hand.get_attribute("aria-valuetext"), said.text_content()) == (words, f"after {words}"), name
            left = [max(0.0, 1 - seconds / one["drain_s"]) for one in stores]
            assert page.evaluate(LEVELS) == pytest.approx(left, abs=0.002), name

    same(300, "300 s")
    # So is a time that a hand has taken, and the end.
    first, hour = pictures["lecture"]["read_out"][0]["drain_s"] / 10, pictures["lecture"]["moments"][-1]["at"]
    hand.evaluate("one => { one.value = 950; one.dispatchEvent(new Event('input', { bubbles: true })); }")
    same(first * (hour / first) ** 0.95, hand.get_attribute("aria-valuetext"))
    hand.press("End")
    same(hour, hand.get_attribute("aria-valuetext"))
    assert hand.input_value() == "1000"


CHALK = """() => [...document.querySelectorAll('.chart .chalk')].map(one =>
    getComputedStyle(one).display !== 'none' && document.getElementById('chalk') !== null)"""


def test_by_night_what_he_says_is_in_chalk_and_what_is_sourced_is_in_print(visitor: Any) -> None:
    page = visitor.open("?step=4")
    page.wait_for_selector("#chalk", state="attached")
    assert page.evaluate(CHALK) == [False]
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    assert page.evaluate(CHALK) == [True]
    page.get_by_role("radio", name="sourced").or_(page.get_by_role("button", name="sourced")).first.click()
    page.wait_for_function(f"() => !({CHALK})()[0]")


def test_stores_are_alike_but_for_what_they_cost(resident: Any) -> None:
    """No length of theirs is a time."""
    page = resident.come("?step=40")
    page.wait_for_selector(DRAWN)
    found = page.evaluate("""() => [...document.querySelectorAll('.companion svg > g > g > rect:first-child')]
        .map(one => one.getBBox()).map(({ x, width }) => [x, width])""")
    assert len(found) > 3
    assert len({tuple(one) for one in found}) == 1
