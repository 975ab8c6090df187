"""The lecture step by step: what a step shows and keeps back, how one walks, and a guess before a line is seen."""

from __future__ import annotations

import json
import math
from typing import Any
from urllib.parse import parse_qs, urlencode, urlparse

import numpy as np
import pytest

from ridgeline.boards.lecture import CHAPTERS, board
from ridgeline.boards.lecture.recording import seconds
from ridgeline.boards.lecture.walk import StepDocument, walk_document
from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped

pytestmark = pytest.mark.xdist_group("browser")  # one browser for all of them

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
    asked = None if is_answered or step["question"] is None else step["question"]["line"]
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
    return sorted(names), sorted(line["colour"] for one in kept for line in one)


def seen(page: Any) -> tuple[list[str], list[str]]:
    found = page.evaluate(SEEN)
    return sorted(found["names"]), sorted(found["colours"])


def truth(step: StepDocument, turned: dict[str, str] | None = None) -> tuple[float, tuple[float, float], bool]:
    """How high the asked line lies, the ends of its axis, and whether that is logarithmic."""
    question = step["question"]
    assert question
    view, shown = pictures(step, turned)
    line = next(line for line in shown[-1]["lines"] if line["name"] == question["line"])
    axis = view["axes"]["y"]
    return float(np.interp(question["x"], shown[-1]["x"], line["y"])), tuple(axis["ends"]), axis["is_logarithmic"]


def pixel(page: Any, value: float, ends: tuple[float, float], *, is_logarithmic: bool) -> tuple[float, float]:
    """In the window: the middle of the plot, at the height of a value."""
    left, top, width, height = page.evaluate(PLOT)
    low, high, at = (math.log(each) if is_logarithmic else each for each in (*ends, value))
    return left + width / 2, top + height * (1 - min(1, max(0, (at - low) / (high - low))))


def missed(step: StepDocument) -> float:
    """A height inside the plot that is a wrong answer."""
    there, ends, is_logarithmic = truth(step)
    low = ends[0] if is_logarithmic else ends[1] / 100
    return max(low, ends[1], key=lambda end: abs(math.log(end / there)))


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
    if len(one.views) > 1:
        assert page.get_attribute(f"#tab-{step['view']}", "aria-selected") == "true"
    assert page.locator(f"#mode-{step['mode']}").is_checked()
    for name, text in step["turned"].items():
        assert page.input_value(f"#control-{name}") == text
    link = page.locator("#walk .where a").get_attribute("href")
    assert parse_qs(urlparse(link).query)["t"] == [f"{seconds(step['time_stamp'])}s"]
    assert page.locator(".claim.lit").count() == len(set(step["claims"]) & set(one.claims))
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
    there, ends, is_logarithmic = truth(step)
    x, y = pixel(page, there, ends, is_logarithmic=is_logarithmic)
    page.mouse.click(x, y)
    page.wait_for_selector(".ask.right")
    resident.rest()
    assert page.inner_text(".ask").startswith("✓")
    assert question["reveal"] in page.inner_text(".ask")
    assert seen(page) == expected(step, is_answered=True)
    assert page.locator("#canvas svg").get_attribute("aria-label") != described
    # And away again for the next visitor of the step: neither drawn nor left in the picture.
    resident.turn_to("?step=1")
    resident.turn_to(f"?step={place}")
    assert seen(page) == expected(step, is_answered=False)


def test_right_and_wrong_look_different(visitor: Any) -> None:
    looks = []
    for place, step in ASKED[:3]:
        for value in (truth(step)[0], missed(step)):
            page = visitor.open(f"?step={place}")
            page.mouse.click(*pixel(page, value, truth(step)[1], is_logarithmic=truth(step)[2]))
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
    there, (low, high), is_logarithmic = truth(step)
    least, most, at = (math.log(each) if is_logarithmic else each for each in (low, high, there))
    page.keyboard.press("Home")
    for _ in range(round(40 * (at - least) / (most - least))):  # a fortieth of the axis each
        page.keyboard.press("ArrowUp")
    visitor.rest()
    assert page.locator(".ask.right, .ask.wrong").count() == 0
    page.keyboard.press("Enter")
    page.wait_for_selector(".ask.right")
    visitor.open(f"?step={place}")
    page.focus(".chart")
    page.keyboard.press("End" if missed(step) == high else "Home")
    page.keyboard.press("Enter")
    page.wait_for_selector(".ask.wrong")


def test_a_question_can_be_given_up(visitor: Any) -> None:
    place, step = ASKED[0]
    page = visitor.open(f"?step={place}")
    page.click(".ask button")
    page.wait_for_selector(".ask:not(:has(button))")
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
    page.get_by_role("button", name="Play on").click()
    page.wait_for_function("() => !location.search.includes('step')")
    visitor.settle()
    assert parse_qs(urlparse(page.url).query)["board"] == [STEPS[-1][1]["board"]]
    assert page.locator("#walk").count() == 0


def test_the_walk_ends_with_what_came_of_it_and_boards_lead_back_into_it(visitor: Any) -> None:
    page = visitor.open(f"?step={len(STEPS)}")
    failing = [claim["id"] for claim in LEDGER["claims"] if claim["verdict"] == "does not reproduce"]
    assert page.eval_on_selector_all("#told .ask a", "all => all.map(one => one.textContent)") == failing
    page.click("#told .ask a")
    page.wait_for_selector(f"#claim-{failing[0]}[open]")
    place = next(place for place, step in STEPS if step["board"] == "sparse")
    page.get_by_role("link", name=f"step {place} of the lecture's walk").click()
    page.wait_for_url(f"**/?step={place}")


def test_boards_lead_to_their_neighbours(visitor: Any) -> None:
    page = visitor.open("?board=modes")
    links = page.locator("#neighbours a")
    assert links.count() == 1
    links.click()
    page.wait_for_url("**/?board=latency")
    visitor.settle()
    assert links.count() == 2


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
    page.mouse.click(*pixel(page, truth(step)[0], truth(step)[1], is_logarithmic=truth(step)[2]))
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
    assert found["answers"] == {f"step-{place}": True}
    assert page.evaluate("sessionStorage.length") == 0
    assert page.context.cookies() == []
    assert all(one.startswith("GET ") for one in sent)
    assert not [one for one in sent if f"step-{place}" in one or "answer" in one]
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
    for place, step in STEPS[1:4]:  # of them the third names a line by a number, which moves
        page = visitor.open(f"?step={place}")
        before = len(described(page))
        visitor.drag(page.locator("#control-chips-slider"), (60, 0))
        visitor.settle()
        assert sorted(described(page)) == seen(page)[0]
        assert len(described(page)) == before == len(expected(step, is_answered=False)[0])
