"""The lecture's time line and the menu: a dot for each claim that does not reproduce, boards by chapter."""

from __future__ import annotations

from typing import Any

import pytest

from ridgeline.boards.lecture.recording import END_S
from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped

LEDGER: Any = answers("ledger", {}, Dropped())
FAILING: Any = [claim for claim in LEDGER["claims"] if claim["verdict"] == "does not reproduce"]


# Dots, and the mark of where one is, that lie under the key of the dots.
OVER = """key => {
    const { left, right, bottom } = key.getBoundingClientRect();
    return [...document.querySelectorAll('#timeline a.dot, #timeline .now')].filter(one => {
        const box = one.getBoundingClientRect();
        return box.left < right && box.right > left && box.top < bottom - 2;
    }).length;
}"""

KEY_INSET = 12
"""Pixels between the window's edge and the key of the dots, at least."""


def lined(visitor: Any) -> Any:
    """A board, above which the time line has its dots, with their words."""
    page = visitor.open("?board=latency&mode=both")
    page.wait_for_selector("#timeline .dot >> text=/: ./", state="attached")
    return page


@pytest.mark.parametrize(
    "query", ["", "?step=1", "?step=20", "?step=46", "?board=latency", "?boards=all", "?claims=all"]
)
def test_every_page_has_the_dots_of_what_does_not_reproduce_and_says_so(visitor: Any, query: str) -> None:
    page = visitor.page
    page.goto(f"{visitor.address}/{query}")
    page.wait_for_selector("#timeline a.dot", state="attached")
    looks = page.eval_on_selector_all("#timeline a.dot", "dots => dots.map(dot => dot.className)")
    assert looks == len(FAILING) * ["dot fails"]
    # What they are is said beside them, and lies over none of them nor over the mark of where one is.
    page.wait_for_selector("#timeline .of-dots")
    key = page.locator("#timeline .of-dots")
    assert key.inner_text().strip() == f"{len(FAILING)} claims do not reproduce"
    assert key.evaluate(OVER) == 0


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (840, 700)])
def test_the_dots_have_a_key_where_chapters_have_no_names(visitors: Any, width: int, height: int) -> None:
    visitor = visitors(width=width, height=height)
    for query in ("?step=20", "?step=41", "?board=latency"):
        key = visitor.open(query).locator("#timeline .of-dots")
        assert key.inner_text().strip() == f"{len(FAILING)} claims do not reproduce", query
        assert key.evaluate(OVER) == 0, query
        box, line, pill = (
            visitor.page.locator(one).bounding_box()
            for one in ("#timeline .of-dots", "#timeline", "header .all-claims")
        )
        assert box["y"] >= KEY_INSET, query
        assert line["x"] + line["width"] <= box["x"], query
        assert box["x"] + box["width"] <= pill["x"], query


def test_every_claim_that_fails_is_a_dot_at_its_time(visitor: Any) -> None:
    page = lined(visitor)
    line = page.locator("#timeline").bounding_box()
    dots = page.eval_on_selector_all(
        "#timeline a.dot",
        """dots => dots.map(dot => {
            const { left, width } = dot.getBoundingClientRect();
            return [new URLSearchParams(dot.getAttribute('href')).get('claim'), left + width / 2, dot.className];
        })""",
    )
    stamped = {claim["id"]: claim for claim in FAILING}
    assert sorted(claim for claim, *_ in dots) == sorted(stamped)
    for name, middle, _ in dots:
        assert middle - line["x"] == pytest.approx(line["width"] * stamped[name]["seconds"] / END_S, abs=2)


def test_a_dot_tells_its_claim_and_opens_it_with_its_bridge(visitor: Any) -> None:
    board: Any
    for claim in FAILING:
        board = answers(f"boards/{claim['board']}", {}, Dropped())
        note = next(one for one in board["claims"] if one["id"] == claim["id"])
        if len(note["bridge"]) > 1:
            break
    else:
        pytest.fail("no such claim has a bridge")
    page = lined(visitor)
    dot = page.locator(f"#timeline a.dot[href$='claim={claim['id']}']")
    dot.hover()
    told = page.inner_text("#timeline .told")
    assert claim["time_stamp"] in told
    assert claim["claim"] in told
    dot.click()
    page.wait_for_selector(f"#claim-{claim['id']}[open].lit")
    visitor.settle()
    assert page.inner_text("h1") == board["title"]
    rows = page.locator(f"#claim-{claim['id']} .bridge li")
    assert rows.all_inner_texts() == [f"{one['change']} {one['text']}" for one in note["bridge"]]
    # Its card is away with the click, and not over the board's title.
    assert page.locator("#timeline .told").count() == 0
    box = page.locator(f"#claim-{claim['id']} > summary").bounding_box()
    assert 0 <= box["y"] <= 900 - box["height"]
    # The link opens it as well.
    visitor.open(f"?board={claim['board']}&claim={claim['id']}")
    assert page.locator(f"#claim-{claim['id']}[open].lit").count() == 1


def test_a_hand_near_a_dot_is_on_it(visitor: Any) -> None:
    """A dot is six pixels wide: of those around a hand the nearest tells its claim, and a click opens it."""
    page = lined(visitor)
    line = page.locator("#timeline .dots").bounding_box()
    seconds = [claim["seconds"] for claim in FAILING]
    alone = max(FAILING[1:], key=lambda one: min(abs(one["seconds"] - other) or END_S for other in seconds))
    box = page.locator(f"#timeline a.dot[href$='claim={alone['id']}']").bounding_box()
    x, y = box["x"] + box["width"] / 2 - 9, box["y"] - 4
    assert line["y"] < y
    page.mouse.move(x, y)
    page.wait_for_selector("#timeline .told")
    assert alone["claim"] in page.inner_text("#timeline .told")
    page.mouse.click(x, y)
    page.wait_for_selector(f"#claim-{alone['id']}[open].lit")
