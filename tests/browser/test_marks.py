"""Marks of a chart under a hand: they stay under it, and lie where it let go of them."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlparse

import pytest
from tests.browser.charts import DRAGGED, MARK, PLOT, STANDS, STILL, TICKS
from tests.browser.steps import told

from ridgeline.boards.lecture import BOARDS

# The numbers at the ticks alone.
ENDS = f"() => ({TICKS})().map(([text]) => text)"

# Whether a mark stands at a part of the axis.
RESTS = f"""([key, part]) => {{
    const [now, [left, right]] = [({MARK})(key), ({PLOT})()];
    return now && Math.abs((now[0] - left) / (right - left) - part) <= 0.02;
}}"""


@pytest.mark.parametrize(
    ("query", "mode", "name", "way"),
    [
        ("latency&mode=lecture", "lecture", "balance batch", 90),
        ("latency", "careful", "balance batch without contexts", -70),
        ("cost&mode=lecture", "lecture", "balance batch", -80),
        ("utilisation&mode=lecture", "lecture", "crossover", -80),
        ("sparse&mode=careful", "careful", "crossover of full attention", -60),
        ("context&mode=lecture", "lecture", "end of the price", -60),
        ("cuts&mode=lecture", "lecture", "width of an expert", 80),
        ("not-wise&view=1&mode=lecture", "lecture", "stages", 60),  # of which there are whole ones alone
    ],
)
def test_a_mark_stays_under_the_hand_that_drags_it(resident: Any, query: str, mode: str, name: str, way: int) -> None:
    """Slowly, and at one stroke from where it stood before."""
    for moves in (12, 1):
        resident.come(f"?board={query}&mode=both")
        drag(resident, mode, name, way, moves=moves)


def drag(visitor: Any, mode: str, name: str, way: int, *, moves: int) -> None:
    page = visitor.page
    x, y = page.evaluate(MARK, f"{mode}\n{name}")
    page.mouse.move(x, y)
    page.mouse.down()
    page.wait_for_load_state("networkidle")  # which control moves it is asked first
    page.mouse.move(x + way, y, steps=moves)
    near = "([key, x]) => { const now = (" + MARK + ")(key); return now && Math.abs(now[0] - x) <= 12; }"
    page.wait_for_function(near, arg=[f"{mode}\n{name}", x + way], timeout=5000)
    visitor.settle()
    assert page.evaluate(MARK, f"{mode}\n{name}")[0] == pytest.approx(x + way, abs=12)
    page.mouse.up()
    visitor.settle()
    turned = parse_qs(urlparse(page.url).query)
    # One control, which is in the link, with where the bill is read.
    assert len(set(turned) - {"board", "mode", "view", "at"}) == 1


def test_a_mark_let_go_of_before_its_control_is_known_is_brought_there(visitor: Any) -> None:
    page = visitor.open("?board=latency&mode=lecture")
    key = "lecture\nbalance batch"
    x, y = page.evaluate(MARK, key)
    late: list[Any] = []
    page.route("**/views?*", lambda route: late.append(route))  # noqa: PLW0108  Playwright marks it
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y, steps=4)
    page.mouse.up()
    visitor.rest()
    assert late
    assert page.get_attribute("#views", "aria-busy") == "true"
    page.unroute("**/views?*")  # what waited goes on
    visitor.settle()
    assert page.evaluate(MARK, key)[0] == pytest.approx(x + 60, abs=12)


def test_a_mark_let_go_of_at_the_edge_is_brought_off_it_and_no_farther(visitors: Any) -> None:
    visitor = visitors(motion="no-preference")
    page = visitor.open("?board=latency&mode=lecture")
    key = "lecture\nbalance batch"
    page.evaluate(STILL, key)
    ends = page.evaluate(ENDS)
    parts = []
    for to, rests in ((0.7, 0.7), (0.95, 0.84)):
        left, right = page.evaluate(PLOT)
        x, y = page.evaluate(MARK, key)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(left + to * (right - left), y, steps=6)
        page.wait_for_function(STANDS, arg=[key, left + to * (right - left)], timeout=20000)
        page.mouse.up()
        # A slow machine asks for another frame late, until when the mark stands where it was let go of.
        page.wait_for_function(RESTS, arg=[key, rests], timeout=20000)
        page.evaluate(STILL, key)
        left, right = page.evaluate(PLOT)
        parts.append((page.evaluate(MARK, key)[0] - left) / (right - left))
    assert parts == pytest.approx([0.7, 0.84], abs=0.02)  # of the second a sixth of the axis is left beyond it
    # Who loads what the link says sees the frame that is best for it.
    kept = page.evaluate(ENDS)
    page.reload()
    visitor.settle()
    assert page.evaluate(ENDS) not in (kept, ends)


FEW = ("latency", "utilisation", "context", "hits", "reversible")

ONE_EACH, BOTH = ([60], [-60]), ([60, -60], [60, -60])
"""Ways of a board's first two marks."""

VIEWS = [
    pytest.param(one.name, view, ways, id=f"{one.name} {view} {'one way' if is_few else 'both ways'}", marks=marks)
    for one in BOARDS
    for view, _ in enumerate(one.views)
    for ways, is_few, marks in ((ONE_EACH, True, []), (BOTH, False, [pytest.mark.slow]))
    if not is_few or (one.name in FEW and not view)
]


@pytest.mark.parametrize(("board", "view", "ways"), VIEWS)
def test_a_mark_lies_where_the_hand_let_go_of_it(
    mover: Any, board: str, view: int, ways: tuple[list[int], list[int]]
) -> None:
    """Once all is at rest, unless that was at an end of the axis or the control that moves it came to its own."""
    page = mover.come(f"?board={board}&view={view}&mode=both")
    for key, either in zip(page.evaluate(DRAGGED), ways, strict=False):
        for way in either:
            mover.come(f"?board={board}&view={view}&mode=both")
            page.evaluate(STILL, key)
            (x, y), (left, right) = page.evaluate(MARK, key), page.evaluate(PLOT)
            if not left + 0.12 * (right - left) < x + way < right - 0.12 * (right - left):
                continue
            page.mouse.move(x, y)
            page.mouse.down()
            page.mouse.move(x + way, y, steps=6)
            page.mouse.up()
            page.evaluate(STILL, key)
            query = parse_qs(urlparse(page.url).query)
            turned = set(query) - {"board", "mode", "view", "at"}  # where the bill is read goes with the hand
            if not turned or not page.evaluate(MARK, key):  # nothing moves it so far, or both modes are one picture now
                continue
            (control,) = turned
            is_at_end = float(page.input_value(f"#control-{control}-slider")) in {0, 1000}
            if is_at_end or query[control][0].isdigit():  # what counts goes from one whole number to the next
                continue
            # A busy machine takes longer to draw the way.
            page.wait_for_function(STANDS, arg=[key, x + way], timeout=5000)
            page.evaluate(STILL, key)
            assert page.evaluate(MARK, key)[0] == pytest.approx(x + way, abs=3)


def test_who_drags_his_mark_moves_both_the_same_way(resident: Any) -> None:
    page = resident.come("?board=latency&mode=both")
    keys = ["lecture\nbalance batch", "careful\nbalance batch without contexts"]
    (x, y), (other, _) = (page.evaluate(MARK, key) for key in keys)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y, steps=8)
    page.wait_for_function(STANDS, arg=[keys[0], x + 60], timeout=20000)
    page.mouse.up()
    resident.settle()
    assert page.evaluate(MARK, keys[1])[0] > other + 10
    times = parse_qs(urlparse(page.url).query)["flop_per_s"][0]
    assert re.fullmatch(r"1\.\d+x", times)
    assert page.input_value("#control-flop_per_s") == times.replace("x", "\u00d7")
    assert page.text_content("#command").count(f"--set flop_per_s={times}") == 2


@pytest.mark.parametrize("query", ["?step=9", "?step=19", "?step=41", "?step=46"])
def test_a_press_on_a_mark_that_nothing_moves_reads_it(resident: Any, query: str) -> None:
    page = resident.turn_to(query)
    resident.rest()
    address = page.url
    marks = page.locator("#canvas svg g.chart-mark:not([font-size]):has(.halo[visibility=hidden]):visible").all()
    assert marks
    for mark in marks:
        box = mark.locator("circle").last.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        if page.locator("#canvas .chart").evaluate("one => getComputedStyle(one).cursor") == "grab":
            continue  # another lies nearer
        page.mouse.down()
        page.mouse.move(x + 40, y, steps=3)
        assert page.locator("#canvas .chart").evaluate("one => getComputedStyle(one).cursor") not in {
            "grab",
            "grabbing",
        }
        page.mouse.up()
        resident.rest()
        assert page.url == address


def test_a_mark_under_a_hand_says_what_its_number_was(resident: Any) -> None:
    page = resident.come("?board=latency&mode=lecture")
    key = "lecture\nbalance batch without contexts"
    words = """key => [...document.querySelectorAll('.chart-mark[font-size]')]
        .find(one => one.dataset.key === key).textContent"""
    before = page.evaluate(words, key)
    assert before == "weights alone: 2,400"
    x, y = page.evaluate(MARK, key)
    page.mouse.move(x, y)
    page.mouse.down()
    page.wait_for_load_state("networkidle")  # which control moves it is asked first
    page.mouse.move(x + 60, y, steps=6)
    resident.settle()
    assert re.fullmatch(r"weights alone: ?2,400 → [\d,]+", page.evaluate(words, key))
    page.mouse.up()
    resident.settle()
    assert re.fullmatch(r"weights alone: ?2,400 → [\d,]+", page.evaluate(words, key))


def test_a_mark_that_one_steps_handle_follows_is_no_nameless_dot_on_another(resident: Any) -> None:
    """Twice the balance batch: step 9 reads there, step 8 says nothing of it."""
    keys = "() => [...document.querySelectorAll('#canvas svg .chart-mark')].map(one => one.dataset.key)"
    for step, is_there in ((8, False), (9, True)):
        page = resident.turn_to(f"?step={step}")
        told(resident)
        assert ("lecture\ntwice as many" in page.evaluate(keys)) == is_there
