"""The end of the walk: what came of the guesses, and a picture to send."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import matplotlib.image
import numpy as np
import pytest
from tests.browser.phones import LEAST_TARGET
from tests.browser.steps import ASKED, CHOOSING, LEDGER, STEPS, give, named, truth

from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped


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
    # What changes a decision first; the others below it, folded where there is little room.
    shown = page.locator("#ending .disproved li:visible").all_text_contents()
    rows = {claim["id"]: claim for claim in LEDGER["claims"]}
    first = len(LEDGER["decisive"])
    assert first < len(shown) == len(failing)
    assert all(rows[one]["correction"] in text for one, text in zip(LEDGER["decisive"], shown[:first], strict=True))
    before = page.viewport_size
    # What stands beside the chart goes on below the window, and the chart does not: its axis is at its end.
    page.set_viewport_size({"width": 1440, "height": 900})
    visitor.rest()
    ends = [box["y"] + box["height"] for box in (page.locator(one).bounding_box() for one in (".take", ".further"))]
    assert ends[0] <= 900 < ends[1]
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function(
        """count => count === [...document.querySelectorAll('.disproved li')]
            .filter(one => one.checkVisibility()).length""",
        arg=first,
    )
    page.set_viewport_size(before)
    assert page.inner_text("#ending h1") == LEDGER["heading"]
    assert page.locator(".follows p").all_text_contents() == LEDGER["follows"]
    told = page.text_content("#ending")
    assert "1 of 2 right or near enough." in " ".join(told.split())
    assert page.locator(".card [fill='var(--right)']").count() == 0
    assert all(claim["claim"] in told and claim["correction"] in told for claim in failing)
    assert json.loads(page.evaluate("localStorage.getItem('ridgeline')"))["step"] == missed
    page.get_by_role("link", name=f"{len(failing)} do not reproduce").click()
    page.wait_for_url("**/?claims=fails")
    visitor.open("?board=sparse&mode=both")
    place = next(place for place, step in STEPS if step["board"] == "sparse")
    page.get_by_role("link", name=f"step {place} of the lecture").click()
    page.wait_for_url(f"**/?step={named(place)}")


def test_each_question_has_a_mark_in_a_row_that_leads_to_it(visitor: Any) -> None:
    right, near, low, missed = ASKED[:4]
    chosen, mistaken = CHOOSING[:2]
    question, choice = near[1]["question"], mistaken[1]["choice"]
    assert question
    assert choice
    value, tolerance = truth(near[1]).value, question["tolerance_ratio"]
    guesses = {
        right[1]["id"]: truth(right[1]).value,
        near[1]["id"]: value * (1.1 * tolerance) ** 0.5,  # between what is called right and what counts no more
        low[1]["id"]: truth(low[1]).value / 10,
        missed[1]["id"]: truth(missed[1]).missed(),
    }
    for (_, step), is_right in ((chosen, True), (mistaken, False)):
        assert step["choice"]
        guesses[step["id"]] = (step["choice"]["right"] + (not is_right)) % len(step["choice"]["options"])
    page = visitor.open(f"?step={ASKED[0][0]}")
    page.evaluate("guesses => localStorage.setItem('ridgeline', JSON.stringify({ guesses }))", guesses)
    page.goto(f"{visitor.address}/?step={len(STEPS) + 1}")
    page.wait_for_selector(".row-of-marks")
    expected = {
        right[0]: "right",
        near[0]: "near",
        low[0]: "off",
        missed[0]: "off",
        chosen[0]: "right",
        mistaken[0]: "off",
    }
    places = sorted(place for place, _ in (*ASKED, *CHOOSING))
    marks = page.locator(".row-of-marks a")
    assert [one.get_attribute("href") for one in marks.all()] == [f"?step={named(place)}" for place in places]
    assert [one.get_attribute("class") for one in marks.all()] == [expected.get(place, "open") for place in places]
    # Without colours they are told apart, too, and what was chosen is said.
    assert len({one.inner_text()[0] for one in marks.all() if one.get_attribute("class") != "open"}) == 3
    options = choice["options"]
    said = marks.nth(places.index(mistaken[0])).get_attribute("aria-label")
    assert options[choice["right"]]["name"] in said
    assert options[guesses[mistaken[1]["id"]]]["name"] in said
    # One row.
    tops = "all => all.map(one => one.getBoundingClientRect().top)"
    assert len(set(marks.evaluate_all(tops))) == 1
    # Of a guess how far it was off.
    assert "too low" in marks.nth(places.index(low[0])).get_attribute("aria-label")
    page.get_by_role("button", name="Copy my score").click()
    page.wait_for_function("async () => (await navigator.clipboard.readText()).includes('\\n')")
    squares = {"right": "🟩", "near": "🟨", "off": "🟥", "open": "⬜"}
    row = page.evaluate("navigator.clipboard.readText()").splitlines()[1]
    assert row == "".join(squares[expected.get(place, "open")] for place in places)
    marks.nth(places.index(missed[0])).click()
    page.wait_for_url(f"**/?step={named(missed[0])}")
    # A score of all questions lies over no words of the picture, also where that is narrowest.
    every = {step["id"]: truth(step).value for _, step in ASKED}
    every |= {step["id"]: step["choice"]["right"] for _, step in CHOOSING if step["choice"]}
    page.evaluate("guesses => localStorage.setItem('ridgeline', JSON.stringify({ guesses }))", every)
    before = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{visitor.address}/?step=end")
    page.wait_for_selector(".card text >> text=/guessed/")
    page.evaluate("document.fonts.ready")
    assert page.evaluate(CROWDED) == []
    assert set(marks.evaluate_all("all => all.map(one => one.offsetHeight)")) == {LEAST_TARGET}
    assert min(marks.evaluate_all("all => all.map(one => one.offsetWidth)")) >= LEAST_TARGET
    page.set_viewport_size(before)


RGB = "one => getComputedStyle(one).fill.match(/\\d+/g).slice(0, 3).map(Number)"

CROWDED = """() => {
    const whole = document.querySelector('.card').getBoundingClientRect();
    const texts = [...document.querySelectorAll('.card text')]
        .map(one => [one.textContent, one.getBoundingClientRect()]);
    // Boxes of two lines overlap by the room above and below letters.
    const isOver = (one, other) => one.left < other.right && other.left < one.right
        && Math.abs(one.top + one.bottom - other.top - other.bottom) / 2 < 0.6 * Math.min(one.height, other.height);
    return texts.flatMap(([text, box], place) => [
        ...(box.left < whole.left || box.right > whole.right || box.bottom > whole.bottom ? [text] : []),
        ...texts.slice(0, place).filter(([, other]) => isOver(box, other)).map(([other]) => `${text} | ${other}`),
    ]);
}"""

FIRST = 32
"""Sequences that share a step when the first view opens."""
WITHOUT_LISTS = """one => {
    const words = one.cloneNode(true);
    words.querySelectorAll('select, .room').forEach(list => list.remove());
    return words.textContent.replace(/\\s+/g, ' ');
}"""
"""The first view's sentence, without what can be chosen in place of its words."""
CARD = (1200, 630)
"""Pixels of the picture that one sends: what others show of a link."""
PHONE = 356
"""Its width on a phone."""


def written(number: str) -> str:
    """A number as the picture has room for it; of a share that is all or nothing in words."""
    words = {"100 %": "all of it", "0 %": "none"}
    return words.get(number, re.sub(r"(?<=\s)minutes?$", "min", number))


def test_the_walk_ends_with_a_picture_to_send(visitor: Any, tmp_path: Path) -> None:
    page = visitor.open(f"?step={ASKED[0][0]}")
    guesses = {step["id"]: truth(step).value for _, step in ASKED[:3]}
    page.evaluate("guesses => localStorage.setItem('ridgeline', JSON.stringify({ guesses }))", guesses)
    page.goto(f"{visitor.address}/?step={len(STEPS) + 1}")
    page.wait_for_selector("#ending .disproved li")
    failing = [claim for claim in LEDGER["claims"] if claim["verdict"] == "does not reproduce"]
    said = page.get_attribute(".card", "aria-label")
    # The idea first, then how many claims fail.
    assert said.startswith(f"{LEDGER['heading']} {len(failing)} of {len(LEDGER['claims'])} claims ")
    assert LEDGER["heading"] in " ".join(page.locator(".card > text").all_text_contents())
    assert said.endswith("do not reproduce. I guessed 3 of 3.")
    # Each result is a link with its number and a dot, and what does not reproduce says what was claimed instead.
    results = [one for place, part in enumerate(LEDGER["parts"]) for one in part["claims"][: 1 if place < 5 else 3]]
    links = page.locator(".card a")
    assert links.count() == len(results) == page.locator(".card a circle").count()
    rows = {claim["id"]: claim for claim in LEDGER["claims"]}
    for link, one in zip(links.all(), results, strict=True):
        claim = rows[one]
        told, spoken = " ".join(link.text_content().split()), link.get_attribute("aria-label")
        # As its verdict line rounds it, where that has the number and not words for it.
        numbers = (claim["note"]["ours"], *claim["note"]["line"][1::2])
        name, after = claim["short_name"], told.removeprefix(claim["short_name"]).strip()
        assert told.startswith(name)
        assert any(after.startswith(written(number)) for number in numbers)
        assert claim["short_name"] in spoken
        assert f"{claim['note']['word']}. " in spoken
        assert (f"not {written(claim['note']['his'])}" in told) == (claim in failing)
    # None of them lies over another nor beyond the picture, at any width.
    before = page.viewport_size
    for size, drawn in (
        ({"width": 390, "height": 844}, PHONE),
        ({"width": 1024, "height": 800}, CARD[0]),
        (before, CARD[0]),
    ):
        page.set_viewport_size(size)
        page.wait_for_function(f"() => document.querySelector('.card').width.baseVal.value === {drawn}")
        assert page.evaluate(CROWDED) == []
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the picture").click()
    saved.value.save_as(tmp_path / "card.png")
    pixels = matplotlib.image.imread(tmp_path / "card.png")
    assert pixels.shape[1::-1] == CARD
    # The red of the names that fail is in it, on as much ground as words cover at least.
    red = np.asarray(page.eval_on_selector(".card a.fails text", RGB)) / 255
    assert np.all(abs(pixels[..., :3] - red) < 1 / 255, axis=-1).mean() > 0.001
    page.get_by_role("button", name="Copy a link to this page").click()
    page.wait_for_function("() => document.getElementById('said').textContent === 'Copied'")
    assert page.evaluate("navigator.clipboard.readText()") == f"{visitor.address}/?step=end"
    # The score in words: a square for each question, in the walk's order.
    page.get_by_role("button", name="Copy my score").click()
    page.wait_for_function("async () => (await navigator.clipboard.readText()).includes('\\n')")
    score = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert score == [said, "🟩" * 3 + "⬜" * (len(ASKED) + len(CHOOSING) - 3), "ridgeline blackboard"]
    place = next(place for place, step in STEPS if "B33" in step["claims"])
    page.locator(".card").get_by_role("link", name=rows["B33"]["short_name"]).click()
    page.wait_for_url(f"**/?step={named(place)}")


def test_what_a_token_costs_is_under_a_hand_and_what_follows_is_on_its_screen(visitor: Any) -> None:
    page = visitor.page
    page.goto(f"{visitor.address}/?step={len(STEPS) + 1}")
    page.wait_for_selector("#ending .take .chart")
    visitor.rest()
    words, chart, card = (page.locator(one).bounding_box() for one in (".follows", ".take .canvas", ".card"))
    assert words["x"] + words["width"] < chart["x"]
    tip = page.locator(".take > small").bounding_box()
    assert max(box["y"] + box["height"] for box in (words, chart, tip)) <= 900
    # The picture that one sends is seen whole below the header, with what saves it.
    foot = page.get_by_role("button", name="Save the picture").bounding_box()
    assert foot["y"] + foot["height"] - card["y"] <= 900 - 68
    # The words are of his numbers, the picture of a model's: what they come to for it is said below it.
    balance = next(claim["note"] for claim in LEDGER["claims"] if claim["id"] == "A12")
    tied = page.inner_text(".take > small")
    assert balance["his"] in tied
    assert balance["his"] in LEDGER["follows"][0]
    assert balance["ours"] in page.inner_text(".take > small a")
    # It is by his ratio, and what the picture is by is said, too.
    assert f"{balance['given']}; the picture takes its machine's own ratio" in tied
    # The batch is turned on its axis: the price and what is paid for follow.
    price = page.inner_text(".read-out b")
    assert price.startswith("$")
    # At first it is his balance batch.
    assert f"when {balance['his']} sequences" in page.inner_text(".read-out")
    # In the first view's sentence, and beside what that says at first.
    first, told = page.inner_text(".priced a"), page.inner_text(".priced p >> nth=-1")
    page.locator(".priced a").click()
    page.wait_for_selector("#home .hero:not([aria-busy])")
    visitor.rest()
    assert first == f"{FIRST} sequences"
    assert told == f"At {first}, where the first view begins, it is {page.inner_text('.price > b')}."
    sentence = page.eval_on_selector(".said", WITHOUT_LISTS)
    page.go_back()
    page.wait_for_selector("#ending .take .chart")
    visitor.rest()
    told = page.inner_text(".read-out").replace(str(balance["his"]), str(FIRST))
    assert sentence in " ".join(told.split())
    page.focus(".take [type=range]")
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    visitor.rest()
    assert page.inner_text(".read-out b") != price
    assert "share each step" in page.inner_text(".read-out")
    # And then: the boards, the link, the command.
    page.get_by_role("button", name="Copy the command line").click()
    page.wait_for_function("async () => (await navigator.clipboard.readText()).startsWith('ridgeline plan ')")
    # Its contexts are the picture's, on average over an answer; those of an answer are said beside it.
    words = page.evaluate("navigator.clipboard.readText()").split()
    prompt, output = (int(words[words.index(option) + 1]) for option in ("--prompt", "--output"))
    facts: Any = answers("boards/cost/views", {"mode": "careful"}, Dropped())
    assert prompt + output / 2 == pytest.approx(facts["controls"]["careful"]["context_tokens"], abs=1)
    said = page.inner_text(".further")
    assert f"{facts['controls']['careful']['context_tokens']:,.0f} tokens" in said
    assert f"{output:,}" in said
    page.get_by_role("button", name=re.compile("Open the [0-9]+ boards")).click()
    page.wait_for_selector("#shelf")


def test_the_end_has_the_batch_at_which_the_first_view_was_left(visitor: Any) -> None:
    page = visitor.home()
    page.focus("#home .along input")
    page.keyboard.press("End")
    visitor.rest()
    price = page.inner_text(".price > b")
    page.goto(f"{visitor.address}/?step=end")
    page.wait_for_selector(".priced a")
    assert f"where you left the first view's slider, it is {price}." in page.inner_text(".priced")
    page.locator(".priced a").click()
    page.wait_for_selector("#home .hero:not([aria-busy])")
    visitor.rest()
    assert page.inner_text(".price > b") == price


@pytest.mark.parametrize("width", [1440, 390, 320])
def test_each_chapters_question_has_its_answer_and_the_way_to_its_step(visitors: Any, width: int) -> None:
    visitor = visitors(width=width)
    page = visitor.page
    page.goto(f"{visitor.address}/?step=end")
    page.wait_for_selector(".answered svg path")
    shelf: Any = answers("shelf", {}, Dropped())
    rows = page.locator(".answered li")
    closing = [(place, step) for place, step in STEPS if step["answer"]]
    assert rows.count() == len(shelf["chapters"]) == len(closing)
    for row, chapter, (place, step) in zip(rows.all(), shelf["chapters"], closing, strict=True):
        assert row.locator("h3").inner_text().split("\n")[0] == chapter["question"]
        assert row.locator("p").inner_text() == step["answer"]
        assert row.locator("a").get_attribute("href") == f"?step={named(place)}"
        assert row.locator("path").count() > 0
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.locator(".answered a").last.click()
    page.wait_for_url(f"**/?step={named(closing[-1][0])}")


def test_who_guessed_nothing_has_no_score_and_is_led_on(visitor: Any) -> None:
    page = visitor.page
    page.goto(f"{visitor.address}/?step={len(STEPS) + 1}")
    page.wait_for_selector("#ending .disproved li")
    assert "guessed" not in page.text_content(".card")
    assert page.locator(".row-of-marks").count() == 0
    assert page.get_by_role("link", name=f"step {min(ASKED[0][0], CHOOSING[0][0])} is the first").count() == 1
    assert page.get_by_role("button", name="Copy my score").count() == 0
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


def test_where_the_end_does_not_come_it_says_so(visitor: Any) -> None:
    page = visitor.page
    page.route("**/assets/late-*.js", lambda route: route.abort())
    page.goto(f"{visitor.address}/?step={len(STEPS) + 1}")
    page.wait_for_selector("#ending [role=alert]")
    page.wait_for_load_state("networkidle")  # nothing that comes later takes it away
    visitor.rest()
    assert page.inner_text("#ending [role=alert]").strip()
    assert page.locator(".card").count() == 0
    assert page.get_attribute("#ending", "aria-busy") == "false"
    visitor.complaints.clear()  # the browser's own, of what was not fetched


def test_a_board_leads_back_to_the_step_as_it_was_left(visitor: Any) -> None:
    place, step = next((place, step) for place, step in STEPS if step["id"] == "context-1:33:30")
    page = visitor.open(f"?step={named(place)}&active_params=50B")
    page.get_by_role("link", name="Open this board").click()
    page.wait_for_selector(".back-to-step")
    assert page.inner_text(".back-to-step") == f"← Back to step {place}"
    page.click(".back-to-step")
    page.wait_for_selector("#told .sentence")
    assert page.url.endswith(f"/?step={named(place)}&active_params=50B")
    assert page.locator(".back-to-step").count() == 0
    assert step["sentence"][:20] in page.inner_text("#told")
