"""The lecture step by step: what a step shows and keeps back, how one walks, and a guess before a line is seen."""

from __future__ import annotations

import json
import math
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlencode, urlparse

import matplotlib.image
import numpy as np
import pytest

from ridgeline.boards.lecture import CHAPTERS, board
from ridgeline.boards.lecture.recording import seconds
from ridgeline.boards.lecture.walk import StepDocument, walk_document
from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped

LEDGER: Any = answers("ledger", {}, Dropped())
STEPS = list(enumerate(walk_document()["steps"], start=1))
ASKED = [(place, step) for place, step in STEPS if step["question"]]

# The names of lines that are seen, and the colours of the lines themselves.
SEEN = """() => {
    const seen = one => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const groups = [...document.querySelectorAll('#canvas svg g[data-colour]')];
    const parts = group => [...group.children].map(one => one.tagName).join();
    const beside = groups.filter(one => parts(one) === 'path,path,g,g').map(one => one.children[2]);
    const above = groups.filter(one => one.dataset.key?.includes('\\nname of ')).map(one => one.querySelector('g'));
    return {
        names: [...beside, ...above].filter(one => one && seen(one))
            .map(one => [...one.children].map(text => text.textContent).join(' ')),
        colours: groups.filter(one => one.closest('[clip-path]') && one.querySelector('path[fill=none][d^=M]'))
            .map(one => one.dataset.colour),
    };
}"""
# In pixels of the window, where lines are drawn; the clip is a pixel wider on each side.
PLOT = """() => {
    const box = document.querySelector('#canvas svg').getBoundingClientRect();
    const [x, y, width, height] = ['x', 'y', 'width', 'height']
        .map(name => Number(document.querySelector('#canvas svg clipPath rect').getAttribute(name)));
    return [box.left + x + 1, box.top + y + 1, width - 2, height - 2];
}"""


def pictures(step: StepDocument, turned: dict[str, str] | None = None) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The view that a step shows, and its pictures: the lecture's first."""
    fields = {**step["turned"], **(turned or {}), "mode": step["mode"]}
    found: Any = answers(f"boards/{step['board']}/views", fields, Dropped())
    view = found["views"][step["view"]]
    return view, [view["pictures"][mode] for mode in found["modes"]]


def expected(step: StepDocument, *, is_answered: bool) -> tuple[list[str], list[str]]:
    """Names and colours of the lines that are seen."""
    _, shown = pictures(step)
    question = step["question"]
    # Where one asks for a place on a line, the line is seen.
    asked = None if is_answered or question is None or question["axis"] == "x" else question["line"]
    kept = [
        [
            line
            for line in one["lines"]
            if line["name"] != asked and (not step["lines"] or line["name"] in step["lines"])
        ]
        for one in shown
    ]
    groups = [group["name"] for one in shown for group in one["dots"] if group["is_named"]]
    names = list(dict.fromkeys([*(line["name"] for line in kept[-1]), *groups]))
    # Of some that are asked for a part is drawn all the same, without a name.
    is_known = asked and question and (question["known_from"], question["known_to"]) != (None, None)
    part = [line["colour"] for one in shown for line in one["lines"] if is_known and line["name"] == asked]
    return sorted(names), sorted([*(line["colour"] for one in kept for line in one), *part])


def seen(page: Any) -> tuple[list[str], list[str]]:
    found = page.evaluate(SEEN)
    return sorted(found["names"]), sorted(found["colours"])


class Truth(NamedTuple):
    """What is asked, on its axis."""

    value: float
    ends: tuple[float, float]
    is_logarithmic: bool
    way: str

    def part(self, value: float) -> float:
        """Of the axis, up to a value."""
        low, high, at = (math.log(each) if self.is_logarithmic else each for each in (*self.ends, value))
        return min(1, max(0, (at - low) / (high - low)))

    def missed(self) -> float:
        """A wrong answer inside the plot."""
        low = self.ends[0] if self.is_logarithmic else self.ends[1] / 100
        return max(low, self.ends[1], key=lambda end: abs(math.log(end / self.value)))


def truth(step: StepDocument) -> Truth:
    question = step["question"]
    assert question
    view, shown = pictures(step)
    axis = view["axes"][question["axis"]]
    line = next(line for line in shown[-1]["lines"] if line["name"] == question["line"])
    height = float(np.interp(question["x"], shown[-1]["x"], line["y"]))
    value = question["x"] if question["axis"] == "x" else height
    return Truth(value, tuple(axis["ends"]), axis["is_logarithmic"], question["axis"])


def pixel(page: Any, there: Truth, value: float) -> tuple[float, float]:
    """In the window: at a value, in the middle of the other axis."""
    left, top, width, height = page.evaluate(PLOT)
    part = there.part(value)
    return (
        (left + width * part, top + height / 2) if there.way == "x" else (left + width / 2, top + height * (1 - part))
    )


def give(page: Any, there: Truth, value: float) -> None:
    """Put the dot at a value, and give it."""
    page.mouse.click(*pixel(page, there, value))
    page.click(".chart-check")


@pytest.mark.parametrize(("place", "step"), STEPS, ids=[f"{place}-{step['board']}" for place, step in STEPS])
def test_a_step_shows_its_board_sentence_terms_and_lines(resident: Any, place: int, step: StepDocument) -> None:
    page = resident.turn_to(f"?step={place}")
    one = board(step["board"])
    assert page.text_content("h1") == one.title
    assert page.inner_text("#told .sentence") == step["sentence"]
    assert page.inner_text("#walk .count") == f"{place} of {len(STEPS)}"
    # A term that joins equations is drawn in parts.
    later = page.eval_on_selector_all("#formula .later", "parts => parts.map(part => Number(part.dataset.term))")
    assert set(later) == set(range(step["terms"], len(one.formula)))
    # One picture a step: its board has the others.
    assert page.text_content("#views .head p") == pictures(step)[0]["heading"]
    assert page.locator(".tabs, #sources, #exercises, #export").count() == 0
    assert page.locator(f"#mode-{step['mode']}").is_checked()
    for name, text in step["turned"].items():
        assert page.input_value(f"#control-{name}") == text
    link = page.locator("#walk .where a").get_attribute("href")
    assert parse_qs(urlparse(link).query)["t"] == [f"{seconds(step['time_stamp'])}s"]
    lit = 0 if step["question"] else len(set(step["claims"]) & set(one.claims))
    assert page.locator(".claim.lit").count() == lit
    if page.locator("#canvas.canvas").count() and pictures(step)[0]["kind"] == "curves":
        assert seen(page) == expected(step, is_answered=False)
    else:
        assert page.locator("#canvas svg").first.is_visible()


@pytest.mark.parametrize(("place", "step"), ASKED, ids=[f"{place}-{step['board']}" for place, step in ASKED])
def test_a_line_is_drawn_once_its_height_was_guessed(resident: Any, place: int, step: StepDocument) -> None:
    page = resident.turn_to(f"?step={place}")
    question = step["question"]
    assert question
    assert question["prompt"] in page.inner_text(".ask")
    assert question["reveal"] not in page.inner_text("#board")
    described = page.locator("#canvas svg").get_attribute("aria-label")
    assert seen(page) == expected(step, is_answered=False)
    there = truth(step)
    give(page, there, there.value)
    page.wait_for_selector(".ask.right")
    resident.rest()
    assert page.inner_text(".ask").startswith("✓")
    assert question["reveal"] in page.inner_text(".ask")
    assert seen(page) == expected(step, is_answered=True)
    assert question["axis"] == "x" or page.locator("#canvas svg").get_attribute("aria-label") != described
    # Who comes back sees what was guessed, and may guess again: then it is neither drawn nor left in the picture.
    resident.turn_to("?step=2")
    resident.turn_to(f"?step={place}")
    assert page.inner_text(".ask").startswith("✓ Last time: ")
    assert seen(page) == expected(step, is_answered=True)
    page.get_by_role("button", name="Guess again").click()
    resident.rest()
    assert question["prompt"] in page.inner_text(".ask")
    assert seen(page) == expected(step, is_answered=False)


def test_right_and_wrong_look_different(visitor: Any) -> None:
    looks = []
    for place, step in ASKED[:3]:
        there = truth(step)
        for value in (there.value, there.missed()):
            page = visitor.open(f"?step={place}")
            page.evaluate("localStorage.clear()")
            page = visitor.open(f"?step={place}")
            give(page, there, value)
            page.wait_for_selector(".ask.right, .ask.wrong")
            visitor.rest()
            ask = page.locator(".ask")
            looks.append(
                (
                    ask.inner_text()[0],
                    ask.evaluate("one => getComputedStyle(one).borderLeftColor"),
                    ask.evaluate("one => getComputedStyle(one.querySelector('b')).color"),
                    page.locator("#canvas svg circle[r='7'][stroke-width='2']").get_attribute("fill"),
                )
            )
    rights, wrongs = set(looks[::2]), set(looks[1::2])
    assert len(rights) == len(wrongs) == 1
    (right,), (wrong,) = rights, wrongs
    assert all(one != other for one, other in zip(right, wrong, strict=True))
    assert (right[0], wrong[0]) == ("✓", "✗")


@pytest.mark.parametrize(("place", "step"), ASKED[:2], ids=[f"{place}-{step['board']}" for place, step in ASKED[:2]])
def test_a_guess_is_given_by_keys(visitor: Any, place: int, step: StepDocument) -> None:
    page = visitor.open(f"?step={place}")
    page.focus(".chart")
    there = truth(step)
    page.keyboard.press("Home")
    for _ in range(round(40 * there.part(there.value))):  # a fortieth of the axis each
        page.keyboard.press("ArrowRight" if there.way == "x" else "ArrowUp")
    visitor.rest()
    assert page.locator(".ask.right, .ask.wrong").count() == 0
    page.keyboard.press("Enter")
    page.wait_for_selector(".ask.right")
    visitor.rest()
    # Keys go on at what leads on, in a ring as round as it is.
    ring = page.eval_on_selector(
        "#next:focus-visible", "next => Number.parseFloat(getComputedStyle(next).borderRadius)"
    )
    assert ring > page.locator("#next").bounding_box()["height"] / 2
    # Arrows go on from there.
    page.keyboard.press("ArrowRight")
    page.wait_for_function("place => location.search === `?step=${place}`", arg=place + 1)
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".ask.right")
    page.get_by_role("button", name="Guess again").click()
    page.wait_for_function("() => document.activeElement.matches('.chart')")
    page.keyboard.press("End" if there.missed() == there.ends[1] else "Home")
    page.keyboard.press("Enter")
    page.wait_for_selector(".ask.wrong")


# What is said in the plot about a question, and where the ring around what is true is.
TOLD = """() => {
    const seen = query => [...document.querySelectorAll(`#canvas svg ${query}`)]
        .filter(one => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
    return {
        words: seen("text[font-weight='600']").map(one => one.textContent),
        rings: seen("circle[r='5'][stroke-width='2']").filter(one => !one.closest('[data-key]'))
            .map(one => [one.getBoundingClientRect().x, one.getBoundingClientRect().y]),
    };
}"""


@pytest.mark.parametrize(("place", "step"), ASKED, ids=[f"{place}-{step['board']}" for place, step in ASKED])
def test_an_answer_is_marked_without_a_guess_where_it_is_with_one(
    resident: Any, place: int, step: StepDocument
) -> None:
    page = resident.turn_to(f"?step={place}")
    there = truth(step)
    page.click(".ask button")
    page.get_by_role("button", name="Guess", exact=True).wait_for()
    resident.rest()
    shown = page.evaluate(TOLD)
    (answer,) = [words for words in shown["words"] if words.startswith("answer: ")]
    page.get_by_role("button", name="Guess", exact=True).click()
    resident.rest()
    assert not [words for words in page.evaluate(TOLD)["words"] if words.startswith("answer: ")]
    give(page, there, there.missed())
    page.wait_for_selector(".ask.wrong")
    resident.rest()
    guessed = page.evaluate(TOLD)
    (told,) = [words for words in guessed["words"] if words.startswith("you ")]
    assert f"right {answer.removeprefix('answer: ')}:" in told
    assert shown["rings"] == guessed["rings"]
    assert len(shown["rings"]) == 1


def test_a_question_can_be_given_up(visitor: Any) -> None:
    place, step = ASKED[0]
    page = visitor.open(f"?step={place}")
    page.click(".ask button")
    page.get_by_role("button", name="Guess").wait_for()
    visitor.rest()
    assert page.locator(".ask.right, .ask.wrong").count() == 0
    assert seen(page) == expected(step, is_answered=True)
    assert json.loads(page.evaluate("localStorage.getItem('ridgeline')"))["answers"] == {}


def test_the_walk_is_walked_by_buttons_and_keys_and_ends_on_its_board(visitor: Any) -> None:
    page = visitor.open("?step=1")

    def at(place: int) -> bool:
        page.wait_for_function("place => new URLSearchParams(location.search).get('step') === place", arg=str(place))
        visitor.settle()
        return bool(page.inner_text("#told .sentence") == STEPS[place - 1][1]["sentence"])

    assert page.get_by_role("button", name="Back").is_disabled()
    page.get_by_role("button", name="Next").click()
    assert at(2)
    page.get_by_role("button", name="Back").click()
    assert at(1)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    assert at(2)
    page.keyboard.press("ArrowRight")
    assert at(3)
    page.keyboard.press("ArrowLeft")
    assert at(2)
    page.go_back()
    assert at(3)
    # Keys on a control turn that.
    page.focus("#controls input[type=range]")
    page.keyboard.press("ArrowRight")
    visitor.settle()
    assert at(3)
    last = len(STEPS)
    visitor.open(f"?step={last}")
    assert page.get_by_role("button", name="Next").count() == 0
    page.get_by_role("button", name="The end").click()
    page.wait_for_selector("#ending")
    assert page.url.endswith(f"?step={last + 1}")
    page.keyboard.press("ArrowLeft")
    assert at(last)


def test_the_walk_ends_with_what_came_of_it_and_boards_lead_back_into_it(visitor: Any) -> None:
    (asked, step), (missed, other) = ASKED[0], ASKED[1]
    there, elsewhere = truth(step), truth(other)
    page = visitor.open(f"?step={asked}")
    give(page, there, there.value)
    page.wait_for_selector(".ask.right")
    visitor.open(f"?step={missed}")
    give(page, elsewhere, elsewhere.missed())
    page.wait_for_selector(".ask.wrong")
    page.goto(f"{visitor.address}/?step={len(STEPS) + 1}")
    page.wait_for_selector("#ending .disproved li")
    failing = [claim for claim in LEDGER["claims"] if claim["verdict"] == "does not reproduce"]
    assert page.locator("#ending .disproved li").count() == len(failing)
    told = page.inner_text("#ending")
    assert "1 of 2 near enough." in " ".join(told.split())
    assert page.locator(".card [fill='var(--right)']").count() == 0
    assert all(claim["claim"] in told and claim["correction"] in told for claim in failing)
    # Each guess by how far it was off: what is exact in the middle.
    middle, off = (
        page.locator(f".strip-of-guesses li:has(a[href='?step={place}'])").evaluate(
            "one => Number(getComputedStyle(one).getPropertyValue('--at'))"
        )
        for place in (asked, missed)
    )
    assert middle == pytest.approx(0.5, abs=0.02)  # two pixels of the plot
    assert (off > 0.5) == (elsewhere.missed() > elsewhere.value)
    assert json.loads(page.evaluate("localStorage.getItem('ridgeline')"))["step"] == missed
    page.get_by_role("link", name=f"{len(failing)} do not reproduce").click()
    page.wait_for_url("**/?claims=fails")
    visitor.open("?board=sparse")
    place = next(place for place, step in STEPS if step["board"] == "sparse")
    page.get_by_role("link", name=f"step {place} of the lecture").click()
    page.wait_for_url(f"**/?step={place}")


@pytest.mark.parametrize("place", [2, 4, 30])
def test_words_light_the_line_and_the_term_that_they_name(visitor: Any, place: int) -> None:
    page = visitor.open(f"?step={place}")
    step = STEPS[place - 1][1]
    names = page.locator("#told .name")
    assert names.all_text_contents() == [step["sentence"][one["start"] : one["end"]] for one in step["named"]]
    seen_bright = "all => all.filter(one => !one.matches('.dim')).map(one => one.dataset.colour)"
    for which, one in enumerate(step["named"]):
        # Under a hand, and under keys.
        names.nth(which).hover()
        assert page.get_attribute("#board", "data-lit") == one["colour"]
        assert set(page.eval_on_selector_all("#canvas svg [data-colour]", seen_bright)) <= {one["colour"]}
        page.mouse.move(2, 2)
        assert page.get_attribute("#board", "data-lit") is None
        page.keyboard.press("Tab")
        names.nth(which).focus()
        assert page.get_attribute("#board", "data-lit") == one["colour"]
        page.evaluate("document.activeElement.blur()")


def test_a_chapter_begins_with_its_question(resident: Any) -> None:
    firsts = {step["chapter"]: place for place, step in reversed(STEPS)}
    for chapter in CHAPTERS:
        page = resident.turn_to(f"?step={firsts[chapter.name]}")
        assert page.inner_text(".opening p") == chapter.question
        assert page.inner_text(".opening h2").endswith(chapter.title)
    page = resident.turn_to("?step=2")
    assert page.locator(".opening").count() == 0


def test_a_new_line_is_drawn_and_its_term_comes_with_it(visitors: Any) -> None:
    """From left to right, as a hand would; whoever wants no motion has it at once."""
    width = (
        "() => { const path = document.querySelector('#canvas g[data-colour=kv] path[fill=none][d^=M]');"
        " return path ? path.getBBox().width : 0; }"
    )
    watch = (
        f"() => {{ window.widths = []; const look = () => {{ window.widths.push(({width})());"
        " window.looking = requestAnimationFrame(look); }; look(); }"
    )
    counts = {}
    for motion in ("no-preference", "reduce"):
        visitor = visitors(motion=motion)
        page = visitor.open("?step=3")
        page.evaluate(watch)
        page.get_by_role("button", name="Next").click()
        page.wait_for_function("() => document.querySelectorAll('#formula .fresh').length > 0")
        page.wait_for_timeout(1500)
        counts[motion] = len(set(page.evaluate("widths")))
        assert page.evaluate(width) > 0
        assert page.get_attribute("#formula .fresh[data-colour]", "data-colour") == "kv"
    assert counts["reduce"] == 2  # none, and all of it
    assert counts["no-preference"] > 3


def test_who_comes_back_finds_the_page_as_it_was_left(visitor: Any) -> None:
    page = visitor.page
    page.goto(f"{visitor.address}/?claims=all")
    page.wait_for_selector("#ledger table")
    # Its rows come a moment after its head.
    page.wait_for_function("() => { scrollTo(0, 1500); return scrollY === 1500; }")
    link = (
        "[...document.querySelectorAll('#ledger a[href*=\"board=\"]')]"
        ".find(one => one.getBoundingClientRect().top > 200 && one.checkVisibility())"
    )
    page.wait_for_function(f"() => {link}")
    page.evaluate(f"() => {link}.click()")
    visitor.settle()
    page.go_back()
    page.wait_for_selector("#ledger table")
    page.wait_for_function("() => scrollY === 1500")
    visitor.open("?board=latency")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.locator("#neighbours a").last.click()
    page.wait_for_function("() => scrollY === 0")


def test_boards_lead_to_their_neighbours(visitor: Any) -> None:
    page = visitor.open("?board=modes")
    links = page.locator("#neighbours a")
    assert links.count() == 1
    links.click()
    page.wait_for_url("**/?board=latency")
    visitor.settle()
    assert links.count() == 2


def test_claims_beside_a_question_come_after_it(visitor: Any) -> None:
    place, step = next((place, step) for place, step in ASKED if step["claims"])
    page = visitor.open(f"?step={place}")
    shown = page.inner_text("aside")
    claims = [claim for claim in LEDGER["claims"] if claim["board"] == step["board"]]
    assert not [claim["id"] for claim in claims if claim["claim"] in shown]
    assert page.locator(".claim").count() == 0
    page.click(".ask button")
    page.wait_for_selector(".claim.lit")
    # The table of its numbers is the board's.
    assert page.locator("#points").count() == 0


def test_the_next_step_is_the_first_stop_of_keys(visitor: Any) -> None:
    page = visitor.open("?step=2")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Skip to step 3"
    assert page.evaluate("document.activeElement.getBoundingClientRect().left") > 0
    page.keyboard.press("Enter")
    page.wait_for_url("**/?step=3")


def test_the_picture_stays_where_it_is_when_a_guess_is_told(visitor: Any) -> None:
    place, _ = ASKED[0]
    page = visitor.open(f"?step={place}")
    before = page.locator("#views").bounding_box()
    page.click(".ask button")
    visitor.rest()
    assert page.locator("#views").bounding_box() == before


# Where the way on lies at each step; the picture need not have come for that.
WAYS_ON = """async count => {
    const frame = () => new Promise(requestAnimationFrame);
    const found = [];
    for (let step = 1; step <= count; step += 1) {
        history.pushState(null, '', `?step=${step}`);
        dispatchEvent(new PopStateEvent('popstate'));
        while (!document.querySelector('#walk .count')?.textContent.startsWith(`${step} `)) await frame();
        const { left, top, right, bottom } = document.querySelector('#next').getBoundingClientRect();
        found.push([left, top, right, bottom].join());
    }
    return found;
}"""


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_way_on_lies_in_one_place_at_every_step(resident: Any, width: int, height: int) -> None:
    page = resident.turn_to("?step=1")
    page.set_viewport_size({"width": width, "height": height})
    places = page.evaluate(WAYS_ON, len(STEPS))
    assert len(places) == len(STEPS)
    assert set(places) == {places[0]}


SMALL = [(1280, 800), (1024, 768)]
LEAST_PART = 0.4
"""Of the screen's height that a picture has at least, of the longest formulas too."""


@pytest.mark.parametrize(("width", "height"), SMALL)
@pytest.mark.parametrize("place", [1, 13, 34, 38])
def test_a_question_and_its_picture_stand_on_one_screen(resident: Any, place: int, width: int, height: int) -> None:
    """Those of the longest words and formulas, before the answer and after it."""
    page = resident.turn_to("?step=2")
    page.set_viewport_size({"width": width, "height": height})
    resident.turn_to(f"?step={place}")
    for _ in range(2):
        question, box = page.locator(".ask").bounding_box(), page.locator("figure").bounding_box()
        assert max(question["y"] + question["height"], box["y"] + box["height"]) <= height
        assert box["height"] > LEAST_PART * height
        # Words beside it, not above.
        assert question["x"] + question["width"] < box["x"]
        page.click(".ask button")
        resident.rest()


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), SMALL)
def test_every_picture_of_the_walk_is_seen_whole(resident: Any, width: int, height: int) -> None:
    page = resident.turn_to("?step=1")
    page.set_viewport_size({"width": width, "height": height})
    for place, _ in STEPS:
        resident.turn_to(f"?step={place}")
        box = page.locator("figure").bounding_box()
        assert box["y"] + box["height"] <= height, place
        assert box["height"] > LEAST_PART * height, place


def test_keys_that_come_fast_are_all_taken(visitor: Any) -> None:
    page = visitor.open("?step=1")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.wait_for_url("**/?step=6")


def test_chapters_lead_to_their_first_step(visitor: Any) -> None:
    page = visitor.open("?step=1")
    firsts = {step["chapter"]: place for place, step in reversed(STEPS)}
    labels = {chapter.name: chapter.label for chapter in CHAPTERS}
    links = page.locator("#timeline .chapters a")
    assert links.count() == len(firsts)
    for which, (chapter, place) in enumerate(sorted(firsts.items(), key=lambda one: one[1])):
        assert links.nth(which).inner_text() == labels[chapter]
        links.nth(which).click()
        page.wait_for_function("place => location.search === `?step=${place}`", arg=place)
        visitor.settle()
        assert page.inner_text("#told .sentence") == STEPS[place - 1][1]["sentence"]
        assert page.locator("#timeline .chapters .here").count() == 1
        assert page.inner_text("#timeline .chapters .here") == labels[chapter]


def test_progress_is_kept_in_the_browser_and_nowhere_else(visitor: Any) -> None:
    sent: list[str] = []
    visitor.page.on("request", lambda request: sent.append(f"{request.method} {request.url} {request.post_data}"))
    (place, step), (far, _) = ASKED[0], ASKED[1]
    page = visitor.open(f"?step={place}")
    give(page, truth(step), truth(step).value)
    page.wait_for_selector(".ask.right")
    visitor.open(f"?step={far}")
    visitor.open("?step=2")
    # A reload keeps the step, and what was kept.
    page.reload()
    visitor.settle()
    assert page.inner_text("#walk .count") == f"2 of {len(STEPS)}"
    kept = page.evaluate("Object.entries(localStorage)")
    assert [name for name, _ in kept] == ["ridgeline"]
    found = json.loads(kept[0][1])
    assert found["step"] == far
    # Under the step's own name: steps that come in between shift nothing.
    assert found["answers"] == {step["id"]: True}
    assert found["guesses"][step["id"]] == pytest.approx(truth(step).value, rel=0.02)  # two pixels
    assert page.evaluate("sessionStorage.length") == 0
    assert page.context.cookies() == []
    assert all(one.startswith("GET ") for one in sent)
    assert not [one for one in sent if step["id"] in one or "answer" in one]
    visitor.home()
    assert page.get_by_role("button", name=f"Go on with the lecture ({far} of {len(STEPS)})").is_visible()


def test_a_step_is_linked_with_controls_turned(visitor: Any) -> None:
    place, step = next((place, step) for place, step in STEPS if step["board"] == "latency" and not step["question"])
    page = visitor.open("?" + urlencode({"step": place, "chips": "8", "mode": "lecture"}))
    assert page.input_value("#control-chips") == "8"
    assert page.inner_text("#told .sentence") == step["sentence"]
    assert seen(page) == expected(step, is_answered=True)
    # A hand on a control is in the link of its step, too.
    page.locator("#control-chips-slider").focus()
    page.keyboard.press("PageUp")
    page.wait_for_function("() => !location.search.includes('chips=8')")
    visitor.settle()
    turned = parse_qs(urlparse(page.url).query)
    assert turned["step"] == [str(place)]
    assert turned["chips"] == [page.input_value("#control-chips")]
    visitor.open(urlparse(page.url)._replace(scheme="", netloc="", path="").geturl())
    assert page.input_value("#control-chips") == turned["chips"][0]
    page.get_by_role("button", name="Next").click()
    page.wait_for_function("place => location.search === `?step=${place}`", arg=place + 1)


def described(page: Any) -> list[str]:
    """The lines of the picture as a screen reader is told them."""
    found: list[str] = page.locator("#canvas svg").get_attribute("aria-label").partition("lines: ")[2].split(". ")
    return found[0].removesuffix(".").split(", ")


def test_what_is_kept_back_stays_so_while_controls_are_turned(visitor: Any) -> None:
    for place, step in STEPS[1:3]:
        page = visitor.open(f"?step={place}")
        visitor.drag(page.locator("#control-chips-slider"), (60, 0))
        visitor.settle()
        assert sorted(described(page)) == seen(page)[0]
        assert len(described(page)) == len(expected(step, is_answered=False)[0])


def test_a_question_comes_before_all_that_could_give_it_away(visitor: Any) -> None:
    place, step = ASKED[1]  # which names a line by a number, which moves
    page = visitor.open("?" + urlencode({"step": place, "chips": "8"}))
    assert sorted(described(page)) == seen(page)[0]
    assert len(described(page)) == len(expected(step, is_answered=False)[0])
    address = page.url
    slider = page.locator("#control-chips-slider")
    visitor.drag(slider, (60, 0))
    visitor.drag(page.locator("#formula [data-control=chips]").first, (60, 0))
    box = page.locator("label:has(#mode-both)").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    visitor.settle()
    assert page.url == address
    page.get_by_role("button", name="Show it").click()
    visitor.drag(slider, (60, 0))
    visitor.settle()
    assert page.url != address


MOST_IN_PLAY = 3


def test_a_step_offers_the_few_controls_that_move_its_lines_most(resident: Any) -> None:
    """Of a formula that grows first those whose letters are new."""
    offered = {}
    for place, step in STEPS:
        page = resident.turn_to(f"?step={place}")
        ids = page.eval_on_selector_all("#controls > .knob input[type=text]", "all => all.map(one => one.id)")
        names = [one.removeprefix("control-") for one in ids]
        moving = answers(f"boards/{step['board']}", {}, Dropped())["view_controls"][step["view"]]
        allowed = step["controls"] or moving
        assert len(names) == min(MOST_IN_PLAY, len(allowed))
        assert set(names) <= set(allowed)
        offered[place] = names
    first, second, third = (offered[place] for place in (2, 3, 4))
    assert "hbm_bytes_per_s" in second
    assert "hbm_bytes_per_s" not in first
    assert "kv_bytes_per_token" in third


def test_a_step_leads_to_all_of_its_board_as_it_stands(visitor: Any) -> None:
    place, step = next((place, step) for place, step in STEPS if step["turned"])
    page = visitor.open("?" + urlencode({"step": place, "context_tokens": "30k"}))
    link = page.locator("#whole-board")
    assert not link.is_visible()  # an open question
    page.get_by_role("button", name="Show it").click()
    link.click()
    page.wait_for_url("**/?board=*")
    visitor.settle()
    asked = {name: value for name, (value,) in parse_qs(urlparse(page.url).query).items()}
    numbers = {**step["turned"], "context_tokens": "30k"}
    assert asked == {"board": step["board"], "view": str(step["view"]), "mode": step["mode"], **numbers}
    assert [page.input_value(f"#control-{name}") for name in numbers] == list(numbers.values())
    assert page.locator("#exercises li").count() == len(board(step["board"]).exercises)


def test_a_dot_that_is_put_is_no_answer_yet(visitor: Any) -> None:
    place, step = ASKED[1]
    page = visitor.open(f"?step={place}")
    there = truth(step)
    assert f"Within {step['question']['tolerance_ratio']:g}× counts." in page.inner_text(".ask")
    at = pixel(page, there, there.missed())
    page.mouse.click(*at)
    page.mouse.move(at[0] + 60, at[1] + 60)
    visitor.rest()
    assert page.locator(".ask.right, .ask.wrong").count() == 0
    # Dragged elsewhere it still waits; pressed once more it is given.
    left = at[0], pixel(page, there, there.value)[1]
    page.mouse.click(*left)
    assert page.locator(".ask.right, .ask.wrong").count() == 0
    page.mouse.move(at[0] + 60, left[1])
    dot = page.locator("#canvas svg circle[r='7'][stroke-width='2']").bounding_box()
    page.mouse.click(dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2)
    page.wait_for_selector(".ask.right")
    assert page.locator(".chart-check").is_hidden()


def test_around_the_dot_lies_what_counts(visitor: Any) -> None:
    """As far as the question allows, on a logarithmic axis as far to both sides."""
    place, step = next((place, step) for place, step in ASKED if truth(step).is_logarithmic)
    page = visitor.open(f"?step={place}")
    there = truth(step)
    page.mouse.move(*pixel(page, there, there.value))
    visitor.rest()
    box = page.eval_on_selector(
        "#canvas svg path[stroke-width='16']", "one => [one.getBBox().width, one.getBBox().height]"
    )
    which = ["x", "y"].index(there.way)
    whole = page.evaluate(PLOT)[2 + which]
    low, high = (math.log(end) for end in there.ends)
    assert step["question"]
    part = 2 * math.log(step["question"]["tolerance_ratio"]) / (high - low)
    assert box[which] == pytest.approx(part * whole, abs=0.5)  # half a pixel of layout


def test_letters_look_turned_only_where_they_turn(visitor: Any) -> None:
    """Not while a question is open, nor in an exercise, whose numbers are its own."""
    page = visitor.open("?step=4")
    letter = page.locator("#formula .terms span:not(.later) [data-control]").first
    looks = "one => [getComputedStyle(one).cursor, getComputedStyle(one).textDecorationLine]"
    hint = page.locator("#formula .hint")
    assert letter.evaluate(looks)[1] == "none"
    assert "ew-resize" not in letter.evaluate(looks)
    assert hint.count() == 0
    page.get_by_role("button", name="Show it").click()
    hint.wait_for()
    assert letter.evaluate(looks) == ["ew-resize", "underline"]


def test_a_formula_shown_in_part_ends_in_dots_and_closes_its_bracket(visitor: Any) -> None:
    page = visitor.open("?step=1")
    assert page.inner_text("#formula .to-come .katex-html").replace("\u200b", "") == "…)"
    visitor.turn_to("?step=4")
    assert page.locator("#formula .to-come").count() == 0


RGB = "one => getComputedStyle(one).fill.match(/\\d+/g).slice(0, 3).map(Number)"
CARD = (1200, 630)
"""Pixels of the picture that one sends: what others show of a link."""


def test_the_walk_ends_with_a_picture_to_send(visitor: Any, tmp_path: Path) -> None:
    page = visitor.open(f"?step={ASKED[0][0]}")
    guesses = {step["id"]: truth(step).value for _, step in ASKED[:3]}
    page.evaluate("guesses => localStorage.setItem('ridgeline', JSON.stringify({ guesses }))", guesses)
    page.goto(f"{visitor.address}/?step={len(STEPS) + 1}")
    page.wait_for_selector("#ending .disproved li")
    failing = [claim for claim in LEDGER["claims"] if claim["verdict"] == "does not reproduce"]
    said = page.get_attribute(".card", "aria-label")
    assert said.startswith(f"{len(failing)} of {len(LEDGER['claims'])} claims ")
    assert said.endswith("do not reproduce. I guessed 3 of 3.")
    # Each claim is a dot, and those that do not reproduce say their names, none over another nor beyond the picture.
    dots = page.locator(".card circle").count()
    assert dots == len(LEDGER["claims"]) + page.locator(".card .legend circle").count()
    assert all(one.is_visible() for one in page.locator(".card text").all())
    names = page.locator(".card .names text")
    assert sorted(names.all_text_contents()) == sorted(claim["short_name"] for claim in failing)
    whole = page.locator(".card").bounding_box()
    boxes = [one.bounding_box() for one in names.all()]
    for box in boxes:
        assert whole["x"] < box["x"] < box["x"] + box["width"] < whole["x"] + whole["width"]
    for one, other in combinations(boxes, 2):
        is_beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
        middles = [box["y"] + box["height"] / 2 for box in (one, other)]
        # Boxes of two lines overlap by the room above and below letters.
        assert is_beside or abs(middles[0] - middles[1]) > 0.6 * one["height"]
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the picture").click()
    saved.value.save_as(tmp_path / "card.png")
    pixels = matplotlib.image.imread(tmp_path / "card.png")
    assert pixels.shape[1::-1] == CARD
    # The red of the names that fail is in it, on as much ground as words cover at least.
    red = np.asarray(page.eval_on_selector(".card .names text", RGB)) / 255
    assert np.all(abs(pixels[..., :3] - red) < 1 / 255, axis=-1).mean() > 0.001
    page.get_by_role("button", name="Copy the link").click()
    page.wait_for_function("() => document.getElementById('said').textContent === 'Copied'")
    assert page.evaluate("navigator.clipboard.readText()") == f"{visitor.address}/"


def test_who_guessed_nothing_has_no_score_and_is_led_on(visitor: Any) -> None:
    page = visitor.page
    page.goto(f"{visitor.address}/?step={len(STEPS) + 1}")
    page.wait_for_selector("#ending .disproved li")
    assert "guessed" not in page.text_content(".card")
    page.get_by_role("link", name="Price a token of another model").click()
    page.wait_for_selector("#home .price")
    assert page.url == f"{visitor.address}/"


def test_where_a_browser_can_share_the_picture_goes_along(visitor: Any) -> None:
    page = visitor.open(f"?step={len(STEPS)}")
    page.evaluate(
        """() => {
            navigator.canShare = ({ files }) => files.length === 1;
            navigator.share = async ({ files, text, url }) => {
                const { width, height } = await createImageBitmap(files[0]);
                window.shared = { name: files[0].name, size: [width, height], text, url };
            };
        }"""
    )
    page.get_by_role("button", name="The end").click()
    page.get_by_role("button", name="Share").click()
    page.wait_for_function("() => window.shared")
    shared = page.evaluate("window.shared")
    assert shared["name"].endswith(".png")
    assert tuple(shared["size"]) == CARD
    assert shared["text"] == page.get_attribute(".card", "aria-label")
    assert shared["url"] == f"{visitor.address}/"
    page.evaluate("() => { delete navigator.share; delete navigator.canShare; }")
