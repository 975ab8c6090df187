"""Charts under a hand: frames hold and glide, both modes share one, letters are dragged."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import Any
from urllib.parse import parse_qs, urlparse

import pytest
from tests.browser.charts import TICKS, along, views

from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped

GHOSTS = """() => [...document.querySelectorAll('#canvas svg [clip-path] > g.ghost > path')]
    .map(one => one.getAttribute('d'))"""

STROKES = """() => [...document.querySelectorAll('#canvas svg [clip-path] > g:last-child > g[data-colour]')]
    .map(one => [one.dataset.colour, one.children[1]]).map(([colour, path]) => ({
        colour,
        dashes: path.getAttribute('stroke-dasharray'),
        stroke: path.getAttribute('stroke'),
        width: Number(path.getAttribute('stroke-width')),
        d: path.getAttribute('d'),
    }))"""

# Labels of marks: in the rail in which row each stands, in the plot how far from its dot.
ROWS = """() => {
    const height = one => Number(/,([-\\d.]+)/.exec(one.getAttribute('transform'))[1]);
    const all = [...document.querySelectorAll('#canvas svg g.chart-mark')];
    const plot = Number(document.querySelector('#canvas svg clipPath rect').getAttribute('y'));
    const dot = key => all.find(one => one.dataset.key === key && !one.hasAttribute('font-size'));
    return Object.fromEntries(all
        .filter(one => one.hasAttribute('font-size') && one.checkVisibility({ opacityProperty: true }))
        .map(one => [one, one.dataset.key, height(one)])
        .map(([one, key, y]) => [key, Math.round(y < plot ? y : y - height(dot(key)))]));
}"""

# Dots at the upper edge of the frame: one that has left it waits there until the frame has followed. One that comes has
# no place before its first frame.
AT_EDGE = """() => {
    const plot = Number(document.querySelector('#canvas svg clipPath rect').getAttribute('y'));
    return [...document.querySelectorAll('#canvas svg g.chart-mark[transform]:not([font-size])')]
        .filter(one => Number(/,([-\\d.]+)/.exec(one.getAttribute('transform'))[1]) <= plot + 1)
        .map(one => one.dataset.key);
}"""

# With each frame from now on, where ticks are.
WATCH = f"""() => {{
    window.watched = [];
    const look = () => {{ window.watched.push(({TICKS})()); window.watching = requestAnimationFrame(look); }};
    look();
}}"""


def drag_slowly(page: Any, slider: Any, way: int) -> list[Any]:
    """A hand on a slider's thumb, which it does not let go of; the ticks that were seen meanwhile."""
    value = float(slider.input_value()) / 1000
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    x, y = box["x"] + 8.4 + value * (box["width"] - 16.8), box["y"] + box["height"] / 2  # the middle of its thumb
    page.mouse.move(x, y)
    page.mouse.down()
    held = []
    for step in range(1, 9):
        page.mouse.move(x + way * step / 8, y)
        page.wait_for_timeout(40)
        held.append(page.evaluate(TICKS))
    return held


@pytest.mark.parametrize(
    ("query", "control", "way", "glides"),
    [
        ("latency&mode=careful", "kv_bytes_per_token", 6, False),
        ("cost&mode=careful", "usd_per_chip_s", -60, False),
        ("cost&mode=careful", "usd_per_chip_s", -160, True),
        ("prefill&mode=lecture", "crossover_tokens", 60, False),
        ("racks&mode=both", "weight_bytes", 12, False),
    ],
)
def test_the_frame_holds_under_a_hand_and_glides_then_where_the_picture_is_poor_in_it(
    mover: Any, query: str, control: str, way: int, *, glides: bool
) -> None:
    page = mover.come(f"?board={query}")
    mover.unfold()
    page.wait_for_timeout(400)  # the first glide
    ticks, lines = page.evaluate(TICKS), [one["d"] for one in page.evaluate(STROKES)]
    assert page.evaluate(GHOSTS) == []
    held = drag_slowly(page, page.locator(f"#control-{control}-slider"), way)
    mover.settle()
    assert all(found == ticks for found in [*held, page.evaluate(TICKS)])
    assert [one["d"] for one in page.evaluate(STROKES)] != lines
    # What was there stays, in grey.
    ghosts = page.evaluate(GHOSTS)
    assert sorted(map(rounded, ghosts)) == sorted(map(rounded, lines))
    page.evaluate(WATCH)
    page.mouse.up()
    mover.settle()
    page.wait_for_timeout(900)
    watched = page.evaluate("() => { cancelAnimationFrame(window.watching); return window.watched; }")
    # All but its height: labels may need another row above it.
    alongs = [[(text, at.partition(",")[0]) for text, at in each] for each in (ticks, *watched)]
    assert (alongs[-1] != alongs[0]) == glides
    assert (len({str(each) for each in alongs}) > 3) == glides  # it is seen on its way
    assert len(page.evaluate(GHOSTS)) == len(ghosts)
    # The next hand sees another ghost: of what is there now.
    now = [one["d"] for one in page.evaluate(STROKES)]
    page.focus(f"#control-{control}-slider")
    page.keyboard.press("ArrowLeft" if way > 0 else "ArrowRight")
    mover.settle()
    for found, there in zip(sorted(map(rounded, page.evaluate(GHOSTS))), sorted(map(rounded, now)), strict=True):
        assert found == pytest.approx(there, abs=3)  # in two pixels: so far the frame has glided since the key


# Of the bold lines' points, which part lies inside the frame.
INSIDE = """() => {
    const frame = document.querySelector('#canvas svg clipPath rect');
    const [top, high] = ['y', 'height'].map(name => Number(frame.getAttribute(name)));
    return [...document.querySelectorAll('#canvas svg [clip-path] path[stroke-width="3.4"]')].map(path => {
        const all = path.getTotalLength();
        const places = Array.from({ length: 41 }, (_, part) => path.getPointAtLength(all * part / 40));
        return places.filter(({ y }) => y >= top && y <= top + high).length / 41;
    });
}"""


# Words that say how high lines end beyond the edge of the plot, and how many arrows show where they leave it.
LEFT = """() => [
    [...document.querySelectorAll('#canvas svg text')].map(one => one.textContent).filter(text => /^[↑↓]/.test(text)),
    document.querySelectorAll('#canvas svg .beyond path').length,
]"""


ARROWS = """() => [...document.querySelectorAll('#canvas svg .beyond path')].map(one => one.getBBox())
    .map(({ x, width }) => [x, x + width]).sort(([one], [other]) => one - other)"""


def test_lines_that_leave_the_frame_at_one_place_have_an_arrow_each(resident: Any) -> None:
    page = resident.turn_to("?step=14")
    # Read where lines run low: where they are read the axis up follows them.
    page.focus(".along input")
    page.keyboard.press("Home")
    resident.settle()
    resident.drag(page.locator("#control-chips-slider"), (110, 0), lift=False)
    resident.settle()
    arrows = page.evaluate(ARROWS)
    page.mouse.up()
    assert len(arrows) == 3  # the bold line, and both limits, which leave at the right end
    for (_, ends), (begins, _) in pairwise(arrows):
        assert ends < begins


def test_a_frame_in_which_next_to_nothing_would_be_left_follows_in_doublings_and_rests_on_release(
    visitors: Any,
) -> None:
    visitor = visitors(motion="no-preference")
    page = visitor.open("?board=latency&mode=lecture")
    visitor.unfold()
    page.wait_for_timeout(400)
    ticks = page.evaluate(TICKS)
    slider = page.locator("#control-kv_bytes_per_token-slider")
    drag_slowly(page, slider, 170)
    visitor.settle()
    page.wait_for_timeout(900)  # longer than a glide
    held = page.evaluate(TICKS)
    assert [text for text, _ in along(held)] == [text for text, _ in along(ticks)]
    assert held != ticks
    assert min(page.evaluate(INSIDE)) > 1 / 3  # as little as is left before the axis up follows
    said, arrows = page.evaluate(LEFT)
    assert arrows >= len(said)
    page.mouse.up()
    visitor.settle()
    page.wait_for_timeout(400)
    assert min(page.evaluate(INSIDE)) > 0.5
    assert page.evaluate(LEFT) == [[], 0]
    glided = page.evaluate(TICKS)
    assert glided != ticks
    # A key that is held turns as a hand does.
    for _ in range(2):
        page.keyboard.down("PageDown")
        visitor.settle()
        page.wait_for_timeout(400)
        assert [text for text, _ in along(page.evaluate(TICKS))] == [text for text, _ in along(glided)]
        assert min(page.evaluate(INSIDE)) > 1 / 3
    page.keyboard.up("PageDown")


def rounded(path: str) -> list[int]:
    """Of a path its ends in pixels: the points between may be thinned otherwise."""
    numbers = [float(each) for each in re.findall(r"-?[\d.]+", path)]
    return [round(each / 2) for each in (*numbers[:2], *numbers[-2:])]


def test_a_ghost_goes_with_its_board(resident: Any) -> None:
    page = resident.come("?board=latency&mode=both")
    resident.unfold()
    resident.drag(page.locator("#control-chips-slider"), (50, 0))
    resident.settle()
    assert page.evaluate(GHOSTS)
    page.select_option("#machine", "h100-sxm")
    page.wait_for_function("() => document.querySelector('#command').textContent.includes('h100-sxm')")
    resident.settle()
    assert page.evaluate(GHOSTS) == []


@pytest.mark.parametrize("board", ["latency", "cost", "scale-out", "memory", "prefill"])
def test_both_modes_are_in_one_frame_his_dashed_and_ours_solid(resident: Any, board: str) -> None:
    page = resident.turn_to(f"?board={board}&mode=both")
    assert page.locator("#canvas .chart svg").count() == 1
    found = views(board)
    assert found["modes"] == ["lecture", "careful"]
    view = found["views"][0]  # the one that is shown; another has a tab
    lines = [(mode, line) for mode in found["modes"] for line in view["pictures"][mode]["lines"]]
    dashes = [
        (line["colour"], "2 3" if line["is_floor"] else "6 4" if mode == "lecture" else "none") for mode, line in lines
    ]
    strokes = page.evaluate(STROKES)
    assert sorted((one["colour"], one["dashes"]) for one in strokes) == sorted(dashes)
    assert all(one["stroke"] == f"var(--{one['colour']})" for one in strokes)
    (bold,) = {line["colour"] for _, line in lines if line["is_bold"]}
    assert max(strokes, key=lambda one: one["width"])["colour"] == bold
    # Each number once, on one pair of axes.
    for axis in ("x", "y"):
        assert len(set(view["axes"][axis]["ticks"])) == len(view["axes"][axis]["ticks"])
    texts = [text for text, _ in page.evaluate(TICKS)]
    assert len(texts) <= len(view["axes"]["x"]["ticks"]) + len(view["axes"]["y"]["ticks"])


# How far apart the modes are, in words of the axis: at a mark of both where there is one, else where the lines end.
APART = {
    "latency": r"sourced 1\.4\u00d7 longer",
    "cost": r"8\.5\u00d7 cheaper",
    "scale-out": r"2\.3\u00d7 higher",
    "memory": r"2\.6\u00d7 larger",
    # Of the machine that all other boards have, too: a GB200 NVL72, whose decode costs 3.3 times its arithmetic.
    "prefill": r"1\.5\u00d7 (lower|fewer tokens)",
    "utilisation": r"58\u00d7 shorter context",
}


@pytest.mark.parametrize("board", APART)
def test_how_far_apart_the_modes_are_is_said_once_in_words(resident: Any, board: str) -> None:
    page = resident.turn_to(f"?board={board}&mode=both")
    said = " ".join(page.locator("#canvas svg text").all_text_contents())
    assert re.search(APART[board], said), said
    # A number of times the floor, or the memory that is needed, compares no modes.
    assert len(re.findall(r"\d\u00d7\s+(?:\w+er|more|less)\b", said)) == 1, said
    assert "the lecture" not in said


@pytest.mark.parametrize(
    ("board", "control"), [("latency", "context_tokens"), ("memory", "stages"), ("budget", "served_tokens")]
)
def test_a_letter_of_the_formula_says_its_number_and_is_scrubbed(resident: Any, board: str, control: str) -> None:
    page = resident.come(f"?board={board}&mode=both")
    resident.unfold()
    found = views(board)["controls"]
    letter = page.locator(f"#formula [data-control={control}]").first
    letter.hover()
    label = page.locator(f"label[for=control-{control}]").get_attribute("title")
    assert page.inner_text("#formula .tip").startswith(f"{label}: ")
    before = page.input_value(f"#control-{control}")
    assert before in page.inner_text("#formula .tip")
    for way in (60, -100):
        start = float(page.input_value(f"#control-{control}-slider"))
        resident.drag(letter, (way, 0))
        resident.settle()
        # Along the slider, as far as the hand goes.
        there = min(1000, max(0, start + 1000 * way / 400))
        assert float(page.input_value(f"#control-{control}-slider")) == pytest.approx(there, abs=40)
    turned = parse_qs(urlparse(page.url).query)[control][0]
    assert turned == page.input_value(f"#control-{control}") != before
    assert found["lecture"][control] is not None
    page.mouse.move(5, 500)
    assert page.inner_text("#formula .tip") == ""


def test_letters_that_turn_are_seen_to_and_say_their_numbers(visitor: Any) -> None:
    page = visitor.open("?board=latency&mode=both")
    letter = page.locator("#formula [data-control=hbm_bytes_per_s]").first
    style = letter.evaluate("one => getComputedStyle(one).textDecoration")
    assert "dotted" in style
    numbers = page.locator("#formula .numbers > span")
    seen = "all => all.filter(one => one.checkVisibility({ opacityProperty: true })).map(one => one.textContent)"
    assert numbers.evaluate_all(seen) == []
    assert page.inner_text("#formula .tip").startswith("Drag a letter")
    letter.hover()
    found = page.evaluate("() => document.querySelector('#control-hbm_bytes_per_s').value")
    assert found in numbers.evaluate_all(seen)
    boxes = numbers.evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(r => [r.x, r.y, r.right, r.bottom])"
    )
    for place, (left, top, right, bottom) in enumerate(boxes):
        for other in boxes[place + 1 :]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
    # While a slider is dragged its letter says so, too.
    page.mouse.move(5, 600)
    visitor.drag(page.locator("#control-hbm_bytes_per_s-slider"), (20, 0), lift=False)
    visitor.settle()
    assert numbers.evaluate_all(seen) == [page.input_value("#control-hbm_bytes_per_s")]
    page.mouse.up()


def test_keys_go_from_letter_to_letter_and_turn_them(resident: Any) -> None:
    page = resident.come("?board=latency&mode=both")
    letters = page.get_by_role("group", name=re.compile("^Letters of the formula")).get_by_role("slider")
    assert letters.evaluate_all("all => all.filter(one => one.tabIndex === 0).length") == 1  # one stop for all of them
    letters.first.focus()
    page.keyboard.press("ArrowRight")
    assert letters.nth(1).evaluate("one => one === document.activeElement")
    name = letters.nth(1).get_attribute("aria-label")
    before = letters.nth(1).get_attribute("aria-valuetext")
    page.keyboard.press("Shift+ArrowUp")
    resident.settle()
    assert letters.nth(1).get_attribute("aria-valuetext") != before
    latency: Any = answers("boards/latency", {}, Dropped())
    (control,) = (one["name"] for one in latency["controls"] if one["label"] == name)
    assert set(parse_qs(urlparse(page.url).query)) == {"board", "mode", control}


def test_on_a_phone_a_letter_that_is_tapped_takes_its_slider(phone: Any) -> None:
    page = phone.come("?board=latency&mode=both")
    page.locator("#formula [data-control=hbm_bytes_per_s]").first.tap()
    page.wait_for_selector(".knob.taken #control-hbm_bytes_per_s-slider")


def at_rest(page: Any) -> dict[str, float]:
    """Rows of the labels once no picture is on its way to them: a slow machine glides for longer."""
    now = page.evaluate(ROWS)
    for _ in range(20):
        page.wait_for_timeout(150)
        before, now = now, page.evaluate(ROWS)
        if now == before:
            break
    found: dict[str, float] = now
    return found


@pytest.mark.parametrize(
    ("query", "part"),
    [
        ("latency&mode=careful", 0.5),
        ("racks&mode=both", 0.5),
        # Where trains leave seldom or often their wait comes to the edge of the frame, which follows it.
        ("departures&view=1&mode=both", 0.45),
        ("stages&view=1&mode=both", 0.5),
        ("over-training&mode=both", 0.5),
    ],
)
def test_labels_stay_in_their_rows_while_a_hand_drags(mover: Any, query: str, part: float) -> None:
    page = mover.come(f"?board={query}")
    page.wait_for_timeout(500)
    rows = page.evaluate(ROWS)
    assert rows
    slider = page.locator("#controls input[type=range]").first
    slider.scroll_into_view_if_needed()
    mover.drag(slider, (12, 0), steps=3, lift=False)
    box = slider.bounding_box()
    moved: Counter[str] = Counter()
    # The hand takes hold beside the knob, which jumps to it: a way of its own, on which a line may pass a label, too.
    page.mouse.move(box["x"] + part * box["width"], box["y"] + box["height"] / 2)
    mover.settle()
    rows |= at_rest(page)
    within, frame = rows.keys() - set(page.evaluate(AT_EDGE)), page.evaluate(TICKS)
    for step in range(12):
        page.mouse.move(box["x"] + part * box["width"] + 3 * step, box["y"] + box["height"] / 2)
        page.wait_for_timeout(25)
        now, at_edge, ticks = page.evaluate(f"() => [({ROWS})(), ({AT_EDGE})(), ({TICKS})()]")
        if ticks != frame or not within.isdisjoint(at_edge):
            assert step > 6  # a dot has left the frame, which follows it: its words find their place in another one
            break
        # By a pixel it may be rounded otherwise.
        moved.update(key for key, row in now.items() if abs(row - rows.get(key, row)) > 1)
        rows |= now
    # A label that a line would come to lie over is shown on another side of its dot, once on such a way.
    assert max(moved.values(), default=0) <= 1, moved
    page.mouse.up()


@pytest.mark.parametrize("query", ["?board=latency", "?board=latency&mode=both"])
def test_a_picture_fills_its_figure(resident: Any, query: str) -> None:
    page = resident.come(query)
    figure = page.locator("figure").bounding_box()
    plot = page.locator("#canvas svg clipPath rect").first
    width, height = (float(plot.get_attribute(name)) for name in ("width", "height"))
    assert width * height > 0.55 * figure["width"] * figure["height"]
    # And two thirds of the first screen beside the margin's notes belong to it and its controls.
    assert figure["width"] > 0.65 * 1440
    assert figure["height"] > 0.45 * 900
