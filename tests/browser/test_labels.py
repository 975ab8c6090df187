"""Words of pictures lie over no other, over no line and inside, and parts stay, wherever a board's controls stand."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from tests.browser.charts import DRAGGED, MARK, PLOT, STILL
from tests.browser.conftest import FLAGS, KEPT, Visitor, chromium_path
from tests.browser.steps import STEPS
from tests.browser.words import WRONG

from ridgeline.boards.board import Board
from ridgeline.boards.lecture import BOARDS
from ridgeline.boards.lecture.walk import walk_document
from ridgeline.quantity_text import format_quantity
from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped

SIZES = {360: 780, 768: 1024, 1440: 900}
SETTINGS, FEW = 40, 3
DECADES = 100  # from there on a slider's steps are ratios

# What has its place on the screen whatever a control says.
PARTS = (
    "#title", "#formula", "#formula .together", "#symbols", "#symbols li", ".head", ".head > *", "figure", "#canvas",
    ".bills", ".bills > *", "figcaption", "#controls", "#controls .control", "#controls > .more", "#sources",
)  # fmt: skip
# Goes to each address within the page and gives what is wrong with which: words, and parts that lie elsewhere than they
# did at first; and where that was, null where nobody asks.
LOOK = f"""async ({{ addresses, parts, first }}) => {{
    const wrong = {WRONG};
"""
LOOK += """
    const frame = () => new Promise(requestAnimationFrame);
    const { port1, port2 } = new MessageChannel();
    const pause = () => new Promise(done => { port1.onmessage = done; port2.postMessage(null); });
    const busy = () => document.querySelector('#views')?.getAttribute('aria-busy') !== 'false';
    // Woken by what changes: who asked all the time would take the core on which the answer is made.
    const drawn = () => new Promise(done => {
        const look = () => { if (!busy()) { watch.disconnect(); done(); } };
        const watch = new MutationObserver(look);
        watch.observe(document.body, { attributes: true, childList: true, subtree: true });
        look();
    });
    const box = ({ left, top, bottom }) => [left, top, bottom].map(Math.round);
    const boxes = () => Object.fromEntries(parts.flatMap(part => [...document.querySelectorAll(part)]
        .map((one, which) => [`${part} ${which}`, box(one.getBoundingClientRect())])));
    const moved = () => {
        // What is said of a refusal takes its place.
        if (!first || document.querySelector('#problem, .refused')) return [];
        const now = boxes();
        return [...new Set([...Object.keys(first), ...Object.keys(now)])].flatMap(part => {
            const [from, to] = [first[part], now[part]];
            // Within a rounded pixel.
            const isThere = from && to && from.every((each, which) => Math.abs(each - to[which]) <= 1);
            return isThere ? [] : [`${part} moved from ${from} to ${to}`];
        });
    };
    const found = { drawn: 0, wrong: [] };
    for (const address of addresses) {
        history.pushState(null, '', address);
        if (location.search !== address) throw new Error(`the browser refused to go to ${address}`);
        dispatchEvent(new PopStateEvent('popstate'));
        await pause();
        await drawn();
        await frame();
        await frame();
        // A picture that waits for an answer to be chosen is looked at once it is shown.
        if (document.querySelector('figure[inert]')) {
            const button = () => document.querySelector('.options .show-it');
            while (!button()) await frame();
            button().click();
            await frame();
            await frame();
        }
        if (document.querySelector('#problem[role=alert]')) continue;
        found.drawn += 1;
        // A picture whose place has another height now is drawn for it by the next frames.
        const latest = performance.now() + 1000;
        if (!first && parts.length && !document.querySelector('#problem, .refused')) {
            await document.fonts.ready;
            for (let before = '', now = JSON.stringify(boxes()); now !== before && performance.now() < latest;) {
                for (let more = 0; more < 3; more += 1) await frame();
                [before, now] = [now, JSON.stringify(boxes())];
            }
            first = boxes();
        }
        const look = () => [...wrong(), ...moved()];
        let said = look();
        while (said.length && performance.now() < latest) {
            await frame();
            said = look();
        }
        if (said.length) found.wrong.push([address, ...said].join('\\n    '));
    }
    return { ...found, first };
}"""


def settings(one: Board, count: int) -> Iterator[dict[str, str]]:
    """Text of all controls, each anywhere on its slider; the same from run to run."""
    chance = random.Random(one.name)  # noqa: S311  no secret
    board: Any = answers(f"boards/{one.name}", {}, Dropped())
    for _ in range(count):
        yield {control["name"]: anywhere(control, chance.random()) for control in board["controls"]}


def anywhere(control: Any, part: float) -> str:
    low, high = control["low"], control["high"]
    value = low * (high / low) ** part if low > 0 and high / low >= DECADES else low + (high - low) * part
    near = round(value) if control["is_whole"] else float(f"{value:.3g}")
    return format_quantity(min(high, max(low, near)), control["dimension"], 6)


def sized(visitor: Any, width: int, scheme: str) -> None:
    if visitor.page.viewport_size["width"] == width and visitor.page.evaluate(
        "scheme => matchMedia(`(prefers-color-scheme: ${scheme})`).matches", scheme
    ):
        return
    visitor.page.set_viewport_size({"width": width, "height": SIZES[width]})
    visitor.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    visitor.rest()


def test_words_keep_apart_where_boards_and_steps_start(resident: Any) -> None:
    """Between a phone and a wide screen; on those test_phone, test_page and test_walk visit all of them."""
    sized(resident, 768, "light")
    starts = [f"?board={one.name}&view={view}&mode=both" for one in BOARDS for view in range(len(one.views))]
    starts += [f"?step={place}" for place, _ in enumerate(walk_document()["steps"], start=1)]
    found = looked(resident, starts)
    assert found["drawn"] == len(starts)
    assert not found["wrong"], "\n".join(found["wrong"])


# Frames come as fast as they are drawn, and so many addresses in a row are no attack.
HASTY = ("--disable-frame-rate-limit", "--disable-ipc-flooding-protection")


@pytest.fixture(scope="module")
def looker(chromium: Any, address: str) -> Iterator[Any]:
    """One for all settings, in a hasty browser, before whom answers are kept."""
    browser = chromium.browser_type.launch(executable_path=chromium_path(), args=[*FLAGS, *HASTY])
    visitor = Visitor(browser.new_context(reduced_motion="reduce").new_page(), address)
    visitor.open("?board=latency&mode=both")
    visitor.page.evaluate(KEPT)
    yield visitor
    browser.close()


# Of a few that the slow test takes two at each width, each at two widths. All boards at one width, in one theme:
# a page that gets another is drawn anew.
@pytest.mark.parametrize("one", BOARDS, ids=lambda one: one.name)
@pytest.mark.parametrize("width", SIZES)
def test_words_keep_apart_and_nothing_moves_at_the_first_settings(looker: Any, width: int, one: Board) -> None:
    place = list(SIZES).index(width)
    some = list(settings(one, FEW))
    del some[place]
    wrong = []
    sized(looker, width, ("light", "dark")[place % 2])
    for view in range(len(one.views)):
        found = looked(looker, addresses(one, view, some), PARTS)
        assert found["drawn"], view  # others are refused: controls that contradict each other
        wrong += found["wrong"]
    check(looker, wrong)


@pytest.mark.slow
@pytest.mark.parametrize("one", BOARDS, ids=lambda one: one.name)
def test_words_keep_apart_and_nothing_moves_wherever_controls_stand(looker: Any, one: Board) -> None:
    """Each picture of a board at so many settings and all widths, half of them in each theme."""
    some = list(settings(one, SETTINGS))
    wrong = []
    for place, width in enumerate(SIZES):
        for view in range(len(one.views)):
            first, drawn = None, 0
            # Words lie alike in both themes, which test_access looks at for each kind of picture.
            for half, scheme in enumerate(("light", "dark")):
                sized(looker, width, scheme)
                found = looked(looker, addresses(one, view, some)[(half + place) % 2 :: 2], PARTS, first)
                first, drawn = found["first"], drawn + found["drawn"]
                wrong += [f"{width} px, {scheme}: {each}" for each in found["wrong"]]
            assert drawn >= SETTINGS / 4
    check(looker, wrong)


# Drags a slider from where it stands to its end, and back beyond; gives what was wrong after each painted frame.
DRAG = f"""async ([name, steps]) => {{
    const wrong = {WRONG};
"""
DRAG += """
    const painted = () => new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));
    const slider = document.querySelector(`#control-${name}-slider`);
    const found = new Set();
    // An answer may come between a frame and the look at it: what is wrong then was never seen.
    const look = async () => {
        const said = wrong();
        if (!said.length) return;
        await painted();
        const still = wrong();
        for (const each of said) if (still.includes(each)) found.add(each);
    };
    const from = Number(slider.value);
    for (const to of [Number(slider.max), Number(slider.min)]) {
        for (let step = 1; step <= steps; step += 1) {
            slider.value = from + (to - from) * step / steps;
            slider.dispatchEvent(new Event('input', { bubbles: true }));
            for (let frame = 0; frame < 3; frame += 1) await painted();
            await look();
        }
        slider.dispatchEvent(new Event('change', { bubbles: true }));
        for (let frame = 0; frame < 6; frame += 1) {
            for (let each = 0; each < 4; each += 1) await painted();
            await look();
        }
    }
    return [...found];
}"""


@pytest.mark.parametrize(
    ("query", "control"),
    [
        ("latency", "hbm_bytes_per_s"),
        ("budget&view=1", "tokens"),
        ("context", "kv_bytes_per_token"),
        ("departures&view=1", "load_fraction"),
    ],
)
def test_words_keep_apart_while_a_hand_drags_and_lets_go(visitors: Any, query: str, control: str) -> None:
    page = visitors(motion="no-preference").open(f"?board={query}&mode=both")
    page.wait_for_timeout(500)  # the first glide
    assert page.evaluate(DRAG, [control, 8]) == []


# Its ghost counts, too: a label that lies on one is not read.
HAUNTED = WRONG.replace("!one.closest('.ghost')", "true")


@pytest.mark.parametrize("query", ["?step=35", "?step=33", "?step=12"])
@pytest.mark.parametrize("part", [0.08, 0.92])
def test_words_lie_on_no_line_and_no_ghost_once_a_mark_is_dragged_to_an_end(
    resident: Any, query: str, part: float
) -> None:
    assert HAUNTED != WRONG
    page = resident.come(query)
    key = page.evaluate(DRAGGED)[0]
    x, y = page.evaluate(MARK, key)
    left, right = page.evaluate(PLOT)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(left + part * (right - left), y, steps=6)
    page.wait_for_selector("#canvas svg .ghost path", state="attached")
    page.mouse.up()
    page.evaluate(STILL, key)
    assert page.evaluate(HAUNTED) == []


def looked(visitor: Any, addresses: list[str], parts: tuple[str, ...] = (), first: Any = None) -> Any:
    return visitor.page.evaluate(LOOK, {"addresses": addresses, "parts": parts, "first": first})


def addresses(one: Board, view: int, some: list[dict[str, str]]) -> list[str]:
    return ["?" + urlencode({"board": one.name, "view": view, **controls}) for controls in some]


def check(looker: Any, wrong: list[str]) -> None:
    assert not wrong, f"{len(wrong)} pictures:\n" + "\n".join(wrong[:12])
    looker.complaints[:] = [said for said in looker.complaints if "400" not in said]  # what is refused
    looker.check()


# Places of dots that lie on no line, in pixels.
DOTS = """() => [...document.querySelectorAll('#canvas > .chart circle[transform]')]
    .filter(one => !one.closest('.chart-mark') && one.checkVisibility({ visibilityProperty: true }))
    .map(one => one.getAttribute('transform'))"""


@pytest.mark.parametrize("place", [20, 36, 40])
def test_a_fact_that_both_settings_share_is_drawn_once(resident: Any, place: int) -> None:
    """On the board of a step, which asks nothing first."""
    step = STEPS[place - 1][1]
    query = urlencode({"board": step["board"], "view": step["view"], **step["turned"]})
    alone = resident.turn_to(f"?{query}").evaluate(DOTS)
    both = resident.turn_to(f"?{query}&mode=both").evaluate(DOTS)
    assert len(both) == len(alone) > 0


def names(page: Any) -> set[str]:
    seen = "all => all.filter(one => one.checkVisibility({ visibilityProperty: true })).map(one => one.textContent)"
    return set(page.eval_on_selector_all("#canvas > .chart text", seen))


def test_the_models_that_a_step_is_about_have_their_names_in_any_window(resident: Any) -> None:
    for size in ((1440, 900), (1024, 768)):
        resident.screen(*size)
        assert names(resident.turn_to("?step=36")) >= {"DeepSeek-V4-Flash", "V4-Pro"}, size


def test_a_dot_on_another_has_its_name(resident: Any) -> None:
    """Packages and dies of the same year and number."""
    assert names(resident.turn_to("?step=20")) >= {"A100: 8", "H100: 8"}
