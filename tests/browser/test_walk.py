"""The lecture step by step: what a step shows, and how one walks."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlencode, urlparse

import pytest
from tests.browser.steps import STEPS, expected, named, pictures, seen
from tests.browser.words import STILL_WRONG, TALLEST

from ridgeline.boards.board import Mode
from ridgeline.boards.claim import Verdict
from ridgeline.boards.documents.letters import equations_document
from ridgeline.boards.lecture import CHAPTERS, CLAIMS, board
from ridgeline.boards.lecture.numbers import EXPANSION
from ridgeline.boards.lecture.recording import seconds
from ridgeline.boards.lecture.walk import StepDocument
from ridgeline.quantity_text import format_quantity, parse_quantity
from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped

MOST_IN_PLAY = 3

NEW = {3: "hbm_bytes_per_s", 4: "kv_bytes_per_token"}
"""A letter that is new in the formula of a step, by the step."""


@pytest.mark.parametrize(("place", "step"), STEPS, ids=[f"{place}-{step['board']}" for place, step in STEPS])
def test_a_step_shows_its_board_sentence_terms_lines_and_few_controls(
    resident: Any, place: int, step: StepDocument
) -> None:
    page = resident.turn_to(f"?step={place}")
    one = board(step["board"])
    assert page.text_content("h1") == one.title
    assert page.inner_text("#told .sentence") == step["sentence"]
    assert page.inner_text("#walk .count") == f"{place} of {len(STEPS)}"
    # A term that joins equations is drawn in parts.
    later = page.eval_on_selector_all(
        "#formula :is(.later, .awaited)", "parts => parts.map(part => Number(part.dataset.term))"
    )
    formula = equations_document(one.formula) if step["formula"] is None else step["formula"]
    places = {piece["place"] for equation in formula for piece in equation}
    # What would answer an open question comes after it.
    terms = (step["question"] and step["question"]["terms"]) or step["terms"]
    assert set(later) == {term for term in places if term >= terms}
    # One picture a step: its board has the others.
    view = pictures(step)[0]
    if view["kind"] == "curves":
        assert view["axes"]["y"]["caption"] in page.text_content("#canvas")
    assert page.locator(".tabs, #sources, #exercises, #export").count() == 0
    modes = page.locator(f"#mode-{step['mode']}")
    assert modes.count() == 0 if step["is_alike"] else modes.is_checked()
    # With as many digits as all numbers.
    dimensions = {control.name: control.dimension for control in one.controls}
    for name, text in step["turned"].items():
        value = parse_quantity(text, dimensions[name])
        if step["controls"] is not None and name not in step["controls"]:
            assert page.locator(f"#control-{name}").count() == 0
            continue
        assert page.input_value(f"#control-{name}") == format_quantity(value, dimensions[name])
    link = page.locator("#walk .where a").get_attribute("href")
    assert parse_qs(urlparse(link).query)["t"] == [f"{seconds(step['time_stamp'])}s"]
    lit = 0 if step["question"] else len(set(step["claims"]) & set(one.claims))
    assert page.locator(".claim.lit").count() == lit
    # The chapter's answer comes after that of the question.
    answers_here = [step["answer"]] if step["answer"] and not step["question"] else []
    assert page.locator(".closing p:last-child").all_inner_texts() == answers_here
    assert_few_controls(page, place, step)
    assert page.evaluate(STILL_WRONG) == []
    assert page.locator(TALLEST).count() == 0
    if page.locator("#canvas.canvas").count() and pictures(step)[0]["kind"] == "curves":
        assert seen(page) == expected(step, is_answered=False)
    else:
        assert page.locator("#canvas svg").first.is_visible()


def assert_few_controls(page: Any, place: int, step: StepDocument) -> None:
    """Those that move its lines most, of a formula that grows first those whose letters are new."""
    ids = page.eval_on_selector_all("#controls > .knob input[type=text]", "all => all.map(one => one.id)")
    names = [one.removeprefix("control-") for one in ids]
    document: Any = answers(f"boards/{step['board']}", {}, Dropped())
    allowed = document["view_controls"][step["view"]] if step["controls"] is None else step["controls"]
    assert len(names) == min(MOST_IN_PLAY, len(allowed))
    assert set(names) <= set(allowed)
    assert place not in NEW or NEW[place] in names
    assert place != min(NEW) - 1 or NEW[place + 1] not in names


def test_the_walk_is_walked_by_buttons_and_keys_and_ends_on_its_board(visitor: Any) -> None:
    page = visitor.open("?step=1")

    def at(place: int) -> bool:
        page.wait_for_function("place => new URLSearchParams(location.search).get('step') === place", arg=named(place))
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
    assert page.url.endswith("?step=end")
    page.keyboard.press("ArrowLeft")
    assert at(last)


@pytest.mark.parametrize("place", [2, 4, 30])
def test_words_light_the_line_and_the_term_that_they_name(resident: Any, place: int) -> None:
    page = resident.come(f"?step={place}")
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
    visitor.open("?board=latency&mode=both")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.locator("#neighbours a").last.click()
    page.wait_for_function("() => scrollY === 0")


def test_boards_lead_to_their_neighbours(resident: Any) -> None:
    page = resident.come("?board=modes&mode=both")
    links = page.locator("#neighbours a")
    assert links.count() == 1
    links.click()
    page.wait_for_url("**/?board=latency")
    resident.settle()
    assert links.count() == 2


def test_the_next_step_is_the_first_stop_of_keys(visitor: Any) -> None:
    page = visitor.open("?step=2")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Skip to step 3"
    assert page.evaluate("document.activeElement.getBoundingClientRect().left") > 0
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/?step={named(3)}")
    # That other keys do as well is said where there is room: as a chapter begins.
    visitor.turn_to("?step=1")
    assert "arrow keys" in page.inner_text("#walk .where")
    # It stands where the chapter's name does elsewhere, which is still there to be heard.
    assert page.locator("#walk .where .unseen").text_content().startswith("Chapter 1: ")


def test_who_touches_a_screen_is_told_the_chapter_and_not_of_keys(phone: Any) -> None:
    phone.screen(1024, 768)
    phone.come("?step=1")
    said = phone.page.inner_text("#walk .where")
    assert "Chapter 1: " in said
    assert "arrow keys" not in said


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


def test_what_a_step_says_is_read_before_its_board_is_there(visitor: Any) -> None:
    """And stays as it is when that comes."""
    page = visitor.page
    waiting: list[Any] = []

    def hold(route: Any) -> None:
        waiting.append(route)

    page.route("**/boards/**", hold)
    page.goto(f"{visitor.address}/?step=2")
    words = page.wait_for_selector("#told .sentence")
    assert STEPS[1][1]["sentence"] == words.text_content()
    # Its sheet alone says that a picture comes.
    assert page.locator("#views svg").count() == 0
    assert page.locator("#views[aria-busy=true] figure").bounding_box()["height"] > 200
    place = words.bounding_box()
    while page.locator("#views figure svg").count() == 0:
        while waiting:
            waiting.pop().continue_()
        visitor.rest()
    assert words.evaluate("one => one.isConnected")
    assert words.bounding_box() == place
    # A letter under the hand is pointed out where its number stands, and no other number comes to lie over that.
    letter = page.locator("#formula [data-control]:visible").first
    letter.hover()
    assert page.locator("#symbols .pointed .number").get_attribute("data-of") == letter.get_attribute("data-control")
    assert page.locator("#formula .numbers > span").first.evaluate("one => getComputedStyle(one).fontSize") == "0px"


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1024, 768)])
def test_every_picture_of_the_walk_is_seen_whole(resident: Any, width: int, height: int) -> None:
    page = resident.turn_to("?step=1")
    page.set_viewport_size({"width": width, "height": height})
    for place, step in STEPS:
        resident.turn_to(f"?step={place}")
        box = page.locator("figure").bounding_box()
        # A column of beliefs has a height of its own.
        if pictures(step)[0]["kind"] == "beliefs" and width < 1280:
            continue
        assert box["y"] + box["height"] <= height, place
        assert box["height"] > 0.4 * height, place


def test_keys_that_come_fast_are_all_taken(visitor: Any) -> None:
    page = visitor.open("?step=1")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.wait_for_url(f"**/?step={named(6)}")
    # A link that was kept leads to the same step, by its name, where steps have come in between.
    visitor.open(f"?step={named(6)}")
    assert page.inner_text("#walk .count") == f"6 of {len(STEPS)}"


def test_chapters_lead_to_their_first_step(resident: Any) -> None:
    page = resident.come("?step=1")
    firsts = {step["chapter"]: place for place, step in reversed(STEPS)}
    labels = {chapter.name: chapter.label for chapter in CHAPTERS}
    links = page.locator("#timeline .chapters a")
    assert links.count() == len(firsts)
    for which, (chapter, place) in enumerate(sorted(firsts.items(), key=lambda one: one[1])):
        assert links.nth(which).inner_text() == labels[chapter]
        links.nth(which).click()
        page.wait_for_function("place => location.search === `?step=${place}`", arg=named(place))
        resident.settle()
        step = STEPS[place - 1][1]
        until = step["choice"]["told"] if step["choice"] else None
        assert page.inner_text("#told .sentence") == step["sentence"][:until]
        assert page.locator("#timeline .chapters .here").count() == 1
        assert page.inner_text("#timeline .chapters .here") == labels[chapter]


def test_a_step_is_linked_with_controls_turned(visitor: Any) -> None:
    place, step = next((place, step) for place, step in STEPS if step["board"] == "latency" and not step["question"])
    page = visitor.open("?" + urlencode({"step": place, "chips": "8", "mode": "lecture"}))
    assert page.input_value("#control-chips") == "8"
    # What it says of whose numbers these are heeds what is turned.
    assert page.inner_text("#told .sentence").startswith(step["sentence"].partition(". ")[0])
    assert seen(page) == expected(step, is_answered=True)
    # A hand on a control is in the link of its step, too.
    page.locator("#control-chips-slider").focus()
    page.keyboard.press("PageUp")
    page.wait_for_function("() => !location.search.includes('chips=8')")
    visitor.settle()
    turned = parse_qs(urlparse(page.url).query)
    assert turned["step"] == [step["id"]]
    assert turned["chips"] == [page.input_value("#control-chips")]
    visitor.open(urlparse(page.url)._replace(scheme="", netloc="", path="").geturl())
    assert page.input_value("#control-chips") == turned["chips"][0]
    page.get_by_role("button", name="Next").click()
    page.wait_for_function("place => location.search === `?step=${place}`", arg=named(place + 1))


@pytest.mark.parametrize("board_name", ["latency", "reversible"])
def test_a_steps_own_number_says_whose_it_is_and_gives_way_to_a_sourced_one(resident: Any, board_name: str) -> None:
    place, step = next((place, step) for place, step in STEPS if step["board"] == board_name and step["turned"])
    ((name, text),) = step["turned"].items()
    control = board(board_name).control(name)
    published = control.start(Mode.CAREFUL, board(board_name).facts())
    assert published is not None
    own, theirs = (format_quantity(value, control.dimension) for value in (float(text), published))
    page = resident.come(f"?step={place}")
    field = page.locator(f"#control-{name}")
    assert field.input_value() == own
    assert page.locator(f".control.filled-in:has(#control-{name})").count() == 1
    page.locator(f"label[for=control-{name}]").hover()
    page.wait_for_selector(".card-of-word:popover-open")
    assert step["turned_by"][name]["why"] in page.inner_text(".card-of-word:popover-open")
    for mode, seen_there in (("careful", {theirs}), ("both", {own, theirs})):
        resident.turn_to(f"?step={place}&mode={mode}")
        assert field.input_value() == theirs
        assert {own, theirs} & numbers_on(page) == seen_there
    # What a hand sets is set in both.
    resident.turn_to(f"?step={place}&mode=both&{name}=10")
    assert field.input_value() == "10"
    assert not {own, theirs} & numbers_on(page)


def numbers_on(page: Any) -> set[str]:
    """Numbers in the letters and on the picture."""
    texts = page.locator("#symbols [data-of], #canvas text").all_text_contents()
    return {number for text in texts for number in re.findall(r"\d+(?:\.\d+)?", text)}


def test_a_step_leads_to_all_of_its_board_as_it_stands(visitor: Any) -> None:
    place, step = next((place, step) for place, step in STEPS if step["turned"] and step["question"])
    page = visitor.open("?" + urlencode({"step": place, "context_tokens": "30k"}))
    # With a number of its own the answer is open.
    page.locator("#whole-board").click()
    page.wait_for_url("**/?board=*")
    visitor.settle()
    asked = {name: value for name, (value,) in parse_qs(urlparse(page.url).query).items()}
    numbers = {**step["turned"], "context_tokens": "30k"}
    assert asked == {"board": step["board"], "view": str(step["view"]), "mode": step["mode"], **numbers}
    assert [page.input_value(f"#control-{name}") for name in numbers] == list(numbers.values())
    assert page.locator("#exercises li").count() == len(board(step["board"]).exercises)
    # Which says at its top that it has exercises, and leads to the first.
    count = len(board(step["board"]).exercises)
    page.locator(".where").get_by_role("link", name=re.compile(f"^{count} exercises?$")).click()
    page.wait_for_url("**exercise=*")


def test_a_formula_shown_in_part_ends_in_dots_and_closes_its_bracket(resident: Any) -> None:
    page = resident.come("?step=2")
    assert page.inner_text("#formula .to-come .katex-html").replace("\u200b", "") == ",…)"
    resident.turn_to("?step=4")
    assert page.locator("#formula .to-come").count() == 0


def test_a_step_says_each_letter_and_its_number_in_two_lines(resident: Any) -> None:
    """Where words and picture stand side by side; numbers of controls are the sliders' own."""
    page = resident.come("?step=3")
    step = STEPS[2][1]
    assert page.locator("#symbols li:has(.symbol)").count() == len(step["letters"])
    for letter in step["letters"]:
        assert letter["meaning"] in page.inner_text("#symbols")
    said = page.locator("#symbols [data-of=chips]")
    assert said.inner_text() == page.input_value("#control-chips")
    page.fill("#control-chips", "36")
    page.press("#control-chips", "Enter")
    resident.settle()
    assert said.inner_text() == "36"
    assert (
        page.locator("#symbols [data-mode]").count() == sum(one["control"] is not None for one in step["letters"]) + 1
    )
    lines = page.eval_on_selector_all("#symbols li", "all => [...new Set(all.map(one => one.offsetTop))].length")
    assert lines <= 2


@pytest.mark.parametrize("query", ["?step=3", "?step=11", "?board=cost&mode=lecture"])
def test_a_product_of_his_numbers_says_what_of_and_has_no_second_of_the_recording(resident: Any, query: str) -> None:
    """He nowhere says how many parameters the model of his ratio has; each factor leads to where it is from."""
    page = resident.come(query)
    total = page.locator("#symbols li:has-text('total params') .amounts > span")
    own = page.input_value("#control-expansion") if page.locator("#control-expansion").count() else None
    ratio = own or format_quantity(float(EXPANSION), "count")
    product = format_quantity(parse_quantity("37B", "count") * float(step_expansion(query)), "count")
    assert total.inner_text() == f"{product} = 37B × {ratio}"
    assert total.locator(".number [data-word]").count() == 0
    assert total.locator("[data-word=lecture-active_params], [data-word=lecture-expansion]").count() == 2
    assert (
        total.locator(".number .filled-in").count() == total.locator("[data-word=lecture-expansion] .filled-in").count()
    )
    resident.turn_to(f"{query.split('&', maxsplit=1)[0]}&mode=careful")
    assert "=" not in total.inner_text()
    assert total.locator("[data-word=careful-expansion]").count() == 1


def step_expansion(query: str) -> float:
    """Total over active parameters that a page opens with: a step's own, else his."""
    _, _, place = query.partition("step=")
    return float(STEPS[int(place) - 1][1]["turned"].get("expansion", EXPANSION) if place else EXPANSION)


def test_the_sentence_follows_what_is_turned_and_goes_back_with_it(resident: Any) -> None:
    page = resident.come("?step=4")
    begins = page.inner_text("#told .sentence")
    page.fill("#control-chips", "36")
    page.keyboard.press("Enter")
    page.wait_for_selector("#told .live")
    now = page.inner_text("#told .live")
    assert now not in begins
    was = page.get_attribute("#told .live", "title").removesuffix(" as the step begins")
    assert page.inner_text("#told .sentence") == begins.replace(was, now)
    page.click(".control:has(#control-chips) .back")
    page.wait_for_selector("#told .live", state="detached")
    assert page.inner_text("#told .sentence") == begins


def test_what_a_sentence_judges_follows_the_hand_and_so_does_the_ladder(resident: Any) -> None:
    """Each as the answer has it: a verdict that holds no more gives way to another, or is struck."""
    page = resident.come("?step=12")
    begins, rungs = page.inner_text("#told .sentence"), page.inner_text(".ladder ol")
    assert page.locator("#told ins, #told del").count() == 0
    page.fill("#control-hbm_bytes_per_s", "32 TB/s")
    page.keyboard.press("Enter")
    page.wait_for_selector("#told ins")
    assert "memory sets the pace" in begins
    now = page.inner_text("#told .sentence")
    assert "memory sets" not in now
    batch = re.search(r"above ([\d,]+) sequences compute is the limit", now)
    assert batch
    assert batch[1] in page.text_content("#canvas")
    assert page.locator(".ladder li b").last.inner_text() == batch[1]
    page.get_by_role("button", name=re.compile("bandwidth.*: reset")).click()
    page.wait_for_selector("#told ins", state="detached")
    assert (page.inner_text("#told .sentence"), page.inner_text(".ladder ol")) == (begins, rungs)
    resident.turn_to("?step=25&micro_batches=32")
    # Beside more micro-batches than the drawing's many stands one of them.
    assert re.search(r"^\d+ % with 1$", page.locator("#told ins").inner_text().replace("\N{NO-BREAK SPACE}", " "))
    # What stays of a clause that gets an end is not shaded.
    resident.turn_to("?step=46&layers=16")
    assert page.inner_text("#told ins").startswith("(here")
    assert "buys memory back (here" in page.inner_text("#told .sentence")


def test_other_numbers_have_a_sentence_of_their_own_that_follows_the_hand(resident: Any) -> None:
    """Alone where they are alone, and below the step's own where both are shown; what a hand moved stands out."""
    page = resident.come("?step=4")
    his = page.inner_text("#told .sentence")
    resident.turn_to("?step=4&mode=careful")
    sourced = page.inner_text("#told .sentence")
    assert sourced.startswith("Of each token of context, DeepSeek-V3 keeps")
    resident.turn_to("?step=4&mode=both")
    assert page.locator("#told .sentence").all_inner_texts() == [his, f"Sourced: {sourced}"]
    resident.turn_to("?step=4&mode=careful&context_tokens=100k")
    moved = page.inner_text("#told .sentence")
    page.wait_for_selector("#told .live")
    assert moved != sourced


def test_in_another_mode_a_step_keeps_none_of_its_own_numbers(resident: Any) -> None:
    page = resident.come("?step=26&mode=careful")
    starts = board("bubbles").values(Mode.CAREFUL)
    assert {name: page.input_value(f"#control-{name}") for name in ("stages", "micro_batches")} == {
        name: f"{starts[name]:g}" for name in ("stages", "micro_batches")
    }


def test_letters_of_terms_that_wait_wait_with_them(resident: Any) -> None:
    waits = "all => all.map(one => getComputedStyle(one).visibility === 'hidden')"
    # At one step no shown term has a letter.
    asking = [(place, step) for place, step in STEPS if step["letters_asked"] < len(step["letters"])]
    (none, *_), (some, *_) = (
        [place for place, step in asking if (step["letters_asked"] > 0) is are_some] for are_some in (False, True)
    )
    for place in (none, some):
        step = dict(asking)[place]
        page = resident.come(f"?step={place}", is_told=False)
        letters = page.locator("#symbols li:not(.spare)")
        asked = [which >= step["letters_asked"] for which in range(len(step["letters"]))]
        assert letters.evaluate_all(waits) == asked
        page.get_by_role("button", name="Show it", exact=True).click()
        resident.settle()
        assert not any(letters.evaluate_all(waits))


def waiting(step: StepDocument) -> int:
    """Claims of a step below those that it opens: what fails, or one."""
    failing = {claim.id for claim in CLAIMS if claim.verdict is Verdict.DOES_NOT_REPRODUCE} & set(step["claims"])
    return len(step["claims"]) - max(len(failing), 1)


def test_what_waits_and_the_sources_stand_on_one_line(resident: Any) -> None:
    middles = """() => ['.others.single', '.letters'].map(one => {
        const words = document.createRange();
        words.selectNodeContents(document.querySelector(`aside ${one} > summary`));
        const { top, bottom } = words.getBoundingClientRect();
        return (top + bottom) / 2;
    })"""
    met = 0
    for place in (place for place, step in STEPS if waiting(step) == 1):
        page = resident.come(f"?step={place}")
        if page.get_by_role("button", name="Show it").is_visible():
            page.get_by_role("button", name="Show it").click()
            resident.settle()
        # Where a column is long enough for it each has a line of its own.
        if page.locator("#claims.tight .single").count():
            waits, sources = page.evaluate(middles)
            assert waits == pytest.approx(sources, abs=0.5), place  # a rounded pixel
            met += 1
    assert met > 0


def test_what_unfolds_beside_a_picture_is_seen(resident: Any) -> None:
    page = resident.come("?step=4")
    page.locator(".words summary").get_by_text("Sources").click()
    resident.rest()
    column = page.locator(".words .read").bounding_box()
    sources = page.locator(".words details[open]").last.bounding_box()
    assert sources["y"] >= column["y"] - 1  # a rounded pixel
    assert sources["y"] + sources["height"] <= column["y"] + column["height"] + 1


def test_a_step_offers_what_its_words_name(resident: Any) -> None:
    """Step 18: how uneven visits are is not its subject, nor is the chart that comes up with that."""
    page = resident.turn_to("?step=18")
    names = page.locator("#controls .control > label").all_inner_texts()
    assert len(names) == 2
    assert not [one for one in names if "skew" in one]
