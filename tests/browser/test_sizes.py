"""A picture's share of the first screen, at every step of the walk and at four sizes."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from tests.browser.boards import NAMES
from tests.browser.steps import CHOOSING

from ridgeline.boards.claim import Verdict
from ridgeline.boards.lecture import CLAIMS
from ridgeline.boards.lecture.walk import walk_document

STEPS = walk_document()["steps"]
SOME = (1, 9, 16, 34)
"""Steps with a question in many words, with two modes, with a scene, and with a chapter's opening."""
LEAST_PLOT = 220
"""Height of a plot in which curves can be told apart, pixels."""
LEAST_BELOW_MACHINE = 80
"""The same below the machine, which has its share of the screen for the same step and says what the curves are of."""
LEAST_BELOW_CLOCK = 200
"""The same on a phone below the clock of the machine, whose chip is folded."""
LEAST = {None: LEAST_PLOT, "open": LEAST_BELOW_MACHINE, "folded": LEAST_BELOW_CLOCK}

THUMB = 44
"""Height of what a thumb hits, pixels."""


class Size(NamedTuple):
    """A screen, and the part of its height that a picture has at least.

    Attributes:
        width: width, pixels.
        height: height, pixels.
        least: part of the height.
        is_seen: whether all of that lies on the first screen, which has no room for it where words take most.
    """

    width: int
    height: int
    least: float
    is_seen: bool


SIZES = (
    Size(390, 844, 0.38, is_seen=True),
    Size(320, 640, 0.31, is_seen=False),
    Size(1024, 768, 0.5, is_seen=True),
    Size(1280, 800, 0.5, is_seen=True),
)

# Top and height of the picture, with its bills where they stand above what turns it, and with the machine where one
# stands above it; whether that is "open" or "folded", if it is there; the height of its plot, where there is one; the
# top of what lies over the screen; that of its first control; how far the choice of whose numbers lies over the terms;
# and where the last of the sliders beside the words lies, if there are any.
MEASURED = """() => {
    const canvas = document.querySelector('#canvas');
    const box = one => one?.getBoundingClientRect();
    const of = one => document.querySelector(one);
    const machine = of('.stage .machine');
    const bills = matchMedia('(max-width: 52rem)').matches ? null : of('.bills:not(:empty)');
    const all = [box(canvas), box(machine), box(bills)].filter(Boolean);
    const top = Math.min(...all.map(one => one.top));
    const height = Math.max(...all.map(one => one.bottom)) - top;
    const way = document.querySelector('#walk .steps');
    const foot = getComputedStyle(way).position === 'fixed' ? way.getBoundingClientRect().top : innerHeight;
    const knob = box(document.querySelector('#controls .chips') ?? document.querySelector('#controls .control'));
    const plots = [...canvas.querySelectorAll(':scope > .chart clipPath rect')].map(one => +one.getAttribute('height'));
    const [terms, whose] = [box(document.querySelector('.terms')), box(document.querySelector('.head > #modes'))];
    const over = terms && whose && whose.height && terms.top < whose.top ? terms.bottom - whose.top : 0;
    const sliders = [...document.querySelectorAll('.words .track')].filter(one => one.checkVisibility());
    const last = sliders.length ? Math.round(box(sliders.at(-1)).bottom) : null;
    const plot = plots.length ? Math.max(...plots) : null;
    const kept = machine && (machine.matches('.folded') ? 'folded' : 'open');
    return { top, height, foot, over, first: knob?.top ?? 0, last, kept, plot };
}"""

# What of the line under the picture is cut off, in pixels.
CUT = """() => {
    const line = document.querySelector('.state');
    return line ? [line.scrollWidth - line.clientWidth, line.scrollHeight - line.clientHeight] : [0, 0];
}"""

SEEN = "all => all.filter(one => getComputedStyle(one).opacity !== '0' && one.checkVisibility()).length"


@pytest.mark.parametrize("places", [SOME, pytest.param(range(1, len(STEPS) + 1), marks=pytest.mark.slow)])
def test_a_picture_has_its_share_of_the_first_screen(resident: Any, places: Any) -> None:
    page = resident.turn_to("?step=1")
    for size in SIZES:
        page.set_viewport_size({"width": size.width, "height": size.height})
        feet = set()
        for place in places:
            resident.turn_to(f"?step={place}")
            found, where = page.evaluate(MEASURED), (size, place)
            assert found["height"] >= size.least * size.height - 1, where  # a rounded pixel
            if found["plot"] is not None and size.width > 320:
                assert found["plot"] >= LEAST[found["kept"]], where
            if size.is_seen:
                assert found["top"] + found["height"] <= found["foot"] + 1, where
            if size.width == 390:
                assert found["first"] + THUMB <= found["foot"], where
            assert found["over"] <= 0, where
            feet |= {found["last"]} - {None}
            if size.width >= 1280:
                assert page.evaluate(CUT) == [0, 0], where
        # Beside the picture what turns it has one place over all steps, on the first screen.
        if size.width >= 960:
            (foot,) = feet
            assert size.height - 80 < foot < size.height


# Lower ends of the verdicts that are seen, in the name of a fold, too, and of the words above what turns the picture;
# height of the page.
VERDICTS = """() => {
    const lines = [...document.querySelectorAll('#claims .verdict-line, #claims .others > summary')]
        .filter(one => one.checkVisibility());
    return {
        fails: document.querySelectorAll('#claims > .claim > summary .verdict.fails').length,
        verdicts: lines.map(one => one.getBoundingClientRect().bottom),
        foot: document.querySelector('.read')?.getBoundingClientRect().bottom,
        height: document.documentElement.scrollHeight,
    };
}"""


@pytest.mark.parametrize("places", [(12, 16, 33, 35), pytest.param(range(1, len(STEPS) + 1), marks=pytest.mark.slow)])
def test_a_small_window_shows_how_a_claim_comes_out_and_is_not_scrolled(resident: Any, places: Any) -> None:
    page = resident.page
    page.set_viewport_size({"width": 1024, "height": 768})
    for place in places:
        resident.turn_to(f"?step={place}")
        found = page.evaluate(VERDICTS)
        assert found["height"] == 768, place
        if STEPS[place - 1]["claims"] and not page.locator("#asked").count():
            assert found["verdicts"], place
            assert found["verdicts"][0] <= found["foot"], place


FAILED = {claim.id for claim in CLAIMS if claim.verdict is Verdict.DOES_NOT_REPRODUCE}
FAILING = [len(FAILED & set(step["claims"])) for step in STEPS]
"""How many claims of each step fail."""


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768)])
def test_no_claim_that_fails_is_folded(resident: Any, width: int, height: int) -> None:
    page = resident.page
    page.set_viewport_size({"width": width, "height": height})
    places = [place for place, failing in enumerate(FAILING, start=1) if failing]
    assert max(FAILING) > 1
    for place in places:
        resident.turn_to(f"?step={place}")
        if page.locator("#asked").count():
            page.get_by_role("button", name="Show it").click()
            resident.settle()
        found = page.evaluate(VERDICTS)
        assert found["fails"] == FAILING[place - 1], place
        if width == 1440:
            lines = page.locator("#claims > .claim:has(.verdict.fails) .verdict-line")
            assert max(one.bounding_box()["y"] + one.bounding_box()["height"] for one in lines.all()) <= found["foot"]


# Of each claim in the column: its end, where its words and how it comes out begin; the end of what the column shows.
NOTES = """() => {
    const [box, read] = [one => one.getBoundingClientRect(), document.querySelector('.read')];
    const first = one => one.getClientRects()[0].top;
    return {
        claims: [...document.querySelectorAll('#claims > .claim')].map(one =>
            [box(one).bottom, first(one.querySelector('.claimed')), first(one.querySelector('.verdict'))]),
        foot: box(read).bottom,
        height: document.documentElement.scrollHeight,
    };
}"""


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1024, 768)])
@pytest.mark.parametrize(
    "places", [(12, 26, 33, 40, 41), pytest.param(range(1, len(STEPS) + 1), marks=pytest.mark.slow)]
)
def test_a_low_window_shows_claims_whole_and_then_how_they_come_out(
    resident: Any, places: Any, width: int, height: int
) -> None:
    page = resident.page
    page.set_viewport_size({"width": width, "height": height})
    for place in places:
        resident.turn_to(f"?step={place}")
        if page.locator("#asked").count():
            page.get_by_role("button", name="Show it").click()
        resident.settle()
        found = page.evaluate(NOTES)
        assert found["height"] == height, place
        for end, said, verdict in found["claims"]:
            assert end <= found["foot"] + 1, place  # a rounded pixel
            assert said <= verdict + 1, place  # on one line a smaller letter begins lower


def test_an_answer_cuts_off_no_claim(resident: Any) -> None:
    page = resident.page
    page.set_viewport_size({"width": 1440, "height": 900})
    places = [place for place, step in CHOOSING if step["claims"]]
    assert len(places) > 4
    for place in places:
        resident.turn_to(f"?step={place}", is_told=False)
        page.get_by_role("button", name="Show it").click()
        resident.settle()
        notes = [one.bounding_box() for one in page.locator("#claims > details").all()]
        assert notes, place
        assert max(one["y"] + one["height"] for one in notes) <= page.evaluate(VERDICTS)["foot"], place


DRAWN = [name for name in NAMES if not name.endswith("-evidence")]
"""Boards but for lists of what is known, which are as high as they are long."""
TURNED = ("latency", "tokens", "cost", "bubbles", "prefill")
"""Some of them that have sliders, as not all have."""


@pytest.mark.parametrize("names", [TURNED, pytest.param(DRAWN, marks=pytest.mark.slow)])
def test_what_turns_a_board_first_stands_on_a_low_windows_first_screen(resident: Any, names: Any) -> None:
    """Of sliders their tracks, too."""
    page = resident.page
    page.set_viewport_size({"width": 1280, "height": 720})
    ends = {}
    for name in names:
        resident.turn_to(f"?board={name}")
        resident.settle()
        tracks = page.locator("#controls .track").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect().bottom)"
        )
        if tracks:
            ends[name] = min(tracks)
    assert {*TURNED} <= ends.keys()
    assert {name: end for name, end in ends.items() if end > 720} == {}


@pytest.mark.parametrize(
    ("name", "what"), [("latency", ".round button"), ("racks", "#caption"), ("departures", "#caption")]
)
def test_what_stands_below_a_board_covers_nothing_above_it(resident: Any, name: str, what: str) -> None:
    """On a low window both end where what is below begins; a shadow of that is under no hand, but hides words."""
    resident.page.set_viewport_size({"width": 1280, "height": 720})
    page = resident.turn_to(f"?board={name}")
    resident.settle()
    seen = page.locator(what).evaluate(
        """one => {
            scrollTo(0, 250);
            const { left, top, right, bottom } = one.getBoundingClientRect();
            const below = getComputedStyle(document.querySelector('.lower'));
            const hit = document.elementFromPoint((left + right) / 2, bottom - 2);
            return { inside: top > 0 && bottom < innerHeight, own: one.contains(hit), shadow: below.boxShadow };
        }"""
    )
    assert seen == {"inside": True, "own": True, "shadow": "none"}


@pytest.mark.parametrize(("name", "begins"), [("output-evidence", "1 exercise"), ("tier-evidence", "1 exercise")])
def test_where_a_board_is_from_begins_with_no_dot(resident: Any, name: str, begins: str) -> None:
    page = resident.turn_to(f"?board={name}")
    resident.settle()
    assert page.locator(".where").inner_text().strip() == begins


def test_what_a_dot_is_does_not_lie_across_the_train(resident: Any) -> None:
    """On a low window, where it has no room beside the clock."""
    resident.page.set_viewport_size({"width": 1280, "height": 720})
    page = resident.turn_to("?board=departures")
    resident.settle()
    words = page.locator(".scene > svg text", has_text="a dot is").bounding_box()
    # Carriages, of the train that stands and of the one that leaves, with their wheels and couplings.
    tops = page.locator(".scene > svg path[stroke='var(--ink)']").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().top)"
    )
    assert len(tops) > 1
    assert words["y"] + words["height"] <= min(tops)


def test_rows_of_schedules_have_room_for_their_numbers_on_a_low_screen(resident: Any) -> None:
    resident.page.set_viewport_size({"width": 1280, "height": 720})
    page = resident.turn_to("?board=bubbles")
    resident.settle()
    page.locator(".scene input[type=range]").press("End")
    resident.rest()
    numbers = page.locator(".scene > svg text[text-anchor=middle][fill='var(--background)']").all_text_contents()
    # Of four micro-batches in four stages: two schedules with forward and backward, one with gradients apart.
    assert len(numbers) == 2 * 4 * 4 * 2 + 4 * 4 * 3
    assert set(numbers) == {"0", "1", "2", "3"}


ENDINGS = [place for place, step in enumerate(STEPS, start=1) if step["answer"]]
"""Steps with which a chapter ends."""


def test_what_a_chapter_has_answered_is_seen_without_scrolling(resident: Any) -> None:
    page = resident.page
    page.set_viewport_size({"width": 1280, "height": 720})
    assert len(ENDINGS) > 4
    for place in ENDINGS:
        resident.turn_to(f"?step={place}")
        if page.locator("#asked").count():
            page.get_by_role("button", name="Show it").click()
            resident.settle()
        answer, foot = page.locator(".closing").bounding_box(), page.evaluate(VERDICTS)["foot"]
        assert answer["y"] + answer["height"] <= foot, place


# Words that are drawn smaller than they are read, with their height; formulas have their own indices.
SMALL = """least => {
    const found = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const [words, one] = [walk.currentNode.textContent.trim(), walk.currentNode.parentElement];
        if (!words || !one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        if (one.closest('.unseen, .katex, option, script, style') || one.getBoundingClientRect().width < 2) continue;
        const { a = 1, b = 0 } = one.getScreenCTM?.() ?? {};
        const size = parseFloat(getComputedStyle(one).fontSize) * Math.hypot(a, b);
        // A part of a pixel, by which a drawing is fitted; what has no size is not drawn.
        if (size > 0 && size < least - 0.05) found.push([words, size]);
    }
    return found;
}"""


# Sizes of the words beside a picture, but for formulas, a chapter's numeral and a control's letter; those of verdicts.
SIZES_BESIDE = """() => {
    const found = new Map();
    const walk = document.createTreeWalker(document.querySelector('.words'), NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const [words, one] = [walk.currentNode.textContent.trim(), walk.currentNode.parentElement];
        if (!words || !one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        if (one.closest('.unseen, .katex, .symbol, .opening b') || one.getBoundingClientRect().width < 2) continue;
        found.set(getComputedStyle(one).fontSize, words);
    }
    const verdicts = [...document.querySelectorAll('.words .verdict-line :is(.verdict, .found)')];
    return [Object.fromEntries(found), verdicts.map(one => getComputedStyle(one).fontSize)];
}"""


@pytest.mark.parametrize(
    "places", [(1, 4, 12, 19, 33, 41, 46), pytest.param(range(1, len(STEPS) + 1), marks=pytest.mark.slow)]
)
def test_words_beside_a_picture_have_three_sizes_and_verdicts_not_the_smallest(resident: Any, places: Any) -> None:
    page = resident.page
    page.set_viewport_size({"width": 1440, "height": 900})
    for place in places:
        resident.turn_to(f"?step={place}")
        if page.locator("#asked").count():
            page.get_by_role("button", name="Show it").click()
            resident.settle()
        sizes, verdicts = page.evaluate(SIZES_BESIDE)
        assert len(sizes) <= 3, (place, sizes)
        least = min(float(size.removesuffix("px")) for size in sizes)
        assert all(float(size.removesuffix("px")) > least for size in verdicts), (place, sizes)


ALL_CLAIMS = """() => {
    history.pushState(null, '', '?claims=all');
    dispatchEvent(new PopStateEvent('popstate'));
}"""


@pytest.mark.parametrize("width", [1440, 390])
def test_no_words_are_too_small_to_read(resident: Any, width: int) -> None:
    resident.screen(width, 900)
    assert resident.come_home().evaluate(SMALL, 12) == []
    page = resident.come("?step=1")
    for query in ("?step=1", "?step=12", "?step=13", "?step=35", "?board=cost", "?board=context"):
        resident.turn_to(query)
        if page.locator("#asked").count():
            page.get_by_role("button", name="Show it").click()
            resident.settle()
        assert page.evaluate(SMALL, 12) == [], query
    page.evaluate(ALL_CLAIMS)
    page.wait_for_selector("#ledger tbody tr")
    assert page.evaluate(SMALL, 12) == []


def test_a_phone_draws_of_two_modes_their_bold_lines_and_one_bill(resident: Any) -> None:
    told = [n for n, step in enumerate(STEPS, start=1) if step["board"] == "cost" and not step.get("question")]
    counts = {}
    for width in (1440, 390):
        resident.screen(width, 900)
        page = resident.come(f"?step={told[0]}&mode=both")
        lines = page.locator("#canvas svg [clip-path] > g:last-child > g[data-colour]").evaluate_all(SEEN)
        # The band on its axis: what rows of bills would say the machine says.
        assert page.locator(".machine").count() == 1
        counts[width] = (lines, page.locator(".along .bands").count())
    assert counts[390] == (2, 1)
    assert counts[1440][0] > 2
    assert counts[1440][1] == 2
