"""Where things stand: what is wrong on the first screen, notes under their tracks, formulas whole."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import pytest
from tests.browser.controls import CUT_OF_ALL

from ridgeline.boards.board import Mode
from ridgeline.boards.documents.letters import letters_document
from ridgeline.boards.lecture import BOARDS, board
from ridgeline.boards.lecture.walk import walk_document
from ridgeline.boards.live_controls import live_controls
from ridgeline.boards.ranked_controls import ranked_controls
from ridgeline.quantity_text import format_quantity

STEP_OF = {one["board"]: place for place, one in reversed(list(enumerate(walk_document()["steps"], start=1)))}
"""First step of each board."""


@pytest.mark.parametrize("query", ["board=latency&foo=x&bar=y", "board=departures&load_fraction=300%25"])
def test_what_is_wrong_leaves_the_board_on_the_first_screen(visitor: Any, query: str) -> None:
    page = visitor.page
    page.goto(f"{visitor.address}/?{query}")
    page.wait_for_selector("#problem")
    page.wait_for_selector("#controls .control")
    assert page.locator(".stage").bounding_box()["y"] < 200
    assert page.locator("#problem").bounding_box()["y"] < 200
    field = page.locator("#controls .control > input").first
    field.fill("banana")
    field.press("Enter")
    page.wait_for_selector("#problem[role=alert]")
    assert page.locator(".stage").bounding_box()["y"] < 200
    visitor.complaints.clear()  # the browser's own word on the refused request


# Letters that wrapped late moved the chart in step 21, the machine in step 2, all of the end.
@pytest.mark.parametrize("query", ["step=2", "step=21", "step=47"])
def test_nothing_moves_when_a_step_gets_its_numbers(visitors: Any, query: str) -> None:
    visitor = visitors(width=1440, height=900)
    page = visitor.page
    page.add_init_script(
        """window.shifted = 0;
        new PerformanceObserver(list => {
            for (const one of list.getEntries()) window.shifted += one.value;
        }).observe({ type: 'layout-shift', buffered: true });"""
    )
    page.goto(f"{visitor.address}/?{query}")
    page.wait_for_selector("#symbols, #ending .card")
    page.wait_for_timeout(500)
    assert page.evaluate("window.shifted") < 0.04  # a sentence in another font; it was 0.14 to 0.39


def test_the_handle_of_a_board_says_what_its_slider_says(resident: Any) -> None:
    page = resident.come("?board=budget")
    said = page.locator("#canvas .along input").get_attribute("aria-valuetext")
    assert said.startswith("size of a model as good 100B")
    control = page.locator("#controls .control", has_text="active params")
    assert control.locator("input:not([type=range])").input_value() == "100B"


def test_below_the_picture_nothing_is_drawn_out(resident: Any) -> None:
    """Beside a margin that is longer than all else."""
    page = resident.come("?board=latency&mode=both")
    parts = [box.bounding_box() for box in page.locator(".rest > *").all()]
    ends = [part["y"] + part["height"] for part in parts]
    assert all(after["y"] - end < 60 for end, after in zip(ends, parts[1:], strict=False))
    # Nor does the picture lie over what follows it once that is scrolled to.
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    boxes = [page.locator(one).bounding_box() for one in (".stage", ".lower")]
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]


def test_a_turned_control_is_told_beside_its_value_and_its_note_covers_none(resident: Any) -> None:
    page = resident.come("?board=latency&kv_bytes_per_token=5kB&hbm_bytes_per_s=3TB/s&mode=both")
    tracks = [one.bounding_box() for one in page.locator("#controls .track").all()]
    lowest = max(one["y"] + one["height"] for one in tracks)
    below = page.locator("#sources").bounding_box()["y"]
    for control in page.locator("#controls .control").all():
        control.locator("label").hover()
        label, field, note = (control.locator(one).bounding_box() for one in ("label", "> input", ".starts"))
        track = control.locator(".track").bounding_box()
        assert label["x"] + label["width"] <= field["x"] + field["width"]
        back = control.locator(".back")
        if back.count():
            box = back.bounding_box()
            assert box["x"] >= field["x"] + field["width"] - 1
            assert box["x"] + box["width"] <= track["x"] + track["width"] + 1
        assert control.locator(".starts").evaluate("note => getComputedStyle(note).opacity") == "1"
        assert lowest <= note["y"]
        assert note["y"] + note["height"] <= below + 1
    assert page.locator("#controls .back").count() == 2


# Of what lies over sliders and fields of controls, which ones.
OVER = """name => {
    const box = document.querySelector(name).getBoundingClientRect();
    return [...document.querySelectorAll('#controls :is(.track, .control > input)')].filter(one => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        return left < box.right && right > box.left && top < box.bottom - 1 && bottom > box.top + 1;  // of rounding
    }).map(one => one.id || one.className);
}"""


@pytest.mark.parametrize("height", [800, 900])
def test_what_a_control_says_lies_over_no_control(resident: Any, height: int) -> None:
    resident.screen(1280, height)
    page = resident.come("?step=14")
    resident.unfold()
    resident.settle()
    names = page.locator("#controls .control > input").evaluate_all("all => all.map(one => one.id)")
    assert len(names) > 1
    for name in names:
        page.hover(f"label[for={name}]")
        page.wait_for_selector(".card-of-word:popover-open")
        assert page.evaluate(OVER, ".card-of-word:popover-open") == []
        assert page.evaluate(OVER, f"#{name}-says") == []
        note = page.locator(f"#{name}-says").bounding_box()
        assert note["y"] + note["height"] <= height
        page.mouse.move(2, 2)
        page.wait_for_selector(".card-of-word:popover-open", state="detached")


def test_a_phones_note_on_a_control_has_a_margin_and_lies_over_no_control(phone: Any) -> None:
    page = phone.open("?step=14")
    phone.unfold()
    phone.settle()
    name = page.locator("#controls .taken .control > input").get_attribute("id")
    page.locator(f"#{name}-slider").focus()
    page.keyboard.press("ArrowRight")
    phone.settle()
    note = page.locator(f"#{name}-says")
    assert note.evaluate("one => getComputedStyle(one).opacity") == "1"
    assert (
        note.evaluate(
            "one => { const text = document.createRange(); text.selectNodeContents(one); "
            "return text.getBoundingClientRect().left; }"
        )
        >= 8
    )  # half of a line
    assert page.evaluate(OVER, f"#{name}-says") == []


LOWEST = """() => Math.max(...[...document.querySelectorAll('#controls .track')].map(one =>
    one.getBoundingClientRect().bottom + scrollY))"""


# In how many rows controls and the way to more of them stand.
# What stands in a row begins within 20 px; the next row is twice as far.
ROWS = """() => [...document.querySelectorAll('#controls .control, #controls > .more')]
    .map(one => one.getBoundingClientRect().top).sort((one, other) => one - other)
    .filter((top, place, all) => !place || top - all[place - 1] > 20).length"""


def test_controls_are_on_the_first_screen_and_no_name_is_cut(resident: Any) -> None:
    """On a wide screen two rows of them are seen at once; they have room for what they are called, as on a phone."""
    page = resident.page
    cut, below, rows = {}, {}, {}
    for width in (1440, 1100):  # all boards at one: a page that gets another is drawn anew
        page.set_viewport_size({"width": width, "height": 900})
        for one in BOARDS:
            resident.turn_to(f"?board={one.name}")
            if width == 1440:
                end, count = page.evaluate(f"() => [({LOWEST})(), ({ROWS})()]")
                if end > page.viewport_size["height"]:
                    below[one.name] = round(end)
                if count > 2:
                    rows[one.name] = count
            if found := page.evaluate(CUT_OF_ALL):
                cut[one.name, width] = found
    assert cut == {}
    assert below == {}
    assert rows == {}


def test_a_control_that_is_folded_is_turned_by_its_letter_and_stays_beside_the_picture(resident: Any) -> None:
    """Under the hand nothing moves; a link that turned it shows it, too."""
    page = resident.come("?board=cuts&mode=both")
    bandwidth, width = "#control-hbm_bytes_per_s", "#control-dispatch_bytes"
    assert page.locator(f"{bandwidth}, {width}").count() == 0
    assert page.locator("#controls > .more").inner_text() == "9 more"
    letter = page.locator("#formula [data-control=dispatch_bytes]").first
    heights = [page.locator(".canvas").bounding_box()["height"]]
    resident.drag(letter, (40, 0), lift=False)
    assert page.locator(width).count() == 0
    page.mouse.up()
    resident.settle()
    heights.append(page.locator(".canvas").bounding_box()["height"])
    assert page.locator(width).is_visible()
    assert heights[0] == heights[1]
    resident.come("?board=cuts&hbm_bytes_per_s=4+TB/s&mode=both")
    assert page.locator(bandwidth).is_visible()


@pytest.mark.parametrize("query", ["board=bubbles", "board=cuts", "board=quality", "step=15", "step=26", "step=4"])
def test_no_formula_is_cut_on_a_wide_screen(resident: Any, query: str) -> None:
    page = resident.turn_to(f"?{query}")
    page.evaluate("document.fonts.ready")
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent)"
    assert page.eval_on_selector_all("#formula .together", cut) == []


def test_a_formula_is_larger_where_there_is_room(resident: Any) -> None:
    page = resident.turn_to("?board=bubbles&mode=both")
    size = "parseFloat(getComputedStyle(document.querySelector('#formula')).fontSize)"
    assert page.evaluate(size) > 1.3 * 16  # what it has without
    resident.turn_to("?step=3")
    assert page.evaluate(size) > 1.15 * 16


@pytest.mark.parametrize(
    ("query", "mode", "whose"),
    [
        ("?board=cost&mode=lecture", Mode.LECTURE, "his numbers, 2 filled in by us"),
        (
            "?board=cost&mode=careful&machine=h100-sxm",
            Mode.CAREFUL,
            "sourced numbers of DeepSeek-V3 on H100 SXM, 4 settings",
        ),
    ],
)
def test_what_no_slider_shows_stands_below_the_picture(resident: Any, query: str, mode: Mode, whose: str) -> None:
    page = resident.come(query)
    one = board("cost")
    facts = dataclasses.replace(one, machine="h100-sxm").facts()
    values, moving = one.values(mode, facts=facts), ranked_controls(one, one.views[0])
    seen = page.eval_on_selector_all("#controls .control > input", "all => all.map(one => one.id)")
    # Letters of the formula say their numbers beside it.
    told_above = {letter["control"] for letter in letters_document(one, one.formula)}
    assert len(told_above) > 3
    moving = tuple(name for name in moving if name not in told_above)
    hidden = [each for each in one.controls if each.name in moving and f"control-{each.name}" not in seen]
    assert hidden, "else nothing is tested"
    told = [f"{each.short or each.label} {format_quantity(values[each.name], each.dimension)}" for each in hidden]
    line = page.locator("figcaption.state")
    assert len(told) > 3
    # So many wait below the line's first words.
    assert line.inner_text() == whose
    line.locator("summary").click()
    assert line.inner_text() == f"{whose}\n{' · '.join(told)}"
    page.click("#controls .more")
    page.wait_for_function("!document.querySelector('figcaption.state')")


@pytest.mark.parametrize("mode", ["lecture", "both", "careful"])
def test_the_caption_names_the_reader_where_what_they_turned_moves_the_picture(resident: Any, mode: str) -> None:
    """Last of all: what stands in brackets is not the reader's."""
    one = board("cost")
    views = [live_controls(one, view) for view in one.views]
    turned = "usd_per_chip_s"
    assert [turned in names for names in views] == [True, False], "else nothing is tested"

    def words(query: str) -> str:
        resident.come(f"?board=cost&mode={mode}{query}")
        # What waits is counted between the first words and these.
        return re.sub(r", \d+ [^,]*", "", resident.page.inner_text("figcaption.state").split(" · ")[0])

    as_it_is = words("&view=0")
    assert "yours" not in as_it_is
    assert words(f"&view=0&{turned}=3%20$/h") == f"{as_it_is}, and yours"
    assert "yours" not in words(f"&view=1&{turned}=3%20$/h")


def test_numbers_among_his_that_were_filled_in_look_other_and_say_why(visitor: Any) -> None:
    page = visitor.open("?step=3")
    # What is as always waits below the line's words.
    page.click("figcaption.state summary")
    marked = page.locator("figcaption.state .cited i.filled-in").first
    assert marked.evaluate("one => getComputedStyle(one).fontStyle") == "italic"
    marked.hover()
    page.wait_for_selector(".card-of-word:popover-open")
    assert "filled in by us: " in page.inner_text(".card-of-word:popover-open")
    assert "in italics, filled in by us" in page.inner_text("figcaption.state")
    slope = "name => getComputedStyle(document.getElementById(`control-${name}`)).fontStyle"
    assert page.evaluate(slope, "hbm_bytes_per_s") == "italic"
    assert page.evaluate(slope, "bytes_per_param") == "normal"
    page.fill("#control-hbm_bytes_per_s", "8 TB/s")
    page.press("#control-hbm_bytes_per_s", "Enter")
    visitor.settle()
    assert page.evaluate(slope, "hbm_bytes_per_s") == "normal"
    visitor.turn_to("?step=3&mode=careful")
    assert page.locator(".filled-in").count() == 0
    # It is said where it is met first, and no more.
    visitor.turn_to("?step=4")
    assert page.locator("figcaption.state i.filled-in").count()
    assert "in italics" not in page.inner_text("figcaption.state")


def test_the_switch_says_what_sourced_numbers_are_of_and_keeps_off_the_picture(resident: Any) -> None:
    page = resident.come("?board=cost&mode=both")
    switch, frame = page.locator("#modes"), page.locator("#views figure")
    edge = 9  # the sheet goes on around its figure: 8 px and its line
    box, picture = switch.bounding_box(), frame.bounding_box()
    assert 8 <= picture["y"] - edge - box["y"] - box["height"] <= 16
    # On the walk it is beside the formula, whose letters stand between it and the picture.
    resident.turn_to(f"?step={STEP_OF['latency']}")
    box, formula, letters = (page.locator(one).bounding_box() for one in ("#modes", "#formula", "#symbols"))
    assert formula["x"] + formula["width"] <= box["x"]
    assert box["y"] + box["height"] <= letters["y"] + 1
    sourced = page.locator("#modes label").last
    assert sourced.inner_text() == "sourced"
    assert "DeepSeek-V3 on GB200 NVL72" in sourced.get_attribute("data-means")
    sourced.hover()
    # What it means opens below it: the way on stands above.
    below = sourced.evaluate("one => parseFloat(getComputedStyle(one, '::after').top)")
    assert below >= sourced.bounding_box()["height"]
    resident.turn_to(f"?step={STEP_OF['not-wise']}")
    assert sourced.inner_text() == "sourced: Gemma 3 27B on H100 SXM"
    resident.turn_to("?step=8")  # which asks
    assert not switch.is_visible()
    page.get_by_role("button", name="Show it").click()
    switch.wait_for(state="visible")
