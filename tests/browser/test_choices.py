"""A question with a few answers before a picture is seen: what waits, how one answers, and what is told then."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from tests.browser.phones import LEAST_ROW
from tests.browser.steps import CHOOSING, STEPS, named, pictures

from ridgeline.boards.lecture.walk import SketchDocument, StepDocument

every_step = pytest.mark.parametrize(
    ("place", "step"), CHOOSING, ids=[f"{place}-{step['board']}" for place, step in CHOOSING]
)

# What is seen of the picture and of what is drawn above it: words, how many shapes, and how far along each line runs.
SEEN = """() => {
    const all = [...document.querySelectorAll('figure *, .machine *')];
    const seen = all.filter(one => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
    const of = kind => seen.filter(one => one.matches(kind));
    const lines = of('[data-line] > path[fill=none][stroke-linejoin]').filter(one => one.getAttribute('d'));
    return {
        texts: of('text').map(one => one.textContent).filter(Boolean),
        shapes: of('path, rect, circle').filter(one => !one.closest('.axes')).length,
        lines: lines.map(one => [one.parentElement.dataset.line, one.getBoundingClientRect().right]),
        tip: of('[data-line] circle').map(one => one.getBoundingClientRect()).map(one => one.x + one.width / 2),
        mark: of('.unknown text').map(one => one.getBoundingClientRect()).map(one => one.x + one.width / 2),
    };
}"""

# Letters' numbers that the answer brings.
AMOUNTS = """() => [...document.querySelectorAll('#symbols li:not(.known) .amounts *')]
    .filter(one => one.checkVisibility({ opacityProperty: true, visibilityProperty: true })).length"""

# Where the picture, its axes, the formula above it and the way on are.
LAID = """() => {
    const boxes = ['#canvas', '#canvas svg, .scene > svg', '#walk', '.axes > path'].map(query => {
        const { x, y, width, height } = document.querySelector(query)?.getBoundingClientRect() ?? new DOMRect();
        return [x, y, width, height];
    });
    const { x, y } = document.querySelector('#formula').getBoundingClientRect();
    return [...boxes.flat(), x, y];
}"""

# Words that are seen of the drawing above a chart.
DRAWN_ABOVE = """() => [...document.querySelectorAll('.machine svg text')]
    .filter(one => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .map(one => one.textContent).filter(Boolean)"""

# Whether nothing lies over it.
UPPERMOST = """one => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""


def choice_of(step: StepDocument) -> tuple[int, int]:
    """Places of the right answer and of a wrong one."""
    choice = step["choice"]
    assert choice
    return choice["right"], (choice["right"] + 1) % len(choice["options"])


def known_alone(seen: Any, sketch: SketchDocument | None) -> None:
    """Of a chart the lines that the question leaves known are drawn as far as they are, and a mark where it asks."""
    named = {line for line, _ in seen["lines"]}
    if sketch is None:
        assert not named
        return
    # The page writes a sign for the numbers of a name.
    assert named == {re.sub(r"[\d.,]+", "#", line.split(":")[0]) for line in sketch["lines"]}
    assert set(sketch["dots"]) <= set(seen["texts"])
    (mark,) = seen["mark"]
    if sketch["until"] is None:
        return
    ends = [right for _, right in seen["lines"]]
    assert ends == pytest.approx([seen["tip"][0]] * len(ends), abs=2)  # a line's own width
    assert mark > seen["tip"][0]


@every_step
def test_a_picture_and_what_would_tell_wait_for_an_answer(resident: Any, place: int, step: StepDocument) -> None:
    page = resident.turn_to(f"?step={place}", is_told=False)
    choice = step["choice"]
    assert choice
    right, wrong = choice_of(step)
    page.mouse.move(0, 0)
    resident.rest()
    asked = page.evaluate(SEEN)
    assert page.evaluate(AMOUNTS) == 0
    known_alone(asked, choice["sketch"])
    assert page.inner_text("#told .sentence") == step["sentence"][: choice["told"]]
    assert page.locator(".claim, .closing, .ladder").count() == 0
    group = page.get_by_role("group", name=f"Your guess: {choice['prompt']}")
    assert group.locator("> button").all_inner_texts() == [
        *(option["name"][0].upper() + option["name"][1:] for option in choice["options"]),
        "Show it",
    ]
    # They stand with the question, and the picture has the frame that it will have.
    question, answers, picture = (page.locator(one).bounding_box() for one in ("#asked", ".options", "figure"))
    assert answers["x"] + answers["width"] < picture["x"]
    assert question["y"] + question["height"] < answers["y"]
    drawn = page.evaluate("() => document.querySelectorAll('.axes').length")
    ticks = "text => text.checkVisibility({ visibilityProperty: true, opacityProperty: true })"
    assert drawn == 0 or sum(one.evaluate(ticks) for one in page.locator(".axes text").all()) > 4
    before = page.evaluate(LAID)
    looks = []
    for which, how in ((wrong, "wrong"), (right, "right")):
        group.locator("> button").nth(which).click()
        page.wait_for_selector(f".ask.{how}")
        resident.rest()
        # What comes with the answer has had its place.
        assert page.evaluate(LAID) == pytest.approx(before, abs=0.5)  # half a pixel of layout
        told = page.evaluate(SEEN)
        assert told["shapes"] > asked["shapes"]
        assert {*told["texts"]} - {*asked["texts"]}
        assert not told["mark"]
        assert page.inner_text("#told .sentence") == step["sentence"]
        ask = page.locator(".ask")
        verdict = ask.inner_text()
        assert choice["why"] in verdict
        assert choice["options"][right]["name"] in verdict.lower()
        looks.append((verdict[0], ask.evaluate("one => getComputedStyle(one).borderLeftColor")))
        # Who comes back sees what was chosen.
        resident.turn_to("?step=2")
        resident.turn_to(f"?step={place}", is_told=False)
        assert page.inner_text(".ask")[2:].startswith("Last time, ")
        page.get_by_role("button", name="Choose again").click()
        resident.rest()
        again = page.evaluate(SEEN)
        assert [again["texts"], again["shapes"]] == [asked["texts"], asked["shapes"]]
    assert [sign for sign, _ in looks] == ["✗", "✓"]
    assert looks[0][1] != looks[1][1]


def test_what_a_scene_is_asked_for_has_its_place_before_the_answer(resident: Any) -> None:
    asked = {step["board"]: place for place, step in CHOOSING}
    page = resident.turn_to(f"?step={asked['stages']}", is_told=False)
    # Both times by their names, and nothing of how long they are.
    texts = page.evaluate(SEEN)["texts"]
    assert sum(text.startswith(("inside rack 1", "the token before, to rack 2")) for text in texts) == 2
    assert texts.count("?") == 2
    assert not [text for text in texts if re.search("[0-9]+ hand-over", text)]
    name = page.locator(".scene > svg").get_attribute("aria-label")
    assert "copies of a token" in name
    assert "times as long" not in name
    page.get_by_role("button", name="Show it").click()
    resident.settle()
    assert "?" not in page.evaluate(SEEN)["texts"]
    # Of two more schedules the rows.
    page = resident.turn_to(f"?step={asked['bubbles']}", is_told=False)
    frames = page.locator("figure svg rect[stroke-dasharray]")
    assert frames.count() == 2
    _, (schedule, *_) = pictures(dict(CHOOSING)[asked["bubbles"]])
    least = schedule["stages"] * LEAST_ROW
    assert all(frame.bounding_box()["height"] >= least for frame in frames.all())
    page.get_by_role("button", name="Show it").click()
    resident.settle()
    assert frames.count() == 0


def test_a_drawing_above_the_chart_shows_what_is_known_of_it(resident: Any) -> None:
    """Of the bars those of the board's own model, of the stacks the one that is not asked for; all once it is told."""

    def drawn(place: str) -> tuple[set[str], set[str]]:
        page = resident.turn_to(f"?step={place}", is_told=False)
        resident.rest()
        asked = page.evaluate(DRAWN_ABOVE)
        page.get_by_role("button", name="Show it", exact=True).click()
        resident.rest()
        assert asked.count("?") == 1
        return set(asked) - {"?"}, set(page.evaluate(DRAWN_ABOVE))

    asked, told = drawn("36")
    assert any("100B" in one for one in asked)
    assert {one for one in told - asked if "DeepSeek-V4" in one}
    assert not {one for one in asked if "DeepSeek" in one}
    asked, told = drawn("45")
    assert {"store all", "reversible", "6.85 GB"} <= {one.replace("\N{NO-BREAK SPACE}", " ") for one in asked}
    assert not any("MB" in one or "checkpoints" in one for one in asked)
    assert any("MB" in one for one in told)


# Two stand for all of them: the room is one rule of the style sheet.
@pytest.mark.parametrize(("place", "step"), [one for one in CHOOSING if one[1]["claims"]][:2])
def test_claims_have_the_room_that_a_question_leaves(resident: Any, place: int, step: StepDocument) -> None:
    """As many are told at the answer as to one who comes back, whose column holds no question before."""
    page = resident.turn_to(f"?step={place}", is_told=False)
    page.locator(".options > button").nth(choice_of(step)[0]).click()
    page.wait_for_selector(".ask.right")
    resident.rest()
    told = page.locator("#claims").inner_text()
    resident.turn_to("?step=2")
    resident.turn_to(f"?step={place}", is_told=False)
    resident.rest()
    assert page.locator("#claims").inner_text() == told


def test_on_a_low_phone_answers_lie_below_the_picture(phone: Any) -> None:
    """All of its axes are seen, and neither the answers nor what shows one lie over another."""
    phone.screen(360, 640)
    page = phone.come("?step=2")
    for place, step in CHOOSING:
        phone.turn_to(f"?step={place}", is_told=False)
        buttons = [one.bounding_box() for one in page.locator(".options > button").all()]
        answers, (showing, foot) = buttons[:-1], (buttons[-1], page.locator("#walk .steps").bounding_box())
        top = min(box["y"] for box in answers)
        assert foot["y"] <= showing["y"], place
        assert all(box["y"] + box["height"] <= foot["y"] for box in answers), place
        if step["choice"] and step["choice"]["sketch"]:
            axes = page.locator("#canvas > .chart clipPath rect").first.evaluate(
                "one => one.ownerSVGElement.getBoundingClientRect().top + Number(one.getAttribute('y'))"
                " + Number(one.getAttribute('height'))"
            )
            assert axes <= top, place


def test_in_a_small_window_all_answers_are_seen(resident: Any) -> None:
    resident.screen(1280, 720)
    page = resident.come("?step=2")
    for place, step in CHOOSING:
        resident.turn_to(f"?step={place}", is_told=False)
        column = page.locator(".read").bounding_box()
        last = page.get_by_role("button", name="Show it", exact=True).bounding_box()
        assert last["y"] + last["height"] <= column["y"] + column["height"], step["board"]


def test_on_a_phone_the_picture_keeps_its_foot_at_the_answer(phone: Any) -> None:
    page = phone.come("?step=2")
    for place, step in CHOOSING:
        phone.turn_to(f"?step={place}", is_told=False)
        before = page.locator("#canvas").bounding_box()
        # The answers leave the words of the step and the question seen.
        for words in ("#told .sentence", "#asked"):
            assert page.locator(words).first.evaluate(UPPERMOST), (place, words)
        assert page.evaluate(AMOUNTS) == 0
        # All answers lie on the first screen, above the way on.
        foot = page.locator("#walk .steps").bounding_box()["y"]
        for button in page.locator(".options > button").all():
            box = button.bounding_box()
            assert box["y"] + box["height"] <= foot, (place, button.inner_text())
            assert box["height"] >= 36, place
        page.locator(".options > button").nth(choice_of(step)[1]).tap()
        page.wait_for_selector(".ask.wrong")
        phone.settle()
        after = page.locator("#canvas").bounding_box()
        assert [after["x"], after["width"]] == [before["x"], before["width"]], place
        # The rest of its sentence comes above it; a drawing without axes has the gap below them, too.
        feet = [box["y"] + box["height"] for box in (before, after)]
        assert feet[1] == pytest.approx(feet[0], abs=4), place


# Of each line that the answer added, whether all of it is seen: in its sentence, below the header, above the picture.
ADDED = """() => {
    const box = name => document.querySelector(name).getBoundingClientRect();
    const sentence = box('#told .sentence');
    const top = Math.max(sentence.top, box('header').bottom);
    const bottom = Math.min(sentence.bottom, box('#canvas').top);
    // Letters reach beyond their line.
    const half = parseFloat(getComputedStyle(document.querySelector('#told .sentence')).lineHeight) / 2;
    return [...document.querySelector('#told .sentence .added').getClientRects()]
        .map(one => (one.top + one.bottom) / 2).map(y => y - half >= top - 1 && y + half <= bottom + 1);
}"""


@pytest.mark.parametrize(("width", "height"), [(360, 640), (320, 568)])
def test_a_low_phone_shows_all_that_an_answer_adds(phone: Any, width: int, height: int) -> None:
    """What was read before it gives up its place, and comes back at a tap."""
    phone.screen(width, height)
    page = phone.come("?step=2")
    for place, step in CHOOSING:
        phone.turn_to(f"?step={place}", is_told=False)
        told = step["sentence"][: step["choice"]["told"]] if step["choice"] else ""
        assert page.inner_text("#told .sentence") == told, place
        page.locator(".options > button").nth(choice_of(step)[0]).tap()
        page.wait_for_selector("#told .added")
        phone.settle()
        assert page.inner_text("#told .sentence").strip() == step["sentence"].removeprefix(told).strip(), place
        lines = page.evaluate(ADDED)
        assert lines, place
        assert all(lines), place
        page.get_by_role("button", name="Show the words before it").tap()
        phone.settle()
        assert page.inner_text("#told .sentence") == step["sentence"], place
        assert all(page.evaluate(ADDED)), place
        # Its button is gone: keys and a screen reader go on from the words.
        assert page.evaluate("document.activeElement.matches('#told .sentence')"), place


LOOKS, MOST_LOOKS = 4, 40
"""Each after two frames: so many alike mean that nothing moves any more (two may lie within one pass); and at most."""


def at_rest(visitor: Any, measured: str) -> float:
    """A number of the page once several looks in a row find the same: what is measured is moved by that, and again."""
    found: list[float] = []
    while len(found) < LOOKS or len(set(found[-LOOKS:])) > 1:
        assert len(found) < MOST_LOOKS, f"{measured} never rests: {found}"
        visitor.settle()
        found.append(visitor.page.evaluate(measured))
    return found[-1]


def test_a_narrower_window_leaves_no_picture_under_answers_higher(phone: Any) -> None:
    """There words take more lines, the plot is too low, and for a while that was held against the wider one, too."""
    foot = "() => document.querySelector('#canvas').getBoundingClientRect().bottom"
    page = phone.come("?step=2")
    for place in (9, 12, 45):
        phone.screen(360, 640)
        phone.turn_to(f"?step={place}", is_told=False)
        before = at_rest(phone, foot)
        phone.screen(320, 610)
        narrower = at_rest(phone, foot)
        top = min(box["y"] for one in page.locator(".options > button").all() if (box := one.bounding_box()))
        assert narrower <= top, place
        phone.screen(360, 640)
        assert at_rest(phone, foot) == pytest.approx(before, abs=0.5), place  # a rounded pixel


def test_a_sentence_whose_last_words_are_turned_is_written_whole(resident: Any) -> None:
    """There a place ends where what an answer adds would begin."""
    page = resident.come("?step=38&balance_batches=20")
    step = dict(STEPS)[38]
    first, *_, last = step["sentence"].split()
    written = page.text_content("#told .sentence").split()
    assert written[0] == first
    assert written[-1] != last  # it is another number's


def test_an_answer_is_chosen_by_keys_and_kept(visitor: Any) -> None:
    place, step = CHOOSING[0]
    right, wrong = choice_of(step)
    page = visitor.open(f"?step={place}", is_told=False)
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Skip to the question").press("Tab")
    page.get_by_role("button", name="Skip to the question").press("Enter")
    assert page.evaluate("document.activeElement.matches('.options > button')")
    for _ in range(wrong):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector(".ask.wrong")
    visitor.rest()
    assert page.evaluate("document.activeElement.id") == "next"
    kept = json.loads(page.evaluate("localStorage.getItem('ridgeline')"))
    assert kept["answers"] == {step["id"]: False}
    assert kept["guesses"] == {step["id"]: wrong}
    page.get_by_role("button", name="Choose again").press("Enter")
    page.wait_for_function("() => document.activeElement.matches('.options > button')")
    for _ in range(right):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector(".ask.right")
    assert json.loads(page.evaluate("localStorage.getItem('ridgeline')"))["answers"] == {step["id"]: True}
    # Arrows go on from there.
    page.keyboard.press("ArrowRight")
    page.wait_for_function("place => location.search === `?step=${place}`", arg=named(place + 1))


def test_who_has_the_answer_shown_keeps_none(visitor: Any) -> None:
    place, step = CHOOSING[0]
    choice = step["choice"]
    assert choice
    page = visitor.open(f"?step={place}")
    told = page.inner_text(".ask")
    assert told.lower().startswith(f"{choice['options'][choice['right']]['name']}: ")
    assert page.locator(".ask.right, .ask.wrong").count() == 0
    assert json.loads(page.evaluate("localStorage.getItem('ridgeline')"))["answers"] == {}
    # By other numbers it says whose answer it is.
    visitor.turn_to(f"?step={place}&mode=careful")
    assert "By the question's numbers" in page.inner_text(".ask")


# A sentence that begins where the one before has not ended.
RUN_ON = re.compile(r"[a-z\d%](?:A|Each|For|Here|In|It|So|That|The|They|With) ")


@pytest.mark.parametrize("key", ["Home", "End"])
def test_words_in_place_of_others_may_begin_before_the_answer_and_end_in_it(resident: Any, key: str) -> None:
    page = resident.turn_to("?step=19")
    page.press("#control-link_ratio-slider", key)
    page.wait_for_selector(".sentence ins")
    said = page.inner_text(".sentence")
    assert not RUN_ON.search(said)
    sentences = re.split(r"(?<=[.?]) ", said)
    assert len(set(sentences)) == len(sentences) > 3


def test_the_mark_of_what_is_asked_stands_off_the_answer(visitor: Any) -> None:
    """Step 19: four times as long, and its height is a line of the grid."""
    page = visitor.open("?step=19", is_told=False)
    mark = page.locator(".unknown text").bounding_box()
    fours = [one.bounding_box() for one in page.locator(".axes text").get_by_text("4", exact=True).all()]
    four = min(fours, key=lambda box: box["x"])  # the other one is below, along
    height = four["y"] + four["height"] / 2
    assert not mark["y"] <= height <= mark["y"] + mark["height"]
