"""Words of pictures lie over no other, over no line and inside, on all boards and wherever controls stand."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from tests.browser.words import WRONG

from ridgeline.boards.board import Board
from ridgeline.boards.lecture import BOARDS
from ridgeline.boards.lecture.walk import walk_document
from ridgeline.quantity_text import format_quantity
from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped

SIZES = {360: 780, 768: 1024, 1440: 900}
SETTINGS, FEW = 40, 2
DECADES = 100  # from there on a slider's steps are ratios

# The server's answers are kept: what is looked at is what is drawn of them, at three widths.
KEPT = """() => {
    const kept = new Map(), ask = window.fetch;
    window.fetch = (address, ...rest) => {
        if (rest.length && rest[0]) return ask(address, ...rest);
        if (!kept.has(address)) kept.set(address, ask(address));
        return kept.get(address).then(answer => answer.clone());
    };
}"""
# Goes to each address within the page and gives, of those with wrong words, which.
LOOK = f"""async addresses => {{
    const wrong = {WRONG};
"""
LOOK += """
    const frame = () => new Promise(requestAnimationFrame);
    const pause = () => new Promise(done => setTimeout(done, 1));
    const busy = () => document.querySelector('#views')?.getAttribute('aria-busy') !== 'false';
    const found = { drawn: 0, wrong: [] };
    for (const address of addresses) {
        history.pushState(null, '', address);
        dispatchEvent(new PopStateEvent('popstate'));
        await frame();
        while (busy()) await pause();
        await frame();
        await frame();
        if (document.querySelector('#problem[role=alert]')) continue;
        found.drawn += 1;
        let said = wrong();
        // A picture whose place has another height now is drawn for it by the next frames.
        for (let more = 0; said.length && more < 60; more += 1) {
            await frame();
            said = wrong();
        }
        if (said.length) found.wrong.push([address, ...said].join('\\n    '));
    }
    return found;
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
    visitor.page.set_viewport_size({"width": width, "height": SIZES[width]})
    visitor.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    visitor.rest()


@pytest.mark.parametrize("width", SIZES)
def test_words_keep_apart_where_boards_and_steps_start(resident: Any, width: int) -> None:
    sized(resident, width, "light")
    addresses = [f"?board={one.name}&view={view}&mode=both" for one in BOARDS for view in range(len(one.views))]
    addresses += [f"?step={place}" for place, _ in enumerate(walk_document()["steps"], start=1)]
    found = resident.page.evaluate(LOOK, addresses)
    assert found["drawn"] == len(addresses)
    assert not found["wrong"], "\n".join(found["wrong"])


@pytest.fixture(scope="module")
def looker(chromium: Any, address: str, _resident: Any) -> Iterator[Any]:
    """One for all settings, before whom answers are kept."""
    visitor = type(_resident)(chromium.new_context(reduced_motion="reduce").new_page(), address)
    visitor.open("?board=latency&mode=both")
    visitor.page.evaluate(KEPT)
    yield visitor
    visitor.page.context.close()


@pytest.mark.parametrize("one", BOARDS, ids=lambda one: one.name)
def test_words_keep_apart_at_the_first_settings(looker: Any, one: Board) -> None:
    """A few of those that the slow test takes, at one width for each board."""
    width = list(SIZES)[BOARDS.index(one) % len(SIZES)]
    sized(looker, width, "light")
    check(looker, [f"{width} px: {said}" for said in looker.page.evaluate(LOOK, turned(one, FEW))["wrong"]])


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


@pytest.mark.slow
@pytest.mark.parametrize("one", BOARDS, ids=lambda one: one.name)
def test_words_keep_apart_wherever_controls_stand(looker: Any, one: Board) -> None:
    addresses = turned(one, SETTINGS)
    wrong = []
    for place, width in enumerate(SIZES):
        # Half of the settings in each theme: words lie alike in both, which test_access looks at on every board.
        for half, scheme in enumerate(("light", "dark")):
            sized(looker, width, scheme)
            found = looker.page.evaluate(LOOK, addresses[(half + place) % 2 :: 2])
            assert found["drawn"] >= len(addresses) / 4  # others are refused: controls that contradict each other
            wrong += [f"{width} px: {one}" for one in found["wrong"]]
    check(looker, wrong)


def turned(one: Board, count: int) -> list[str]:
    """Addresses of all its views at so many settings."""
    return [
        "?" + urlencode({"board": one.name, "view": view, **controls})
        for controls in settings(one, count)
        for view in range(len(one.views))
    ]


def check(looker: Any, wrong: list[str]) -> None:
    assert not wrong, f"{len(wrong)} pictures:\n" + "\n".join(wrong[:12])
    looker.complaints[:] = [said for said in looker.complaints if "400" not in said]  # what is refused
    looker.check()
