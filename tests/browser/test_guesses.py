"""A guess before a line is seen: what is kept back, how one guesses, and what is told then."""

from __future__ import annotations

import json
import math
import re
from typing import Any
from urllib.parse import parse_qs, urlparse

import pytest
from tests.browser.steps import ASKED, LEDGER, PLOT, STEPS, described, expected, give, named, pixel, seen, truth

from ridgeline.boards.lecture.walk import StepDocument


@pytest.mark.parametrize(("place", "step"), ASKED, ids=[f"{place}-{step['board']}" for place, step in ASKED])
def test_a_line_is_drawn_once_its_height_was_guessed(resident: Any, place: int, step: StepDocument) -> None:
    page = resident.turn_to(f"?step={place}")
    question = step["question"]
    assert question
    assert question["prompt"] in page.inner_text(".ask")
    assert question["reveal"] not in page.inner_text("#board")
    described = page.locator("#canvas svg").get_attribute("aria-label")
    assert seen(page) == expected(step, is_answered=False)
    resident.rest()
    there = truth(step)
    give(page, there, there.value)
    page.wait_for_selector(".ask.right")
    resident.rest()
    assert page.inner_text(".ask").startswith("✓")
    assert question["reveal"] in page.inner_text(".ask")
    assert seen(page) == expected(step, is_answered=True)
    assert question["axis"] == "x" or page.locator("#canvas svg").get_attribute("aria-label") != described
    # Who comes back sees what was guessed, and may guess again: then it is neither drawn nor left in the picture.
    resident.come(f"?step={place}")
    assert page.inner_text(".ask").startswith("✓ Last time, ")
    assert seen(page) == expected(step, is_answered=True)
    page.get_by_role("button", name="Guess again").click()
    resident.rest()
    assert question["prompt"] in page.inner_text(".ask")
    assert seen(page) == expected(step, is_answered=False)


def test_right_and_wrong_look_different(resident: Any) -> None:
    looks = []
    for place, step in ASKED[:3]:
        there = truth(step)
        page = resident.turn_to(f"?step={place}")
        for value in (there.value, there.missed()):
            give(page, there, value)
            page.wait_for_selector(".ask.right, .ask.wrong")
            resident.rest()
            ask = page.locator(".ask")
            looks.append(
                (
                    ask.inner_text()[0],
                    ask.evaluate("one => getComputedStyle(one).borderLeftColor"),
                    ask.evaluate("one => getComputedStyle(one.querySelector('b')).color"),
                    page.locator("#canvas svg circle[r='7'][stroke-width='2']").get_attribute("fill"),
                )
            )
            page.get_by_role("button", name="Guess again").click()
            resident.rest()
    rights, wrongs = set(looks[::2]), set(looks[1::2])
    assert len(rights) == len(wrongs) == 1
    (right,), (wrong,) = rights, wrongs
    assert all(one != other for one, other in zip(right, wrong, strict=True))
    assert (right[0], wrong[0]) == ("✓", "✗")


@pytest.mark.parametrize(("place", "step"), ASKED[:2], ids=[f"{place}-{step['board']}" for place, step in ASKED[:2]])
def test_a_guess_is_given_by_keys(resident: Any, place: int, step: StepDocument) -> None:
    page = resident.come(f"?step={place}")
    asks = page.inner_text(".chart-prompt p")
    page.keyboard.press("Tab")  # a browser shows the focus to who uses keys
    page.focus(".chart")
    resident.rest()
    # How keys answer is said where they do, and no longer than they are there.
    assert re.fullmatch(r"[←↑] [→↓] move a dot, Enter gives it", page.inner_text(".chart-prompt p"))
    page.focus("#next")
    resident.rest()
    assert page.inner_text(".chart-prompt p") == asks
    page.focus(".chart")
    there = truth(step)
    page.keyboard.press("Home")
    for _ in range(round(40 * there.part(there.value))):  # a fortieth of the axis each
        page.keyboard.press("ArrowRight" if there.way == "x" else "ArrowUp")
    resident.rest()
    assert page.locator(".ask.right, .ask.wrong").count() == 0
    page.keyboard.press("Enter")
    page.wait_for_selector(".ask.right")
    resident.rest()
    # Keys go on at what leads on, in a ring as round as it is.
    ring = page.eval_on_selector(
        "#next:focus-visible", "next => Number.parseFloat(getComputedStyle(next).borderRadius)"
    )
    assert ring > page.locator("#next").bounding_box()["height"] / 2
    # Arrows go on from there.
    page.keyboard.press("ArrowRight")
    page.wait_for_function("place => location.search === `?step=${place}`", arg=named(place + 1))
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".ask.right")
    page.get_by_role("button", name="Guess again").click()
    page.wait_for_function("() => document.activeElement.matches('.chart')")
    page.keyboard.press("End" if there.missed() == there.ends[1] else "Home")
    page.keyboard.press("Enter")
    page.wait_for_selector(".ask.wrong")


# Whether any dot of a guess is seen, and what the keys have put.
DOTS = """() => [...document.querySelectorAll("#canvas svg circle[r='7']")]
    .filter(one => one.checkVisibility({ visibilityProperty: true })).length"""


NUDGES = (["Up"], ["Down"], ["Up", "Up"], ["Shift+Up", "Shift+Up"], ["Up", "Down"])


@pytest.mark.parametrize(("place", "step"), ASKED, ids=[f"{place}-{step['board']}" for place, step in ASKED])
def test_no_dot_is_there_until_it_is_put_and_a_nudge_is_no_guess(resident: Any, place: int, step: StepDocument) -> None:
    """On the first axis of each kind by all keys; on the others, which are walked alike, there and back."""
    axis = truth(step)[2:]
    is_first = all(truth(before)[2:] != axis for at, before in ASKED if at < place)
    page = resident.turn_to(f"?step={place}")
    page.mouse.move(0, 0)
    resident.rest()
    assert page.evaluate(DOTS) == 0
    assert page.locator(".chart-check").is_disabled()
    page.focus(".chart")
    page.keyboard.press("Enter")  # gives nothing
    assert page.locator(".ask.right, .ask.wrong").count() == 0
    for keys in NUDGES if is_first else NUDGES[-1:]:
        for key in keys:
            page.keyboard.press(key.replace("Up", "ArrowUp").replace("Down", "ArrowDown"))
        resident.rest()
        assert page.evaluate(DOTS) == 1
        assert page.locator(".chart-check").is_enabled()
        page.keyboard.press("Enter")
        page.wait_for_selector(".ask.wrong")
        page.get_by_role("button", name="Guess again").click()
        resident.rest()
        assert page.evaluate(DOTS) == 0
        page.focus(".chart")


@pytest.mark.parametrize(("place", "step"), ASKED, ids=[f"{place}-{step['board']}" for place, step in ASKED])
def test_where_a_dot_is_put_lies_whole_inside_the_plot(resident: Any, place: int, step: StepDocument) -> None:
    page = resident.turn_to(f"?step={place}")
    resident.rest()
    left, _, width, _ = page.evaluate(PLOT)
    page.mouse.click(*pixel(page, truth(step), truth(step).missed()))
    resident.rest()
    for part in ("circle[r='7'][stroke-width='2']", "path[stroke-width='16']"):
        box = page.locator(f"#canvas svg {part}").bounding_box()
        assert left <= box["x"], part
        assert box["x"] + max(box["width"], 1) <= left + width, part


def test_a_formula_keeps_what_would_answer_until_the_answer(resident: Any) -> None:
    """Step 38, where a term of an equation waits; where a whole one does nothing stands for it."""
    place, step = next(
        (place, step)
        for place, step in ASKED
        if step["question"] and step["question"]["terms"] and step["board"] == "prefill"
    )
    page = resident.come(f"?step={place}")
    words = """() => [...document.querySelectorAll('#formula .terms .katex-html')]
        .filter(one => one.checkVisibility({ visibilityProperty: true })).map(one => one.textContent).join('')"""
    cut = (
        "() => [...document.querySelectorAll('#formula .together')].some(one => one.scrollWidth > one.clientWidth + 3)"
    )
    terms = step["question"] and step["question"]["terms"]
    assert terms
    assert terms < step["terms"]
    assert page.evaluate(words).endswith("?)")
    assert not page.evaluate(cut)
    large = page.locator("#formula").evaluate("one => one.style.fontSize")
    page.click(".chart-show")
    resident.rest()
    assert page.evaluate(words).endswith(",1)")
    assert page.locator("#formula").evaluate("one => one.style.fontSize") == large


# Where the plot is, and each number at its axes.
FRAME = """() => {
    const ticks = [...document.querySelectorAll('#canvas svg .ticks text')]
        .filter(one => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
    return ticks.map(one => [one.textContent, one.getBoundingClientRect().x, one.getBoundingClientRect().y]);
}"""


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
    resident.rest()
    there, plot, ticks = truth(step), page.evaluate(PLOT), page.evaluate(FRAME)
    page.click(".chart-show")
    page.get_by_role("button", name="Guess", exact=True).wait_for()
    resident.rest()
    # A dot that one has put lies where it lay: what comes with the answer has had its place.
    assert page.evaluate(PLOT) == pytest.approx(plot, abs=0.5)  # half a pixel of layout
    assert ticks
    assert len(page.evaluate(FRAME)) == len(ticks)
    for (text, *at), (now, *there_now) in zip(ticks, page.evaluate(FRAME), strict=True):
        assert now == text
        assert there_now == pytest.approx(at, abs=0.5), text
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
    page.click(".chart-show")
    page.get_by_role("button", name="Guess").wait_for()
    visitor.rest()
    assert page.locator(".ask.right, .ask.wrong").count() == 0
    assert seen(page) == expected(step, is_answered=True)
    assert json.loads(page.evaluate("localStorage.getItem('ridgeline')"))["answers"] == {}


def test_claims_beside_a_question_come_after_it(resident: Any) -> None:
    place, step = next((place, step) for place, step in ASKED if step["claims"])
    page = resident.come(f"?step={place}")
    shown = page.inner_text("aside")
    claims = [claim for claim in LEDGER["claims"] if claim["board"] == step["board"]]
    assert not [claim["id"] for claim in claims if claim["claim"] in shown]
    assert page.locator(".claim").count() == 0
    page.click(".chart-show")
    page.wait_for_selector(".claim.lit")
    # The table of its numbers is the board's.
    assert page.locator("#points").count() == 0


def test_the_picture_stays_where_it_is_when_a_guess_is_told(resident: Any) -> None:
    place, _ = ASKED[0]
    page = resident.come(f"?step={place}")
    before = page.locator("#views").bounding_box()
    page.click(".chart-show")
    resident.rest()
    assert page.locator("#views").bounding_box() == before


SMALL = [(1280, 800), (1024, 768)]
LEAST_PART = 0.4
"""Of the screen's height that a picture has at least, of the longest formulas too."""


@pytest.mark.parametrize(("width", "height"), SMALL)
@pytest.mark.parametrize("place", [1, 15, 34, 39])
def test_a_question_and_its_picture_stand_on_one_screen(resident: Any, place: int, width: int, height: int) -> None:
    """Those of the longest words and formulas, before the answer and after it."""
    resident.screen(width, height)
    page = resident.come(f"?step={place}")
    for _ in range(2):
        question, box = page.locator(".ask").bounding_box(), page.locator("figure").bounding_box()
        assert max(question["y"] + question["height"], box["y"] + box["height"]) <= height
        assert box["height"] > LEAST_PART * height
        # Words beside it, not above.
        assert question["x"] + question["width"] < box["x"]
        page.locator(".chart-show:visible, .ask button:visible").first.click()
        resident.rest()


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


def test_what_is_kept_back_stays_so_while_controls_are_turned(resident: Any) -> None:
    for place, step in STEPS[1:3]:
        page = resident.come(f"?step={place}")
        resident.drag(page.locator("#control-chips-slider"), (60, 0))
        resident.settle()
        assert sorted(described(page)) == seen(page)[0]
        assert len(described(page)) == len(expected(step, is_answered=False)[0])


def test_a_question_comes_before_all_that_could_give_it_away(resident: Any) -> None:
    place, step = next((place, step) for place, step in ASKED if step["id"] == STEPS[7][1]["id"])
    page = resident.come(f"?step={place}")
    assert sorted(described(page)) == seen(page)[0]
    assert len(described(page)) == len(expected(step, is_answered=False)[0])
    address = page.url
    slider = page.locator("#control-active_params-slider")
    assert not slider.is_visible()  # until then the words have all of their column
    resident.drag(page.locator("#formula [data-control=active_params]").first, (60, 0))
    box = page.locator("label:has(#mode-both)").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    resident.settle()
    assert page.url == address
    page.get_by_role("button", name="Show it").click()
    resident.drag(slider, (60, 0))
    resident.settle()
    assert page.url != address


def test_letters_look_turned_only_where_they_turn(visitor: Any) -> None:
    """Not while a question is open, nor in an exercise, whose numbers are its own; to one who has turned none yet."""
    page = visitor.open("?step=8", is_told=False)
    letter = page.locator("#formula .terms span:not(.later) [data-control]").first
    looks = "one => [getComputedStyle(one).cursor, getComputedStyle(one).textDecorationLine]"
    hint = page.locator("#symbols .hint:visible")
    assert letter.evaluate(looks)[1] == "none"
    assert "ew-resize" not in letter.evaluate(looks)
    assert hint.count() == 0
    page.get_by_role("button", name="Show it").click()
    hint.wait_for()
    assert letter.evaluate(looks) == ["ew-resize", "underline"]


def test_a_dot_that_is_put_is_no_answer_yet(resident: Any) -> None:
    place, step = ASKED[1]
    page = resident.come(f"?step={place}")
    there = truth(step)
    assert step["question"]
    factor = {2.0: "two", 3.0: "three"}.get(step["question"]["tolerance_ratio"])
    assert f"Within a factor of {factor} (the band) counts." in page.inner_text(".ask")
    at = pixel(page, there, there.missed())
    page.mouse.click(*at)
    page.mouse.move(at[0] + 60, at[1] + 60)
    resident.rest()
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


# Boxes of what one asks with on the chart, of the dot's place along, and of points of lines that are drawn.
PANEL = """() => {
    const panel = document.querySelector('.chart-prompt').getBoundingClientRect();
    const frame = document.querySelector('#canvas svg').getBoundingClientRect();
    const guide = document.querySelector('#canvas svg path[stroke-dasharray="2 4"]').getBoundingClientRect();
    const lines = [...document.querySelectorAll('#canvas svg g[data-line] > path[fill=none]')]
        .filter(one => one.getAttribute('d'));
    const along = Array.from({ length: 201 }, (_, at) => at / 200);
    const points = lines.flatMap(one => along.map(part => one.getPointAtLength(one.getTotalLength() * part)))
        .map(({ x, y }) => [x + frame.left, y + frame.top]);
    const isIn = ([x, y]) => x > panel.left && x < panel.right && y > panel.top && y < panel.bottom;
    return {
        covered: points.filter(isIn).length,
        off: Math.max(0, panel.left - guide.right, guide.left - panel.right),
    };
}"""
FAR = 90
"""Pixels from the place of the dot to the panel, with the scale between them."""


@pytest.mark.parametrize(("place", "step"), ASKED, ids=[f"{place}-{step['board']}" for place, step in ASKED])
def test_what_answers_stands_beside_the_dot_and_covers_no_line(resident: Any, place: int, step: StepDocument) -> None:
    page = resident.turn_to(f"?step={place}")
    resident.rest()
    found = page.evaluate(PANEL)
    assert found["covered"] == 0
    assert found["off"] <= FAR
    # It stays where it is while the dot moves.
    before = page.locator(".chart-prompt").bounding_box()
    assert page.locator(".chart-check").is_disabled()
    page.mouse.click(*pixel(page, truth(step), truth(step).missed()))
    resident.rest()
    assert page.locator(".chart-prompt").bounding_box() == before
    assert page.locator(".chart-check").is_enabled()


def test_around_the_dot_lies_what_counts(resident: Any) -> None:
    """As far as the question allows, on a logarithmic axis as far to both sides."""
    place, step = next((place, step) for place, step in ASKED if truth(step).is_logarithmic)
    page = resident.come(f"?step={place}")
    there = truth(step)
    page.mouse.move(*pixel(page, there, there.value))
    resident.rest()
    box = page.eval_on_selector(
        "#canvas svg path[stroke-width='16']", "one => [one.getBBox().width, one.getBBox().height]"
    )
    which = ["x", "y"].index(there.way)
    whole = page.evaluate(PLOT)[2 + which]
    low, high = (math.log(end) for end in there.ends)
    assert step["question"]
    part = 2 * math.log(step["question"]["tolerance_ratio"]) / (high - low)
    assert box[which] == pytest.approx(part * whole, abs=0.5)  # half a pixel of layout


def test_a_dot_fills_in_the_row_that_is_asked_beside_what_is_known(resident: Any) -> None:
    (place, step), *_ = (one for one in ASKED if one[1]["board"] == "modes")
    # A dot that waits at another question is none of this one.
    first, other = ASKED[0]
    page = resident.turn_to(f"?step={first}")
    resident.rest()
    page.mouse.click(*pixel(page, truth(other), truth(other).missed()))
    resident.turn_to(f"?step={place}")
    row = page.locator(".grounds .unknown")
    row.wait_for()
    assert row.locator("td").all_inner_texts() == ["?×", "1/?"]
    page.mouse.click(*pixel(page, truth(step), 10.0))
    resident.rest()
    price, batch = row.locator("td").all_inner_texts()
    assert price.removesuffix("×") in page.inner_text("#canvas")
    assert float(batch.removeprefix("1/")) == pytest.approx(2.75 * float(price.removesuffix("×")), rel=0.01)
    # It goes along while a hand holds the dot.
    page.mouse.move(*pixel(page, truth(step), 10.0))
    page.mouse.down()
    page.mouse.move(*pixel(page, truth(step), 20.0), steps=4)
    resident.rest()
    held = row.locator("td").first.inner_text()
    assert float(held.removesuffix("×")) > float(price.removesuffix("×"))
    assert held.removesuffix("×") in page.inner_text("#canvas")
    page.mouse.up()
    page.get_by_role("button", name="Show it").click()
    page.wait_for_selector(".grounds", state="detached")


def test_an_answer_says_by_which_numbers_it_is_once_there_are_others(resident: Any) -> None:
    (place, step), *_ = (one for one in ASKED if one[1]["board"] == "cost" and one[1]["mode"] == "lecture")
    page = resident.turn_to(f"?step={place}")
    page.get_by_role("button", name="Show it").click()
    told = page.locator(".ask > p").first
    whose = "By the question's numbers: "
    assert step["question"]
    assert told.inner_text().startswith(step["question"]["reveal"][:20])
    for other in ("mode=careful", "usd_per_chip_s=%243/h"):
        resident.turn_to(f"?step={place}&{other}")
        assert told.inner_text().startswith(whose)
    resident.turn_to(f"?step={place}")
    assert whose not in told.inner_text()


@pytest.mark.parametrize("query", ["?step=9&bytes_per_param=4+B", "?step=40&mode=both", "?step=5&price_ratio=4"])
def test_an_address_with_other_numbers_than_a_questions_opens_the_answer(resident: Any, query: str) -> None:
    """Beside its own numbers alone a question is no riddle; who asks for it anew has these again."""
    page = resident.come(query, is_told=False)
    resident.rest()
    assert page.locator("#asked").count() == 0
    assert page.locator("figure[inert]").count() == 0
    page.get_by_role("button", name=re.compile("^(Guess|Choose)$")).click()
    page.wait_for_selector("#asked")
    resident.settle()
    assert set(parse_qs(urlparse(page.url).query)) == {"step"}
    page.go_back()
    page.wait_for_selector("#asked", state="detached")
    # What no control is changes no picture.
    resident.come("?step=9&utm_source=x", is_told=False)
    assert page.locator("#asked").count() == 1


# Numbers of an axis that what asks for the dot covers, of the scale beside the dot, too.
UNDER_PROMPT = """() => {
    const over = document.querySelector('.chart-prompt').getBoundingClientRect();
    return [...document.querySelectorAll('#canvas .axes text, #canvas .ruler text')].filter(one => {
        const box = one.getBoundingClientRect();
        return one.checkVisibility({ visibilityProperty: true }) && box.width
            && box.left < over.right && box.right > over.left && box.top < over.bottom && box.bottom > over.top;
    }).map(one => one.textContent);
}"""


def test_what_asks_for_a_dot_covers_no_number_of_the_scale(resident: Any) -> None:
    page = resident.page
    page.set_viewport_size({"width": 1280, "height": 720})
    for place, _ in ASKED:
        resident.turn_to(f"?step={place}", is_told=False)
        page.wait_for_selector(".chart-prompt")
        resident.rest()
        assert page.evaluate(UNDER_PROMPT) == [], place


def test_letters_are_no_stop_for_keys_while_a_guess_is_asked_for(resident: Any) -> None:
    """They cannot be turned before the answer."""
    page = resident.come("?step=34", is_told=False)
    letters = page.locator("#formula .numbers [role=slider]")
    assert letters.count() > 0
    found = letters.evaluate_all("all => all.map(one => [one.tabIndex, one.getAttribute('aria-disabled')])")
    assert found == [[-1, "true"]] * letters.count()
    page.get_by_role("button", name="Show it").click()
    page.wait_for_selector("#formula .numbers [role=slider][tabindex='0']")
    assert page.locator("#formula .numbers [aria-disabled=true]").count() == 0
