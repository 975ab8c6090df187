"""Claims on the page: a line each in the margin, and all of them in a table."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ridgeline.boards.lecture import board
from ridgeline.cli import commands

AXE = Path(__file__).parents[2] / "page/node_modules/axe-core/axe.min.js"
ROWS = "#ledger tbody tr"
FOLDED = {390: 104, 320: 124}
"""Pixels of a folded claim at most by the screen's width, in the mean: two lines of it, its whole verdict in two
smaller ones, of which a narrow screen needs a third, and what is between two claims."""


def claims() -> list[dict[str, Any]]:
    """As the command line has them."""
    found: list[dict[str, Any]] = json.loads(CliRunner().invoke(commands, ["claims", "--json"]).stdout)["claims"]
    return found


def shown(page: Any) -> list[list[str]]:
    """Of each row what stands in its columns."""
    found: list[list[str]] = page.eval_on_selector_all(
        ROWS,
        "rows => rows.map(row => [...row.cells].map(cell => cell.querySelector('a')?.textContent ?? cell.textContent))",
    )
    return found


def opened(visitor: Any, query: str) -> Any:
    visitor.page.goto(f"{visitor.address}/?{query}")
    visitor.page.wait_for_selector(ROWS)
    return visitor.page


def line_of(claim: dict[str, Any]) -> str:
    """The verdict line of a claim as the page writes it."""
    note = claim["note"]
    given = f" ({note['given']})" if note["given"] else ""
    return f"{note['word']}{''.join(note['line'])}{given}"


def test_the_table_has_the_claims_of_the_command_line(visitor: Any) -> None:
    page = opened(visitor, "claims=all")
    expected = {
        claim["claim"]: [line_of(claim), board(claim["board"]).title, claim["time_stamp"]] for claim in claims()
    }
    lines = page.eval_on_selector_all(f"{ROWS} .verdict-line", "all => all.map(one => one.textContent.trim())")
    rows = zip(shown(page), lines, strict=True)
    assert {claim: [line, title, moment] for (_, claim, _, title, moment), line in rows} == expected
    assert page.inner_text("#ledger .count") == f"{len(expected)} claims"
    assert page.title() == "All claims · Ridgeline"


def test_the_table_begins_with_what_does_not_reproduce_and_says_why(visitor: Any) -> None:
    page = opened(visitor, "claims=all")
    verdicts = [row[0].strip() for row in shown(page)]
    failing = [one for one in claims() if one["verdict"] == "does not reproduce"]
    assert verdicts == sorted(verdicts, key=list(dict.fromkeys(verdicts)).index)
    assert verdicts[: len(failing)] == ["does not reproduce"] * len(failing)
    first = page.locator(ROWS).first
    assert first.locator(".why").is_visible()
    assert page.inner_text("#ledger .what .fails") == f"{len(failing)} do not reproduce"
    # What each contradicts, his own inputs or published facts, stands at it and is counted.
    against = [one["contradicts"] for one in failing]
    own = against.count("his own inputs")
    assert 0 < own < len(against) == own + against.count("published facts")
    said = f"{own} contradict his own inputs, {len(against) - own} published facts"
    assert said in " ".join(page.inner_text("#ledger .what").split())
    hovers = page.eval_on_selector_all(f"{ROWS} .verdict-line .verdict", "all => all.map(one => one.title)")
    assert Counter(hovers[: len(failing)]) == Counter(f"{one} give another number" for one in against)
    # On a strip from a hundredth to a hundred times, his in the middle, ours lies where its digits say.
    strip = first.locator(".strip").bounding_box()
    dot = first.locator(".strip").evaluate("one => Number(getComputedStyle(one).getPropertyValue('--to'))")
    assert strip["width"] > 60
    assert first.locator(".factor").inner_text() == "1/90"
    assert dot == pytest.approx(0.5 - math.log10(90) / 4, abs=1e-3)


def test_claims_are_filtered_by_verdict_and_by_words_and_sorted(visitor: Any) -> None:
    page = opened(visitor, "claims=fails")
    failing = [one for one in claims() if one["verdict"] == "does not reproduce"]
    assert page.locator(ROWS).count() == len(failing)
    page.click("#ledger th.off button")
    factors = [row[2] for row in shown(page)]
    assert factors[0] == "1/90"  # what lies farthest off comes first
    assert page.get_attribute("#ledger th.off", "aria-sort") == "descending"
    page.locator("#ledger .filters label", has_text="conditional").click()
    page.wait_for_function("() => location.search === '?claims=depends'")
    assert {row[0].strip() for row in shown(page)} == {"conditional"}
    page.fill("#ledger input[type=search]", "speculative decoding")
    assert page.locator(ROWS).count() == 1
    page.go_back()
    page.wait_for_function("() => location.search === '?claims=fails'")
    assert page.is_visible("#ledger .none")
    # Others have them: it is said how many, and leads there.
    assert page.inner_text("#ledger .count") == "0 claims, 2 in all"
    page.locator("#ledger .count a").click()
    page.wait_for_function("() => location.search === '?claims=all'")
    assert page.locator(ROWS).count() == 2
    assert page.inner_text("#ledger .count") == "2 claims"
    page.go_back()
    page.wait_for_function("() => location.search === '?claims=fails'")
    page.fill("#ledger input[type=search]", "")
    assert page.inner_text("#ledger .count") == f"{len(failing)} claims"
    page.locator("#ledger td.claimed a").first.click()
    page.wait_for_selector(".claim.lit[open]")


def test_the_header_leads_to_all_claims_and_has_the_key_of_its_dots(resident: Any) -> None:
    page = resident.come("?board=latency&mode=both")
    page.hover("header .pill")
    assert page.is_visible("#key")
    looks = page.eval_on_selector_all("#key .dot", "dots => dots.map(dot => dot.className)")
    assert looks == [f"dot {one}" for one in ("fails", "depends", "rounded", "holds", "open")]
    assert "9 does not reproduce" in page.inner_text("#key").replace("\n", " ")
    page.click("header .pill")
    page.wait_for_selector(ROWS)
    assert page.url.endswith("?claims=all")
    # The hand is still over it, and looks at what has come.
    assert not page.is_visible("#key")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_table_breaks_no_rule_of_access(visitors: Any, scheme: str) -> None:
    page = opened(visitors(scheme=scheme), "claims=fails")
    if not AXE.is_file():
        pytest.skip("axe-core is not there; cd page && npm ci")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    broken = page.evaluate(
        """async () => (await axe.run(document, { resultTypes: ['violations'] })).violations.map(
            ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)"""
    )
    assert broken == []
    for _ in range(40):  # keys come to what sorts
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('th')?.classList.contains('off') ?? false"):
            break
    page.keyboard.press("Enter")
    assert page.get_attribute("#ledger th.off", "aria-sort") == "descending"


@pytest.mark.parametrize("width", [320, 390, 768, 1024])
def test_the_table_is_no_wider_than_the_screen(visitors: Any, width: int) -> None:
    page = opened(visitors(width=width), "claims=all")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # What has no column there is sorted by all the same.
    page.select_option("#ledger .sorting select", "off")
    assert "The base price of an input token" in page.locator(ROWS).first.inner_text()


@pytest.mark.parametrize("width", [320, 390])
def test_a_phone_folds_each_claim_to_two_lines_and_cuts_no_verdict(visitors: Any, width: int) -> None:
    page = opened(visitors(width=width), "claims=all")
    rows = page.locator(ROWS).count()
    assert page.evaluate("document.querySelector('#ledger table').offsetHeight") < FOLDED[width] * rows
    cut = "all => all.filter(one => one.scrollHeight > one.clientHeight + 1).map(one => one.innerText)"
    assert page.eval_on_selector_all(f"{ROWS} .verdict-line", cut) == []
    first = page.locator(ROWS).first
    assert first.locator(".verdict").first.inner_text() == "No"
    # With the number, which a bare word would keep back.
    assert first.locator(".found b").first.is_visible()
    first.locator("summary").click()
    assert first.locator(".found").is_visible()
    assert "$0.056" in first.inner_text()
    assert first.locator(".why a").first.is_visible()


def test_the_worst_notes_say_why_they_come_out_so_and_others_are_read_behind_a_word(resident: Any) -> None:
    page = resident.come("?board=latency&mode=both")
    words = page.eval_on_selector_all("#claims > .claim > summary .verdict", "all => all.map(one => one.innerText)")
    waiting = page.locator("#claims > .others > .claim")
    assert len(words) + waiting.count() == len(board("latency").claims)
    assert words[:3] == ["No", "No", "conditional"]
    # Those that say the least wait at the picture's foot, and are counted there.
    foot = page.locator("#views").evaluate("one => one.getBoundingClientRect().bottom")
    assert page.locator("#claims").evaluate("one => one.getBoundingClientRect().bottom") <= foot
    line = page.locator("#claims > .others > summary")
    assert re.fullmatch(rf"{waiting.count()} more: (.+ \d+, )*holds \d+", line.inner_text())
    line.click()
    assert waiting.last.locator(".verdict").first.inner_text() == "Yes"
    line.click()
    # Of two the claim with its verdict beneath; of the others the claim, none cut, and a few words that stand alone.
    places = """all => all.map(one => [...one.querySelectorAll('.claimed, .verdict')].map(child => {
        const { left, top, height } = child.getBoundingClientRect();
        return [left, top, height];
    }))"""
    told = page.eval_on_selector_all("#claims > .claim:not(.brief) > summary", places)
    assert len(told) == 2
    assert all(claimed[1] + claimed[2] <= verdict[1] + 2 for claimed, verdict in told)
    brief = page.eval_on_selector_all("#claims > .claim.brief > summary", places)
    assert len(brief) == len(words) - len(told)
    assert all(claimed[1] <= verdict[1] + 2 for claimed, verdict in brief)
    held = """all => all.map(one => {
        const claimed = one.querySelector('.claimed');
        const isCut = one.scrollHeight > one.clientHeight + 1 || claimed.scrollWidth > claimed.clientWidth + 1;
        return [claimed.textContent.length, isCut];
    })"""
    lengths = page.eval_on_selector_all("#claims > .claim.brief > summary", held)
    assert max(length for length, _ in lengths) > 100
    assert [length for length, is_cut in lengths if is_cut] == []
    # One that is opened is read whole.
    page.click("#claims > .claim.brief > summary >> nth=0")
    opened = page.locator("#claims > .claim.brief[open]")
    assert opened.locator(".found").first.is_visible()
    assert opened.locator(".claimed").evaluate("one => one.scrollWidth <= one.clientWidth + 1")
    page.click("#claims > .claim.brief > summary >> nth=0")
    assert (
        page.inner_text("#claims h2") == f"What the lecture says 2 of {len(board('latency').claims)} do not reproduce"
    )
    cut = "all => all.filter(one => one.scrollHeight > one.clientHeight + 1).map(one => one.textContent)"
    assert page.eval_on_selector_all(".claim:not(.brief) .claimed, .exercise.next a > span:not(.unseen)", cut) == []


def test_a_note_says_both_numbers_and_lights_the_mark_that_it_is_about(resident: Any) -> None:
    page = resident.come("?board=latency&mode=both")
    line = page.locator("#claim-A12 .verdict-line")
    assert " ".join(line.inner_text().split()) == (
        "No: it balances at 5,440 sequences. It activates 8 of 256 experts, but with attention and a shared one 37B of"
        " its 671B parameters, 1 in 18. (by its published parameters at his 300)"
    )
    pointed = "() => [...document.querySelectorAll('#canvas .pointed circle.halo')].length"
    assert page.evaluate(pointed) == 0
    page.hover("#claim-A12 summary")
    resident.rest()
    assert page.evaluate(pointed) == 2  # his and ours
    assert "2,400" in page.locator("#canvas .pointed text").first.text_content()
    page.hover("h1")
    resident.rest()
    assert page.evaluate(pointed) == 0
    page.click("#claim-A12 summary")
    full = page.inner_text("#claim-A12 .in-full")
    assert full == (
        "He implies 2,400 sequences; we compute 5,440 (by its published parameters at his 300). From sourced numbers it"
        " is 5,570 (DeepSeek-V3 on GB200 NVL72, empty contexts)."
    )


def test_words_for_whose_numbers_say_what_they_mean(resident: Any) -> None:
    page = resident.come("?board=latency&mode=both")
    label = page.locator("#modes label", has_text="sourced")
    seen = "label => getComputedStyle(label, '::after').display"
    assert label.evaluate(seen) == "none"
    label.hover()
    assert label.evaluate(seen) == "block"
    assert label.get_attribute("data-means").endswith(
        "sourced numbers of DeepSeek-V3 on GB200 NVL72, each with its source"
    )
    assert label.locator("input").get_attribute("aria-description") == label.get_attribute("data-means")


def test_a_claim_that_a_link_opens_leaves_the_board_where_it_begins(visitor: Any) -> None:
    # A claim's name leads to its board, and to its note beside the picture: what it rests on is a fold.
    page = visitor.open("?claim=A8")
    assert page.inner_text("h1") == board("sparse").title
    note = page.locator("#claim-A8")
    assert note.evaluate("note => note.open && note.getBoundingClientRect().bottom < innerHeight")
    assert page.locator("#claims > .claim").first.get_attribute("id") == "claim-A8"
    picture, beside = page.locator("#canvas").bounding_box(), note.bounding_box()
    assert picture["x"] + picture["width"] < beside["x"]
    assert picture["y"] + picture["height"] < 900
    assert page.evaluate("scrollY") == 0
    assert not note.locator(".whole .why").first.is_visible()
    note.locator(".whole summary").click()
    assert note.locator(".whole .why").first.is_visible()
    # One that is higher than the window is shown from its beginning.
    page.set_viewport_size({"width": 1440, "height": 560})
    visitor.open("?board=sparse&claim=A8")
    assert note.evaluate("note => note.open && note.getBoundingClientRect().bottom > innerHeight")
    assert page.evaluate("scrollY") == 0


def test_a_note_that_turns_brief_says_a_word_or_its_line_and_never_both(visitors: Any) -> None:
    """On a low screen what fails at a step first stands with its lines, and then, for want of room, with a word."""
    one = visitors(width=1280, height=720)
    page = one.open("?step=tiers-2:02:20")
    page.wait_for_selector("#claims > .claim.brief")
    one.rest()
    seen = page.eval_on_selector_all(
        "#claims > .claim > summary .verdict-line",
        """all => all.map(one => ['.alone', '.first', '.found'].filter(part => {
            const words = one.querySelector(part);
            return words && getComputedStyle(words).display !== 'none';
        }).join())""",
    )
    assert len(seen) > 1
    assert ".alone" in seen
    assert set(seen) <= {".alone", ".first,.found"}
